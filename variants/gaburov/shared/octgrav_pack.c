/* SPDX-License-Identifier: MIT */
/* The tree and the groups as the device reads them: section 3.2.1, Fig. 3.2. */
#include "octgrav.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OCTANTS = 8, FLOAT4 = 16, PAIR_OF_INTS = 8, FEW = 4096 };

/* Bytes of an array for each node and for each group. */
static const struct {
    size_t node, group;
} sizes[OCTGRAV_PACKED] = {
    [OCTGRAV_TREE] = {OCTANTS * sizeof(int32_t), 0},
    [OCTGRAV_OPENING] = {OCTANTS * FLOAT4, 0},
    [OCTGRAV_EDGES] = {OCTANTS * FLOAT4, 0},
    [OCTGRAV_COM] = {OCTANTS * FLOAT4, 0},
    [OCTGRAV_COM_LOW] = {OCTANTS * FLOAT4, 0},
    [OCTGRAV_QUAD_A] = {OCTANTS * FLOAT4, 0},
    [OCTGRAV_QUAD_B] = {OCTANTS * 2 * sizeof(float), 0},
    [OCTGRAV_LEAF] = {OCTANTS * PAIR_OF_INTS, 0},
    [OCTGRAV_CENTRE] = {0, FLOAT4},
    [OCTGRAV_GROUP_EDGES] = {0, FLOAT4},
    [OCTGRAV_RANGE] = {0, PAIR_OF_INTS},
};

static int is_wanted(const struct orr_job *job, enum octgrav_array which)
{
    const struct octgrav_params *p = job->params;

    if (which == OCTGRAV_COM_LOW)
        return p->positions == POSITIONS_PAIRS;
    if (which == OCTGRAV_EDGES)
        return p->tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE;
    return (which != OCTGRAV_QUAD_A && which != OCTGRAV_QUAD_B) ||
           p->tree.multipole == GABUROV_QUADRUPOLE;
}

static size_t bytes_of(const struct octgrav *s, enum octgrav_array which)
{
    return sizes[which].node * s->nodes + sizes[which].group * s->groups;
}

/* Numbers of the nodes in the main tree-array. */
static int number_nodes(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const size_t cells = (size_t)s->tree.cells;
    int32_t next = 0;

    if (cells > s->number_room) {
        free(s->number);
        s->number_room = cells + cells / 8;
        s->number = malloc(s->number_room * sizeof *s->number);
        if (!s->number)
            return ORR_FAIL(job, ORR_EMEMORY, "no host memory for the numbers of %zu cells", cells);
    }
    for (size_t c = 0; c < cells; c++)
        s->number[c] = s->tree.cell[c].child >= 0 ? next++ : 0;
    if (next > INT32_MAX / OCTANTS)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "a tree of %d nodes has more octants than can be indexed; try nleaf=64",
                        next);
    s->nodes = next ? (size_t)next : 1;
    s->groups = (size_t)s->tree.groups;
    return ORR_OK;
}

static void store(float *to, const float xyz[3], float w)
{
    memcpy(to, xyz, 3 * sizeof *to);
    to[3] = w;
}

static float distance(const float a[3], const float b[3])
{
    double d2 = 0;

    for (int d = 0; d < 3; d++)
        d2 += ((double)a[d] - (double)b[d]) * ((double)a[d] - (double)b[d]);
    return (float)sqrt(d2);
}

/* How far a cell reaches by the opening test, kernels/gaburov_opening.h; 0 of bodies at one place.
 */
static float reach_of(const struct octgrav_params *p, const struct gaburov_properties *cell)
{
    const float own =
        p->tree.opening == GABUROV_OPENING_IMPROVED ? distance(cell->com, cell->centre) : 0;

    if (p->tree.theta == 0)
        return INFINITY;
    return cell->side > 0 ? (float)((double)cell->side / p->tree.theta) + own : 0;
}

static float *floats(struct octgrav *s, enum octgrav_array which, size_t slot)
{
    return (float *)s->array[which].host + slot * FLOAT4 / sizeof(float);
}

static int32_t *integers(struct octgrav *s, enum octgrav_array which, size_t k)
{
    return (int32_t *)s->array[which].host + k;
}

