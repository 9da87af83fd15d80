/* SPDX-License-Identifier: MIT */
/* State of feng/barnes-hut-modern, for the variant and for the tests that look into its tree. */
#ifndef FENG_MODERN_H
#define FENG_MODERN_H

#include "device.h"
#include "sorted_tree.h"
#include "variants/common/counting.h"
#include "variants/common/essential_tree.h"
#include "variants/common/tree_or_direct.h"

/* What several ranks have besides: the bodies divided, and what of the quadtrees they exchange. */
struct feng_ranks {
    struct curve_ranks curve;
    struct essential_tree essential;
    struct orr_program *program; /* kernels/feng_essential.cl */
};

struct feng_modern {
    struct device_bodies device;
    bool lone;            /* of several ranks one has all bodies */
    bool direct;          /* no tree: what follows is unused but for `all` and `counting` */
    struct one_sided all; /* pairs */
    struct feng_sorted_tree tree;
    struct feng_ranks ranks;
    struct orr_program *walk;
    struct counting counting;
    struct orr_buffer *work; /* u64 per group of the walk: interactions since the step began */
    /* Of the walk: teams in a group, threads in one, those that hold a group's bodies, bodies (or
     * vectors) of each, lanes of a vector. */
    size_t warps, block, lanes, bodies, vector;
    size_t groups;
};

/* For a quadtree that is prepared; alone only what the walk looks at. The curve is the caller's. */
int feng_ranks_prepare(struct orr_job *job, struct feng_ranks *ranks,
                       struct feng_sorted_tree *tree);
/* For job->state, from the bodies that curve_ranks_divide brought: the quadtree of the own ones,
 * and what the own groups of `group` bodies look at of the others'. */
int feng_ranks_build(struct orr_job *job, size_t group);
void feng_ranks_release(struct orr_job *job, struct feng_ranks *ranks);

#endif
