/* SPDX-License-Identifier: MIT */
/* The octree of Gaburov et al. 2010, section 3.2.1, on the host: the cube around all bodies is
 * divided into eight until a cell holds at most nleaf bodies. Either body after body goes down from
 * the root, on one thread, or they are sorted along a Morton curve, on all: a cell is a run of
 * them. The cells are the same, the bodies of a leaf stand in another order. Cells are numbered
 * breadth first, so that a level's cells stand side by side, as do the children of one cell. Bodies
 * that GABUROV_LEVELS divisions do not part stay together in a leaf, however many they are. */
#ifndef GABUROV_OCTREE_H
#define GABUROV_OCTREE_H

#include "gaburov.h"

enum { GABUROV_LEVELS = 21 }; /* divisions: 63 bits of a key */

enum gaburov_build { GABUROV_RECURSIVE, GABUROV_SORTED };
#define GABUROV_BUILDS "recursive|sorted"

struct gaburov_cell {
    int32_t first, count;   /* bodies in the tree's order: [first, first + count) */
    int32_t parent;         /* -1 for the root */
    int32_t child;          /* of a node the first of its children; -1 for a leaf */
    uint8_t octants, level; /* bit o: a child in octant o (x: bit 0, y: bit 1, z: bit 2 of o);
                               divisions above it */
    uint8_t children, unused;
};

/* Section 3.2.1, "properties": how a cell acts on bodies far from it. Sums are kept in double
 * until they are done. */
struct gaburov_properties {
    float centre[3], half[3]; /* tight box of its bodies: every body lies within centre -+ half,
                                 rounding included */
    float side;               /* l: edge of the cube of the paper, the box's longest edge */
    float com[3], mass;       /* centre of mass; of massless bodies the box's centre */
    float quad[6]; /* traceless, about com: Q_ab = sum m (3 x_a x_b - delta_ab r^2); xx yy zz xy xz
                    * yz. All 0 where a float might not hold one of them */
};

/* Bodies that share an interaction list: a cell with at most ngroup bodies whose parent has more;
 * where a leaf has more than ngroup bodies, parts of it of at most ngroup. */
struct gaburov_group {
    int32_t first, count;
    float centre[3], half[3], com[3]; /* of the group's bodies, as for cells */
};

struct gaburov_octree {
    size_t n;
    float corner[3], edge; /* the root cube; edge 0 where all bodies are at one place */
    uint32_t *order;       /* n: which body of the input is the k-th along the tree */
    float *body;           /* n x 4: x y z mass in that order */
    float *low;     /* n x 4: x y z 0, low parts of pairs of floats in that order; else NULL */
    float *com_low; /* cells x 4: the same of centres of mass */
    struct gaburov_cell *cell;
    struct gaburov_properties *properties; /* of each cell */
    int32_t cells, nodes, leaves;
    int32_t levels; /* of which there are cells */
    int32_t level_first[GABUROV_LEVELS +
                        2]; /* cells of level l: [level_first[l], level_first[l + 1]) */
    struct gaburov_group *group;
    int32_t groups;
    struct gaburov_octree_memory *memory; /* scratch, kept between builds */
};

/* Room for n bodies, 1 <= n <= GABUROV_MAX_BODIES. Release it whatever is returned. 0 or
 * ORR_EMEMORY. */
int gaburov_octree_prepare(const struct orr_job *job, struct gaburov_octree *tree, size_t n);
/* After that: positions are pairs of floats. Order, cells, boxes and groups are by their high
 * parts. */
int gaburov_octree_prepare_low(const struct orr_job *job, struct gaburov_octree *tree);
/* Order, cells and groups of bodies at pos (n each, finite) on `threads` threads; the recursion is
 * on one. With ngroup = 0 no groups. The same bits for every number of threads. May be called again
 * and again: bodies move, n stays. 0 or ORR_EMEMORY. */
int gaburov_octree_build(const struct orr_job *job, struct gaburov_octree *tree,
                         enum gaburov_build how, float *const pos[3], int32_t nleaf, int32_t ngroup,
                         int threads);
/* Bodies in the tree's order: fills `body` and, of pairs, `low`. After build. */
void gaburov_octree_reorder(struct gaburov_octree *tree, float *const pos[3], const float *mass,
                            float *const low[3], int threads);
/* Boxes, masses, centres of mass and quadrupoles of cells and groups, upward level by level. After
 * reorder. */
void gaburov_octree_summarize(struct gaburov_octree *tree, int threads);
/* Safe on zeroed and half-made trees; leaves it zeroed. */
void gaburov_octree_release(struct gaburov_octree *tree);

#endif
