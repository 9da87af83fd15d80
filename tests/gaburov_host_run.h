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

    (void)state;
    for (int d = 0; d < device_count && !rc; d++)
        if (devices[d]->info.kind == ORR_DEVICE_HOST)
            device = devices[d];
    return rc || !device;
}

static inline double figure(const struct run *r, const char *name)
{
    struct orr_cost cost = {0};

    assert_int_equal(r->variant->cost(&r->job, &cost), 0);
    for (int k = 0; k < cost.figure_count; k++)
        if (!strcmp(cost.figures[k].name, name))
            return cost.figures[k].value;
    fail_msg("%s has no \"%s\"", r->variant->name, name);
    return NAN;
}

static inline void make(struct run *r, int which, const struct orr_bodies *b, const char *settings)
{
    run_make(r, plugins[which].variant, device, b, settings);
}

static inline void check(int which, const struct orr_bodies *b, const char *settings)
{
    struct run r;

    make(&r, which, b, settings);
    check_forces(&r, settings);
    run_release(&r);
}

static inline double length(const double d[3])
{
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

#endif
