/* SPDX-License-Identifier: MIT */
/* A small variant that integrates on the host, in double precision. Plugins that include it take
 * the bodies through the steps, rightly or not; they define DIMENSIONS before it. Those that are
 * wrong leave right forces at the positions that they return. */
#ifndef MOVING_H
#define MOVING_H

#include "plugin.h"
#include "variants/common/leapfrog.h"

#ifndef DIMENSIONS
#define DIMENSIONS 3
#endif

struct params {
    double eps, dt, theta;
    int32_t steps, integrator;
};

/* The last one is for tree codes. */
static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 1e9, NULL, "softening length"},
    {"dt", ORR_PARAM_FLOAT, offsetof(struct params, dt), NAN, -1e9, 1e9, NULL, "time step"},
    {"steps", ORR_PARAM_INT, offsetof(struct params, steps), 0, 0, 1000, NULL, "time steps"},
    {"integrator", ORR_PARAM_CHOICE, offsetof(struct params, integrator), 0, 0, 0, "leapfrog|euler",
     "scheme of the steps"},
    {"theta", ORR_PARAM_FLOAT, offsetof(struct params, theta), 0.5, 0, 100, NULL, "opening angle"},
};
enum { MOVING_PARAMS = 4, TREE_PARAMS = 5 };

struct state {
    double *pos[DIMENSIONS], *vel[DIMENSIONS], *acc[DIMENSIONS];
};

/* Bodies stand where they start, if steps > 0 with their accelerations not known. */
typedef int advance_fn(struct orr_job *job, int steps, double dt);

static int moving_prepare(struct orr_job *job)
{
    struct state *s = job->state;
    orr_stage(job, "memory");
    for (int d = 0; d < DIMENSIONS; d++) {
        s->pos[d] = malloc(job->bodies->n * sizeof(double));
        s->vel[d] = malloc(job->bodies->n * sizeof(double));
        s->acc[d] = malloc(job->bodies->n * sizeof(double));
        if (!s->pos[d] || !s->vel[d] || !s->acc[d])
            return ORR_FAIL(job, ORR_EMEMORY, "no memory");
    }
    return 0;
}

/* What stands for a tree code is too large by theta / 1000; at theta = 100 nothing acts. */
static inline int forces(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    const struct params *p = job->params;
    double theta = p->theta;
    struct state *s = job->state;
    orr_stage(job, "forces");
    for (size_t i = 0; i < b->n; i++) {
        double sum[DIMENSIONS] = {0};
        for (size_t j = 0; j < b->n && theta < 100; j++) {
            double apart[DIMENSIONS], d2 = p->eps * p->eps;
            for (int d = 0; d < DIMENSIONS; d++) {
                apart[d] = s->pos[d][j] - s->pos[d][i];
                d2 += apart[d] * apart[d];
            }
            double force = j == i ? 0 : (1 + theta / 1000) * b->mass[j] / (d2 * sqrt(d2));
            for (int d = 0; d < DIMENSIONS; d++)
                sum[d] += force * apart[d];
        }
        for (int d = 0; d < DIMENSIONS; d++)
            s->acc[d][i] = sum[d];
    }
    orr_stage(job, NULL);
    return 0;
}

static inline void kick(struct orr_job *job, double h)
{
    struct state *s = job->state;
    for (int d = 0; d < DIMENSIONS; d++)
        for (size_t i = 0; i < job->bodies->n; i++)
            s->vel[d][i] += s->acc[d][i] * h;
}

static inline void drift(struct orr_job *job, double h)
{
    struct state *s = job->state;
    for (int d = 0; d < DIMENSIONS; d++)
        for (size_t i = 0; i < job->bodies->n; i++)
            s->pos[d][i] += s->vel[d][i] * h;
}

static inline int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    const struct params *p = job->params;
    if (p->integrator == INTEGRATOR_EULER)
        drift(job, dt);
    kick(job, (double)closing + (double)opening);
    if (p->integrator == INTEGRATOR_LEAPFROG)
        drift(job, dt);
    return 0;
}

/* As it should be. */
static inline int advance_rightly(struct orr_job *job, int steps, double dt)
{
    const struct params *p = job->params;
    const struct leapfrog scheme = {forces, kick_and_drift, (enum integrator)p->integrator};
    return leapfrog_run(job, &scheme, steps, (float)dt);
}

/* Every step begins with the job's bodies. */
static int moving_step(struct orr_job *job, advance_fn *advance)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    for (int d = 0; d < DIMENSIONS; d++) {
        memcpy(s->pos[d], job->bodies->pos[d], job->bodies->n * sizeof(double));
        memcpy(s->vel[d], job->bodies->vel[d], job->bodies->n * sizeof(double));
    }
    return p->steps > 0 ? advance(job, p->steps, p->dt) : forces(job);
}

static int moving_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct params *p = job->params;
    const struct state *s = job->state;
    out->has_phi = p->theta >= 100;
    for (size_t i = 0; i < job->bodies->n && out->has_phi; i++)
        out->phi[i] = 0;
    for (int d = 0; d < DIMENSIONS; d++)
        for (size_t i = 0; i < job->bodies->n; i++) {
            out->acc[d][i] = (float)s->acc[d][i];
            if (p->steps > 0) {
                out->pos[d][i] = (float)s->pos[d][i];
                out->vel[d][i] = (float)s->vel[d][i];
            }
        }
    return 0;
}

static inline int moving_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    double n = (double)job->bodies->n;
    *out = (struct orr_cost){.interactions = (p->steps + 1) * n * (n - 1),
                             .bytes_min = 4.0 * (2 * DIMENSIONS + 1) * n};
    return 0;
}

static void moving_release(struct orr_job *job)
{
    struct state *s = job->state;
    for (int d = 0; d < DIMENSIONS; d++) {
        free(s->pos[d]);
        free(s->vel[d]);
        free(s->acc[d]);
    }
    memset(s, 0, sizeof *s);
}

/* Evaluates the forces in the first step and at the end alone. */
static inline int advance_by_two(struct orr_job *job, int steps, double dt)
{
    forces(job);
    for (int k = 0; k < steps; k++) {
        kick(job, dt / 2);
        drift(job, dt);
        kick(job, dt / 2);
    }
    return forces(job);
}

#define MEMBERS                                                                                  \
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES, .dimensions = DIMENSIONS,                    \
    .param_count = MOVING_PARAMS, .state_size = sizeof(struct state), .prepare = moving_prepare, \
    .upload = do_nothing, .fetch = moving_fetch, .cost = moving_cost, .release = moving_release

/* A plugin that sums directly and advances in its own way, which follows; more of its members may
 * come after its name. */
#define MOVES(called, ...)                                \
    static advance_fn advance_##called;                   \
    static int called##_step(struct orr_job *job)         \
    {                                                     \
        return moving_step(job, advance_##called);        \
    }                                                     \
    PLUGIN(called, .step = called##_step, ##__VA_ARGS__); \
    static int advance_##called(struct orr_job *job, int steps, double dt)

#endif
