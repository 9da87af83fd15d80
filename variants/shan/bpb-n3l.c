/* SPDX-License-Identifier: MIT */
/* shan/bpb-n3l: box per block with Newton's third law (section III C): kernels/shan_bpb_n3l.cl. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "datasets/boxes.h"
#include "kernels/pair.h"
#include "kernels/shan_bpb_n3l.h"
#include "shared/device.h"
#include "shared/group.h"
#include "shared/kernels.h"

enum atomic { ATOMIC_CAS, ATOMIC_NATIVE, ATOMIC_FIXED, ATOMIC_NONE };
enum order { ORDER_SAME, ORDER_STAGGERED };

struct params {
    struct shan_common common;
    int32_t block;  /* threads a box gets; 0: fitted */
    int32_t atomic; /* enum atomic */
    int32_t order;  /* enum order */
    int32_t forces; /* whether acc sums forces */
};

/* Largest unit of fixed point, in usual accelerations. */
static const double COARSEST_UNIT = 1e-7;

struct state {
    struct shan_device device;
    struct shan_kernels kernels;
    size_t block;
    struct orr_buffer *sums; /* with ATOMIC_FIXED: n x 4 u32, acc in fixed point */
    double unit;             /* of acceleration in one of fixed point; a power of two */
};

static const struct orr_source source = {"shan_bpb_n3l", kernel_shan_bpb_n3l};
/* x, y and mass, and a sum of two floats or of two 64-bit integers. */
enum {
    LOCAL_BYTES = 5 * sizeof(float),
    LOCAL_BYTES_FIXED = 7 * sizeof(float),
    FIXED_SUM = 4 * sizeof(uint32_t)
};

/* The largest mass of a box and those around it: what can act on one body. NAN on no memory. */
static double mass_in_reach(const struct orr_job *job, const struct shan_boxes *boxes)
{
    double *own = calloc(2 * (size_t)boxes->count, sizeof *own), *reach = own + boxes->count,
           most = 0;

    if (!own)
        return NAN;
    for (uint32_t b = 0; b < boxes->count; b++)
        for (uint32_t k = boxes->start[b]; k < boxes->start[b + 1]; k++)
            own[b] += job->bodies->mass[boxes->order[k]];
    for (uint32_t b = 0; b < boxes->count; b++) {
        reach[b] += own[b];
        for (uint32_t k = 0; k < boxes->stride && boxes->list[(size_t)b * boxes->stride + k] >= 0;
             k++) {
            const int32_t other = boxes->list[(size_t)b * boxes->stride + k];

            reach[b] += own[other];
            reach[other] += own[b];
        }
    }
    for (uint32_t b = 0; b < boxes->count; b++)
        most = fmax(most, reach[b]);
    free(own);
    return most;
}

/* The acceleration by a body at the mean distance of neighbours; a unit must be much smaller.
 * INFINITY if all are at one place or massless and nothing is accelerated. */
static double usual_acceleration(const struct orr_job *job)
{
    const struct params *p = job->params;
    const struct orr_boxes grid = orr_boxes_make(job->bodies, p->common.level);
    const double per_edge = grid.per_length / (double)grid.side;
    double mass = 0;

    for (size_t i = 0; i < job->bodies->n; i++)
        mass += job->bodies->mass[i];
    return mass * per_edge > 0 ? mass * per_edge * per_edge : INFINITY;
}

/* d / (d^2 + eps^2)^1.5 is at most 2 / (3 sqrt(3)) / eps^2, at d = eps / sqrt(2). With that times
 * the mass in reach at most 2^62 units no sum leaves 64 bits. */
static int choose_unit(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const double eps = (double)(float)p->common.eps, mass = mass_in_reach(job, &s->device.boxes);
    int exponent = 0;

    if (isnan(mass))
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for the masses of %u boxes",
                        s->device.boxes.count);
    if (eps > 0)
        frexp(mass * 0.385 / (eps * eps), &exponent);
    exponent -= 62;
    /* so that the unit and its reciprocal are floats */
    exponent = exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
    s->unit = ldexp(1, exponent);
    if (!(eps > 0) || s->unit > COARSEST_UNIT * usual_acceleration(job))
        return ORR_FAIL(job, ORR_EUSAGE,
                        "atomic = fixed with eps = %g: fixed point needs a bound of the forces, "
                        "which softening gives; "
                        "set a larger eps or another atomic",
                        p->common.eps);
    return orr_alloc(job->device, &s->sums, s->device.boxes.n * FIXED_SUM);
}

static int check_native(struct orr_job *job)
{
    const struct orr_device_info *info = &job->device->info;

    if (info->float_atomics)
        return ORR_OK;
    return ORR_FAIL(
        job, ORR_EUNSUPPORTED,
        "atomic = native: no atomic addition of floats is known of %s; give cas or fixed",
        info->id);
}

