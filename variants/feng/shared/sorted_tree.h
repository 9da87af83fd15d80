/* SPDX-License-Identifier: MIT */
/* The quadtree of feng/barnes-hut-modern on the device: the cells of variants/common/sorted_tree.h,
 * their children and moments (kernels/feng_modern.cl). */
#ifndef FENG_SORTED_TREE_H
#define FENG_SORTED_TREE_H

#include "feng.h"
#include "variants/common/sorted_tree.h"

/* Bodies, or entries of a row, that an entry of the pyramid's next row sums. */
enum { FENG_FAN = 16 };

struct feng_sorted_tree {
    struct sorted_tree sorted;
    int32_t rows; /* of the pyramid, above the bodies */
    struct orr_program *program;
    struct orr_buffer *pyramid; /* float4 x y 0 mass: row by row the centres of FENG_FAN each */
    struct orr_buffer *links; /* int4 per cell: its children, then -1; of a leaf -1 and its range */
    struct orr_buffer *cells; /* float4 per cell: centre of mass x y, mass, width^2 */
};

/* Room for n bodies in leaves of at most `leaf`. Release it whatever is returned. */
int feng_sorted_tree_prepare(struct orr_job *job, struct feng_sorted_tree *tree, size_t n,
                             int32_t leaf, int32_t fused);
/* Queues the phases InsertRoot, Sort, BuildQuadTree and Summarize over `body`, n float4 x y 0 mass.
 */
int feng_sorted_tree_build(struct orr_job *job, struct feng_sorted_tree *tree,
                           struct orr_buffer *body);
/* BuildQuadTree and Summarize, of the bodies that t->sorted holds now and are sorted there. */
int feng_sorted_tree_finish(struct orr_job *job, struct feng_sorted_tree *tree);
void feng_sorted_tree_release(struct orr_job *job, struct feng_sorted_tree *tree);

#endif
