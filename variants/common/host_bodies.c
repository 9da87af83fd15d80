/* SPDX-License-Identifier: MIT */
#include "variants/common/host_bodies.h"

#include <stdlib.h>
#include <string.h>

int host_bodies_threads(const struct orr_job *job, int asked)
{
    return asked && asked < job->host->threads ? asked : job->host->threads;
}

int host_bodies_threads_for(const struct orr_job *job, size_t bodies_a_thread)
{
    const size_t most = job->bodies->n / bodies_a_thread + 1;

    return (size_t)job->host->threads < most ? job->host->threads : (int)most;
}

int host_bodies_prepare(struct orr_job *job, const struct host_bodies_kind *kind, int threads,
                        int32_t steps, double dt)
{
    struct host_bodies *b = job->state;
    float **const arrays_of[] = {b->pos, b->vel, b->acc, b->start_pos, b->start_vel, b->low};
    const size_t n = job->bodies->n, padded = (n + HOST_PADDING - 1) / HOST_PADDING * HOST_PADDING;
    const size_t dimensions = (size_t)kind->dimensions;
    const size_t arrays = (kind->pairs ? 6 : 5) * dimensions + 1 + (kind->has_phi != 0);
    float *next = aligned_alloc(HOST_ALIGNMENT, arrays * padded * sizeof(float));

    if (!next)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", n);
    memset(next, 0, arrays * padded * sizeof(float));
    b->kind = kind;
    b->n = n;
    b->padded = padded;
    b->threads = threads;
    b->steps = steps;
    b->dt = (float)dt;
    b->memory = b->mass = next;
    for (int k = 0; k < (kind->pairs ? 6 : 5); k++)
        for (int d = 0; d < kind->dimensions; d++)
            arrays_of[k][d] = next += padded;
    b->phi = kind->has_phi ? next + padded : NULL;
    return ORR_OK;
}

static void host_bodies_rewind(struct host_bodies *b)
{
    for (int d = 0; d < b->kind->dimensions; d++) {
        memcpy(b->pos[d], b->start_pos[d], b->padded * sizeof(float));
        memcpy(b->vel[d], b->start_vel[d], b->padded * sizeof(float));
    }
}

void host_bodies_convert(float *to, const double *from, size_t n, int threads)
{
#pragma omp parallel for simd schedule(static) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static void host_bodies_copy(float *to, const float *from, size_t n, int threads)
{
#pragma omp parallel for simd schedule(static) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

/* Positions about an origin in pairs of floats: together they have 48 bits. */
static void host_bodies_split(float *high, float *low, const double *from, double origin, size_t n,
                              int threads)
{
#pragma omp parallel for simd schedule(static) num_threads(threads) if (threads > 1)
    for (size_t i = 0; i < n; i++) {
        const double x = from[i] - origin;
        high[i] = (float)x;
        low[i] = (float)(x - (double)high[i]);
    }
}

int host_bodies_upload(struct orr_job *job)
{
    struct host_bodies *b = job->state;
    const struct orr_bodies *from = job->bodies;

    const int threads = host_bodies_threads_for(job, HOST_BODIES_A_THREAD);

    for (int d = 0; d < b->kind->dimensions; d++) {
        if (b->kind->pairs)
            host_bodies_split(b->start_pos[d], b->low[d], from->pos[d], from->origin[d], b->n,
                              threads);
        else
            host_bodies_convert(b->start_pos[d], from->pos[d], b->n, threads);
        host_bodies_convert(b->start_vel[d], from->vel[d], b->n, threads);
        for (size_t i = b->n; i < b->padded; i++)
            b->start_pos[d][i] = b->kind->far;
    }
    host_bodies_convert(b->mass, from->mass, b->n, threads);
    host_bodies_rewind(b);
    return ORR_OK;
}

/* Kicks by `closing` and `opening` times the acceleration, and a drift by dt times the velocity:
 * after the kicks, or with Euler's scheme before. */
struct advance {
    float closing, opening, dt;
    int euler;
};

/* A loop for each, which the compiler makes vectors of; what is 0 leaves every bit as it is. */
static void host_bodies_advance_some(float *restrict pos, float *restrict vel,
                                     const float *restrict acc, size_t n, struct advance by)
{
    if (by.euler && by.dt != 0)
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            pos[i] += vel[i] * by.dt;
    if (by.closing != 0)
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            vel[i] += acc[i] * by.closing;
    if (by.opening != 0)
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            vel[i] += acc[i] * by.opening;
    if (!by.euler && by.dt != 0)
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            pos[i] += vel[i] * by.dt;
}

static void host_bodies_advance(struct host_bodies *b, float closing, float opening, float dt)
{
    enum { PART = 1024 }; /* bodies that the first-level cache holds from loop to loop */
    const struct advance by = {closing, opening, dt, b->kind->integrator == INTEGRATOR_EULER};
    const size_t n = b->n;

    for (int d = 0; d < b->kind->dimensions; d++) {
        float *const pos = b->pos[d], *const vel = b->vel[d];
        const float *const acc = b->acc[d];

#pragma omp parallel for schedule(static) num_threads(b->threads) if (b->threads > 1 && n > 4096)
        for (size_t i = 0; i < n; i += PART)
            host_bodies_advance_some(pos + i, vel + i, acc + i, n - i < PART ? n - i : PART, by);
    }
}

static int host_bodies_kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct host_bodies *b = job->state;
    const char *phase = b->kind->update_phase;
    int code = phase ? orr_phase(job->device, phase) : ORR_OK;

    if (!phase)
        orr_stage(job, "update");
    if (!code)
        host_bodies_advance(b, closing, opening, dt);
    if (!phase)
        orr_stage(job, NULL);
    return code;
}

int host_bodies_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct host_bodies *b = job->state;
    const struct leapfrog scheme = {forces, host_bodies_kick_and_drift, b->kind->integrator};

    if (b->steps > 0)
        host_bodies_rewind(b);
    int code = leapfrog_run(job, &scheme, b->steps, b->dt);
    return code || !b->kind->update_phase ? code : orr_phase(job->device, NULL);
}

int host_bodies_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct host_bodies *b = job->state;
    const int threads = host_bodies_threads_for(job, HOST_BODIES_A_THREAD);

    out->has_phi = b->phi != NULL;
    if (b->phi)
        host_bodies_copy(out->phi, b->phi, b->n, threads);
    for (int d = 0; d < b->kind->dimensions; d++) {
        host_bodies_copy(out->acc[d], b->acc[d], b->n, threads);
        if (b->steps > 0) {
            host_bodies_copy(out->pos[d], b->pos[d], b->n, threads);
            host_bodies_copy(out->vel[d], b->vel[d], b->n, threads);
        }
    }
    return ORR_OK;
}

void host_bodies_release(struct orr_job *job)
{
    struct host_bodies *b = job->state;

    free(b->memory);
    memset(b, 0, sizeof *b);
}
