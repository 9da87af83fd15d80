/* SPDX-License-Identifier: MIT */
/* gaburov/octgrav: its forces against fp64 sums over all bodies, how errors depend on what it is
 * told, cells that must be opened, what the ways to walk and to add up agree on, the leap-frog
 * scheme, figures and refusals. */
#include "gaburov_host_expected.h"
#include "gaburov_octgrav_run.h"

TEST_EVERYWHERE(test_zero_theta_is_the_direct_sum)
{
    static const size_t sizes[] = {1, 2, 3, 31, 64, 65, 257};
    static const char *const settings[] = {
        "theta=0", "theta=0 nleaf=3 ngroup=7 share=on tree=sorted", "theta=0 walk=one nleaf=8",
        "theta=0 walk=one share=on ngroup=20"};
    /* Softening is a build of its own, which takes seconds: the other one of the second and third
     * way is left to ways with the same sums. */
    static const double eps[][2] = {{0.02, 0}, {0, 0}, {0.02, 0.02}, {0.02, 0}};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int way = 0; way < 4; way++) {
            BODIES b = random_bodies(sizes[k], eps[way][k % 2]);
            RUN r = run_made(variant, device, &b, settings[way]);
            check_forces(&r, settings[way]);
            run_step(&r, false);
            check_forces(&r, "again");
        }
}

TEST_EVERYWHERE(test_pairs_of_floats)
{
    check_pairs(variant, device, "theta=0 nleaf=8 ngroup=20");
    check_pairs(variant, device, "theta=0 walk=one share=on ngroup=20");
    check_far_cells(variant, device, "theta=0.6 nleaf=8 ngroup=20", 5e-4);
    check_far_cells(variant, device, "theta=0.6 nleaf=8 ngroup=20 walk=one share=on", 5e-4);
}

/* Of the sum of m / r^2: all bodies together, and each, which may lie where the expansion of a
 * neighbouring cell is at its worst (in 1400 such systems at theta = 0.3: 1.2e-3 and 7e-3 at the
 * most). */
static void check_every_body(const struct run *r, const struct orr_bodies *b, const char *shape,
                             const char *settings)
{
    double squares = 0;

    for (size_t i = 0; i < b->n; i++) {
        double sum[5];
        exact(sum, b, i, (double)(float)b->eps);
        const double error = acc_error(r, i, sum);
        if (!(error <= 2e-2 * sum[4]))
            fail_msg("%s with %s: acc of body %zu is off by %g of %g", shape, settings, i, error,
                     sum[4]);
        squares += sum[4] > 0 ? pow(error / sum[4], 2) : 0;
    }
    if (!(sqrt(squares / (double)b->n) <= 3e-3))
        fail_msg("%s with %s: accelerations are off by %g", shape, settings,
                 sqrt(squares / (double)b->n));
}

/* Bodies at one place, on a line, massless, far away, in tiny and huge units. */
TEST_EVERYWHERE(test_difficult_bodies)
{
    static const char *const settings[] = {"theta=0 nleaf=4 ngroup=9",
                                           "theta=0 nleaf=4 ngroup=9 walk=one share=on",
                                           "theta=0.3 nleaf=2 ngroup=9"};

    for (int shape = 0; shape < SHAPES; shape++)
        for (int k = 0; k < 3; k++) {
            BODIES b = bodies_of(shape, 40 + (size_t)random_below(60), 0.05);
            RUN r = run_made(variant, device, &b, settings[k]);
            if (k < 2)
                check_forces(&r, shape_names[shape]);
            check_every_body(&r, &b, shape_names[shape], settings[k]);
        }
}

/* Medians of the relative error where the 2010 code has 1.3e-4, and how they depend on the
 * parameters. */
TEST_EVERYWHERE(test_errors)
{
    static const struct {
        const char *settings;
        double least, most;
    } cases[] = {{"theta=0.2", 1e-7, 1.5e-5},
                 {"theta=0.5", 4e-5, 2.5e-4},
                 {"theta=0.5 tree=sorted", 4e-5, 2.5e-4},
                 {"theta=0.5 walk=one share=on", 4e-5, 2.5e-4},
                 {"theta=0.7", 1.5e-4, 1.2e-3},
                 {"theta=0.5 multipole=monopole", 2.5e-4, 2e-3},
                 {"theta=0.5 opening=improved", 2e-5, 5e-4},
                 {"theta=0.5 opening=minimum-distance", 2e-5, 5e-4},
                 {"theta=0.5 nleaf=8", 4e-5, 6e-4}};
    BODIES b = plummer_bodies(3000, 0);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        RUN r = run_made(variant, device, &b, cases[k].settings);
        const double median = median_error(&r);
        if (!(median > cases[k].least && median < cases[k].most))
            fail_msg("%s with %s: median error %g", device->info.id, cases[k].settings, median);
    }
}

