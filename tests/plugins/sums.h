/* SPDX-License-Identifier: MIT */
/* A small variant that computes right forces on the host, and takes as long as it is told to. */
#ifndef SUMS_H
#define SUMS_H

#include <time.h>

#include "plugin.h"

struct params {
    double eps, delay;
};

#ifndef ACTS /* does body j act on body i? */
#define ACTS(b, i, j) ((j) != (i))
#endif

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 10, NULL, "softening length"},
    {"delay", ORR_PARAM_FLOAT, offsetof(struct params, delay), 0, 0, 100, NULL,
     "seconds that a step sleeps besides"},
};

struct state {
    float *result; /* ax ay az phi of every body */
    int steps;     /* taken so far */
};

static int sums_prepare(struct orr_job *job)
{
    struct state *s = job->state;
    s->result = malloc(job->bodies->n * 4 * sizeof *s->result);
    return s->result ? 0 : ORR_FAIL(job, ORR_EMEMORY, "no memory");
}

static void sums_one(const struct orr_bodies *b, const struct params *p, size_t i, float out[4])
{
    double sum[4] = {0};
    for (size_t j = 0; j < b->n; j++) {
        double d[3], d2 = p->eps * p->eps;
        for (int k = 0; k < 3; k++) {
            d[k] = b->pos[k][j] - b->pos[k][i];
            d2 += d[k] * d[k];
        }
        if (!ACTS(b, i, j))
            continue;
        double potential = b->mass[j] / sqrt(d2);
        for (int k = 0; k < 3; k++)
            sum[k] += potential / d2 * d[k];
        sum[3] -= potential;
    }
    for (int k = 0; k < 4; k++)
        out[k] = (float)sum[k];
}

static int sums_step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    double whole = floor(p->delay);
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, p, i, s->result + 4 * i);
    nanosleep(
        &(struct timespec){.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (p->delay - whole))},
        NULL);
    s->steps++;
    return 0;
}

__attribute__((unused)) static int sums_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct state *s = job->state;
    for (size_t i = 0; i < job->bodies->n; i++) {
        for (int k = 0; k < 3; k++)
            out->acc[k][i] = s->result[4 * i + (size_t)k];
        out->phi[i] = s->result[4 * i + 3];
    }
    return 0;
}

static int sums_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n;
    *out = (struct orr_cost){.interactions = n * (n - 1),
                             .flops_convention = 38 * n * (n - 1),
                             .flops_true = 20 * n * (n - 1),
                             .bytes_min = 32 * n};
    return 0;
}

static void sums_release(struct orr_job *job)
{
    struct state *s = job->state;
    free(s->result);
    s->result = NULL;
}

#define MEMBERS                                                                     \
    .state_size = sizeof(struct state), .prepare = sums_prepare, .step = sums_step, \
    .fetch = sums_fetch, .cost = sums_cost, .release = sums_release

/* A plugin that does something to the results of each step, or else; what it does follows. */
#define SPOILS(called)                                                \
    static void spoil_##called(struct orr_job *job, struct state *s); \
    PLUGIN_WITH(called, step, struct orr_job *job)                    \
    {                                                                 \
        const int code = sums_step(job);                              \
        spoil_##called(job, job->state);                              \
        return code;                                                  \
    }                                                                 \
    static void spoil_##called(struct orr_job *job, struct state *s)

#endif
