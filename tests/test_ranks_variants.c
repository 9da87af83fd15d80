/* SPDX-License-Identifier: MIT */
/* Variants on several ranks: forces as on one, for any number of ranks and bodies, also where
 * bodies of different ranks lie in one place. */
#include "gaburov_octgrav_run.h"
#include <sys/mman.h>
#include "mpi_for_tests.h"
#include "ranks/world.h"

enum { MOST_PROGRAMS = 64 };
static struct orr_device *kernels; /* the first device that they run on */

/* --- programs, of which each is built once for all ranks and runs --- */

static struct {
    const struct orr_device_ops *own;
    struct orr_device_ops ops;
    int count;
    struct {
        const char *text;
        char defines[256];
        struct orr_program *program;
    } of[MOST_PROGRAMS];
} programs;

static int build_once(struct orr_device *device, struct orr_program **out,
                      const struct orr_source *source, const char *defines)
{
    int k = 0;

    while (k < programs.count &&
           (programs.of[k].text != source->text || strcmp(programs.of[k].defines, defines)))
        k++;
    if (k == programs.count && k < MOST_PROGRAMS) {
        programs.of[k].text = source->text;
        snprintf(programs.of[k].defines, sizeof programs.of[k].defines, "%s", defines);
        if (programs.own->build(device, &programs.of[k].program, source, defines))
            return orr_error_code();
        programs.count++;
    }
    assert_true(k < programs.count);
    *out = programs.of[k].program;
    return 0;
}

static void keep_program(struct orr_device *device, struct orr_program *program)
{
}

/* From now on the device's programs are kept, until drop_programs(). */
static void keep_programs(struct orr_device *device)
{
    programs.own = device->ops;
    programs.ops = *device->ops;
    programs.ops.build = build_once;
    programs.ops.drop = keep_program;
    device->ops = &programs.ops;
}

static void drop_programs(struct orr_device *device)
{
    device->ops = programs.own;
    while (programs.count)
        orr_drop(device, programs.of[--programs.count].program);
}

/* --- ranks --- */

struct rank_thread {
    struct orr_ranks base;
    struct orr_ranks *world; /* whose exchanges go through host memory */
    struct run run;
    const char *settings;
    int steps;
    struct orr_cost cost;
    pthread_t thread;
};

static struct orr_ranks_board *board;
static int board_fd;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* of the rank that works */

/* A rank that fails leaves the others waiting: nothing is left to do. */
static void rank_needs(int code, const char *what)
{
    if (!code)
        return;
    fprintf(stderr, "a rank fails in %s: %s\n", what, orr_error_text());
    _exit(1);
}

static int wait_for_others(void)
{
    pthread_mutex_unlock(&turn);
    meet();
    pthread_mutex_lock(&turn);
    return 0;
}

static const struct orr_mpi mpi = {
    .barrier = wait_for_others, .all_gather = all_gather, .library = library, .error = library};

/* Each rank's steps may be recorded, as with NCCL; an exchange through the host waits. */
static struct orr_ranks *begin_exchange(struct orr_ranks *ranks, bool *recording)
{
    *recording = kernels->recording;
    kernels->recording = false;
    return ((struct rank_thread *)ranks)->world;
}

static int end_exchange(int code, bool recording)
{
    kernels->recording = recording;
    return code;
}

static int gather(struct orr_ranks *ranks, struct orr_buffer *all, size_t bytes)
{
    bool recording;
    struct orr_ranks *world = begin_exchange(ranks, &recording);
    return end_exchange(orr_ranks_gather(world, all, bytes), recording);
}

static int reduce(struct orr_ranks *ranks, struct orr_buffer *from, struct orr_buffer *to,
                  size_t floats)
{
    bool recording;
    struct orr_ranks *world = begin_exchange(ranks, &recording);
    return end_exchange(orr_ranks_reduce(world, from, to, floats), recording);
}

static int exchange(struct orr_ranks *ranks, const struct orr_ranks_part *parts, int count)
{
    bool recording;
    struct orr_ranks *world = begin_exchange(ranks, &recording);
    return end_exchange(orr_ranks_exchange(world, parts, count), recording);
}

