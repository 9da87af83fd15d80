/* SPDX-License-Identifier: MIT */
/* A quadtree or octree from sorted keys on the device, kernels/sorted_tree.cl. Cells are runs of
 * bodies by key, in the order of a depth-first walk. Moments are for the paper's kernels to add. */
#ifndef VARIANTS_COMMON_SORTED_TREE_H
#define VARIANTS_COMMON_SORTED_TREE_H

#include "variants/common/radix_sort.h"

enum { SORTED_TREE_MOST_LEAF = 1024 };
/* So many bodies are sorted, and their cells found, by one group in one launch: as the choice
 * `build` says. */
enum {
    SORTED_TREE_SMALL = 2048,
    SORTED_TREE_SMALL_BLOCK = 512,
    SORTED_TREE_SMALL_LOCAL = 12 * 2048 + 36 * 512
};
enum { SORTED_TREE_BY_DEVICE, SORTED_TREE_SEPARATE, SORTED_TREE_FUSED };
#define SORTED_TREE_BUILDS "auto|launches|group"
#define SORTED_TREE_BUILD_PARAM(type, member)                                              \
    {                                                                                      \
        "build", ORR_PARAM_CHOICE, offsetof(type, member), SORTED_TREE_BY_DEVICE, 0, 0,    \
            SORTED_TREE_BUILDS,                                                            \
            "who sorts up to 2048 bodies and finds their cells: a GPU by one group, many " \
            "launches, one group"                                                          \
    }

struct sorted_tree {
    size_t n, block;
    size_t room;        /* most bodies that it can hold */
    size_t capacity;    /* cells that there can be at most */
    int32_t dimensions; /* 2 or 3 */
    int32_t leaf;       /* most bodies of a leaf above the finest level */
    int32_t levels;     /* of the grid: depth of the finest cells */
    int32_t most_levels;
    struct radix_sort sort;
    struct orr_program *program;
    struct orr_program *small; /* NULL: launches do it */
    size_t small_block;
    struct orr_buffer *root;   /* float4: lowest corner x y z, side */
    struct orr_buffer *bounds; /* 2 float4 per group */
    struct orr_buffer *body;   /* n float4: the bodies by key */
    struct orr_buffer
        *depths; /* n i32: first | last << 8 depth of the cells that begin with a body */
    struct orr_buffer
        *offset; /* n + 1 i32: cells before those that begin with a body; [n] their number */
    struct orr_buffer *totals; /* i32 per group of bodies */
    struct orr_buffer *ranges; /* int2 per cell: first body, the one behind the last */
    struct orr_buffer *after;  /* i32 per cell: the cell behind its subtree */
};

/* Groups that have a thread for every body. */
size_t sorted_tree_groups(const struct sorted_tree *t);

/* Only the device knows the number of cells; the threads of this many groups share them. */
size_t sorted_tree_cell_groups(const struct sorted_tree *t);

/* How many teams of `block` threads walk for each of so many groups of bodies: one where a
 * multiprocessor has `enough` of them, of warps two, four, eight where it has fewer than that, than
 * a quarter, than a sixteenth (decision 0065). */
size_t sorted_tree_walk_warps(const struct orr_device_info *info, size_t block, size_t groups,
                              size_t enough);

/* Refuses one group for all bodies where several ranks have them. */
int sorted_tree_check_ranks(struct orr_job *job, int32_t fused);

/* Refuses a walk whose groups declare so many bytes of local memory, where those are too many. */
int sorted_tree_check_local(struct orr_job *job, size_t bytes);

/* Room for n bodies in leaves of at most `leaf` <= SORTED_TREE_MOST_LEAF. Release it whatever is
 * returned. */
int sorted_tree_prepare(struct orr_job *job, struct sorted_tree *t, size_t n, int32_t dimensions,
                        int32_t leaf, int32_t fused);

/* Queues `kernel` of `program` on groups of the tree's threads. */
int sorted_tree_launch(struct orr_job *job, const struct sorted_tree *t,
                       struct orr_program *program, const char *kernel, size_t groups,
                       const struct orr_arg *args, int count);
#define SORTED_TREE_LAUNCH(job, tree, program, kernel, groups, ...)                          \
    sorted_tree_launch(                                                                      \
        (job), (tree), (program), (kernel), (groups), (const struct orr_arg[]){__VA_ARGS__}, \
        (int)(sizeof((const struct orr_arg[]){__VA_ARGS__}) / sizeof(struct orr_arg)))
#define SORTED_TREE_NUMBER(x) ORR_I32((int32_t)(x))

/* The n u64 keys in ascending order, and n u32: the body of the input at each place by key. */
struct orr_buffer *sorted_tree_keys(const struct sorted_tree *t);

struct orr_buffer *sorted_tree_order(const struct sorted_tree *t);

/* Queues what finds the root around the n float4 of `body`. */
int sorted_tree_root(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body);

/* Queues the sort by keys; t->body holds the bodies by key then. After sorted_tree_root. */
int sorted_tree_sort(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body);

/* What sorted_tree_root and sorted_tree_sort are made of, for bodies that several ranks have. Box
 * `at`, two float4 of `boxes`, becomes that around n bodies; the root cube that around `count` such
 * boxes; `key` and `order` are filled for the sort; `to` becomes body[order[k]]. */
int sorted_tree_box(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body, size_t n,
                    struct orr_buffer *boxes, int at);
int sorted_tree_cube(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *boxes,
                     int count);
int sorted_tree_key(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body, size_t n,
                    struct orr_buffer *key, struct orr_buffer *order);
int sorted_tree_gather(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body,
                       struct orr_buffer *order, struct orr_buffer *to, size_t n);

/* From now on it holds n <= t->room bodies. */
void sorted_tree_hold(struct sorted_tree *t, size_t n);

/* Queues what finds the cells. After sorted_tree_sort. */
int sorted_tree_cells(struct orr_job *job, struct sorted_tree *t);

/* Queues what takes the place of these three, where t->small is not NULL. */
int sorted_tree_build_small(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body);

/* Sets t->levels for the bodies in `body`: deep enough that a leaf with more than `leaf` bodies
 * holds only inseparable ones, a level more for moving bodies, and rounded up to whole passes of
 * the sort. Waits for the device. */
int sorted_tree_measure(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body);

/* What it is made of, too: after a sort by all levels, how deep the deepest leaf would be; and the
 * levels for that depth. */
int sorted_tree_deepest(struct orr_job *job, struct sorted_tree *t, int32_t *deepest);
void sorted_tree_set_levels(struct sorted_tree *t, int32_t deepest);

void sorted_tree_release(struct orr_job *job, struct sorted_tree *t);

#endif
