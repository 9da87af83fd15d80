/* The near-field reference: bodies sorted by box, row by row, so that the neighbours of a body are
 * three ranges. */
#include <stdbool.h>
#include <stdlib.h>

#include "datasets/boxes.h"
#include "error.h"
#include "run/reference.h"

struct near {
    const struct orr_bodies *bodies;
    struct orr_boxes boxes;
    size_t *place; /* of body i among the sorted ones; before sorting its box */
    size_t
        *start; /* side * side + 1: the sorted bodies of box b are start[b] <= k < start[b + 1] */
    double *pos[2], *mass; /* sorted */
};

static void release(struct near *near)
{
    free(near->place);
    free(near->start);
    free(near->pos[0]);
    free(near->pos[1]);
    free(near->mass);
}

static int allocate(struct near *near)
{
    size_t n = near->bodies->n, boxes = (size_t)near->boxes.side * near->boxes.side;
    near->place = malloc(n * sizeof *near->place);
    near->start = calloc(boxes + 1, sizeof *near->start);
    near->pos[0] = malloc(n * sizeof *near->pos[0]);
    near->pos[1] = malloc(n * sizeof *near->pos[1]);
    near->mass = malloc(n * sizeof *near->mass);
    if (near->place && near->start && near->pos[0] && near->pos[1] && near->mass)
        return 0;
    return orr_fail(ORR_EMEMORY, "no memory for the reference of %zu bodies in %zu boxes", n,
                    boxes);
}

/* Counting sort; on the way start[b + 1] is where the next body of box b goes, at the end where box
 * b ends. */
static void sort(struct near *near)
{
    const struct orr_bodies *b = near->bodies;
    size_t boxes = (size_t)near->boxes.side * near->boxes.side, before = 0;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < b->n; i++)
        near->place[i] = (size_t)orr_boxes_place(&near->boxes, 1, b->pos[1][i]) * near->boxes.side +
                         orr_boxes_place(&near->boxes, 0, b->pos[0][i]);
    for (size_t i = 0; i < b->n; i++)
        near->start[near->place[i] + 1]++;
    for (size_t box = 0; box < boxes; box++) {
        size_t count = near->start[box + 1];
        near->start[box + 1] = before;
        before += count;
    }
    for (size_t i = 0; i < b->n; i++) {
        size_t to = near->start[near->place[i] + 1]++;
        near->place[i] = to;
        near->pos[0][to] = b->pos[0][i];
        near->pos[1][to] = b->pos[1][i];
        near->mass[to] = b->mass[i];
    }
}

/* A range for each of the up to three rows of boxes. */
static int near_act(const void *context, size_t *body, struct orr_range out[ORR_REFERENCE_RANGES])
{
    const struct near *near = context;
    const struct orr_bodies *b = near->bodies;
    size_t last = near->boxes.side - 1;
    size_t column = orr_boxes_place(&near->boxes, 0, b->pos[0][*body]);
    size_t row = orr_boxes_place(&near->boxes, 1, b->pos[1][*body]);
    size_t left = column ? column - 1 : 0, right = column < last ? column + 1 : last;
    int count = 0;
    for (size_t at = row ? row - 1 : 0; at <= row + 1 && at <= last; at++)
        out[count++] = (struct orr_range){near->start[at * near->boxes.side + left],
                                          near->start[at * near->boxes.side + right + 1]};
    *body = near->place[*body];
    return count;
}

struct box {
    size_t column, row;
};

static struct box box_of(const struct near *near, size_t i)
{
    return (struct box){orr_boxes_place(&near->boxes, 0, near->bodies->pos[0][i]),
                        orr_boxes_place(&near->boxes, 1, near->bodies->pos[1][i])};
}

static bool are_near(struct box a, struct box b)
{
    return a.column <= b.column + 1 && b.column <= a.column + 1 && a.row <= b.row + 1 &&
           b.row <= a.row + 1;
}

/* The near bodies of target k, found among all of them: for a few targets that is less than to sort
 * them. */
static int sum_target(struct orr_reference *out, const struct near *near, double eps, size_t k)
{
    const struct orr_bodies *b = near->bodies;
    size_t self = out->targets[k], count = 0;
    struct box own = box_of(near, self);
    size_t *found = malloc(b->n * sizeof *found);
    if (!found)
        return orr_fail(ORR_EMEMORY, "no memory for the neighbours among %zu bodies", b->n);
#pragma omp parallel for schedule(static) if (b->n > 100000)
    for (size_t i = 0; i < b->n; i++)
        if (i != self && are_near(own, box_of(near, i))) {
            size_t place;
#pragma omp atomic capture
            place = count++;
            found[place] = i;
        }
    orr_reference_add(out, k, b, eps, found, count);
    free(found);
    return 0;
}

static int sum_few(struct orr_reference *out, const struct near *near, double eps,
                   const struct orr_targets *targets)
{
    int code = orr_reference_choose(out, near->bodies->n, targets);
    for (size_t k = 0; !code && k < out->count; k++)
        code = sum_target(out, near, eps, k);
    return code;
}

int orr_reference_make_near(struct orr_reference *out, const struct orr_bodies *bodies, double eps,
                            int level, const struct orr_targets *targets)
{
    struct near near = {.bodies = bodies, .boxes = orr_boxes_make(bodies, level)};
    *out = (struct orr_reference){0};
    if (targets->few)
        return sum_few(out, &near, eps, targets);
    int code = allocate(&near);
    if (!code) {
        sort(&near);
        /* pos[2] is the same for all: the plane */
        struct orr_sources sources = {
            bodies->n, {near.pos[0], near.pos[1], bodies->pos[2]}, near.mass, eps};
        code = orr_reference_sum(out, &sources, near_act, &near, targets);
    }
    release(&near);
    return code;
}

int orr_reference_near_pairs(double *out, const struct orr_bodies *bodies, int level)
{
    struct near near = {.bodies = bodies, .boxes = orr_boxes_make(bodies, level)};
    int code = allocate(&near);
    double pairs = 0;
    if (!code)
        sort(&near);
    for (size_t i = 0; !code && i < bodies->n; i++) {
        struct orr_range ranges[ORR_REFERENCE_RANGES];
        size_t body = i;
        int count = near_act(&near, &body, ranges);
        for (int k = 0; k < count; k++)
            pairs += (double)(ranges[k].to - ranges[k].from);
        pairs -= 1;
    }
    release(&near);
    *out = pairs;
    return code;
}
