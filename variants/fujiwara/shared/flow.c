/* SPDX-License-Identifier: MIT */
#include "flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pair.h"

static const struct fuji_common *common(const struct orr_job *job)
{
    return job->params;
}

static bool has_pairs(const struct orr_job *job)
{
    return common(job)->positions == POSITIONS_PAIRS;
}

static int on_device_prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kind = {
        .has_phi = 1, .far = PAIR_FAR, .update_phase = "kick and drift"};
    struct fuji_flow *s = job->state;
    int code = device_bodies_prepare(job, &kind, s->padded, common(job)->steps, common(job)->dt);

    if (!code && has_pairs(job))
        code = device_bodies_prepare_low(job, 0);
    s->low = s->bodies.device.low;
    s->body = s->bodies.device.body;
    s->acc = s->bodies.device.acc;
    return code;
}

/* The padding goes to the device once: steps send the bodies alone. */
static int send_padding(struct orr_job *job)
{
    struct fuji_flow *s = job->state;

    for (size_t i = 0; i < s->padded; i++) {
        for (size_t d = 0; d < 3; d++)
            s->staging[4 * i + d] = PAIR_FAR;
        s->staging[4 * i + 3] = 0.0f;
    }
    return orr_upload(job->device, s->body, s->staging, s->padded * DEVICE_FLOAT4);
}

static int on_host_prepare(struct orr_job *job)
{
    /* Kicks and drifts are a stage; one thread does them, as in the paper. */
    static const struct host_bodies_kind kinds[] = {
        {.dimensions = 3, .has_phi = 1, .far = PAIR_FAR},
        {.dimensions = 3, .has_phi = 1, .far = PAIR_FAR, .pairs = 1}};
    struct fuji_flow *s = job->state;
    int code = host_bodies_prepare(job, &kinds[common(job)->positions], 1, common(job)->steps,
                                   common(job)->dt);

    if (code)
        return code;
    s->staging = malloc(s->padded * DEVICE_FLOAT4);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bodies", s->padded);
    if ((code = orr_alloc(job->device, &s->body, s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->acc, s->padded * DEVICE_FLOAT4)) ||
        (has_pairs(job) && ((code = orr_alloc(job->device, &s->low, s->padded * DEVICE_FLOAT4)) ||
                            (code = orr_fill(job->device, s->low, 0, s->padded * DEVICE_FLOAT4)))))
        return code;
    return send_padding(job);
}

int fuji_flow_prepare(struct orr_job *job, size_t padded)
{
    struct fuji_flow *s = job->state;
    int code = fuji_check(job);

    if (code)
        return code;
    s->on_host = common(job)->integrate == FUJI_ON_HOST;
    s->n = job->bodies->n;
    s->padded = padded;
    if (s->on_host && orr_ranks_size(job->ranks) > 1)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "integrate=host sends all bodies to one device; ranks take "
                        "integrate=device");
    return s->on_host ? on_host_prepare(job) : on_device_prepare(job);
}

int fuji_flow_upload(struct orr_job *job)
{
    const struct fuji_flow *s = job->state;

    return s->on_host ? host_bodies_upload(job) : device_bodies_upload(job);
}

static void pack(struct fuji_flow *s, float *const columns[3])
{
    const struct host_bodies *b = &s->bodies.host;

    for (size_t i = 0; i < s->n; i++) {
        for (int d = 0; d < 3; d++)
            s->staging[4 * i + (size_t)d] = columns[d][i];
        s->staging[4 * i + 3] = b->mass[i];
    }
}

static void unpack(struct fuji_flow *s)
{
    struct host_bodies *b = &s->bodies.host;

    for (size_t i = 0; i < s->n; i++) {
        for (int d = 0; d < 3; d++)
            b->acc[d][i] = s->staging[4 * i + (size_t)d];
        b->phi[i] = s->staging[4 * i + 3];
    }
}

static int send_columns(struct orr_job *job, struct orr_buffer *to, float *const columns[3])
{
    struct fuji_flow *s = job->state;

    orr_stage(job, "pack");
    pack(s, columns);
    orr_stage(job, NULL);
    int code = orr_phase(job->device, "send bodies");
    return code ? code : orr_upload(job->device, to, s->staging, s->n * DEVICE_FLOAT4);
}

static int send(struct orr_job *job)
{
    struct fuji_flow *s = job->state;
    int code = send_columns(job, s->body, s->bodies.host.pos);

    return code || !s->low ? code : send_columns(job, s->low, s->bodies.host.low);
}

static int read_back(struct orr_job *job)
{
    struct fuji_flow *s = job->state;
    int code = orr_phase(job->device, "read accelerations");

    if (code || (code = orr_download(job->device, s->staging, s->acc, s->n * DEVICE_FLOAT4)) ||
        (code = orr_phase(job->device, NULL)))
        return code;
    orr_stage(job, "unpack");
    unpack(s);
    orr_stage(job, NULL);
    return ORR_OK;
}

/* Accelerations of the bodies on the host. */
static int evaluate(struct orr_job *job)
{
    const struct fuji_flow *s = job->state;
    int code = send(job);

    if (!code)
        code = s->forces(job);
    return code ? code : read_back(job);
}

int fuji_flow_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct fuji_flow *s = job->state;

    if (!s->on_host)
        return device_bodies_step(job, forces);
    s->forces = forces;
    return host_bodies_step(job, evaluate);
}

int fuji_flow_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct fuji_flow *s = job->state;

    return s->on_host ? host_bodies_fetch(job, out) : device_bodies_fetch(job, out);
}

struct one_sided_task fuji_flow_one_sided(const struct orr_job *job)
{
    const struct fuji_flow *s = job->state;

    return (struct one_sided_task){.dimensions = 3,
                                   .eps = common(job)->eps,
                                   .pairs = has_pairs(job),
                                   .counting = &s->counting,
                                   .sums = "forces",
                                   .shares = "reduce",
                                   .note = ""};
}

int fuji_flow_count(struct orr_job *job, struct orr_program **program,
                    int (*build)(struct orr_job *job, void *of), int (*step)(struct orr_job *job),
                    struct orr_counts *out)
{
    struct fuji_flow *s = job->state;

    return counting_run(job, &s->counting,
                        &(struct counting_build){.procedures = one_sided_procedures,
                                                 .programs = {program},
                                                 .build = build,
                                                 .step = step},
                        out);
}

void fuji_flow_release(struct orr_job *job)
{
    struct fuji_flow *s = job->state;

    if (s->on_host) {
        orr_free(job->device, s->body);
        orr_free(job->device, s->low);
        orr_free(job->device, s->acc);
        free(s->staging);
        host_bodies_release(job);
    } else {
        device_bodies_release(job);
    }
    memset(s, 0, sizeof *s);
}