static const struct orr_ranks_ops thread_ops = {
    .gather = gather, .reduce = reduce, .exchange = exchange};

enum { OCTREE, QUADTREE, EACH_NEAR_PAIR_ONCE, BOXES_BY_BLOCK, DIRECT, EACH_PAIR_ONCE };

/* Few bodies too are shared, which a GPU would leave to one rank. */
static const struct orr_setting by_several = {"share", "on"};

static void *work_as_rank(void *of)
{
    struct rank_thread *rank = of;
    struct run *r = &rank->run;
    const struct orr_variant *v = r->variant;
    struct orr_setting list[ORR_MAX_SETTINGS];
    own_rank = rank->base.rank;
    if (rank->base.size > 1)
        rank_needs(orr_ranks_open(&rank->world, &mpi,
                                  &(struct orr_mpi_place){.rank = own_rank, .size = team.size},
                                  kernels, board, board_fd, ignore_stage),
                   "open");
    pthread_mutex_lock(&turn);
    int count = variant_settings(list, v, rank->settings);
    if (v == plugins[QUADTREE].variant)
        list[count++] = by_several;
    rank_needs(orr_params_fill(v, r->job.bodies, list, count, r->params), "params");
    rank_needs(v->prepare(&r->job), "prepare");
    rank_needs(v->upload(&r->job), "upload");
    for (int step = 0; step < rank->steps; step++) {
        /* As if it were: nothing that cannot be recorded is done. */
        r->job.device->recording = v->capabilities & ORR_REPLAYS && step > ORR_SETTLING_STEPS;
        rank_needs(v->step(&r->job), "step");
    }
    r->job.device->recording = false;
    rank_needs(v->fetch(&r->job, &r->out), "fetch");
    rank_needs(v->cost(&r->job, &rank->cost), "cost");
    v->release(&r->job);
    rank_needs(orr_device_check_guards(r->job.device), "release");
    pthread_mutex_unlock(&turn);
    orr_ranks_close(rank->world);
    return NULL;
}

/* Results of `steps` steps on `size` ranks in *out, which the caller has from run_prepare() or the
 * like and gives back with run_release_ranks(). */
static void run_on_ranks(struct run *out, struct orr_cost *cost, const struct orr_variant *variant,
                         struct orr_device *device, const struct orr_bodies *bodies,
                         const char *settings, int size, int steps)
{
    struct rank_thread ranks[MOST_RANKS];

    team.size = size;
    memset(out, 0, sizeof *out);
    out->variant = variant;
    out->job = (struct orr_job){.host = &host, .device = device, .bodies = bodies};
    assert_int_equal(orr_verify_make_forces(&out->out, bodies->n, true), 0);
    orr_verify_poison_forces(&out->out, bodies->n);
    out->out.has_phi = 0;
    memset(ranks, 0, sizeof ranks);
    for (int k = 0; k < size; k++) {
        struct rank_thread *r = &ranks[k];
        *r = (struct rank_thread){.base = {k, size, &thread_ops},
                                  .settings = settings,
                                  .steps = steps,
                                  .run = {.variant = variant, .job = out->job, .out = out->out}};
        r->run.job.ranks = size > 1 ? &r->base : NULL;
        r->run.job.state = calloc(1, variant->state_size);
        r->run.job.params = r->run.params = calloc(1, variant->params_size);
        assert_int_equal(pthread_create(&r->thread, NULL, work_as_rank, r), 0);
    }
    for (int k = 0; k < size; k++) {
        pthread_join(ranks[k].thread, NULL);
        free(ranks[k].run.job.state);
        if (k)
            free(ranks[k].run.params);
    }
    out->params = ranks[0].run.params;
    out->out.has_phi = ranks[0].run.out.has_phi;
    if (cost)
        *cost = ranks[0].cost;
}

static void run_release_ranks(struct run *out)
{
    orr_verify_release_forces(&out->out);
    free(out->params);
}

