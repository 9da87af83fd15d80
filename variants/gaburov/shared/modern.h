/* SPDX-License-Identifier: MIT */
/* The octree of gaburov/octgrav-modern on the device, kernels/gaburov_modern.cl. The state of the
 * variant is here for its tests. */
#ifndef GABUROV_MODERN_H
#define GABUROV_MODERN_H

#include "gaburov.h"
#include "variants/common/counting.h"
#include "variants/common/device_bodies.h"
#include "variants/common/essential_tree.h"
#include "variants/common/sorted_tree.h"
#include "variants/common/tree_or_direct.h"

/* enum gaburov_opening and one more: a cell is opened where its truncation error would exceed one
 * share of the bodies' acceleration for all cells. */
enum { GABUROV_OPENING_EQUAL_ERROR = GABUROV_OPENING_MINIMUM_DISTANCE + 1 };
#define GABUROV_MODERN_OPENINGS GABUROV_OPENINGS "|equal-error"

enum {
    MODERN_FAN = 16, /* bodies, or entries of a row, that an entry of the pyramid's next row sums */
    MODERN_MOST_ROWS = 8, /* 16^8 bodies */
    MODERN_PULLED = 256,  /* bodies of an entry of the second row: PULLED of gaburov_opening.h */
    MODERN_RANK_SOURCES = 256, /* entries of each rank's pyramid, where there are several ranks */
    MODERN_MOST_SOURCES = 2048 /* entries of the pyramid that pulls are summed from */
};

/* What errors may be. share: of a group's field, as a share of what theta allows a cell; eps2: the
 * softening length's square. */
struct modern_accuracy {
    float theta, share, eps2;
};

struct modern_octree {
    struct sorted_tree sorted;
    struct orr_program *program;
    struct orr_buffer *low; /* n float4 by key: of pairs of floats their low parts; else NULL */
    int32_t row[MODERN_MOST_ROWS +
                1]; /* first entry of each row of the pyramid; behind the last one their number */
    int32_t rows;
    size_t slices;              /* groups that number the children */
    struct orr_buffer *pyramid; /* 4 float4 per entry, and with `low` another one */
    struct orr_buffer
        *family; /* i32 per cell of `sorted`: where its children are among the cells here */
    struct orr_buffer *totals;  /* i32 per slice */
    struct orr_buffer *count;   /* i32: cells less the root */
    struct orr_buffer *links;   /* int2 per cell: first child, children; of a leaf its first body,
                                   minus its bodies */
    struct orr_buffer *spans;   /* int2 per cell: first body, the one behind the last */
    struct orr_buffer *tests;   /* float4 per cell: point that the opening test looks at, reach
                                   (gaburov_opening.h) */
    struct orr_buffer *halves;  /* float4 per cell: half-edges of the tight box, longest edge */
    struct orr_buffer *moments; /* 3 float4 per cell: centre of mass, mass; qxx qyy qzz qxy; qxz qyz
                                   0 0; and with `low` the centre's low parts */
    struct orr_buffer *limits;  /* float2 per cell: how far it must be to act by a group's field,
                                   least reach */
    struct orr_buffer *pulls;   /* float2 per MODERN_PULLED bodies: kernels/gaburov_pulls.cl */
    struct orr_program *pull;   /* which finds them */
    size_t pull_block;
};

/* Room for n bodies in leaves of at most `leaf`. Release it whatever is returned. */
int modern_octree_prepare(struct orr_job *job, struct modern_octree *tree, size_t n, int32_t leaf,
                          const struct gaburov_tree_params *how, int32_t fused, bool pairs);
/* Queues the phases "sort", "build" and "properties" over `body`, n float4 x y z mass, and of pairs
 * of floats `low`. */
int modern_octree_build(struct orr_job *job, struct modern_octree *tree, struct orr_buffer *body,
                        struct orr_buffer *low, const struct modern_accuracy *accuracy);
/* What it is made of, for bodies that are sorted in t->sorted, after modern_octree_hold where these
 * are another number than before: the phase "build", the pyramid of "properties", whose last entry
 * is at modern_octree_top; and the cells' properties, with entry `top` of `whole` of all bodies. */
