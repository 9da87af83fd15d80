/* Hardware counters that the user brings: what Nsight Compute saw of the kernels of one cell. */
#ifndef ORR_AUDIT_HARDWARE_H
#define ORR_AUDIT_HARDWARE_H

#include <stdint.h>

#include "kernels/count.h"
#include "ledger/ledger.h"

/* Reads the CSV of `ncu --csv --print-units base --metrics ...` (`orrery audit --help`), one metric
 * a line or (--page raw) one kernel a line, into the ledger's table audit_hardware(kernel, kind,
 * words). Of several launches of a kernel the one with the fewest accesses counts: a counting build
 * makes more. ORR_EINPUT with file and line. */
int orr_hardware_read(struct orr_ledger *ledger, const char *path);
/* ORR_EUSAGE unless the kernels read ran in exactly one cell of the experiment on a CUDA device. */
int orr_hardware_check(const struct orr_ledger *ledger, const char *experiment, const char *path);
/* Words that the cell's kernels read and wrote, summed: GR, GW, SR, SW; -1 for what is not known.
 * 1; 0 when nothing is known of the cell. */
int orr_hardware_words(int64_t out[ORR_ACCESS_KINDS], const struct orr_ledger *ledger,
                       long long cell_key);

#endif
