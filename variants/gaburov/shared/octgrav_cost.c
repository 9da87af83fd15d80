/* SPDX-License-Identifier: MIT */
/* The cost of a step, from the counts that the device left. */
#include "octgrav.h"

#include <stdlib.h>

#include "kernels/pair.h"

enum {
    NODE_WORDS = 8 + 8 * 4,
    NODE_EDGE_WORDS = 8 * 4,
    GROUP_WORDS = 8,
    LENGTH_WORDS = 2,
    OFFSET_WORDS = 2 * 2,
    WORD = 4
};

struct counts {
    int32_t *length, *opened;
    uint64_t *met;
};

static int download(const struct orr_job *job, const struct counts *c)
{
    const struct octgrav *s = job->state;
    const size_t groups = s->groups;
    int code = orr_download(job->device, c->length, s->array[OCTGRAV_LENGTH].device,
                            2 * groups * sizeof *c->length);

    if (!code)
        code = orr_download(job->device, c->opened, s->array[OCTGRAV_OPENED].device,
                            groups * sizeof *c->opened);
    return code ? code
                : orr_download(job->device, c->met, s->array[OCTGRAV_MET].device,
                               groups * sizeof *c->met);
}

static void add(const struct octgrav *s, const struct counts *c, struct octgrav_work *work)
{
    for (size_t g = 0; g < s->groups; g++) {
        work->node_interactions += (double)c->length[2 * g] * (double)s->tree.group[g].count;
        work->leaf_interactions += (double)c->met[g];
        work->node_entries += (double)c->length[2 * g];
        work->leaf_entries += (double)c->length[2 * g + 1];
        work->opened += (double)c->opened[g];
    }
    work->evaluations++;
}

int octgrav_tally(const struct orr_job *job, struct octgrav_work *work)
{
    const struct octgrav *s = job->state;
    const size_t groups = s->groups;
    struct counts c = {malloc(2 * groups * sizeof *c.length), malloc(groups * sizeof *c.opened),
                       malloc(groups * sizeof *c.met)};
    int code = ORR_OK;

    if (!c.length || !c.opened || !c.met)
        code = ORR_FAIL(job, ORR_EMEMORY, "no host memory for the counts of %zu groups", groups);
    else
        code = download(job, &c);
    if (!code)
        add(s, &c, work);
    free(c.length);
    free(c.opened);
    free(c.met);
    return code;
}

/* Words of tree, groups and lists that the threads of both walks read and write. */
static void walk_bytes(const struct orr_job *job, const struct octgrav_work *work,
                       struct orr_cost *out)
{
    const struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    const int edges = p->tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE;
    const double groups = (double)s->groups * work->evaluations,
                 entries = work->node_entries + work->leaf_entries;
    const double tree =
        work->opened * (NODE_WORDS + edges * NODE_EDGE_WORDS) + groups * GROUP_WORDS;

    orr_figure(out, "walk 1 bytes", WORD * (tree + groups * (LENGTH_WORDS + 1)));
    orr_figure(out, "walk 2 bytes",
               WORD * (tree + groups * (LENGTH_WORDS + OFFSET_WORDS) + entries));
}

/* The share of the threads' places for bodies that hold one. */
static double active(const struct orr_job *job)
{
    const struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    const size_t own = s->bodies * s->vector;
    double held = 0;

    for (size_t g = 0; g < s->groups; g++) {
        const size_t bodies = (size_t)s->tree.group[g].count, columns = (bodies + own - 1) / own;
        held += (double)(bodies * (p->share == OCTGRAV_SHARE_ON ? s->block / columns : 1));
    }
    return held / ((double)s->groups * (double)(s->block * own));
}

static void figures(const struct orr_job *job, const struct octgrav_work *work,
                    struct orr_cost *out)
{
    const struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    const double n = (double)job->bodies->n, groups = (double)s->groups;

    orr_figure(out, "groups", groups);
    orr_figure(out, "bodies per group", n / groups);
    orr_figure(out, "cells", s->tree.cells);
    orr_figure(out, "leaves", s->tree.leaves);
    orr_figure(out, "node list entries", work->node_entries);
    orr_figure(out, "leaf list entries", work->leaf_entries);
    orr_figure(out, "active threads", active(job));
    if (p->walk == OCTGRAV_TWO_WALKS) {
        orr_figure(out, "list chunks", s->chunks);
        walk_bytes(job, work, out);
    }
}

int octgrav_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    struct octgrav_work work = s->work;
    int code = octgrav_tally(job, &work);

    if (code)
        return code;
    gaburov_cost(job, &p->tree, work.node_interactions, work.leaf_interactions, out);
    if (p->positions == POSITIONS_PAIRS)
        out->flops_true += work.leaf_interactions * PAIR_LOW_FLOPS;
    figures(job, &work, out);
    return ORR_OK;
}
