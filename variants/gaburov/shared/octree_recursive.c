/* SPDX-License-Identifier: MIT */
/* Cells of the octree "in the same way as done in the original BH tree-code" (section 3.2.1): each
 * body goes down from the root to its leaf, by recursion, and a leaf that it fills beyond nleaf is
 * divided. On one thread. */
#include <math.h>

#include "octree_parts.h"

enum { OCTANTS = 8 };

/* A cell while bodies go down; its eight children stand side by side, empty ones among them. */
struct gaburov_branch {
    int32_t child;        /* the first of them; -1 for a leaf */
    int32_t count;        /* bodies below it */
    uint32_t first, last; /* of a leaf's list */
};

struct cube {
    double centre[3];
    int level;
};

struct planting {
    float *const *pos;
    struct gaburov_branch *branch;
    size_t branches, room;
    uint32_t *next; /* of the list that a body is in */
    double edge;    /* of the root */
    int32_t nleaf;
};

/* Bit d: beyond the centre along axis d. */
static inline int octant_of(const struct planting *p, const struct cube *cube, uint32_t body)
{
    return ((double)p->pos[0][body] >= cube->centre[0]) |
           ((double)p->pos[1][body] >= cube->centre[1]) << 1 |
           ((double)p->pos[2][body] >= cube->centre[2]) << 2;
}

static inline struct cube octant_cube(const struct planting *p, const struct cube *cube, int octant)
{
    const double quarter = ldexp(p->edge, -cube->level - 2);
    struct cube inner = {.level = cube->level + 1};

    for (int d = 0; d < 3; d++)
        inner.centre[d] = cube->centre[d] + (octant >> d & 1 ? quarter : -quarter);
    return inner;
}

static int add_branches(struct planting *p, size_t count)
{
    void *block = p->branches + count > INT32_MAX
                      ? NULL
                      : gaburov_octree_reserve(p->branch, &p->room, p->branches,
                                               p->branches + count, sizeof *p->branch);

    if (!block)
        return ORR_EMEMORY;
    p->branch = block;
    for (; count > 0; count--)
        p->branch[p->branches++] = (struct gaburov_branch){.child = -1};
    return ORR_OK;
}

static void append(const struct planting *p, struct gaburov_branch *leaf, uint32_t body)
{
    if (leaf->count++)
        p->next[leaf->last] = body;
    else
        leaf->first = body;
    leaf->last = body;
}

static int insert(struct planting *p, int32_t c, const struct cube *cube, uint32_t body);

static int insert_below(struct planting *p, int32_t c, const struct cube *cube, uint32_t body)
{
    const int octant = octant_of(p, cube, body);
    const struct cube inner = octant_cube(p, cube, octant);

    return insert(p, p->branch[c].child + octant, &inner, body);
}

/* Leaf c becomes a node, its bodies go on. */
static int divide(struct planting *p, int32_t c, const struct cube *cube)
{
    const struct gaburov_branch leaf = p->branch[c];
    const int32_t child = (int32_t)p->branches;
    int code = add_branches(p, OCTANTS);

    if (code)
        return code;
    p->branch[c].child = child;
    for (uint32_t body = leaf.first, left = (uint32_t)leaf.count; left > 0 && !code; left--) {
        const uint32_t next = p->next[body];
        code = insert_below(p, c, cube, body);
        body = next;
    }
    return code;
}

static int insert(struct planting *p, int32_t c, const struct cube *cube, uint32_t body)
{
    struct gaburov_branch *b = &p->branch[c];

    if (b->child >= 0) {
        b->count++;
        return insert_below(p, c, cube, body);
    }
    append(p, b, body);
    return b->count > p->nleaf && cube->level < GABUROV_LEVELS ? divide(p, c, cube) : ORR_OK;
}

static int insert_all(struct planting *p, const struct gaburov_octree *tree)
{
    struct cube root = {.level = 0};
    int code = add_branches(p, 1);

    /* Bodies at one place stay in the octant that their keys would have: the lowest. */
    for (int d = 0; d < 3; d++)
        root.centre[d] = p->edge > 0 ? (double)tree->corner[d] + p->edge / 2 : INFINITY;
    for (size_t i = 0; i < tree->n && !code; i++)
        code = insert(p, 0, &root, (uint32_t)i);
    return code;
}

/* A cell's children that have bodies, from `next` on. Until its own turn comes, a cell's `child` is
 * the number of its branch. */
static int32_t write_children(const struct planting *p, struct gaburov_octree *tree, int32_t c,
                              int32_t branch, int32_t next)
{
    struct gaburov_cell *cell = &tree->cell[c];
    int32_t first = cell->first;

    cell->child = next;
    for (int o = 0; o < OCTANTS; o++) {
        const int32_t count = p->branch[branch + o].count;
        if (!count)
            continue;
        cell->octants |= (uint8_t)(1 << o);
        cell->children++;
        tree->cell[next++] = (struct gaburov_cell){.first = first,
                                                   .count = count,
                                                   .parent = c,
                                                   .child = branch + o,
                                                   .level = (uint8_t)(cell->level + 1)};
        first += count;
    }
    return next;
}

static void write_leaf(const struct planting *p, const struct gaburov_octree *tree,
                       struct gaburov_cell *cell)
{
    uint32_t body = p->branch[cell->child].first;

    for (int32_t k = 0; k < cell->count; k++, body = p->next[body])
        tree->order[cell->first + k] = body;
    cell->child = -1;
}

/* Breadth first, without the empty ones. Returns the number of nodes or ORR_EMEMORY. */
static int32_t number(const struct planting *p, struct gaburov_octree *tree)
{
    int32_t next = 1, nodes = 0;

    if (gaburov_octree_reserve_cells(tree, 0, p->branches))
        return ORR_EMEMORY;
    tree->cell[0] = (struct gaburov_cell){.count = (int32_t)tree->n, .parent = -1};
    tree->levels = 0;
    for (int32_t c = 0; c < next; c++) {
        struct gaburov_cell *cell = &tree->cell[c];
        const int32_t branch = p->branch[cell->child].child;
        if (cell->level == tree->levels)
            tree->level_first[tree->levels++] = c;
        if (branch < 0) {
            write_leaf(p, tree, cell);
            continue;
        }
        next = write_children(p, tree, c, branch, next);
        nodes++;
    }
    tree->cells = next;
    return nodes;
}

int gaburov_octree_insert(const struct orr_job *job, struct gaburov_octree *tree,
                          float *const pos[3], double edge, int32_t nleaf)
{
    struct gaburov_octree_memory *memory = tree->memory;
    struct planting p = {.pos = pos,
                         .branch = memory->branch,
                         .room = memory->branch_room,
                         .next = (uint32_t *)memory->sort.spare,
                         .edge = edge,
                         .nleaf = nleaf};
    const int code = insert_all(&p, tree);

    memory->branch = p.branch;
    memory->branch_room = p.room;
    const int32_t nodes = code ? code : number(&p, tree);
    if (nodes < 0)
        return ORR_FAIL(job, nodes, "no memory for the octree's cells of %zu bodies", tree->n);
    return gaburov_octree_complete(job, tree, nodes);
}