/* Steps of which the last can be recorded. */
enum { RECORDED = ORR_SETTLING_STEPS + 2 };

static void on_kernels(void (*each)(void))
{
    if (!kernels)
        skip();
    each();
}

/* In the plane. */
static struct orr_bodies flat_bodies(enum shape shape, size_t n)
{
    struct orr_bodies b = bodies_of(shape, n, 0.01);

    for (size_t i = 0; i < n; i++)
        b.pos[2][i] = b.vel[2][i] = 0;
    b.dimensions = 2;
    return b;
}

/* The largest error of an acceleration, by the sum of its terms' lengths. */
static double largest_error(const struct run *r)
{
    const struct orr_bodies *b = r->job.bodies;
    double most = 0;

    for (size_t i = 0; i < b->n; i++) {
        double sum[5];
        exact(sum, b, i, (double)(float)b->eps);
        const double error = acc_error(r, i, sum);
        most = error > most * sum[4] || isnan(error) ? error / sum[4] : most;
    }
    return most;
}

/* Bodies of a shape and the ranks that they are on. */
struct meeting {
    size_t n;
    int size;
    enum shape shape;
};

/* theta = 0 meets every body of every rank: nothing may be missing, twice or out of place. */
static void check_direct(int which, const struct meeting *of, const char *settings)
{
    const struct orr_variant *variant = plugins[which].variant;
    BODIES b = bodies_of(of->shape, of->n, 0.01);
    RELEASED_BY(run_release_ranks) struct run r;
    char what[64];

    snprintf(what, sizeof what, "%s: %s on %d ranks", variant->name, shape_names[of->shape],
             of->size);
    run_on_ranks(&r, NULL, variant, kernels, &b, settings, of->size, 1);
    check_forces(&r, what);
}

TEST_EACH(all_bodies_meet, on_kernels, void)
{
    static const struct meeting of[] = {{1, 2, CUBE},   {2, 3, CUBE},        {3, 8, SPHERE},
                                        {65, 2, LINE},  {301, 3, ONE_PLACE}, {64, 8, PAIRS},
                                        {400, 5, CUBE}, {500, 3, FAR_AWAY},  {130, 3, MASSLESS}};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        check_direct(OCTREE, &of[k], k % 2 ? "theta=0 nleaf=3" : "theta=0");
}

/* Bodies of different ranks in one place, ranks with fewer bodies than others. */
TEST_EACH(direct_sums_too, on_kernels, void)
{
    static const struct meeting of[] = {
        {2, 2, ONE_PLACE}, {61, 3, PAIRS}, {130, 5, ONE_PLACE}, {257, 8, CUBE}, {300, 2, MASSLESS}};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        check_direct(DIRECT, &of[k], "dt=0");
        check_direct(EACH_PAIR_ONCE, &of[k], "dt=0 third_law=yes");
    }
}

/* The largest error of one rank alone, which depends on how wide the device's vectors are. */
static double alone_error(const struct orr_bodies *b, const char *settings)
{
    RELEASED_BY(run_release_ranks) struct run alone;

    run_on_ranks(&alone, NULL, plugins[QUADTREE].variant, kernels, b, settings, 1, 1);
    return largest_error(&alone);
}

/* Far cells come whole: as many interactions as on one rank, and errors as there. */
TEST_EACH(errors_are_those_of_one, on_kernels, void)
{
    static const char *const settings[] = {"theta=0.6 nleaf=8 expand=0.01",
                                           "theta=0.7 opening=octgrav",
                                           "theta=0.7 opening=minimum-distance multipole=monopole"};
    BODIES b = bodies_of(SPHERE, 1500, 0.01);
    struct orr_cost cost, cost_alone;

    for (int k = 0; k < 3; k++) {
        RELEASED_BY(run_release_ranks) struct run alone, r;
        const int size = k % 2 ? 3 : 2;
        run_on_ranks(&alone, &cost_alone, plugins[OCTREE].variant, kernels, &b, settings[k], 1, 1);
        run_on_ranks(&r, &cost, plugins[OCTREE].variant, kernels, &b, settings[k], size, RECORDED);
        const double one = median_error(&alone), several = median_error(&r);
        if (!(several < 1.5 * one))
            fail_msg("%s, %d ranks: median error %g, alone %g", settings[k], size, several, one);
        assert_in_range(cost.interactions, 0.9 * cost_alone.interactions,
                        1.3 * cost_alone.interactions);
        if (!k)
            assert_true(figure_of(&cost, "cells by the field") > 0);
        /* Less than all cells and bodies of the others, more than one's accelerations. */
        assert_in_range(figure_of(&cost, ORR_FIGURE_RECEIVED), 16 * 1500 / size, 1 << 20);
    }
}

