#include "host.h"

#include "variants/leapfrog.h"

int fuji_host_prepare(struct orr_job *job)
{
    struct fuji_host *host = job->state;
    int rc = fuji_check(job);

    return rc ? rc : host_bodies_make(job, &host->bodies, 3, 1);
}

int fuji_host_upload(struct orr_job *job)
{
    struct fuji_host *host = job->state;

    host_bodies_upload(job, &host->bodies, FUJI_FAR);
    return ORR_OK;
}

static int kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct fuji_host *host = job->state;
    int rc = orr_phase(job->device, "kick and drift");

    if (!rc)
        host_bodies_advance(&host->bodies, closing, opening, dt, 1);
    return rc;
}

static int evaluate(struct orr_job *job)
{
    struct fuji_host *host = job->state;
    const struct fuji_common *p = job->params;
    int rc = orr_phase(job->device, "forces");

    if (!rc)
        host->forces(&host->bodies, (float)p->eps, job->host->threads);
    return rc;
}

int fuji_host_step(struct orr_job *job, fuji_forces *forces)
{
    static const struct leapfrog scheme = {evaluate, kick_and_drift};
    struct fuji_host *host = job->state;
    const struct fuji_common *p = job->params;

    host->forces = forces;
    if (p->steps > 0)
        host_bodies_rewind(&host->bodies);
    int rc = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return rc ? rc : orr_phase(job->device, NULL);
}

int fuji_host_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct fuji_host *host = job->state;
    const struct fuji_common *p = job->params;

    host_bodies_fetch(&host->bodies, out, p->steps > 0);
    return ORR_OK;
}

void fuji_host_release(struct orr_job *job)
{
    struct fuji_host *host = job->state;

    host_bodies_release(&host->bodies);
}
