/* Whether the bodies of an integration went where its steps lead (trajectory.h). */
#ifndef ORR_CELL_MOTION_H
#define ORR_CELL_MOTION_H

#include "run/cell_run.h"

/* What was found of a trajectory, for the record. */
struct orr_cell_motion {
    size_t n; /* bodies of the trajectory that was judged; 0: none was */
    bool blind;
    double share; /* of its limit, of the value that comes nearest to it */
    const char *nearest;
};

/* Accelerations at the start on a few hundred targets, from which orr_cell_motion_check tells what
 * time the bodies took: of up to ORR_REFERENCE_SETS results, whose masses differ. None where they
 * are not wanted. Release each whatever is returned. */
int orr_cell_motion_starts(struct orr_reference *out, const struct orr_cell_run *run,
                           const struct orr_cell_result *results, int count, uint64_t seed);
/* Judges what the variant returned with those masses: by signs at any number of bodies, by the
 * whole trajectory where they are few and the variant is a direct sum. Nothing unless it
 * integrates. `start` NULL: of the bodies' own masses, kept from cell to cell. ORR_EWRONG. */
int orr_cell_motion_check(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_cell_result *result, const struct orr_reference *start);
/* Judges the whole trajectory from `start`, as of a direct sum. */
int orr_cell_motion_judge(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_forces *forces, const struct orr_bodies *start);

#endif
