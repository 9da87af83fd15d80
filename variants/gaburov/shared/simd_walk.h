/* SPDX-License-Identifier: MIT */
/* Walks through the octree for groups of bodies: the template that cpu-tree-simd.c gives to
 * variants/common/simd.h. Code that does not depend on the instruction set comes first.
 *
 * Neighbouring groups share most of their lists. So a walk starts for a crowd of several hundred
 * bodies and goes down its part of the tree, from target to target. Cells far from a target act on
 * all of its bodies at once; cells that all groups in it would open are opened; the rest waits for
 * the target's children. Groups, the last targets, open whatever is not far. */
#ifndef GABUROV_SIMD_WALK_H
#define GABUROV_SIMD_WALK_H

#include <float.h>
#include <string.h>

#include "host.h"
#include "host_vectors.h"
#include "simd_crowd.h"

/* What all walks read. */
struct vector_walk {
    const struct gaburov_octree *tree;
    const struct gaburov_host_cell *cell;
    const struct gaburov_host_vectors *vectors;
    float eps2;
    int32_t ngroup;
    int pairs;          /* positions are pairs of floats */
    int cube, monopole; /* distances count from the cube around a target's box; cells act by their
                           mass alone */
};

/* Up to 8 neighbouring cells: bit k of `which` is cell first + k. */
struct some_cells {
    int32_t first;
    uint32_t which;
};

enum {
    STACK = 8 * (GABUROV_LEVELS +
                 1), /* cells that wait to be opened: of each level above, all children but one */
    WAITING = 8192 /* of all targets from the crowd down to a group. What does not fit is opened */
};

/* What one thread works with. */
struct vector_walker {
    struct crowd crowd;
    struct lists lists;
    struct some_cells waiting[WAITING];
    struct gaburov_work work;
};

/* Bodies that cells act on together. */
struct target {
    int32_t cell;          /* -1: part of a leaf */
    int32_t from, to;      /* bodies of the crowd */
    int group;             /* whether it is one, else it has children */
    float low[3], high[3]; /* tight box */
    float near_low[3], near_high[3],
        slack; /* a cell is far if it is farther from this than its reach and the slack */
};

static void set_box(struct target *t, const float centre[3], const float half[3],
                    const float com[3], int cube)
{
    const float longest = fmaxf(half[0], fmaxf(half[1], half[2]));
    float off2 = 0;

    for (int d = 0; d < 3; d++) {
        const float h = cube ? longest : half[d], off = com[d] - centre[d];
        t->low[d] = centre[d] - half[d];
        t->high[d] = centre[d] + half[d];
        t->near_low[d] = centre[d] - h;
        t->near_high[d] = centre[d] + h;
        off2 += off * off;
    }
    t->slack = cube ? sqrtf(off2) : 0;
}

static struct target target_of_cell(const struct vector_walk *w, const struct crowd *g, int32_t c)
{
    const struct gaburov_properties *p = &w->tree->properties[c];
    const struct gaburov_host_cell *cell = &w->cell[c];
    struct target t = {
        .cell = c, .from = cell->first - g->first, .to = cell->first - g->first + cell->count};

    t.group = cell->child < 0 || cell->count <= w->ngroup;
    set_box(&t, p->centre, p->half, p->com, w->cube);
    return t;
}

/* The children of a cell without the k-th. */
static inline struct some_cells but_one(const struct gaburov_host_cell *cell, int32_t k)
{
    return (struct some_cells){cell->child, ((1u << cell->children) - 1) & ~(1u << k)};
}

static struct target target_of_part(const struct vector_walk *w, const struct gaburov_group *part)
{
    struct target t = {.cell = -1, .to = part->count, .group = 1};

    set_box(&t, part->centre, part->half, part->com, w->cube);
    return t;
}

/* Where the walks of a crowd begin: the cells beside those that hold it, from the root down.
 * Returns how many entries of *waiting; *at is then the crowd's own cell, or the leaf that it is a
 * part of. */
static uint32_t surround(const struct vector_walk *w, const struct gaburov_group *crowd,
                         struct some_cells *waiting, int32_t *at)
{
    uint32_t count = 0;

    for (*at = 0; w->cell[*at].count > crowd->count && w->cell[*at].child >= 0;) {
        const struct gaburov_host_cell *cell = &w->cell[*at];
        for (*at = cell->child; w->cell[*at].first + w->cell[*at].count <= crowd->first;)
            ++*at;
        waiting[count++] = but_one(cell, *at - cell->child);
    }
    return count;
}

