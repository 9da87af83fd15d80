#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "variants/leapfrog.h"

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

/* to += by h; h = 0 leaves every bit as it is. */
static void add(float *const to[3], float *const by[3], size_t n, float h)
{
    if (h == 0)
        return;
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < n; i++)
            to[d][i] += by[d][i] * h;
}

static int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct fuji_host *b = job->state;
    int rc = orr_phase(job->device, "kick and drift");

    if (rc)
        return rc;
    add(b->vel, b->acc, b->n, closing);
    add(b->vel, b->acc, b->n, opening);
    add(b->pos, b->vel, b->n, dt);
    return ORR_OK;
}

static int evaluate(struct orr_job *job)
{
    struct fuji_host *b = job->state;
    const struct fuji_common *p = job->params;
    int rc = orr_phase(job->device, "forces");

    if (!rc)
        b->forces(b, (float)p->eps, job->host->threads);
    return rc;
}

int fuji_host_step(struct orr_job *job, fuji_forces *forces)
{
    static const struct leapfrog scheme = {evaluate, kick_and_drift};
    struct fuji_host *b = job->state;
    const struct fuji_common *p = job->params;

    b->forces = forces;
    if (p->steps > 0)
        rewind_to_start(b);
    int rc = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return rc ? rc : orr_phase(job->device, NULL);
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
