#include "host.h"

#include "kernels/pair.h"
#include "variants/leapfrog.h"

int gaburov_host_prepare(struct orr_job *job, int threads, int32_t ngroup)
{
    struct gaburov_host *host = job->state;
    int rc = gaburov_check(job);

    host->threads = threads;
    host->ngroup = ngroup;
    rc = rc ? rc : host_bodies_make(job, &host->bodies, 3, 1);
    return rc ? rc : gaburov_octree_prepare(job, &host->tree, job->bodies->n);
}

int gaburov_host_upload(struct orr_job *job)
{
    struct gaburov_host *host = job->state;

    host_bodies_upload(job, &host->bodies, 0);
    return ORR_OK;
}

/* The tree over the bodies where they are. */
static int plant(struct orr_job *job)
{
    struct gaburov_host *host = job->state;
    const struct gaburov_host_params *p = job->params;
    float *const *pos = host->bodies.pos;
    int rc = orr_phase(job->device, "build");

    rc = rc ? rc : gaburov_octree_build(job, &host->tree, pos, p->tree.nleaf, host->ngroup, host->threads);
    rc = rc ? rc : orr_phase(job->device, "reorder");
    if (rc)
        return rc;
    gaburov_octree_reorder(&host->tree, pos, host->bodies.mass, host->threads);
    rc = orr_phase(job->device, "properties");
    if (rc)
        return rc;
    gaburov_octree_summarize(&host->tree, host->threads);
    return gaburov_host_cells_fill(job, &host->cells, &host->tree, &p->tree, host->threads);
}

static int forces(struct orr_job *job)
{
    const struct gaburov_host *host = job->state;
    int rc = plant(job);

    rc = rc ? rc : orr_phase(job->device, "walk");
    return rc ? rc : host->walk(job);
}

static int update(struct orr_job *job, float closing, float opening, float dt)
{
    struct gaburov_host *host = job->state;
    int rc = orr_phase(job->device, "update");

    if (!rc)
        host_bodies_advance(&host->bodies, closing, opening, dt, host->threads);
    return rc;
}

int gaburov_host_step(struct orr_job *job, int (*walk)(struct orr_job *job))
{
    static const struct leapfrog scheme = {forces, update};
    struct gaburov_host *host = job->state;
    const struct gaburov_common *p = job->params;

    host->walk = walk;
    host->work = (struct gaburov_work){0};
    if (p->steps > 0)
        host_bodies_rewind(&host->bodies);
    int rc = leapfrog_run(job, &scheme, p->steps, (float)p->dt);
    return rc ? rc : orr_phase(job->device, NULL);
}

int gaburov_host_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct gaburov_host *host = job->state;
    const struct gaburov_common *p = job->params;

    host_bodies_fetch(&host->bodies, out, p->steps > 0);
    return ORR_OK;
}

static void add_figure(struct orr_cost *out, const char *name, double value)
{
    out->figures[out->figure_count].name = name;
    out->figures[out->figure_count++].value = value;
}

/* Of a walk that makes lists for groups. */
static void add_list_figures(struct orr_cost *out, const struct gaburov_host *host, double evaluations)
{
    add_figure(out, "groups", host->work.groups / evaluations);
    add_figure(out, "bodies per group", (double)host->bodies.n * evaluations / host->work.groups);
    add_figure(out, "node list entries", host->work.node_entries);
    add_figure(out, "leaf list entries", host->work.leaf_entries);
}

int gaburov_host_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct gaburov_host *host = job->state;
    const struct gaburov_host_params *p = job->params;
    const double nodes = host->work.nodes, leaves = host->work.leaves, evaluations = p->common.steps + 1.0;
    const int monopole = p->tree.multipole == GABUROV_MONOPOLE;

    out->interactions = nodes + leaves;
    out->flops_convention = nodes * GABUROV_NODE_FLOPS + leaves * GABUROV_LEAF_FLOPS;
    out->flops_true = nodes * (monopole ? PAIR_FLOPS_TRUE : PAIR_NODE_FLOPS_TRUE) + leaves * PAIR_FLOPS_TRUE;
    out->bytes_min = evaluations * (double)host->bodies.n * 8 * sizeof(float); /* x y z mass; ax ay az phi */
    add_figure(out, "node interactions", nodes);
    add_figure(out, "leaf interactions", leaves);
    add_figure(out, "cells", host->tree.cells);
    add_figure(out, "leaves", host->tree.leaves);
    if (host->work.groups > 0)
        add_list_figures(out, host, evaluations);
    return ORR_OK;
}

void gaburov_host_release(struct orr_job *job)
{
    struct gaburov_host *host = job->state;

    gaburov_host_cells_release(&host->cells);
    gaburov_octree_release(&host->tree);
    host_bodies_release(&host->bodies);
}
