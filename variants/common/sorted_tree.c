/* SPDX-License-Identifier: MIT */
#include "variants/common/sorted_tree.h"

#include <stdio.h>
#include <string.h>

#include "kernels/sorted_tree.h"
#include "kernels/sorted_tree_small.h"
#include "variants/common/j_split.h"

static const struct orr_source source = {"sorted_tree", kernel_sorted_tree},
                               small_source = {"sorted_tree_small", kernel_sorted_tree_small};

size_t sorted_tree_groups(const struct sorted_tree *t)
{
    return j_split_divide_up(t->n, t->block);
}

size_t sorted_tree_cell_groups(const struct sorted_tree *t)
{
    size_t most = 16384;

    return sorted_tree_groups(t) < most ? sorted_tree_groups(t) : most;
}

size_t sorted_tree_walk_warps(const struct orr_device_info *info, size_t block, size_t groups,
                              size_t enough)
{
    enum { MOST = 8 }; /* more share too few cells */
    const size_t all = (size_t)info->compute_units * enough;
    size_t warps = 1;

    while (info->shuffles && block == 32 && warps < MOST && warps * warps * groups < all)
        warps *= 2;
    return warps;
}

int sorted_tree_check_ranks(struct orr_job *job, int32_t fused)
{
    if (fused == SORTED_TREE_FUSED && orr_ranks_size(job->ranks) > 1)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "build = group sorts the bodies of one rank; leave build at auto");
    return ORR_OK;
}

int sorted_tree_check_local(struct orr_job *job, size_t bytes)
{
    const size_t most = j_split_declared_local(&job->device->info);

    if (most && bytes > most)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "the %zu bytes of a group do not fit into %zu bytes of local memory; take "
                        "fewer warps",
                        bytes, most);
    return ORR_OK;
}

/* Groups that share the search for the box around n bodies. */
static size_t sorted_tree_bounds_groups(const struct sorted_tree *t, size_t n)
{
    size_t most = 512, groups = j_split_divide_up(n, t->block);

    return groups < most ? groups : most;
}

static int sorted_tree_allocate(struct orr_job *job, struct sorted_tree *t)
{
    enum { FLOAT4 = 4 * sizeof(float), INT2 = 2 * sizeof(int32_t) };
    struct orr_device *d = job->device;
    int code;

    if ((code = orr_alloc(d, &t->root, FLOAT4)) ||
        (code = orr_alloc(d, &t->bounds, 2 * sorted_tree_bounds_groups(t, t->room) * FLOAT4)) ||
        (code = orr_alloc(d, &t->body, t->n * FLOAT4)) ||
        (code = orr_alloc(d, &t->depths, t->n * sizeof(int32_t))) ||
        (code = orr_alloc(d, &t->offset, (t->n + 1) * sizeof(int32_t))) ||
        (code = orr_alloc(d, &t->totals, sorted_tree_groups(t) * sizeof(int32_t))) ||
        (code = orr_alloc(d, &t->ranges, t->capacity * INT2)))
        return code;
    return orr_alloc(d, &t->after, t->capacity * sizeof(int32_t));
}

/* A group that builds the whole tree; a processor's threads gain nothing by it. */
static int sorted_tree_prepare_small(struct orr_job *job, struct sorted_tree *t, int32_t fused)
{
    const struct orr_device_info *info = &job->device->info;
    const int able =
        info->max_group >= SORTED_TREE_SMALL_BLOCK && info->local_bytes >= SORTED_TREE_SMALL_LOCAL;
    char defines[96];

    t->small_block = info->kind == ORR_DEVICE_CPU ? 16 : SORTED_TREE_SMALL_BLOCK;
    if (fused == SORTED_TREE_SEPARATE || t->n > SORTED_TREE_SMALL ||
        (fused == SORTED_TREE_BY_DEVICE && (!able || info->kind == ORR_DEVICE_CPU)))
        return ORR_OK;
    if (!able)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "build = group: %s has groups of %zu threads and %zu bytes of local "
                        "memory, not %d and %d; leave build at auto",
                        info->id, info->max_group, info->local_bytes, SORTED_TREE_SMALL_BLOCK,
                        SORTED_TREE_SMALL_LOCAL);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DMOST=%d -DLEAF=%d -DDIMENSIONS=%d",
             t->small_block, SORTED_TREE_SMALL, t->leaf, t->dimensions);
    return orr_build(job->device, &t->small, &small_source, defines);
}

