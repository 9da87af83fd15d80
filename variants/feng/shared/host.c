#include "host.h"

#include "kernels/pair.h"
#include "variants/leapfrog.h"

int feng_host_prepare(struct orr_job *job, int threads)
{
    struct feng_host *host = job->state;
    int rc = feng_check(job);

    host->threads = threads;
    return rc ? rc : host_bodies_make(job, &host->bodies, 2, 0);
}

int feng_host_upload(struct orr_job *job)
{
    struct feng_host *host = job->state;

    host_bodies_upload(job, &host->bodies, 0);
    return ORR_OK;
}

static int update(struct orr_job *job, float closing, float opening, float dt)
{
    struct feng_host *host = job->state;
    int rc = orr_phase(job->device, "Update");

    if (!rc)
        host_bodies_advance(&host->bodies, closing, opening, dt, host->threads);
    return rc;
}

int feng_host_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    const struct leapfrog scheme = {forces, update};
    struct feng_host *host = job->state;
    const struct feng_common *p = job->params;

    host->interactions = 0;
    if (p->steps > 0)
        host_bodies_rewind(&host->bodies);
    int rc = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return rc ? rc : orr_phase(job->device, NULL);
}

int feng_host_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct feng_host *host = job->state;
    const struct feng_common *p = job->params;

    host_bodies_fetch(&host->bodies, out, p->steps > 0);
    return ORR_OK;
}

int feng_host_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct feng_host *host = job->state;
    int rc = feng_cost(job, out);

    out->interactions = host->interactions;
    out->flops_convention = host->interactions * PAIR2_FLOPS_TRUE; /* the report has no convention of its own */
    out->flops_true = host->interactions * PAIR2_FLOPS_TRUE;
    return rc;
}

void feng_host_release(struct orr_job *job)
{
    struct feng_host *host = job->state;

    host_bodies_release(&host->bodies);
}

static void range(double out[2], const float *x, size_t n, int threads)
{
    float low = x[0], high = x[0];

#pragma omp parallel for simd reduction(min                  \
                                        : low) reduction(max \
                                                         : high) num_threads(threads) if (threads > 1 && n > 4096)
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
        range(ends, b->pos[d], b->n, host->threads);
        square.corner[d] = ends[0];
        square.width = fmax(square.width, (ends[1] - ends[0]) * (1 + 1e-6));
    }
    return square;
}
