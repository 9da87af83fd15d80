/* SPDX-License-Identifier: MIT */
/* gaburov/octgrav: its interaction lists, downloaded and held against the tree they were made from;
 * lengths, offsets and chunks; what the ways to walk and to add up agree on. */
#include "gaburov_octgrav_run.h"

/* Everything of one evaluation that went through one chunk. */
struct lists {
    const struct octgrav *s;
    const struct octgrav_params *p;
    int32_t *length, *opened, *list;
    uint64_t *offset;
    int32_t *cell;  /* of each slot; -1: empty */
    uint8_t *taken; /* of each cell, by the group at hand: 1 as a node, 2 as a leaf */
    int32_t visited, popped;
};

static void *array_of(const struct run *r, enum octgrav_array which, size_t bytes)
{
    const struct octgrav *s = r->job.state;

    return fetched(r, s->array[which].device, bytes);
}

/* Which cell each slot is about, from the tree alone: nodes are numbered as they come. */
static int32_t *cells_of_slots(const struct octgrav *s)
{
    int32_t *cell = malloc(8 * s->nodes * sizeof *cell), node = 0;

    for (size_t slot = 0; slot < 8 * s->nodes; slot++)
        cell[slot] = -1;
    if (s->tree.cell[0].child < 0)
        cell[0] = 0;
    for (int32_t c = 0; c < s->tree.cells; c++) {
        const struct gaburov_cell *parent = &s->tree.cell[c];
        int32_t child = parent->child;
        for (int octant = 0; octant < 8 && parent->child >= 0; octant++)
            if (parent->octants >> octant & 1)
                cell[8 * node + octant] = child++;
        node += parent->child >= 0;
    }
    return cell;
}

static void lists_fetch(struct lists *l, const struct run *r)
{
    const struct octgrav *s = r->job.state;

    *l = (struct lists){.s = s, .p = r->params};
    assert_int_equal(s->chunks, 1);
    l->length = array_of(r, OCTGRAV_LENGTH, s->groups * 2 * sizeof *l->length);
    l->opened = array_of(r, OCTGRAV_OPENED, s->groups * sizeof *l->opened);
    l->offset = array_of(r, OCTGRAV_OFFSET, (s->groups + 1) * sizeof *l->offset);
    l->list = array_of(r, OCTGRAV_LIST, l->offset[s->groups] * sizeof *l->list);
    l->cell = cells_of_slots(s);
    l->taken = calloc((size_t)s->tree.cells, 1);
}

static void lists_release(struct lists *l)
{
    free(l->length);
    free(l->opened);
    free(l->offset);
    free(l->list);
    free(l->cell);
    free(l->taken);
}

static double beyond(double x, double width)
{
    return fmax(fabs(x) - width, 0);
}

/* What the opening test of gaburov.h compares: the cell is opened where this is negative (or 0, but
 * by the first test).
 */
static double room(const struct octgrav_params *p, const struct gaburov_properties *cell,
                   const struct gaburov_group *g)
{
    const float *from =
        p->tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE ? cell->centre : cell->com;
    const double h = fmax(g->half[0], fmax(g->half[1], g->half[2])), l = cell->side / p->tree.theta;
    double d2 = 0, delta2 = 0, own2 = 0;

    for (int d = 0; d < 3; d++) {
        const double width = p->tree.opening == GABUROV_OPENING_OCTGRAV ? h
                             : p->tree.opening == GABUROV_OPENING_IMPROVED
                                 ? g->half[d]
                                 : g->half[d] + cell->half[d];
        d2 += pow(beyond((double)from[d] - g->centre[d], width), 2);
        delta2 += pow((double)g->com[d] - g->centre[d], 2);
        own2 += pow((double)cell->com[d] - cell->centre[d], 2);
    }
    return sqrt(d2) - l -
           (p->tree.opening == GABUROV_OPENING_OCTGRAV    ? sqrt(delta2)
            : p->tree.opening == GABUROV_OPENING_IMPROVED ? sqrt(own2)
                                                          : 0);
}

/* Rounding of coordinates and distances in single precision. */
static double slack(const struct gaburov_properties *cell, const struct gaburov_group *g)
{
    double size = cell->side;

    for (int d = 0; d < 3; d++)
        size += fabs((double)cell->com[d]) + fabs((double)g->centre[d]) + (double)g->half[d];
    return 1e-5 * size;
}