/* Largest error of the potentials. */
static double phi_error(const struct run *r)
{
    double largest = 0;

    for (size_t i = 0; i < r->job.bodies->n; i++) {
        double sum[5];
        exact(sum, r->job.bodies, i, (double)(float)r->job.bodies->eps);
        largest = fmax(largest, fabs((double)r->out.phi[i] / sum[3] - 1));
    }
    return largest;
}

/* A leaf of one body, or of several at one place, is a cell of no extent, which every test but this
 * guard takes as a whole, its own bodies too: with the guard compiled away a body adds itself to
 * its potential. */
TEST_EVERYWHERE(test_points_are_opened)
{
    BODIES b = random_bodies(300, 0.001);

    for (int d = 0; d < 3; d++)
        b.pos[d][1] = b.pos[d][0];
    RUN r = run_made(variant, device, &b, "theta=0.2 nleaf=1 ngroup=1");
    assert_true(phi_error(&r) < 0.01);
    struct octgrav *s = r.job.state;
    struct orr_program *guarded = s->walks;
    const char *defines =
        filled("-DWALK_BLOCK=%zu -DLEVELS=%d -DOPEN_POINTS=0", s->walk_block, GABUROV_LEVELS);
    assert_int_equal(orr_build(device, &s->walks, &variant->sources[0], defines), 0);
    run_step(&r, false);
    assert_true(phi_error(&r) > 0.1);
    orr_drop(device, guarded);
}

TEST_EVERYWHERE(test_second_moments)
{
    check_second_moments(variant, device, "theta=1 nleaf=8 ngroup=64");
}

/* Figures that do not depend on how the lists are made and met. */
static void assert_same_work(const struct orr_cost *a, const struct orr_cost *b, const char *what)
{
    static const char *const figures[] = {"node interactions", "leaf interactions", "groups",
                                          "node list entries", "leaf list entries", "cells"};

    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
        if (figure_of(a, figures[k]) != figure_of(b, figures[k]))
            fail_msg("%s: %g %s, not %g", what, figure_of(b, figures[k]), figures[k],
                     figure_of(a, figures[k]));
    assert_true(a->interactions == b->interactions && a->flops_true == b->flops_true);
}

/* Every group meets the cells and bodies that the rules give it, by recursion in double precision.
 * Below theta = 1 / sqrt(3) no cell is far from a body of its own. */
TEST_EVERYWHERE(test_rules_of_opening)
{
    static const struct {
        const char *settings;
        struct rule rule;
        int32_t nleaf, ngroup;
    } cases[] = {
        {"theta=0.5", {0.5, GABUROV_OPENING_OCTGRAV, 0}, 3, 5},
        {"theta=0.55 opening=improved scan=device", {0.55, GABUROV_OPENING_IMPROVED, 0}, 8, 8},
        {"theta=0.6 opening=minimum-distance multipole=monopole",
         {0.6, GABUROV_OPENING_MINIMUM_DISTANCE, 1},
         1,
         16},
        {"theta=0.3", {0.3, GABUROV_OPENING_OCTGRAV, 0}, 1, 1}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        BODIES b = random_bodies(700 + (size_t)random_below(100), 0);
        const char *settings = filled("%s tree=sorted nleaf=%d ngroup=%d", cases[k].settings,
                                      cases[k].nleaf, cases[k].ngroup);
        RUN r = run_made(variant, device, &b, settings);
        struct expected e =
            expect(&b, &cases[k].rule, cases[k].nleaf, cases[k].ngroup, cases[k].ngroup);
        compare(&r, &e, settings);
        free(e.sum);
        /* The recursion, which divides full leaves, finds the cells of the sort. */
        const char *recursive = filled("%s tree=recursive nleaf=%d ngroup=%d", cases[k].settings,
                                       cases[k].nleaf + 1, cases[k].ngroup + 1);
        RUN other = run_made(variant, device, &b, recursive);
        const struct orr_cost costs[2] = {cost_of(&r), cost_of(&other)};
        assert_same_work(&costs[0], &costs[1], recursive);
    }
}

