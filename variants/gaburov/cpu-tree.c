/* SPDX-License-Identifier: MIT */
/* gaburov/cpu-tree: the ordinary Barnes-Hut code with quadrupoles, as the one of NEMO that the
 * paper compares with: one thread, one walk from the root for each body, cells opened by their
 * distance from it, recursion. Nothing is shared between bodies and nothing vectorised. Bodies are
 * walked for along the tree's curve, which any such code can do and which keeps the cells in the
 * cache.
 *
 * Interactions are in single precision as on the device; sums over them are in double precision,
 * which costs next to nothing here. */
#include <math.h>

#include "kernels/pair.h"
#include "shared/host.h"

#define real float
#define REAL(a) (a)
#define FMA(a, b, c) ((a) * (b) + (c))
#undef PAIR_RSQRT
#define PAIR_RSQRT(x)                                                           \
    ((x) > 0 ? 1.0f / sqrtf(x) : 0.0f) /* bodies at one place without softening \
                                        */

struct walk {
    const struct gaburov_host_cell *cell;
    const struct gaburov_properties *properties;
    const float *body; /* by key: x y z mass */
    float eps2;
    int boxes;    /* distances count from the cell's box, not from its centre of mass */
    int monopole; /* cells act by their mass alone */
};

/* The body that is acted on. */
struct target {
    const float *x;
    int32_t self;
    double acc[3], phi;
    int64_t nodes, leaves;
};

static inline void add(struct target *t, float ax, float ay, float az, float phi)
{
    t->acc[0] += (double)ax;
    t->acc[1] += (double)ay;
    t->acc[2] += (double)az;
    t->phi += (double)phi;
}

static void act_as_whole(const struct walk *w, const struct gaburov_host_cell *c, struct target *t)
{
    const float *x = t->x, *q = c->quad;
    float ax = 0, ay = 0, az = 0, phi = 0;

    if (w->monopole)
        PAIR(ax, ay, az, phi, x[0], x[1], x[2], c->com[0], c->com[1], c->com[2], c->mass, w->eps2);
    else
        PAIR_NODE(ax, ay, az, phi, x[0], x[1], x[2], c->com[0], c->com[1], c->com[2], c->mass, q[0],
                  q[1], q[2], q[3], q[4], q[5], w->eps2);
    add(t, ax, ay, az, phi);
    t->nodes++;
}

static void act_by_bodies(const struct walk *w, const struct gaburov_host_cell *c, struct target *t)
{
    const int32_t end = c->first + c->count;
    const float *x = t->x;
    float ax = 0, ay = 0, az = 0, phi = 0;

    for (int32_t j = c->first; j < end; j++) {
        const float *b = w->body + 4 * (size_t)j;
        if (j == t->self)
            continue;
        PAIR(ax, ay, az, phi, x[0], x[1], x[2], b[0], b[1], b[2], b[3], w->eps2);
        t->leaves++;
    }
    add(t, ax, ay, az, phi);
}

static float distance2_to_box(const struct gaburov_properties *p, const float *x)
{
    float sum = 0;

    for (int d = 0; d < 3; d++) {
        const float beyond = fabsf(p->centre[d] - x[d]) - p->half[d];
        sum += beyond > 0 ? beyond * beyond : 0;
    }
    return sum;
}

/* Whether a cell may act as a whole. One that holds the body itself never does. */
static inline int is_far(const struct walk *w, const struct gaburov_host_cell *c,
                         const struct target *t)
{
    const float dx = c->com[0] - t->x[0], dy = c->com[1] - t->x[1], dz = c->com[2] - t->x[2];
    const float distance2 = w->boxes ? distance2_to_box(&w->properties[c - w->cell], t->x)
                                     : dx * dx + dy * dy + dz * dz;

    return distance2 > c->reach * c->reach &&
           !(t->self >= c->first && t->self < c->first + c->count);
}

static void act(const struct walk *w, const struct gaburov_host_cell *c, struct target *t)
{
    if (is_far(w, c, t))
        act_as_whole(w, c, t);
    else if (c->child < 0)
        act_by_bodies(w, c, t);
    else
        for (int32_t k = 0; k < c->children; k++)
            act(w, &w->cell[c->child + k], t);
}

static int walk(struct orr_job *job)
{
    struct gaburov_host *host = job->state;
    const struct gaburov_host_params *p = job->params;
    struct host_bodies *b = &host->bodies;
    const struct walk w = {.cell = host->cells.cell,
                           .properties = host->tree.properties,
                           .body = host->tree.body,
                           .eps2 = params_eps2(p->common.eps),
                           .boxes = p->tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE,
                           .monopole = p->tree.multipole == GABUROV_MONOPOLE};

    for (size_t k = 0; k < b->n; k++) {
        struct target t = {.x = w.body + 4 * k, .self = (int32_t)k};
        const uint32_t i = host->tree.order[k];
        act(&w, w.cell, &t);
        for (int d = 0; d < 3; d++)
            b->acc[d][i] = (float)t.acc[d];
        b->phi[i] = (float)t.phi;
        host->work.nodes += (double)t.nodes;
        host->work.leaves += (double)t.leaves;
    }
    return ORR_OK;
}

static int prepare(struct orr_job *job)
{
    return gaburov_host_prepare(job, 1, 0, POSITIONS_SINGLE);
}

static int step(struct orr_job *job)
{
    return gaburov_host_step(job, walk);
}

/* Leaves of 8 bodies, usual in such codes: of 1, 4, 8 and 16 the fastest here. */
static const struct orr_param params[] = {
    GABUROV_COMMON_PARAMS(struct gaburov_host_params),
    GABUROV_TREE_PARAMS(struct gaburov_host_params, 8),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "gaburov/cpu-tree",
    .summary = "recursive Barnes-Hut with quadrupoles in one thread, a walk for each body",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct gaburov_host_params),
    .state_size = sizeof(struct gaburov_host),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = gaburov_host_cost,
    .release = gaburov_host_release,
};
