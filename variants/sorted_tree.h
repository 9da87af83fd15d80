/* A quadtree or octree from sorted keys on the device, kernels/sorted_tree.cl: the cells in the
 * order of a depth-first walk, as runs of bodies by key. What a cell is to others is for its
 * paper's kernels to add. */
#ifndef VARIANTS_SORTED_TREE_H
#define VARIANTS_SORTED_TREE_H

#include "kernels/sorted_tree.h"
#include "variants/radix_sort.h"

enum { SORTED_TREE_MOST_LEAF = 1024 };

static const struct orr_source sorted_tree_source = {"sorted_tree", kernel_sorted_tree};

struct sorted_tree {
    size_t n, block;
    size_t capacity;    /* cells that there can be at most */
    int32_t dimensions; /* 2 or 3 */
    int32_t leaf;       /* most bodies of a leaf above the finest level */
    int32_t levels;     /* of the grid: depth of the finest cells */
    int32_t most_levels;
    struct radix_sort sort;
    struct orr_program *program;
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

static inline size_t sorted_tree_divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* Groups that have a thread for every body. */
static inline size_t sorted_tree_groups(const struct sorted_tree *t)
{
    return sorted_tree_divide_up(t->n, t->block);
}

/* The number of cells is known on the device only; the threads of this many groups share them. */
static inline size_t sorted_tree_cell_groups(const struct sorted_tree *t)
{
    size_t most = 16384;

    return sorted_tree_groups(t) < most ? sorted_tree_groups(t) : most;
}

static inline size_t sorted_tree_bounds_groups(const struct sorted_tree *t)
{
    size_t most = 512;

    return sorted_tree_groups(t) < most ? sorted_tree_groups(t) : most;
}

static inline int sorted_tree_allocate(struct orr_job *job, struct sorted_tree *t)
{
    enum { FLOAT4 = 4 * sizeof(float), INT2 = 2 * sizeof(int32_t) };
    struct orr_device *d = job->device;
    int rc;

    if ((rc = orr_alloc(d, &t->root, FLOAT4)) ||
        (rc = orr_alloc(d, &t->bounds, 2 * sorted_tree_bounds_groups(t) * FLOAT4)) ||
        (rc = orr_alloc(d, &t->body, t->n * FLOAT4)) ||
        (rc = orr_alloc(d, &t->depths, t->n * sizeof(int32_t))) ||
        (rc = orr_alloc(d, &t->offset, (t->n + 1) * sizeof(int32_t))) ||
        (rc = orr_alloc(d, &t->totals, sorted_tree_groups(t) * sizeof(int32_t))) ||
        (rc = orr_alloc(d, &t->ranges, t->capacity * INT2)))
        return rc;
    return orr_alloc(d, &t->after, t->capacity * sizeof(int32_t));
}

/* Room for n bodies in leaves of at most `leaf` <= SORTED_TREE_MOST_LEAF. Release it whatever is
 * returned. */
static inline int sorted_tree_prepare(struct orr_job *job, struct sorted_tree *t, size_t n,
                                      int32_t dimensions, int32_t leaf)
{
    const struct orr_device_info *info = &job->device->info;
    char defines[64];
    int rc;

    t->n = n;
    t->dimensions = dimensions;
    t->leaf = leaf;
    /* Coordinates and keys have 32 and 64 bits with a sign. */
    t->most_levels = t->levels = dimensions == 2 ? 30 : 21;
    t->block = info->kind == ORR_DEVICE_CPU               ? 16
               : n < 1024                                 ? 32
               : info->max_group && info->max_group < 256 ? 64
                                                          : 256;
    /* At most n leaves, and of each depth n / (leaf + 1) cells with more than `leaf` bodies. */
    t->capacity = n + (size_t)t->most_levels * (n / ((size_t)leaf + 1)) + 1;
    if ((rc = radix_sort_prepare(job, &t->sort, n)) || (rc = sorted_tree_allocate(job, t)))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DLEAF=%d -DDIMENSIONS=%d", t->block, leaf,
             dimensions);
    return orr_build(job->device, &t->program, &sorted_tree_source, defines);
}

/* Queues `kernel` of `program` on groups of the tree's threads. */
static inline int sorted_tree_launch(struct orr_job *job, const struct sorted_tree *t,
                                     struct orr_program *program, const char *kernel, size_t groups,
                                     const struct orr_arg *args, int count)
{
    const struct orr_launch it = {.kernel = kernel,
                                  .groups = {groups},
                                  .group = {t->block},
                                  .args = args,
                                  .arg_count = count};

    return orr_launch(job->device, program, &it);
}
#define SORTED_TREE_LAUNCH(job, tree, program, kernel, groups, ...)                          \
    sorted_tree_launch(                                                                      \
        (job), (tree), (program), (kernel), (groups), (const struct orr_arg[]){__VA_ARGS__}, \
        (int)(sizeof((const struct orr_arg[]){__VA_ARGS__}) / sizeof(struct orr_arg)))
#define SORTED_TREE_NUMBER(x) ORR_I32((int32_t)(x))

/* The n u64 in ascending order, and the n u32 that say which body of the input stands where by key.
 */
