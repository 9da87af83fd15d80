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
    struct fuji_device *s = job->state;
    char defines[32];
    int rc;

    if ((rc = orr_alloc(job->device, &s->velocity, s->n * FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->start[0], s->padded * FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->start[1], s->n * FLOAT4)))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%d", LEAPFROG_BLOCK);
    return orr_build(job->device, &s->leapfrog, &source, defines);
}

int fuji_device_prepare(struct orr_job *job, size_t padded)
{
    struct fuji_device *s = job->state;
    const struct fuji_common *p = job->params;
    int rc = fuji_check(job);

    if (rc)
        return rc;
    s->n = job->bodies->n;
    s->padded = padded;
    s->staging = malloc(padded * FLOAT4);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bodies", padded);
    if ((rc = orr_alloc(job->device, &s->body, padded * FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->acc, padded * FLOAT4)))
        return rc;
    return p->steps > 0 ? prepare_integration(job) : ORR_OK;
}

static void pack(float *to, size_t n, double *const from[3], const double *fourth)
{
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++)
            to[4 * i + (size_t)d] = (float)from[d][i];
        to[4 * i + 3] = fourth ? (float)fourth[i] : 0.0f;
    }
}

int fuji_device_upload(struct orr_job *job)
{
    struct fuji_device *s = job->state;
    const struct orr_bodies *b = job->bodies;
    const struct fuji_common *p = job->params;
    int rc;

    pack(s->staging, s->n, b->pos, b->mass);
    for (size_t i = s->n; i < s->padded; i++) {
        for (int d = 0; d < 3; d++)
            s->staging[4 * i + (size_t)d] = FUJI_FAR;
        s->staging[4 * i + 3] = 0.0f;
    }
    if (p->steps == 0)
        return orr_upload(job->device, s->body, s->staging, s->padded * FLOAT4);
    rc = orr_upload(job->device, s->start[0], s->staging, s->padded * FLOAT4);
    if (rc)
        return rc;
    pack(s->staging, s->n, b->vel, NULL);
    return orr_upload(job->device, s->start[1], s->staging, s->n * FLOAT4);
}

/* What kernels/leapfrog.cl says of `closing` and `opening`. */
static int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct fuji_device *s = job->state;
    const struct orr_arg args[] = {ORR_BUF(s->body), ORR_BUF(s->velocity), ORR_BUF(s->acc), ORR_I32((int32_t)s->n),
                                   ORR_F32(closing), ORR_F32(opening),     ORR_F32(dt)};
    const struct orr_launch launch = {.kernel = "leapfrog",
                                      .groups = {fuji_divide_up(s->n, LEAPFROG_BLOCK)},
                                      .group = {LEAPFROG_BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int rc = orr_phase(job->device, "kick and drift");

    return rc ? rc : orr_launch(job->device, s->leapfrog, &launch);
}

int fuji_device_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct fuji_device *s = job->state;
    const struct fuji_common *p = job->params;
    const struct leapfrog scheme = {forces, kick_and_drift};
    int rc = 0;

    if (p->steps > 0 && ((rc = orr_copy(job->device, s->body, s->start[0], s->padded * FLOAT4)) ||
                         (rc = orr_copy(job->device, s->velocity, s->start[1], s->n * FLOAT4))))
        return rc;
    rc = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return rc ? rc : orr_phase(job->device, NULL);
}

/* Downloads n float4 and spreads them over three arrays and, if given, a fourth. */
static int unpack(struct orr_job *job, float *const to[3], float *fourth, struct orr_buffer *from)
{
    struct fuji_device *s = job->state;
    int rc = orr_download(job->device, s->staging, from, s->n * FLOAT4);

    if (rc)
        return rc;
    for (size_t i = 0; i < s->n; i++) {
        for (int d = 0; d < 3; d++)
            to[d][i] = s->staging[4 * i + (size_t)d];
        if (fourth)
            fourth[i] = s->staging[4 * i + 3];
    }
    return ORR_OK;
}

int fuji_device_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct fuji_device *s = job->state;
    const struct fuji_common *p = job->params;
    int rc = unpack(job, out->acc, out->phi, s->acc);

    out->has_phi = 1;
    if (rc || p->steps == 0)
        return rc;
    rc = unpack(job, out->pos, NULL, s->body);
    return rc ? rc : unpack(job, out->vel, NULL, s->velocity);
}

void fuji_device_release(struct orr_job *job)
{
    struct fuji_device *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->acc);
    orr_free(job->device, s->velocity);
    orr_free(job->device, s->start[0]);
    orr_free(job->device, s->start[1]);
    orr_drop(job->device, s->leapfrog);
    free(s->staging);
    memset(s, 0, sizeof *s);
}
