/* SPDX-License-Identifier: MIT */
#include "host_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 5, PARTS_A_THREAD = 16, SMALLEST_PART = 1024 };

int feng_tree_make(const struct orr_job *job, struct feng_tree *tree, int threads)
{
    const size_t n = job->bodies->n, padded = (n / HOST_PADDING + 2) * HOST_PADDING;
    const size_t grain = n / ((size_t)PARTS_A_THREAD * (size_t)threads), smallest = SMALLEST_PART;
    int code = feng_order_make(job, &tree->order, n, threads);

    if (code)
        return code;
    tree->n = n;
    tree->grain = (uint32_t)(grain > smallest ? grain : smallest);
    /* On each level at most n / grain cells are larger than a part, and each has at most four
     * parts. */
    const size_t large = (n / tree->grain + 1) * (FENG_MAX_DEPTH + 1);
    tree->memory = aligned_alloc(HOST_ALIGNMENT, ARRAYS * padded * sizeof(float));
    tree->depths = malloc(n);
    tree->quads = malloc((n + large + 1) * sizeof *tree->quads);
    tree->parts = malloc(4 * large * sizeof *tree->parts);
    tree->tops = malloc(large * sizeof *tree->tops);
    if (!tree->memory || !tree->depths || !tree->quads || !tree->parts || !tree->tops)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for a tree of %zu bodies", n);
    memset(tree->memory, 0, ARRAYS * padded * sizeof(float));

    float **const arrays[ARRAYS] = {&tree->x, &tree->y, &tree->mass, &tree->ax, &tree->ay};
    for (size_t a = 0; a < ARRAYS; a++)
        *arrays[a] = tree->memory + a * padded;
    return ORR_OK;
}

void feng_tree_release(struct feng_tree *tree)
{
    feng_order_release(&tree->order);
    free(tree->memory);
    free(tree->depths);
    free(tree->quads);
    free(tree->parts);
    free(tree->tops);
    memset(tree, 0, sizeof *tree);
}

static void gather(struct feng_tree *tree, const struct feng_host *host)
{
    const struct host_bodies *b = &host->bodies;
    const struct host_place *places = tree->order.sort.places;

#pragma omp parallel for schedule(static) num_threads(host->bodies.threads)
    for (size_t k = 0; k < tree->n; k++) {
        const uint32_t i = places[k].body;
        tree->x[k] = b->pos[0][i];
        tree->y[k] = b->pos[1][i];
        tree->mass[k] = b->mass[i];
        tree->depths[k] = (uint8_t)(k ? feng_common_depth(places[k - 1].key, places[k].key) : 0);
    }
}

void feng_tree_scatter(const struct feng_tree *tree, struct feng_host *host)
{
    struct host_bodies *b = &host->bodies;

#pragma omp parallel for schedule(static) num_threads(host->bodies.threads)
    for (size_t k = 0; k < tree->n; k++) {
        const uint32_t i = tree->order.sort.places[k].body;
        b->acc[0][i] = tree->ax[k];
        b->acc[1][i] = tree->ay[k];
    }
}

struct moments {
    double mass, x, y;
};

static void add(struct moments *sum, float x, float y, float mass)
{
    sum->mass += (double)mass;
    sum->x += (double)mass * (double)x;
    sum->y += (double)mass * (double)y;
}

/* Cells of massless bodies act with mass 0 wherever they are. */
static void summarize(struct feng_quad *quad, uint32_t lane, const struct moments *sum)
{
    const double share = sum->mass > 0 ? 1 / sum->mass : 0;

    quad->mass[lane] = (float)sum->mass;
    quad->x[lane] = (float)(sum->x * share);
    quad->y[lane] = (float)(sum->y * share);
}

/* The depth of the smallest cell that holds these bodies. */
static int depth_of(const struct feng_tree *tree, uint32_t from, uint32_t to)
{
    return feng_common_depth(tree->order.sort.places[from].key,
                             tree->order.sort.places[to - 1].key);
}

/* Where the last part of a cell of that depth begins; its bodies are from..to. */
static uint32_t last_part(const struct feng_tree *tree, uint32_t from, uint32_t to, int depth)
{
    const uint8_t *found = memrchr(tree->depths + from + 1, depth, to - from - 1);

    return found ? (uint32_t)(found - tree->depths) : from;
}

/* A single body, which needs no approximation, and inseparable ones act one by one. */
static void set_leaf(const struct feng_tree *tree, const struct feng_part *leaf, int depth)
{
    const int alone = leaf->to - leaf->from == 1 || depth == FENG_MAX_DEPTH;
    struct feng_quad *in = &tree->quads[leaf->quad];
    struct moments sum = {0};

    for (uint32_t k = leaf->from; k < leaf->to; k++)
        add(&sum, tree->x[k], tree->y[k], tree->mass[k]);
    summarize(in, leaf->lane, &sum);
    in->reach2[leaf->lane] = alone ? INFINITY : tree->reach2[depth];
    in->first[leaf->lane] = leaf->from;
    in->count[leaf->lane] = leaf->to - leaf->from;
}

