/* SPDX-License-Identifier: MIT */
/* What every variant of Gaburov, Bédorf & Portegies Zwart 2010 (Octgrav) shares: parameters and
 * conventions. */
#ifndef GABUROV_GABUROV_H
#define GABUROV_GABUROV_H

#include "variants/common/params.h"

/* Flops of one interaction by the paper's convention (footnote 3). */
enum { GABUROV_LEAF_FLOPS = 38, GABUROV_NODE_FLOPS = 70 };
/* Indices of bodies and cells stay within int32_t. */
enum { GABUROV_MAX_BODIES = 1 << 28 };

/* When a group of bodies (or a single one: half-edges 0) opens a cell. l: side of the cube around
 * its tight box. */
enum gaburov_opening {
    GABUROV_OPENING_OCTGRAV,  /* l / theta > ds - delta: ds the length of d_k = max(0, |com_k - c_k|
                               * - h), h the  largest half-edge of the group's box, c its centre,
                               * delta = |group's centre of  mass - c| */
    GABUROV_OPENING_IMPROVED, /* ds <= l / theta + |com - centre of the cell's box|, d_k = max(0,
                               * |com_k - c_k| - h_k) with the half-edge of each axis (Bonsai's
                               * improved Barnes-Hut) */
    GABUROV_OPENING_MINIMUM_DISTANCE /* ds <= l / theta, ds the least distance between the two tight
                                        boxes */
};
#define GABUROV_OPENINGS "octgrav|improved|minimum-distance"

enum gaburov_multipole { GABUROV_QUADRUPOLE, GABUROV_MONOPOLE };
#define GABUROV_MULTIPOLES "quadrupole|monopole"

/* First member of every variant's parameter struct. */
struct gaburov_common {
    double eps;    /* softening length */
    double dt;     /* time step of the leap-frog scheme */
    int32_t steps; /* 0: one force evaluation, else that many steps of the scheme */
};

/* Second member of that of a tree code. */
struct gaburov_tree_params {
    double theta;      /* opening angle; 0 opens every cell: the direct sum */
    int32_t nleaf;     /* a cell with more bodies is divided (section 3.2.1) */
    int32_t opening;   /* enum gaburov_opening */
    int32_t multipole; /* enum gaburov_multipole */
};

/* Rows of the parameter table for a parameter struct `type` whose first member is `struct
 * gaburov_common common`. */
#define GABUROV_COMMON_PARAMS(type) \
    EPS_PARAM(type, common.eps), DT_PARAM(type, common.dt), STEPS_PARAM(type, common.steps)

/* Rows for a member `struct gaburov_tree_params tree`. */
#define GABUROV_THETA_PARAM(type)                                                                  \
    {                                                                                              \
        "theta", ORR_PARAM_FLOAT, offsetof(type, tree.theta), 0.5, 0.0, 1e6, NULL,                 \
            "opening angle: the larger, the nearer a cell may be that acts as a whole; 0 is exact" \
    }
#define GABUROV_MULTIPOLE_PARAM(type)                                                            \
    {                                                                                            \
        "multipole", ORR_PARAM_CHOICE, offsetof(type, tree.multipole), GABUROV_QUADRUPOLE, 0, 0, \
            GABUROV_MULTIPOLES, "what a cell that acts as a whole has besides its mass"          \
    }
#define GABUROV_TREE_PARAMS(type, nleaf_fallback)                                            \
    GABUROV_THETA_PARAM(type),                                                               \
        {"nleaf",                                                                            \
         ORR_PARAM_INT,                                                                      \
         offsetof(type, tree.nleaf),                                                         \
         nleaf_fallback,                                                                     \
         1,                                                                                  \
         1 << 20,                                                                            \
         NULL,                                                                               \
         "most bodies of a leaf: a cell with more is divided"},                              \
        {"opening",                                                                          \
         ORR_PARAM_CHOICE,                                                                   \
         offsetof(type, tree.opening),                                                       \
         GABUROV_OPENING_OCTGRAV,                                                            \
         0,                                                                                  \
         0,                                                                                  \
         GABUROV_OPENINGS,                                                                   \
         "when a cell is opened: as the 2010 code, Bonsai's improved Barnes-Hut, or by the " \
         "boxes' distance"},                                                                 \
        GABUROV_MULTIPOLE_PARAM(type)

/* The cost of a tree code's step, without further figures: ordered pairs of bodies with cells and
 * with bodies, 38 flops each by the paper's convention where a cell acts by its mass alone. */
void gaburov_cost(const struct orr_job *job, const struct gaburov_tree_params *tree, double nodes,
                  double leaves, struct orr_cost *out);

/* Refuses more bodies than the variants index and steps without a time step. */
int gaburov_check(const struct orr_job *job);

#endif
