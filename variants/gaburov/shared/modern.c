/* SPDX-License-Identifier: MIT */
#include "modern.h"

#include <stdio.h>
#include <string.h>

#include "kernels/gaburov_modern.h"
#include "kernels/gaburov_pulls.h"
#include "variants/common/j_split.h"

static const struct orr_source source = {"gaburov_modern", kernel_gaburov_modern},
                               pull_source = {"gaburov_pulls", kernel_gaburov_pulls};

static void plan_pyramid(struct modern_octree *t, size_t n)
{
    size_t length = n, sum = 0;

    for (t->rows = 0; t->rows == 0 || length > 1; t->rows++) {
        t->row[t->rows] = (int32_t)sum;
        length = j_split_divide_up(length, MODERN_FAN);
        sum += length;
    }
    t->row[t->rows] = (int32_t)sum;
}

static int allocate(struct orr_job *job, struct modern_octree *t)
{
    enum { FLOAT2 = 2 * sizeof(float), FLOAT4 = 4 * sizeof(float), INT2 = 2 * sizeof(int32_t) };
    struct orr_device *d = job->device;
    size_t cells = t->sorted.capacity, more = t->low ? 1 : 0;
    int code;

    if ((code = orr_alloc(d, &t->pyramid, (size_t)t->row[t->rows] * (4 + more) * FLOAT4)) ||
        (code = orr_alloc(d, &t->family, cells * sizeof(int32_t))) ||
        (code = orr_alloc(d, &t->totals, t->slices * sizeof(int32_t))) ||
        (code = orr_alloc(d, &t->count, sizeof(int32_t))) ||
        (code = orr_alloc(d, &t->links, cells * INT2)) ||
        (code = orr_alloc(d, &t->spans, cells * INT2)) ||
        (code = orr_alloc(d, &t->tests, cells * FLOAT4)) ||
        (code = orr_alloc(d, &t->halves, cells * FLOAT4)) ||
        (code = orr_alloc(d, &t->limits, cells * FLOAT2)) ||
        (code = orr_alloc(d, &t->pulls, j_split_divide_up(t->sorted.room, MODERN_PULLED) * FLOAT2)))
        return code;
    return orr_alloc(d, &t->moments, (3 + more) * cells * FLOAT4);
}

static size_t slices_of(const struct modern_octree *t)
{
    const size_t most = 1024, groups = sorted_tree_groups(&t->sorted);

    return groups < most ? groups : most;
}

void modern_octree_hold(struct modern_octree *t)
{
    plan_pyramid(t, t->sorted.n);
    t->slices = slices_of(t);
}

int modern_octree_prepare(struct orr_job *job, struct modern_octree *t, size_t n, int32_t leaf,
                          const struct gaburov_tree_params *how, int32_t fused, bool pairs)
{
    char defines[96];
    int code;

    if ((code = sorted_tree_prepare(job, &t->sorted, n, 3, leaf, fused)))
        return code;
    modern_octree_hold(t);
    if ((pairs && (code = orr_alloc(job->device, &t->low, n * DEVICE_FLOAT4))) ||
        (code = allocate(job, t)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DFAN=%d -DOPENING=%d -DQUADRUPOLE=%d%s",
             t->sorted.block, MODERN_FAN, how->opening, how->multipole == GABUROV_QUADRUPOLE,
             pairs ? " -DLOW=1" : "");
    if ((code = orr_build(job->device, &t->program, &source, defines)))
        return code;
    t->pull_block = job->device->info.kind == ORR_DEVICE_CPU ? 16 : 32;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DQUADRUPOLE=%d -DENTRY=%d", t->pull_block,
             how->multipole == GABUROV_QUADRUPOLE, pairs ? 5 : 4);
    return how->opening == GABUROV_OPENING_EQUAL_ERROR
               ? orr_build(job->device, &t->pull, &pull_source, defines)
               : ORR_OK;
}

#define LAUNCH(kernel, groups, ...) \
    SORTED_TREE_LAUNCH(job, &t->sorted, t->program, kernel, groups, __VA_ARGS__)

/* A kernel whose last argument only pairs of floats have. */
static int launch_with_low(struct orr_job *job, const struct modern_octree *t, const char *kernel,
                           size_t groups, const struct orr_arg *args, size_t count)
{
    return sorted_tree_launch(job, &t->sorted, t->program, kernel, groups, args,
                              (int)count - (t->low ? 0 : 1));
}

int modern_octree_link(struct orr_job *job, struct modern_octree *t)
{
    const struct orr_arg offset = ORR_BUF(t->sorted.offset), after = ORR_BUF(t->sorted.after);
    const struct orr_arg family = ORR_BUF(t->family), totals = ORR_BUF(t->totals),
                         n = SORTED_TREE_NUMBER(t->sorted.n);
    int code = orr_phase(job->device, "build");

    if (!code && !t->sorted.small)
        code = sorted_tree_cells(job, &t->sorted);
    if (code || (code = LAUNCH("gaburov_families", t->slices, offset, after, family, totals, n)) ||
        (code = SORTED_TREE_LAUNCH(job, &t->sorted, t->sorted.program, "tree_offsets", 1, totals,
                                   ORR_BUF(t->count), SORTED_TREE_NUMBER(t->slices), ORR_I32(0))) ||
        (code = LAUNCH("gaburov_places", t->slices, offset, totals, family, n)))
        return code;
    return LAUNCH("gaburov_links", sorted_tree_cell_groups(&t->sorted), offset, after,
                  ORR_BUF(t->sorted.ranges), family, ORR_BUF(t->links), ORR_BUF(t->spans), n);
}

