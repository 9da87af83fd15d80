#include "run/reference_near.h"

#include <stdbool.h>
#include <stdlib.h>

#include "error.h"
#include "run/reference_pairs.h"

void orr_reference_near_release(struct orr_reference_near *near)
{
    free(near->order);
    free(near->start);
    *near = (struct orr_reference_near){0};
}

struct box {
    size_t column, row;
};

static struct box box_of(const struct orr_reference_near *near, const double *const pos[3],
                         size_t i)
{
    return (struct box){orr_boxes_place(&near->boxes, 0, pos[0][i]),
                        orr_boxes_place(&near->boxes, 1, pos[1][i])};
}

/* Counting sort by `place`, the box of each body; on the way start[b + 1] is where the next body of
 * box b goes, at the end where box b ends. */
static void sort(struct orr_reference_near *near, const uint32_t *place)
{
    size_t boxes = (size_t)near->boxes.side * near->boxes.side, before = 0;
    for (size_t i = 0; i < near->n; i++)
        near->start[place[i] + 1]++;
    for (size_t box = 0; box < boxes; box++) {
        size_t count = near->start[box + 1];
        near->start[box + 1] = before;
        before += count;
    }
    for (size_t i = 0; i < near->n; i++)
        near->order[near->start[place[i] + 1]++] = (uint32_t)i;
}

int orr_reference_near_make(struct orr_reference_near *out, const struct orr_bodies *bodies,
                            int level)
{
    size_t n = bodies->n;
    *out = (struct orr_reference_near){.boxes = orr_boxes_make(bodies, level), .n = n};
    size_t side = out->boxes.side;
    uint32_t *place = n <= UINT32_MAX ? calloc(n + 1, sizeof *place) : NULL;
    out->order = malloc((n + 1) * sizeof *out->order);
    out->start = calloc(side * side + 1, sizeof *out->start);
    if (!place || !out->order || !out->start) {
        free(place);
        return orr_fail(ORR_EMEMORY, "no memory for the reference of %zu bodies in %zu boxes", n,
                        side * side);
    }
    const double *const pos[3] = {bodies->pos[0], bodies->pos[1], bodies->pos[2]};
#pragma omp parallel for schedule(static) if (n > 100000)
    for (size_t i = 0; i < n; i++) {
        struct box box = box_of(out, pos, i);
        place[i] = (uint32_t)(box.row * side + box.column);
    }
    sort(out, place);
    free(place);
    return 0;
}

/* The bodies of the up to three boxes of a row, places in `order`. */
struct range {
    size_t from, to;
};

enum { ROWS = 3 };
static int rows_near(const struct orr_reference_near *near, struct box box, struct range out[ROWS])
{
    size_t side = near->boxes.side, last = side - 1;
    size_t left = box.column ? box.column - 1 : 0,
           right = box.column < last ? box.column + 1 : last;
    int count = 0;
    for (size_t row = box.row ? box.row - 1 : 0; row <= box.row + 1 && row <= last; row++)
        out[count++] =
            (struct range){near->start[row * side + left], near->start[row * side + right + 1]};
    return count;
}

double orr_reference_near_pairs(const struct orr_reference_near *near)
{
    size_t side = near->boxes.side;
    double pairs = 0;
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++) {
            struct range ranges[ROWS];
            size_t others = 0, box = row * side + column;
            int count = rows_near(near, (struct box){column, row}, ranges);
            for (int k = 0; k < count; k++)
                others += ranges[k].to - ranges[k].from;
            if (near->start[box + 1] > near->start[box])
                pairs += (double)(near->start[box + 1] - near->start[box]) * (double)(others - 1);
        }
    return pairs;
}

/* --- sums --- */

/* Near bodies, side by side. */
enum { GATHERED = 512 };
struct gathered {
    double pos[3][GATHERED], mass[ORR_REFERENCE_SETS][GATHERED];
    size_t count;
};

static void act(struct orr_reference_sums *sums, struct gathered *g, int sets, double eps,
                const double at[3])
{
    const struct orr_reference_pairs pairs = {.pos = {g->pos[0], g->pos[1], g->pos[2]},
                                              .mass = {g->mass[0], g->mass[1]},
                                              .sets = sets,
                                              .eps = eps};
    orr_reference_pairs_add(sums, &pairs, at, 0, g->count);
    g->count = 0;
}

static void gather(struct gathered *g, const struct orr_sources *sources, int sets, size_t body)
{
    for (int d = 0; d < 3; d++)
        g->pos[d][g->count] = sources->pos[d][body];
    for (int k = 0; k < sets; k++)
        g->mass[k][g->count] = sources[k].mass[body];
    g->count++;
}

static void sum_target(struct orr_reference *out, const struct orr_reference_near *near,
                       const struct orr_sources *sources, int sets, size_t k)
{
    size_t self = out->targets[k];
    const double at[3] = {sources->pos[0][self], sources->pos[1][self], sources->pos[2][self]};
    struct orr_reference_sums sums[ORR_REFERENCE_SETS] = {0};
    struct range ranges[ROWS];
    struct gathered g;
    int rows = rows_near(near, box_of(near, sources->pos, self), ranges);
    g.count = 0;
    for (int row = 0; row < rows; row++)
        for (size_t place = ranges[row].from; place < ranges[row].to; place++) {
            if (near->order[place] != self)
                gather(&g, sources, sets, near->order[place]);
            if (g.count == GATHERED)
                act(sums, &g, sets, sources->eps, at);
        }
    act(sums, &g, sets, sources->eps, at);
    for (int set = 0; set < sets; set++)
        orr_reference_add(&out[set], k, &sums[set]);
}

int orr_reference_make_near(struct orr_reference *out, const struct orr_reference_near *near,
                            const struct orr_sources *sources, int sets,
                            const struct orr_targets *targets)
{
    int code = orr_reference_choose_each(out, sets, sources->n, targets);
    if (code)
        return code;
#pragma omp parallel for schedule(dynamic, 16) if (out->count > 64)
    for (size_t k = 0; k < out->count; k++)
        sum_target(out, near, sources, sets, k);
    return 0;
}
