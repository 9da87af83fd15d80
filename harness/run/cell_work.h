/* Whether the work that a variant declares is what its algorithm class must do, and whether any
 * device could do it in the time. */
#ifndef ORR_CELL_WORK_H
#define ORR_CELL_WORK_H

#include "run/cell_run.h"

/* ORR_EWRONG unless the declared interactions (0: unknown) are those of a direct sum, n (n - 1), or
 * of near boxes, each times steps + 1. A tree code's are its own business. */
int orr_cell_work_check_interactions(const struct orr_cell_run *run, json_t *cost);
/* Of what kind every interaction of such a variant is, "3d" ..., whose ceiling it is measured by;
 * "other": of none that has a ceiling. */
const char *orr_cell_work_pair(uint32_t capabilities, int dimensions);
/* ORR_EWRONG when the record's rate is above what the device's `ceiling` (its record; NULL:
 * unknown) allows for any kind of pair. */
int orr_cell_work_check_rate(const struct orr_cell_run *run, json_t *record, json_t *ceiling);

#endif
