/* SPDX-License-Identifier: MIT */
#include "host.h"

#include "kernels/pair.h"

int fuji_host_prepare(struct orr_job *job, int threads)
{
    static const struct host_bodies_kind kinds[] = {
        {.dimensions = 3, .has_phi = 1, .far = PAIR_FAR, .update_phase = "kick and drift"},
        {.dimensions = 3, .has_phi = 1, .far = PAIR_FAR, .pairs = 1}};
    const struct fuji_common *p = job->params;
    int code = fuji_check(job);

    ((struct fuji_host *)job->state)->threads = threads;
    return code ? code : host_bodies_prepare(job, &kinds[p->positions], 1, p->steps, p->dt);
}

static int evaluate(struct orr_job *job)
{
    struct fuji_host *host = job->state;
    const struct fuji_common *p = job->params;
    int code = orr_phase(job->device, "forces");

    if (!code)
        host->forces(&host->bodies, (float)p->eps, host->threads);
    return code;
}

int fuji_host_step(struct orr_job *job, fuji_forces *forces)
{
    struct fuji_host *host = job->state;

    host->forces = forces;
    return host_bodies_step(job, evaluate);
}
