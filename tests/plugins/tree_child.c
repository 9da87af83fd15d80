/* SPDX-License-Identifier: MIT */
/* A small honest tree code in the plane: a cell acts as one body when its width is below theta
 * times its distance. Three faults can be planted in it, each in one case of `every`: a child lost
 * from its cell, another node in place of a child, an interaction left out. By `all_pairs` few
 * bodies have no tree, and so no fault. */
#include "plugin.h"

enum fault { NONE, LOST, FOREIGN, SKIPPED };
enum { AUTO, ON, OFF, FEW = 5000 };
struct params {
    double eps, theta;
    int32_t fault, every, direct;
};

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 1e9, NULL, "softening length"},
    {"theta", ORR_PARAM_FLOAT, offsetof(struct params, theta), 0.5, 0, 100, NULL, "opening angle"},
    {"fault", ORR_PARAM_CHOICE, offsetof(struct params, fault), NONE, 0, 0,
     "none|lost|foreign|skipped", "what goes wrong"},
    {"every", ORR_PARAM_INT, offsetof(struct params, every), 1000, 1, 1e9, NULL,
     "in one case of so many"},
    {"all_pairs", ORR_PARAM_CHOICE, offsetof(struct params, direct), OFF, 0, 0, "auto|on|off",
     "all pairs, without a tree; auto: of 5000 bodies and fewer"},
};

/* A body, or a cell with up to four children; 0 is no child, since the root is nobody's. */
struct node {
    double x, y, mass, corner[2], width;
    int *place; /* in its cell */
    int child[4], bodies;
    size_t body; /* of a node that holds one */
};

struct state {
    struct node *nodes;
    size_t count, room;
    uint64_t salt;
    double *acc[2];
};

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    s->room = 64 * job->bodies->n + 64;
    s->nodes = malloc(s->room * sizeof *s->nodes);
    for (int d = 0; d < 2; d++)
        s->acc[d] = malloc(job->bodies->n * sizeof(double));
    return s->nodes && s->acc[0] && s->acc[1] ? 0 : ORR_FAIL(job, ORR_EMEMORY, "no memory");
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Other bodies are struck at other places. */
static uint64_t salt_of(const struct orr_bodies *bodies)
{
    uint64_t salt;
    memcpy(&salt, &bodies->mass[0], sizeof salt);
    return mix(salt);
}

static int child_of(struct state *s, int at, double x, double y)
{
    struct node *cell = &s->nodes[at];
    double width = cell->width / 2;
    int right = x >= cell->corner[0] + width, up = y >= cell->corner[1] + width;
    int *child = &cell->child[2 * up + right];
    if (!*child) {
        *child = (int)s->count++;
        s->nodes[*child] =
            (struct node){.corner = {cell->corner[0] + right * width, cell->corner[1] + up * width},
                          .width = width,
                          .place = child};
    }
    return *child;
}

/* Adds body i to every cell from the root down to one that it has for itself. */
static int insert(struct orr_job *job, struct state *s, size_t i)
{
    const struct orr_bodies *b = job->bodies;
    for (int at = 0;;) {
        struct node *node = &s->nodes[at];
        double mass = node->mass + b->mass[i];
        size_t other = node->body;
        node->x += (b->pos[0][i] - node->x) * (mass > 0 ? b->mass[i] / mass : 1);
        node->y += (b->pos[1][i] - node->y) * (mass > 0 ? b->mass[i] / mass : 1);
        node->mass = mass;
        node->body = i;
        if (node->bodies++ == 0)
            return 0;
        if (s->count + 2 > s->room)
            return ORR_FAIL(job, ORR_EMEMORY, "bodies %zu and %zu are too close", i, other);
        if (node->bodies == 2) {
            struct node *down = &s->nodes[child_of(s, at, b->pos[0][other], b->pos[1][other])];
            down->x = b->pos[0][other];
            down->y = b->pos[1][other];
            down->mass = b->mass[other];
            down->body = other;
            down->bodies = 1;
        }
        at = child_of(s, at, b->pos[0][i], b->pos[1][i]);
    }
}

/* One child in so many, at least one. A foreign node is a younger one, so that walks end. */
static void spoil(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    uint64_t children = s->count - 1;
    if (children == 0 || (p->fault != LOST && p->fault != FOREIGN))
        return;
    for (uint64_t k = 0; k <= children / (uint64_t)p->every; k++) {
        int at = 1 + (int)(mix(s->salt + k) % children);
        *s->nodes[at].place =
            p->fault == LOST ? 0 : at + (int)(mix(s->salt - k - 1) % (s->count - (size_t)at));
    }
}

static int build(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < b->n; i++) {
            low[d] = fmin(low[d], b->pos[d][i]);
            high[d] = fmax(high[d], b->pos[d][i]);
        }
    s->count = 1;
    s->nodes[0] = (struct node){.corner = {low[0], low[1]},
                                .width = fmax(high[0] - low[0], high[1] - low[1])};
    int code = 0;
    for (size_t i = 0; !code && i < b->n; i++)
        code = insert(job, s, i);
    if (!code)
        spoil(job);
    return code;
}

static void sum(struct orr_job *job, size_t i)
{
    const struct orr_bodies *b = job->bodies;
    const struct params *p = job->params;
    struct state *s = job->state;
    for (size_t j = 0; j < b->n; j++) {
        double dx = b->pos[0][j] - b->pos[0][i], dy = b->pos[1][j] - b->pos[1][i],
               d2 = dx * dx + dy * dy + p->eps * p->eps;
        if (j == i)
            continue;
        s->acc[0][i] += b->mass[j] * dx / (d2 * sqrt(d2));
        s->acc[1][i] += b->mass[j] * dy / (d2 * sqrt(d2));
    }
}

static void act(struct orr_job *job, int at, size_t i)
{
    const struct orr_bodies *b = job->bodies;
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct node *node = &s->nodes[at];
    double dx = node->x - b->pos[0][i], dy = node->y - b->pos[1][i], d2 = dx * dx + dy * dy;
    if (node->bodies > 1 && node->width * node->width >= p->theta * p->theta * d2) {
        for (int q = 0; q < 4; q++)
            if (node->child[q])
                act(job, node->child[q], i);
        return;
    }
    if ((node->bodies == 1 && node->body == i) ||
        (p->fault == SKIPPED &&
         mix(s->salt + (uint64_t)at * 0x9e3779b97f4a7c15u + i) % (uint64_t)p->every == 0))
        return;
    d2 += p->eps * p->eps;
    s->acc[0][i] += node->mass * dx / (d2 * sqrt(d2));
    s->acc[1][i] += node->mass * dy / (d2 * sqrt(d2));
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const int direct = p->direct == ON || (p->direct == AUTO && job->bodies->n <= FEW);
    s->salt = salt_of(job->bodies);
    int code = direct ? 0 : build(job);
    for (size_t i = 0; !code && i < job->bodies->n; i++) {
        s->acc[0][i] = s->acc[1][i] = 0;
        if (direct)
            sum(job, i);
        else
            act(job, 0, i);
    }
    return code;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct state *s = job->state;
    out->has_phi = 0;
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < job->bodies->n; i++)
            out->acc[d][i] = (float)s->acc[d][i];
    return 0;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;
    free(s->nodes);
    free(s->acc[0]);
    free(s->acc[1]);
    memset(s, 0, sizeof *s);
}

#define MEMBERS                                                                           \
    .state_size = sizeof(struct state), .prepare = prepare, .step = step, .fetch = fetch, \
    .release = release
PLUGIN(tree_child, .capabilities = ORR_RUNS_HOST | ORR_TREE_CODE, .dimensions = 2);
