/* SPDX-License-Identifier: MIT */
/* gaburov/octgrav-modern: the 2010 code as one would write it today. The octree follows on the
 * device from sorted keys (kernels/sorted_tree.cl, gaburov_modern.cl); neighbouring bodies walk it
 * together and evaluate interactions on the way (kernels/gaburov_modern_walk.cl). No locks, no
 * atomics, no lists in memory: on one device the same bits every time. Several ranks each have a
 * part of the curve, and of the others' trees what their bodies look at (decision 0073). Few bodies
 * have no tree (decision 0108). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/curve_ranks.h"
#include "kernels/essential_tree.h"
#include "kernels/fujiwara_optimised.h"
#include "kernels/gaburov_essential.h"
#include "kernels/gaburov_expansion.h"
#include "kernels/gaburov_modern.h"
#include "kernels/gaburov_modern_walk.h"
#include "kernels/gaburov_parts.h"
#include "kernels/gaburov_pulls.h"
#include "kernels/leapfrog.h"
#include "kernels/pair.h"
#include "kernels/radix_sort.h"
#include "kernels/sorted_tree.h"
#include "shared/modern.h"
#include "variants/common/j_split.h"

struct params {
    struct gaburov_common common;
    struct gaburov_tree_params tree;
    int32_t ngroup, block, lanes, warps, list, levels; /* 0: by the device or by the bodies */
    int32_t build, direct;
    double expand; /* below 0: by the device */
    int32_t wide, round, resident;
    double cut;
    int32_t positions; /* enum positions */
};

static const struct orr_source sources[] = {{"gaburov_modern_walk", kernel_gaburov_modern_walk},
                                            {"gaburov_modern", kernel_gaburov_modern},
                                            {"gaburov_parts", kernel_gaburov_parts},
                                            {"gaburov_pulls", kernel_gaburov_pulls},
                                            {"gaburov_essential", kernel_gaburov_essential},
                                            {"essential_tree", kernel_essential_tree},
                                            {"curve_ranks", kernel_curve_ranks},
                                            {"sorted_tree", kernel_sorted_tree},
                                            {"radix_sort", kernel_radix_sort},
                                            {"fujiwara_optimised", kernel_fujiwara_optimised},
                                            {"leapfrog", kernel_leapfrog}};

enum { MOST_ASKED_WARPS = 16 }; /* of the walk */
enum { MOST_LEVELS = 21 };
/* So many pairs a multiprocessor are summed without a tree (decision 0108): 19900 bodies on 132. */
static const double DIRECT_PAIRS = 3.0e6;
/* Groups of the walk a multiprocessor: of which one warp each is enough, and between which the few
 * with large boxes are waited for and cut (decision 0065). */
enum { ENOUGH_GROUPS = 80, LEAST_CUT_GROUPS = 2, MOST_CUT_GROUPS = 30 };
static const double CUT = 8;

/* Bodies of a group of the walk. */
static size_t group_of(const struct gaburov_modern *s)
{
    return s->lanes * s->bodies * s->vector;
}

static void choose_shape(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    int cpu = info->kind == ORR_DEVICE_CPU;
    size_t most = 64; /* for lists that neighbours share to be worth their length */

    s->block = p->block ? (size_t)p->block : cpu ? 1 : 32;
    s->lanes = p->lanes ? (size_t)p->lanes : !cpu && s->block == 32 ? 16 : s->block;
    s->list = p->list ? (size_t)p->list : 64;
    s->round = p->round ? (size_t)p->round : cpu ? 4 : 1;
    s->vector = !cpu ? 1 : info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;
    s->bodies = (p->ngroup ? (size_t)p->ngroup : most) / (s->lanes * s->vector);
    s->bodies = s->bodies ? s->bodies : 1;
    s->groups = j_split_divide_up(orr_ranks_share(job->ranks, job->bodies->n), group_of(s));
    s->warps = p->warps ? (size_t)p->warps
                        : sorted_tree_walk_warps(info, s->block, s->groups, ENOUGH_GROUPS);
    s->wide = p->wide ? (size_t)p->wide : 8 * s->list / s->warps;
}

/* From what box on a group is cut, as modern_parts_prepare() has it. On a processor a few threads
 * share all groups: none is waited for. */