static void assemble(struct crowd *g, const struct vector_walk *w, const struct gaburov_group *from)
{
    g->first = from->first;
    g->count = from->count;
    const int parts = w->pairs ? PAIR_PARTS : BODY_PARTS;

    for (int k = 0; k < parts; k++)
        memcpy(g->part[k], w->vectors->body[k] + g->first, (size_t)g->count * sizeof(float));
    fill_up(g->part[0], CROWD + TAIL, parts, (uint32_t)g->count, TAIL);
    memset(g->sum, 0, (size_t)g->count * sizeof *g->sum);
}

/* As many of the bodies from ... to - 1 by key as fit join the list. Returns how many. */
static inline int32_t list_bodies(struct lists *l, int32_t from, int32_t to)
{
    const int32_t left = (int32_t)(2 * l->entries - l->bodies),
                  some = to - from < left ? to - from : left;

    l->leaf[l->leaves++] = (struct some_bodies){from, some};
    l->bodies += (uint32_t)some;
    return some;
}

/* Parts `part` ... `part` + 3 of four cells become a piece of each of `rows` arrays. */
static inline void transpose(float *to, const struct gaburov_host_cell *const from[4], int part,
                             int rows)
{
    simd_four row[4];

#pragma GCC unroll 4
    for (int k = 0; k < 4; k++)
        row[k] = *(const simd_four *)(from[k]->com + part);
    const simd_four low = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                    high = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                    low2 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                    high2 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0] = __builtin_shufflevector(low, low2, 0, 1, 4, 5);
    row[1] = __builtin_shufflevector(low, low2, 2, 3, 6, 7);
    row[2] = __builtin_shufflevector(high, high2, 0, 1, 4, 5);
    row[3] = __builtin_shufflevector(high, high2, 2, 3, 6, 7);
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++)
        *(simd_four *)(to + (size_t)(part + k) * NODE_STRIDE) = row[k];
}

/* What the list's cells are. */
static void gather_nodes(struct lists *l, const struct gaburov_host_cell *cells)
{
    for (uint32_t at = l->nodes; at < l->nodes + AHEAD + 4; at++)
        l->cell[at] = l->cell[l->nodes - 1];
    for (uint32_t at = 0; at < l->nodes; at += 4) {
        const struct gaburov_host_cell *from[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++) {
            from[k] = &cells[l->cell[at + k]];
            __builtin_prefetch(&cells[l->cell[at + AHEAD + k]]);
        }
        transpose(l->node + at, from, 0, 4);
        transpose(l->node + at, from, 4, 4);
        transpose(l->node + at, from, 8, 2);
    }
}

/* Where positions are pairs of floats, cells and bodies from ... to - 1 meet as seen from the first
 * of these, low parts and all: close enough for single precision. */
static void see_nodes(struct lists *l, const float *com_low, const float point[3])
{
    for (size_t d = 0; d < 3; d++)
        for (uint32_t at = 0; at < l->nodes; at++) {
            float *const x = &l->node[d * NODE_STRIDE + at];
            *x = (*x - point[d]) + com_low[4 * (size_t)l->cell[at] + d];
        }
}

static void see_bodies(struct crowd *g, int32_t from, int32_t to, const float point[3],
                       float kept[3][CROWD])
{
    for (int d = 0; d < 3; d++)
        for (int32_t i = from; i < to; i++) {
            kept[d][i] = g->part[d][i];
            g->part[d][i] = (g->part[d][i] - point[d]) + g->part[BODY_PARTS + d][i];
        }
}

static void put_back(struct crowd *g, int32_t from, int32_t to, float kept[3][CROWD])
{
    for (int d = 0; d < 3; d++)
        for (int32_t i = from; i < to; i++)
            g->part[d][i] = kept[d][i];
}

#endif

#include "simd_act.h"

/* Sorts cells: sets bits of *far where one may act as a whole on the target, of *open where every
 * group in it opens the cell: the farthest corner of the box is within reach. `group`, a constant
 * where called: the target is one. */
SIMD_INLINE void SIMD(judge)(const struct gaburov_host_vectors *v, const struct target *t,
                             struct some_cells cells, int group, uint32_t *far, uint32_t *open)
{
    *far = *open = 0;
    for (int k = 0; cells.which >> k; k += SIMD_LANES) {
        const size_t at = (size_t)cells.first + (size_t)k;
        const real reach = SIMD_LOAD_ANY(v->reach + at), most = reach + REAL(t->slack);
        real nearest2 = REAL(0.0f), farthest2 = REAL(0.0f);
#pragma GCC unroll 3
        for (int d = 0; d < 3; d++) {
            const real low = SIMD_LOAD_ANY(v->low[d] + at), high = SIMD_LOAD_ANY(v->high[d] + at);
            const real near = SIMD_MAX(REAL(t->near_low[d]) - high, low - REAL(t->near_high[d]));
            const real beyond = SIMD_MAX(near, REAL(0.0f));
            nearest2 = FMA(beyond, beyond, nearest2);
            if (!group) {
                const real away = SIMD_MAX(low - REAL(t->low[d]), REAL(t->high[d]) - high);
                const real at_most = SIMD_MAX(away, REAL(0.0f));
                farthest2 = FMA(at_most, at_most, farthest2);
            }
        }
        *far |= SIMD_ABOVE(nearest2, most * most) << k;
        if (!group)
            *open |= SIMD_ABOVE(farthest2, reach * reach) << k;
    }
    *far &= cells.which;
    *open = cells.which & ~(*open | *far);
}

