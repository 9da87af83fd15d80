/* Section VI's "after extensive optimizations" on the device at hand,
 * kernels/fujiwara_optimised.cl: every body i meets all bodies j. For variants whose state begins
 * with a struct fuji_flow. */
#ifndef FUJI_ONE_SIDED_H
#define FUJI_ONE_SIDED_H

#include <stdbool.h>

#include "flow.h"

enum fuji_staged { FUJI_STAGED_AUTO, FUJI_STAGED_YES, FUJI_STAGED_NO };

/* Shape; 0: by the device. */
struct fuji_one_sided_shape {
    int32_t block, bodies, vector, tile, unroll_j, resident, split, slices;
    int32_t staged; /* enum fuji_staged */
};

struct fuji_one_sided {
    struct orr_program *program;
    struct orr_buffer *sums; /* of each share; NULL with a single one, which writes acc itself */
    size_t n, first, own;    /* bodies; those that this rank's sums are of: all, if it is alone */
    size_t block, bodies, vector, tile, unroll_j, resident, slices;
    int staged;
    size_t shares, share; /* number of shares of the bodies j and bodies in one */
    size_t groups, row;   /* groups that the bodies i take, bodies in them */
    size_t n_j;           /* bodies j in whole tiles */
    float eps;
};

extern const struct orr_source fuji_one_sided_source;

/* Chooses the shape; memory and kernels. `*padded`: bodies that both arrays of
 * fuji_one_sided_forces() have room for, FUJI_FAR from n on. Says the shape in the job's note. */
int fuji_one_sided_prepare(struct orr_job *job, struct fuji_one_sided *s,
                           const struct fuji_one_sided_shape *shape, double eps, size_t *padded);

/* The kernels once more, as fuji_flow_count() asks for. */
int fuji_one_sided_build(struct orr_job *job, struct fuji_one_sided *s);

/* Queues the kernels that put the accelerations of `body`, of the rank's own bodies, into `acc`. */
int fuji_one_sided_forces(struct orr_job *job, const struct fuji_one_sided *s,
                          struct orr_buffer *body, struct orr_buffer *acc);

/* Accepts a zeroed one, and leaves it so. */
void fuji_one_sided_release(struct orr_job *job, struct fuji_one_sided *s);

#endif
