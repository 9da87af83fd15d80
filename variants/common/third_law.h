/* SPDX-License-Identifier: MIT */
/* Direct summation on a device by Newton's third law, kernels/third_law.cl, for the variants of
 * every paper that have it. */
#ifndef VARIANTS_COMMON_THIRD_LAW_H
#define VARIANTS_COMMON_THIRD_LAW_H

#include <stdbool.h>

#include "harness/variant.h"

/* Of the parameter by that name. */
enum third_law_use { THIRD_LAW_AUTO, THIRD_LAW_YES, THIRD_LAW_NO };

#define THIRD_LAW_PARAM(type, place)                                                               \
    {                                                                                              \
        "third_law", ORR_PARAM_CHOICE, offsetof(type, place), THIRD_LAW_AUTO, 0, 0, "auto|yes|no", \
            "each pair once, for both bodies; auto: where enough pairs fill the device"            \
    }

/* Shape; 0: by the device. */
struct third_law_shape {
    int32_t bodies, warps, vector, tile, unroll, resident;
    int32_t depth, distances; /* of a slice, and most distances of a launch */
};

/* What is asked for. */
struct third_law_task {
    size_t n;
    int in_double;     /* precision of arithmetic and sums; the device must have it */
    bool pairs;        /* in single precision: positions are pairs of floats */
    double eps;        /* softening length */
    double most_pairs; /* of a launch; 0: any number */
    struct third_law_shape shape;
};

struct third_law {
    struct third_law_task task;
    struct orr_program *program;
    struct orr_buffer *sums;    /* rows of n times four numbers */
    struct orr_buffer *partial; /* this rank's sums for all bodies, float4; NULL alone */
    size_t bodies, warps, vector, lanes, tile, unroll, resident, block;
    size_t span, blocks; /* bodies of a block, and blocks */
    size_t share;        /* blocks of a rank; the shape, which all must have, follows from it */
    size_t from, own;    /* this rank's blocks I; alone 0 and all */
    size_t last;         /* the largest distance of two blocks */
    size_t depth;        /* distances in a slice */
    size_t slices;       /* of a launch */
};

/* Chooses the shape. Whether the sum then takes less time than a one-sided one, by what the device
 * runs at a time. ORR_EUSAGE, ORR_EUNSUPPORTED. */
int third_law_choose(struct orr_job *job, struct third_law *s, const struct third_law_task *task,
                     bool *pays);

/* Memory and kernels, after third_law_choose(). Adds its shape to the job's note. */
int third_law_prepare(struct orr_job *job, struct third_law *s);

/* Queues the kernels that put the accelerations and potentials of the n float4 of `body` into
 * `acc`; of several ranks, those of this rank's share of the bodies. low: n float4, of pairs. */
int third_law_forces(struct orr_job *job, const struct third_law *s, struct orr_buffer *body,
                     struct orr_buffer *low, struct orr_buffer *acc, const char *phase);

/* Accepts a zeroed one, and leaves it so. */
void third_law_release(struct orr_job *job, struct third_law *s);

#endif
