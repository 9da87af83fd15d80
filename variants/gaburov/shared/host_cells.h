/* SPDX-License-Identifier: MIT */
/* The cells of an octree as walks on the host read them. */
#ifndef GABUROV_HOST_CELLS_H
#define GABUROV_HOST_CELLS_H

#include "octree.h"

/* One cache line. */
struct gaburov_host_cell {
    float com[3], mass, quad[6]; /* as in gaburov_properties */
    float reach;                 /* it acts as a whole beyond this distance; infinite: never */
    int32_t first, count;        /* bodies by key */
    int32_t child, children;     /* child -1: a leaf */
    int32_t unused;
};

struct gaburov_host_cells {
    struct gaburov_host_cell *cell; /* one for each of the tree's */
    size_t room;                    /* cells that there is memory for */
};

/* Fills in the tree's cells, after its summarize. The reach is l / theta, to which `improved` adds
 * the distance of the cell's centre of mass from its box's centre; of cells of one body, which
 * would be no approximation but lose digits, and with theta = 0 it is infinite. ORR_EMEMORY. */
int gaburov_host_cells_fill(const struct orr_job *job, struct gaburov_host_cells *cells,
                            const struct gaburov_octree *tree, const struct gaburov_tree_params *p,
                            int threads);
/* Safe on zeroed cells; leaves them zeroed. */
void gaburov_host_cells_release(struct gaburov_host_cells *cells);

#endif
