/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "kernels/feng_essential.h"
#include "modern.h"

/* What goes to other ranks of a cell. */
enum { CELLS, LINKS };
enum { FLOAT4 = 4 * sizeof(float), INT4 = 4 * sizeof(int32_t) };

static const struct orr_source source = {"feng_essential", kernel_feng_essential};

#define LAUNCH(kernel, ...)                                            \
    CURVE_RANKS_LAUNCH(job, &s->ranks.curve, s->ranks.program, kernel, \
                       sorted_tree_cell_groups(&s->tree.sorted), __VA_ARGS__)

int feng_ranks_prepare(struct orr_job *job, struct feng_ranks *r, struct feng_sorted_tree *t)
{
    struct essential_tree *e = &r->essential;
    const size_t cells = t->sorted.capacity;
    char defines[64];
    int code = essential_tree_prepare(job, e, &r->curve, cells);

    if (code || r->curve.size == 1)
        return code;
    essential_tree_keep(e, &t->cells, FLOAT4, cells);
    essential_tree_keep(e, &t->links, INT4, cells);
    essential_tree_keep_bodies(e, &t->sorted.body, t->sorted.room);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DSEGMENTS=%d", r->curve.block,
             CURVE_RANKS_SEGMENTS);
    return orr_build(job->device, &r->program, &source, defines);
}

static int open_cells(struct orr_job *job)
{
    struct feng_modern *s = job->state;
    const struct feng_common *p = job->params;
    const struct curve_ranks *c = &s->ranks.curve;
    const struct essential_tree *e = &s->ranks.essential;
    const float theta = (float)p->theta;

    return LAUNCH("feng_open", ORR_BUF(s->tree.cells), ORR_BUF(s->tree.links), ORR_BUF(c->segments),
                  ORR_BUF(c->blocks), ORR_BUF(s->tree.sorted.offset), ORR_BUF(e->open),
                  ORR_BUF(e->parent), ORR_BUF(e->leaf), ORR_I32((int32_t)c->own), ORR_I32(c->size),
                  ORR_I32(c->rank), ORR_F32(theta * theta));
}

static int pack_cells(struct orr_job *job, int rank, const struct essential_place *at)
{
    struct feng_modern *s = job->state;
    const struct essential_tree *e = &s->ranks.essential;

    return LAUNCH("feng_essential", ORR_BUF(s->tree.cells), ORR_BUF(s->tree.links),
                  ORR_BUF(s->tree.sorted.offset), ORR_BUF(e->open), ORR_BUF(e->need),
                  ORR_BUF(e->place), ORR_BUF(e->field[CELLS].out), ORR_BUF(e->field[LINKS].out),
                  ORR_I32((int32_t)s->ranks.curve.own), ORR_I32(rank), ORR_I32(at->out_cell),
                  ORR_I32(at->cell), ORR_I32(at->body));
}

int feng_ranks_build(struct orr_job *job, size_t group)
{
    struct feng_modern *s = job->state;
    struct curve_ranks *c = &s->ranks.curve;
    const struct essential_paper paper = {
        {s->tree.sorted.offset, c->own, 0}, open_cells, pack_cells};
    int code = orr_phase(job->device, "Sort");

    if (!code && c->own)
        code = sorted_tree_sort(job, &s->tree.sorted, c->body);
    if (!code && c->own)
        code = feng_sorted_tree_finish(job, &s->tree);
    return code ? code
                : essential_tree_share(job, &s->ranks.essential, c, &s->tree.sorted, group, &paper);
}

void feng_ranks_release(struct orr_job *job, struct feng_ranks *r)
{
    orr_drop(job->device, r->program);
    essential_tree_release(job, &r->essential);
    r->program = NULL;
}
