/* SPDX-License-Identifier: MIT */
/* What ranks tell each other of their trees, so that each walks only its own bodies: of another
 * rank's tree what some group of its bodies would look at, kernels/essential_tree.cl. The papers'
 * kernels fill `open`, `parent` and `leaf`, and pack their cells; the rest is here. */
#ifndef VARIANTS_COMMON_ESSENTIAL_TREE_H
#define VARIANTS_COMMON_ESSENTIAL_TREE_H

#include "variants/common/curve_ranks.h"

enum { ESSENTIAL_TREE_MOST_FIELDS = 5 };

/* One of the numbers of cells, or of bodies, that go to other ranks. */
struct essential_field {
    struct orr_buffer **kept; /* where the walk looks: the rank's own, then what came */
    size_t bytes;             /* of one */
    size_t room;              /* that `kept` has, as many */
    struct orr_buffer *out;   /* what goes, rank by rank */
    size_t out_room;
};

/* How many cells there are: count[at] + extra. */
struct essential_count {
    struct orr_buffer *count;
    size_t at;
    int32_t extra;
};

struct essential_tree {
    size_t capacity, slices;
    struct orr_program *program;
    struct orr_buffer *open;   /* u64 a cell: bits of the ranks that would open it */
    struct orr_buffer *parent; /* i32 a cell; -1 */
    struct orr_buffer *leaf;   /* int2 a cell: first body, bodies, of one with children 0 */
    struct orr_buffer *need;   /* u64 a cell: bits of the ranks that look at it */
    struct orr_buffer *place;  /* int2 a cell: cells, and bodies, before it that go to a rank */
    struct orr_buffer *sums;   /* int2 a slice for each rank */
    struct orr_buffer *sizes;  /* i32, 2 size + 1 a rank */
    struct orr_buffer *roots;  /* i32: of each tree that the rank walks */
    int trees;
    struct essential_field field[ESSENTIAL_TREE_MOST_FIELDS]; /* of cells */
    int fields;
    struct essential_field body;
    /* cells[from][to] and bodies[from][to] go from rank to rank; cells[r][r] are those of rank r's
     * own tree, bodies[r][r] its own. */
    int32_t cells[ORR_MAX_RANKS][ORR_MAX_RANKS], bodies[ORR_MAX_RANKS][ORR_MAX_RANKS];
};

/* Where what goes to a rank begins: in `out` here, and among its own there. */
struct essential_place {
    int32_t out_cell, out_body, cell, body;
};

/* For trees of at most `capacity` cells; alone, only their root. The fields follow with
 * essential_tree_keep. Release it whatever is returned. */
int essential_tree_prepare(struct orr_job *job, struct essential_tree *e,
                           const struct curve_ranks *c, size_t capacity);
/* A number of `bytes` bytes of each cell; *kept has room for `room`. */
void essential_tree_keep(struct essential_tree *e, struct orr_buffer **kept, size_t bytes,
                         size_t room);
void essential_tree_keep_bodies(struct essential_tree *e, struct orr_buffer **kept, size_t room);

/* What the papers' trees differ in, for job->state. */
struct essential_paper {
    struct essential_count cells;
    /* Fills `open`, `parent` and `leaf`, by the segments in the curve. */
    int (*open)(struct orr_job *job);
    /* Packs the cells that go to the rank, by `need` and `place`, into the fields' `out`. */
    int (*pack)(struct orr_job *job, int rank, const struct essential_place *at);
};

/* From the rank's tree, in groups of `group` bodies that walk together: what goes to whom, and its
 * exchange. Phase "essential". */
int essential_tree_share(struct orr_job *job, struct essential_tree *e, struct curve_ranks *c,
                         const struct sorted_tree *tree, size_t group,
                         const struct essential_paper *paper);

void essential_tree_release(struct orr_job *job, struct essential_tree *e);

#endif
