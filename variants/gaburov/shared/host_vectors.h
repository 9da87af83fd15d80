/* SPDX-License-Identifier: MIT */
/* Bodies and cells of an octree as structures of arrays, for walks on the host that test and copy
 * several at a time. */
#ifndef GABUROV_HOST_VECTORS_H
#define GABUROV_HOST_VECTORS_H

#include "host_cells.h"

/* A vector may be loaded from any element on: arrays are longer by HOST_PADDING of
 * variants/common/host_bodies.h. */
struct gaburov_host_vectors {
    float *body[7]; /* x y z mass by key; of pairs of floats the low parts of x y z, too */
    int bodies;     /* how many of these there are */
    /* From where on distances of cells count: the tight box with opening = minimum-distance, else
     * the centre of mass, which is then both corners, and high is low. */
    float *low[3], *high[3];
    float *reach; /* as in gaburov_host_cell */
    float *body_memory, *cell_memory;
    size_t cell_room;
};

/* Room for n bodies, whose positions may be `pairs`. Release it whatever is returned. ORR_EMEMORY.
 */
int gaburov_host_vectors_prepare(const struct orr_job *job, struct gaburov_host_vectors *v,
                                 size_t n, int pairs);
/* Fills in the tree's bodies, with their low parts, and cells; `boxes`, the same every time:
 * distances count from boxes. ORR_EMEMORY. */
int gaburov_host_vectors_fill(const struct orr_job *job, struct gaburov_host_vectors *v,
                              const struct gaburov_octree *tree,
                              const struct gaburov_host_cells *cells, int boxes, int threads);
/* Safe on zeroed vectors; leaves them zeroed. */
void gaburov_host_vectors_release(struct gaburov_host_vectors *v);

#endif
