/* SPDX-License-Identifier: MIT */
#include "sorted_tree.h"

#include <stdio.h>
#include <string.h>

#include "kernels/feng_modern.h"
#include "variants/common/j_split.h"

static const struct orr_source source = {"feng_modern", kernel_feng_modern};

/* Rows until one is short enough to sum directly; the sum of their lengths. */
static size_t plan_pyramid(struct feng_sorted_tree *t)
{
    size_t length = t->sorted.n, sum = 0;

    for (t->rows = 0; length > (size_t)4 * FENG_FAN; t->rows++) {
        length = j_split_divide_up(length, FENG_FAN);
        sum += length;
    }
    return sum;
}

static int allocate(struct orr_job *job, struct feng_sorted_tree *t)
{
    enum { FLOAT4 = 4 * sizeof(float), INT4 = 4 * sizeof(int32_t) };
    struct orr_device *d = job->device;
    size_t entries = plan_pyramid(t);
    int code;

    if ((code = orr_alloc(d, &t->pyramid, (entries ? entries : 1) * FLOAT4)) ||
        (code = orr_alloc(d, &t->links, t->sorted.capacity * INT4)))
        return code;
    return orr_alloc(d, &t->cells, t->sorted.capacity * FLOAT4);
}

int feng_sorted_tree_prepare(struct orr_job *job, struct feng_sorted_tree *t, size_t n,
                             int32_t leaf, int32_t fused)
{
    char defines[64];
    int code;

    if ((code = sorted_tree_prepare(job, &t->sorted, n, 2, leaf, fused)) ||
        (code = allocate(job, t)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DFAN=%d -DDIMENSIONS=2", t->sorted.block,
             FENG_FAN);
    return orr_build(job->device, &t->program, &source, defines);
}

#define LAUNCH(kernel, groups, ...) \
    SORTED_TREE_LAUNCH(job, &t->sorted, t->program, kernel, groups, __VA_ARGS__)

static int build(struct orr_job *job, struct feng_sorted_tree *t)
{
    int code = orr_phase(job->device, "BuildQuadTree");

    if (!code && !t->sorted.small)
        code = sorted_tree_cells(job, &t->sorted);
    if (code)
        return code;
    return LAUNCH("feng_links", sorted_tree_cell_groups(&t->sorted), ORR_BUF(t->sorted.offset),
                  ORR_BUF(t->sorted.ranges), ORR_BUF(t->sorted.after), ORR_BUF(t->links),
                  SORTED_TREE_NUMBER(t->sorted.n));
}

static int summarize(struct orr_job *job, struct feng_sorted_tree *t)
{
    const struct orr_arg body = ORR_BUF(t->sorted.body), pyramid = ORR_BUF(t->pyramid);
    size_t to = 0, length = t->sorted.n, above;
    int32_t from = -1;
    int code = orr_phase(job->device, "Summarize");

    for (int32_t row = 0; row < t->rows && !code; row++) {
        above = j_split_divide_up(length, FENG_FAN);
        code = LAUNCH("feng_pyramid", j_split_divide_up(above, t->sorted.block), body, pyramid,
                      ORR_I32(from), SORTED_TREE_NUMBER(to), SORTED_TREE_NUMBER(length));
        from = (int32_t)to;
        to += above;
        length = above;
    }
    return code
               ? code
               : LAUNCH("feng_moments", sorted_tree_cell_groups(&t->sorted),
                        ORR_BUF(sorted_tree_keys(&t->sorted)), body, pyramid,
                        ORR_BUF(t->sorted.offset), ORR_BUF(t->sorted.ranges),
                        ORR_BUF(t->sorted.root), ORR_BUF(t->cells), SORTED_TREE_NUMBER(t->sorted.n),
                        ORR_I32(t->sorted.levels), ORR_I32(t->rows));
}

int feng_sorted_tree_finish(struct orr_job *job, struct feng_sorted_tree *t)
{
    int code;

    plan_pyramid(t);
    code = build(job, t);
    return code ? code : summarize(job, t);
}

int feng_sorted_tree_build(struct orr_job *job, struct feng_sorted_tree *t, struct orr_buffer *body)
{
    int code = orr_phase(job->device, t->sorted.small ? "Sort" : "InsertRoot");

    if (code)
        return code;
    if (t->sorted.small)
        code = sorted_tree_build_small(job, &t->sorted, body);
    else if (!(code = sorted_tree_root(job, &t->sorted, body)) &&
             !(code = orr_phase(job->device, "Sort")))
        code = sorted_tree_sort(job, &t->sorted, body);
    return code ? code : feng_sorted_tree_finish(job, t);
}

void feng_sorted_tree_release(struct orr_job *job, struct feng_sorted_tree *t)
{
    struct orr_buffer *const buffers[] = {t->pyramid, t->links, t->cells};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    orr_drop(job->device, t->program);
    sorted_tree_release(job, &t->sorted);
    memset(t, 0, sizeof *t);
}
