/* fujiwara/optimised: section VI's "after extensive optimizations" on the device at hand,
 * kernels/fujiwara_optimised.cl. Parameters give its shape; those left at 0 are chosen from the
 * device's properties. */
#include <stdio.h>
#include <string.h>

#include "kernels/fujiwara_optimised.h"
#include "kernels/leapfrog.h"
#include "shared/flow.h"
#include "variants/common/j_split.h"

enum { REDUCE_BLOCK = 64 };
/* A single fp32 sum over more bodies than this loses digits that the device has. */
enum { LONGEST_SHARE = 16384 };
enum staged { STAGED_AUTO, STAGED_YES, STAGED_NO };

struct params {
    struct fuji_common common;
    int32_t block, bodies, vector, tile, unroll_j, resident, split; /* 0: by the device */
    int32_t staged;                                                 /* enum staged */
};

struct state {
    struct fuji_flow flow;
    struct orr_program *program;
    struct orr_buffer *sums; /* of each share; NULL with a single one, which writes acc itself */
    size_t block, bodies, vector, tile, unroll_j, resident;
    int staged;
    size_t shares, share; /* number of shares of the bodies j and bodies in one */
    size_t groups, row;   /* groups that the bodies i take, bodies in them */
    size_t n_j;           /* bodies j in whole tiles */
};

static const struct orr_source sources[] = {{"fujiwara_optimised", kernel_fujiwara_optimised},
                                            {"leapfrog", kernel_leapfrog}};

static size_t or_else(int32_t chosen, size_t otherwise)
{
    return chosen ? (size_t)chosen : otherwise;
}

static size_t at_most(size_t value, size_t limit)
{
    return value < limit ? value : limit;
}

/* A CPU: one thread per group with vectors in registers, tiles straight from its caches. */
static void shape_for_cpu(struct state *s, const struct params *p,
                          const struct orr_device_info *info)
{
    size_t lanes = info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;

    s->block = or_else(p->block, 1);
    s->bodies = or_else(p->bodies, 2);
    s->vector = or_else(p->vector, lanes);
    s->tile = or_else(p->tile, 256);
    s->unroll_j = or_else(p->unroll_j, 4);
    s->staged = p->staged == STAGED_YES;
}

/* A GPU: several bodies a thread, so that one broadcast read of a body j serves them all. */
static void shape_for_gpu(struct state *s, const struct params *p,
                          const struct orr_device_info *info, size_t n)
{
    s->block = or_else(p->block, info->max_group ? at_most(128, info->max_group) : 128);
    s->tile = or_else(p->tile, s->block);
    s->bodies =
        or_else(p->bodies, j_split_choose_bodies(8, n, s->block, j_split_divide_up(n, s->tile),
                                                 j_split_units(info)));
    s->vector = or_else(p->vector, 1);
    /* Two compilers, two optima: on an H200 with 8 bodies NVRTC reaches 1.98e12 interactions/s with
     * 4 stages and 1.94e12 with 8, NVIDIA's OpenCL 1.89e12 and 2.01e12. */
    s->unroll_j = or_else(p->unroll_j, strcmp(info->backend, "cuda") ? 8 : 4);
    s->resident = or_else(p->resident, s->bodies <= 8 ? j_split_resident_groups(s->block) : 0);
    s->staged = p->staged != STAGED_NO;
}

static int check_shape(struct orr_job *job)
{
    const struct state *s = job->state;
    const struct orr_device_info *info = &job->device->info;

    if (s->vector != 1 && s->vector != 2 && s->vector != 4 && s->vector != 8 && s->vector != 16)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "vector = %zu: OpenCL has vectors of 1, 2, 4, 8 and 16 floats", s->vector);
    if (s->vector > 1 && info->kind == ORR_DEVICE_GPU)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "vector = %zu: on a GPU a thread is one lane, leave vector at 1",
                        s->vector);
    if (info->max_group && s->block > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "block = %zu: %s runs groups of at most %zu threads",
                        s->block, info->id, info->max_group);
    if (s->staged && info->local_bytes && s->tile * 16 > info->local_bytes)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "tile = %zu bodies of 16 bytes do not fit into %zu bytes of local memory",
                        s->tile, info->local_bytes);
    return ORR_OK;
}

static void choose_shares(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    size_t units = j_split_units(info);
    int cpu = info->kind == ORR_DEVICE_CPU;
    size_t tiles = s->n_j / s->tile, sums_of_a_share = s->row * 16;
    /* A core runs one group at a time. */
    struct j_split_input in = {
        .groups = s->groups,
        .tiles = tiles,
        .tile = s->tile,
        .slots = cpu ? units : units * j_split_resident_groups(s->block),
        .overhead = cpu ? 16 : 64,
        .longest = LONGEST_SHARE,
        .most_shares = info->memory_bytes ? info->memory_bytes / 8 / sums_of_a_share : 64};

    if (in.most_shares < 1)
        in.most_shares = 1;
    s->shares = p->split ? at_most((size_t)p->split, tiles) : j_split_choose(&in);
    s->share = j_split_divide_up(tiles, s->shares) * s->tile;
    s->shares = j_split_divide_up(s->n_j, s->share);
}

