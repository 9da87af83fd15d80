/* SPDX-License-Identifier: MIT */
/* The quadtree on the host: cells over bodies in the order of host_order.h. What a cell is stands
 * beside its siblings, so that a walk judges all four at once. Cells with a single part are left
 * out: they hold the same bodies and are accepted only where the part is. */
#ifndef FENG_HOST_TREE_H
#define FENG_HOST_TREE_H

#include "host_order.h"

enum {
    FENG_LEAF = 16, /* bodies that are not divided further */
    FENG_LAST = -1  /* no cell follows */
};

/* The parts of a cell, at most four, as vectors. Where there is no part, its numbers are 0 and its
 * reach infinite. */
struct feng_quad {
    float x[4], y[4], mass[4]; /* centres of mass */
    float reach2[4];        /* (width / theta)^2: it acts as one body beyond this distance squared;
                               infinite: never */
    uint32_t first[4];      /* of a leaf its first body, else the quad of its parts */
    uint32_t count[4];      /* bodies of a leaf; 0: it has parts */
    uint32_t parts;         /* how many there are */
    uint32_t leaves, cells; /* bit k: part k is a leaf; has parts */
} __attribute__((aligned(16)));

/* Bodies of one cell, which is part `lane` of a quad. */
struct feng_part {
    uint32_t from, to, quad, lane;
};

struct feng_tree {
    size_t n;
    struct feng_order order;
    float *memory;
    float *x, *y, *mass; /* bodies by the order, padded by a vector or more */
    float *ax, *ay;
    uint8_t *depths;         /* of the smallest cell that holds body k and the one before it */
    struct feng_quad *quads; /* those below a part from body `from` on; then the top's */
    struct feng_part *parts; /* the tree below its top, each built by one thread */
    struct feng_part *tops;  /* the cells above them, each before its parts */
    uint32_t root, top_count, part_count, grain; /* root: a quad with the root alone */
    float reach2[FENG_MAX_DEPTH + 1];            /* by depth */
};

/* Bodies and cells for job->bodies. ORR_EMEMORY. */
int feng_tree_make(const struct orr_job *job, struct feng_tree *tree, int threads);
/* Gathers the bodies by the order and makes the cells. */
void feng_tree_build(struct feng_tree *tree, const struct feng_host *host, double width,
                     double theta);
/* Accelerations back into the order of the input. */
void feng_tree_scatter(const struct feng_tree *tree, struct feng_host *host);
/* Safe on a zeroed or half-made tree; leaves it zeroed. */
void feng_tree_release(struct feng_tree *tree);

#endif
