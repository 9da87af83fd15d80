/* SPDX-License-Identifier: MIT */
/* gaburov/cpu-tree-simd: the same forces with all that a CPU has: its cores, vector instructions
 * chosen at run time, one walk for a group of bodies (Barnes 1990; section 3.2.2), whose lists act
 * on all of them by vectors over their entries. The honest baseline for speedups, and the tuned
 * SIMD code of the paper's conclusions. */
#include "kernels/pair.h"
#include "shared/host.h"

#define SIMD_TEMPLATE "variants/gaburov/shared/simd_walk.h"
#include "variants/common/simd.h"

struct params {
    struct gaburov_host_params host;
    int32_t ngroup, entries;
    int32_t threads;   /* 0: all that are worth waking */
    int32_t simd;      /* enum simd */
    int32_t positions; /* enum positions */
};

enum { BODIES_A_THREAD = 512 };

typedef void walk_of(const struct vector_walk *w, struct vector_walker *me,
                     const struct gaburov_group *crowd);
static walk_of *const walks[] = SIMD_ROW(walk);

struct tuned {
    struct gaburov_host host;
    struct gaburov_host_vectors vectors;
    walk_of *walk;
};

/* Back into the order of the input. */
static void dismiss(struct gaburov_host *host, const struct crowd *g)
{
    for (int32_t k = 0; k < g->count; k++) {
        const uint32_t i = host->tree.order[g->first + k];
        for (int d = 0; d < 3; d++)
            host->bodies.acc[d][i] = g->sum[k][d];
        host->bodies.phi[i] = g->sum[k][3];
    }
}

static void walk_all(struct tuned *s, const struct vector_walk *w, uint32_t entries)
{
    struct gaburov_host *host = &s->host;

#pragma omp parallel num_threads(host->bodies.threads)
    {
        struct vector_walker me;
        me.work = (struct gaburov_work){0};
        me.lists.nodes = me.lists.leaves = me.lists.bodies = 0;
        me.lists.entries = entries;
#pragma omp for schedule(dynamic)
        for (int32_t k = 0; k < host->tree.groups; k++) {
            s->walk(w, &me, &host->tree.group[k]);
            dismiss(host, &me.crowd);
        }
#pragma omp critical
        {
            host->work.nodes += me.work.nodes;
            host->work.leaves += me.work.leaves;
            host->work.node_entries += me.work.node_entries;
            host->work.leaf_entries += me.work.leaf_entries;
            host->work.groups += me.work.groups;
        }
    }
}

static int walk(struct orr_job *job)
{
    struct tuned *s = job->state;
    const struct params *p = job->params;
    const struct vector_walk w = {.tree = &s->host.tree,
                                  .cell = s->host.cells.cell,
                                  .vectors = &s->vectors,
                                  .eps2 = params_eps2(p->host.common.eps),
                                  .ngroup = p->ngroup,
                                  .pairs = p->positions == POSITIONS_PAIRS,
                                  .cube = p->host.tree.opening == GABUROV_OPENING_OCTGRAV,
                                  .monopole = p->host.tree.multipole == GABUROV_MONOPOLE};
    int code = gaburov_host_vectors_fill(job, &s->vectors, &s->host.tree, &s->host.cells,
                                         p->host.tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE,
                                         s->host.bodies.threads);

    if (!code)
        walk_all(s, &w, (uint32_t)p->entries);
    return code;
}

static int prepare(struct orr_job *job)
{
    struct tuned *s = job->state;
    const struct params *p = job->params;
    const int threads = p->threads ? host_bodies_threads(job, p->threads)
                                   : host_bodies_threads_for(job, BODIES_A_THREAD);
    int code = simd_check(job, (enum simd)p->simd, threads);

    code = code ? code
                : gaburov_host_prepare(job, threads, crowd_size(job->bodies->n, p->ngroup),
                                       (enum positions)p->positions);
    if (code)
        return code;
    s->walk = walks[simd_chosen((enum simd)p->simd)];
    return gaburov_host_vectors_prepare(job, &s->vectors, job->bodies->n,
                                        p->positions == POSITIONS_PAIRS);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct params *p = job->params;
    const struct tuned *s = job->state;
    int code = gaburov_host_cost(job, out);

    if (!code && p->positions == POSITIONS_PAIRS)
        out->flops_true += s->host.work.leaves * PAIR_LOW_FLOPS;
    return code;
}

static int step(struct orr_job *job)
{
    return gaburov_host_step(job, walk);
}

static void release(struct orr_job *job)
{
    struct tuned *s = job->state;

    gaburov_host_vectors_release(&s->vectors);
    gaburov_host_release(job);
}

/* Between 16 and 32 bodies in leaves and 64 and 128 in groups the times are level: the more, the
 * smaller the error. */
static const struct orr_param params[] = {
    GABUROV_COMMON_PARAMS(struct gaburov_host_params),
    GABUROV_TREE_PARAMS(struct gaburov_host_params, 32),
    {"ngroup", ORR_PARAM_INT, offsetof(struct params, ngroup), 128, 1, CROWD, NULL,
     "most bodies of a cell that share a list; those of a larger leaf do as well"},
    {"entries", ORR_PARAM_INT, offsetof(struct params, entries), ENTRIES, 8, ENTRIES, NULL,
     "cells that are gathered in a list before they act; of bodies twice as many"},
    THREADS_PARAM(struct params),
    SIMD_PARAM(struct params),
    POSITIONS_PARAM(struct params, positions),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "gaburov/cpu-tree-simd",
    .summary =
        "Barnes-Hut with quadrupoles, group walks and vector instructions, on all cores or one",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE | ORR_TAKES_DOUBLES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct tuned),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = cost,
    .release = release,
};