int sorted_tree_prepare(struct orr_job *job, struct sorted_tree *t, size_t n, int32_t dimensions,
                        int32_t leaf, int32_t fused)
{
    const struct orr_device_info *info = &job->device->info;
    char defines[64];
    int code;

    t->n = t->room = n;
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
    if ((code = radix_sort_prepare(job, &t->sort, n)) || (code = sorted_tree_allocate(job, t)) ||
        (code = sorted_tree_prepare_small(job, t, fused)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DLEAF=%d -DDIMENSIONS=%d", t->block, leaf,
             dimensions);
    return orr_build(job->device, &t->program, &source, defines);
}

int sorted_tree_launch(struct orr_job *job, const struct sorted_tree *t,
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

struct orr_buffer *sorted_tree_keys(const struct sorted_tree *t)
{
    return t->sort.key[radix_sort_result(t->dimensions * t->levels)];
}

struct orr_buffer *sorted_tree_order(const struct sorted_tree *t)
{
    return t->sort.value[radix_sort_result(t->dimensions * t->levels)];
}

int sorted_tree_root(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body)
{
    size_t groups = sorted_tree_bounds_groups(t, t->n);
    int code = SORTED_TREE_LAUNCH(job, t, t->program, "tree_bounds", groups, ORR_BUF(body),
                                  ORR_BUF(t->bounds), SORTED_TREE_NUMBER(t->n));

    return code ? code
                : SORTED_TREE_LAUNCH(job, t, t->program, "tree_root", 1, ORR_BUF(t->bounds),
                                     ORR_BUF(t->root), SORTED_TREE_NUMBER(groups));
}

int sorted_tree_box(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body, size_t n,
                    struct orr_buffer *boxes, int at)
{
    const size_t groups = sorted_tree_bounds_groups(t, n);
    int code = ORR_OK;

    if (groups)
        code = SORTED_TREE_LAUNCH(job, t, t->program, "tree_bounds", groups, ORR_BUF(body),
                                  ORR_BUF(t->bounds), SORTED_TREE_NUMBER(n));
    return code ? code
                : SORTED_TREE_LAUNCH(job, t, t->program, "tree_box", 1, ORR_BUF(t->bounds),
                                     ORR_BUF(boxes), SORTED_TREE_NUMBER(groups), ORR_I32(at));
}

int sorted_tree_cube(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *boxes,
                     int count)
{
    return SORTED_TREE_LAUNCH(job, t, t->program, "tree_root", 1, ORR_BUF(boxes), ORR_BUF(t->root),
                              ORR_I32(count));
}

int sorted_tree_key(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body, size_t n,
                    struct orr_buffer *key, struct orr_buffer *order)
{
    const size_t groups = j_split_divide_up(n, t->block);

    return groups ? SORTED_TREE_LAUNCH(job, t, t->program, "tree_keys", groups, ORR_BUF(body),
                                       ORR_BUF(t->root), ORR_BUF(key), ORR_BUF(order),
                                       SORTED_TREE_NUMBER(n), SORTED_TREE_NUMBER(t->levels))
                  : ORR_OK;
}

int sorted_tree_gather(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body,
                       struct orr_buffer *order, struct orr_buffer *to, size_t n)
{
    const size_t groups = j_split_divide_up(n, t->block);

    return groups ? SORTED_TREE_LAUNCH(job, t, t->program, "tree_gather", groups, ORR_BUF(body),
                                       ORR_BUF(order), ORR_BUF(to), SORTED_TREE_NUMBER(n))
                  : ORR_OK;
}

void sorted_tree_hold(struct sorted_tree *t, size_t n)
{
    t->n = n;
    radix_sort_hold(&t->sort, n);
}

int sorted_tree_sort(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body)
{
    int code = sorted_tree_key(job, t, body, t->n, t->sort.key[0], t->sort.value[0]);

    if (!code)
        code = radix_sort_run(job, &t->sort, t->dimensions * t->levels);
    return code ? code : sorted_tree_gather(job, t, body, sorted_tree_order(t), t->body, t->n);
}

int sorted_tree_cells(struct orr_job *job, struct sorted_tree *t)
{
    const struct orr_arg key = ORR_BUF(sorted_tree_keys(t)), depths = ORR_BUF(t->depths),
                         offset = ORR_BUF(t->offset);
    const struct orr_arg totals = ORR_BUF(t->totals), ranges = ORR_BUF(t->ranges);
    const struct orr_arg n = SORTED_TREE_NUMBER(t->n), levels = SORTED_TREE_NUMBER(t->levels);
    size_t groups = sorted_tree_groups(t);
    int code;

    if ((code = SORTED_TREE_LAUNCH(job, t, t->program, "tree_depths", groups, key, depths, offset,
                                   totals, n, levels)) ||
        (code = SORTED_TREE_LAUNCH(job, t, t->program, "tree_offsets", 1, totals, offset,
                                   SORTED_TREE_NUMBER(groups), n)) ||
        (code = SORTED_TREE_LAUNCH(job, t, t->program, "tree_begin", groups, depths, offset, totals,
                                   ranges, n)))
        return code;
    return SORTED_TREE_LAUNCH(job, t, t->program, "tree_ranges", sorted_tree_cell_groups(t), key,
                              offset, ranges, ORR_BUF(t->after), n, levels);
}

int sorted_tree_build_small(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body)
{
    const struct orr_arg args[] = {ORR_BUF(body),
                                   ORR_BUF(t->root),
                                   ORR_BUF(sorted_tree_keys(t)),
                                   ORR_BUF(sorted_tree_order(t)),
                                   ORR_BUF(t->body),
                                   ORR_BUF(t->offset),
                                   ORR_BUF(t->ranges),
                                   ORR_BUF(t->after),
                                   SORTED_TREE_NUMBER(t->n),
                                   SORTED_TREE_NUMBER(t->levels)};
    const struct orr_launch launch = {.kernel = "tree_small",
                                      .groups = {1},
                                      .group = {t->small_block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};

    return orr_launch(job->device, t->small, &launch);
}

int sorted_tree_deepest(struct orr_job *job, struct sorted_tree *t, int32_t *deepest)
{
    int code = orr_fill(job->device, t->totals, 0, sizeof *deepest);

    if (!code && t->n)
        code = SORTED_TREE_LAUNCH(job, t, t->program, "tree_deepest", sorted_tree_groups(t),
                                  ORR_BUF(sorted_tree_keys(t)), ORR_BUF(t->totals),
                                  SORTED_TREE_NUMBER(t->n), SORTED_TREE_NUMBER(t->levels));
    return code ? code : orr_download(job->device, deepest, t->totals, sizeof *deepest);
}

void sorted_tree_set_levels(struct sorted_tree *t, int32_t deepest)
{
    enum { SPARE_LEVELS = 1 };
    int32_t bits = t->dimensions * (deepest + SPARE_LEVELS);

    bits = (bits + RADIX_DIGIT_BITS - 1) / RADIX_DIGIT_BITS * RADIX_DIGIT_BITS;
    t->levels = bits / t->dimensions < t->most_levels ? bits / t->dimensions : t->most_levels;
}

int sorted_tree_measure(struct orr_job *job, struct sorted_tree *t, struct orr_buffer *body)
{
    int32_t deepest = 0;
    int code;

    t->levels = t->most_levels;
    if ((code = sorted_tree_root(job, t, body)) || (code = sorted_tree_sort(job, t, body)) ||
        (code = sorted_tree_deepest(job, t, &deepest)))
        return code;
    sorted_tree_set_levels(t, deepest);
    return ORR_OK;
}

void sorted_tree_release(struct orr_job *job, struct sorted_tree *t)
{
    struct orr_buffer *const buffers[] = {t->root,   t->bounds, t->body,   t->depths,
                                          t->offset, t->totals, t->ranges, t->after};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    orr_drop(job->device, t->program);
    orr_drop(job->device, t->small);
    radix_sort_release(job, &t->sort);
    memset(t, 0, sizeof *t);
}