static double cut_of(const struct orr_job *job)
{
    const struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    size_t units = j_split_units(info);

    if (p->cut >= 0)
        return p->cut;
    return orr_ranks_size(job->ranks) == 1 && info->kind != ORR_DEVICE_CPU &&
                   s->groups >= LEAST_CUT_GROUPS * units && s->groups < MOST_CUT_GROUPS * units
               ? CUT
               : 0;
}

static int check_threads(struct orr_job *job)
{
    const struct gaburov_modern *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    size_t threads = s->block * s->warps;

    if (s->block & (s->block - 1))
        return ORR_FAIL(job, ORR_EUSAGE,
                        "block = %zu: the walk's teams have 1, 2, 4, 8, 16 or 32 threads",
                        s->block);
    if (s->lanes > s->block || s->lanes & (s->lanes - 1) || s->block / s->lanes > 8)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "lanes = %zu: a team of %zu threads has 1, 2, 4 or 8 parts of so many",
                        s->lanes, s->block);
    if (s->list & (s->list - 1) || s->list < 8 || 2 * s->list < 3 * s->block ||
        (s->warps * s->block > s->lanes && 2 * s->list < s->block * s->vector))
        return ORR_FAIL(job, ORR_EUSAGE,
                        "list = %zu: a power of two from 8 on that suits %zu threads, such as 64",
                        s->list, s->block);
    if (info->max_group && threads > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "block = %zu, warps = %zu: %s runs groups of at most %zu threads", s->block,
                        s->warps, info->id, info->max_group);
    return ORR_OK;
}

/* The error that a group's field may have, in terms of what theta allows a cell; 0: no cell acts by
 * it. At 0.01 the errors of forces grow by some 4 %. Distances are from cells' centres of mass,
 * which the test by the boxes' distance does not look at. A processor has its group in a few
 * vectors, so that a field gains nothing. */
static float field_share(const struct orr_job *job)
{
    const struct params *p = job->params;
    const int cpu = job->device->info.kind == ORR_DEVICE_CPU;
    const double share = p->expand >= 0 ? p->expand : cpu ? 0 : 0.01;

    return p->tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE || p->tree.theta <= 0 ? 0
                                                                                     : (float)share;
}

/* Of the walk's group, as its kernel declares: per entry of a list two float4, the float2 of
 * quadrupoles and with softening their traces, three lists of cells, starts, and bodies' indices
 * with softening; per thread room behind the lists and, where a team is no warp, a word; the stack;
 * the teams' tallies; with fields another list of cells and each team's numbers. */
static size_t local_bytes(const struct orr_job *job)
{
    const struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const size_t threads = s->block * s->warps, high = threads > 128 ? threads : 128;
    const int fields = field_share(job) > 0, softened = params_eps2(p->common.eps) > 0;
    const size_t entry =
        48 + (p->tree.multipole == GABUROV_QUADRUPOLE ? softened ? 12 : 8 : 0) + (softened ? 4 : 0);
    const size_t thread = (s->block == 32 ? 12 : 16) + (fields ? 4 : 0);
    const size_t sums = s->block % 8 ? s->block : s->block / 8;

    return s->list * s->warps * entry + threads * thread +
           8 * (high + (size_t)7 * MOST_LEVELS + 1) + (s->warps > 1 ? 8 * s->warps : 0) +
           (fields ? 4 * (s->wide + EXPANSION_TERMS * sums) * s->warps : 0);
}

static int check_shape(struct orr_job *job)
{
    const struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    size_t once = s->lanes * s->vector;
    int code = check_threads(job);

    if (!code && p->ngroup && (size_t)p->ngroup % once)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "ngroup = %d: the walk's groups have a multiple of %zu bodies", p->ngroup,
                        once);
    if (!code)
        code = sorted_tree_check_ranks(job, p->build);
    if (!code && p->cut > 0 && orr_ranks_size(job->ranks) > 1)
        return ORR_FAIL(job, ORR_EUSAGE, "cut = %g: groups are cut where one rank has all bodies",
                        p->cut);
    if (!code)
        code = sorted_tree_check_local(job, local_bytes(job));
    return code ? code : gaburov_check(job);
}

