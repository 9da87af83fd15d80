/* SPDX-License-Identifier: MIT */
/* What the files octree*.c share of one octree. */
#ifndef GABUROV_OCTREE_PARTS_H
#define GABUROV_OCTREE_PARTS_H

#include "octree.h"
#include "variants/common/host_sort.h"

enum { GABUROV_CHUNK = 16 }; /* cells of a level that a thread takes at once */

/* The sums of a cell in double precision, for those of its parent. */
struct gaburov_moments {
    float low[3], high[3]; /* tight box */
    double mass, com[3];
    double second[6]; /* sum m x_a x_b about com; xx yy zz xy xz yz */
};

struct gaburov_octree_memory {
    struct host_sort sort;
    size_t cell_room, property_room, low_room, moment_room[2],
        group_room;                     /* elements that the blocks have room for */
    uint32_t *sums;                     /* of each chunk: of cells of a level, of bodies */
    struct gaburov_moments *moments[2]; /* of a level's cells, for levels that are even and odd */
    struct gaburov_branch *branch;      /* cells while bodies are inserted */
    size_t branch_room;
};

/* Cells breadth first of the sorted keys; `places` are in order. */
int gaburov_octree_divide(const struct orr_job *job, struct gaburov_octree *tree, int32_t nleaf,
                          int threads);
/* The same cells by inserting body after body, and `order`; `edge` of the root. */
int gaburov_octree_insert(const struct orr_job *job, struct gaburov_octree *tree,
                          float *const pos[3], double edge, int32_t nleaf);
/* What is left when cells, level_first and levels are there: their numbers, room for what they are.
 */
int gaburov_octree_complete(const struct orr_job *job, struct gaburov_octree *tree, int32_t nodes);
/* Room for `count` cells, of which the first `kept` stay. ORR_EMEMORY. */
int gaburov_octree_reserve_cells(struct gaburov_octree *tree, size_t kept, size_t count);
/* Groups of at most ngroup bodies, along the curve; after divide. */
int gaburov_octree_gather(const struct orr_job *job, struct gaburov_octree *tree, int32_t ngroup,
                          int threads);
/* The block of *room elements of `size` bytes, or in its place a larger one of at least `count`,
 * its first `kept` elements copied. NULL: no memory, and the block is as it was. */
void *gaburov_octree_reserve(void *block, size_t *room, size_t kept, size_t count, size_t size);

/* Threads for so many bodies: all or one, since OpenMP ends the idle threads of a smaller team. */
static inline int gaburov_octree_threads(size_t bodies, int threads)
{
    return bodies < 4096 ? 1 : threads;
}

/* Turns the counts of `chunks` chunks into exclusive sums; returns the total. */
static inline uint32_t gaburov_octree_scan(uint32_t *sums, size_t chunks)
{
    uint32_t sum = 0;

    for (size_t k = 0; k < chunks; k++) {
        const uint32_t count = sums[k];
        sums[k] = sum;
        sum += count;
    }
    return sum;
}

#endif
