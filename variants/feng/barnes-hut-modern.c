/* SPDX-License-Identifier: MIT */
/* feng/barnes-hut-modern: the paper's seven kernels as one would write them today. The tree
 * follows from sorted keys (kernels/sorted_tree.cl, feng_modern.cl); neighbouring bodies walk it
 * together (kernels/feng_modern_walk.cl). No locks, no waiting, no float atomics: on one device the
 * same bits every time. Several ranks each have a part of the curve, and of the others' trees what
 * their bodies look at (decision 0073). Few bodies have no tree (decision 0108). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/curve_ranks.h"
#include "kernels/essential_tree.h"
#include "kernels/feng_essential.h"
#include "kernels/feng_modern.h"
#include "kernels/feng_modern_walk.h"
#include "kernels/fujiwara_optimised.h"
#include "kernels/leapfrog.h"
#include "kernels/pair.h"
#include "kernels/radix_sort.h"
#include "kernels/sorted_tree.h"
#include "shared/modern.h"
#include "variants/common/j_split.h"

struct params {
    struct feng_common common;
    int32_t leaf, levels, block, lanes, warps, bodies; /* 0: by the device or by the bodies */
    int32_t build, direct, share;
};

static const struct orr_source sources[] = {{"feng_modern_walk", kernel_feng_modern_walk},
                                            {"feng_modern", kernel_feng_modern},
                                            {"feng_essential", kernel_feng_essential},
                                            {"essential_tree", kernel_essential_tree},
                                            {"curve_ranks", kernel_curve_ranks},
                                            {"sorted_tree", kernel_sorted_tree},
                                            {"radix_sort", kernel_radix_sort},
                                            {"fujiwara_optimised", kernel_fujiwara_optimised},
                                            {"leapfrog", kernel_leapfrog}};

/* So many pairs a multiprocessor are summed without a tree (decision 0108): 10000 bodies on 132. */
static const double DIRECT_PAIRS = 7.6e5;
/* So many bodies a multiprocessor take one GPU as long as two: 1.3e6 on 132. Two are 0.90 times as
 * fast at 1e6, 1.09 times at 2e6. */
static const double SHARED_BODIES = 1e4;
/* Groups of the walk a multiprocessor, of which one warp each is enough (decision 0065). */
enum { ENOUGH_GROUPS = 20 };

/* Another rank has all bodies. */
static bool is_idle(const struct orr_job *job)
{
    return ((const struct feng_modern *)job->state)->lone && orr_ranks_size(job->ranks) > 1;
}

/* Bodies of a group of the walk. */
static size_t group_of(const struct feng_modern *s)
{
    return s->lanes * s->bodies * s->vector;
}

static void choose_shape(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    int cpu = info->kind == ORR_DEVICE_CPU;

    s->block = p->block ? (size_t)p->block : cpu ? 1 : 32;
    s->lanes = p->lanes ? (size_t)p->lanes : !cpu && s->block == 32 ? 16 : s->block;
    s->bodies = p->bodies ? (size_t)p->bodies : s->lanes < s->block ? 4 : 2;
    s->vector = !cpu ? 1 : info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;
    s->groups = j_split_divide_up(orr_ranks_share(job->ranks, job->bodies->n), group_of(s));
    s->warps = p->warps ? (size_t)p->warps
                        : sorted_tree_walk_warps(info, s->block, s->groups, ENOUGH_GROUPS);
}

/* Of the walk's group, as its kernel declares: per thread a cell, and 32 a team, or sums of
 * vectors; two leaves; a word where a team is no warp, and its leaf's start where teams stage
 * bodies; the stack; per team the 64 bodies staged and a tally, and one more. */