TEST_EACH(the_quadtree_too, on_kernels, void)
{
    static const struct {
        size_t n;
        int size;
        enum shape shape;
        const char *settings;
        bool all;
    } of[] = {{1, 2, CUBE, "theta=0", true},
              {301, 5, CUBE, "theta=0", true},
              {200, 3, ONE_PLACE, "theta=0", true},
              {900, 3, CUBE, "theta=0.5", false},
              {1000, 8, SPHERE, "theta=0.5 leaf=3", false}};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        BODIES b = flat_bodies(of[k].shape, of[k].n);
        RELEASED_BY(run_release_ranks) struct run r;
        struct orr_cost cost;
        run_on_ranks(&r, &cost, plugins[QUADTREE].variant, kernels, &b, of[k].settings, of[k].size,
                     RECORDED);
        const double error = of[k].n > 1 && of[k].shape != ONE_PLACE ? largest_error(&r) : 0;
        const double bound = of[k].all ? 1e-5 : 1.5 * alone_error(&b, of[k].settings);
        if (!(error <= bound) || bound > 0.03)
            fail_msg("%s, %zu bodies on %d ranks, %s: error %g above %g", shape_names[of[k].shape],
                     of[k].n, of[k].size, of[k].settings, error, bound);
        /* Fewer than all pairs, and all of them where theta is 0. */
        assert_true(cost.interactions <= (double)(of[k].n * (of[k].n - 1)));
        if (of[k].all)
            assert_true(cost.interactions == (double)(of[k].n * (of[k].n - 1)));
    }
}

/* What boxes of two ranks do to each other, each rank adds up to its own. */
TEST_EACH(boxes_meet_across_ranks, on_kernels, void)
{
    static const struct {
        int size;
        bool by_block;
        enum shape shape;
        const char *settings;
    } of[] = {{2, false, CUBE, "level=2"},
              {3, false, SPHERE, "level=4"},
              {5, false, CUBE, "level=3 lanes=4 bodies=2"},
              {8, false, CUBE, "level=3 lanes=1 vector=1 bodies=1"},
              {3, false, PAIRS, "level=2"},
              {2, true, CUBE, "level=2"},
              {3, true, SPHERE, "level=4"},
              {3, true, PAIRS, "level=2"}};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const struct orr_variant *v =
            of[k].by_block ? plugins[BOXES_BY_BLOCK].variant : plugins[EACH_NEAR_PAIR_ONCE].variant;
        BODIES b = flat_bodies(of[k].shape, 700);
        RELEASED_BY(run_release_ranks) struct run alone, r;
        struct orr_cost cost, cost_alone;
        run_on_ranks(&alone, &cost_alone, v, kernels, &b, of[k].settings, 1, 1);
        run_on_ranks(&r, &cost, v, kernels, &b, of[k].settings, of[k].size, 2);
        for (size_t i = 0; i < b.n; i++) {
            const double length = hypot((double)alone.out.acc[0][i], (double)alone.out.acc[1][i]);
            for (int d = 0; d < 2; d++)
                if (!(fabs((double)(r.out.acc[d][i] - alone.out.acc[d][i])) <=
                      1e-3 + 1e-4 * length))
                    fail_msg("%s on %d ranks, body %zu: %g, alone %g", of[k].settings, of[k].size,
                             i, (double)r.out.acc[d][i], (double)alone.out.acc[d][i]);
        }
        assert_true(cost.interactions == cost_alone.interactions);
        assert_true(of[k].by_block || cost.flops_true > cost_alone.flops_true);
    }
}

