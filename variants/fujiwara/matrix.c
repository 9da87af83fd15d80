/* SPDX-License-Identifier: MIT */
/* fujiwara/matrix: distances and sums on matrix units of half precision where an error bound allows
 * it, kernels/fujiwara_matrix.cl, each pair once; the rest in single precision, and all of few
 * bodies, as fujiwara/third-law does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/fujiwara_matrix.h"
#include "kernels/fujiwara_matrix_near.h"
#include "kernels/fujiwara_optimised.h"
#include "kernels/leapfrog.h"
#include "kernels/third_law.h"
#include "shared/plain.h"
#include "variants/common/j_split.h"
#include "variants/common/sorted_tree.h"

/* As in the kernels. */
enum { BLOCK_I = 256, TILE_J = 128, THREADS = 128, NEAR_THREADS = 32, DISTANCES = 32, RECORD = 24 };
enum { COUNTS = 3 };
enum { LEAF = 64, RESIDENT = 4, NEAR_RESIDENT = 16, FEWEST_CAPABILITY = 80 };
enum { FEWEST_COARSE = 500000, FEWEST_BODIES = 50000 };
enum units { UNITS_DEVICE, UNITS_EMULATED };

struct params {
    struct fuji_common common;
    double bound, coarse, cut;
    int32_t resident, unroll;
    int32_t units; /* enum units */
    int32_t fewest;
};

struct state {
    struct fuji_flow flow;
    bool few; /* too few bodies for matrix units */
    struct fuji_plain plain;
    struct sorted_tree curve;
    struct orr_program *far, *near;
    struct orr_buffer *body;   /* along the curve, in whole blocks */
    struct orr_buffer *low;    /* their low parts, with pairs of floats, which near tiles take */
    struct orr_buffer *place;  /* the same bodies, as far pairs need them */
    struct orr_buffer *images; /* moments of tiles */
    struct orr_buffer *box;    /* records of tiles */
    struct orr_buffer *limits; /* 2 floats a block */
    struct orr_buffer *sums;   /* 4 rows of padded floats */
    struct orr_buffer *list;   /* 2 i32 of a block and a tile that are near */
    struct orr_buffer *count;  /* of near meetings, of coarse ones and of those cut */
    size_t blocks, padded;
};

static const struct orr_source sources[] = {{"fujiwara_matrix", kernel_fujiwara_matrix},
                                            {"fujiwara_matrix_near", kernel_fujiwara_matrix_near},
                                            {"fujiwara_optimised", kernel_fujiwara_optimised},
                                            {"third_law", kernel_third_law},
                                            {"leapfrog", kernel_leapfrog}};

/* "9.0" is 90. */
static int capability_of(const struct orr_device_info *info)
{
    const char *minor = strchr(info->capability, '.');

    return minor ? 10 * atoi(info->capability) + atoi(minor + 1) : 0;
}

static int check_device(struct orr_job *job)
{
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;

    if (p->units == UNITS_EMULATED)
        return ORR_OK;
    if (strcmp(info->backend, "cuda"))
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%s: the matrix units are reached through CUDA alone", info->id);
    if (capability_of(info) < FEWEST_CAPABILITY)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%s has compute capability %s: products of 16 x 16 halves need 8.0",
                        info->id, info->capability);
    return ORR_OK;
}

