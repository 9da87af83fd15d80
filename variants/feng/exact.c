/* feng/exact: theta = 0, the direct sum on the device, kernels/feng_exact.cl, in single precision or in double. What
 * the tree codes are compared with at sizes that a CPU cannot reach; `theta` is taken, since all of them have it, and
 * changes nothing. */
#include <stdio.h>
#include <string.h>

#include "kernels/feng_exact.h"
#include "kernels/leapfrog.h"
#include "kernels/pair.h"
#include "shared/device.h"

enum precision { SINGLE, DOUBLE };

struct params {
    struct feng_common common;
    int32_t precision; /* enum precision */
    int32_t block, bodies;
};

struct state {
    struct device_bodies device;
    struct orr_program *program;
    size_t block, bodies, vector;
};

static const struct orr_source sources[] = {{"feng_exact", kernel_feng_exact}, {"leapfrog", kernel_leapfrog}};

/* On a GPU as many bodies a thread as still leave every multiprocessor some groups; on a CPU one thread with vectors.
 */
static void choose_shape(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    size_t units = info->compute_units > 0 ? (size_t)info->compute_units : 1;
    int cpu = info->kind == ORR_DEVICE_CPU;

    s->block = p->block ? (size_t)p->block : cpu ? 1 : 128;
    s->vector = !cpu || p->precision == DOUBLE ? 1 : info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;
    s->bodies = p->bodies ? (size_t)p->bodies : p->precision == DOUBLE || cpu ? 2 : 8;
    while (!p->bodies && !cpu && s->bodies > 1 && job->bodies->n / (s->block * s->bodies) < 4 * units)
        s->bodies /= 2;
}

static int check(struct orr_job *job)
{
    const struct state *s = job->state;
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;

    if (p->precision == DOUBLE && !info->fp64)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%s has no double precision: take precision=single", info->id);
    if (info->max_group && s->block > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "block = %zu: %s runs groups of at most %zu threads", s->block, info->id,
                        info->max_group);
    return feng_check(job);
}

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    char defines[96];
    int rc;

    choose_shape(job);
    if ((rc = check(job)) || (rc = feng_device_prepare(job)))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DBODIES=%zu -DVECTOR=%zu -DTILE=%d -DDOUBLE=%d", s->block,
             s->bodies, s->vector, s->block < 128 ? 128 : (int)s->block, p->precision == DOUBLE);
    snprintf(job->note, sizeof job->note, "block %zu, bodies %zu, vector %zu", s->block, s->bodies, s->vector);
    return orr_build(job->device, &s->program, &sources[0], defines);
}

static int forces(struct orr_job *job)
{
    struct state *s = job->state;
    const struct params *p = job->params;
    const float eps = (float)p->common.eps;
    const size_t per_group = s->block * s->bodies * s->vector;
    const struct orr_arg args[] = {ORR_BUF(s->device.body), ORR_BUF(s->device.acc), ORR_F32(eps * eps),
                                   ORR_I32((int32_t)s->device.n)};
    const struct orr_launch launch = {.kernel = "feng_exact",
                                      .groups = {(s->device.n + per_group - 1) / per_group},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int rc = orr_phase(job->device, "ComputeForces");

    return rc ? rc : orr_launch(job->device, s->program, &launch);
}

static int step(struct orr_job *job)
{
    return device_bodies_step(job, forces);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    double n = (double)job->bodies->n;
    int rc = feng_cost(job, out);

    out->interactions = (p->common.steps + 1.0) * n * (n - 1);
    out->flops_convention = out->flops_true = out->interactions * PAIR2_FLOPS_TRUE;
    return rc;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    orr_drop(job->device, s->program);
    s->program = NULL;
    device_bodies_release(job);
}

static const struct orr_param params[] = {
    FENG_COMMON_PARAMS(struct params),
    {"precision", ORR_PARAM_CHOICE, offsetof(struct params, precision), SINGLE, 0, 0, "single|double",
     "of the sums; double needs a device that has it"},
    {"block", ORR_PARAM_INT, offsetof(struct params, block), 0, 0, 1024, NULL, "threads in a group; 0: by the device"},
    {"bodies", ORR_PARAM_INT, offsetof(struct params, bodies), 0, 0, 16, NULL,
     "bodies (or vectors of them) a thread keeps in registers; 0: by the device"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "feng/exact",
    .summary = "theta = 0 without a tree: the direct sum on the device, in single or double precision",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TREE_CODE,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = sources,
    .source_count = sizeof sources / sizeof *sources,
    .prepare = prepare,
    .upload = device_bodies_upload,
    .step = step,
    .fetch = device_bodies_fetch,
    .cost = cost,
    .release = release,
};