/* Same sums in whatever order: `bound` of the root mean square. */
static void assert_near(const struct run *a, const struct run *b, double bound, const char *what)
{
    double square = 0;

    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < a->job.bodies->n; i++)
            square += pow((double)a->out.acc[d][i], 2) / (double)a->job.bodies->n;
    for (size_t i = 0; i < a->job.bodies->n; i++) {
        for (int d = 0; d < 3; d++)
            if (!(fabs((double)a->out.acc[d][i] - (double)b->out.acc[d][i]) <=
                  bound * sqrt(square)))
                fail_msg("%s: acc[%d] of body %zu is %g, not %g", what, d, i,
                         (double)b->out.acc[d][i], (double)a->out.acc[d][i]);
        if (!(fabs((double)a->out.phi[i] - (double)b->out.phi[i]) <=
              bound * fabs((double)a->out.phi[i])))
            fail_msg("%s: phi of body %zu is %g, not %g", what, i, (double)b->out.phi[i],
                     (double)a->out.phi[i]);
    }
}

/* A kernel of one walk takes seconds to build, and what differs between these does not depend on
 * each other: so they share the openings and multipoles of the trees among them, as do the sizes of
 * blocks. */
TEST_EVERYWHERE(test_ways_to_walk_agree)
{
    enum { FIRST = 1, SECOND = 2, THIRD = 4, ALL = 7 };
    static const struct {
        const char *how;
        int trees;
        double bound;
    } ways[] = {{"scan=device", ALL, 0},
                {"list_mb=0.004", ALL, 0},
                {"list_mb=0.0004 scan=device", ALL, 0},
                {"list_mb=0.000008", ALL, 0},
                {"list_mb=0.000008 scan=device", ALL, 0},
                {"host_threads=2", ALL, 0},
                {"walk_block=3", FIRST, 0},
                {"share=on", SECOND | THIRD, 2e-5},
                {"walk=one", FIRST, 2e-5},
                {"walk=one share=on block=100 bodies=1", SECOND | THIRD, 2e-5},
                {"block=40 bodies=3", ALL, 2e-5}};
    static const char *const trees[] = {
        "nleaf=8 ngroup=13", "nleaf=200 ngroup=64 opening=improved",
        "multipole=monopole nleaf=1 ngroup=64 opening=minimum-distance"};

    for (int k = 0; k < 3; k++) {
        BODIES b = plummer_bodies(700 + (size_t)random_below(100), 0.01);
        RUN first = run_made(variant, device, &b, trees[k]);
        const struct orr_cost cost = cost_of(&first);
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            if (!(ways[way].trees >> k & 1))
                continue;
            const char *settings = filled("%s %s", trees[k], ways[way].how);
            RUN r = run_made(variant, device, &b, settings);
            const struct orr_cost other = cost_of(&r);
            assert_same_work(&cost, &other, settings);
            assert_near(&first, &r, ways[way].bound, settings);
        }
    }
}

/* Every chunk but those of a single group keeps to the bound, and none could have taken the next
 * group too. */
TEST_EVERYWHERE(test_chunks)
{
    static const char *const settings[] = {"nleaf=8 ngroup=8 list_mb=0.003",
                                           "nleaf=8 ngroup=8 list_mb=0.003 scan=device",
                                           "nleaf=8 ngroup=8 list_mb=0.0003 scan=device"};
    BODIES b = plummer_bodies(1003, 0.01);

    for (int k = 0; k < 3; k++) {
        RUN r = run_made(variant, device, &b, settings[k]);
        const struct octgrav *s = r.job.state;
        const uint32_t *chunks = s->array[OCTGRAV_CHUNKS].host;
        uint64_t *offset =
                     fetched(&r, s->array[OCTGRAV_OFFSET].device, (s->groups + 1) * sizeof *offset),
                 longest = 0;
        assert_true(s->chunks > 3 && chunks[0] == s->chunks && chunks[2] == 0);
        assert_int_equal(chunks[2 + s->chunks], s->groups);
        for (uint32_t c = 0; c < s->chunks; c++) {
            const uint32_t from = chunks[2 + c], to = chunks[3 + c];
            const uint64_t entries = offset[to] - offset[from];
            assert_true(to > from && (entries <= s->most_entries || to == from + 1));
            assert_true(to == s->groups || offset[to + 1] - offset[from] > s->most_entries);
            longest = entries > longest ? entries : longest;
        }
        assert_int_equal(chunks[1], longest);
        assert_true(s->array[OCTGRAV_LIST].device_bytes >= longest * sizeof(int32_t));
        free(offset);
    }
}

