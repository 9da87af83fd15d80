/* Hardware counters that the user brings: what Nsight Compute saw of the kernels of one cell. */
#ifndef ORR_AUDIT_HARDWARE_H
#define ORR_AUDIT_HARDWARE_H

#include "ledger/ledger.h"

/* The ledger's table audit_hardware(kernel, kind, words), empty unless it is there. */
int orr_hardware_make_table(const struct orr_ledger *ledger);
/* Reads the CSV of `ncu --csv --print-units base --metrics ...` (`orrery audit --help`), one metric
 * a line or (--page raw) one kernel a line, into that table. Of several launches of a kernel the
 * one with the fewest accesses counts: a counting build makes more. ORR_EINPUT with file and line.
 */
int orr_hardware_read(struct orr_ledger *ledger, const char *path);
/* ORR_EUSAGE unless the kernels read ran in exactly one cell of the experiment on a CUDA device. */
int orr_hardware_check(const struct orr_ledger *ledger, const char *experiment, const char *path);
#endif