static int prepare(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const int fixed = p->atomic == ATOMIC_FIXED;
    char defines[64];
    int code;

    if (fixed && p->forces)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "atomic = fixed sums accelerations: set forces = off, or another atomic");
    if ((p->atomic == ATOMIC_NATIVE && (code = check_native(job))) ||
        (code = shan_device_prepare(job, SHAN_LIST_HALF)) ||
        (code = shan_group_choose(job, &s->block, "block", p->block,
                                  shan_group_fitted(job, &s->device.boxes),
                                  fixed ? LOCAL_BYTES_FIXED : LOCAL_BYTES)) ||
        (fixed && (code = choose_unit(job))))
        return code;
    snprintf(job->note, sizeof job->note, "block %zu, fullest box %u", s->block,
             s->device.boxes.most);
    if (fixed)
        snprintf(job->note, sizeof job->note, "block %zu, fullest box %u, fixed-point unit %g",
                 s->block, s->device.boxes.most, s->unit);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DATOMIC=%d -DSTAGGERED=%d -DFORCES=%d",
             s->block, p->atomic, p->order == ORDER_STAGGERED, p->forces);
    return shan_kernels_build(job, &s->kernels, &source, defines);
}

static int zero(struct orr_job *job)
{
    struct state *s = job->state;
    const size_t n = s->device.boxes.n;
    int code = orr_phase(job->device, "zero");

    if (code)
        return code;
    return s->sums ? orr_fill(job->device, s->sums, 0, n * FIXED_SUM)
                   : orr_fill(job->device, s->device.acc, 0, n * 2 * sizeof(float));
}

static int forces(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct shan_device *d = &s->device;
    const float eps = (float)p->common.eps;
    const struct orr_arg args[] = {
        ORR_BUF(d->body),   ORR_BUF(d->start),
        ORR_BUF(d->list),   ORR_BUF(s->sums ? s->sums : d->acc),
        ORR_F32(eps * eps), ORR_F32(s->sums ? (float)(1 / s->unit) : 1.0f)};
    const struct orr_launch launch = {.kernel = "shan_bpb_n3l",
                                      .groups = {d->boxes.count},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};

    return shan_kernels_launch_counted(job, &s->kernels, "forces", &launch);
}

static int convert(struct orr_job *job)
{
    struct state *s = job->state;
    const size_t n = s->device.boxes.n;
    const struct orr_arg args[] = {ORR_BUF(s->sums ? s->sums : s->device.acc),
                                   ORR_BUF(s->device.body), ORR_BUF(s->device.acc),
                                   ORR_F32(s->sums ? (float)s->unit : 1.0f), ORR_I32((int32_t)n)};
    const struct orr_launch launch = {.kernel = "shan_bpb_n3l_convert",
                                      .groups = {(n + s->block - 1) / s->block},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};

    return shan_kernels_launch(job, &s->kernels, "convert", &launch);
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    int code;

    if ((code = zero(job)) || (code = forces(job)) ||
        ((s->sums || p->forces) && (code = convert(job))))
        return code;
    return orr_phase(job->device, NULL);
}

/* One evaluation serves two ordered pairs. */
static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    const struct state *s = job->state;

    shan_cost(out, &s->device.boxes,
              (p->forces ? PAIR2_FORCES_FLOPS_TRUE : PAIR2_BOTH_FLOPS_TRUE) / 2.0);
    return ORR_OK;
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    struct state *s = job->state;

    return shan_kernels_count(job, &s->kernels, step, out);
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    shan_kernels_release(job, &s->kernels);
    orr_free(job->device, s->sums);
    s->sums = NULL;
    shan_device_release(job);
}

static const struct orr_param params[] = {
    SHAN_COMMON_PARAMS(struct params),
    SHAN_BLOCK_PARAM(struct params),
    {"atomic", ORR_PARAM_CHOICE, offsetof(struct params, atomic), ATOMIC_CAS, 0, 0,
     "cas|native|fixed|none",
     "how counterforces are added: compare and swap (paper's card), the device's float addition, "
     "fixed point, or not atomically, so that forces are wrong"},
    {"order", ORR_PARAM_CHOICE, offsetof(struct params, order), ORDER_SAME, 0, 0, "same|staggered",
     "where threads begin in a neighbour: all at its first body (paper), or each at another one"},
    {"forces", ORR_PARAM_CHOICE, offsetof(struct params, forces), 0, 0, 0, "off|on",
     "what is summed: accelerations, or forces (paper), of which a counterforce is the opposite"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/bpb-n3l",
    .summary =
        "box per block, every pair once for both bodies, with atomic counterforces (section III C)",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_NEAR_FIELD | ORR_THIRD_LAW,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = &source,
    .source_count = 1,
    .build_flags = ORR_BUILD_FLAGS,
    .wrong_on_purpose = "atomic=none",
    .prepare = prepare,
    .upload = shan_device_upload,
    .step = step,
    .fetch = shan_device_fetch,
    .cost = cost,
    .count = count,
    .release = release,
};
