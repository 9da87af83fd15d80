/* SPDX-License-Identifier: MIT */
/* What a walk over the octree of paper gaburov finds, by recursion in double precision and straight
 * from the rules: for each body, or for groups of them with the cells above them. */
#ifndef GABUROV_HOST_EXPECTED_H
#define GABUROV_HOST_EXPECTED_H

#include "space_run.h"
#include "variants/gaburov/shared/octree_parts.h"

/* Forces on all bodies in the order of the input, ordered pairs, and the interactions whose
 * decision is within rounding. */
struct expected {
    double *sum; /* n x 5: ax ay az phi and the size of the terms */
    double nodes, leaves, doubtful;
};

/* What opens cells. */
struct rule {
    double theta;
    enum gaburov_opening opening;
    int monopole;
};

/* Bodies that cells act on together: a single one, or a cell's or group's with its box. */
struct box {
    int32_t first, count;
    double centre[3], half[3], com[3];
};

static inline double length(const double d[3])
{
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

struct seeker {
    const struct gaburov_octree *tree;
    struct rule rule;
    /* A cell acts as a whole if it may on one of these, which lie within each other, from the one
     * on that opened its parent. Each but the last opens only what the others open for sure. */
    const struct box *boxes;
    int box_count;
    struct expected *out;
};

static inline double reach_of(const struct rule *rule, const struct gaburov_properties *p)
{
    double off[3];

    for (int k = 0; k < 3; k++)
        off[k] = (double)p->com[k] - (double)p->centre[k];
    return (double)p->side / rule->theta +
           (rule->opening == GABUROV_OPENING_IMPROVED ? length(off) : 0);
}

/* By how much, relative to the distances, the cell is far enough (more than 0) or not. */
static inline double margin(const struct rule *rule, const struct gaburov_properties *p,
                            const struct box *b)
{
    const double h = fmax(b->half[0], fmax(b->half[1], b->half[2]));
    const int apart = rule->opening == GABUROV_OPENING_MINIMUM_DISTANCE,
              cube = rule->opening == GABUROV_OPENING_OCTGRAV;
    double d[3], own[3], needed = reach_of(rule, p);

    for (int k = 0; k < 3; k++) {
        d[k] = fabs((double)(apart ? p->centre[k] : p->com[k]) - b->centre[k]) -
               (cube ? h : b->half[k]);
        d[k] = fmax(0, d[k] - (apart ? (double)p->half[k] : 0));
        own[k] = b->com[k] - b->centre[k];
    }
    needed += cube ? length(own) : 0;
    return (length(d) - needed) / (length(d) + needed + 1e-300);
}

/* The same for its being near enough to the farthest corner of the box. */
static inline double near_margin(const struct rule *rule, const struct gaburov_properties *p,
                                 const struct box *b)
{
    const int apart = rule->opening == GABUROV_OPENING_MINIMUM_DISTANCE;
    const double reach = reach_of(rule, p);
    double d[3];

    for (int k = 0; k < 3; k++) {
        d[k] = fabs((double)(apart ? p->centre[k] : p->com[k]) - b->centre[k]) + b->half[k];
        d[k] = fmax(0, d[k] - (apart ? (double)p->half[k] : 0));
    }
    return (reach - length(d)) / (length(d) + reach + 1e-300);
}

/* Body k by key feels the cell: M and the traceless quadrupole about its centre of mass. */
static inline void feel_cell(const struct seeker *s, int32_t k, const struct gaburov_properties *p,
                             double eps)
{
    const float *x = s->tree->body + 4 * (size_t)k, *q = p->quad;
    double *sum = s->out->sum + 5 * (size_t)s->tree->order[k], d[3], r2 = eps * eps, qd[3], dqd = 0;

    for (int a = 0; a < 3; a++) {
        d[a] = (double)x[a] - (double)p->com[a];
        r2 += d[a] * d[a];
    }
    qd[0] = (double)q[0] * d[0] + (double)q[3] * d[1] + (double)q[4] * d[2];
    qd[1] = (double)q[3] * d[0] + (double)q[1] * d[1] + (double)q[5] * d[2];
    qd[2] = (double)q[4] * d[0] + (double)q[5] * d[1] + (double)q[2] * d[2];
    for (int a = 0; a < 3; a++) {
        qd[a] = s->rule.monopole ? 0 : qd[a] / (r2 * r2 * sqrt(r2));
        dqd += qd[a] * d[a];
    }
    for (int a = 0; a < 3; a++)
        sum[a] += qd[a] - ((double)p->mass / (r2 * sqrt(r2)) + 2.5 * dqd / r2) * d[a];
    sum[3] -= (double)p->mass / sqrt(r2) + 0.5 * dqd;
    sum[4] += (double)p->mass * length(d) / (r2 * sqrt(r2));
}

static inline void feel_body(const struct seeker *s, int32_t k, int32_t j, double eps)
{
    const float *x = s->tree->body + 4 * (size_t)k, *y = s->tree->body + 4 * (size_t)j;
    double *sum = s->out->sum + 5 * (size_t)s->tree->order[k], d[3], r2 = eps * eps;

    for (int a = 0; a < 3; a++) {
        d[a] = (double)y[a] - (double)x[a];
        r2 += d[a] * d[a];
    }
    for (int a = 0; a < 3 && r2 > 0; a++)
        sum[a] += (double)y[3] * d[a] / (r2 * sqrt(r2));
    sum[3] -= r2 > 0 ? (double)y[3] / sqrt(r2) : 0;
    sum[4] += r2 > 0 ? (double)y[3] * length(d) / (r2 * sqrt(r2)) : 0;
}

/* Which box decides on the cell, the first of them being number `from`; *far: it acts as a whole.
 */
static inline int decide(const struct seeker *s, const struct gaburov_properties *p, int from,
                         int *far)
{
    for (int k = from;; k++) {
        const double m = margin(&s->rule, p, &s->boxes[k]),
                     near = near_margin(&s->rule, p, &s->boxes[k]);
        const int last = k == s->box_count - 1;
        s->out->doubtful += fabs(m) < 1e-5 || (!last && fabs(near) < 1e-5);
        *far = m > 0;
        if (*far || last || near >= 0)
            return k;
    }
}

/* The last box's bodies and cell c. */
static inline void seek(const struct seeker *s, int32_t c, int from, double eps)
{
    const struct gaburov_cell *cell = &s->tree->cell[c];
    const struct box *group = &s->boxes[s->box_count - 1];
    const int32_t end = cell->first + cell->count, own = group->first + group->count;
    const int apart = end <= group->first || own <= cell->first;
    int far = 0;

    if (s->rule.theta > 0 && apart && cell->count > 1)
        from = decide(s, &s->tree->properties[c], from, &far);
    for (int32_t k = group->first; k < own && far; k++, s->out->nodes++)
        feel_cell(s, k, &s->tree->properties[c], eps);
    for (int32_t k = group->first; k < own && !far && cell->child < 0; k++)
        for (int32_t j = cell->first; j < end; j++)
            if (j != k) {
                feel_body(s, k, j, eps);
                s->out->leaves++;
            }
    for (int k = 0; k < cell->children && !far && cell->child >= 0; k++)
        seek(s, cell->child + k, from, eps);
}

static inline struct box box_of_body(const struct gaburov_octree *tree, int32_t k)
{
    struct box b = {.first = k, .count = 1};

    for (int d = 0; d < 3; d++)
        b.com[d] = b.centre[d] = (double)tree->body[4 * (size_t)k + (size_t)d];
    return b;
}

static inline struct box box_of_cell(const struct gaburov_octree *tree, int32_t c)
{
    const struct gaburov_properties *p = &tree->properties[c];
    struct box b = {.first = tree->cell[c].first, .count = tree->cell[c].count};

    for (int d = 0; d < 3; d++) {
        b.centre[d] = (double)p->centre[d];
        b.half[d] = (double)p->half[d];
        b.com[d] = (double)p->com[d];
    }
    return b;
}

/* Groups below cell c, whose chain of boxes begins where a cell has at most `crowd` bodies. */
static inline void seek_groups(struct seeker *s, struct box *chain, int32_t c, int32_t ngroup,
                               int32_t crowd, double eps)
{
    const struct gaburov_cell *cell = &s->tree->cell[c];
    const int count = s->box_count;

    if (cell->count <= crowd)
        chain[s->box_count++] = box_of_cell(s->tree, c);
    if (cell->count <= ngroup || cell->child < 0)
        seek(s, 0, 0, eps);
    for (int k = 0; k < cell->children && cell->count > ngroup; k++)
        seek_groups(s, chain, cell->child + k, ngroup, crowd, eps);
    s->box_count = count;
}

static inline void plant(struct gaburov_octree *tree, const struct orr_bodies *b, int32_t nleaf)
{
    const struct orr_job job = {.host = &host};
    float *pos[3], *mass = calloc(b->n, sizeof *mass);

    for (int d = 0; d < 3; d++) {
        pos[d] = calloc(b->n, sizeof(float));
        for (size_t i = 0; i < b->n; i++)
            pos[d][i] = (float)b->pos[d][i];
    }
    for (size_t i = 0; i < b->n; i++)
        mass[i] = (float)b->mass[i];
    assert_int_equal(gaburov_octree_prepare(&job, tree, b->n), 0);
    assert_int_equal(gaburov_octree_build(&job, tree, GABUROV_SORTED, pos, nleaf, 0, 1), 0);
    gaburov_octree_reorder(tree, pos, mass, NULL, 1);
    gaburov_octree_summarize(tree, 1);
    for (int d = 0; d < 3; d++)
        free(pos[d]);
    free(mass);
}

/* Cells partition the bodies; mass, centre of mass and box of each are those of its bodies. */
static inline void check_cells(const struct gaburov_octree *tree)
{
    for (int32_t c = 0; c < tree->cells; c++) {
        const struct gaburov_cell *cell = &tree->cell[c];
        const struct gaburov_properties *p = &tree->properties[c];
        const float *body = tree->body + 4 * (size_t)cell->first;
        double mass = 0, com[3] = {0}, low[3], high[3];
        int32_t next = cell->first;
        for (int32_t k = 0; k < cell->count; k++)
            for (int d = 0; d < 3; d++) {
                const double x = (double)body[4 * k + d];
                low[d] = k ? fmin(low[d], x) : x;
                high[d] = k ? fmax(high[d], x) : x;
                com[d] += (double)body[4 * k + 3] * x;
                mass += d ? 0 : (double)body[4 * k + 3];
            }
        assert_true(fabs((double)p->mass - mass) <= 1e-6 * mass);
        for (int d = 0; d < 3; d++) {
            assert_true(fabs((double)p->com[d] - com[d] / mass) <= 1e-6);
            assert_true(fabs((double)p->centre[d] - 0.5 * (low[d] + high[d])) <= 1e-6);
            assert_true((double)p->half[d] >= 0.5 * (high[d] - low[d]) - 1e-12 &&
                        (double)p->half[d] <= 0.5 * (high[d] - low[d]) + 1e-6);
        }
        for (int k = 0; k < cell->children && cell->child >= 0; k++) {
            assert_int_equal(tree->cell[cell->child + k].first, next);
            next += tree->cell[cell->child + k].count;
        }
        assert_true(cell->child < 0 || next == cell->first + cell->count);
    }
}

/* ngroup = 0: each body on its own. With groups no leaf may have more than `crowd` bodies. */
static inline struct expected expect(const struct orr_bodies *b, const struct rule *rule,
                                     int32_t nleaf, int32_t ngroup, int32_t crowd)
{
    struct gaburov_octree tree;
    struct box chain[GABUROV_LEVELS + 1];
    struct expected out = {.sum = calloc(5 * b->n, sizeof *out.sum)};
    struct seeker s = {.tree = &tree, .rule = *rule, .boxes = chain, .out = &out};

    plant(&tree, b, nleaf);
    check_cells(&tree);
    if (ngroup)
        seek_groups(&s, chain, 0, ngroup, crowd, (double)(float)b->eps);
    for (int32_t k = 0; k < (int32_t)b->n && !ngroup; k++) {
        chain[0] = box_of_body(&tree, k);
        s.box_count = 1;
        seek(&s, 0, 0, (double)(float)b->eps);
    }
    gaburov_octree_release(&tree);
    return out;
}

/* All but one in a thousand bodies to 2e-5 of their terms, interactions to the last one, but for
 * what decisions within rounding change. */
static inline void compare(const struct run *r, const struct expected *e, const char *settings)
{
    const size_t n = r->job.bodies->n;
    const double nodes = figure(r, "node interactions"), leaves = figure(r, "leaf interactions");
    size_t off = 0;

    for (size_t i = 0; i < n; i++) {
        const double *sum = e->sum + 5 * i;
        const double error = acc_error(r, i, sum);
        off += !(error <= 2e-5 * sum[4]) ||
               !(fabs((double)r->out.phi[i] - sum[3]) <= 1e-5 * fabs(sum[3]));
        if (e->doubtful == 0 && !(error <= 1e-3 * sum[4]))
            fail_msg("%s, %s: body %zu is off by %g of %g", r->variant->name, settings, i, error,
                     sum[4]);
    }
    if ((double)off > 1e-3 * (double)n + 64 * e->doubtful)
        fail_msg("%s, %s: %zu of %zu bodies are off, %.0f decisions are within rounding",
                 r->variant->name, settings, off, n, e->doubtful);
    if (fabs(nodes - e->nodes) + fabs(leaves - e->leaves) > 1e4 * e->doubtful)
        fail_msg("%s, %s: %.0f with cells and %.0f with bodies, not %.0f and %.0f",
                 r->variant->name, settings, nodes, leaves, e->nodes, e->leaves);
}

#endif