/* Below cell c every cell is in a list, or opened and what is below it is. */
static void follow(struct lists *l, const struct gaburov_group *g, int32_t c)
{
    const struct gaburov_cell *parent = &l->s->tree.cell[c];

    l->popped++;
    for (int32_t child = parent->child; child < parent->child + parent->children; child++) {
        const struct gaburov_properties *cell = &l->s->tree.properties[child];
        const int leaf = l->s->tree.cell[child].child < 0;
        const double left = l->p->tree.theta > 0 ? room(l->p, cell, g) : -INFINITY;

        if (l->taken[child] == 1 && (!(left >= -slack(cell, g)) || cell->side == 0))
            fail_msg("cell %d of %d bodies is not opened: %g too near", child,
                     l->s->tree.cell[child].count, -left);
        if (l->taken[child] != 1 && cell->side > 0 && !(left <= slack(cell, g)))
            fail_msg("cell %d is opened: %g far enough", child, left);
        if (leaf && !l->taken[child])
            fail_msg("leaf %d is in no list", child);
        l->visited += l->taken[child] != 0;
        if (!l->taken[child])
            follow(l, g, child);
    }
}

static void take(struct lists *l, int32_t slot, uint8_t kind)
{
    assert_in_range(slot, 0, 8 * l->s->nodes - 1);
    const int32_t c = l->cell[slot];
    assert_in_range(c, 0, l->s->tree.cells - 1);
    assert_int_equal(l->taken[c], 0);
    if (kind == 2)
        assert_true(l->s->tree.cell[c].child < 0);
    l->taken[c] = kind;
}

static void check_group(struct lists *l, size_t g)
{
    const int32_t nodes = l->length[2 * g], leaves = l->length[2 * g + 1];
    const int32_t *list = l->list + l->offset[g];

    memset(l->taken, 0, (size_t)l->s->tree.cells);
    l->visited = l->popped = 0;
    assert_int_equal(l->offset[g + 1] - l->offset[g], (nodes + leaves + 3) / 4 * 4);
    for (int32_t k = 0; k < nodes + leaves; k++)
        take(l, list[k], k < nodes ? 1 : 2);
    if (l->s->tree.cell[0].child < 0) {
        assert_int_equal(nodes + leaves, 1);
        assert_int_equal(l->opened[g], 1);
        return;
    }
    follow(l, &l->s->tree.group[g], 0);
    assert_int_equal(l->visited, nodes + leaves);
    assert_int_equal(l->popped, l->opened[g]);
}

static void check_lists(const struct run *r)
{
    struct lists l;

    lists_fetch(&l, r);
    assert_int_equal(l.offset[0], 0);
    for (size_t g = 0; g < l.s->groups; g++)
        check_group(&l, g);
    lists_release(&l);
}

TEST_EVERYWHERE(test_lists)
{
    static const char *const settings[] = {
        "theta=0.5 nleaf=3 ngroup=5",
        "theta=0.7 nleaf=8 ngroup=8 opening=improved scan=device",
        "theta=0.6 nleaf=1 ngroup=16 opening=minimum-distance",
        "theta=0 nleaf=2 ngroup=7 scan=device",
        "theta=3 nleaf=1 ngroup=1",
        "theta=1e6 nleaf=1 ngroup=1 opening=improved",
        "theta=1e6 nleaf=1 ngroup=3 opening=minimum-distance"};
    static const size_t sizes[] = {1, 2, 3, 9, 64, 333};

    for (int shape = 0; shape < SHAPES; shape++)
        for (int k = 0; k < 7; k++) {
            BODIES b = bodies_of(shape, sizes[(k + shape) % 6], 0.01);
            RUN r = run_made(variant, device, &b, settings[k]);
            check_lists(&r);
        }
}

/* Figures that do not depend on how the lists are made and met. */
static void assert_same_work(const struct orr_cost *a, const struct orr_cost *b, const char *what)
{
    static const char *const figures[] = {"node interactions", "leaf interactions", "groups",
                                          "node list entries", "leaf list entries", "cells"};

    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
        if (figure_of(a, figures[k]) != figure_of(b, figures[k]))
            fail_msg("%s: %g %s, not %g", what, figure_of(b, figures[k]), figures[k],
                     figure_of(a, figures[k]));
    assert_true(a->interactions == b->interactions && a->flops_true == b->flops_true);
}

