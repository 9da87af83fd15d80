#include "host.h"

int gaburov_host_prepare(struct orr_job *job, int threads, int32_t ngroup)
{
    static const struct host_bodies_kind kind = {
        .dimensions = 3, .has_phi = 1, .update_phase = "update"};
    const struct gaburov_common *p = job->params;
    struct gaburov_host *host = job->state;
    int rc = gaburov_check(job);

    host->ngroup = ngroup;
    rc = rc ? rc : host_bodies_prepare(job, &kind, threads, p->steps, p->dt);
    return rc ? rc : gaburov_octree_prepare(job, &host->tree, job->bodies->n);
}

/* The tree over the bodies where they are. */
static int plant(struct orr_job *job)
{
    struct gaburov_host *host = job->state;
    const struct gaburov_host_params *p = job->params;
    float *const *pos = host->bodies.pos;
    int rc = orr_phase(job->device, "build");

    rc = rc ? rc
            : gaburov_octree_build(job, &host->tree, pos, p->tree.nleaf, host->ngroup,
                                   host->bodies.threads);
    rc = rc ? rc : orr_phase(job->device, "reorder");
    if (rc)
        return rc;
    gaburov_octree_reorder(&host->tree, pos, host->bodies.mass, host->bodies.threads);
    rc = orr_phase(job->device, "properties");
    if (rc)
        return rc;
    gaburov_octree_summarize(&host->tree, host->bodies.threads);
    return gaburov_host_cells_fill(job, &host->cells, &host->tree, &p->tree, host->bodies.threads);
}

static int forces(struct orr_job *job)
{
    const struct gaburov_host *host = job->state;
    int rc = plant(job);

    rc = rc ? rc : orr_phase(job->device, "walk");
    return rc ? rc : host->walk(job);
}

int gaburov_host_step(struct orr_job *job, int (*walk)(struct orr_job *job))
{
    struct gaburov_host *host = job->state;

    host->walk = walk;
    host->work = (struct gaburov_work){0};
    return host_bodies_step(job, forces);
}

/* Of a walk that makes lists for groups. */
static void add_list_figures(struct orr_cost *out, const struct gaburov_host *host,
                             double evaluations)
{
    orr_figure(out, "groups", host->work.groups / evaluations);
    orr_figure(out, "bodies per group", (double)host->bodies.n * evaluations / host->work.groups);
    orr_figure(out, "node list entries", host->work.node_entries);
    orr_figure(out, "leaf list entries", host->work.leaf_entries);
}

int gaburov_host_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct gaburov_host *host = job->state;
    const struct gaburov_host_params *p = job->params;

    gaburov_cost(job, &p->tree, host->work.nodes, host->work.leaves, out);
    orr_figure(out, "cells", host->tree.cells);
    orr_figure(out, "leaves", host->tree.leaves);
    if (host->work.groups > 0)
        add_list_figures(out, host, p->common.steps + 1.0);
    return ORR_OK;
}

void gaburov_host_release(struct orr_job *job)
{
    struct gaburov_host *host = job->state;

    gaburov_host_cells_release(&host->cells);
    gaburov_octree_release(&host->tree);
    host_bodies_release(job);
}
