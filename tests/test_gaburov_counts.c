/* SPDX-License-Identifier: MIT */
/* What the counting builds of the tree codes of gaburov count, against what the variants report of
 * their work, and what follows from the shape of their groups. */
#include "gaburov_octgrav_run.h"

#include "counts_run.h"

/* Interactions and lists are what cost() says; every pair with a lane of no use stands apart. */
static void check_work(const struct run *r, const struct orr_counts *got,
                       const struct orr_cost *cost, const char *what)
{
    const struct {
        const char *procedure;
        int kind;
        const char *figure;
    } same[] = {{"nodes", ORR_CN, "node interactions"}, {"leaves", ORR_CP, "leaf interactions"}};
    const bool two = counted(got, "walk 2", ORR_CT) > 0;
    const char *const walk = two ? "walk 1" : "walk";

    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        assert_counted(r, got, same[k].procedure, same[k].kind,
                       (count_t)figure_of(cost, same[k].figure), what);
    assert_counted(r, got, NULL, ORR_CN, (count_t)figure_of(cost, "node interactions"), what);
    assert_counted(r, got, NULL, ORR_CP, (count_t)figure_of(cost, "leaf interactions"), what);
    count_t by_field = 0; /* unless the settings or the device want fields */
    for (int k = 0; k < cost->figure_count; k++)
        if (!strcmp(cost->figures[k].name, "cells by the field"))
            by_field = (count_t)cost->figures[k].value;
    assert_counted(r, got, NULL, ORR_CE, by_field, what);
    assert_true(!strstr(what, "expand=") || r->job.bodies->n < 100 || by_field > 0);
    assert_counted(r, got, walk, ORR_CA, (count_t)figure_of(cost, "node list entries") + by_field,
                   what);
    assert_counted(r, got, walk, ORR_CL, (count_t)figure_of(cost, "leaf list entries"), what);
    assert_true(counted(got, walk, ORR_CT) >=
                counted(got, walk, ORR_CA) + counted(got, walk, ORR_CL));
    assert_true(!r->job.bodies->n || counted(got, NULL, ORR_CB) >= counted(got, walk, ORR_CL));
    assert_counted(r, got, "leaves", ORR_GW, 4 * (count_t)r->job.bodies->n, what);
}

/* The paper's two walks test the same cells; what the first reads and writes is the figure. */
static void check_two_walks(const struct run *r, const struct orr_counts *got,
                            const struct orr_cost *cost, const char *what)
{
    static const int same[] = {ORR_CT, ORR_CA, ORR_CL, ORR_GR};
    const count_t groups = (count_t)figure_of(cost, "groups"),
                  entries = counted(got, "walk 1", ORR_CA) + counted(got, "walk 1", ORR_CL);

    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        assert_counted(r, got, "walk 2", same[k], counted(got, "walk 1", same[k]), what);
    assert_counted(r, got, "walk 1", ORR_GW, 3 * groups, what);
    assert_counted(r, got, "walk 2", ORR_GW, entries, what);
    if (strstr(what, "opening=minimum-distance"))
        return; /* the figure has the half-edges of empty octants too */
    const count_t read = counted(got, "walk 1", ORR_GR) + counted(got, "walk 1", ORR_IR);
    assert_int_equal(4 * (read + 3 * groups), (count_t)figure_of(cost, "walk 1 bytes"));
    /* and four words that a walk with lists begins with */
    assert_int_equal(4 * (read + 6 * groups + entries), (count_t)figure_of(cost, "walk 2 bytes"));
    assert_counted(r, got, "walk 2", ORR_IR, counted(got, "walk 1", ORR_IR) + 10 * groups, what);
}

static void counts_of(const struct orr_variant *variant, struct orr_device *device,
                      const struct orr_bodies *b, const char *settings)
{
    struct orr_counts got;
    struct orr_cost cost = {0};

    RUN r = run_made(variant, device, b, settings);
    count_run(&r, &got);
    check_within(&r, settings, strstr(settings, "theta=0 ") ? 1e-5 : 0.05, 1e-30);
    assert_int_equal(variant->cost(&r.job, &cost), 0);
    check_work(&r, &got, &cost, settings);
    if (counted(&got, "walk 2", ORR_CT))
        check_two_walks(&r, &got, &cost, settings);
    if (strstr(settings, "theta=0 "))
        assert_counted(&r, &got, "leaves", ORR_CP, (count_t)b->n * (b->n - 1), settings);
    run_step(&r, true); /* what is timed is not what counts */
    check_within(&r, settings, strstr(settings, "theta=0 ") ? 1e-5 : 0.05, 1e-30);
}

TEST_EVERYWHERE(test_counts)
{
    static const char *const octgrav[] = {"theta=0 ",
                                          "theta=0.5 ",
                                          "theta=0.5 walk=one ",
                                          "theta=0.5 share=on eps=0.02",
                                          "theta=0.7 opening=minimum-distance nleaf=8 ngroup=16",
                                          "theta=0.6 scan=device list_mb=0.01 ",
                                          "theta=0.5 multipole=monopole walk=one share=on"};
    static const char *const modern[] = {"theta=0 ",
                                         "theta=0.5 ",
                                         "theta=0.5 block=8 eps=0.02 expand=0.3",
                                         "theta=0.5 block=4 lanes=2 warps=2",
                                         "theta=0.7 opening=minimum-distance nleaf=4",
                                         "theta=0.5 multipole=monopole"};
    const bool old = !strcmp(variant->name, "gaburov/octgrav");
    const size_t all = old ? sizeof octgrav / sizeof *octgrav : sizeof modern / sizeof *modern;
    /* Each setting is compiled anew, which takes PoCL six seconds. */
    const size_t count = getenv("ORRERY_ALL_TESTS") ? all : old ? 4 : 3;

    for (size_t k = 0; k < count; k++)
        for (int size = 0; size < 2; size++) {
            BODIES b = plummer_bodies(size ? 700 : 3, 0.01);
            counts_of(variant, device, &b, old ? octgrav[k] : modern[k]);
        }
}

RUN_TESTS_OF("gaburov/octgrav", "gaburov/octgrav-modern")
