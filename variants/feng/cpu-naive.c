/* SPDX-License-Identifier: MIT */
/* feng/cpu-naive: the report's sequential baseline. "A classic tree data structure with struct
 * TreeNode representing a node in the quadtree containing pointers to its children"; bodies are
 * inserted one at a time, with "a running center of mass and total mass for each inner cell"; the
 * walk is recursive; one thread.
 *
 * Interactions are in single precision as on the device. The tree is in double precision: a centre
 * of mass that is moved a million times in single precision would lose the digits that the variants
 * are compared in, and one cache line holds a node either way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pair.h"
#include "shared/host.h"

#define real float
#define FMA(a, b, c) ((a) * (b) + (c))
#define RSQRT(x) (1.0f / sqrtf(x))

struct params {
    struct feng_common common;
};

enum { INNER = -1, BLOCK_NODES = 4096 };

struct tree_node {
    struct tree_node *child[4]; /* of a leaf: child[0] is the leaf of a body that cannot be
                                   separated from this one */
    double x, y, mass;          /* centre of mass and mass of the bodies in it */
    int32_t body;               /* the body of a leaf, or INNER */
};

/* Nodes come from blocks that are kept from one tree to the next. */
struct block {
    struct block *next;
    _Alignas(64) struct tree_node nodes[BLOCK_NODES];
};

struct naive {
    struct feng_host host;
    struct block *first, *current;
    size_t used; /* nodes of the current block */
};

static struct block *next_block(struct naive *s)
{
    struct block **link = s->current ? &s->current->next : &s->first;

    if (!*link && (*link = aligned_alloc(64, sizeof **link)))
        (*link)->next = NULL;
    return *link;
}

/* NULL when there is no memory. */
static struct tree_node *new_node(struct naive *s)
{
    if (!s->current || s->used == BLOCK_NODES) {
        struct block *block = next_block(s);
        if (!block)
            return NULL;
        s->current = block;
        s->used = 0;
    }
    return &s->current->nodes[s->used++];
}

static struct tree_node *new_leaf(struct naive *s, int32_t i, struct tree_node *inseparable)
{
    const struct host_bodies *b = &s->host.bodies;
    struct tree_node *leaf = new_node(s);

    if (leaf)
        *leaf = (struct tree_node){.child = {inseparable},
                                   .x = (double)b->pos[0][i],
                                   .y = (double)b->pos[1][i],
                                   .mass = (double)b->mass[i],
                                   .body = i};
    return leaf;
}

/* Which quarter of the cell holds the point; the cell becomes that quarter. */
static int quadrant(struct feng_square *cell, double x, double y)
{
    cell->width *= 0.5;
    const int right = x >= cell->corner[0] + cell->width, up = y >= cell->corner[1] + cell->width;

    cell->corner[0] += right ? cell->width : 0;
    cell->corner[1] += up ? cell->width : 0;
    return 2 * up + right;
}

/* A leaf becomes an inner node that holds it; it stays a leaf where there is no memory. */
static int divide(struct naive *s, struct tree_node *node, struct feng_square cell)
{
    struct tree_node *leaf = new_node(s);

    if (!leaf)
        return ORR_EMEMORY;
    *leaf = *node;
    memset(node->child, 0, sizeof node->child);
    node->child[quadrant(&cell, leaf->x, leaf->y)] = leaf;
    node->body = INNER;
    return ORR_OK;
}

/* Body i joins the inner node's centre of mass. Massless bodies do not move it. */
static void add(struct tree_node *node, double x, double y, double mass)
{
    node->mass += mass;
    if (node->mass > 0) {
        node->x += (x - node->x) * (mass / node->mass);
        node->y += (y - node->y) * (mass / node->mass);
    }
}