static void choose_shape(struct orr_job *job)
{
    struct state *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    size_t n = job->bodies->n;

    if (info->kind == ORR_DEVICE_CPU)
        shape_for_cpu(s, job->params, info);
    else
        shape_for_gpu(s, job->params, info, n);
    s->groups = j_split_divide_up(n, s->block * s->bodies * s->vector);
    s->row = s->groups * s->block * s->bodies * s->vector;
    s->n_j = j_split_round_up(n, s->tile);
    choose_shares(job);
}

static int build(struct orr_job *job, void *of)
{
    struct state *s = job->state;
    char defines[256];

    (void)of;
    snprintf(defines, sizeof defines,
             "-DBLOCK=%zu -DBODIES=%zu -DVECTOR=%zu -DTILE=%zu -DUNROLL_J=%zu -DSTAGED=%d "
             "-DRESIDENT=%zu -DREDUCE_BLOCK=%d",
             s->block, s->bodies, s->vector, s->tile, s->unroll_j, s->staged, s->resident,
             REDUCE_BLOCK);
    fuji_flow_defines(job, defines, sizeof defines);
    return orr_build(job->device, &s->program, &sources[0], defines);
}

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    int code;

    choose_shape(job);
    if ((code = check_shape(job)) ||
        (code = fuji_flow_prepare(job, s->row > s->n_j ? s->row : s->n_j)))
        return code;
    if (s->shares > 1 &&
        (code = orr_alloc(job->device, &s->sums, s->shares * s->row * 4 * sizeof(float))))
        return code;
    snprintf(job->note, sizeof job->note,
             "block %zu, bodies %zu, vector %zu, tile %zu %s, unroll %zu, split %zu", s->block,
             s->bodies, s->vector, s->tile, s->staged ? "staged" : "cached", s->unroll_j,
             s->shares);
    return build(job, NULL);
}

static int launch(struct orr_job *job, const char *phase, const struct orr_launch *launch)
{
    struct state *s = job->state;
    int code = orr_phase(job->device, phase);

    return code ? code : counting_launch(job, &s->flow.counting, s->program, launch);
}

static int forces(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const float eps = (float)p->common.eps;
    struct orr_buffer *sums = s->shares > 1 ? s->sums : s->flow.acc;
    const struct orr_arg all_pairs[] = {ORR_BUF(s->flow.body),      ORR_BUF(sums),
                                        ORR_F32(eps * eps),         ORR_I32((int32_t)s->n_j),
                                        ORR_I32((int32_t)s->share), ORR_I32((int32_t)s->row)};
    const struct orr_arg reduce[] = {ORR_BUF(sums), ORR_BUF(s->flow.acc),
                                     ORR_I32((int32_t)s->flow.n), ORR_I32((int32_t)s->row),
                                     ORR_I32((int32_t)s->shares)};
    int code = launch(job, "forces",
                      &(struct orr_launch){.kernel = "fujiwara_optimised",
                                           .groups = {s->groups, s->shares},
                                           .group = {s->block},
                                           .args = all_pairs,
                                           .arg_count = sizeof all_pairs / sizeof *all_pairs});

    if (code || s->shares == 1)
        return code;
    return launch(job, "reduce",
                  &(struct orr_launch){.kernel = "fujiwara_reduce",
                                       .groups = {j_split_divide_up(s->flow.n, REDUCE_BLOCK)},
                                       .group = {REDUCE_BLOCK},
                                       .args = reduce,
                                       .arg_count = sizeof reduce / sizeof *reduce});
}

static int step(struct orr_job *job)
{
    return fuji_flow_step(job, forces);
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    struct state *s = job->state;

    return fuji_flow_count(job, &s->program, build, step, out);
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    orr_drop(job->device, s->program);
    orr_free(job->device, s->sums);
    s->program = NULL;
    s->sums = NULL;
    fuji_flow_release(job);
}

#define ROW(name, most, help)                                                       \
    {                                                                               \
#name, ORR_PARAM_INT, offsetof(struct params, name), 0, 0, most, NULL, help \
    }
static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    /* "Computing Eq.(1)" is what Fig. 14 times: no step is integrated there. */
    FUJI_INTEGRATE_PARAM(struct params, FUJI_ON_DEVICE),
    ROW(block, 1024, "threads in a group; 0: by the device"),
    ROW(bodies, 16, "bodies (or vectors of them) a thread keeps in registers; 0: by the device"),
    ROW(vector, 16, "lanes of a thread's vectors, 1 2 4 8 16 (1 on a GPU); 0: by the device"),
    ROW(tile, 4096, "bodies j in a tile; 0: by the device"),
    ROW(unroll_j, 32, "bodies j a pass of the inner loop takes; 0: by the device"),
    ROW(resident, 32,
        "CUDA: groups a multiprocessor holds at once, which bounds registers; 0: by the device"),
    ROW(split, 65535, "shares into which the bodies j are split; 0: as many as fill the device"),
    {"staged", ORR_PARAM_CHOICE, offsetof(struct params, staged), STAGED_AUTO, 0, 0, "auto|yes|no",
     "copy tiles to local memory; auto: on a GPU"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/optimised",
    .summary =
        "as fast as the device allows: register blocking, tiles, a split over j (section VI)",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = sources,
    .source_count = sizeof sources / sizeof *sources,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = fuji_flow_upload,
    .step = step,
    .fetch = fuji_flow_fetch,
    .cost = fuji_cost,
    .count = count,
    .release = release,
};