static int build(struct orr_job *job, void *of)
{
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    /* 20 warps of a multiprocessor have 96 registers each: enough to keep those of the loops; pairs
     * of floats take more. */
    const size_t warps = s->device.low ? 16 : 20,
                 most = field_share(job) > 0 && s->block == 32 ? warps / s->warps : 0,
                 resident = p->resident ? (size_t)p->resident : most;
    char defines[256];

    (void)of;
    snprintf(
        defines, sizeof defines,
        "-DBLOCK=%zu -DWARPS=%zu -DLANES=%zu -DBODIES=%zu -DVECTOR=%zu -DLIST=%zu -DOPENING=%d "
        "-DQUADRUPOLE=%d -DSOFTENED=%d -DEXPAND=%d -DWIDE=%zu -DROUND=%zu -DRESIDENT=%zu "
        "-DCUT=%d%s%s",
        s->block, s->warps, s->lanes, s->bodies, s->vector, s->list, p->tree.opening,
        p->tree.multipole == GABUROV_QUADRUPOLE, params_eps2(p->common.eps) > 0,
        field_share(job) > 0, s->wide, s->round, resident, s->parts.cut > 0,
        s->device.low ? " -DLOW=1" : "", counting_define(&s->counting));
    return orr_build(job->device, &s->walk, &sources[0], defines);
}

/* Room for the tree of so many bodies and for its walk. */
static int have_room(struct orr_job *job, size_t n)
{
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const int32_t leaf = p->tree.nleaf ? p->tree.nleaf : 16;
    const size_t groups = j_split_divide_up(n, group_of(s));
    int code;

    modern_ranks_release(job, &s->ranks);
    modern_octree_release(job, &s->tree);
    if ((code = modern_octree_prepare(job, &s->tree, n, leaf, &p->tree,
                                      s->ranks.curve.size > 1 ? SORTED_TREE_SEPARATE : p->build,
                                      s->device.low != NULL)) ||
        (code = modern_ranks_prepare(job, &s->ranks, &s->tree, &p->tree)))
        return code;
    if ((code = modern_parts_hold(job, &s->parts, groups)))
        return code;
    return curve_ranks_grow(job, &s->work, 0,
                            s->parts.places * GABUROV_MODERN_WORK * sizeof(uint64_t));
}

static int prepare_direct(struct orr_job *job)
{
    static const struct device_bodies_kind kind = {
        .has_phi = 1, .far = PAIR_FAR, .update_phase = "update"};
    static const struct one_sided_shape by_device = {0};
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const struct one_sided_task task = {.dimensions = 3,
                                        .eps = p->common.eps,
                                        .meet = true,
                                        .pairs = p->positions == POSITIONS_PAIRS,
                                        .counting = &s->counting,
                                        .sums = "direct",
                                        .shares = "direct",
                                        .note = "no tree, all pairs: "};
    size_t padded;
    int code = one_sided_prepare(job, &s->all, &task, &by_device, &padded);

    if (!code)
        code = device_bodies_prepare(job, &kind, padded, p->common.steps, p->common.dt);
    return code || !task.pairs ? code : device_bodies_prepare_low(job, 0);
}

static int prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kind = {
        .has_phi = 1, .update_phase = "update", .divided = 1};
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    int code;

    choose_shape(job);
    if ((code = check_shape(job)) ||
        (code = params_check_pairs(job, (enum positions)p->positions, p->common.steps)) ||
        (code = tree_or_direct_choose(job, &s->direct, p->direct, DIRECT_PAIRS)))
        return code;
    if (s->direct)
        return prepare_direct(job);
    s->accuracy = (struct modern_accuracy){.theta = (float)p->tree.theta,
                                           .share = field_share(job),
                                           .eps2 = params_eps2(p->common.eps)};
    if ((code = device_bodies_prepare(job, &kind, job->bodies->n, p->common.steps, p->common.dt)) ||
        (p->positions == POSITIONS_PAIRS && (code = device_bodies_prepare_low(job, 0))) ||
        (code = curve_ranks_prepare(job, &s->ranks.curve, s->device.own)) ||
        (code = modern_parts_prepare(job, &s->parts, cut_of(job), group_of(s))) ||
        (code = have_room(job, curve_ranks_room(&s->ranks.curve))))
        return code;
    return build(job, NULL);
}

