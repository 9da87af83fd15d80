/* SPDX-License-Identifier: MIT */
#include "verify/reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/stats.h"

void orr_reference_release(struct orr_reference *reference)
{
    free(reference->targets);
    for (int d = 0; d < 3; d++)
        free(reference->acc[d]);
    free(reference->phi);
    free(reference->scale);
    *reference = (struct orr_reference){0};
}

static int allocate(struct orr_reference *out, size_t count)
{
    *out = (struct orr_reference){.count = count, .targets = malloc(count * sizeof *out->targets)};
    double **arrays[] = {&out->acc[0], &out->acc[1], &out->acc[2], &out->phi, &out->scale};
    int complete = out->targets != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        complete &= (*arrays[k] = calloc(count, sizeof(double))) != NULL;
    return complete ? 0
                    : orr_fail(ORR_EMEMORY, "no memory for the reference of %zu targets", count);
}

/* Distinct ones, ascending. */
static void choose_sample(struct orr_reference *out, size_t n, uint64_t seed)
{
    for (size_t chosen = 0; chosen < out->count;) {
        size_t target = orr_stats_random_below(&seed, n), place = 0;
        while (place < chosen && out->targets[place] < target)
            place++;
        if (place < chosen && out->targets[place] == target)
            continue;
        memmove(out->targets + place + 1, out->targets + place,
                (chosen++ - place) * sizeof *out->targets);
        out->targets[place] = target;
    }
}

