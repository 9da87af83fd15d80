/* SPDX-License-Identifier: MIT */
/* Direct summation on a device, kernels/direct.cl, for the variants of every paper that have it. */
#ifndef VARIANTS_COMMON_DIRECT_H
#define VARIANTS_COMMON_DIRECT_H

#include "variants/common/device_bodies.h"
#include "variants/common/params.h"
#include "variants/common/third_law.h"

/* Parameters of the shape; 0: by the device. */
struct direct_shape {
    int32_t block, bodies;
    int32_t sources; /* most bodies j of a launch */
};

/* Rows of the parameter table for a member `struct direct_shape place` of the parameter struct
 * `type`. */
#define DIRECT_SHAPE_PARAMS(type, place)                                                 \
    {"block", ORR_PARAM_INT, offsetof(type, place.block),           0, 0,                \
     1024,    NULL,          "threads in a group; 0: by the device"},                    \
        {"bodies",                                                                       \
         ORR_PARAM_INT,                                                                  \
         offsetof(type, place.bodies),                                                   \
         0,                                                                              \
         0,                                                                              \
         16,                                                                             \
         NULL,                                                                           \
         "bodies (or vectors of them) a thread keeps in registers; 0: by the device"},   \
    {                                                                                    \
        "sources", ORR_PARAM_INT, offsetof(type, place.sources), 0, 0, 1e9, NULL,        \
            "most bodies that act in one launch; 0: about a second's work of the device" \
    }

/* What is asked for. */
struct direct_task {
    int dimensions; /* 2: no potential; 3 */
    int in_double;  /* precision of arithmetic and sums; the device must have it */
    double eps;     /* softening length */
    struct direct_shape shape;
    enum third_law_use third_law; /* in space: each pair once, for both bodies */
    int pairs; /* positions are pairs of floats about bodies->origin; in double precision what
                  floats leave out of bodies is added whenever there is any */
    const char *phase; /* of the kernels */
};

/* First member of the state of such a variant. `device` is prepared by the variant, everything else
 * by direct_prepare(). */
struct direct {
    struct device_bodies device;
    struct direct_task task;
    struct orr_program *program;
    struct orr_buffer *sums; /* a row of n times four numbers for each share */
    size_t block, bodies, vector, tile, unroll, resident;
    size_t groups;        /* that the bodies i take */
    size_t launch;        /* bodies j of a launch, whole tiles */
    size_t shares, share; /* of a launch, and bodies j in one, whole tiles */
    bool both;            /* by the third law; then nothing but the following is used */
    struct third_law pairs;
};

/* For the variant's `sources`: kernels/direct.cl, third_law.cl and leapfrog.cl. */
extern const struct orr_source direct_sources[3];

/* After device_bodies_prepare(). */
int direct_prepare(struct orr_job *job, const struct direct_task *task);

int direct_step(struct orr_job *job);

void direct_release(struct orr_job *job);

#endif
