/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "variants/common/host_bodies.h"

enum { ALIGNMENT = 64, ARRAYS = 5 }; /* bytes: one AVX-512 vector, one cache line */

int shan_host_prepare(struct orr_job *job)
{
    struct shan_host *s = job->state;
    int code = shan_boxes_make(&s->boxes, job, SHAN_LIST_FULL);

    if (code)
        return code;
    const size_t padding = SHAN_HOST_PADDING,
                 length = (s->boxes.n + 2 * padding - 1) / padding * padding;
    size_t bytes = ARRAYS * length * sizeof(float);
    s->memory = aligned_alloc(ALIGNMENT, bytes);
    if (!s->memory)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", s->boxes.n);
    memset(s->memory, 0, bytes);
    float **arrays[ARRAYS] = {&s->x, &s->y, &s->mass, &s->ax, &s->ay};
    for (size_t a = 0; a < ARRAYS; a++)
        *arrays[a] = s->memory + a * length;
    return ORR_OK;
}

int shan_host_upload(struct orr_job *job)
{
    struct shan_host *s = job->state;
    const struct orr_bodies *from = job->bodies;
    float most = 0;

#pragma omp parallel for schedule(static) reduction(max     \
                                                    : most) \
    num_threads(host_bodies_threads_for(job, HOST_BODIES_A_THREAD))
    for (size_t k = 0; k < s->boxes.n; k++) {
        const size_t i = s->boxes.order[k];

        s->x[k] = (float)from->pos[0][i];
        s->y[k] = (float)from->pos[1][i];
        s->mass[k] = (float)from->mass[i];
        most = fmaxf(most, fmaxf(fabsf(s->x[k]), fabsf(s->y[k])));
    }
    s->away = 2 * most + 1;
    for (size_t k = s->boxes.n; k < s->boxes.n + SHAN_HOST_PADDING; k++)
        s->x[k] = s->y[k] = s->away;
    return ORR_OK;
}

int shan_host_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct shan_host *s = job->state;

    out->has_phi = 0;
#pragma omp parallel for schedule(static) \
    num_threads(host_bodies_threads_for(job, HOST_BODIES_A_THREAD))
    for (size_t k = 0; k < s->boxes.n; k++) {
        const size_t i = s->boxes.order[k];

        out->acc[0][i] = s->ax[k];
        out->acc[1][i] = s->ay[k];
        out->acc[2][i] = 0.0f;
    }
    return ORR_OK;
}

void shan_host_release(struct orr_job *job)
{
    struct shan_host *s = job->state;

    free(s->memory);
    shan_boxes_release(&s->boxes);
    memset(s, 0, sizeof *s);
}
