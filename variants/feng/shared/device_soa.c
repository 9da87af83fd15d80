/* SPDX-License-Identifier: MIT */
#include "device_soa.h"

#include <stdio.h>
#include <string.h>

#include "kernels/feng_update.h"
#include "variants/common/device_columns.h"

static const struct feng_common *common(const struct orr_job *job)
{
    return job->params;
}

static int32_t steps(const struct orr_job *job)
{
    return common(job)->steps;
}

/* `count` buffers of n floats. */
static int allocate(struct orr_job *job, struct orr_buffer **buffers, int count, size_t n)
{
    int code = 0;

    for (int k = 0; k < count && !code; k++)
        code = orr_alloc(job->device, &buffers[k], n * sizeof(float));
    return code;
}

int feng_soa_prepare(struct orr_job *job, size_t room, size_t update_block)
{
    static const struct orr_source source = {"feng_update", kernel_feng_update};
    struct feng_soa *s = job->state;
    char defines[48];
    int code;

    s->n = job->bodies->n;
    s->room = room;
    s->update_block = update_block;
    if ((code = allocate(job, s->pos, 2, room)) || (code = allocate(job, &s->mass, 1, room)) ||
        (code = allocate(job, s->acc, 2, s->n)) || steps(job) <= 0)
        return code;
    if ((code = allocate(job, s->vel, 2, s->n)) || (code = allocate(job, s->start, 4, s->n)))
        return code;
    snprintf(defines, sizeof defines, "-DUPDATE_BLOCK=%zu -DEULER=%d", update_block,
             common(job)->integrator == INTEGRATOR_EULER);
    return orr_build(job->device, &s->update, &source, defines);
}

int feng_soa_grow(struct orr_job *job, size_t room)
{
    struct feng_soa *s = job->state;
    struct orr_buffer **arrays[] = {&s->pos[0], &s->pos[1], &s->mass};
    int code = 0;

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && !code; k++) {
        struct orr_buffer *larger = NULL;

        code = orr_alloc(job->device, &larger, room * sizeof(float));
        if (!code)
            code = orr_copy(job->device, larger, *arrays[k], s->n * sizeof(float));
        orr_free(job->device, code ? larger : *arrays[k]);
        if (!code)
            *arrays[k] = larger;
    }
    if (!code)
        s->room = room;
    return code;
}

int feng_soa_upload(struct orr_job *job)
{
    struct feng_soa *s = job->state;
    const struct orr_bodies *b = job->bodies;
    int code = device_column_upload(job, s->mass, b->mass);

    for (int d = 0; d < 2 && !code; d++) {
        code = device_column_upload(job, steps(job) > 0 ? s->start[d] : s->pos[d], b->pos[d]);
        if (!code && steps(job) > 0)
            code = device_column_upload(job, s->start[2 + d], b->vel[d]);
    }
    return code;
}

static int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct feng_soa *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->pos[0]), ORR_BUF(s->pos[1]), ORR_BUF(s->vel[0]),     ORR_BUF(s->vel[1]),
        ORR_BUF(s->acc[0]), ORR_BUF(s->acc[1]), ORR_I32((int32_t)s->n), ORR_F32(closing),
        ORR_F32(opening),   ORR_F32(dt)};
    const struct orr_launch launch = {.kernel = "feng_update",
                                      .groups = {feng_groups(s->n, s->update_block)},
                                      .group = {s->update_block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, "Update");

    return code ? code : orr_launch(job->device, s->update, &launch);
}

int feng_soa_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct feng_soa *s = job->state;
    const struct feng_common *p = common(job);
    const struct leapfrog scheme = {forces, kick_and_drift, (enum integrator)p->integrator};
    const size_t bytes = s->n * sizeof(float);
    int code = 0;

    for (int d = 0; d < 2 && !code && p->steps > 0; d++) {
        code = orr_copy(job->device, s->pos[d], s->start[d], bytes);
        if (!code)
            code = orr_copy(job->device, s->vel[d], s->start[2 + d], bytes);
    }
    if (!code)
        code = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return code ? code : orr_phase(job->device, NULL);
}

int feng_soa_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct feng_soa *s = job->state;
    int code = device_columns_download(job, out->acc, s->acc);

    out->has_phi = 0;
    if (code || steps(job) <= 0)
        return code;
    code = device_columns_download(job, out->pos, s->pos);
    return code ? code : device_columns_download(job, out->vel, s->vel);
}

void feng_soa_release(struct orr_job *job)
{
    struct feng_soa *s = job->state;

    for (int d = 0; d < 2; d++) {
        orr_free(job->device, s->pos[d]);
        orr_free(job->device, s->acc[d]);
        orr_free(job->device, s->vel[d]);
    }
    for (int k = 0; k < 4; k++)
        orr_free(job->device, s->start[k]);
    orr_free(job->device, s->mass);
    orr_drop(job->device, s->update);
    memset(s, 0, sizeof *s);
}