static size_t local_bytes(const struct feng_modern *s)
{
    const size_t threads = s->block * s->warps, staged = s->block > 1,
                 high = threads > 64 ? threads : 64, list = 16 * (32 * s->warps + threads),
                 sums = 8 * threads * s->vector;

    return (list > sums ? list : sums) +
           threads * (16 + (staged ? 4 : 0) + (s->block == 32 ? 0 : 4)) +
           16 * (high + (size_t)3 * 31) + 4 + s->warps * (4 + (staged ? 64 * 20 : 0));
}

static int check_shape(struct orr_job *job)
{
    const struct feng_modern *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    int code;

    if (s->block & (s->block - 1))
        return ORR_FAIL(job, ORR_EUSAGE,
                        "block = %zu: the walk's teams have 1, 2, 4, 8, 16 or 32 threads",
                        s->block);
    if (s->lanes > s->block || s->lanes & (s->lanes - 1) || s->block / s->lanes > 8)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "lanes = %zu: a team of %zu threads has 1, 2, 4 or 8 parts of so many",
                        s->lanes, s->block);
    if (info->max_group && s->block * s->warps > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "block = %zu, warps = %zu: %s runs groups of at most %zu threads", s->block,
                        s->warps, info->id, info->max_group);
    code = sorted_tree_check_ranks(job, ((const struct params *)job->params)->build);
    if (!code)
        code = sorted_tree_check_local(job, local_bytes(s));
    return code ? code : feng_check(job);
}

static int build(struct orr_job *job, void *of)
{
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    char defines[160];

    (void)of;
    snprintf(defines, sizeof defines,
             "-DBLOCK=%zu -DWARPS=%zu -DLANES=%zu -DBODIES=%zu -DVECTOR=%zu -DSOFTENED=%d%s",
             s->block, s->warps, s->lanes, s->bodies, s->vector, params_eps2(p->common.eps) > 0,
             counting_define(&s->counting));
    return orr_build(job->device, &s->walk, &sources[0], defines);
}

/* Room for the tree of so many bodies and for its walk. */
static int have_room(struct orr_job *job, size_t n)
{
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    const size_t groups = j_split_divide_up(n, group_of(s));
    int code;

    feng_ranks_release(job, &s->ranks);
    feng_sorted_tree_release(job, &s->tree);
    if ((code =
             feng_sorted_tree_prepare(job, &s->tree, n, p->leaf ? p->leaf : 8,
                                      s->ranks.curve.size > 1 ? SORTED_TREE_SEPARATE : p->build)) ||
        (code = feng_ranks_prepare(job, &s->ranks, &s->tree)))
        return code;
    return curve_ranks_grow(job, &s->work, 0, groups * sizeof(uint64_t));
}

static int prepare_direct(struct orr_job *job)
{
    static const struct one_sided_shape by_device = {0};
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    const struct one_sided_task task = {.dimensions = 2,
                                        .eps = p->common.eps,
                                        .meet = true,
                                        .counting = &s->counting,
                                        .sums = "ComputeForces",
                                        .shares = "ComputeForces",
                                        .note = "no tree, all pairs: "};
    size_t padded;
    int code = one_sided_prepare(job, &s->all, &task, &by_device, &padded);

    return code ? code : feng_device_prepare_padded(job, padded);
}

static int prepare(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    int code;

    s->lone = tree_or_direct_lone(job, p->share, SHARED_BODIES);
    if (is_idle(job))
        return ORR_OK;
    choose_shape(job);
    if ((code = check_shape(job)) ||
        (code = tree_or_direct_choose(job, &s->direct, p->direct, DIRECT_PAIRS)))
        return code;
    if (s->direct)
        return prepare_direct(job);
    if ((code = feng_device_prepare(job)) ||
        (code = curve_ranks_prepare(job, &s->ranks.curve, s->device.own)) ||
        (code = have_room(job, curve_ranks_room(&s->ranks.curve))))
        return code;
    return build(job, NULL);
}