/* Figures are sums over the evaluations of a step, and at theta = 0 known beforehand. */
TEST_EVERYWHERE(test_cost)
{
    BODIES b = random_bodies(150, 0.01);
    const double n = 150;

    RUN direct = run_made(variant, device, &b, "theta=0 nleaf=4 ngroup=8");
    struct orr_cost once = cost_of(&direct);
    assert_true(once.interactions == n * (n - 1) &&
                figure_of(&once, "leaf interactions") == n * (n - 1));
    assert_true(figure_of(&once, "node interactions") == 0 &&
                once.flops_convention == 38 * n * (n - 1));
    const double groups = figure_of(&once, "groups"), leaves = figure_of(&once, "leaves");
    assert_true(figure_of(&once, "leaf list entries") == groups * leaves);
    assert_true(figure_of(&once, "bodies per group") == n / groups);
    const struct octgrav *s = direct.job.state;
    const double places = (double)(s->block * s->bodies * s->vector) * groups;
    assert_true(fabs(figure_of(&once, "active threads") * places / n - 1) < 1e-12);
    run_step(&direct, false);
    assert_true(cost_of(&direct).interactions == n * (n - 1));
    RUN single = run_made(variant, device, &b, "theta=0.6 nleaf=4 ngroup=8");
    once = cost_of(&single);
    assert_true(once.flops_convention == 70 * figure_of(&once, "node interactions") +
                                             38 * figure_of(&once, "leaf interactions"));
    RUN r = run_made(variant, device, &b, "theta=0.6 nleaf=4 ngroup=8 steps=2 dt=1e-30");
    const struct orr_cost thrice = cost_of(&r);
    assert_true(thrice.interactions == 3 * once.interactions &&
                thrice.flops_true == 3 * once.flops_true);
    assert_true(figure_of(&thrice, "walk 2 bytes") == 3 * figure_of(&once, "walk 2 bytes"));
    assert_true(figure_of(&thrice, "cells") == figure_of(&once, "cells"));
}

/* The paper's leaves and groups have fewer bodies than Nleaf and Ngroup, but never none. */
TEST_EVERYWHERE(test_leaves_of_the_paper)
{
    static const struct {
        const char *settings;
        int32_t leaf, group;
    } cases[] = {{"nleaf=7 ngroup=7", 6, 6},
                 {"nleaf=7 ngroup=7 tree=recursive", 6, 6},
                 {"nleaf=7 ngroup=7 tree=sorted", 7, 7},
                 {"nleaf=1 ngroup=1", 1, 1}};
    BODIES b = random_bodies(3000, 0.01);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        RUN r = run_made(variant, device, &b, cases[k].settings);
        const struct octgrav *s = r.job.state;
        int32_t leaf = 0, group = 0;
        for (int32_t c = 0; c < s->tree.cells; c++)
            if (s->tree.cell[c].child < 0 && s->tree.cell[c].count > leaf)
                leaf = s->tree.cell[c].count;
        for (int32_t g = 0; g < s->tree.groups; g++)
            group = s->tree.group[g].count > group ? s->tree.group[g].count : group;
        assert_int_equal(leaf, cases[k].leaf);
        assert_int_equal(group, cases[k].group);
    }
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = random_bodies(10, 0.01);

    b.dt = 0;
    assert_refused(variant, device, &b, "ngroup=300 block=7 bodies=1", ORR_EUSAGE, "no place");
    assert_refused(variant, device, &b, "walk=one ngroup=4 block=4", ORR_EUSAGE,
                   "at least 8 threads");
    assert_refused(variant, device, &b, "steps=3", ORR_EUSAGE, "time step");
    assert_refused(variant, device, &b, "ngroup=0", ORR_EUSAGE, "ngroup");
}

RUN_TESTS_OF("gaburov/octgrav")
