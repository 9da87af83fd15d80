/* SPDX-License-Identifier: MIT */
#include "variants/common/one_sided.h"

#include <stdio.h>
#include <string.h>

#include "kernels/fujiwara_optimised.h"
#include "variants/common/j_split.h"

enum { REDUCE_BLOCK = 64, LARGEST_TILE = 1024 };
/* A single fp32 sum over more bodies than this loses digits that the device has. */
enum { LONGEST_SHARE = 16384 };
/* In bodies j, as measured on an H200: what adding up the slices of a group costs, two barriers
 * with a tile between them, and a launch that adds shares while all else is done. */
enum { ADDING_SLICES = 16, ADDING_SHARES = 150 };
static const double PASSING = 0.7;
/* Bodies j that a thread meets between two barriers. */
enum { FEWEST_MET = 8, MOST_MET = 128 };

const struct orr_source one_sided_source = {"fujiwara_optimised", kernel_fujiwara_optimised};
const char *const one_sided_procedures[] = {"bodies i", "interactions", "sums", NULL};

static size_t or_else(int32_t chosen, size_t otherwise)
{
    return chosen ? (size_t)chosen : otherwise;
}

static size_t at_most(size_t value, size_t limit)
{
    return value < limit ? value : limit;
}

/* A CPU: one thread per group with vectors in registers, tiles straight from its caches. */
static void shape_for_cpu(struct one_sided *s, const struct one_sided_shape *p,
                          const struct orr_device_info *info)
{
    size_t lanes = info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;

    s->block = or_else(p->block, 1);
    s->bodies = or_else(p->bodies, 2);
    s->vector = or_else(p->vector, lanes);
    s->tile = or_else(p->tile, 256);
    s->unroll_j = or_else(p->unroll_j, 4);
    s->staged = p->staged == ONE_SIDED_STAGED_YES;
}

/* A GPU: several bodies a thread, so that one broadcast read of a body j serves them all. */
static void shape_for_gpu(struct one_sided *s, const struct one_sided_shape *p,
                          const struct orr_device_info *info)
{
    s->block = or_else(p->block, info->max_group ? at_most(128, info->max_group) : 128);
    s->bodies = or_else(p->bodies, j_split_choose_bodies(8, s->own, 1, 1, j_split_units(info)));
    s->vector = or_else(p->vector, 1);
    s->tile = or_else(p->tile, s->block); /* choose_slices() knows better */
    /* Two compilers, two optima: on an H200 with 8 bodies NVRTC reaches 1.98e12 interactions/s with
     * 4 stages and 1.94e12 with 8, NVIDIA's OpenCL 1.89e12 and 2.01e12. */
    s->unroll_j = or_else(p->unroll_j, strcmp(info->backend, "cuda") ? 8 : 4);
    s->resident = or_else(p->resident, s->bodies <= 8 ? j_split_resident_groups(s->block) : 0);
    s->staged = p->staged != ONE_SIDED_STAGED_NO;
}

static int check_shape(struct orr_job *job, const struct one_sided *s)
{
    const struct orr_device_info *info = &job->device->info;
    const size_t local = j_split_declared_local(info);

    if (s->vector != 1 && s->vector != 2 && s->vector != 4 && s->vector != 8 && s->vector != 16)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "vector = %zu: OpenCL has vectors of 1, 2, 4, 8 and 16 floats", s->vector);
    if (s->slices & (s->slices - 1) || s->block % s->slices || s->tile % s->slices)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "slices = %zu: a power of two, among which the %zu threads of a group and "
                        "the %zu bodies of a tile are divided",
                        s->slices, s->block, s->tile);
    if (s->vector > 1 && info->kind == ORR_DEVICE_GPU)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "vector = %zu: on a GPU a thread is one lane, leave vector at 1",
                        s->vector);
    if (info->max_group && s->block > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "block = %zu: %s runs groups of at most %zu threads",
                        s->block, info->id, info->max_group);
    if (s->staged && local && s->tile * 16 > local)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "tile = %zu bodies of 16 bytes do not fit into %zu bytes of local memory",
                        s->tile, local);
    return ORR_OK;
}

