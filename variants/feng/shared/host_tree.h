/* The quadtree on the host: one array of cells over bodies in the order of host_order.h. A cell
 * has a range of bodies and a link to the cell that follows if it is not opened, so a walk needs
 * no stack. Cells with a single part are left out: they hold the same bodies and are accepted only
 * where the part is. */
#ifndef FENG_HOST_TREE_H
#define FENG_HOST_TREE_H

#include "host_order.h"

enum {
    FENG_LEAF = 16, /* bodies that are not divided further */
    FENG_LAST = -1  /* no cell follows */
};

struct feng_cell {
    float x, y, mass; /* centre of mass */
    float reach2;  /* (width / theta)^2: it acts as one body beyond this distance squared; infinite:
                      never */
    uint32_t next; /* the cell after this one and all its parts; (uint32_t)FENG_LAST: none */
    uint32_t first; /* of a leaf its first body, else its first part */
    uint32_t count; /* bodies of a leaf; 0: it has parts */
};

struct feng_part {
    uint32_t from, to, next; /* bodies; the cell that follows */
};

struct feng_tree {
    size_t n;
    struct feng_order order;
    float *memory;
    float *x, *y, *mass; /* bodies by the order, padded by a vector or more */
    float *ax, *ay;
    uint8_t *depths; /* of the smallest cell that holds body k and the one before it */
    struct feng_cell *cells;
    struct feng_part *parts; /* the tree below its top, each built by one thread */
    uint32_t root, tops, part_count, grain;
    float reach2[FENG_MAX_DEPTH + 1]; /* by depth */
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