static int upload(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    struct sorted_tree *sorted = &s->tree.sorted;
    int code = device_bodies_upload(job);

    if (s->direct)
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
             "nleaf %d, levels %d, walk: block %zu x %zu, lanes %zu, bodies %zu, vector %zu, "
             "expand %g, cut %g",
             sorted->leaf, sorted->levels, s->block, s->warps, s->lanes, s->bodies, s->vector,
             (double)field_share(job), (double)s->parts.cut);
    return code;
}

/* Groups that are launched: where they may be cut, of some the part has no bodies. */
static size_t places(const struct gaburov_modern *s)
{
    return s->parts.cut > 0 ? s->parts.places : s->groups;
}

static size_t work_bytes(const struct gaburov_modern *s)
{
    return places(s) * GABUROV_MODERN_WORK * sizeof(uint64_t);
}

static int walk(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const struct modern_octree *t = &s->tree;
    const struct curve_ranks *c = &s->ranks.curve;
    const struct orr_arg args[] = {ORR_BUF(t->sorted.body),
                                   ORR_BUF(t->tests),
                                   ORR_BUF(t->halves),
                                   ORR_BUF(t->links),
                                   ORR_BUF(t->moments),
                                   ORR_BUF(t->limits),
                                   ORR_BUF(t->pulls),
                                   ORR_BUF(sorted_tree_order(&t->sorted)),
                                   ORR_BUF(c->size > 1 ? c->acc : s->device.acc),
                                   ORR_BUF(s->work),
                                   ORR_BUF(s->ranks.essential.roots),
                                   ORR_I32(s->ranks.essential.trees),
                                   ORR_F32(params_eps2(p->common.eps)),
                                   ORR_I32((int32_t)c->own),
                                   ORR_BUF(s->parts.parts),
                                   ORR_BUF(t->low)};
    const struct orr_launch launch = {.kernel = "gaburov_walk",
                                      .groups = {places(s)},
                                      .group = {s->block * s->warps},
                                      .args = args,
                                      .arg_count = (int)(sizeof args / sizeof *args) - !t->low};
    int code = orr_phase(job->device, "walk");

    return code ? code : counting_launch(job, &s->counting, s->walk, &launch);
}

/* What a pair with a cell costs, and a cell that acts by the field, in pairs with bodies. */
enum { CELL_PRICE = 2, FIELD_PRICE = 20 };

static int forces_on_ranks(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    struct curve_ranks *c = &s->ranks.curve;
    int code = curve_ranks_divide(job, c, &s->tree.sorted, s->device.body, have_room);

    if (code || (code = modern_ranks_build(job, group_of(s), &s->accuracy)))
        return code;
    s->groups = j_split_divide_up(c->own, group_of(s));
    if (s->groups && ((code = orr_fill(job->device, s->work, 0, work_bytes(s))) ||
                      (code = curve_ranks_begin_walk(job, c)) || (code = walk(job))))
        return code;
    code = curve_ranks_tally(job, c, &s->tree.sorted, group_of(s), s->work, GABUROV_MODERN_WORK,
                             CELL_PRICE, FIELD_PRICE);
    return code ? code : curve_ranks_return(job, c, s->device.acc);
}

static int forces(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    int code = modern_octree_build(job, &s->tree, s->device.body, s->device.low, &s->accuracy);

    if (!code)
        code = modern_parts_cut(job, &s->parts, &s->tree);
    return code ? code : walk(job);
}

static int forces_direct(struct orr_job *job)
{
    const struct gaburov_modern *s = job->state;

    return one_sided_forces(job, &s->all, s->device.body, s->device.low, s->device.acc);
}