/* With so many slices and bodies of a tile: groups, shares, and the estimated time. */
static double choose_shares(struct one_sided *s, const struct orr_device_info *info,
                            const struct one_sided_shape *p, size_t slices, size_t tile)
{
    const size_t units = j_split_units(info);
    const int cpu = info->kind == ORR_DEVICE_CPU;

    s->slices = slices;
    s->tile = tile;
    s->groups = j_split_divide_up(s->own, s->block / slices * s->bodies * s->vector);
    s->row = s->groups * (s->block / slices) * s->bodies * s->vector;
    s->n_j = j_split_round_up(s->n, s->tile);
    const size_t tiles = s->n_j / s->tile, row_bytes = s->row * 16;
    /* A core runs one group at a time. */
    struct j_split_input in = {.groups = s->groups,
                               .tiles = tiles,
                               .tile = s->tile,
                               .slices = slices,
                               .slots = cpu ? units : units * j_split_resident_groups(s->block),
                               .overhead = 16 + (slices > 1 ? ADDING_SLICES : 0),
                               .passing = cpu ? 0 : PASSING,
                               .adding = cpu ? 0 : ADDING_SHARES,
                               .longest = LONGEST_SHARE * slices,
                               .most_shares =
                                   info->memory_bytes ? info->memory_bytes / 8 / row_bytes : 64};

    if (in.most_shares < 1)
        in.most_shares = 1;
    s->shares = p->split ? at_most((size_t)p->split, tiles) : j_split_choose(&in);
    s->share = j_split_divide_up(tiles, s->shares) * s->tile;
    s->shares = j_split_divide_up(s->n_j, s->share);
    return j_split_estimate(&in, s->shares);
}

/* The tile for so many slices in which a thread meets so many bodies. */
static size_t tile_of(const struct one_sided *s, size_t slices, size_t met)
{
    return at_most(s->block > met * slices ? s->block : met * slices, LARGEST_TILE);
}

/* A group's slices meet different bodies j, where the bodies i do not fill the device. */
static void choose_slices(struct one_sided *s, const struct orr_device_info *info,
                          const struct one_sided_shape *p)
{
    const int may = info->kind != ORR_DEVICE_CPU && !p->split,
              tiles_too = info->kind != ORR_DEVICE_CPU && !p->tile;
    const size_t first = or_else(p->slices, 1), last = p->slices || !may ? first : s->block;
    size_t best = first, tile = tiles_too ? tile_of(s, first, FEWEST_MET) : s->tile;
    double least = choose_shares(s, info, p, best, tile);

    for (size_t slices = first; slices <= last; slices *= 2) {
        if (s->block % slices || (p->tile && (size_t)p->tile % slices))
            continue;
        for (size_t met = FEWEST_MET; met <= MOST_MET; met *= 2) {
            const size_t now_tile = tiles_too ? tile_of(s, slices, met) : tile;
            const double now = choose_shares(s, info, p, slices, now_tile);
            if (now < least) {
                least = now;
                best = slices;
                tile = now_tile;
            }
        }
    }
    choose_shares(s, info, p, best, tile);
}

int one_sided_build(struct orr_job *job, void *of)
{
    struct one_sided *s = of;
    const int softened = !s->task.meet || params_eps2(s->task.eps) > 0;
    char defines[256];

    snprintf(defines, sizeof defines,
             "-DBLOCK=%zu -DBODIES=%zu -DVECTOR=%zu -DTILE=%zu -DUNROLL_J=%zu -DSTAGED=%d "
             "-DRESIDENT=%zu -DSLICES=%zu -DREDUCE_BLOCK=%d%s%s%s",
             s->block, s->bodies, s->vector, s->tile, s->unroll_j, s->staged, s->resident,
             s->slices, REDUCE_BLOCK, s->task.dimensions == 2 ? " -DDIMENSIONS=2" : "",
             softened ? "" : " -DSOFTENED=0", s->task.pairs ? " -DLOW=1" : "");
    counting_define_bodies(s->task.counting, s->n, defines, sizeof defines);
    return orr_build(job->device, &s->program, &one_sided_source, defines);
}