void modern_octree_hold(struct modern_octree *tree);
int modern_octree_link(struct orr_job *job, struct modern_octree *tree);
int modern_octree_sum(struct orr_job *job, struct modern_octree *tree);
int32_t modern_octree_top(const struct modern_octree *tree);
int modern_octree_finish(struct orr_job *job, struct modern_octree *tree, struct orr_buffer *whole,
                         int32_t top, const struct modern_accuracy *accuracy);
/* The first entry of the lowest row with at most `most`, and how many these are. */
int32_t modern_octree_row(const struct modern_octree *tree, int32_t most, int32_t *count);

/* By what kernels/gaburov_pulls.cl finds accelerations, and in the middle of which boxes. */
struct modern_sources {
    struct orr_buffer *entries, *whole;
    int32_t from, count, run, top;
};
struct modern_boxes {
    struct orr_buffer *boxes;
    int32_t first, stride;
    size_t count;
};

/* Those of each MODERN_PULLED bodies of the tree. */
struct modern_boxes modern_octree_boxes(const struct modern_octree *tree);
/* Queues what writes `pulls`, a float2 a box; nothing where cells are not opened by their error. */
int modern_octree_pull(struct orr_job *job, const struct modern_octree *tree,
                       const struct modern_sources *by, const struct modern_boxes *of,
                       struct orr_buffer *pulls, float eps2);
/* Safe on zeroed and half-made trees; leaves it zeroed. */
void modern_octree_release(struct orr_job *job, struct modern_octree *tree);

/* What several ranks have besides: the bodies divided, and what of the octrees they exchange. */
struct modern_ranks {
    struct curve_ranks curve;
    struct essential_tree essential;
    struct orr_program *program; /* kernels/gaburov_essential.cl */
    struct orr_buffer *tops;     /* of each rank the last entry of its pyramid, 4 float4, and
                                    MODERN_RANK_SOURCES of a row, 0 from its end on */
    struct orr_buffer *pulls;    /* float2 for each segment of all ranks */
    struct orr_buffer *most;     /* float a block: the largest of its segments' */
    struct orr_buffer *whole;    /* 4 float4: of all */
};

/* Whom the walk's groups walk for where they may be cut, kernels/gaburov_parts.cl. */
struct modern_parts {
    float cut; /* 0: none is, and the rest is not used but for `parts` */
    struct orr_program *program;
    struct orr_buffer *parts; /* int2 a place, and how many places further parts need */
    size_t groups, places;    /* of the latest modern_parts_hold */
};

enum { GABUROV_MODERN_WORK = 5 };
struct gaburov_modern {
    struct device_bodies device;
    bool direct;          /* no tree: what follows is unused but for `all` and `counting` */
    struct one_sided all; /* pairs */
    struct modern_octree tree;
    struct modern_ranks ranks;
    struct modern_parts parts;
    struct modern_accuracy accuracy;
    struct orr_program *walk;
    struct counting counting;
    struct orr_buffer *work; /* u64 per group, GABUROV_MODERN_WORK: pairs with cells, with bodies,
                                cells and leaves met, cells that act by the field, in a step */
    /* Of the walk: teams in a group, threads in one, those that hold a group's bodies, bodies (or
     * vectors) of each, lanes of a vector, entries of a team's list. */
    size_t warps, block, lanes, bodies, vector, list, wide, round;
    size_t groups;
};

/* For groups of `group` bodies, cut where their box is more than `cut` times their share. */
int modern_parts_prepare(struct orr_job *job, struct modern_parts *parts, double cut, size_t group);
/* Room for so many groups. */
int modern_parts_hold(struct orr_job *job, struct modern_parts *parts, size_t groups);
/* Queues what cuts the groups of the n bodies of a tree that has its properties. */
int modern_parts_cut(struct orr_job *job, struct modern_parts *parts,
                     const struct modern_octree *tree);
void modern_parts_release(struct orr_job *job, struct modern_parts *parts);

/* For an octree that is prepared; alone only what the walk looks at. The curve is the caller's. */
int modern_ranks_prepare(struct orr_job *job, struct modern_ranks *ranks,
                         struct modern_octree *tree, const struct gaburov_tree_params *how);
/* For job->state, from the bodies that curve_ranks_divide brought: the octree of the own ones, and
 * what the own groups of `group` bodies look at of the others'. */
int modern_ranks_build(struct orr_job *job, size_t group, const struct modern_accuracy *accuracy);
void modern_ranks_release(struct orr_job *job, struct modern_ranks *ranks);

#endif
