/* Stands for a tree code: direct sums that are too large by theta / 1000, so that every error is
 * known beforehand; at theta = 100 nothing acts, which takes no time and has a potential. It
 * integrates, and does not know how many interactions it evaluates.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/variant.h"
#include "variants/common/leapfrog.h"

struct params {
    double eps, dt, theta;
    int32_t steps;
};

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 1e9, NULL, "softening length"},
    {"dt", ORR_PARAM_FLOAT, offsetof(struct params, dt), NAN, -1e9, 1e9, NULL, "time step"},
    {"theta", ORR_PARAM_FLOAT, offsetof(struct params, theta), 0.5, 0, 100, NULL, "opening angle"},
    {"steps", ORR_PARAM_INT, offsetof(struct params, steps), 0, 0, 1000, NULL, "time steps"},
};

struct state {
    double *pos[2], *vel[2], *acc[2];
};

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    orr_stage(job, "memory");
    for (int d = 0; d < 2; d++) {
        s->pos[d] = malloc(job->bodies->n * sizeof(double));
        s->vel[d] = malloc(job->bodies->n * sizeof(double));
        s->acc[d] = malloc(job->bodies->n * sizeof(double));
        if (!s->pos[d] || !s->vel[d] || !s->acc[d])
            return ORR_FAIL(job, ORR_EMEMORY, "no memory");
    }
    return 0;
}

static int forces(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    const struct params *p = job->params;
    struct state *s = job->state;
    orr_stage(job, "forces");
    for (size_t i = 0; i < b->n; i++) {
        s->acc[0][i] = s->acc[1][i] = 0;
        for (size_t j = 0; j < b->n && p->theta < 100; j++) {
            double dx = s->pos[0][j] - s->pos[0][i], dy = s->pos[1][j] - s->pos[1][i];
            double d2 = dx * dx + dy * dy + p->eps * p->eps;
            double force = j == i ? 0 : (1 + p->theta / 1000) * b->mass[j] / (d2 * sqrt(d2));
            s->acc[0][i] += force * dx;
            s->acc[1][i] += force * dy;
        }
    }
    orr_stage(job, NULL);
    return 0;
}

static void add(double *const to[2], double *const by[2], size_t n, double h)
{
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < n; i++)
            to[d][i] += by[d][i] * h;
}

static int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct state *s = job->state;
    add(s->vel, s->acc, job->bodies->n, (double)closing + (double)opening);
    add(s->pos, s->vel, job->bodies->n, dt);
    return 0;
}

static int step(struct orr_job *job)
{
    static const struct leapfrog scheme = {forces, kick_and_drift};
    const struct params *p = job->params;
    struct state *s = job->state;
    for (int d = 0; d < 2; d++) {
        memcpy(s->pos[d], job->bodies->pos[d], job->bodies->n * sizeof(double));
        memcpy(s->vel[d], job->bodies->vel[d], job->bodies->n * sizeof(double));
    }
    return leapfrog_run(job, &scheme, p->steps, (float)p->dt);
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct params *p = job->params;
    const struct state *s = job->state;
    out->has_phi = p->theta >= 100;
    for (size_t i = 0; i < job->bodies->n && out->has_phi; i++)
        out->phi[i] = 0;
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < job->bodies->n; i++) {
            out->acc[d][i] = (float)s->acc[d][i];
            if (p->steps > 0) {
                out->pos[d][i] = (float)s->pos[d][i];
                out->vel[d][i] = (float)s->vel[d][i];
            }
        }
    return 0;
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    *out = (struct orr_cost){.bytes_min = 20.0 * (double)job->bodies->n,
                             .figure_count = 3,
                             .figures = {{"node interactions", p->theta},
                                         {"evaluations", p->steps + 1},
                                         {"unknown", NAN}}};
    return 0;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;
    for (int d = 0; d < 2; d++) {
        free(s->pos[d]);
        free(s->vel[d]);
        free(s->acc[d]);
    }
    memset(s, 0, sizeof *s);
}

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI,
                                        .size = sizeof(struct orr_variant),
                                        .name = "plugins/tree",
                                        .summary = "a test of tree codes",
                                        .capabilities =
                                            ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE,
                                        .dimensions = 2,
                                        .params = params,
                                        .param_count = sizeof params / sizeof *params,
                                        .params_size = sizeof(struct params),
                                        .state_size = sizeof(struct state),
                                        .prepare = prepare,
                                        .step = step,
                                        .fetch = fetch,
                                        .cost = cost,
                                        .release = release};