static void choose_shape(struct orr_job *job, struct one_sided *s,
                         const struct one_sided_shape *shape)
{
    const struct orr_device_info *info = &job->device->info;

    s->n = job->bodies->n;
    s->own = orr_ranks_share(job->ranks, s->n);
    s->first = (size_t)orr_ranks_own(job->ranks) * s->own;
    if (info->kind == ORR_DEVICE_CPU)
        shape_for_cpu(s, shape, info);
    else
        shape_for_gpu(s, shape, info);
}

int one_sided_prepare(struct orr_job *job, struct one_sided *s, const struct one_sided_task *task,
                      const struct one_sided_shape *shape, size_t *padded)
{
    int code;

    s->task = *task;
    choose_shape(job, s, shape);
    if ((size_t)shape->slices > s->block)
        return ORR_FAIL(job, ORR_EUSAGE, "slices = %d: there are %zu threads in a group",
                        shape->slices, s->block);
    choose_slices(s, &job->device->info, shape);
    *padded = s->first + s->row > s->n_j ? s->first + s->row : s->n_j;
    if ((code = check_shape(job, s)))
        return code;
    if (s->shares > 1 &&
        (code = orr_alloc(job->device, &s->sums, s->shares * s->row * 4 * sizeof(float))))
        return code;
    snprintf(job->note, sizeof job->note,
             "%sblock %zu, bodies %zu, vector %zu, tile %zu %s, unroll %zu, slices %zu, split %zu",
             task->note, s->block, s->bodies, s->vector, s->tile, s->staged ? "staged" : "cached",
             s->unroll_j, s->slices, s->shares);
    return one_sided_build(job, s);
}

static int launch(struct orr_job *job, const struct one_sided *s, const char *phase,
                  const struct orr_launch *launch)
{
    int code = orr_phase(job->device, phase);

    return code ? code : counting_launch(job, s->task.counting, s->program, launch);
}

int one_sided_forces(struct orr_job *job, const struct one_sided *s, struct orr_buffer *body,
                     struct orr_buffer *low, struct orr_buffer *acc)
{
    struct orr_buffer *sums = s->shares > 1 ? s->sums : acc;
    const struct orr_arg all_pairs[] = {ORR_BUF(body),
                                        ORR_BUF(sums),
                                        ORR_F32(params_eps2(s->task.eps)),
                                        ORR_I32((int32_t)s->n_j),
                                        ORR_I32((int32_t)s->share),
                                        ORR_I32((int32_t)s->row),
                                        ORR_I32((int32_t)s->first),
                                        ORR_BUF(low)};
    const struct orr_arg reduce[] = {ORR_BUF(sums), ORR_BUF(acc), ORR_I32((int32_t)s->own),
                                     ORR_I32((int32_t)s->row), ORR_I32((int32_t)s->shares)};
    int code = launch(job, s, s->task.sums,
                      &(struct orr_launch){.kernel = "fujiwara_optimised",
                                           .groups = {s->groups, s->shares},
                                           .group = {s->block},
                                           .args = all_pairs,
                                           .arg_count = sizeof all_pairs / sizeof *all_pairs -
                                                        (s->task.pairs ? 0 : 1)});

    if (code || s->shares == 1)
        return code;
    return launch(job, s, s->task.shares,
                  &(struct orr_launch){.kernel = "fujiwara_reduce",
                                       .groups = {j_split_divide_up(s->own, REDUCE_BLOCK)},
                                       .group = {REDUCE_BLOCK},
                                       .args = reduce,
                                       .arg_count = sizeof reduce / sizeof *reduce});
}

void one_sided_release(struct orr_job *job, struct one_sided *s)
{
    orr_drop(job->device, s->program);
    orr_free(job->device, s->sums);
    memset(s, 0, sizeof *s);
}
