#include "host.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64, /* bytes: one AVX-512 vector, one cache line */
    PADDING = 64,   /* bodies: no register block of vector code is larger */
    ARRAYS = 17     /* 3 pos, 3 vel, 3 acc, phi, mass, 3 + 3 start */
};

int fuji_host_prepare(struct orr_job *job)
{
    struct fuji_host *b = job->state;
    int rc = fuji_check(job);

    if (rc)
        return rc;
    b->n = job->bodies->n;
    b->padded = fuji_round_up(b->n, PADDING);
    b->memory = aligned_alloc(ALIGNMENT, ARRAYS * b->padded * sizeof(float));
    if (!b->memory)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", b->n);
    memset(b->memory, 0, ARRAYS * b->padded * sizeof(float));

    float *next = b->memory;
    float **arrays[ARRAYS] = {&b->phi, &b->mass};
    for (int d = 0; d < 3; d++) {
        arrays[2 + d] = &b->pos[d];
        arrays[5 + d] = &b->vel[d];
        arrays[8 + d] = &b->acc[d];
        arrays[11 + d] = &b->start_pos[d];
        arrays[14 + d] = &b->start_vel[d];
    }
    for (int a = 0; a < ARRAYS; a++, next += b->padded)
        *arrays[a] = next;
    return ORR_OK;
}

static void rewind_to_start(struct fuji_host *b)
{
    for (int d = 0; d < 3; d++) {
        memcpy(b->pos[d], b->start_pos[d], b->padded * sizeof(float));
        memcpy(b->vel[d], b->start_vel[d], b->padded * sizeof(float));
    }
}

int fuji_host_upload(struct orr_job *job)
{
    struct fuji_host *b = job->state;
    const struct orr_bodies *from = job->bodies;

    for (int d = 0; d < 3; d++) {
        for (size_t i = 0; i < b->n; i++) {
            b->start_pos[d][i] = (float)from->pos[d][i];
            b->start_vel[d][i] = (float)from->vel[d][i];
        }
        for (size_t i = b->n; i < b->padded; i++)
            b->start_pos[d][i] = FUJI_FAR;
    }
    for (size_t i = 0; i < b->n; i++)
        b->mass[i] = (float)from->mass[i];
    rewind_to_start(b);
    return ORR_OK;
}

/* v += a h */
static void kick(struct fuji_host *b, float h)
{
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < b->n; i++)
            b->vel[d][i] += b->acc[d][i] * h;
}

/* x += v h */
static void drift(struct fuji_host *b, float h)
{
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < b->n; i++)
            b->pos[d][i] += b->vel[d][i] * h;
}

/* Section III: eq. 1 (half kick), eq. 2 (x + v dt + a dt^2 / 2 is x + v_half dt), forces, eq. 3 (half kick). */
int fuji_host_step(struct orr_job *job, fuji_forces *forces)
{
    struct fuji_host *b = job->state;
    const struct fuji_common *p = job->params;
    float eps = (float)p->eps, dt = (float)p->dt;
    int rc = 0;

    if (p->steps > 0)
        rewind_to_start(b);
    rc = orr_phase(job->device, "forces");
    if (rc)
        return rc;
    forces(b, eps, job->host->threads);
    for (int32_t s = 0; s < p->steps; s++) {
        rc = orr_phase(job->device, "kick and drift");
        if (rc)
            return rc;
        kick(b, 0.5f * dt);
        drift(b, dt);
        rc = orr_phase(job->device, "forces");
        if (rc)
            return rc;
        forces(b, eps, job->host->threads);
        kick(b, 0.5f * dt);
    }
    return orr_phase(job->device, NULL);
}

int fuji_host_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct fuji_host *b = job->state;
    const struct fuji_common *p = job->params;
    size_t bytes = b->n * sizeof(float);

    memcpy(out->phi, b->phi, bytes);
    out->has_phi = 1;
    for (int d = 0; d < 3; d++) {
        memcpy(out->acc[d], b->acc[d], bytes);
        if (p->steps > 0) {
            memcpy(out->pos[d], b->pos[d], bytes);
            memcpy(out->vel[d], b->vel[d], bytes);
        }
    }
    return ORR_OK;
}

void fuji_host_release(struct orr_job *job)
{
    struct fuji_host *b = job->state;

    free(b->memory);
    memset(b, 0, sizeof *b);
}
