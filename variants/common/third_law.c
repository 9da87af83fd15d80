/* SPDX-License-Identifier: MIT */
#include "variants/common/third_law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/third_law.h"
#include "variants/common/j_split.h"
#include "variants/common/params.h"

enum { SUM_BLOCK = 64, WARP = 32, FEWEST_WAVES = 2, MOST_DEPTH = 8 };

/* What the time of a one-sided evaluation is to one for both bodies, for the two bodies. */
static const double GAIN = 1.3;

static const struct orr_source source = {"third_law", kernel_third_law};

static size_t or_else(int32_t chosen, size_t otherwise)
{
    return chosen ? (size_t)chosen : otherwise;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t width_of(const struct third_law *s)
{
    return s->task.in_double ? sizeof(double) : sizeof(float);
}

/* Bytes of local memory in a group. */
static size_t local_bytes(const struct third_law *s)
{
    const size_t parts = s->vector > 1 ? 1 : s->warps;

    return 4 * width_of(s) * (s->span + parts * s->tile + (s->task.pairs ? 4 : 2) * s->tile);
}

static void choose_warps(struct third_law *s, const struct orr_device_info *info, size_t warps)
{
    const size_t tile = info->kind == ORR_DEVICE_CPU ? 256 : 128;

    s->warps = warps;
    s->block = s->vector > 1 ? 1 : s->lanes * s->warps;
    s->span = s->warps * s->bodies * s->lanes;
    s->tile = or_else(s->task.shape.tile, smaller(s->span, tile));
    while (!s->task.shape.tile && s->span % s->tile)
        s->tile -= s->lanes;
}

static void choose_threads(struct third_law *s, const struct orr_device_info *info)
{
    const struct third_law_shape *p = &s->task.shape;
    const bool cpu = info->kind == ORR_DEVICE_CPU;
    const size_t usual = info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;
    const size_t local = j_split_declared_local(info);

    s->vector = or_else(p->vector, cpu ? usual * sizeof(float) / width_of(s) : 1);
    s->lanes = s->vector > 1 ? s->vector : WARP;
    /* Bodies and sums fit into the registers that four groups a multiprocessor leave a thread. */
    s->bodies = or_else(p->bodies, cpu ? 2 : s->task.in_double ? 4 : s->task.pairs ? 8 : 10);
    choose_warps(s, info, or_else(p->warps, cpu ? 32 : 4));
    while (!p->warps && s->warps > 1 && local && local_bytes(s) > local)
        choose_warps(s, info, s->warps / 2);
    s->unroll = or_else(p->unroll, 2);
    s->resident = or_else(p->resident, cpu ? 0 : j_split_resident_groups(s->block));
}

static int check_shape(struct orr_job *job, const struct third_law *s)
{
    const struct orr_device_info *info = &job->device->info;
    const size_t local = j_split_declared_local(info);

    if (s->vector != 1 && s->vector != 2 && s->vector != 4 && s->vector != 8 && s->vector != 16)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "vector = %zu: OpenCL has vectors of 1, 2, 4, 8 and 16 floats", s->vector);
    if (s->tile % s->lanes || s->span % s->tile)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "tile = %zu: the %zu bodies of a block are whole tiles, and a tile whole "
                        "warps of %zu",
                        s->tile, s->span, s->lanes);
    if (s->vector > 1 && info->kind == ORR_DEVICE_GPU)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "vector = %zu: on a GPU a thread is one lane, leave vector at 1",
                        s->vector);
    if (info->max_group && s->block > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%zu warps: %s runs groups of at most %zu threads",
                        s->warps, info->id, info->max_group);
    if (local && local_bytes(s) > local)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "the %zu bytes of a group do not fit into %zu bytes of local memory",
                        local_bytes(s), local);
    return ORR_OK;
}

/* Groups that the device runs at a time. */
static size_t slots_of(const struct third_law *s, const struct orr_device_info *info)
{
    const size_t units = j_split_units(info);

    return info->kind == ORR_DEVICE_CPU ? units : units * j_split_resident_groups(s->block);
}

/* Rows that an eighth of the device's memory holds. */
static size_t most_rows(const struct third_law *s, const struct orr_device_info *info)
{
    const size_t row = s->task.n * 4 * width_of(s);

    return info->memory_bytes ? info->memory_bytes / 8 / row : 64;
}

