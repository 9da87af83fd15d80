/* Counters of a cell: in a worker of their own, after everything that is timed, so that neither a
 * profiler nor its crash costs a time. */
#ifndef ORR_CELL_COUNTERS_H
#define ORR_CELL_COUNTERS_H

#include "plan/cell.h"
#include "run/cell_run.h"

/* Writes `counters` for a cell that is ok: values, or the reason for each source of the groups
 * asked for. `run` has let its variant go. ORR_EMEMORY. */
int orr_cell_counters_take(json_t *record, const struct orr_cell_run *run,
                           const struct orr_cell *cell);

#endif
