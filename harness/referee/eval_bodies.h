/* SPDX-License-Identifier: MIT */
/* Bodies of a user's file, as they are given and as single precision has them. */
#ifndef ORR_EVAL_BODIES_H
#define ORR_EVAL_BODIES_H

#include "referee/cell_run.h"

struct orr_eval_bodies {
    struct orr_bodies given;      /* the file's own values */
    struct orr_cached_set shared; /* the same about given.origin, rounded to float */
    bool rounded;                 /* they differ by more than the origin */
    size_t massless;              /* bodies without mass */
    size_t weightless;            /* those whose mass rounds to 0 */
};

/* Reads a snapshot for the variant of `run`. Release it whatever is returned. ORR_EUSAGE where the
 * variant is of fewer dimensions, ORR_EINPUT where values do not fit single precision. */
int orr_eval_bodies_read(struct orr_eval_bodies *out, const char *path,
                         const struct orr_cell_run *run);
void orr_eval_bodies_release(struct orr_eval_bodies *bodies);
/* What the reference is of. */
static inline const struct orr_bodies *orr_eval_bodies_true(const struct orr_eval_bodies *bodies)
{
    return bodies->rounded ? &bodies->given : &bodies->shared.bodies;
}
/* ORR_EINPUT where two bodies of those that `run` has are at one place and nothing softens their
 * force. */
int orr_eval_bodies_check_softening(struct orr_eval_bodies *bodies, const struct orr_cell_run *run);
/* Appends what of the file has no part in the result, a sentence each. */
void orr_eval_bodies_remark(json_t *notes, const struct orr_eval_bodies *bodies,
                            const struct orr_cell_run *run, double gravity);
/* The largest distance from the origin, along an axis, and the heaviest mass. */
void orr_eval_bodies_extent(double *largest, double *heaviest, const struct orr_bodies *bodies);

/* What users of that variant do where single precision does not do. */
const char *orr_eval_bodies_remedy(const struct orr_cell_run *run);

#endif
