/* shan/bpb-n3l-free: every near pair once for both bodies, like section III C, without conflicts and without atomics:
 * kernels/shan_n3l_free.cl, with its shape given by parameters, each chosen from the boxes and the device where it is
 * left at 0. */
#include <stdio.h>
#include <string.h>

#include "kernels/pair.h"
#include "kernels/shan_n3l_free.h"
#include "shared/device.h"
#include "shared/group.h"
#include "shared/kernels.h"

enum { ROWS = 5, ADD_GROUP = 64, SUM = 2 * sizeof(float) };
enum rotate { ROTATE_AUTO, ROTATE_SHUFFLE, ROTATE_LOCAL };

struct params {
    struct shan_common common;
    int32_t group, lanes, bodies, vector, unroll, resident; /* 0: by the device */
    int32_t rotate;                                         /* enum rotate */
};

struct state {
    struct shan_device device;
    struct shan_kernels kernels;
    struct orr_buffer *sums; /* ROWS x n float2 */
    size_t group, lanes, bodies, vector, unroll, resident;
    int shuffled;
};

static const struct orr_source source = {"shan_n3l_free", kernel_shan_n3l_free};

static size_t or_else(int32_t chosen, size_t otherwise)
{
    return chosen ? (size_t)chosen : otherwise;
}

static int has_shuffles(const struct orr_device_info *info)
{
    return !strcmp(info->backend, "cuda") || (info->kind == ORR_DEVICE_GPU && strstr(info->vendor, "NVIDIA"));
}

static void choose_shape(struct orr_job *job)
{
    const struct params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    struct state *s = job->state;

    s->vector = or_else(p->vector, 1);
    s->lanes = or_else(p->lanes, 8);
    s->bodies = or_else(p->bodies, 1);
    s->unroll = or_else(p->unroll, 4);
    s->resident = (size_t)p->resident;
    s->shuffled = s->lanes > 1 && (p->rotate == ROTATE_SHUFFLE || (p->rotate == ROTATE_AUTO && has_shuffles(info)));
    s->group = or_else(p->group, s->shuffled ? 64 : s->lanes > 1 ? s->lanes : 1);
}

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    char defines[160];
    size_t bytes;
    int rc = shan_device_prepare(job, SHAN_LIST_FORWARD);

    if (rc)
        return rc;
    choose_shape(job);
    bytes = s->device.boxes.n * ROWS * SUM;
    if ((rc = orr_alloc(job->device, &s->sums, bytes)) || (rc = orr_fill(job->device, s->sums, 0, bytes)))
        return rc;
    snprintf(job->note, sizeof job->note, "lanes %zu x bodies %zu x vector %zu, group %zu, %s", s->lanes, s->bodies,
             s->vector, s->group, s->shuffled ? "shuffles" : "local memory");
    snprintf(defines, sizeof defines,
             "-DLANES=%zu -DBODIES=%zu -DVECTOR=%zu -DGROUP=%zu -DSHUFFLED=%d -DUNROLL_STEPS=%zu -DRESIDENT=%zu "
             "-DADD_GROUP=%d",
             s->lanes, s->bodies, s->vector, s->group, s->shuffled, s->unroll, s->resident, ADD_GROUP);
    return shan_kernels_build(job, &s->kernels, &source, defines);
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct shan_device *d = &s->device;
    const float eps = (float)p->common.eps;
    const int32_t n = (int32_t)d->boxes.n;
    const size_t teams = s->group / s->lanes;
    const struct orr_arg pairs[] = {ORR_BUF(d->body), ORR_BUF(d->start),  ORR_BUF(d->list),               ORR_BUF(s->sums),
                                    ORR_F32(eps * eps), ORR_I32(n), ORR_I32((int32_t)d->boxes.count)};
    const struct orr_arg add[] = {ORR_BUF(s->sums), ORR_BUF(d->acc), ORR_I32(n)};
    int rc = shan_kernels_launch_counted(job, &s->kernels, "forces",
                                         &(struct orr_launch){.kernel = "shan_n3l_free",
                                                              .groups = {(d->boxes.count + teams - 1) / teams},
                                                              .group = {s->group},
                                                              .args = pairs,
                                                              .arg_count = sizeof pairs / sizeof *pairs});
    if (!rc)
        rc = shan_kernels_launch_counted(job, &s->kernels, "add",
                                         &(struct orr_launch){.kernel = "shan_n3l_free_add",
                                                              .groups = {(d->boxes.n + ADD_GROUP - 1) / ADD_GROUP},
                                                              .group = {ADD_GROUP},
                                                              .args = add,
                                                              .arg_count = sizeof add / sizeof *add});
    return rc ? rc : orr_phase(job->device, NULL);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct state *s = job->state;

    shan_cost(out, &s->device.boxes, 0.5 * PAIR2_BOTH_FLOPS_TRUE);
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

#define ROW(name, most, help)                                                       \
    {                                                                               \
#name, ORR_PARAM_INT, offsetof(struct params, name), 0, 0, most, NULL, help \
    }
static const struct orr_param params[] = {
    SHAN_COMMON_PARAMS(struct params),
    ROW(group, 1024, "threads in a group; 0: by the device"),
    ROW(lanes, 32, "threads that share a box: 1 2 4 8 16 32; 0: by the boxes and the device"),
    ROW(bodies, 32, "bodies (or vectors of them) a thread keeps in registers; 0: by the boxes and the device"),
    ROW(vector, 16, "lanes of a thread's vectors, 1 2 4 8 16 (1 on a GPU or with lanes > 1); 0: by the device"),
    ROW(unroll, 32, "steps"),
    ROW(resident, 32, "CUDA"),
    {"rotate", ORR_PARAM_CHOICE, offsetof(struct params, rotate), ROTATE_AUTO, 0, 0, "auto|shuffle|local",
     "how bodies go round among the lanes; auto: by shuffles where the device has them"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/bpb-n3l-free",
    .summary = "every pair once for both bodies without conflicts: bodies go round in registers, sums in rows of their own",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_NEAR_FIELD,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = &source,
    .source_count = 1,
    .prepare = prepare,
    .upload = shan_device_upload,
    .step = step,
    .fetch = shan_device_fetch,
    .cost = cost,
    .count = count,
    .release = release,
};