static int upload(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    struct sorted_tree *sorted = &s->tree.sorted;
    int code = is_idle(job) ? ORR_OK : device_bodies_upload(job);

    if (s->direct || is_idle(job))
        return code;
    if (!code) /* what is still on its way is not the stage's */
        code = orr_sync(job->device);
    orr_stage(job, "depth of the tree");
    s->ranks.curve.moves = p->common.steps > 0;
    if (!code && s->ranks.curve.size > 1)
        code =
            curve_ranks_begin(job, &s->ranks.curve, sorted, s->device.body, p->levels, have_room);
    else if (!code && p->levels)
        sorted->levels = p->levels;
    else if (!code)
        code = sorted_tree_measure(job, sorted, s->device.body);
    orr_stage(job, NULL);
    snprintf(job->note, sizeof job->note,
             "%sleaf %d, levels %d, walk: block %zu x %zu, lanes %zu, bodies %zu, vector %zu",
             s->lone ? "one rank has all bodies: so few take several longer; " : "", sorted->leaf,
             sorted->levels, s->block, s->warps, s->lanes, s->bodies, s->vector);
    return code;
}

static int walk(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    const struct params *p = job->params;
    const float theta = (float)p->common.theta;
    const struct curve_ranks *c = &s->ranks.curve;
    const struct orr_arg args[] = {ORR_BUF(s->tree.sorted.body),
                                   ORR_BUF(s->tree.cells),
                                   ORR_BUF(s->tree.links),
                                   ORR_BUF(sorted_tree_order(&s->tree.sorted)),
                                   ORR_BUF(c->size > 1 ? c->acc : s->device.acc),
                                   ORR_BUF(s->work),
                                   ORR_BUF(s->ranks.essential.roots),
                                   ORR_I32(s->ranks.essential.trees),
                                   ORR_F32(theta * theta),
                                   ORR_F32(params_eps2(p->common.eps)),
                                   ORR_I32((int32_t)c->own)};
    const struct orr_launch launch = {.kernel = "feng_walk",
                                      .groups = {s->groups},
                                      .group = {s->block * s->warps},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, "ComputeForces");

    return code ? code : counting_launch(job, &s->counting, s->walk, &launch);
}

static size_t work_bytes(const struct feng_modern *s)
{
    return s->groups * sizeof(uint64_t);
}

static int forces_on_ranks(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    struct curve_ranks *c = &s->ranks.curve;
    int code = curve_ranks_divide(job, c, &s->tree.sorted, s->device.body, have_room);

    if (code || (code = feng_ranks_build(job, group_of(s))))
        return code;
    s->groups = j_split_divide_up(c->own, group_of(s));
    if (s->groups && ((code = orr_fill(job->device, s->work, 0, work_bytes(s))) ||
                      (code = curve_ranks_begin_walk(job, c)) || (code = walk(job))))
        return code;
    code = curve_ranks_tally(job, c, &s->tree.sorted, group_of(s), s->work, 1, 1, 1);
    return code ? code : curve_ranks_return(job, c, s->device.acc);
}

static int forces(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    int code = feng_sorted_tree_build(job, &s->tree, s->device.body);

    return code ? code : walk(job);
}

static int forces_direct(struct orr_job *job)
{
    const struct feng_modern *s = job->state;

    return one_sided_forces(job, &s->all, s->device.body, NULL, s->device.acc);
}

static int step(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    const int alone = s->ranks.curve.size == 1;

    if (is_idle(job))
        return ORR_OK;
    if (s->direct)
        return device_bodies_step(job, forces_direct);
    int code = alone ? orr_fill(job->device, s->work, 0, work_bytes(s))
                     : curve_ranks_begin_step(job, &s->ranks.curve);

    return code ? code : device_bodies_step(job, alone ? forces : forces_on_ranks);
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    static const char *const names[] = {"ComputeForces", NULL};
    struct feng_modern *s = job->state;

    if (s->direct)
        return tree_or_direct_count(job, &s->all, &s->counting, step, out);
    return counting_run(
        job, &s->counting,
        &(struct counting_build){
            .procedures = names, .programs = {&s->walk}, .build = build, .step = step},
        out);
}

