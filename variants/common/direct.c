/* SPDX-License-Identifier: MIT */
#include "variants/common/direct.h"

#include <stdio.h>
#include <string.h>

#include "kernels/direct.h"
#include "kernels/leapfrog.h"
#include "kernels/third_law.h"
#include "variants/common/j_split.h"

enum {
    SUM_BLOCK = 64,
    LONGEST_SHARE = 1 << 18 /* bodies; tiles are summed first, so two thousand sums are added */
};

const struct orr_source direct_sources[3] = {
    {"direct", kernel_direct}, {"third_law", kernel_third_law}, {"leapfrog", kernel_leapfrog}};

/* Bytes of a number. */
static size_t direct_width(const struct direct *s)
{
    return s->task.in_double ? sizeof(double) : sizeof(float);
}

/* A CPU: one thread per group with vectors in registers. */
static void direct_shape_for_cpu(struct direct *s, const struct orr_device_info *info)
{
    const size_t lanes = info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;

    s->block = s->task.shape.block ? (size_t)s->task.shape.block : 1;
    s->bodies = s->task.shape.bodies ? (size_t)s->task.shape.bodies : 2;
    s->vector = lanes * sizeof(float) / direct_width(s);
    s->unroll = 4;
}

/* A GPU: several bodies a thread, so that one read of a body j serves them all. */
static void direct_shape_for_gpu(struct direct *s, const struct orr_device_info *info, size_t n)
{
    const size_t most = s->task.in_double ? 2 : s->task.dimensions == 2 ? 8 : 4;
    const size_t usual = info->max_group && info->max_group < 128 ? info->max_group : 128;

    s->block = s->task.shape.block ? (size_t)s->task.shape.block : usual;
    s->bodies = s->task.shape.bodies
                    ? (size_t)s->task.shape.bodies
                    : j_split_choose_bodies(most, n, s->block, j_split_divide_up(n, s->block),
                                            j_split_units(info));
    s->vector = 1;
    /* On an H200 with 4 bodies in space NVRTC reaches 1.93e12 interactions/s so, and 1.87e12 with 4
     * and no bound. */
    s->unroll = s->task.in_double ? 4 : 8;
    s->resident = !s->task.in_double && !s->device.low && s->bodies <= 4
                      ? j_split_resident_groups(s->block)
                      : 0;
}

static void direct_choose_shape(struct orr_job *job)
{
    struct direct *s = job->state;

    if (job->device->info.kind == ORR_DEVICE_CPU)
        direct_shape_for_cpu(s, &job->device->info);
    else
        direct_shape_for_gpu(s, &job->device->info, job->bodies->n);
    s->tile = s->block < 128 ? 128 : s->block;
    s->groups = j_split_divide_up(job->bodies->n, s->block * s->bodies * s->vector);
}

/* Pairs of one launch: a second's work or two. Nothing can stop a kernel, and some systems kill
 * longer ones. A GPU's unit may have a 64th of its lanes in double precision. */
static double direct_launch_pairs(const struct orr_device_info *info, int in_double)
{
    const double unit =
        info->kind == ORR_DEVICE_CPU ? (in_double ? 1e8 : 5e8) : (in_double ? 2e8 : 1e10);

    return unit * (double)j_split_units(info);
}

static void direct_choose_launches(struct orr_job *job)
{
    struct direct *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    const size_t n = job->bodies->n;
    double most = s->task.shape.sources ? s->task.shape.sources
                                        : direct_launch_pairs(info, s->task.in_double) / (double)n;
    size_t tiles = most < (double)s->tile ? 1 : (size_t)(most / (double)s->tile);
    size_t launches = j_split_divide_up(n, tiles * s->tile);

    s->launch = j_split_round_up(j_split_divide_up(n, launches), s->tile);
}

static void direct_choose_shares(struct orr_job *job)
{
    struct direct *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    const int cpu = info->kind == ORR_DEVICE_CPU;
    const size_t row = job->bodies->n * 4 * direct_width(s);
    struct j_split_input in = {
        .groups = s->groups,
        .tiles = s->launch / s->tile,
        .tile = s->tile,
        .slots =
            cpu ? j_split_units(info) : j_split_units(info) * j_split_resident_groups(s->block),
        .overhead = cpu ? 16 : 64,
        .longest = LONGEST_SHARE,
        .most_shares = info->memory_bytes ? info->memory_bytes / 8 / row : 64};

    if (in.most_shares < 1)
        in.most_shares = 1;
    s->shares = j_split_choose(&in);
    s->share = j_split_divide_up(in.tiles, s->shares) * s->tile;
}

static int direct_check(struct orr_job *job)
{
    const struct direct *s = job->state;
    const struct orr_device_info *info = &job->device->info;

    if (info->max_group && s->block > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "block = %zu: %s runs groups of at most %zu threads",
                        s->block, info->id, info->max_group);
    return ORR_OK;
}

