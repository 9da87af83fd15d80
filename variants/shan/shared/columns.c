/* SPDX-License-Identifier: MIT */
#include "columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/boxes.h"
#include "variants/common/host_bodies.h"

enum {
    ARRAYS = 5,
    MOST_BODIES = 128, /* in a box: beyond, the lists of the other way are long enough */
    SPARE = 8          /* at most one slot in so many is left empty */
};

static int suits(const struct shan_boxes *boxes)
{
    const uint64_t slots = (uint64_t)boxes->count * boxes->most;

    return boxes->count >= SHAN_COLUMNS_PADDING * SHAN_COLUMNS_PADDING &&
           boxes->most <= MOST_BODIES && slots - boxes->n <= slots / SPARE;
}

int shan_columns_prepare(struct shan_columns *s, const struct orr_job *job,
                         const struct shan_boxes *boxes)
{
    *s = (struct shan_columns){0};
    if (!suits(boxes))
        return ORR_OK;
    s->side = 1u << __builtin_ctz(boxes->count) / 2;
    s->most = boxes->most;
    s->width = s->side + SHAN_COLUMNS_PADDING;

    const size_t length = shan_columns_at(s, s->side, 0);
    float **const arrays[ARRAYS] = {&s->x, &s->y, &s->mass, &s->ax, &s->ay};
    s->memory = aligned_alloc(HOST_ALIGNMENT, ARRAYS * length * sizeof(float));
    if (!s->memory)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", boxes->n);
    for (size_t a = 0; a < ARRAYS; a++)
        *arrays[a] = s->memory + a * length;
    return ORR_OK;
}

static float farther_than_all(const struct orr_bodies *bodies, int threads)
{
    float most = 0;

#pragma omp parallel for schedule(static) reduction(max : most) num_threads(threads)
    for (size_t i = 0; i < bodies->n; i++)
        most = fmaxf(most, fmaxf(fabsf((float)bodies->pos[0][i]), fabsf((float)bodies->pos[1][i])));
    return 2 * most + 1;
}

void shan_columns_upload(struct shan_columns *s, const struct orr_job *job,
                         const struct shan_boxes *boxes, float scale)
{
    const int threads = host_bodies_threads_for(job, HOST_BODIES_A_THREAD);
    const struct orr_bodies *from = job->bodies;
    const float away = farther_than_all(from, threads);

#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t row = 0; row < s->side; row++) {
        const size_t begin = shan_columns_at(s, row, 0), end = shan_columns_at(s, row + 1, 0);
        for (size_t at = begin; at < end; at++) {
            s->x[at] = s->y[at] = away;
            s->mass[at] = s->ax[at] = s->ay[at] = 0;
        }
        for (uint32_t column = 0; column < s->side; column++) {
            const uint32_t b = orr_boxes_encode(column, row), first = boxes->start[b];
            for (uint32_t k = 0; k < boxes->start[b + 1] - first; k++) {
                const size_t i = boxes->order[first + k],
                             at = begin + (size_t)k * s->width + column;
                s->x[at] = (float)from->pos[0][i];
                s->y[at] = (float)from->pos[1][i];
                s->mass[at] = (float)from->mass[i] * scale;
            }
        }
    }
}

void shan_columns_fetch(const struct shan_columns *s, const struct orr_job *job,
                        const struct shan_boxes *boxes, struct orr_forces *out)
{
    out->has_phi = 0;
#pragma omp parallel for schedule(static) \
    num_threads(host_bodies_threads_for(job, HOST_BODIES_A_THREAD))
    for (uint32_t row = 0; row < s->side; row++)
        for (uint32_t column = 0; column < s->side; column++) {
            const uint32_t b = orr_boxes_encode(column, row), first = boxes->start[b];
            for (uint32_t k = 0; k < boxes->start[b + 1] - first; k++) {
                const size_t i = boxes->order[first + k], at = shan_columns_at(s, row, k) + column;
                out->acc[0][i] = s->ax[at];
                out->acc[1][i] = s->ay[at];
                out->acc[2][i] = 0.0f;
            }
        }
}

void shan_columns_release(struct shan_columns *s)
{
    free(s->memory);
    memset(s, 0, sizeof *s);
}