static int step(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    const int alone = s->ranks.curve.size == 1;

    if (s->direct)
        return device_bodies_step(job, forces_direct);
    int code = alone ? orr_fill(job->device, s->work, 0, work_bytes(s))
                     : curve_ranks_begin_step(job, &s->ranks.curve);

    return code ? code : device_bodies_step(job, alone ? forces : forces_on_ranks);
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    /* By enum gaburov_procedure. */
    static const char *const names[] = {"walk", "nodes", "leaves", NULL};
    struct gaburov_modern *s = job->state;

    if (s->direct)
        return tree_or_direct_count(job, &s->all, &s->counting, step, out);
    return counting_run(
        job, &s->counting,
        &(struct counting_build){
            .procedures = names, .programs = {&s->walk}, .build = build, .step = step},
        out);
}

/* Cells and leaves of the latest tree, of this rank. */
static int count_cells(const struct orr_job *job, double counts[2])
{
    const struct gaburov_modern *s = job->state;
    int32_t cells = 0, (*links)[2];
    int code = s->ranks.curve.own ? orr_download(job->device, &cells, s->tree.count, sizeof cells)
                                  : ORR_OK;

    if (code || !s->ranks.curve.own)
        return code;
    cells++;
    links = malloc((size_t)cells * sizeof *links);
    if (!links)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %d cells", cells);
    code = orr_download(job->device, links, s->tree.links, (size_t)cells * sizeof *links);
    for (int32_t c = 0; c < cells && !code; c++)
        counts[1] += links[c][1] < 0;
    counts[0] = cells;
    free(links);
    return code;
}

/* The walk counts what it evaluates: pairs with cells, with bodies, entries of both lists, of the
 * latest step. */
static int count_work(const struct orr_job *job, double sum[GABUROV_MODERN_WORK])
{
    const struct gaburov_modern *s = job->state;
    uint64_t(*work)[GABUROV_MODERN_WORK] = malloc(work_bytes(s));
    int code;

    if (!work)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu counts", places(s));
    code = orr_download(job->device, work, s->work, work_bytes(s));
    for (size_t k = 0; k < places(s) && !code; k++)
        for (int which = 0; which < GABUROV_MODERN_WORK; which++)
            sum[which] += (double)work[k][which];
    free(work);
    return code;
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct gaburov_modern *s = job->state;
    const struct params *p = job->params;
    const struct curve_ranks *c = &s->ranks.curve;
    double sum[CURVE_RANKS_MOST_COUNTS] = {0}, counts[3] = {0, 0, (double)s->groups};
    const double low_flops = p->positions == POSITIONS_PAIRS ? PAIR_LOW_FLOPS : 0;
    double n = (double)job->bodies->n, received = 0;

    if (s->direct) {
        gaburov_cost(job, &p->tree, 0, tree_or_direct_pairs(job, p->common.steps), out);
        out->flops_true += out->interactions * low_flops;
        return ORR_OK;
    }
    int code = c->size > 1 ? curve_ranks_count(job, c, GABUROV_MODERN_WORK, sum, &received)
                           : count_work(job, sum);

    if (code || (code = count_cells(job, counts)) ||
        (code = curve_ranks_sum(job, counts, sizeof counts / sizeof *counts)))
        return code;
    gaburov_cost(job, &p->tree, sum[0], sum[1], out);
    orr_figure(out, "groups", counts[2]);
    orr_figure(out, "bodies per group", n / counts[2]);
    out->interactions += sum[4];
    out->flops_convention += sum[4] * GABUROV_NODE_FLOPS;
    out->flops_true += sum[4] * EXPANSION_CELL_FLOPS + sum[1] * low_flops;
    if (p->tree.multipole == GABUROV_QUADRUPOLE && params_eps2(p->common.eps) > 0)
        out->flops_true += sum[0] * PAIR_NODE_TRACE_FLOPS_TRUE;
    if (field_share(job) > 0) {
        out->flops_true += (p->common.steps + 1.0) * n * EXPANSION_BODY_FLOPS;
        orr_figure(out, "cells by the field", sum[4]);
    }
    orr_figure(out, "node list entries", sum[2]);
    orr_figure(out, "leaf list entries", sum[3]);
    orr_figure(out, "active threads", n / (counts[2] * (double)group_of(s)));
    orr_figure(out, "cells", counts[0]);
    orr_figure(out, "leaves", counts[1]);
    if (c->size > 1)
        orr_figure(out, ORR_FIGURE_RECEIVED, received);
    return ORR_OK;
}