/* The walk counts what it evaluates: the interactions of the latest step. */
static int count_work(const struct orr_job *job, double *sum)
{
    const struct feng_modern *s = job->state;
    uint64_t *work = malloc(s->groups * sizeof *work);
    int code;

    if (!work)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu counts", s->groups);
    code = orr_download(job->device, work, s->work, s->groups * sizeof *work);
    for (size_t k = 0; k < s->groups && !code; k++)
        *sum += (double)work[k];
    free(work);
    return code;
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct feng_modern *s = job->state;
    const struct curve_ranks *c = &s->ranks.curve;
    double sums[CURVE_RANKS_MOST_COUNTS] = {0}, received = 0;
    int code = ORR_OK;

    if (is_idle(job))
        return ORR_OK;
    if (s->direct)
        sums[0] = tree_or_direct_pairs(job, ((const struct params *)job->params)->common.steps);
    else
        code = c->size > 1 ? curve_ranks_count(job, c, 1, sums, &received) : count_work(job, sums);
    if (code || (code = feng_cost(job, out)))
        return code;
    out->interactions = sums[0];
    out->flops_convention = out->flops_true = out->interactions * PAIR2_FLOPS_TRUE;
    if (c->size > 1)
        orr_figure(out, ORR_FIGURE_RECEIVED, received);
    if (s->lone)
        orr_figure(out, "ranks at work", 1);
    return ORR_OK;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    out->has_phi = 0;
    return is_idle(job) ? ORR_OK : device_bodies_fetch(job, out);
}

static void release(struct orr_job *job)
{
    struct feng_modern *s = job->state;

    orr_drop(job->device, s->walk);
    orr_free(job->device, s->work);
    s->walk = NULL;
    s->work = NULL;
    one_sided_release(job, &s->all);
    feng_ranks_release(job, &s->ranks);
    curve_ranks_release(job, &s->ranks.curve);
    feng_sorted_tree_release(job, &s->tree);
    device_bodies_release(job);
}

static const struct orr_param params[] = {
    FENG_COMMON_PARAMS(struct params),
    {"leaf", ORR_PARAM_INT, offsetof(struct params, leaf), 0, 0, 64, NULL,
     "most bodies of a leaf; 0: by the device"},
    {"levels", ORR_PARAM_INT, offsetof(struct params, levels), 0, 0, FENG_MAX_DEPTH, NULL,
     "depth of the finest cells; 0: as many as part the bodies at upload, and some to spare"},
    DIRECT_PARAM(struct params, direct),
    SORTED_TREE_BUILD_PARAM(struct params, build),
    SHARE_PARAM(struct params, share),
    {"block", ORR_PARAM_INT, offsetof(struct params, block), 0, 0, 32, NULL,
     "threads in a team of the walk, which votes; 0: by the device"},
    {"lanes", ORR_PARAM_INT, offsetof(struct params, lanes), 0, 0, 32, NULL,
     "threads of a team that hold all of a group's bodies; 0: by the device"},
    {"warps", ORR_PARAM_INT, offsetof(struct params, warps), 0, 0, 16, NULL,
     "teams that walk for a group together; 0: more where there are few groups"},
    {"bodies", ORR_PARAM_INT, offsetof(struct params, bodies), 0, 0, 16, NULL,
     "bodies (or vectors of them) that a thread of the walk keeps; 0: by the device"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "feng/barnes-hut-modern",
    .summary =
        "a tree from sorted keys without locks, walked once for each group of neighbouring bodies",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TREE_CODE |
                    ORR_MONOPOLES | ORR_REPLAYS | ORR_RUNS_RANKS,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct feng_modern),
    .sources = sources,
    .source_count = sizeof sources / sizeof *sources,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = upload,
    .step = step,
    .fetch = fetch,
    .cost = cost,
    .count = count,
    .release = release,
};
