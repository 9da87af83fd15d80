/* SPDX-License-Identifier: MIT */
/* The tree of feng/barnes-hut, brought back from the device. */
#ifndef ORR_TEST_FENG_TREE_H
#define ORR_TEST_FENG_TREE_H

#include "feng_run.h"
#include "variants/feng/shared/device_pipeline.h"

static inline const struct feng_pipeline *pipeline_of(const struct run *r)
{
    return r->job.state;
}

/* Threads that spin on each other's locks need to make progress each by itself: not GPUs through
 * OpenCL. */
static inline bool spins(const struct orr_device *device)
{
    return device->info.kind == ORR_DEVICE_CPU || !strcmp(device->info.backend, "cuda");
}

/* The arrays of a tree in host memory. */
struct tree {
    int32_t n, root, *child, *parent, *bodies, *next, *order;
    float *x, *y;
};

static inline struct tree tree_of(const struct run *r)
{
    const struct feng_pipeline *s = pipeline_of(r);
    const size_t n = s->soa.n, pool = s->pool;

    return (struct tree){.n = (int32_t)n,
                         .root = (int32_t)(n + pool - 1),
                         .child = words_of(r, s->child, 4 * pool),
                         .parent = words_of(r, s->parent, pool),
                         .bodies = words_of(r, s->bodies, pool),
                         .next = words_of(r, s->next, n),
                         .order = words_of(r, s->order, n),
                         .x = words_of(r, s->soa.pos[0], n + pool),
                         .y = words_of(r, s->soa.pos[1], n + pool)};
}

static inline void tree_release(struct tree *t)
{
    void *const arrays[] = {t->child, t->parent, t->bodies, t->next, t->order, t->x, t->y};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}

#endif