static void release(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;

    orr_drop(job->device, s->walk);
    orr_free(job->device, s->work);
    s->walk = NULL;
    s->work = NULL;
    one_sided_release(job, &s->all);
    modern_parts_release(job, &s->parts);
    modern_ranks_release(job, &s->ranks);
    curve_ranks_release(job, &s->ranks.curve);
    modern_octree_release(job, &s->tree);
    device_bodies_release(job);
}

static const struct orr_param params[] = {
    GABUROV_COMMON_PARAMS(struct params),
    GABUROV_THETA_PARAM(struct params),
    {"nleaf", ORR_PARAM_INT, offsetof(struct params, tree.nleaf), 0, 0, SORTED_TREE_MOST_LEAF, NULL,
     "most bodies of a leaf: a cell with more is divided; 0: by the device"},
    {"opening", ORR_PARAM_CHOICE, offsetof(struct params, tree.opening),
     GABUROV_OPENING_EQUAL_ERROR, 0, 0, GABUROV_MODERN_OPENINGS,
     "when a cell is opened: as the 2010 code, Bonsai's improved Barnes-Hut, by the boxes' "
     "distance, or by its error as a share of the group's acceleration"},
    GABUROV_MULTIPOLE_PARAM(struct params),
    {"ngroup", ORR_PARAM_INT, offsetof(struct params, ngroup), 0, 0, 512, NULL,
     "bodies that walk the tree together; 0: by the device"},
    DIRECT_PARAM(struct params, direct),
    SORTED_TREE_BUILD_PARAM(struct params, build),
    {"block", ORR_PARAM_INT, offsetof(struct params, block), 0, 0, 32, NULL,
     "threads in a team of the walk, which votes; 0: by the device"},
    {"lanes", ORR_PARAM_INT, offsetof(struct params, lanes), 0, 0, 32, NULL,
     "threads of a team that hold all of a group's bodies; 0: by the device"},
    {"warps", ORR_PARAM_INT, offsetof(struct params, warps), 0, 0, MOST_ASKED_WARPS, NULL,
     "teams that walk for a group together; 0: more where there are few groups"},
    {"list", ORR_PARAM_INT, offsetof(struct params, list), 0, 0, 256, NULL,
     "cells or bodies that a team has in local memory at once, a power of two; 0: 64"},
    {"expand", ORR_PARAM_FLOAT, offsetof(struct params, expand), -1, -1, 1000, NULL,
     "error of a group's field, by which the furthest cells act on all its bodies at once, as a "
     "share of what theta allows a cell; 0: none; below: by the device"},
    {"wide", ORR_PARAM_INT, offsetof(struct params, wide), 0, 0, 1024, NULL,
     "cells for which a team sums the field at once; 0: all teams eight lists"},
    {"round", ORR_PARAM_INT, offsetof(struct params, round), 0, 0, 4, NULL,
     "cells in one round of the walk's loop, half as many as bodies: more make the code longer; 0: "
     "by the device"},
    {"resident", ORR_PARAM_INT, offsetof(struct params, resident), 0, 0, 32, NULL,
     "groups of the walk that a multiprocessor holds at once, which bounds registers; 0: by the "
     "device"},
    {"cut", ORR_PARAM_FLOAT, offsetof(struct params, cut), -1, -1, 1e6, NULL,
     "a group is cut in parts, which walk by themselves, where its box is more than so many times "
     "its bodies' share of the box of all; 0: none is; below: by the device"},
    {"levels", ORR_PARAM_INT, offsetof(struct params, levels), 0, 0, MOST_LEVELS, NULL,
     "depth of the finest cells; 0: as many as part the bodies at upload, and some to spare"},
    POSITIONS_PARAM(struct params, positions),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "gaburov/octgrav-modern",
    .summary = "an octree from sorted keys on the device, walked once for each group of "
               "neighbouring bodies",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TREE_CODE | ORR_REPLAYS |
                    ORR_RUNS_RANKS | ORR_TAKES_DOUBLES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct gaburov_modern),
    .sources = sources,
    .source_count = sizeof sources / sizeof *sources,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = upload,
    .step = step,
    .fetch = device_bodies_fetch,
    .cost = cost,
    .count = count,
    .release = release,
};
