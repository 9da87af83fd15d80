/* Bodies in device memory and the leap-frog scheme (leapfrog.h) over them, in the order of the
 * input, for the variants of every paper whose forces are kernels over float4 bodies. */
#ifndef VARIANTS_DEVICE_BODIES_H
#define VARIANTS_DEVICE_BODIES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/leapfrog.h"
#include "variants/leapfrog.h"

enum { DEVICE_FLOAT4 = 4 * sizeof(float), DEVICE_LEAPFROG_BLOCK = 64 };

/* What the papers have of their own. */
struct device_bodies_kind {
    int has_phi;              /* the fourth number of acc is the potential */
    float far;                /* where the massless bodies of the padding are, on every axis */
    const char *start_phase;  /* of going back to where the bodies start; NULL: in no phase */
    const char *update_phase; /* of kicks and drifts */
};

/* First member of the state of such a variant. */
struct device_bodies {
    const struct device_bodies_kind *kind;
    size_t n, padded; /* bodies, and length of body and acc: massless bodies far away from n on */
    int32_t steps;    /* 0: one force evaluation */
    float dt;         /* time step */
    struct orr_buffer *body;      /* float4 x y z mass */
    struct orr_buffer *acc;       /* float4 ax ay az phi */
    struct orr_buffer *velocity;  /* float4 vx vy vz 0; the following exist only when steps > 0 */
    struct orr_buffer *start[2];  /* body and velocity as uploaded: every step() begins from them */
    struct orr_program *leapfrog; /* kernels/leapfrog.cl */
    float *staging;               /* padded float4 in host memory */
};

static inline int device_bodies_prepare_leapfrog(struct orr_job *job)
{
    static const struct orr_source source = {"leapfrog", kernel_leapfrog};
    struct device_bodies *s = job->state;
    char defines[32];
    int rc;

    if ((rc = orr_alloc(job->device, &s->velocity, s->n * DEVICE_FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->start[0], s->padded * DEVICE_FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->start[1], s->n * DEVICE_FLOAT4)))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%d", DEVICE_LEAPFROG_BLOCK);
    return orr_build(job->device, &s->leapfrog, &source, defines);
}

/* Memory for job->bodies and, with steps > 0, what the scheme needs. */
static inline int device_bodies_prepare(struct orr_job *job, const struct device_bodies_kind *kind,
                                        size_t padded, int32_t steps, double dt)
{
    struct device_bodies *s = job->state;
    int rc;

    s->kind = kind;
    s->n = job->bodies->n;
    s->padded = padded;
    s->steps = steps;
    s->dt = (float)dt;
    s->staging = malloc(padded * DEVICE_FLOAT4);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bodies", padded);
    if ((rc = orr_alloc(job->device, &s->body, padded * DEVICE_FLOAT4)) ||
        (rc = orr_alloc(job->device, &s->acc, padded * DEVICE_FLOAT4)))
        return rc;
    return steps > 0 ? device_bodies_prepare_leapfrog(job) : ORR_OK;
}

static inline void device_bodies_pack(float *to, size_t n, double *const from[3],
                                      const double *fourth)
{
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++)
            to[4 * i + (size_t)d] = (float)from[d][i];
        to[4 * i + 3] = fourth ? (float)fourth[i] : 0.0f;
    }
}

/* The members of the plugin contract, for job->state that begins with a struct device_bodies. */
static inline int device_bodies_upload(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    const struct orr_bodies *b = job->bodies;
    int rc;

    device_bodies_pack(s->staging, s->n, b->pos, b->mass);
    for (size_t i = s->n; i < s->padded; i++) {
        for (int d = 0; d < 3; d++)
            s->staging[4 * i + (size_t)d] = s->kind->far;
        s->staging[4 * i + 3] = 0.0f;
    }
    rc = orr_upload(job->device, s->body, s->staging, s->padded * DEVICE_FLOAT4);
    if (rc || s->steps <= 0)
        return rc;
    rc = orr_copy(job->device, s->start[0], s->body, s->padded * DEVICE_FLOAT4);
    if (rc)
        return rc;
    device_bodies_pack(s->staging, s->n, b->vel, NULL);
    return orr_upload(job->device, s->start[1], s->staging, s->n * DEVICE_FLOAT4);
}

/* What kernels/leapfrog.cl says of `closing` and `opening`. */
static inline int device_bodies_kick_and_drift(struct orr_job *job, float closing, float opening,
                                               float dt)
{
    struct device_bodies *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->body), ORR_BUF(s->velocity), ORR_BUF(s->acc), ORR_I32((int32_t)s->n),
        ORR_F32(closing), ORR_F32(opening),     ORR_F32(dt)};
    const struct orr_launch launch = {
        .kernel = "leapfrog",
        .groups = {(s->n + DEVICE_LEAPFROG_BLOCK - 1) / DEVICE_LEAPFROG_BLOCK},
        .group = {DEVICE_LEAPFROG_BLOCK},
        .args = args,
        .arg_count = sizeof args / sizeof *args};
    int rc = orr_phase(job->device, s->kind->update_phase);

    return rc ? rc : orr_launch(job->device, s->leapfrog, &launch);
}

static inline int device_bodies_rewind(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    int rc = s->kind->start_phase ? orr_phase(job->device, s->kind->start_phase) : 0;

    if (!rc)
        rc = orr_copy(job->device, s->body, s->start[0], s->padded * DEVICE_FLOAT4);
    return rc ? rc : orr_copy(job->device, s->velocity, s->start[1], s->n * DEVICE_FLOAT4);
}

/* `forces` queues the kernels that put the accelerations of the bodies in `body` into `acc`. */
static inline int device_bodies_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct device_bodies *s = job->state;
    const struct leapfrog scheme = {forces, device_bodies_kick_and_drift};
    int rc = s->steps > 0 ? device_bodies_rewind(job) : 0;

    if (!rc)
        rc = leapfrog_run(job, &scheme, s->steps, s->dt);
    return rc ? rc : orr_phase(job->device, NULL);
}

/* Downloads n float4 and spreads them over three arrays and, if given, a fourth. */
static inline int device_bodies_unpack(struct orr_job *job, float *const to[3], float *fourth,
                                       struct orr_buffer *from)
{
    struct device_bodies *s = job->state;
    int rc = orr_download(job->device, s->staging, from, s->n * DEVICE_FLOAT4);

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

static inline int device_bodies_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct device_bodies *s = job->state;
    int rc = device_bodies_unpack(job, out->acc, s->kind->has_phi ? out->phi : NULL, s->acc);

    out->has_phi = s->kind->has_phi;
    if (rc || s->steps <= 0)
        return rc;
    rc = device_bodies_unpack(job, out->pos, NULL, s->body);
    return rc ? rc : device_bodies_unpack(job, out->vel, NULL, s->velocity);
}

static inline void device_bodies_release(struct orr_job *job)
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

#endif