/* Same sums in whatever order: `bound` of the root mean square. */
static void assert_near(const struct run *a, const struct run *b, double bound, const char *what)
{
    double square = 0;

    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < a->job.bodies->n; i++)
            square += pow((double)a->out.acc[d][i], 2) / (double)a->job.bodies->n;
    for (size_t i = 0; i < a->job.bodies->n; i++) {
        for (int d = 0; d < 3; d++)
            if (!(fabs((double)a->out.acc[d][i] - (double)b->out.acc[d][i]) <=
                  bound * sqrt(square)))
                fail_msg("%s: acc[%d] of body %zu is %g, not %g", what, d, i,
                         (double)b->out.acc[d][i], (double)a->out.acc[d][i]);
        if (!(fabs((double)a->out.phi[i] - (double)b->out.phi[i]) <=
              bound * fabs((double)a->out.phi[i])))
            fail_msg("%s: phi of body %zu is %g, not %g", what, i, (double)b->out.phi[i],
                     (double)a->out.phi[i]);
    }
}

/* A kernel of one walk takes seconds to build, and what differs between these does not depend on
 * each other: so they share the openings and multipoles of the trees among them, as do the sizes of
 * blocks. */
TEST_EVERYWHERE(test_ways_to_walk_agree)
{
    enum { FIRST = 1, SECOND = 2, THIRD = 4, ALL = 7 };
    static const struct {
        const char *how;
        int trees;
        double bound;
    } ways[] = {{"scan=device", ALL, 0},
                {"list_mb=0.004", ALL, 0},
                {"list_mb=0.0004 scan=device", ALL, 0},
                {"list_mb=0.000008", ALL, 0},
                {"list_mb=0.000008 scan=device", ALL, 0},
                {"host_threads=2", ALL, 0},
                {"walk_block=3", FIRST, 0},
                {"share=on", SECOND | THIRD, 2e-5},
                {"walk=one", FIRST, 2e-5},
                {"walk=one share=on block=100 bodies=1", SECOND | THIRD, 2e-5},
                {"block=40 bodies=3", ALL, 2e-5}};
    static const char *const trees[] = {
        "nleaf=8 ngroup=13", "nleaf=200 ngroup=64 opening=improved",
        "multipole=monopole nleaf=1 ngroup=64 opening=minimum-distance"};

    for (int k = 0; k < 3; k++) {
        BODIES b = plummer_bodies(700 + (size_t)random_below(100), 0.01);
        RUN first = run_made(variant, device, &b, trees[k]);
        const struct orr_cost cost = cost_of(&first);
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            if (!(ways[way].trees >> k & 1))
                continue;
            const char *settings = filled("%s %s", trees[k], ways[way].how);
            RUN r = run_made(variant, device, &b, settings);
            const struct orr_cost other = cost_of(&r);
            assert_same_work(&cost, &other, settings);
            assert_near(&first, &r, ways[way].bound, settings);
        }
    }
}

/* Every chunk but those of a single group keeps to the bound, and none could have taken the next
 * group too. */
TEST_EVERYWHERE(test_chunks)
{
    static const char *const settings[] = {"nleaf=8 ngroup=8 list_mb=0.003",
                                           "nleaf=8 ngroup=8 list_mb=0.003 scan=device",
                                           "nleaf=8 ngroup=8 list_mb=0.0003 scan=device"};
    BODIES b = plummer_bodies(1003, 0.01);

    for (int k = 0; k < 3; k++) {
        RUN r = run_made(variant, device, &b, settings[k]);
        const struct octgrav *s = r.job.state;
        const uint32_t *chunks = s->array[OCTGRAV_CHUNKS].host;
        uint64_t *offset = array_of(&r, OCTGRAV_OFFSET, (s->groups + 1) * sizeof *offset),
                 longest = 0;
        assert_true(s->chunks > 3 && chunks[0] == s->chunks && chunks[2] == 0);
        assert_int_equal(chunks[2 + s->chunks], s->groups);
        for (uint32_t c = 0; c < s->chunks; c++) {
            const uint32_t from = chunks[2 + c], to = chunks[3 + c];
            const uint64_t entries = offset[to] - offset[from];
            assert_true(to > from && (entries <= s->most_entries || to == from + 1));
            assert_true(to == s->groups || offset[to + 1] - offset[from] > s->most_entries);
            longest = entries > longest ? entries : longest;
        }
        assert_int_equal(chunks[1], longest);
        assert_true(s->array[OCTGRAV_LIST].device_bytes >= longest * sizeof(int32_t));
        free(offset);
    }
}

RUN_TESTS_OF("gaburov/octgrav")
