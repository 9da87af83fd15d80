#include "variants/common/device_bodies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/leapfrog.h"

enum { LEAPFROG_BLOCK = 64 };

static int device_bodies_prepare_leapfrog(struct orr_job *job)
{
    static const struct orr_source source = {"leapfrog", kernel_leapfrog};
    struct device_bodies *s = job->state;
    char defines[48];
    int code;

    if ((code = orr_alloc(job->device, &s->velocity, s->n * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->start[0], s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->start[1], s->n * DEVICE_FLOAT4)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%d -DEULER=%d", LEAPFROG_BLOCK,
             s->kind->integrator == INTEGRATOR_EULER);
    return orr_build(job->device, &s->leapfrog, &source, defines);
}

int device_bodies_prepare(struct orr_job *job, const struct device_bodies_kind *kind, size_t padded,
                          int32_t steps, double dt)
{
    struct device_bodies *s = job->state;
    int code;

    s->kind = kind;
    s->n = job->bodies->n;
    s->padded = padded;
    s->steps = steps;
    s->dt = (float)dt;
    s->staging = malloc(padded * DEVICE_FLOAT4);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bodies", padded);
    if ((code = orr_alloc(job->device, &s->body, padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->acc, padded * DEVICE_FLOAT4)))
        return code;
    return steps > 0 ? device_bodies_prepare_leapfrog(job) : ORR_OK;
}

static void device_bodies_pack(float *to, size_t n, double *const from[3], const double *fourth)
{
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++)
            to[4 * i + (size_t)d] = (float)from[d][i];
        to[4 * i + 3] = fourth ? (float)fourth[i] : 0.0f;
    }
}

int device_bodies_upload(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    const struct orr_bodies *b = job->bodies;
    int code;

    device_bodies_pack(s->staging, s->n, b->pos, b->mass);
    for (size_t i = s->n; i < s->padded; i++) {
        for (int d = 0; d < 3; d++)
            s->staging[4 * i + (size_t)d] = s->kind->far;
        s->staging[4 * i + 3] = 0.0f;
    }
    code = orr_upload(job->device, s->body, s->staging, s->padded * DEVICE_FLOAT4);
    if (code || s->steps <= 0)
        return code;
    code = orr_copy(job->device, s->start[0], s->body, s->padded * DEVICE_FLOAT4);
    if (code)
        return code;
    device_bodies_pack(s->staging, s->n, b->vel, NULL);
    return orr_upload(job->device, s->start[1], s->staging, s->n * DEVICE_FLOAT4);
}

/* What kernels/leapfrog.cl says of `closing` and `opening`. */
static int device_bodies_kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct device_bodies *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->body), ORR_BUF(s->velocity), ORR_BUF(s->acc), ORR_I32((int32_t)s->n),
        ORR_F32(closing), ORR_F32(opening),     ORR_F32(dt)};
    const struct orr_launch launch = {.kernel = "leapfrog",
                                      .groups = {(s->n + LEAPFROG_BLOCK - 1) / LEAPFROG_BLOCK},
                                      .group = {LEAPFROG_BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, s->kind->update_phase);

    return code ? code : orr_launch(job->device, s->leapfrog, &launch);
}

static int device_bodies_rewind(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    int code = s->kind->start_phase ? orr_phase(job->device, s->kind->start_phase) : 0;

    if (!code)
        code = orr_copy(job->device, s->body, s->start[0], s->padded * DEVICE_FLOAT4);
    return code ? code : orr_copy(job->device, s->velocity, s->start[1], s->n * DEVICE_FLOAT4);
}

int device_bodies_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct device_bodies *s = job->state;
    const struct leapfrog scheme = {forces, device_bodies_kick_and_drift, s->kind->integrator};
    int code = s->steps > 0 ? device_bodies_rewind(job) : 0;

    if (!code)
        code = leapfrog_run(job, &scheme, s->steps, s->dt);
    return code ? code : orr_phase(job->device, NULL);
}

/* Downloads n float4 and spreads them over three arrays and, if given, a fourth. */
static int device_bodies_unpack(struct orr_job *job, float *const to[3], float *fourth,
                                struct orr_buffer *from)
{
    struct device_bodies *s = job->state;
    int code = orr_download(job->device, s->staging, from, s->n * DEVICE_FLOAT4);

    if (code)
        return code;
    for (size_t i = 0; i < s->n; i++) {
        for (int d = 0; d < 3; d++)
            to[d][i] = s->staging[4 * i + (size_t)d];
        if (fourth)
            fourth[i] = s->staging[4 * i + 3];
    }
    return ORR_OK;
}

int device_bodies_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct device_bodies *s = job->state;
    int code = device_bodies_unpack(job, out->acc, s->kind->has_phi ? out->phi : NULL, s->acc);

    out->has_phi = s->kind->has_phi;
    if (code || s->steps <= 0)
        return code;
    code = device_bodies_unpack(job, out->pos, NULL, s->body);
    return code ? code : device_bodies_unpack(job, out->vel, NULL, s->velocity);
}

void device_bodies_release(struct orr_job *job)
{
    struct device_bodies *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->acc);
    orr_free(job->device, s->velocity);
    orr_free(job->device, s->start[0]);
    orr_free(job->device, s->start[1]);
    orr_drop(job->device, s->leapfrog);
    free(s->staging);
    memset(s, 0, sizeof *s);
}
