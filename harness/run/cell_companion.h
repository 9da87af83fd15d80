/* Companions of a cell: the same variant on the same device over fewer bodies of the same data set,
 * untimed, which shows what the cell itself cannot.
 *
 * - Where a trajectory of all bodies would take too long, one of few is judged in full. A tree code
 *   computes it as a direct sum, theta = 0, since its errors would hide a small fault of the
 *   scheme.
 * - A tree code with a wide opening angle is judged at a narrow one, where a fault of the tree
 * stands out of its errors (docs/METHOD.md, A narrow angle).
 *
 * A tree code that sums few bodies directly by itself (`all_pairs` of variant.h) has its tree
 * there.
 *
 * A companion that was right is not run again by the same referee. */
#ifndef ORR_CELL_COMPANION_H
#define ORR_CELL_COMPANION_H

#include "run/cell_run.h"

/* Runs those that the cell needs; `motion` says what is judged of it already, and afterwards of its
 * companion. Lets the run's variant go. ORR_EWRONG with the reason. */
int orr_cell_companion_check(struct orr_cell_motion *motion, struct orr_cell_run *run,
                             const struct orr_cell *cell);
/* Of an evaluation of the user's own bodies by a tree code; each lets the run's variant go and
 * overwrites its results. The second kind, over a part of these bodies, with errors of so many
 * `times` the bound. */
int orr_cell_companion_check_own(const struct orr_cell_run *run, double times);
/* The same over a data set that the bound is made for; `wide`: at the angle of the run, too. */
int orr_cell_companion_check_known(const struct orr_cell_run *run, bool wide);

#endif