static int allocate(struct orr_job *job)
{
    struct state *s = job->state;
    struct orr_device *d = job->device;
    const size_t tiles = s->blocks * 2;
    /* Every block with its own two tiles, and at most all others. */
    const size_t meetings = s->blocks * (2 + s->blocks / 2 * 2);
    int code;

    if ((code = orr_alloc(d, &s->body, s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(d, &s->place, s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(d, &s->images, s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(d, &s->box, tiles * RECORD * DEVICE_FLOAT4)) ||
        (code = orr_alloc(d, &s->limits, s->blocks * 2 * sizeof(float))) ||
        (code = orr_alloc(d, &s->sums, s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(d, &s->list, meetings * 2 * sizeof(int32_t))))
        return code;
    if (s->flow.low && ((code = orr_alloc(d, &s->low, s->padded * DEVICE_FLOAT4)) ||
                        (code = orr_fill(d, s->low, 0, s->padded * DEVICE_FLOAT4))))
        return code;
    return orr_alloc(d, &s->count, COUNTS * sizeof(int32_t));
}

/* Of few bodies most tiles are near, and sorting takes longer than forces. */
static bool too_few(const struct orr_job *job)
{
    const struct params *p = job->params;

    return job->bodies->n < (size_t)(p->fewest >= 0               ? p->fewest
                                     : p->units == UNITS_EMULATED ? 0
                                                                  : FEWEST_BODIES);
}

static int prepare_few(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct third_law_task task = {
        .n = job->bodies->n, .pairs = p->common.positions == POSITIONS_PAIRS, .eps = p->common.eps};
    size_t padded;
    int code = fuji_plain_prepare(job, &s->plain, &task, THIRD_LAW_AUTO, &padded);

    return code ? code : fuji_flow_prepare(job, padded);
}

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const int cpu = job->device->info.kind == ORR_DEVICE_CPU;
    const int softened = params_eps2(p->common.eps) > 0;
    char far[96], near[96];
    int code = check_device(job);

    if (!code && (s->few = too_few(job)))
        return prepare_few(job);
    s->blocks = j_split_divide_up(job->bodies->n, BLOCK_I);
    s->padded = s->blocks * BLOCK_I;
    if (code || (code = fuji_flow_prepare(job, job->bodies->n)) ||
        (code =
             sorted_tree_prepare(job, &s->curve, job->bodies->n, 3, LEAF, SORTED_TREE_SEPARATE)) ||
        (code = allocate(job)))
        return code;
    snprintf(far, sizeof far, "-DEMULATED=%d -DRESIDENT=%d -DUNROLL_PARTS=%d -DCUT_SHARE=%.6ff",
             p->units == UNITS_EMULATED,
             cpu           ? 0
             : p->resident ? p->resident
                           : RESIDENT,
             p->unroll, p->cut);
    snprintf(near, sizeof near, "-DSOFTENED=%d -DRESIDENT=%d%s", softened, cpu ? 0 : NEAR_RESIDENT,
             s->low ? " -DLOW=1" : "");
    snprintf(job->note, sizeof job->note, "blocks of %d, tiles of %d, bound %g%s", BLOCK_I, TILE_J,
             p->bound, p->units == UNITS_EMULATED ? ", emulated" : "");
    code = orr_build(job->device, &s->far, &sources[0], far);
    return code ? code : orr_build(job->device, &s->near, &sources[1], near);
}

static int launch(struct orr_job *job, struct orr_program *program, const char *kernel,
                  size_t threads, size_t groups, size_t slices, const struct orr_arg *args,
                  int count)
{
    const struct orr_launch it = {.kernel = kernel,
                                  .groups = {groups, slices},
                                  .group = {threads},
                                  .args = args,
                                  .arg_count = count};

    return orr_launch(job->device, program, &it);
}
#define LAUNCH(job, program, kernel, threads, groups, slices, ...)    \
    launch((job), (program), (kernel), (threads), (groups), (slices), \
           (const struct orr_arg[]){__VA_ARGS__},                     \
           (int)(sizeof((const struct orr_arg[]){__VA_ARGS__}) / sizeof(struct orr_arg)))

/* Near tiles cost more than coarse ones save while blocks are large. */
static float coarse_share(const struct params *p, size_t n)
{
    return p->coarse >= 0 ? (float)p->coarse : n < FEWEST_COARSE ? 0.0f : 0.3f;
}

/* Bodies along the curve, their boxes, and who is near whom. */
static int arrange(struct orr_job *job, float eps2)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct orr_arg n = ORR_I32((int32_t)s->flow.n), padded = ORR_I32((int32_t)s->padded),
                         blocks = ORR_I32((int32_t)s->blocks);
    int code = orr_phase(job->device, "sort");

    if (code || (code = sorted_tree_root(job, &s->curve, s->flow.body)) ||
        (code = sorted_tree_sort(job, &s->curve, s->flow.body)) ||
        (s->low && (code = sorted_tree_gather(job, &s->curve, s->flow.low,
                                              sorted_tree_order(&s->curve), s->low, s->flow.n))) ||
        (code = orr_phase(job->device, "tiles")) ||
        (code = orr_fill(job->device, s->count, 0, COUNTS * sizeof(int32_t))) ||
        (code = LAUNCH(job, s->far, "matrix_tiles", THREADS, s->padded / TILE_J, 1,
                       ORR_BUF(s->curve.body), ORR_BUF(s->body), ORR_BUF(s->place),
                       ORR_BUF(s->images), ORR_BUF(s->box), ORR_BUF(s->sums), n, padded)) ||
        (code = LAUNCH(job, s->far, "matrix_plan", THREADS, s->blocks, 1, ORR_BUF(s->box),
                       ORR_BUF(s->limits), blocks, ORR_F32(eps2), ORR_F32((float)p->bound),
                       ORR_F32(coarse_share(p, s->flow.n)))))
        return code;
    return LAUNCH(job, s->far, "matrix_near_list", THREADS, s->blocks, 1, ORR_BUF(s->box),
                  ORR_BUF(s->limits), ORR_BUF(s->list), ORR_BUF(s->count), blocks, ORR_F32(eps2),
                  ORR_F32((float)p->bound));
}

static int launch_near(struct orr_job *job, size_t groups)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct orr_arg args[] = {
        ORR_BUF(s->body),
        ORR_BUF(s->sums),
        ORR_BUF(s->list),
        ORR_BUF(s->count),
        ORR_I32((int32_t)s->padded),
        ORR_F32(params_eps2(p->common.eps) > 0 ? (float)p->common.eps : 0.0f),
        ORR_BUF(s->low)};

    return launch(job, s->near, "matrix_near", NEAR_THREADS, groups, 1, args,
                  (int)(sizeof args / sizeof *args) - (s->low ? 0 : 1));
}

static int forces(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct orr_arg padded = ORR_I32((int32_t)s->padded);
    const float eps2 = params_eps2(p->common.eps);
    const size_t slices = j_split_divide_up(s->blocks / 2, DISTANCES);
    const size_t near_groups = (size_t)4 * NEAR_RESIDENT * j_split_units(&job->device->info);
    int code = arrange(job, eps2);

    if (!code)
        code = orr_phase(job->device, "near");
    if (!code)
        code = launch_near(job, near_groups);
    if (!code)
        code = orr_phase(job->device, "far");
    if (!code && slices)
        code = LAUNCH(job, s->far, "matrix_far", THREADS, s->blocks, slices, ORR_BUF(s->place),
                      ORR_BUF(s->images), ORR_BUF(s->box), ORR_BUF(s->limits), ORR_BUF(s->sums),
                      ORR_I32((int32_t)s->blocks), padded, ORR_F32(eps2), ORR_F32((float)p->bound));
    if (!code)
        code = orr_phase(job->device, "finish");
    return code ? code
                : LAUNCH(job, s->far, "matrix_finish", THREADS,
                         j_split_divide_up(s->flow.n, THREADS), 1, ORR_BUF(s->sums),
                         ORR_BUF(sorted_tree_order(&s->curve)), ORR_BUF(s->flow.acc),
                         ORR_I32((int32_t)s->flow.n), padded);
}

static int forces_of_few(struct orr_job *job)
{
    const struct state *s = job->state;

    return fuji_plain_forces(job, &s->plain);
}

static int step(struct orr_job *job)
{
    const struct state *s = job->state;

    return fuji_flow_step(job, s->few ? forces_of_few : forces);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct state *s = job->state;
    int32_t count[COUNTS] = {0};
    const double all = (double)s->padded * (double)s->padded / (2 * BLOCK_I * TILE_J);
    int code = fuji_cost(job, out);

    if (code || s->few) {
        fuji_plain_cost(job, &s->plain, out);
        return code;
    }
    out->flops_true = 0; /* what a matrix unit does is none */
    code = orr_download(job->device, count, s->count, sizeof count);
    orr_figure(out, "near tiles", count[0]);
    orr_figure(out, "near share", count[0] / all);
    orr_figure(out, "coarse share", count[1] / all);
    orr_figure(out, "cut share", count[2] / all);
    return code;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    orr_drop(job->device, s->far);
    orr_drop(job->device, s->near);
    orr_free(job->device, s->body);
    orr_free(job->device, s->low);
    orr_free(job->device, s->place);
    orr_free(job->device, s->images);
    orr_free(job->device, s->box);
    orr_free(job->device, s->limits);
    orr_free(job->device, s->sums);
    orr_free(job->device, s->list);
    orr_free(job->device, s->count);
    s->far = s->near = NULL;
    s->body = s->low = s->place = s->images = s->box = s->limits = s->sums = s->list = s->count =
        NULL;
    sorted_tree_release(job, &s->curve);
    fuji_plain_release(job, &s->plain);
    fuji_flow_release(job);
}

static const struct orr_param params[] = {
    FUJI_COMMON_PARAMS(struct params),
    FUJI_FLOW_PARAMS(struct params, FUJI_ON_DEVICE),
    {"bound", ORR_PARAM_FLOAT, offsetof(struct params, bound), 1e-4, 0, 1, NULL,
     "largest error of matrix units, relative to the sum of a body's forces; twice of potentials"},
    {"coarse", ORR_PARAM_FLOAT, offsetof(struct params, coarse), -1, -1, 0.9, NULL,
     "share of the bound left to pairs with a single half of r^-3; -1: by the number of bodies"},
    {"cut", ORR_PARAM_FLOAT, offsetof(struct params, cut), 1, 0, 100, NULL,
     "how much of the bound the cheaper halves of r^-3 may take of a pair, cut from its bits; else "
     "they are rounded"},
    {"unroll", ORR_PARAM_INT, offsetof(struct params, unroll), 1, 1, 4, NULL,
     "times 32 bodies of a tile that a pass of the inner loop takes"},
    {"resident", ORR_PARAM_INT, offsetof(struct params, resident), 0, 0, 16, NULL,
     "groups a multiprocessor holds at once, which bounds registers; 0: by the device"},
    {"units", ORR_PARAM_CHOICE, offsetof(struct params, units), UNITS_DEVICE, 0, 0,
     "device|emulated", "matrix units; emulated: their arithmetic by others, for tests"},
    {"fewest", ORR_PARAM_INT, offsetof(struct params, fewest), -1, -1, 2147483647, NULL,
     "bodies below which all pairs are summed as by fujiwara/third-law; -1: by the device"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "fujiwara/matrix",
    .summary = "each pair once, on matrix units of half precision where an error bound allows it",
    .capabilities =
        ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_THIRD_LAW | ORR_MATRIX_UNITS | ORR_TAKES_DOUBLES,
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
    .cost = cost,
    .release = release,
};
