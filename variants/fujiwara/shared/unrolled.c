/* SPDX-License-Identifier: MIT */
#include "unrolled.h"

#include <stdio.h>

#include "kernels/fujiwara_unrolled.h"
#include "kernels/leapfrog.h"
#include "variants/common/j_split.h"

const struct orr_source fuji_unrolled_sources[2] = {{"fujiwara_unrolled", kernel_fujiwara_unrolled},
                                                    {"leapfrog", kernel_leapfrog}};

/* Large groups hide latency on a GPU; a CPU runs the threads of a group one after the other. */
static size_t choose_block(const struct orr_job *job)
{
    const struct fuji_unrolled_params *p = job->params;
    const struct orr_device_info *info = &job->device->info;
    size_t block = info->kind == ORR_DEVICE_CPU ? 32 : 256;

    if (p->block)
        return (size_t)p->block;
    return info->max_group && info->max_group < block ? info->max_group : block;
}

/* On a CPU threads are lanes of its vectors, whose reciprocal roots are quick. Counts are of
 * threads. */
static size_t threads_an_item(const struct orr_job *job)
{
    const struct fuji_unrolled *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    size_t lanes = info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;

    if (info->kind != ORR_DEVICE_CPU || s->flow.counting.totals)
        return 1;
    return s->block % lanes ? 8 : lanes;
}

static int build(struct orr_job *job, void *of)
{
    struct fuji_unrolled *s = job->state;
    char defines[160];

    (void)of;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DVECTOR=%zu -DUNROLL_I=%zu -DUNROLL_J=%zu%s",
             s->block, threads_an_item(job), s->stages_i, s->stages_j,
             s->flow.low ? " -DLOW=1" : "");
    counting_define_bodies(&s->flow.counting, s->flow.n, defines, sizeof defines);
    return orr_build(job->device, &s->program, &fuji_unrolled_sources[0], defines);
}

int fuji_unrolled_prepare(struct orr_job *job, int32_t stages_i, int32_t stages_j)
{
    struct fuji_unrolled *s = job->state;
    size_t n = job->bodies->n, rows;
    int code;

    s->block = choose_block(job);
    s->stages_i = (size_t)stages_i;
    s->stages_j = (size_t)stages_j;
    /* The kernel's loops over j begin and end with the group's own bodies: whole stages for any n.
     */
    if (s->block % 8 || s->block == 0)
        return ORR_FAIL(job, ORR_EUSAGE, "block = %zu: a group has a multiple of 8 threads",
                        s->block);
    snprintf(job->note, sizeof job->note, "block %zu, vector %zu, stages %d x %d", s->block,
             threads_an_item(job), stages_i, stages_j);
    rows = j_split_round_up(n, s->block * s->stages_i);
    code = fuji_flow_prepare(job, rows); /* a multiple of 8, so of stages_j too */
    return code ? code : build(job, NULL);
}

static int forces(struct orr_job *job)
{
    struct fuji_unrolled *s = job->state;
    const struct fuji_common *p = job->params;
    const float eps = (float)p->eps;
    const struct orr_arg args[] = {ORR_BUF(s->flow.body), ORR_BUF(s->flow.acc), ORR_F32(eps * eps),
                                   ORR_I32((int32_t)j_split_round_up(s->flow.n, s->stages_j)),
                                   ORR_BUF(s->flow.low)};
    const struct orr_launch launch = {
        .kernel = "fujiwara_unrolled",
        .groups = {j_split_divide_up(s->flow.n, s->block * s->stages_i)},
        .group = {s->block / threads_an_item(job)},
        .args = args,
        .arg_count = (int)(sizeof args / sizeof *args) - !s->flow.low};
    int code = orr_phase(job->device, "forces");

    return code ? code : counting_launch(job, &s->flow.counting, s->program, &launch);
}

int fuji_unrolled_step(struct orr_job *job)
{
    return fuji_flow_step(job, forces);
}

int fuji_unrolled_count(struct orr_job *job, struct orr_counts *out)
{
    struct fuji_unrolled *s = job->state;

    return fuji_flow_count(job, &s->program, build, fuji_unrolled_step, out);
}

void fuji_unrolled_release(struct orr_job *job)
{
    struct fuji_unrolled *s = job->state;

    orr_drop(job->device, s->program);
    s->program = NULL;
    fuji_flow_release(job);
}
