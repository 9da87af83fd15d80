#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/leapfrog.h"
#include "variants/leapfrog.h"

enum { FLOAT4 = 4 * sizeof(float), LEAPFROG_BLOCK = 64 };

static int prepare_integration(struct orr_job *job)
{
    static const struct orr_source source = {"leapfrog", kernel_leapfrog};
    struct feng_device *s = job->state;
    char defines[32];
    int rc;

    if ((rc = orr_alloc(job->device, &s->velocity, s->n * FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->start[0], s->n * FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->start[1], s->n * FLOAT4)))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%d", LEAPFROG_BLOCK);
    return orr_build(job->device, &s->leapfrog, &source, defines);
}

int feng_device_prepare(struct orr_job *job)
{
    struct feng_device *s = job->state;
    const struct feng_common *p = job->params;
    int rc = feng_check(job);

    if (rc)
        return rc;
    s->n = job->bodies->n;
    s->staging = malloc(s->n * FLOAT4);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bodies", s->n);
    if ((rc = orr_alloc(job->device, &s->body, s->n * FLOAT4)) || (rc = orr_alloc(job->device, &s->acc, s->n * FLOAT4)))
        return rc;
    return p->steps > 0 ? prepare_integration(job) : ORR_OK;
}

static int send(struct orr_job *job, struct orr_buffer *to, double *const from[3], const double *fourth)
{
    struct feng_device *s = job->state;

    for (size_t i = 0; i < s->n; i++) {
        float *row = s->staging + 4 * i;
        row[0] = (float)from[0][i];
        row[1] = (float)from[1][i];
        row[2] = 0.0f;
        row[3] = fourth ? (float)fourth[i] : 0.0f;
    }
    return orr_upload(job->device, to, s->staging, s->n * FLOAT4);
}

int feng_device_upload(struct orr_job *job)
{
    struct feng_device *s = job->state;
    const struct orr_bodies *b = job->bodies;
    int rc = send(job, s->body, b->pos, b->mass);

    if (rc || !s->velocity)
        return rc;
    rc = orr_copy(job->device, s->start[0], s->body, s->n * FLOAT4);
    return rc ? rc : send(job, s->start[1], b->vel, NULL);
}

/* What kernels/leapfrog.cl says of `closing` and `opening`. */
static int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct feng_device *s = job->state;
    const struct orr_arg args[] = {ORR_BUF(s->body), ORR_BUF(s->velocity), ORR_BUF(s->acc), ORR_I32((int32_t)s->n),
                                   ORR_F32(closing), ORR_F32(opening),     ORR_F32(dt)};
    const struct orr_launch launch = {.kernel = "leapfrog",
                                      .groups = {(s->n + LEAPFROG_BLOCK - 1) / LEAPFROG_BLOCK},
                                      .group = {LEAPFROG_BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int rc = orr_phase(job->device, "Update");

    return rc ? rc : orr_launch(job->device, s->leapfrog, &launch);
}

int feng_device_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct feng_device *s = job->state;
    const struct feng_common *p = job->params;
    const struct leapfrog scheme = {forces, kick_and_drift};
    int rc = 0;

    if (p->steps > 0 &&
        ((rc = orr_phase(job->device, "Setup")) || (rc = orr_copy(job->device, s->body, s->start[0], s->n * FLOAT4)) ||
         (rc = orr_copy(job->device, s->velocity, s->start[1], s->n * FLOAT4))))
        return rc;
    rc = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return rc ? rc : orr_phase(job->device, NULL);
}

static int receive(struct orr_job *job, float *const to[3], struct orr_buffer *from)
{
    struct feng_device *s = job->state;
    int rc = orr_download(job->device, s->staging, from, s->n * FLOAT4);

    for (size_t i = 0; i < s->n && !rc; i++)
        for (size_t d = 0; d < 3; d++)
            to[d][i] = s->staging[4 * i + d];
    return rc;
}

int feng_device_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct feng_device *s = job->state;
    int rc = receive(job, out->acc, s->acc);

    out->has_phi = 0;
    if (!rc && s->velocity && !(rc = receive(job, out->pos, s->body)))
        rc = receive(job, out->vel, s->velocity);
    return rc;
}

void feng_device_release(struct orr_job *job)
{
    struct feng_device *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->acc);
    orr_free(job->device, s->velocity);
    orr_free(job->device, s->start[0]);
    orr_free(job->device, s->start[1]);
    orr_drop(job->device, s->leapfrog);
    free(s->staging);
    memset(s, 0, sizeof *s);
}