/* Bodies move between parts of the curve, and each is at home at the end. */
TEST_EACH(steps_move_all, on_kernels, void)
{
    const struct orr_variant *variant = plugins[OCTREE].variant;
    BODIES b = bodies_of(CUBE, 200, 0.05);
    RELEASED_BY(run_release_ranks) struct run alone, r;

    run_on_ranks(&alone, NULL, variant, kernels, &b, "theta=0 steps=3 dt=0.1", 1, 2);
    run_on_ranks(&r, NULL, variant, kernels, &b, "theta=0 steps=3 dt=0.1", 3, 2);
    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 3; d++)
            assert_close(r.out.pos[d][i], alone.out.pos[d][i], 1e-5);
}

/* One group that sorts all bodies has those of one rank only, a sum of all pairs too, and groups
 * that are cut; and a rank has too few boxes. */
TEST_EACH(what_ranks_cannot_is_refused, on_kernels, void)
{
    static const struct {
        int plugin, code;
        const char *name, *value, *says;
    } of[] = {{0, ORR_EUSAGE, "build", "group", "leave build at auto"},
              {1, ORR_EUSAGE, "build", "group", "leave build at auto"},
              {0, ORR_EUNSUPPORTED, "all_pairs", "on", "leave all_pairs at auto"},
              {1, ORR_EUNSUPPORTED, "all_pairs", "on", "leave all_pairs at auto"},
              {0, ORR_EUSAGE, "cut", "8", "one rank has all bodies"},
              {2, ORR_EUNSUPPORTED, "level", "0", "too few for 2 ranks"}};
    struct orr_ranks two = {0, 2, &thread_ops};

    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const struct orr_variant *v = plugins[of[k].plugin].variant;
        BODIES b = of[k].plugin ? flat_bodies(CUBE, 30) : bodies_of(CUBE, 30, 0.01);
        struct orr_setting set[2] = {{.name = ""}, by_several};
        struct run r = {.variant = v, .params = calloc(1, v->params_size)};
        snprintf(set[0].name, sizeof set[0].name, "%s", of[k].name);
        snprintf(set[0].value, sizeof set[0].value, "%s", of[k].value);
        r.job = (struct orr_job){.host = &host,
                                 .device = kernels,
                                 .bodies = &b,
                                 .ranks = &two,
                                 .params = r.params,
                                 .state = calloc(1, v->state_size)};
        orr_error_clear();
        assert_int_equal(orr_params_fill(v, &b, set, of[k].plugin == QUADTREE ? 2 : 1, r.params),
                         0);
        assert_int_equal(v->prepare(&r.job), of[k].code);
        assert_says(of[k].says);
        v->release(&r.job);
        free(r.job.state);
        free(r.params);
    }
}

static int load_trees(void **state)
{
    static const char *const names[] = {"gaburov/octgrav-modern", "feng/barnes-hut-modern",
                                        "shan/bpb-n3l-free",      "shan/bpb",
                                        "fujiwara/optimised",     "fujiwara/third-law"};
    int rc = load_variants(names, 6);

    board_fd = memfd_create("orrery-ranks", MFD_CLOEXEC);
    assert_done(ftruncate(board_fd, sizeof *board));
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, board_fd, 0);
    assert_true(board != MAP_FAILED);
    /* A CUDA context is its thread's, and here ranks are threads. */
    for (int d = 0; d < device_count && !kernels && !rc; d++)
        if (strcmp(devices[d]->info.backend, "cuda") != 0 &&
            orr_plugin_runs_on(plugins[OCTREE].variant, &devices[d]->info))
            keep_programs(kernels = devices[d]);
    return rc;
}

static int unload_trees(void **state)
{
    if (kernels)
        drop_programs(kernels);
    return unload(state);
}

RUN_TESTS(load_trees, unload_trees)