int modern_octree_sum(struct orr_job *job, struct modern_octree *t)
{
    size_t length = t->sorted.n;
    int code = orr_phase(job->device, "properties");

    for (int32_t row = 0; row < t->rows && !code; row++) {
        size_t above = j_split_divide_up(length, MODERN_FAN);
        const struct orr_arg args[] = {ORR_BUF(t->sorted.body),
                                       ORR_BUF(t->pyramid),
                                       ORR_I32(row ? t->row[row - 1] : -1),
                                       ORR_I32(t->row[row]),
                                       SORTED_TREE_NUMBER(length),
                                       ORR_BUF(t->low)};
        code = launch_with_low(job, t, "gaburov_pyramid", j_split_divide_up(above, t->sorted.block),
                               args, sizeof args / sizeof *args);
        length = above;
    }
    return code;
}

int32_t modern_octree_top(const struct modern_octree *t)
{
    return t->row[t->rows] - 1;
}

int modern_octree_finish(struct orr_job *job, struct modern_octree *t, struct orr_buffer *whole,
                         int32_t top, const struct modern_accuracy *accuracy)
{
    const struct orr_arg args[] = {ORR_BUF(t->sorted.body),
                                   ORR_BUF(t->pyramid),
                                   ORR_BUF(t->count),
                                   ORR_BUF(t->spans),
                                   ORR_BUF(t->links),
                                   ORR_BUF(t->tests),
                                   ORR_BUF(t->halves),
                                   ORR_BUF(t->moments),
                                   ORR_BUF(t->limits),
                                   ORR_BUF(whole),
                                   SORTED_TREE_NUMBER(t->sorted.n),
                                   ORR_I32(t->rows),
                                   ORR_I32(top),
                                   ORR_F32(accuracy->theta),
                                   ORR_F32(accuracy->share),
                                   ORR_BUF(t->low)};

    return launch_with_low(job, t, "gaburov_properties", sorted_tree_cell_groups(&t->sorted), args,
                           sizeof args / sizeof *args);
}

int32_t modern_octree_row(const struct modern_octree *t, int32_t most, int32_t *count)
{
    int32_t row = 0;

    while (row < t->rows - 1 && t->row[row + 1] - t->row[row] > most)
        row++;
    *count = t->row[row + 1] - t->row[row];
    return t->row[row];
}

int modern_octree_pull(struct orr_job *job, const struct modern_octree *t,
                       const struct modern_sources *by, const struct modern_boxes *of,
                       struct orr_buffer *pulls, float eps2)
{
    const struct orr_arg args[] = {ORR_BUF(of->boxes), ORR_BUF(by->entries), ORR_BUF(by->whole),
                                   ORR_BUF(pulls),     ORR_I32(of->first),   ORR_I32(of->stride),
                                   ORR_I32(by->from),  ORR_I32(by->count),   ORR_I32(by->run),
                                   ORR_I32(by->top),   ORR_F32(eps2)};
    const struct orr_launch launch = {.kernel = "gaburov_pulls",
                                      .groups = {of->count},
                                      .group = {t->pull_block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};

    return t->pull ? orr_launch(job->device, t->pull, &launch) : ORR_OK;
}

struct modern_boxes modern_octree_boxes(const struct modern_octree *t)
{
    const int32_t entry = t->low ? 5 : 4, row = t->rows > 1 ? 1 : 0;

    return (struct modern_boxes){.boxes = t->pyramid,
                                 .first = entry * t->row[row] + 2,
                                 .stride = entry,
                                 .count = j_split_divide_up(t->sorted.n, MODERN_PULLED)};
}

int modern_octree_build(struct orr_job *job, struct modern_octree *t, struct orr_buffer *body,
                        struct orr_buffer *low, const struct modern_accuracy *accuracy)
{
    int code = orr_phase(job->device, "sort");

    if (!code && t->sorted.small)
        code = sorted_tree_build_small(job, &t->sorted, body);
    else if (!code && !(code = sorted_tree_root(job, &t->sorted, body)))
        code = sorted_tree_sort(job, &t->sorted, body);
    if (!code && low)
        code = sorted_tree_gather(job, &t->sorted, low, sorted_tree_order(&t->sorted), t->low,
                                  t->sorted.n);
    if (code || (code = modern_octree_link(job, t)) || (code = modern_octree_sum(job, t)))
        return code;
    struct modern_sources by = {
        .entries = t->pyramid, .whole = t->pyramid, .run = INT32_MAX, .top = modern_octree_top(t)};
    const struct modern_boxes own = modern_octree_boxes(t);
    by.from = modern_octree_row(t, MODERN_MOST_SOURCES, &by.count);
    code = modern_octree_finish(job, t, t->pyramid, by.top, accuracy);
    return code ? code : modern_octree_pull(job, t, &by, &own, t->pulls, accuracy->eps2);
}

void modern_octree_release(struct orr_job *job, struct modern_octree *t)
{
    struct orr_buffer *const buffers[] = {t->pyramid, t->family, t->totals, t->count,
                                          t->links,   t->spans,  t->tests,  t->halves,
                                          t->moments, t->limits, t->pulls};

    orr_free(job->device, t->low);
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    orr_drop(job->device, t->program);
    orr_drop(job->device, t->pull);
    sorted_tree_release(job, &t->sorted);
    memset(t, 0, sizeof *t);
}