/* A quad without parts yet. */
static void clear_quad(struct feng_quad *quad)
{
    *quad = (struct feng_quad){.reach2 = {INFINITY, INFINITY, INFINITY, INFINITY}};
}

/* The cell whose parts a quad holds. */
static void set_cell(const struct feng_tree *tree, const struct feng_part *cell, uint32_t quad)
{
    const struct feng_quad *parts = &tree->quads[quad];
    struct feng_quad *in = &tree->quads[cell->quad];
    struct moments sum = {0};

    for (int k = 0; k < 4; k++)
        add(&sum, parts->x[k], parts->y[k], parts->mass[k]);
    summarize(in, cell->lane, &sum);
    in->reach2[cell->lane] = tree->reach2[depth_of(tree, cell->from, cell->to)];
    in->first[cell->lane] = quad;
    in->count[cell->lane] = 0;
}

/* Which of the quad's parts are what. */
static void tell_parts(struct feng_quad *quad)
{
    for (uint32_t k = 0; k < quad->parts; k++)
        *(quad->count[k] ? &quad->leaves : &quad->cells) |= 1u << k;
}

/* Makes the cell and all below, the quads from *free on. */
static void build(struct feng_tree *tree, uint32_t *free_quad, const struct feng_part *cell)
{
    const int depth = depth_of(tree, cell->from, cell->to);

    if (cell->to - cell->from <= FENG_LEAF || depth == FENG_MAX_DEPTH) {
        set_leaf(tree, cell, depth);
        return;
    }
    const uint32_t quad = (*free_quad)++;
    struct feng_part part = {.quad = quad};
    clear_quad(&tree->quads[quad]);
    for (uint32_t end = cell->to; end > cell->from; end = part.from, part.lane++) {
        part.from = last_part(tree, cell->from, end, depth);
        part.to = end;
        build(tree, free_quad, &part);
    }
    tree->quads[quad].parts = part.lane;
    tell_parts(&tree->quads[quad]);
    set_cell(tree, cell, quad);
}

/* A part of c bodies has fewer than c cells with parts. */
static void build_part(struct feng_tree *tree, const struct feng_part *part)
{
    uint32_t free_quad = part->from;

    build(tree, &free_quad, part);
}

/* Divides the cell's bodies into parts no larger than the grain, below cells of the top. */
static void divide(struct feng_tree *tree, const struct feng_part *cell)
{
    const int depth = depth_of(tree, cell->from, cell->to);

    if (cell->to - cell->from <= tree->grain || depth == FENG_MAX_DEPTH) {
        tree->parts[tree->part_count++] = *cell;
        return;
    }
    struct feng_part part = {.quad = tree->root + 1 + tree->top_count};
    tree->tops[tree->top_count++] = *cell;
    clear_quad(&tree->quads[part.quad]);
    for (uint32_t end = cell->to; end > cell->from; end = part.from, part.lane++) {
        part.from = last_part(tree, cell->from, end, depth);
        part.to = end;
        divide(tree, &part);
    }
    tree->quads[part.quad].parts = part.lane;
}

/* Rounding a cell's reach up keeps the walk on the side of opening. */
static void set_reaches(struct feng_tree *tree, double width, double theta)
{
    for (int depth = 0; depth <= FENG_MAX_DEPTH; depth++) {
        const double reach = ldexp(width, -depth) / theta;
        tree->reach2[depth] = theta > 0 ? (float)(reach * reach * (1 + 1e-6)) : INFINITY;
    }
}

void feng_tree_build(struct feng_tree *tree, const struct feng_host *host, double width,
                     double theta)
{
    const struct feng_part all = {.to = (uint32_t)tree->n, .quad = (uint32_t)tree->n};

    gather(tree, host);
    set_reaches(tree, width, theta);
    tree->top_count = tree->part_count = 0;
    tree->root = all.quad;
    clear_quad(&tree->quads[tree->root]);
    divide(tree, &all);
#pragma omp parallel for schedule(dynamic) num_threads(host->bodies.threads)
    for (uint32_t k = 0; k < tree->part_count; k++)
        build_part(tree, &tree->parts[k]);
    for (uint32_t k = tree->top_count; k-- > 0;) {
        const uint32_t quad = tree->root + 1 + k;
        tell_parts(&tree->quads[quad]);
        set_cell(tree, &tree->tops[k], quad);
    }
    tree->quads[tree->root].parts = 1;
    tell_parts(&tree->quads[tree->root]);
}
