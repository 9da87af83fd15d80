/* SPDX-License-Identifier: MIT */
/* What the counting builds of feng's variants count: against a walk on the host over the device's
 * own tree, and what follows from the numbers of bodies and cells. */
#include "feng_tree.h"

#include "counts_run.h"

enum { MOST_LANES = 64 };

/* Bodies that walk together, and what they have met. */
struct walker {
    const struct tree *tree;
    int32_t body[MOST_LANES];
    int lanes; /* with those that have no body */
    bool warp; /* lanes that are asleep evaluate what the others do */
    count_t of[ORR_ACCESS_KINDS];
};

/* A body, and those of its list, that `awake` bodies of the walker see. */
static void meet_list(struct walker *w, int32_t node, const int32_t *awake, int awake_count)
{
    for (; node >= 0; node = w->tree->next[node]) {
        int met = awake_count;
        for (int k = 0; k < awake_count; k++)
            met -= awake[k] == node;
        w->of[ORR_CB]++;
        w->of[ORR_CP] += (count_t)met;
        w->of[ORR_CX] += (count_t)((w->warp ? w->lanes : awake_count) - met);
    }
}

static void visit(struct walker *w, int32_t cell, float size2, const int32_t *awake,
                  int awake_count)
{
    const struct tree *t = w->tree;
    int32_t open[MOST_LANES];
    int opened = 0;

    for (int k = 0; k < awake_count; k++) {
        const float dx = t->x[cell] - t->x[awake[k]], dy = t->y[cell] - t->y[awake[k]];
        if (!(size2 < fmaf(dx, dx, dy * dy)))
            open[opened++] = awake[k];
    }
    w->of[ORR_CT]++;
    w->of[ORR_CA] += !opened;
    w->of[ORR_TB] += (count_t)awake_count;
    w->of[ORR_TL] += (count_t)w->lanes;
    w->of[ORR_CN] += (count_t)(awake_count - opened);
    for (int k = 0; opened && k < 4; k++) {
        const int32_t node = t->child[4 * (cell - t->n) + k];
        if (node >= t->n)
            visit(w, node, 0.25f * size2, open, opened);
        else
            meet_list(w, node, open, opened);
    }
}

/* The bodies in their order, in walkers of `lanes`; groups have `block` threads. */
static void walk_all(count_t of[ORR_ACCESS_KINDS], const struct tree *t, int lanes, bool warp,
                     int block, bool sorted, float size2)
{
    const int32_t threads = (t->n + block - 1) / block * block;

    memset(of, 0, ORR_ACCESS_KINDS * sizeof *of);
    for (int32_t first = 0; first < threads; first += lanes) {
        struct walker w = {.tree = t, .lanes = lanes, .warp = warp};
        int bodies = 0;
        for (int32_t k = first; k < first + lanes && k < t->n; k++)
            w.body[bodies++] = sorted ? t->order[k] : k;
        visit(&w, t->root, size2, w.body, bodies);
        for (int kind = 0; kind < ORR_ACCESS_KINDS; kind++)
            of[kind] += w.of[kind];
    }
}

static void check_forces_kernel(const struct run *r, const struct orr_counts *got,
                                const struct tree *t, const char *settings)
{
    static const int kinds[] = {ORR_CT, ORR_CA, ORR_TB, ORR_TL, ORR_CN, ORR_CP, ORR_CX, ORR_CB};
    const struct feng_pipeline *s = pipeline_of(r);
    const struct feng_pipeline_params *p = r->params;
    const int block = (int)s->block[FENG_COMPUTE_FORCES];
    const struct orr_device_info *info = &r->job.device->info;
    const bool votes = !strcmp(info->backend, "cuda") || strstr(info->vendor, "NVIDIA");
    const int lanes = votes ? info->warp_width : block <= 32 ? block : 1;
    RELEASED_BY(free_text) float *square = words_of(r, s->square, 4);
    const float theta = (float)p->common.theta, side = square[2];
    count_t expected[ORR_ACCESS_KINDS];

    walk_all(expected, t, lanes, r->job.device->info.kind != ORR_DEVICE_CPU, block,
             p->sort == FENG_SORT_ON, side * side * (1.0f / (theta * theta)));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        assert_counted(r, got, "ComputeForces", kinds[k], expected[kinds[k]], settings);
    assert_counted(r, got, "ComputeForces", ORR_GW, 2 * (count_t)t->n, settings);
}

