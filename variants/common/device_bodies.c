#include "variants/common/device_bodies.h"

#include <stdio.h>
#include <string.h>

#include "kernels/leapfrog.h"
#include "variants/common/host_bodies.h"

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
    if ((code = orr_alloc(job->device, &s->body, padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->acc, padded * DEVICE_FLOAT4)))
        return code;
    return steps > 0 ? device_bodies_prepare_leapfrog(job) : ORR_OK;
}

/* What a piece is made of; beyond n `far` on every axis, and 0. */
struct packing {
    size_t n;
    int threads;
    float far;
    double *const *from;
    const double *fourth; /* NULL: 0 */
};

static int device_bodies_pack(void *context, void *memory, size_t first, size_t bytes)
{
    const struct packing *p = context;
    const size_t begin = first / DEVICE_FLOAT4, end = begin + bytes / DEVICE_FLOAT4,
                 bodies = end < p->n ? end : p->n;
    float *const to = memory;

#pragma omp parallel for simd schedule(static) num_threads(p->threads) if (p->threads > 1)
    for (size_t i = begin; i < bodies; i++) {
        float *const body = to + 4 * (i - begin);
        body[0] = (float)p->from[0][i];
        body[1] = (float)p->from[1][i];
        body[2] = (float)p->from[2][i];
        body[3] = p->fourth ? (float)p->fourth[i] : 0.0f;
    }
    for (size_t i = begin > p->n ? begin : p->n; i < end; i++) {
        float *const body = to + 4 * (i - begin);
        body[0] = body[1] = body[2] = p->far;
        body[3] = 0.0f;
    }
    return ORR_OK;
}

int device_bodies_upload(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    const struct orr_bodies *b = job->bodies;
    const int threads = host_bodies_threads_for(job, HOST_BODIES_A_THREAD);
    struct packing bodies = {s->n, threads, s->kind->far, b->pos, b->mass},
                   velocities = {s->n, threads, 0, b->vel, NULL};
    int code =
        orr_send(job->device, s->body, s->padded * DEVICE_FLOAT4, device_bodies_pack, &bodies);
    if (code || s->steps <= 0)
        return code;
    code = orr_copy(job->device, s->start[0], s->body, s->padded * DEVICE_FLOAT4);
    if (code)
        return code;
    return orr_send(job->device, s->start[1], s->n * DEVICE_FLOAT4, device_bodies_pack,
                    &velocities);
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

/* Where a piece is spread to. */
struct unpacking {
    int threads;
    float *const *to;
    float *fourth; /* NULL: left out */
};

static int device_bodies_spread(void *context, void *memory, size_t first, size_t bytes)
{
    const struct unpacking *u = context;
    const size_t begin = first / DEVICE_FLOAT4, end = begin + bytes / DEVICE_FLOAT4;
    const float *const from = memory;

#pragma omp parallel for simd schedule(static) num_threads(u->threads) if (u->threads > 1)
    for (size_t i = begin; i < end; i++) {
        const float *const body = from + 4 * (i - begin);
        u->to[0][i] = body[0];
        u->to[1][i] = body[1];
        u->to[2][i] = body[2];
        if (u->fourth)
            u->fourth[i] = body[3];
    }
    return ORR_OK;
}

/* Downloads n float4 and spreads them over three arrays and, if given, a fourth. */
static int device_bodies_unpack(struct orr_job *job, float *const to[3], float *fourth,
                                struct orr_buffer *from)
{
    const struct device_bodies *s = job->state;
    struct unpacking u = {host_bodies_threads_for(job, HOST_BODIES_A_THREAD), to, fourth};

    return orr_receive(job->device, from, s->n * DEVICE_FLOAT4, device_bodies_spread, &u);
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
    memset(s, 0, sizeof *s);
}