SIMD_FUNCTION void SIMD(meet_nodes)(const struct vector_walk *w, struct vector_walker *me,
                                    const struct target *t)
{
    struct lists *l = &me->lists;
    const uint32_t count = fill_up(l->node, NODE_STRIDE, NODE_PARTS, l->nodes, SIMD_LANES);

    if (w->monopole)
        SIMD(others_act)(&me->crowd, t->from, t->to, l->node, NODE_STRIDE, count, 0, w->eps2);
    else
        SIMD(nodes_act)(&me->crowd, t->from, t->to, l->node, count, w->eps2);
}

SIMD_FUNCTION void SIMD(flush_nodes)(const struct vector_walk *w, struct vector_walker *me,
                                     const struct target *t)
{
    struct lists *l = &me->lists;
    struct crowd *g = &me->crowd;

    gather_nodes(l, w->cell);
    if (w->pairs) {
        const float point[3] = {g->part[0][t->from], g->part[1][t->from], g->part[2][t->from]};
        float kept[3][CROWD];
        see_nodes(l, w->tree->com_low, point);
        see_bodies(g, t->from, t->to, point, kept);
        SIMD(meet_nodes)(w, me, t);
        put_back(g, t->from, t->to, kept);
    } else {
        SIMD(meet_nodes)(w, me, t);
    }
    me->work.node_entries += (double)l->nodes;
    me->work.nodes += (double)l->nodes * (t->to - t->from);
    l->nodes = 0;
}

/* What the list's bodies are, copied in whole vectors. `parts` is a constant where called. */
SIMD_INLINE void SIMD(copy_bodies)(struct lists *l, float *const *body, size_t parts)
{
    float *to = l->body;

    for (uint32_t k = 0; k < l->leaves; to += l->leaf[k++].count)
        for (int32_t j = 0; j < l->leaf[k].count; j += SIMD_LANES)
            for (size_t part = 0; part < parts; part++)
                SIMD_STORE_ANY(to + part * BODY_STRIDE + j,
                               SIMD_LOAD_ANY(body[part] + l->leaf[k].first + j));
}

/* Fills the list up to whole vectors; returns how long it is then. */
SIMD_FUNCTION uint32_t SIMD(gather_bodies)(struct lists *l, const struct vector_walk *w)
{
    if (w->pairs)
        SIMD(copy_bodies)(l, w->vectors->body, PAIR_PARTS);
    else
        SIMD(copy_bodies)(l, w->vectors->body, BODY_PARTS);
    return fill_up(l->body, BODY_STRIDE, w->pairs ? PAIR_PARTS : BODY_PARTS, l->bodies, SIMD_LANES);
}

SIMD_FUNCTION void SIMD(flush_bodies)(const struct vector_walk *w, struct vector_walker *me,
                                      const struct target *t)
{
    struct lists *l = &me->lists;
    const uint32_t count = SIMD(gather_bodies)(l, w);

    SIMD(others_act)(&me->crowd, t->from, t->to, l->body, BODY_STRIDE, count, w->pairs, w->eps2);
    me->work.leaves += (double)l->bodies * (t->to - t->from);
    l->leaves = l->bodies = 0;
}

/* Bodies from ... to - 1 by key, not the target's own, join the list. */
SIMD_INLINE void SIMD(take_bodies)(const struct vector_walk *w, struct vector_walker *me,
                                   const struct target *t, int32_t from, int32_t to)
{
    struct lists *l = &me->lists;

    while (from < to) {
        from += list_bodies(l, from, to);
        if (l->bodies == 2 * l->entries)
            SIMD(flush_bodies)(w, me, t);
    }
}

/* The bodies of a group act on each other. The list is empty. */
SIMD_FUNCTION void SIMD(act_within)(const struct vector_walk *w, struct vector_walker *me,
                                    const struct target *t)
{
    struct lists *l = &me->lists;

    for (int32_t from = t->from, some; from < t->to; from += some) {
        some = list_bodies(l, me->crowd.first + from, me->crowd.first + t->to);
        const uint32_t count = SIMD(gather_bodies)(l, w);
        SIMD(own_act)
        (&me->crowd, t->from, t->to, l->body, BODY_STRIDE, count, from, w->pairs, w->eps2);
        l->leaves = l->bodies = 0;
    }
    me->work.leaves += (double)(t->to - t->from) * (t->to - t->from - 1);
}