/* Puts body i into the cell at *node, which is `depth` divisions below the root. */
static int insert(struct naive *s, struct tree_node **node, int32_t i, struct feng_square cell,
                  int depth)
{
    const struct host_bodies *b = &s->host.bodies;
    const double x = (double)b->pos[0][i], y = (double)b->pos[1][i];

    if (!*node || (depth == FENG_MAX_DEPTH && (*node)->body != INNER)) {
        struct tree_node *leaf = new_leaf(s, i, *node);
        *node = leaf ? leaf : *node;
        return leaf ? ORR_OK : ORR_EMEMORY;
    }
    if ((*node)->body != INNER && divide(s, *node, cell))
        return ORR_EMEMORY;
    add(*node, x, y, (double)b->mass[i]);
    const int q = quadrant(&cell, x, y);
    return insert(s, &(*node)->child[q], i, cell, depth + 1);
}

struct target {
    double x, y;
    float eps2;
    int32_t body;
    double theta2, ax, ay, interactions;
};

static inline void interact(struct target *t, float dx, float dy, float mass)
{
    float ax = 0, ay = 0;

    PAIR2(ax, ay, 0.0f, 0.0f, dx, dy, mass, t->eps2);
    t->ax += (double)ax;
    t->ay += (double)ay;
    t->interactions++;
}

/* What the bodies in a node of that width do to the target. */
static void act(const struct tree_node *node, double width, struct target *t)
{
    const double dx = node->x - t->x, dy = node->y - t->y;

    if (node->body != INNER) {
        for (; node; node = node->child[0])
            if (node->body != t->body)
                interact(t, (float)(node->x - t->x), (float)(node->y - t->y), (float)node->mass);
    } else if (width * width < t->theta2 * (dx * dx + dy * dy)) {
        interact(t, (float)dx, (float)dy, (float)node->mass);
    } else {
        for (int q = 0; q < 4; q++)
            if (node->child[q])
                act(node->child[q], 0.5 * width, t);
    }
}

static void walk(struct naive *s, const struct feng_common *p, const struct tree_node *root,
                 double width)
{
    struct host_bodies *b = &s->host.bodies;
    const float eps = (float)p->eps;

    for (size_t i = 0; i < b->n; i++) {
        struct target t = {.x = (double)b->pos[0][i],
                           .y = (double)b->pos[1][i],
                           .eps2 = eps * eps,
                           .body = (int32_t)i,
                           .theta2 = p->theta * p->theta};
        act(root, width, &t);
        b->acc[0][i] = (float)t.ax;
        b->acc[1][i] = (float)t.ay;
        s->host.interactions += t.interactions;
    }
}

static int forces(struct orr_job *job)
{
    struct naive *s = job->state;
    struct tree_node *root = NULL;
    int code = orr_phase(job->device, "InsertRoot");

    if (code)
        return code;
    const struct feng_square square = feng_host_square(&s->host);
    if ((code = orr_phase(job->device, "BuildQuadTree")))
        return code;
    s->current = NULL;
    for (size_t i = 0; i < s->host.bodies.n; i++)
        if (insert(s, &root, (int32_t)i, square, 0))
            return ORR_FAIL(job, ORR_EMEMORY, "no memory for a tree of %zu bodies",
                            s->host.bodies.n);
    code = orr_phase(job->device, "ComputeForces");
    if (!code)
        walk(s, job->params, root, square.width);
    return code;
}

static int prepare(struct orr_job *job)
{
    return feng_host_prepare(job, 1);
}

static int step(struct orr_job *job)
{
    return feng_host_step(job, forces);
}

static void release(struct orr_job *job)
{
    struct naive *s = job->state;

    for (struct block *block = s->first, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    s->first = s->current = NULL;
    host_bodies_release(job);
}

static const struct orr_param params[] = {FENG_COMMON_PARAMS(struct params)};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "feng/cpu-naive",
    .summary =
        "recursive Barnes-Hut over a quadtree of pointers in one thread, the report's baseline",
    .capabilities = ORR_RUNS_HOST | ORR_INTEGRATES | ORR_TREE_CODE | ORR_MONOPOLES,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct naive),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = feng_host_cost,
    .release = release,
};