/* Slices of several distances save rows, as long as there are enough of them. */
static void choose_slices(struct third_law *s, const struct orr_device_info *info)
{
    const struct third_law_shape *p = &s->task.shape;
    const size_t distances = s->last + 1, slots = slots_of(s, info);
    /* pairs of one distance */
    const double launch = (double)(s->share * s->span) * (double)s->span;
    size_t most = or_else(p->distances, distances);

    s->depth = or_else(p->depth, 1);
    while (!p->depth && s->depth < MOST_DEPTH && s->share * distances >= 16 * s->depth * slots)
        s->depth *= 2;
    if (s->task.most_pairs > 0 && launch * (double)most > s->task.most_pairs)
        most = (size_t)(s->task.most_pairs / launch);
    most = smaller(most, most_rows(s, info) / 2);
    most = smaller(most < 1 ? 1 : most, distances);
    s->depth = smaller(s->depth, most);
    s->slices = j_split_divide_up(most, s->depth);
}

/* How often the device is full of groups, in fractions. */
static double fillings_of(const struct third_law *s, const struct orr_device_info *info)
{
    return (double)(s->share * (s->last + 1)) / (double)slots_of(s, info);
}

/* Groups run in waves, of which the last one may leave much of the device idle; after a few waves
 * groups end at any time, and half a wave is lost at last. */
static double waves_of(const struct third_law *s, const struct orr_device_info *info)
{
    const double full = fillings_of(s, info);

    return full < 8 ? ceil(full) : full + 0.5;
}

static bool pays_off(const struct third_law *s, const struct orr_device_info *info)
{
    const double waves = waves_of(s, info);

    if (info->kind != ORR_DEVICE_CPU && !info->shuffles)
        return false;
    return waves >= FEWEST_WAVES && GAIN * fillings_of(s, info) / waves > 1.1;
}

/* Each rank takes blocks I of its own, whatever blocks J these meet. */
static void choose_blocks(struct third_law *s, const struct orr_ranks *ranks)
{
    const struct orr_ranks_items items = orr_ranks_items(ranks, s->blocks);

    s->share = orr_ranks_share(ranks, s->blocks);
    s->from = items.first;
    s->own = items.count;
}

static void choose_span(struct third_law *s, const struct orr_job *job, size_t bodies)
{
    s->bodies = bodies;
    choose_warps(s, &job->device->info, s->warps);
    s->blocks = j_split_divide_up(s->task.n, s->span);
    s->last = s->blocks / 2;
    choose_blocks(s, job->ranks);
}

/* More bodies a thread read fewer registers for a pair, and reading them takes longer than issuing;
 * beyond eleven, loads are no longer hidden (docs/decisions/0060). But a few large blocks leave
 * the device idle at the end. */
static void choose_bodies(struct third_law *s, const struct orr_job *job)
{
    static const struct {
        size_t bodies;
        double cycles; /* of a scheduler for a pair and warp, on an H200 */
    } measured[] = {{11, 25.1}, {10, 25.7}, {8, 26.3}};
    const struct orr_device_info *info = &job->device->info;
    const size_t local = j_split_declared_local(info);
    size_t best = s->bodies;
    double least = INFINITY;

    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        choose_span(s, job, measured[k].bodies);
        const double time =
            waves_of(s, info) * (double)s->span * (double)s->span * measured[k].cycles;
        if (time >= least || (local && local_bytes(s) > local))
            continue;
        least = time;
        best = measured[k].bodies;
    }
    choose_span(s, job, best);
}

int third_law_choose(struct orr_job *job, struct third_law *s, const struct third_law_task *task,
                     bool *pays)
{
    const struct orr_device_info *info = &job->device->info;

    s->task = *task;
    choose_threads(s, info);
    /* Bounds on registers, without which eleven bodies spill, are CUDA's; of pairs of floats ten
     * spill with them, too. */
    if (!strcmp(info->backend, "cuda") && !task->shape.bodies && !task->in_double && !task->pairs)
        choose_bodies(s, job);
    else
        choose_span(s, job, s->bodies);
    int code = check_shape(job, s);
    if (code)
        return code;
    choose_slices(s, info);
    *pays = pays_off(s, info);
    return ORR_OK;
}

/* Of the first launch, which has most: one of each distance and one of each slice. */
static size_t rows_of(const struct third_law *s)
{
    const size_t distances = smaller(s->slices * s->depth, s->last + 1);

    return distances + j_split_divide_up(distances, s->depth);
}

