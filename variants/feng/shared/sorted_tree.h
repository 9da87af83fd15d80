/* The quadtree of feng/barnes-hut-modern on the device, kernels/feng_modern.cl: sorted keys, cells in the order of a
 * depth-first walk, their moments. */
#ifndef FENG_SORTED_TREE_H
#define FENG_SORTED_TREE_H

#include "feng.h"
#include "variants/radix_sort.h"

/* Bodies, or blocks of them, that an entry of the pyramid sums. */
enum { FENG_FAN = 16 };

struct feng_sorted_tree {
    size_t n, block;
    size_t capacity; /* cells that there can be at most */
    int32_t leaf;    /* most bodies of a leaf above the finest level */
    int32_t levels;  /* of the grid: depth of the finest cells */
    int32_t rows;    /* of the pyramid */
    struct radix_sort sort;
    struct orr_program *program;
    struct orr_buffer *root;    /* float4: lower-left corner x y, side */
    struct orr_buffer *bounds;  /* float4 per group */
    struct orr_buffer *pyramid; /* float4 x y mass 0: n bodies by key, then row by row the centres of FENG_FAN each */
    struct orr_buffer *depths;  /* n i32: first | last << 8 depth of the cells that begin with a body */
    struct orr_buffer *offset;  /* n + 1 i32: cells before those that begin with a body; [n] their number */
    struct orr_buffer *totals;  /* i32 per group of bodies */
    struct orr_buffer *ranges;  /* int2 per cell: first body, the one behind the last */
    struct orr_buffer *after;   /* i32 per cell: the cell behind its subtree */
    struct orr_buffer *links;   /* int4 per cell: its children, then -1; of a leaf -1 and its range */
    struct orr_buffer *cells;   /* float4 per cell: centre of mass x y, mass, width^2 */
};

extern const struct orr_source feng_sorted_tree_source;

/* Room for n bodies in leaves of at most `leaf`, in a grid of FENG_MAX_DEPTH levels. Release it whatever is returned.
 */
int feng_sorted_tree_prepare(struct orr_job *job, struct feng_sorted_tree *tree, size_t n, int32_t leaf);
/* Sets tree->levels so that no leaf of the `body` that are there now (n float4 x y 0 mass) has more than `leaf` bodies
 * but where they cannot be parted, with some levels to spare for where they move, and whole passes of the sort. */
int feng_sorted_tree_measure(struct orr_job *job, struct feng_sorted_tree *tree, struct orr_buffer *body);
/* Queues the phases InsertRoot, Sort, BuildQuadTree and Summarize over `body`. */
int feng_sorted_tree_build(struct orr_job *job, struct feng_sorted_tree *tree, struct orr_buffer *body);
/* The n u32 that say which body of the input stands where by key. */
static inline struct orr_buffer *feng_sorted_tree_order(const struct feng_sorted_tree *tree)
{
    return tree->sort.value[radix_sort_result(2 * tree->levels)];
}
void feng_sorted_tree_release(struct orr_job *job, struct feng_sorted_tree *tree);

#endif