static inline struct orr_buffer *sorted_tree_keys(const struct sorted_tree *t)
{
    return t->sort.key[radix_sort_result(t->dimensions * t->levels)];
}
static inline struct orr_buffer *sorted_tree_order(const struct sorted_tree *t)
{
    return t->sort.value[radix_sort_result(t->dimensions * t->levels)];
}

/* Queues what finds the root around the n float4 of `body`. */
static inline int sorted_tree_root(struct orr_job *job, struct sorted_tree *t,
                                   struct orr_buffer *body)
{
    size_t groups = sorted_tree_bounds_groups(t);
    int rc = SORTED_TREE_LAUNCH(job, t, t->program, "tree_bounds", groups, ORR_BUF(body),
                                ORR_BUF(t->bounds), SORTED_TREE_NUMBER(t->n));

    return rc ? rc
              : SORTED_TREE_LAUNCH(job, t, t->program, "tree_root", 1, ORR_BUF(t->bounds),
                                   ORR_BUF(t->root), SORTED_TREE_NUMBER(groups));
}

/* Queues the sort by keys; t->body holds the bodies by key then. After sorted_tree_root. */
static inline int sorted_tree_sort(struct orr_job *job, struct sorted_tree *t,
                                   struct orr_buffer *body)
{
    const struct orr_arg n = SORTED_TREE_NUMBER(t->n);
    int rc = SORTED_TREE_LAUNCH(job, t, t->program, "tree_keys", sorted_tree_groups(t),
                                ORR_BUF(body), ORR_BUF(t->root), ORR_BUF(t->sort.key[0]),
                                ORR_BUF(t->sort.value[0]), n, SORTED_TREE_NUMBER(t->levels));

    if (!rc)
        rc = radix_sort_run(job, &t->sort, t->dimensions * t->levels);
    return rc ? rc
              : SORTED_TREE_LAUNCH(job, t, t->program, "tree_gather", sorted_tree_groups(t),
                                   ORR_BUF(body), ORR_BUF(sorted_tree_order(t)), ORR_BUF(t->body),
                                   n);
}

/* Queues what finds the cells. After sorted_tree_sort. */
static inline int sorted_tree_cells(struct orr_job *job, struct sorted_tree *t)
{
    const struct orr_arg key = ORR_BUF(sorted_tree_keys(t)), depths = ORR_BUF(t->depths),
                         offset = ORR_BUF(t->offset);
    const struct orr_arg totals = ORR_BUF(t->totals), ranges = ORR_BUF(t->ranges);
    const struct orr_arg n = SORTED_TREE_NUMBER(t->n), levels = SORTED_TREE_NUMBER(t->levels);
    size_t groups = sorted_tree_groups(t);
    int rc;

    if ((rc = SORTED_TREE_LAUNCH(job, t, t->program, "tree_depths", groups, key, depths, offset,
                                 totals, n, levels)) ||
        (rc = SORTED_TREE_LAUNCH(job, t, t->program, "tree_offsets", 1, totals, offset,
                                 SORTED_TREE_NUMBER(groups), n)) ||
        (rc = SORTED_TREE_LAUNCH(job, t, t->program, "tree_begin", groups, depths, offset, totals,
                                 ranges, n)))
        return rc;
    return SORTED_TREE_LAUNCH(job, t, t->program, "tree_ranges", sorted_tree_cell_groups(t), key,
                              offset, ranges, ORR_BUF(t->after), n, levels);
}

/* Sets t->levels so that no leaf of the `body` that are there now has more than `leaf` bodies but
 * where they cannot be parted, with a level to spare for where they move, and whole passes of the
 * sort. Waits for the device. */
static inline int sorted_tree_measure(struct orr_job *job, struct sorted_tree *t,
                                      struct orr_buffer *body)
{
    enum { SPARE_LEVELS = 1 };
    int32_t deepest = 0, bits;
    int rc;

    t->levels = t->most_levels;
    if ((rc = sorted_tree_root(job, t, body)) || (rc = sorted_tree_sort(job, t, body)) ||
        (rc = orr_fill(job->device, t->totals, 0, sizeof deepest)) ||
        (rc = SORTED_TREE_LAUNCH(job, t, t->program, "tree_deepest", sorted_tree_groups(t),
                                 ORR_BUF(sorted_tree_keys(t)), ORR_BUF(t->totals),
                                 SORTED_TREE_NUMBER(t->n), SORTED_TREE_NUMBER(t->levels))) ||
        (rc = orr_download(job->device, &deepest, t->totals, sizeof deepest)))
        return rc;
    bits = t->dimensions * (deepest + SPARE_LEVELS);
    bits = (bits + RADIX_DIGIT_BITS - 1) / RADIX_DIGIT_BITS * RADIX_DIGIT_BITS;
    t->levels = bits / t->dimensions < t->most_levels ? bits / t->dimensions : t->most_levels;
    return ORR_OK;
}

static inline void sorted_tree_release(struct orr_job *job, struct sorted_tree *t)
{
    struct orr_buffer *const buffers[] = {t->root,   t->bounds, t->body,   t->depths,
                                          t->offset, t->totals, t->ranges, t->after};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    orr_drop(job->device, t->program);
    radix_sort_release(job, &t->sort);
    memset(t, 0, sizeof *t);
}

#endif
