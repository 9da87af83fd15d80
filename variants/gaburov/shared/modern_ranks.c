/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "kernels/gaburov_essential.h"
#include "modern.h"
#include "variants/common/j_split.h"

enum { FLOAT2 = 2 * sizeof(float), FLOAT4 = 4 * sizeof(float), INT2 = 2 * sizeof(int32_t) };
enum { ENTRY = 4, ENTRY_BYTES = sizeof(float) * 4 * ENTRY };
enum { BLOCK = 16 };                     /* segments: BLOCK_SEGMENTS of kernels/curve_segments.h */
enum { TOPS = 1 + MODERN_RANK_SOURCES }; /* entries of each rank */

static const struct orr_source source = {"gaburov_essential", kernel_gaburov_essential};

/* What goes to other ranks of a cell; its half-edges last, where the walk looks at them. */
enum { TESTS, LINKS, MOMENTS, LIMITS };

#define LAUNCH(program, kernel, groups, ...) \
    CURVE_RANKS_LAUNCH(job, &r->curve, program, kernel, groups, __VA_ARGS__)

int modern_ranks_prepare(struct orr_job *job, struct modern_ranks *r, struct modern_octree *t,
                         const struct gaburov_tree_params *how)
{
    struct essential_tree *e = &r->essential;
    const size_t cells = t->sorted.capacity;
    char defines[64];
    int code = essential_tree_prepare(job, e, &r->curve, cells);

    if (code || r->curve.size == 1)
        return code;
    essential_tree_keep(e, &t->tests, FLOAT4, cells);
    essential_tree_keep(e, &t->links, INT2, cells);
    essential_tree_keep(e, &t->moments, (size_t)3 * FLOAT4, cells);
    essential_tree_keep(e, &t->limits, FLOAT2, cells);
    if (how->opening == GABUROV_OPENING_MINIMUM_DISTANCE)
        essential_tree_keep(e, &t->halves, FLOAT4, cells);
    essential_tree_keep_bodies(e, &t->sorted.body, t->sorted.room);
    const size_t segments = (size_t)r->curve.size * CURVE_RANKS_SEGMENTS;
    if ((code = orr_alloc(job->device, &r->tops, (size_t)r->curve.size * TOPS * ENTRY_BYTES)) ||
        (code = orr_alloc(job->device, &r->pulls, segments * FLOAT2)) ||
        (code = orr_alloc(job->device, &r->most, segments * sizeof(float))) ||
        (code = orr_alloc(job->device, &r->whole, ENTRY_BYTES)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DSEGMENTS=%d -DOPENING=%d", r->curve.block,
             CURVE_RANKS_SEGMENTS, how->opening);
    return orr_build(job->device, &r->program, &source, defines);
}

/* `count` of the own pyramid's entries, from `from` on, become those of `tops` from `to` on. */
static int put_entries(struct orr_job *job, struct modern_ranks *r, const struct modern_octree *t,
                       int32_t from, int32_t count, int32_t to)
{
    return LAUNCH(r->curve.program, "curve_move",
                  j_split_divide_up((size_t)(ENTRY * count), r->curve.block), ORR_BUF(t->pyramid),
                  ORR_I32(ENTRY * from), ORR_BUF(r->tops),
                  ORR_I32(ENTRY * (TOPS * r->curve.rank + to)), ORR_I32(ENTRY * count));
}

/* The moments of all bodies, of which the opening test weighs a cell's share, and where they are.
 */
static int sum_ranks(struct orr_job *job, struct modern_ranks *r, struct modern_octree *t)
{
    const size_t bytes = (size_t)TOPS * ENTRY_BYTES;
    const struct orr_arg tops = ORR_BUF(r->tops);
    int code = orr_fill(job->device, r->tops, 0, (size_t)r->curve.size * bytes);

    if (!code && r->curve.own && !(code = put_entries(job, r, t, modern_octree_top(t), 1, 0))) {
        int32_t count = 0, row = modern_octree_row(t, MODERN_RANK_SOURCES, &count);
        code = put_entries(job, r, t, row, count, 1);
    }
    if (!code)
        code = orr_ranks_gather(job->ranks, r->tops, bytes);
    return code ? code
                : SORTED_TREE_LAUNCH(job, &t->sorted, t->program, "gaburov_whole", 1, tops,
                                     ORR_BUF(r->whole), ORR_I32(r->curve.size), ORR_I32(TOPS));
}

static int find_pulls(struct orr_job *job, const struct modern_boxes *of, struct orr_buffer *pulls)
{
    const struct gaburov_modern *s = job->state;
    const struct modern_ranks *r = &s->ranks;
    const struct modern_sources by = {.entries = r->tops,
                                      .whole = r->whole,
                                      .from = 1,
                                      .count = MODERN_RANK_SOURCES * r->curve.size,
                                      .run = MODERN_RANK_SOURCES};

    return modern_octree_pull(job, &s->tree, &by, of, pulls, s->accuracy.eps2);
}

static int build_own(struct orr_job *job, struct modern_ranks *r, struct modern_octree *t,
                     const struct modern_accuracy *accuracy)
{
    int code = ORR_OK;

    if (r->curve.own) {
        modern_octree_hold(t);
        if ((code = orr_phase(job->device, "sort")) ||
            (code = sorted_tree_sort(job, &t->sorted, r->curve.body)) ||
            (code = modern_octree_link(job, t)) || (code = modern_octree_sum(job, t)))
            return code;
    }
    if ((code = sum_ranks(job, r, t)) || (code = orr_phase(job->device, "properties")))
        return code;
    if (!r->curve.own)
        return ORR_OK;
    const struct modern_boxes own = modern_octree_boxes(t);
    code = modern_octree_finish(job, t, r->whole, 0, accuracy);
    return code ? code : find_pulls(job, &own, t->pulls);
}

static int open_cells(struct orr_job *job)
{
    struct gaburov_modern *s = job->state;
    const struct modern_octree *t = &s->tree;
    const struct modern_ranks *r = &s->ranks;
    const struct essential_tree *e = &r->essential;
    const size_t segments = (size_t)r->curve.size * CURVE_RANKS_SEGMENTS, blocks = segments / BLOCK;
    const struct modern_boxes all = {.boxes = r->curve.segments, .stride = 2, .count = segments};
    int code = find_pulls(job, &all, r->pulls);

    if (code ||
        (t->pull && (code = LAUNCH(r->program, "gaburov_block_pulls",
                                   j_split_divide_up(blocks, r->curve.block), ORR_BUF(r->pulls),
                                   ORR_BUF(r->most), ORR_I32((int32_t)blocks)))))
        return code;
    return LAUNCH(r->program, "gaburov_open", sorted_tree_cell_groups(&t->sorted),
                  ORR_BUF(t->tests), ORR_BUF(t->halves), ORR_BUF(t->limits), ORR_BUF(t->links),
                  ORR_BUF(r->curve.segments), ORR_BUF(r->curve.blocks), ORR_BUF(r->pulls),
                  ORR_BUF(r->most), ORR_BUF(t->count), ORR_BUF(e->open), ORR_BUF(e->parent),
                  ORR_BUF(e->leaf), ORR_I32(r->curve.size), ORR_I32(r->curve.rank));
}

static int pack_cells(struct orr_job *job, int rank, const struct essential_place *at)
{
    struct gaburov_modern *s = job->state;
    const struct modern_octree *t = &s->tree;
    const struct modern_ranks *r = &s->ranks;
    const struct essential_tree *e = &r->essential;
    const struct essential_field *f = e->field;

    return LAUNCH(r->program, "gaburov_essential", sorted_tree_cell_groups(&t->sorted),
                  ORR_BUF(t->tests), ORR_BUF(t->halves), ORR_BUF(t->links), ORR_BUF(t->moments),
                  ORR_BUF(t->limits), ORR_BUF(t->count), ORR_BUF(e->open), ORR_BUF(e->need),
                  ORR_BUF(e->place), ORR_BUF(f[TESTS].out), ORR_BUF(f[e->fields - 1].out),
                  ORR_BUF(f[LINKS].out), ORR_BUF(f[MOMENTS].out), ORR_BUF(f[LIMITS].out),
                  ORR_I32(rank), ORR_I32(at->out_cell), ORR_I32(at->cell), ORR_I32(at->body));
}

int modern_ranks_build(struct orr_job *job, size_t group, const struct modern_accuracy *accuracy)
{
    struct gaburov_modern *s = job->state;
    const struct essential_paper paper = {{s->tree.count, 0, 1}, open_cells, pack_cells};
    int code = build_own(job, &s->ranks, &s->tree, accuracy);

    return code ? code
                : essential_tree_share(job, &s->ranks.essential, &s->ranks.curve, &s->tree.sorted,
                                       group, &paper);
}

void modern_ranks_release(struct orr_job *job, struct modern_ranks *r)
{
    orr_free(job->device, r->tops);
    orr_free(job->device, r->whole);
    orr_free(job->device, r->pulls);
    orr_free(job->device, r->most);
    orr_drop(job->device, r->program);
    essential_tree_release(job, &r->essential);
    r->tops = r->whole = r->pulls = r->most = NULL;
    r->program = NULL;
}
