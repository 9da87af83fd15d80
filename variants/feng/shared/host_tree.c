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
    tree->cells = malloc((2 * n + large) * sizeof *tree->cells);
    tree->parts = malloc(4 * large * sizeof *tree->parts);
    if (!tree->memory || !tree->depths || !tree->cells || !tree->parts)
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
    free(tree->cells);
    free(tree->parts);
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
static void summarize(struct feng_cell *cell, const struct moments *sum)
{
    const double share = sum->mass > 0 ? 1 / sum->mass : 0;

    cell->mass = (float)sum->mass;
    cell->x = (float)(sum->x * share);
    cell->y = (float)(sum->y * share);
}

static void summarize_leaf(const struct feng_tree *tree, struct feng_cell *leaf)
{
    struct moments sum = {0};

    for (uint32_t k = leaf->first; k < leaf->first + leaf->count; k++)
        add(&sum, tree->x[k], tree->y[k], tree->mass[k]);
    summarize(leaf, &sum);
}

static void summarize_parts(const struct feng_tree *tree, struct feng_cell *cell)
{
    struct moments sum = {0};

    for (uint32_t part = cell->first; part != cell->next; part = tree->cells[part].next)
        add(&sum, tree->cells[part].x, tree->cells[part].y, tree->cells[part].mass);
    summarize(cell, &sum);
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

/* A leaf. A single body, which needs no approximation, and inseparable ones act one by one. */
static struct feng_cell leaf_of(const struct feng_tree *tree, uint32_t from, uint32_t to, int depth)
{
    const int alone = to - from == 1 || depth == FENG_MAX_DEPTH;

    return (struct feng_cell){
        .reach2 = alone ? INFINITY : tree->reach2[depth], .first = from, .count = to - from};
}

/* Makes the cell of bodies from..to and its parts, from the last one to the first, each in the slot
 * before *free. Returns its slot. */
static uint32_t build(struct feng_tree *tree, uint32_t *free_slot, uint32_t from, uint32_t to,
                      uint32_t next)
{
    const int depth = depth_of(tree, from, to);
    struct feng_cell cell = leaf_of(tree, from, to, depth);

    if (to - from > FENG_LEAF && depth < FENG_MAX_DEPTH) {
        cell.count = 0;
        cell.first = next;
        for (uint32_t end = to; end > from;) {
            const uint32_t begin = last_part(tree, from, end, depth);
            cell.first = build(tree, free_slot, begin, end, cell.first);
            end = begin;
        }
    }
    cell.next = next;
    if (cell.count)
        summarize_leaf(tree, &cell);
    else
        summarize_parts(tree, &cell);
    tree->cells[--*free_slot] = cell;
    return *free_slot;
}

/* A part of c bodies has at most 2 c - 1 cells, in the slots from 2 from to 2 to; its own cell is
 * moved to the first one, where the top expects it. */
static void build_part(struct feng_tree *tree, const struct feng_part *part)
{
    uint32_t free_slot = 2 * part->to;
    const uint32_t slot = build(tree, &free_slot, part->from, part->to, part->next);

    tree->cells[(size_t)2 * part->from] = tree->cells[slot];
}

/* Divides the bodies into parts no larger than the grain. The cells above them follow the slots of
 * all parts, those further down first. Returns the slot of from..to. */
static uint32_t divide(struct feng_tree *tree, uint32_t from, uint32_t to, uint32_t next)
{
    const int depth = depth_of(tree, from, to);

    if (to - from <= tree->grain || depth == FENG_MAX_DEPTH) {
        tree->parts[tree->part_count++] = (struct feng_part){from, to, next};
        return 2 * from;
    }
    uint32_t first = next;
    for (uint32_t end = to; end > from;) {
        const uint32_t begin = last_part(tree, from, end, depth);
        first = divide(tree, begin, end, first);
        end = begin;
    }
    const uint32_t slot = 2 * (uint32_t)tree->n + tree->tops++;
    tree->cells[slot] =
        (struct feng_cell){.reach2 = tree->reach2[depth], .next = next, .first = first};
    return slot;
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
    const uint32_t tops = 2 * (uint32_t)tree->n;

    gather(tree, host);
    set_reaches(tree, width, theta);
    tree->tops = tree->part_count = 0;
    tree->root = divide(tree, 0, (uint32_t)tree->n, (uint32_t)FENG_LAST);
#pragma omp parallel for schedule(dynamic) num_threads(host->bodies.threads)
    for (uint32_t k = 0; k < tree->part_count; k++)
        build_part(tree, &tree->parts[k]);
    for (uint32_t slot = tops; slot < tops + tree->tops; slot++)
        summarize_parts(tree, &tree->cells[slot]);
}
