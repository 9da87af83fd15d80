/* Bodies in host memory and what the leap-frog scheme (leapfrog.h) does to them, for the variants of every paper that
 * run on the CPU without a device. */
#ifndef VARIANTS_HOST_BODIES_H
#define VARIANTS_HOST_BODIES_H

#include <stdlib.h>
#include <string.h>

#include "harness/variant.h"

enum {
    HOST_ALIGNMENT = 64, /* bytes: one AVX-512 vector, one cache line */
    HOST_PADDING = 64    /* bodies: no register block of vector code is larger */
};

/* Structure of arrays: vector code loads neighbouring bodies with one instruction. */
struct host_bodies {
    size_t n;       /* bodies */
    size_t padded;  /* length of each array; bodies from n on are massless */
    int dimensions; /* 2 or 3: arrays of further axes are NULL */
    float *memory;  /* the one allocation behind all arrays */
    float *pos[3], *vel[3], *acc[3], *mass;
    float *phi;                         /* NULL for a variant without potential */
    float *start_pos[3], *start_vel[3]; /* what was uploaded: every step() begins from it */
};

/* Zeroed arrays for job->bodies. ORR_EMEMORY. */
static inline int host_bodies_make(const struct orr_job *job, struct host_bodies *b, int dimensions, int has_phi)
{
    float **const kinds[] = {b->pos, b->vel, b->acc, b->start_pos, b->start_vel};
    const size_t n = job->bodies->n, padded = (n + HOST_PADDING - 1) / HOST_PADDING * HOST_PADDING;
    const size_t arrays = 5 * (size_t)dimensions + 1 + (has_phi != 0);
    float *next = aligned_alloc(HOST_ALIGNMENT, arrays * padded * sizeof(float));

    if (!next)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", n);
    memset(next, 0, arrays * padded * sizeof(float));
    b->n = n;
    b->padded = padded;
    b->dimensions = dimensions;
    b->memory = b->mass = next;
    for (int kind = 0; kind < 5; kind++)
        for (int d = 0; d < dimensions; d++)
            kinds[kind][d] = next += padded;
    b->phi = has_phi ? next + padded : NULL;
    return ORR_OK;
}

static inline void host_bodies_rewind(struct host_bodies *b)
{
    for (int d = 0; d < b->dimensions; d++) {
        memcpy(b->pos[d], b->start_pos[d], b->padded * sizeof(float));
        memcpy(b->vel[d], b->start_vel[d], b->padded * sizeof(float));
    }
}

/* Takes the input over; what pads the arrays stands at `away` on every axis. */
static inline void host_bodies_upload(const struct orr_job *job, struct host_bodies *b, float away)
{
    const struct orr_bodies *from = job->bodies;

    for (int d = 0; d < b->dimensions; d++) {
        for (size_t i = 0; i < b->n; i++) {
            b->start_pos[d][i] = (float)from->pos[d][i];
            b->start_vel[d][i] = (float)from->vel[d][i];
        }
        for (size_t i = b->n; i < b->padded; i++)
            b->start_pos[d][i] = away;
    }
    for (size_t i = 0; i < b->n; i++)
        b->mass[i] = (float)from->mass[i];
    host_bodies_rewind(b);
}

/* The scheme's kick_and_drift on `threads` threads; a kick of 0 leaves every bit as it is. */
static inline void host_bodies_advance(struct host_bodies *b, float closing, float opening, float dt, int threads)
{
    for (int d = 0; d < b->dimensions; d++) {
        float *const pos = b->pos[d], *const vel = b->vel[d];
        const float *const acc = b->acc[d];
        const size_t n = b->n;

#pragma omp parallel for simd schedule(static) num_threads(threads) if (threads > 1 && n > 4096)
        for (size_t i = 0; i < n; i++) {
            float v = vel[i];
            v = closing != 0 ? v + acc[i] * closing : v;
            v = opening != 0 ? v + acc[i] * opening : v;
            pos[i] = dt != 0 ? pos[i] + v * dt : pos[i];
            vel[i] = v;
        }
    }
}

/* What fetch() hands out; `moved`: with positions and velocities. */
static inline void host_bodies_fetch(const struct host_bodies *b, struct orr_forces *out, int moved)
{
    const size_t bytes = b->n * sizeof(float);

    out->has_phi = b->phi != NULL;
    if (b->phi)
        memcpy(out->phi, b->phi, bytes);
    for (int d = 0; d < b->dimensions; d++) {
        memcpy(out->acc[d], b->acc[d], bytes);
        if (moved) {
            memcpy(out->pos[d], b->pos[d], bytes);
            memcpy(out->vel[d], b->vel[d], bytes);
        }
    }
}

/* Safe on zeroed bodies; leaves them zeroed. */
static inline void host_bodies_release(struct host_bodies *b)
{
    free(b->memory);
    memset(b, 0, sizeof *b);
}

#endif
