/* SPDX-License-Identifier: MIT */
/* What the counting builds of the gaburov kernels count (count.h). Local memory is counted for what
 * acts, bodies and nodes; stacks, lists and votes in it are not. */
#ifndef GABUROV_COUNT_H
#define GABUROV_COUNT_H

/* Procedures. */
enum gaburov_procedure {
    GABUROV_WALK,
    GABUROV_NODES,  /* cells that act as a whole */
    GABUROV_LEAVES, /* bodies of leaves, and the accelerations */
    GABUROV_WALK_2  /* the second walk, which writes lists */
};

#endif
