/* SPDX-License-Identifier: MIT */
/* feng/cpu-tuned: the same forces as cpu-naive with all that a CPU has: every core, vector
 * instructions chosen at run time, bodies sorted along a curve, a tree in one array and one walk
 * for a group of neighbouring bodies. A cell acts as one body on a group only when it may on each
 * of its bodies, so no error is larger for being shared. The honest baseline for speedups. */
#include "kernels/pair.h"
#include "shared/host_tree.h"

#define SIMD_TEMPLATE "variants/feng/shared/simd_walk.h"
#include "variants/common/simd.h"

struct params {
    struct feng_common common;
    int32_t threads; /* 0: all that are worth waking */
    int32_t simd;    /* enum simd */
};

/* Waking a thread takes as long as the forces on some hundred bodies. */
enum { BODIES_A_THREAD = 1024 };
/* So many steps pay for moving all bodies along the curve and back. */
enum { LONG = 3 };

typedef double walk_of(struct feng_tree *tree, uint32_t from, float eps);
static walk_of *const walks[] = SIMD_ROW(walk);
static feng_keys_of *const keys[] = SIMD_ROW(keys);

struct tuned {
    struct feng_host host;
    struct feng_tree tree;
    walk_of *walk;
};

static void compute(struct tuned *s, float eps)
{
    double interactions = 0;

#pragma omp parallel for schedule(dynamic, 8) \
    reduction(+ : interactions) num_threads(s->host.bodies.threads)
    for (size_t from = 0; from < s->tree.n; from += GROUP)
        interactions += s->walk(&s->tree, (uint32_t)from, eps);
    s->host.interactions += interactions;
    feng_tree_scatter(&s->tree, &s->host);
}

static int forces(struct orr_job *job)
{
    struct tuned *s = job->state;
    const struct feng_common *p = job->params;
    int code = orr_phase(job->device, "InsertRoot");

    if (code)
        return code;
    const struct feng_square square = feng_host_square(&s->host);
    if ((code = orr_phase(job->device, "Sort")))
        return code;
    feng_order_keys(&s->tree.order, &s->host, &square);
    feng_order_sort(&s->tree.order, s->tree.n, s->host.bodies.threads);
    if (p->steps >= LONG && !s->tree.order.settled)
        feng_order_settle(&s->tree.order, &s->host);
    if ((code = orr_phase(job->device, "BuildQuadTree")))
        return code;
    feng_tree_build(&s->tree, &s->host, square.width, p->theta);
    code = orr_phase(job->device, "ComputeForces");
    if (!code)
        compute(s, (float)p->eps);
    return code;
}

static int prepare(struct orr_job *job)
{
    struct tuned *s = job->state;
    const struct params *p = job->params;
    const int threads = p->threads ? host_bodies_threads(job, p->threads)
                                   : host_bodies_threads_for(job, BODIES_A_THREAD);
    int code = simd_check(job, p->simd, threads);

    if (code || (code = feng_host_prepare(job, threads)))
        return code;
    const enum simd simd = simd_chosen(p->simd);
    s->walk = walks[simd];
    s->tree.order.keys_of = keys[simd];
    return feng_tree_make(job, &s->tree, s->host.bodies.threads);
}

static int step(struct orr_job *job)
{
    struct tuned *s = job->state;

    feng_order_rewind(&s->tree.order, s->tree.n);
    int code = feng_host_step(job, forces);
    feng_order_return(&s->tree.order, &s->host);
    return code;
}

static void release(struct orr_job *job)
{
    struct tuned *s = job->state;

    feng_tree_release(&s->tree);
    host_bodies_release(job);
}

static const struct orr_param params[] = {
    FENG_COMMON_PARAMS(struct params),
    THREADS_PARAM(struct params),
    SIMD_PARAM(struct params),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "feng/cpu-tuned",
    .summary =
        "Barnes-Hut with a linear tree, group walks and vector instructions on all cores or one",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE | ORR_MONOPOLES,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct tuned),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = feng_host_cost,
    .release = release,
};
