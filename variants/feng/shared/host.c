/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <math.h>

#include "kernels/pair.h"

int feng_host_prepare(struct orr_job *job, int threads)
{
    static const struct host_bodies_kind kinds[] = {
        [INTEGRATOR_LEAPFROG] = {.dimensions = 2, .update_phase = "Update"},
        [INTEGRATOR_EULER] = {
            .dimensions = 2, .update_phase = "Update", .integrator = INTEGRATOR_EULER}};
    const struct feng_common *p = job->params;
    const struct host_bodies_kind *kind = &kinds[p->integrator];
    int code = feng_check(job);

    return code ? code : host_bodies_prepare(job, kind, threads, p->steps, p->dt);
}

int feng_host_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct feng_host *host = job->state;

    host->interactions = 0;
    return host_bodies_step(job, forces);
}

int feng_host_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct feng_host *host = job->state;
    int code = feng_cost(job, out);

    out->interactions = host->interactions;
    out->flops_convention =
        host->interactions * PAIR2_FLOPS_TRUE; /* the report has no convention of its own */
    out->flops_true = host->interactions * PAIR2_FLOPS_TRUE;
    return code;
}

static void range(double out[2], const float *x, size_t n, int threads)
{
    float low = x[0], high = x[0];

#pragma omp parallel for simd reduction(min                      \
                                        : low) reduction(max     \
                                                         : high) \
    num_threads(threads) if (threads > 1 && n > 4096)
    for (size_t i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    out[0] = (double)low;
    out[1] = (double)high;
}

struct feng_square feng_host_square(const struct feng_host *host)
{
    const struct host_bodies *b = &host->bodies;
    struct feng_square square = {.width = 0};

    for (int d = 0; d < 2; d++) {
        double ends[2];
        range(ends, b->pos[d], b->n, b->threads);
        square.corner[d] = ends[0];
        square.width = fmax(square.width, (ends[1] - ends[0]) * (1 + 1e-6));
    }
    return square;
}