/* Adds the action of [from, to) on the source at `self`, itself left out. */
static void add_others(struct orr_reference_sums *sums, const struct orr_sources *sources,
                       bool only, size_t self, size_t from, size_t to)
{
    const double at[3] = {sources->pos[0][self], sources->pos[1][self], sources->pos[2][self]};
    bool inside = self >= from && self < to;
    orr_reference_pairs_add(sums, sources, only, at, from, inside ? self : to);
    if (inside)
        orr_reference_pairs_add(sums, sources, only, at, self + 1, to);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Targets that pass over the sources together: a block of sources stays in a core's cache. */
enum { TOGETHER = 16, BLOCK = 4096 };
/* Sources are cut into no more parts, whose sums are added in their order: the result does not
 * depend on the number of threads. */
enum { PARTS = 64 };
/* Fewer pairs are not worth to wake a thread for. */
enum { WORTH_PAIRS = 100000 };

struct tiles {
    const struct orr_reference *to;
    const struct orr_sources *sources;
    size_t part, parts;
    struct orr_reference_sums *sums; /* [target][part] */
};

/* Part `part` of the sources on TOGETHER targets from `first` on. */
static void sum_tile(const struct tiles *t, size_t first, size_t part)
{
    size_t end = smaller(t->sources->n, (part + 1) * t->part),
           last = smaller(t->to->count, first + TOGETHER);
    for (size_t from = part * t->part; from < end; from += BLOCK)
        for (size_t k = first; k < last; k++)
            add_others(&t->sums[k * t->parts + part], t->sources, false, t->to->targets[k], from,
                       smaller(end, from + BLOCK));
}

static void add_sums(struct orr_reference *to, size_t k, const struct orr_reference_sums *sums)
{
    for (int d = 0; d < 3; d++)
        to->acc[d][k] += sums->acc[d];
    to->phi[k] += sums->phi;
    to->scale[k] += sums->scale;
}

static int choose(struct orr_reference *out, size_t n, const struct orr_targets *targets)
{
    const size_t wanted = targets->count ? targets->count : ORR_REFERENCE_TARGETS;
    const bool all = (n <= ORR_REFERENCE_ALL && !targets->few) || wanted > n;
    int code = allocate(out, all ? n : wanted);
    for (size_t k = 0; !code && out->count == n && k < n; k++)
        out->targets[k] = k;
    if (!code && out->count < n)
        choose_sample(out, n, targets->seed);
    return code;
}

/* Over all sources. */
static int sum_all(struct orr_reference *out, const struct orr_sources *sources)
{
    size_t n = sources->n, groups = (out->count + TOGETHER - 1) / TOGETHER,
           blocks = (n + BLOCK - 1) / BLOCK, part = (blocks + PARTS - 1) / PARTS * BLOCK,
           parts = part ? (n + part - 1) / part : 0;
    struct tiles t = {out, sources, part, parts,
                      calloc(out->count * parts + 1, sizeof(struct orr_reference_sums))};
    if (!t.sums)
        return orr_fail(ORR_EMEMORY, "no memory for the sums of %zu targets", out->count);
#pragma omp parallel for schedule(dynamic) \
    collapse(2) if ((double)n * (double)out->count > WORTH_PAIRS)
    for (size_t group = 0; group < groups; group++)
        for (size_t p = 0; p < parts; p++)
            sum_tile(&t, group * TOGETHER, p);
    for (size_t k = 0; k < out->count * parts; k++)
        add_sums(out, k / parts, &t.sums[k]);
    free(t.sums);
    return 0;
}

void orr_reference_accelerate(double *const acc[3], const struct orr_sources *sources)
{
#pragma omp parallel for schedule(dynamic, 16) if (sources->n > 256)
    for (size_t i = 0; i < sources->n; i++) {
        struct orr_reference_sums sum = {0};
        add_others(&sum, sources, true, i, 0, sources->n);
        for (int d = 0; d < 3; d++)
            acc[d][i] = sum.acc[d];
    }
}

/* Kinetic energy and momentum. */
static void add_motion(struct orr_totals *out, const struct orr_sources *sources,
                       const double *const vel[3])
{
    for (size_t i = 0; i < sources->n; i++) {
        double v2 = 0, m = sources->mass[i];
        for (int d = 0; d < 3; d++) {
            v2 += vel[d][i] * vel[d][i];
            out->momentum[d] += m * vel[d][i];
        }
        out->kinetic += 0.5 * m * v2;
        out->momentum_scale += m * sqrt(v2);
    }
}

void orr_reference_totals(struct orr_totals *out, const struct orr_sources *sources,
                          const double *const vel[3])
{
    *out = (struct orr_totals){.energy = NAN};
    double potential = 0;
    add_motion(out, sources, vel);
    if (sources->n > ORR_ENERGY_LIMIT)
        return;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : potential)
    for (size_t i = 0; i < sources->n; i++) {
        struct orr_reference_sums sum = {0};
        const double at[3] = {sources->pos[0][i], sources->pos[1][i], sources->pos[2][i]};
        orr_reference_pairs_add(&sum, sources, false, at, i + 1, sources->n);
        potential += sources->mass[i] * sum.phi;
    }
    out->energy = out->kinetic + potential;
}

/* --- a near field --- */

void orr_reference_near_release(struct orr_reference_near *near)
{
    free(near->order);
    free(near->start);
    *near = (struct orr_reference_near){0};
}

/* Of the body's box, row by row. */
static size_t box_of(const struct orr_reference_near *near, const double *const pos[3], size_t i)
{
    return (size_t)orr_boxes_place(&near->boxes, 1, pos[1][i]) * near->boxes.side +
           orr_boxes_place(&near->boxes, 0, pos[0][i]);
}

/* A counting sort: on the way start[b + 1] is where the next body of box b goes, at the end where
 * box b ends. */
static void sort_by_box(struct orr_reference_near *near, const double *const pos[3])
{
    size_t boxes = (size_t)near->boxes.side * near->boxes.side, before = 0;
    for (size_t i = 0; i < near->n; i++)
        near->start[box_of(near, pos, i) + 1]++;
    for (size_t box = 0; box < boxes; box++) {
        size_t count = near->start[box + 1];
        near->start[box + 1] = before;
        before += count;
    }
    for (size_t i = 0; i < near->n; i++)
        near->order[near->start[box_of(near, pos, i) + 1]++] = (uint32_t)i;
}