static size_t sums_bytes(const struct third_law *s)
{
    return rows_of(s) * s->task.n * 4 * width_of(s);
}

int third_law_prepare(struct orr_job *job, struct third_law *s)
{
    const size_t used = strlen(job->note);
    char defines[192];
    const size_t size = (size_t)orr_ranks_size(job->ranks),
                 share = orr_ranks_share(job->ranks, s->task.n);
    int code = orr_alloc(job->device, &s->sums, sums_bytes(s));

    if (!code && size > 1)
        code = orr_alloc(job->device, &s->partial, size * share * 4 * sizeof(float));
    if (code)
        return code;
    snprintf(defines, sizeof defines,
             "-DDOUBLE=%d -DSOFTENED=%d -DBODIES=%zu -DWARPS=%zu -DVECTOR=%zu -DTILE=%zu "
             "-DUNROLL_J=%zu -DRESIDENT=%zu -DSUM_BLOCK=%d%s",
             s->task.in_double, params_eps2(s->task.eps) > 0, s->bodies, s->warps, s->vector,
             s->tile, s->unroll, s->resident, SUM_BLOCK, s->task.pairs ? " -DLOW=1" : "");
    snprintf(job->note + used, sizeof job->note - used,
             "third law, warps %zu, bodies %zu, vector %zu, tile %zu, depth %zu, launches %zu",
             s->warps, s->bodies, s->vector, s->tile, s->depth,
             j_split_divide_up(s->last + 1, s->slices * s->depth));
    return orr_build(job->device, &s->program, &source, defines);
}

static int launch_from(struct orr_job *job, const struct third_law *s, struct orr_buffer *body,
                       struct orr_buffer *low, size_t first)
{
    const float eps = params_eps2(s->task.eps) > 0 ? (float)s->task.eps : 0.0f;
    const size_t left = j_split_divide_up(s->last + 1 - first, s->depth);
    const struct orr_arg args[] = {ORR_BUF(body),
                                   ORR_BUF(s->sums),
                                   ORR_F32(eps),
                                   ORR_I32((int32_t)s->task.n),
                                   ORR_I32((int32_t)s->blocks),
                                   ORR_I32((int32_t)s->from),
                                   ORR_I32((int32_t)first),
                                   ORR_I32((int32_t)s->depth),
                                   ORR_I32((int32_t)s->last),
                                   ORR_I32(first > 0 || s->partial),
                                   ORR_BUF(low)};
    const struct orr_launch launch = {.kernel = "third_law",
                                      .groups = {s->own, smaller(s->slices, left)},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count =
                                          (int)(sizeof args / sizeof *args) - !s->task.pairs};

    return orr_launch(job->device, s->program, &launch);
}

/* A rank's blocks reach only some places of the rows: the others hold nothing. */
static int launch_all(struct orr_job *job, const struct third_law *s, struct orr_buffer *body,
                      struct orr_buffer *low)
{
    int code = s->partial ? orr_fill(job->device, s->sums, 0, sums_bytes(s)) : 0;

    for (size_t first = 0; first <= s->last && s->own && !code; first += s->slices * s->depth)
        code = launch_from(job, s, body, low, first);
    return code;
}

int third_law_forces(struct orr_job *job, const struct third_law *s, struct orr_buffer *body,
                     struct orr_buffer *low, struct orr_buffer *acc, const char *phase)
{
    const size_t share = orr_ranks_share(job->ranks, s->task.n);
    struct orr_buffer *const to = s->partial ? s->partial : acc;
    const struct orr_arg args[] = {ORR_BUF(s->sums), ORR_BUF(to), ORR_I32((int32_t)s->task.n),
                                   ORR_I32((int32_t)rows_of(s))};
    const struct orr_launch sum = {.kernel = "third_law_sum",
                                   .groups = {j_split_divide_up(s->task.n, SUM_BLOCK)},
                                   .group = {SUM_BLOCK},
                                   .args = args,
                                   .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, phase);

    if (!code)
        code = launch_all(job, s, body, low);
    if (!code)
        code = orr_launch(job->device, s->program, &sum);
    if (code || !s->partial)
        return code;
    return orr_ranks_reduce(job->ranks, s->partial, acc, 4 * share);
}

void third_law_release(struct orr_job *job, struct third_law *s)
{
    orr_drop(job->device, s->program);
    orr_free(job->device, s->sums);
    orr_free(job->device, s->partial);
    memset(s, 0, sizeof *s);
}