/* Cell c is what the slot is about. */
static void fill_slot(struct octgrav *s, const struct octgrav_params *p, size_t slot, int32_t c)
{
    const struct gaburov_properties *cell = &s->tree.properties[c];
    const int by_box = p->tree.opening == GABUROV_OPENING_MINIMUM_DISTANCE;

    *integers(s, OCTGRAV_TREE, slot) = s->number[c];
    store(floats(s, OCTGRAV_OPENING, slot), by_box ? cell->centre : cell->com, reach_of(p, cell));
    if (by_box)
        store(floats(s, OCTGRAV_EDGES, slot), cell->half, 0);
    store(floats(s, OCTGRAV_COM, slot), cell->com, cell->mass);
    if (s->tree.low)
        memcpy(floats(s, OCTGRAV_COM_LOW, slot), s->tree.com_low + 4 * (size_t)c, FLOAT4);
    if (p->tree.multipole == GABUROV_QUADRUPOLE) {
        memcpy(floats(s, OCTGRAV_QUAD_A, slot), cell->quad, FLOAT4);
        memcpy((float *)s->array[OCTGRAV_QUAD_B].host + 2 * slot, cell->quad + 4,
               2 * sizeof(float));
    }
    *integers(s, OCTGRAV_LEAF, 2 * slot) = s->tree.cell[c].first;
    *integers(s, OCTGRAV_LEAF, 2 * slot + 1) = s->tree.cell[c].count;
}

static void clear_node(struct orr_job *job, size_t node)
{
    struct octgrav *s = job->state;

    for (int k = 0; k < OCTGRAV_PACKED; k++)
        if (sizes[k].node && is_wanted(job, k))
            memset((char *)s->array[k].host + sizes[k].node * node, 0, sizes[k].node);
    for (size_t slot = OCTANTS * node; slot < OCTANTS * (node + 1); slot++)
        floats(s, OCTGRAV_OPENING, slot)[3] = -1;
}

/* The children of node c, or the root, which is a leaf, as the only child of a node. */
static void fill_node(struct orr_job *job, int32_t c)
{
    struct octgrav *s = job->state;
    const struct gaburov_cell *cell = &s->tree.cell[c];
    int32_t child = cell->child < 0 ? c : cell->child;
    const int octants = cell->child < 0 ? 1 : cell->octants;

    clear_node(job, (size_t)s->number[c]);
    for (size_t octant = 0; octant < OCTANTS; octant++)
        if (octants >> octant & 1)
            fill_slot(s, job->params, OCTANTS * (size_t)s->number[c] + octant, child++);
}

static void fill_group(struct octgrav *s, const struct octgrav_params *p, size_t g)
{
    const struct gaburov_group *group = &s->tree.group[g];
    const int cube = p->tree.opening == GABUROV_OPENING_OCTGRAV;
    const float longest = fmaxf(group->half[0], fmaxf(group->half[1], group->half[2]));
    const float cubic[3] = {longest, longest, longest};

    store(floats(s, OCTGRAV_CENTRE, g), group->centre,
          cube ? distance(group->com, group->centre) : 0);
    store(floats(s, OCTGRAV_GROUP_EDGES, g), cube ? cubic : group->half, 0);
    *integers(s, OCTGRAV_RANGE, 2 * g) = group->first;
    *integers(s, OCTGRAV_RANGE, 2 * g + 1) = group->count;
}

int octgrav_pack(struct orr_job *job)
{
    struct octgrav *s = job->state;
    int code = number_nodes(job);

    for (int k = 0; k < OCTGRAV_PACKED && !code; k++)
        if (is_wanted(job, k))
            code = octgrav_reserve_host(job, k, bytes_of(s, k));
    if (code)
        return code;
#pragma omp parallel num_threads(s->host.threads) if (s->groups > FEW)
    {
#pragma omp for schedule(static) nowait
        for (int32_t c = 0; c < s->tree.cells; c++)
            if (s->tree.cell[c].child >= 0 || c == 0)
                fill_node(job, c);
#pragma omp for schedule(static)
        for (size_t g = 0; g < s->groups; g++)
            fill_group(s, job->params, g);
    }
    return ORR_OK;
}

int octgrav_transfer(struct orr_job *job)
{
    struct octgrav *s = job->state;
    int code = orr_phase(job->device, "transfer");

    for (int k = 0; k < OCTGRAV_PACKED && !code; k++)
        if (is_wanted(job, k) && !(code = octgrav_reserve_device(job, k, bytes_of(s, k))))
            code = orr_upload(job->device, s->array[k].device, s->array[k].host, bytes_of(s, k));
    if (!code)
        code = orr_upload(job->device, s->body, s->tree.body, s->tree.n * FLOAT4);
    return code || !s->low ? code
                           : orr_upload(job->device, s->low, s->tree.low, s->tree.n * FLOAT4);
}