/* Cells below the root each arrive at their parent; a body's try ends with one success. */
static void check_tree_kernels(const struct run *r, const struct orr_counts *got,
                               const struct tree *t, const char *settings)
{
    const struct feng_pipeline *s = pipeline_of(r);
    const struct feng_pipeline_params *p = r->params;
    const count_t n = (count_t)t->n, cells = s->cells;
    const count_t threads =
        (n + s->block[FENG_BUILD] - 1) / s->block[FENG_BUILD] * s->block[FENG_BUILD];

    assert_counted(r, got, "Summarize", ORR_GW, 4 * cells, settings);
    assert_counted(r, got, "Summarize", ORR_AG, cells - 1, settings);
    assert_counted(r, got, "Summarize", ORR_GR, 6 * (cells - 1 + n), settings);
    assert_counted(r, got, "Sort", ORR_GW, p->sort == FENG_SORT_ON ? n : 0, settings);
    assert_true(counted(got, "BuildQuadTree", ORR_AG) >= n + cells - 1);
    const count_t failed = counted(got, "BuildQuadTree", ORR_AF);
    const count_t rounds = counted(got, "BuildQuadTree", ORR_PJ);
    /* With barriers a group goes on while one of its bodies is left, else each body by itself. */
    if (s->launches == 1 && (p->throttle != FENG_BARRIER || !failed))
        assert_counted(r, got, "BuildQuadTree", ORR_PJ,
                       (p->throttle == FENG_SPIN ? n : threads) + failed, settings);
    else if (s->launches == 1)
        assert_true(rounds > threads && rounds <= threads * (count_t)p->rounds);
    /* The second body locks the first one's slot and takes the cells between them at once. */
    if (n <= 2)
        assert_counted(r, got, "BuildQuadTree", ORR_AG, n + (cells > 1 ? cells - 1 + 3 : 0),
                       settings);
}

static void pipeline(const struct orr_variant *variant, struct orr_device *device, size_t n,
                     const char *settings)
{
    BODIES b = make_bodies(UNIFORM, n, true);
    struct orr_counts got;

    RUN r = run_made(variant, device, &b, settings);
    count_run(&r, &got);
    check_forces(&r, settings, strstr(settings, "theta=0 ") ? 1e-5 : 1);
    struct tree t = tree_of(&r);
    check_forces_kernel(&r, &got, &t, settings);
    check_tree_kernels(&r, &got, &t, settings);
    if (strstr(settings, "theta=0 "))
        assert_counted(&r, &got, NULL, ORR_CP, (count_t)n * (n - 1), settings);
    tree_release(&t);
    run_step(&r, true); /* what is timed is not what counts */
    check_forces(&r, settings, strstr(settings, "theta=0 ") ? 1e-5 : 1);
}

static void modern(const struct orr_variant *variant, struct orr_device *device, size_t n,
                   const char *settings)
{
    BODIES b = make_bodies(UNIFORM, n, true);
    struct orr_counts got;
    struct orr_cost cost = {0};

    RUN r = run_made(variant, device, &b, settings);
    count_run(&r, &got);
    check_forces(&r, settings, strstr(settings, "theta=0 ") ? 1e-5 : 1);
    assert_int_equal(variant->cost(&r.job, &cost), 0);
    assert_int_equal(counted(&got, NULL, ORR_CN) + counted(&got, NULL, ORR_CP),
                     (count_t)cost.interactions);
    if (strstr(settings, "theta=0 "))
        assert_counted(&r, &got, NULL, ORR_CP, (count_t)n * (n - 1), settings);
    assert_true(counted(&got, NULL, ORR_CT) >=
                counted(&got, NULL, ORR_CA) + counted(&got, NULL, ORR_CL));
    assert_counted(&r, &got, NULL, ORR_GW, 4 * (count_t)n, settings);
}

TEST_EVERYWHERE(test_counts)
{
    static const char *const settings[] = {"theta=0 ", "theta=0.5 ", "theta=0.9 sort=off",
                                           "theta=0.9 throttle=none", "theta=0.7 throttle=spin"};
    static const size_t sizes[] = {1, 2, 40, 700};
    const bool is_modern = !strcmp(variant->name, "feng/barnes-hut-modern");

    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
            if (strstr(settings[k], "spin") && !spins(device))
                continue;
            else if (!is_modern)
                pipeline(variant, device, sizes[n], settings[k]);
            else if (!strchr(settings[k], 't') || k < 2)
                modern(variant, device, sizes[n], settings[k]);
    if (!is_modern && device->info.kind == ORR_DEVICE_CPU) {
        pipeline(variant, device, 300, "theta=0.8 block_forces=1");
        pipeline(variant, device, 300, "theta=0.8 block_forces=8 sort=off");
        pipeline(variant, device, 300, "theta=0.8 block_forces=64");
    }
}

RUN_TESTS_OF("feng/barnes-hut", "feng/barnes-hut-modern")
