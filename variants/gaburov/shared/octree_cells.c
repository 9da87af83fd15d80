/* SPDX-License-Identifier: MIT */
/* Cells of the octree from the sorted keys, level by level. */
#include "octree_parts.h"

enum { OCTANTS = 8 };

/* The first body of each octant of a node; of an empty one that of the next. */
struct octants {
    int32_t first[OCTANTS];
};

/* One level at work. */
struct level {
    struct gaburov_octree *tree;
    int32_t nleaf, number, from, to; /* its cells: [from, to) */
    int32_t nodes;                   /* of all levels so far */
};

/* A node has two bodies at least, so half the index of its first is its own: room in what the sort
 * left behind. */
static struct octants *octants_of(const struct gaburov_octree *tree,
                                  const struct gaburov_cell *cell)
{
    return (struct octants *)tree->memory->sort.spare + cell->first / 2;
}
_Static_assert(sizeof(struct octants) <= 2 * sizeof(struct host_place),
               "the octants of a node fit into two places");

/* The first of the places [from, to) whose key has bit `shift`, which the keys before have not;
 * else `to`. */
static int32_t first_with(const struct host_place *places, int32_t from, int32_t to, int shift)
{
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (places[middle].key >> shift & 1)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

static void find_octants(const struct host_place *places, const struct gaburov_cell *cell,
                         struct octants *octants)
{
    const int shift = 3 * (GABUROV_LEVELS - 1 - cell->level);
    const int32_t end = cell->first + cell->count;
    int32_t *first = octants->first;

    first[0] = cell->first;
    for (int bit = 2; bit >= 0; bit--)
        for (int octant = 0; octant < OCTANTS; octant += 2 << bit) {
            const int next = octant + (2 << bit);
            first[octant + (1 << bit)] =
                first_with(places, first[octant], next < OCTANTS ? first[next] : end, shift + bit);
        }
}

/* Divides the cells of a chunk; returns how many children they have. */
static uint32_t divide_chunk(struct level *level, int32_t from, int32_t to)
{
    const struct gaburov_octree *tree = level->tree;
    int32_t nodes = 0;
    uint32_t sum = 0;

    for (int32_t c = from; c < to; c++) {
        struct gaburov_cell *cell = &tree->cell[c];
        if (cell->count <= level->nleaf || cell->level == GABUROV_LEVELS)
            continue;
        struct octants *octants = octants_of(tree, cell);
        find_octants(tree->memory->sort.places, cell, octants);
        for (int o = 0; o < OCTANTS; o++) {
            const int32_t end = o + 1 < OCTANTS ? octants->first[o + 1] : cell->first + cell->count;
            if (end > octants->first[o])
                cell->octants |= (uint8_t)(1 << o);
        }
        cell->children = (uint8_t)__builtin_popcount(cell->octants);
        sum += cell->children;
        nodes++;
    }
#pragma omp atomic
    level->nodes += nodes;
    return sum;
}

/* Writes the children of the cells of a chunk, the first of them at `next`. */
static void write_children(const struct gaburov_octree *tree, int32_t from, int32_t to,
                           int32_t next)
{
    for (int32_t c = from; c < to; c++) {
        struct gaburov_cell *cell = &tree->cell[c];
        if (!cell->octants)
            continue;
        const struct octants *octants = octants_of(tree, cell);
        cell->child = next;
        for (int o = 0; o < OCTANTS; o++) {
            const int32_t first = octants->first[o];
            const int32_t end = o + 1 < OCTANTS ? octants->first[o + 1] : cell->first + cell->count;
            if (end > first)
                tree->cell[next++] = (struct gaburov_cell){.first = first,
                                                           .count = end - first,
                                                           .parent = c,
                                                           .child = -1,
                                                           .level = (uint8_t)(cell->level + 1)};
        }
    }
}

int gaburov_octree_reserve_cells(struct gaburov_octree *tree, size_t kept, size_t count)
{
    void *cell = count > INT32_MAX ? NULL
                                   : gaburov_octree_reserve(tree->cell, &tree->memory->cell_room,
                                                            kept, count, sizeof *tree->cell);

    if (!cell)
        return ORR_EMEMORY;
    tree->cell = cell;
    tree->cells = (int32_t)count;
    return ORR_OK;
}

/* Divides the cells of a level; their children make the next one. */
static int divide_level(struct level *level, int threads)
{
    struct gaburov_octree *tree = level->tree;
    const int32_t from = level->from, to = level->to;
    const size_t chunks = ((size_t)(to - from) + GABUROV_CHUNK - 1) / GABUROV_CHUNK;

#pragma omp parallel for schedule(static, 1) num_threads(chunks > 1 ? threads : 1)
    for (size_t k = 0; k < chunks; k++) {
        const int32_t first = from + (int32_t)k * GABUROV_CHUNK, left = to - first;
        tree->memory->sums[k] =
            divide_chunk(level, first, first + (left < GABUROV_CHUNK ? left : GABUROV_CHUNK));
    }
    const uint32_t children = gaburov_octree_scan(tree->memory->sums, chunks);
    if (gaburov_octree_reserve_cells(tree, (size_t)to, (size_t)to + children))
        return ORR_EMEMORY;
#pragma omp parallel for schedule(static, 1) num_threads(chunks > 1 ? threads : 1)
    for (size_t k = 0; k < chunks; k++) {
        const int32_t first = from + (int32_t)k * GABUROV_CHUNK, left = to - first;
        write_children(tree, first, first + (left < GABUROV_CHUNK ? left : GABUROV_CHUNK),
                       to + (int32_t)tree->memory->sums[k]);
    }
    level->from = to;
    level->to = tree->cells;
    tree->level_first[++level->number] = to;
    return ORR_OK;
}

/* Properties of all cells, moments of the largest level among those that are even and of that among
 * those that are odd.
 */
static int reserve_properties(struct gaburov_octree *tree)
{
    struct gaburov_octree_memory *memory = tree->memory;
    size_t largest[2] = {1, 1};
    void *block = gaburov_octree_reserve(tree->properties, &memory->property_room, 0,
                                         (size_t)tree->cells, sizeof *tree->properties);

    if (!block)
        return ORR_EMEMORY;
    tree->properties = block;
    if (tree->low) {
        block = gaburov_octree_reserve(tree->com_low, &memory->low_room, 0, (size_t)tree->cells,
                                       4 * sizeof *tree->com_low);
        if (!block)
            return ORR_EMEMORY;
        tree->com_low = block;
    }
    for (int l = 0; l < tree->levels; l++) {
        const size_t cells = (size_t)(tree->level_first[l + 1] - tree->level_first[l]);
        largest[l % 2] = cells > largest[l % 2] ? cells : largest[l % 2];
    }
    for (int k = 0; k < 2; k++) {
        block = gaburov_octree_reserve(memory->moments[k], &memory->moment_room[k], 0, largest[k],
                                       sizeof *memory->moments[k]);
        if (!block)
            return ORR_EMEMORY;
        memory->moments[k] = block;
    }
    return ORR_OK;
}

int gaburov_octree_complete(const struct orr_job *job, struct gaburov_octree *tree, int32_t nodes)
{
    for (int l = tree->levels; l < GABUROV_LEVELS + 2; l++)
        tree->level_first[l] = tree->cells;
    tree->nodes = nodes;
    tree->leaves = tree->cells - nodes;
    if (reserve_properties(tree))
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for what the octree's %d cells are",
                        tree->cells);
    return ORR_OK;
}

int gaburov_octree_divide(const struct orr_job *job, struct gaburov_octree *tree, int32_t nleaf,
                          int threads)
{
    struct level level = {.tree = tree, .nleaf = nleaf, .to = 1};
    int code = gaburov_octree_reserve_cells(tree, 0, 1);

    if (!code)
        tree->cell[0] = (struct gaburov_cell){.count = (int32_t)tree->n, .parent = -1, .child = -1};
    while (!code && level.from < level.to)
        code = divide_level(&level, threads);
    if (code)
        return ORR_FAIL(job, code, "no memory for the octree's cells of %zu bodies", tree->n);
    tree->levels = level.number;
    return gaburov_octree_complete(job, tree, level.nodes);
}
