/* SPDX-License-Identifier: MIT */
/* The one-sided direct sum on a device, kernels/fujiwara_optimised.cl: every body i meets all
 * bodies j, in one launch, or two where shares of the bodies j are added. It is Fujiwara &
 * Nakasato's section VI, "after extensive optimizations", and what tree codes do with few bodies.
 */
#ifndef VARIANTS_COMMON_ONE_SIDED_H
#define VARIANTS_COMMON_ONE_SIDED_H

#include <stdbool.h>

#include "variants/common/counting.h"
#include "variants/common/params.h"

enum one_sided_staged { ONE_SIDED_STAGED_AUTO, ONE_SIDED_STAGED_YES, ONE_SIDED_STAGED_NO };

/* Shape; 0: by the device. */
struct one_sided_shape {
    int32_t block, bodies, vector, tile, unroll_j, resident, split, slices;
    int32_t staged; /* enum one_sided_staged */
};

/* What is asked for. */
struct one_sided_task {
    int dimensions; /* 2: no potential; 3 */
    double eps;     /* softening length */
    bool meet;      /* bodies may be at one place, also without softening */
    bool pairs;     /* in space: positions are pairs of floats */
    const struct counting *counting;
    const char *sums, *shares; /* phases: of all pairs, and of what adds up their shares */
    const char *note;          /* the job's note begins with */
};

struct one_sided {
    struct one_sided_task task;
    struct orr_program *program;
    struct orr_buffer *sums; /* of each share; NULL with a single one, which writes acc itself */
    size_t n, first, own;    /* bodies; those that this rank's sums are of: all, if it is alone */
    size_t block, bodies, vector, tile, unroll_j, resident, slices;
    int staged;
    size_t shares, share; /* number of shares of the bodies j and bodies in one */
    size_t groups, row;   /* groups that the bodies i take, bodies in them */
    size_t n_j;           /* bodies j in whole tiles */
};

extern const struct orr_source one_sided_source;
/* Of its counts and of the unrolled loops', by enum fuji_procedure. */
extern const char *const one_sided_procedures[];

/* Chooses the shape; memory and kernels. `*padded`: bodies that the arrays of one_sided_forces()
 * have room for, massless and PAIR_FAR away from n on. Says the shape in the job's note. */
int one_sided_prepare(struct orr_job *job, struct one_sided *s, const struct one_sided_task *task,
                      const struct one_sided_shape *shape, size_t *padded);

/* The kernels once more, as counting_run() asks for. */
int one_sided_build(struct orr_job *job, void *of);

/* Queues the kernels that put the accelerations of `body`, of the rank's own bodies, into `acc`.
 * low: float4, of pairs. */
int one_sided_forces(struct orr_job *job, const struct one_sided *s, struct orr_buffer *body,
                     struct orr_buffer *low, struct orr_buffer *acc);

/* Accepts a zeroed one, and leaves it so. */
void one_sided_release(struct orr_job *job, struct one_sided *s);

#endif
