/* SPDX-License-Identifier: MIT */
#include "host.h"

int gaburov_host_prepare(struct orr_job *job, int threads, int32_t ngroup, enum positions positions)
{
    static const struct host_bodies_kind kinds[] = {
        {.dimensions = 3, .has_phi = 1, .update_phase = "update"},
        {.dimensions = 3, .has_phi = 1, .update_phase = "update", .pairs = 1}};
    const struct gaburov_common *p = job->params;
    struct gaburov_host *host = job->state;
    int code = gaburov_check(job);

    host->ngroup = ngroup;
    code = code ? code : params_check_pairs(job, positions, p->steps);
    code = code ? code : host_bodies_prepare(job, &kinds[positions], threads, p->steps, p->dt);
    code = code ? code : gaburov_octree_prepare(job, &host->tree, job->bodies->n);
    return code || positions != POSITIONS_PAIRS ? code
                                                : gaburov_octree_prepare_low(job, &host->tree);
}

/* The tree over the bodies where they are. */
static int plant(struct orr_job *job)
{
    struct gaburov_host *host = job->state;
    const struct gaburov_host_params *p = job->params;
    float *const *pos = host->bodies.pos;
    int code = orr_phase(job->device, "build");

    code = code ? code
                : gaburov_octree_build(job, &host->tree, GABUROV_SORTED, pos, p->tree.nleaf,
                                       host->ngroup, host->bodies.threads);
    code = code ? code : orr_phase(job->device, "reorder");
    if (code)
        return code;
    gaburov_octree_reorder(&host->tree, pos, host->bodies.mass, host->bodies.low,
                           host->bodies.threads);
    code = orr_phase(job->device, "properties");
    if (code)
        return code;
    gaburov_octree_summarize(&host->tree, host->bodies.threads);
    return gaburov_host_cells_fill(job, &host->cells, &host->tree, &p->tree, host->bodies.threads);
}

static int forces(struct orr_job *job)
{
    const struct gaburov_host *host = job->state;
    int code = plant(job);

    code = code ? code : orr_phase(job->device, "walk");
    return code ? code : host->walk(job);
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
