/* SPDX-License-Identifier: MIT */
#include "variants/common/essential_tree.h"

#include <stdio.h>
#include <string.h>

#include "kernels/essential_tree.h"
#include "variants/common/j_split.h"

enum { FLOAT4 = 4 * sizeof(float), WORD = sizeof(int32_t), MASK = sizeof(uint64_t) };

static const struct orr_source source = {"essential_tree", kernel_essential_tree};

#define LAUNCH(kernel, groups, ...) \
    CURVE_RANKS_LAUNCH(job, c, e->program, kernel, groups, __VA_ARGS__)
#define CELLS_ARGS(cells) NUMBER((cells).at), ORR_I32((cells).extra)
#define NUMBER(x) ORR_I32((int32_t)(x))

int essential_tree_prepare(struct orr_job *job, struct essential_tree *e,
                           const struct curve_ranks *c, size_t capacity)
{
    enum { MOST_SLICES = 1024 };
    struct orr_device *d = job->device;
    const size_t size = (size_t)c->size, groups = j_split_divide_up(capacity, 256);
    char defines[32];
    int code = orr_alloc(d, &e->roots, size * WORD);

    e->trees = 1;
    if (!code)
        code = orr_fill(d, e->roots, 0, size * WORD);
    if (code || size == 1)
        return code;
    e->capacity = capacity;
    e->slices = groups < MOST_SLICES ? groups : MOST_SLICES;
    if ((code = orr_alloc(d, &e->open, capacity * MASK)) ||
        (code = orr_alloc(d, &e->parent, capacity * WORD)) ||
        (code = orr_alloc(d, &e->leaf, capacity * 2 * WORD)) ||
        (code = orr_alloc(d, &e->need, capacity * MASK)) ||
        (code = orr_alloc(d, &e->place, capacity * 2 * WORD)) ||
        (code = orr_alloc(d, &e->sums, size * e->slices * 2 * WORD)) ||
        (code = orr_alloc(d, &e->sizes, size * (2 * size + 1) * WORD)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu", c->block);
    return orr_build(d, &e->program, &source, defines);
}

void essential_tree_keep(struct essential_tree *e, struct orr_buffer **kept, size_t bytes,
                         size_t room)
{
    e->field[e->fields++] = (struct essential_field){.kept = kept, .bytes = bytes, .room = room};
}

void essential_tree_keep_bodies(struct essential_tree *e, struct orr_buffer **kept, size_t room)
{
    e->body = (struct essential_field){.kept = kept, .bytes = FLOAT4, .room = room};
}

/* --- what goes to whom --- */

/* Groups whose threads share all cells. */
static size_t cell_groups(const struct essential_tree *e, const struct curve_ranks *c)
{
    const size_t most = 16384, groups = j_split_divide_up(e->capacity, c->block);

    return groups < most ? groups : most;
}

static int count_cells(struct orr_job *job, struct essential_tree *e, const struct curve_ranks *c,
                       struct essential_count cells)
{
    const struct orr_arg count = ORR_BUF(cells.count), sums = ORR_BUF(e->sums);
    uint64_t others = 0;
    int code;

    for (int r = 0; r < c->size; r++)
        if (r != c->rank && c->held[r])
            others |= (uint64_t)1 << r;
    if ((code = LAUNCH("essential_need", cell_groups(e, c), ORR_BUF(e->open), ORR_BUF(e->parent),
                       count, ORR_BUF(e->need), CELLS_ARGS(cells), ORR_U32((uint32_t)others),
                       ORR_U32((uint32_t)(others >> 32)))) ||
        (code = LAUNCH("essential_count", (size_t)c->size * e->slices, ORR_BUF(e->need),
                       ORR_BUF(e->open), ORR_BUF(e->leaf), count, sums, CELLS_ARGS(cells),
                       NUMBER(e->slices))))
        return code;
    return LAUNCH("essential_offsets", (size_t)c->size, sums, count, ORR_BUF(e->sizes),
                  CELLS_ARGS(cells), NUMBER(e->slices), ORR_I32(c->rank));
}

static int learn_sizes(struct orr_job *job, struct essential_tree *e, const struct curve_ranks *c)
{
    int32_t sizes[ORR_MAX_RANKS * (2 * ORR_MAX_RANKS + 1)];
    const size_t row = 2 * (size_t)c->size + 1, bytes = row * WORD;
    int code = orr_ranks_gather(job->ranks, e->sizes, bytes);

    if (code || c->settled ||
        (code = orr_download(job->device, sizes, e->sizes, (size_t)c->size * bytes)))
        return code;
    for (int from = 0; from < c->size; from++) {
        const int32_t *one = sizes + (size_t)from * row;
        for (int to = 0; to < c->size; to++) {
            e->cells[from][to] = to == from ? one[row - 1] : one[2 * (size_t)to];
            e->bodies[from][to] = to == from ? (int32_t)c->held[from] : one[2 * (size_t)to + 1];
        }
    }
    return ORR_OK;
}

/* Of a row or column: what comes before `until`, the diagonal first or not at all. */
static int32_t before(int32_t table[ORR_MAX_RANKS][ORR_MAX_RANKS], int rank, int until, bool column)
{
    int32_t sum = column ? table[rank][rank] : 0;

    for (int r = 0; r < until; r++)
        if (r != rank)
            sum += column ? table[r][rank] : table[rank][r];
    return sum;
}

static int have_field(struct orr_job *job, struct essential_field *f, size_t own, size_t all,
                      size_t out)
{
    int code = 0;

    if (all > f->room) {
        if ((code = curve_ranks_grow(job, f->kept, own * f->bytes, (all + all / 8) * f->bytes)))
            return code;
        f->room = all + all / 8;
    }
    if (out > f->out_room || !f->out) {
        if ((code = curve_ranks_grow(job, &f->out, 0, (out + out / 8) * f->bytes)))
            return code;
        f->out_room = out + out / 8;
    }
    return code;
}

static int have_room(struct orr_job *job, struct essential_tree *e, const struct curve_ranks *c)
{
    const int own = c->rank, size = c->size;
    int code = have_field(job, &e->body, (size_t)e->bodies[own][own],
                          (size_t)before(e->bodies, own, size, true),
                          (size_t)before(e->bodies, own, size, false));

    for (int k = 0; k < e->fields && !code; k++)
        code = have_field(job, &e->field[k], (size_t)e->cells[own][own],
                          (size_t)before(e->cells, own, size, true),
                          (size_t)before(e->cells, own, size, false));
    return code;
}

static int choose(struct orr_job *job, struct essential_tree *e, const struct curve_ranks *c,
                  struct essential_count cells)
{
    const size_t row = 2 * (size_t)c->size + 1;
    int code = c->own ? count_cells(job, e, c, cells)
                      : orr_fill(job->device, e->sizes, 0, (size_t)c->size * row * WORD);

    if (code || (code = learn_sizes(job, e, c)))
        return code;
    return have_room(job, e, c);
}

/* --- on its way --- */

/* `place` of what goes to the rank, and its bodies. */
static int place_for(struct orr_job *job, struct essential_tree *e, const struct curve_ranks *c,
                     struct essential_count cells, int rank, struct essential_place *place)
{
    const struct orr_arg need = ORR_BUF(e->need), open = ORR_BUF(e->open), leaf = ORR_BUF(e->leaf),
                         count = ORR_BUF(cells.count), to = ORR_BUF(e->place);
    int code = LAUNCH("essential_place", e->slices, need, open, leaf, count, ORR_BUF(e->sums), to,
                      CELLS_ARGS(cells), NUMBER(e->slices), ORR_I32(rank));

    *place = (struct essential_place){.out_cell = before(e->cells, c->rank, rank, false),
                                      .out_body = before(e->bodies, c->rank, rank, false),
                                      .cell = before(e->cells, rank, c->rank, true),
                                      .body = before(e->bodies, rank, c->rank, true)};
    return code ? code
                : LAUNCH("essential_bodies", cell_groups(e, c), need, open, leaf, count, to,
                         ORR_BUF(*e->body.kept), ORR_BUF(e->body.out), CELLS_ARGS(cells),
                         ORR_I32(place->out_body), ORR_I32(rank));
}

/* Appends what a field sends to `peer` and gets from it. */
static int add_parts(struct orr_ranks_part *parts, const struct essential_field *f,
                     int32_t table[ORR_MAX_RANKS][ORR_MAX_RANKS], int own, int peer)
{
    parts[0] = (struct orr_ranks_part){peer, true, f->out,
                                       (size_t)before(table, own, peer, false) * f->bytes,
                                       (size_t)table[own][peer] * f->bytes};
    parts[1] = (struct orr_ranks_part){peer, false, *f->kept,
                                       (size_t)before(table, own, peer, true) * f->bytes,
                                       (size_t)table[peer][own] * f->bytes};
    return 2;
}

static int list_roots(struct orr_job *job, struct essential_tree *e, const struct curve_ranks *c)
{
    int32_t roots[ORR_MAX_RANKS] = {0};

    if (c->settled)
        return ORR_OK;
    e->trees = c->own > 0;
    for (int r = 0; r < c->size; r++)
        if (r != c->rank && e->cells[r][c->rank])
            roots[e->trees++] = before(e->cells, c->rank, r, true);
    return orr_upload(job->device, e->roots, roots, (size_t)c->size * WORD);
}

static int exchange(struct orr_job *job, struct essential_tree *e, struct curve_ranks *c)
{
    struct orr_ranks_part parts[ORR_MAX_RANKS * 2 * (ESSENTIAL_TREE_MOST_FIELDS + 1)];
    int count = 0, code;

    for (int peer = 0; peer < c->size; peer++) {
        if (peer == c->rank)
            continue;
        for (int k = 0; k < e->fields; k++)
            count += add_parts(parts + count, &e->field[k], e->cells, c->rank, peer);
        count += add_parts(parts + count, &e->body, e->bodies, c->rank, peer);
    }
    for (int k = 0; k < count; k++)
        c->received += parts[k].sends ? 0 : (double)parts[k].bytes;
    code = orr_ranks_exchange(job->ranks, parts, count);
    return code ? code : list_roots(job, e, c);
}

int essential_tree_share(struct orr_job *job, struct essential_tree *e, struct curve_ranks *c,
                         const struct sorted_tree *tree, size_t group,
                         const struct essential_paper *paper)
{
    struct essential_place at;
    int code = orr_phase(job->device, "essential");

    if (code || (code = curve_ranks_describe(job, c, tree, group)) ||
        (code = orr_phase(job->device, "essential")) ||
        (code = c->own ? paper->open(job) : ORR_OK) || (code = choose(job, e, c, paper->cells)) ||
        (code = orr_phase(job->device, "essential")))
        return code;
    for (int rank = 0; rank < c->size && !code; rank++)
        if (rank != c->rank && e->cells[c->rank][rank]) {
            code = place_for(job, e, c, paper->cells, rank, &at);
            code = code ? code : paper->pack(job, rank, &at);
        }
    return code ? code : exchange(job, e, c);
}

void essential_tree_release(struct orr_job *job, struct essential_tree *e)
{
    struct orr_buffer *const buffers[] = {e->open, e->parent, e->leaf,  e->need,    e->place,
                                          e->sums, e->sizes,  e->roots, e->body.out};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    for (int k = 0; k < e->fields; k++)
        orr_free(job->device, e->field[k].out);
    orr_drop(job->device, e->program);
    memset(e, 0, sizeof *e);
}