int orr_reference_near_make(struct orr_reference_near *out, const struct orr_bodies *bodies,
                            int level)
{
    const size_t n = bodies->n;
    *out = (struct orr_reference_near){.boxes = orr_boxes_make(bodies, level), .n = n};
    const size_t boxes = (size_t)out->boxes.side * out->boxes.side;
    out->order = n <= UINT32_MAX ? malloc((n + 1) * sizeof *out->order) : NULL;
    out->start = calloc(boxes + 1, sizeof *out->start);
    if (!out->order || !out->start)
        return orr_fail(ORR_EMEMORY, "no memory for the reference of %zu bodies in %zu boxes", n,
                        boxes);
    sort_by_box(out, (const double *const[3]){bodies->pos[0], bodies->pos[1], bodies->pos[2]});
    return 0;
}

/* The bodies of the up to three boxes of a row, places in `order`. */
struct range {
    size_t from, to;
};

enum { ROWS = 3 };
static int rows_near(const struct orr_reference_near *near, size_t box, struct range out[ROWS])
{
    const size_t side = near->boxes.side, last = side - 1, own = box / side, column = box % side,
                 left = column ? column - 1 : 0, right = column < last ? column + 1 : last;
    int count = 0;
    for (size_t row = own ? own - 1 : 0; row <= own + 1 && row <= last; row++)
        out[count++] =
            (struct range){near->start[row * side + left], near->start[row * side + right + 1]};
    return count;
}

double orr_reference_near_pairs(const struct orr_reference_near *near)
{
    const size_t boxes = (size_t)near->boxes.side * near->boxes.side;
    double pairs = 0;
    for (size_t box = 0; box < boxes; box++) {
        struct range ranges[ROWS];
        size_t others = 0, own = near->start[box + 1] - near->start[box];
        const int count = rows_near(near, box, ranges);
        for (int k = 0; k < count; k++)
            others += ranges[k].to - ranges[k].from;
        if (own)
            pairs += (double)own * (double)(others - 1);
    }
    return pairs;
}

/* --- sums --- */

/* Near bodies, side by side. */
enum { GATHERED = 512 };
struct gathered {
    double pos[3][GATHERED], mass[GATHERED];
    size_t count;
};

static void act(struct orr_reference_sums *sum, struct gathered *g, double eps, const double at[3])
{
    const struct orr_sources sources = {
        g->count, {g->pos[0], g->pos[1], g->pos[2]}, g->mass, eps, {NULL}};
    orr_reference_pairs_add(sum, &sources, false, at, 0, g->count);
    g->count = 0;
}

static void sum_target(struct orr_reference *out, const struct orr_reference_near *near,
                       const struct orr_sources *sources, size_t k)
{
    size_t self = out->targets[k];
    const double at[3] = {sources->pos[0][self], sources->pos[1][self], sources->pos[2][self]};
    const double *const *boxed = sources->boxed[0] ? sources->boxed : sources->pos;
    struct orr_reference_sums sum = {0};
    struct range ranges[ROWS];
    struct gathered g;
    int rows = rows_near(near, box_of(near, boxed, self), ranges);
    g.count = 0;
    for (int row = 0; row < rows; row++)
        for (size_t place = ranges[row].from; place < ranges[row].to; place++) {
            const size_t body = near->order[place];
            for (int d = 0; d < 3; d++)
                g.pos[d][g.count] = sources->pos[d][body];
            g.mass[g.count] = sources->mass[body];
            g.count += body != self;
            if (g.count == GATHERED)
                act(&sum, &g, sources->eps, at);
        }
    act(&sum, &g, sources->eps, at);
    add_sums(out, k, &sum);
}

int orr_reference_make(struct orr_reference *out, const struct orr_sources *sources,
                       const struct orr_reference_near *near, const struct orr_targets *targets)
{
    if (choose(out, sources->n, targets))
        return orr_error_code();
    if (!near)
        return sum_all(out, sources);
#pragma omp parallel for schedule(dynamic, 16) if (out->count > 64)
    for (size_t k = 0; k < out->count; k++)
        sum_target(out, near, sources, k);
    return 0;
}