/* Cells that the target opens for sure join the lists or go to the stack until their children's
 * turn. Returns the new top. */
SIMD_INLINE int SIMD(open)(const struct vector_walk *w, struct vector_walker *me,
                           const struct target *t, struct some_cells cells,
                           struct some_cells *stack, int top)
{
    for (; cells.which; cells.which &= cells.which - 1) {
        const struct gaburov_host_cell *cell = &w->cell[cells.first + __builtin_ctz(cells.which)];
        if (cell->child >= 0) {
            stack[top++] = (struct some_cells){cell->child, (1u << cell->children) - 1};
        } else {
            SIMD(take_bodies)(w, me, t, cell->first, cell->first + cell->count);
            me->work.leaf_entries++;
        }
    }
    return top;
}

/* Cells join the list. Without a branch for each, which no predictor would learn. */
SIMD_INLINE void SIMD(take_nodes)(const struct vector_walk *w, struct vector_walker *me,
                                  const struct target *t, struct some_cells cells)
{
    if (me->lists.nodes + 8 > me->lists.entries)
        SIMD(flush_nodes)(w, me, t);
#pragma GCC unroll 8
    for (int32_t k = 0; k < 8; k++) {
        me->lists.cell[me->lists.nodes] = cells.first + k;
        me->lists.nodes += cells.which >> k & 1;
    }
}

/* The target meets the `count` entries of `in`. What only some of its groups may open goes to
 * `out`, or is opened where that has no more room; a group, a constant where called, opens it.
 * Returns how many entries `out` then has. */
SIMD_INLINE uint32_t SIMD(meet)(const struct vector_walk *w, struct vector_walker *me,
                                const struct target *t, const struct some_cells *in, uint32_t count,
                                int group, struct some_cells *out, uint32_t room)
{
    struct some_cells stack[STACK];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        int top = 0;
        stack[top++] = in[i];
        while (top) {
            const struct some_cells cells = stack[--top];
            uint32_t far, open;
            SIMD(judge)(w->vectors, t, cells, group, &far, &open);
            const uint32_t rest = cells.which & ~(far | open);
            if (!group && rest && kept < room)
                out[kept++] = (struct some_cells){cells.first, rest};
            else
                open |= rest;
            SIMD(take_nodes)(w, me, t, (struct some_cells){cells.first, far});
            top = SIMD(open)(w, me, t, (struct some_cells){cells.first, open}, stack, top);
        }
    }
    return kept;
}

/* Everything but the target acts on its bodies: cells begin ... end - 1 of the waiting ones. */
SIMD_FUNCTION void SIMD(descend)(const struct vector_walk *w, struct vector_walker *me,
                                 const struct target *t, uint32_t begin, uint32_t end)
{
    const uint32_t most = WAITING - GABUROV_LEVELS - 1; /* each level adds one entry of its own */
    struct some_cells *const in = me->waiting + begin, *const out = me->waiting + end;
    const uint32_t kept =
        t->group ? SIMD(meet)(w, me, t, in, end - begin, 1, out, 0)
                 : SIMD(meet)(w, me, t, in, end - begin, 0, out, end < most ? most - end : 0);

    if (me->lists.nodes)
        SIMD(flush_nodes)(w, me, t);
    if (me->lists.bodies)
        SIMD(flush_bodies)(w, me, t);
    if (t->group) {
        SIMD(act_within)(w, me, t);
        me->work.groups++;
        return;
    }
    const struct gaburov_host_cell *cell = &w->cell[t->cell];
    for (int32_t k = 0; k < cell->children; k++) {
        const struct target child = target_of_cell(w, &me->crowd, cell->child + k);
        me->waiting[end + kept] = but_one(cell, k);
        SIMD(descend)(w, me, &child, end, end + kept + 1);
    }
}

/* Accelerations and potentials of a crowd's bodies, in their sums. */
SIMD_FUNCTION void SIMD(walk)(const struct vector_walk *w, struct vector_walker *me,
                              const struct gaburov_group *crowd)
{
    int32_t at;
    const uint32_t count = surround(w, crowd, me->waiting, &at);
    const struct gaburov_host_cell *cell = &w->cell[at];
    const int whole = cell->count == crowd->count;

    assemble(&me->crowd, w, crowd);
    const struct target t = whole ? target_of_cell(w, &me->crowd, at) : target_of_part(w, crowd);
    if (!whole) {
        SIMD(take_bodies)(w, me, &t, cell->first, crowd->first);
        SIMD(take_bodies)(w, me, &t, crowd->first + crowd->count, cell->first + cell->count);
    }
    SIMD(descend)(w, me, &t, 0, count);
}