static int direct_prepare_one_sided(struct orr_job *job)
{
    struct direct *s = job->state;
    const struct direct_task *task = &s->task;
    char defines[256];
    int code;

    direct_choose_shape(job);
    direct_choose_launches(job);
    direct_choose_shares(job);
    if ((code = direct_check(job)) ||
        (code = orr_alloc(job->device, &s->sums, s->shares * s->device.n * 4 * direct_width(s))))
        return code;
    snprintf(defines, sizeof defines,
             "-DDIMENSIONS=%d -DDOUBLE=%d -DSOFTENED=%d -DBLOCK=%zu -DBODIES=%zu -DVECTOR=%zu "
             "-DTILE=%zu -DUNROLL_J=%zu "
             "-DRESIDENT=%zu -DSUM_BLOCK=%d%s",
             task->dimensions, task->in_double, params_eps2(task->eps) > 0, s->block, s->bodies,
             s->vector, s->tile, s->unroll, s->resident, SUM_BLOCK,
             s->device.low ? " -DLOW=1" : "");
    snprintf(job->note, sizeof job->note,
             "block %zu, bodies %zu, vector %zu, launches %zu, shares %zu", s->block, s->bodies,
             s->vector, j_split_divide_up(s->device.n, s->launch), s->shares);
    return orr_build(job->device, &s->program, &direct_sources[0], defines);
}

/* A launch of either way takes as long. */
static int direct_choose_both(struct orr_job *job)
{
    struct direct *s = job->state;
    const double n = (double)job->bodies->n;
    const struct third_law_task task = {
        .n = job->bodies->n,
        .in_double = s->task.in_double,
        .eps = s->task.eps,
        .most_pairs = s->task.shape.sources
                          ? s->task.shape.sources * n
                          : direct_launch_pairs(&job->device->info, s->task.in_double)};
    int code = third_law_choose(job, &s->pairs, &task, &s->both);

    if (!code && s->task.third_law != THIRD_LAW_AUTO)
        s->both = s->task.third_law == THIRD_LAW_YES;
    return code;
}

/* Whether floats leave anything out of the bodies. */
static bool direct_has_low(const struct orr_bodies *b)
{
    int low = 0;

    for (int k = 0; k < 4; k++) {
        const double *const from = k < 3 ? b->pos[k] : b->mass;
        for (size_t i = 0; i < b->n; i++)
            low |= (double)(float)from[i] != from[i];
    }
    return low;
}

/* At rest, on one rank: leapfrog.cl and the exchange know floats alone. */
static int direct_prepare_low(struct orr_job *job)
{
    struct direct *s = job->state;

    if (s->device.steps > 0 || orr_ranks_size(job->ranks) > 1 ||
        !(s->task.pairs || (s->task.in_double && direct_has_low(job->bodies))))
        return ORR_OK;
    return device_bodies_prepare_low(job, s->task.in_double);
}

int direct_prepare(struct orr_job *job, const struct direct_task *task)
{
    struct direct *s = job->state;
    int code = 0;

    s->task = *task;
    if ((code = direct_prepare_low(job)))
        return code;
    if (task->in_double && !job->device->info.fp64)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%s has no double precision", job->device->info.id);
    if (task->dimensions == 3 && !s->device.low && task->third_law != THIRD_LAW_NO)
        code = direct_choose_both(job);
    if (code)
        return code;
    return s->both ? third_law_prepare(job, &s->pairs) : direct_prepare_one_sided(job);
}

/* Bodies j from...to - 1 act on all. */
static int direct_launch(struct orr_job *job, size_t from, size_t to)
{
    struct direct *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->device.body),
        ORR_BUF(s->sums),
        ORR_F32(params_eps2(s->task.eps) > 0 ? (float)s->task.eps : 0.0f),
        ORR_I32((int32_t)s->device.n),
        ORR_I32((int32_t)from),
        ORR_I32((int32_t)to),
        ORR_I32((int32_t)s->share),
        ORR_I32(from > 0),
        ORR_BUF(s->device.low)};
    const struct orr_launch launch = {.kernel = "direct",
                                      .groups = {s->groups, j_split_divide_up(to - from, s->share)},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count =
                                          (int)(sizeof args / sizeof *args) - !s->device.low};

    return orr_launch(job->device, s->program, &launch);
}

/* Accelerations, in 3D with potential, of the bodies in device.body into device.acc; for
 * device_bodies_step(). */
static int direct_forces(struct orr_job *job)
{
    struct direct *s = job->state;
    const size_t n = s->device.n;

    if (s->both)
        return third_law_forces(job, &s->pairs, s->device.body, NULL, s->device.acc, s->task.phase);
    size_t rows = j_split_divide_up(n < s->launch ? n : s->launch, s->share);
    const struct orr_arg args[] = {ORR_BUF(s->sums), ORR_BUF(s->device.acc), ORR_I32((int32_t)n),
                                   ORR_I32((int32_t)rows)};
    const struct orr_launch sum = {.kernel = "direct_sum",
                                   .groups = {j_split_divide_up(n, SUM_BLOCK)},
                                   .group = {SUM_BLOCK},
                                   .args = args,
                                   .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, s->task.phase);

    for (size_t from = 0; from < n && !code; from += s->launch)
        code = direct_launch(job, from, n - from < s->launch ? n : from + s->launch);
    return code ? code : orr_launch(job->device, s->program, &sum);
}

int direct_step(struct orr_job *job)
{
    return device_bodies_step(job, direct_forces);
}

void direct_release(struct orr_job *job)
{
    struct direct *s = job->state;

    third_law_release(job, &s->pairs);
    orr_drop(job->device, s->program);
    orr_free(job->device, s->sums);
    s->program = NULL;
    s->sums = NULL;
    device_bodies_release(job);
}
