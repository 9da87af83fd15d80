/* SPDX-License-Identifier: MIT */
/* The variants of gaburov that run on the host, for the tests of what they compute. */
#ifndef ORR_TEST_GABUROV_HOST_RUN_H
#define ORR_TEST_GABUROV_HOST_RUN_H

#include "space_run.h"

enum { TREE, SIMD };
static const char *const names[] = {"gaburov/cpu-tree", "gaburov/cpu-tree-simd"};
static struct orr_device *device;

static inline int load(void **state)
{
    int rc = load_variants(names, 2);

    for (int d = 0; d < device_count && !rc; d++)
        if (devices[d]->info.kind == ORR_DEVICE_HOST)
            device = devices[d];
    return rc || !device;
}

static inline double figure(const struct run *r, const char *name)
{
    const struct orr_cost cost = cost_of(r);

    return figure_of(&cost, name);
}

static inline void make(struct run *r, int which, const struct orr_bodies *b, const char *settings)
{
    *r = run_made(plugins[which].variant, device, b, settings);
}

static inline void check(int which, const struct orr_bodies *b, const char *settings)
{
    check_run(plugins[which].variant, device, b, settings, settings);
}

static inline double length(const double d[3])
{
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

#endif
