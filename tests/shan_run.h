/* SPDX-License-Identifier: MIT */
/* Bodies, near sums and the variants of shan, for the tests of their forces and of their counts. */
#ifndef ORR_TEST_SHAN_RUN_H
#define ORR_TEST_SHAN_RUN_H

#include "datasets/boxes.h"
#include "counts_run.h"

#define SHAN_VARIANTS                                                                     \
    "shan/serial", "shan/cpu-simd", "shan/bpt", "shan/ppt", "shan/bpb", "shan/bpb-tuned", \
        "shan/bpb-n3l", "shan/bpb-n3l-free"

static inline size_t below(size_t n)
{
    return (size_t)random_below((long long)n);
}

static inline void place(struct orr_bodies *b, size_t i, double x, double y)
{
    b->pos[0][i] = x;
    b->pos[1][i] = y;
    b->mass[i] = 0.5 + uniform();
}

/* n bodies in a square: about a third of the boxes of `level` are empty, and one holds `crowd` of
 * the bodies. */
static inline struct orr_bodies uneven_bodies(size_t n, int level, size_t crowd, double eps)
{
    const size_t side = (size_t)1 << level, boxes = side * side, full = below(boxes);
    const double corner[2] = {uniform() - 2, uniform() + 3}, edge = 1 + uniform();
    bool *empty = calloc(boxes, sizeof *empty);
    struct orr_bodies b = bodies_made(n, 2);
    for (size_t k = 0; k < boxes; k++)
        empty[k] = k != full && uniform() < 0.33;
    for (size_t i = 0; i < n; i++) {
        size_t box = full;
        while (i >= crowd && empty[box = below(boxes)])
            ;
        place(&b, i, corner[0] + edge * ((double)(box % side) + uniform()) / (double)side,
              corner[1] + edge * ((double)(box / side) + uniform()) / (double)side);
    }
    if (uniform() < 0.5) {
        b.corner[0] = corner[0];
        b.corner[1] = corner[1];
        b.edge = edge;
    }
    b.eps = eps;
    orr_bodies_round(&b);
    free(empty);
    return b;
}

/* `per_box` bodies in each box of `level`, a lattice's distance from the box's edges. */
static inline struct orr_bodies even_bodies(int level, size_t per_box, double eps)
{
    const size_t side = (size_t)1 << level;
    struct orr_bodies b = bodies_made(side * side * per_box, 2);
    for (size_t i = 0; i < b.n; i++)
        place(&b, i, ((double)(i % side) + 0.01 + 0.98 * uniform()) / (double)side,
              ((double)(i / side % side) + 0.01 + 0.98 * uniform()) / (double)side);
    b.edge = 1;
    b.eps = eps;
    orr_bodies_round(&b);
    return b;
}

typedef count_t counts[ORR_NEAR_PROCEDURES][ORR_ACCESS_KINDS];

/* The first `kinds` of accesses are those expected. */
static inline void compare_counts(const struct run *r, const struct orr_counts *got,
                                  counts expected, int kinds, const char *what)
{
    for (int p = 0; p < ORR_NEAR_PROCEDURES; p++)
        for (int k = 0; k < kinds; k++)
            if (got->procedures[p].of[k] != expected[p][k])
                fail_msg("%s on %s, %s: %s of %s is %llu, expected %llu", r->variant->name,
                         r->job.device->info.id, what, orr_names_access[k], got->procedures[p].name,
                         (count_t)got->procedures[p].of[k], expected[p][k]);
}

/* The parameters that every variant of the paper begins with. */
struct common {
    double eps;
    int32_t level;
};

/* Column and row of every body's box. */
static inline uint32_t *places(const struct orr_bodies *b, int level)
{
    const struct orr_boxes boxes = orr_boxes_make(b, level);
    uint32_t *at = calloc(b->n + 1, 2 * sizeof *at);

    for (size_t i = 0; i < b->n; i++)
        for (int d = 0; d < 2; d++)
            at[2 * i + (size_t)d] = orr_boxes_place(&boxes, d, b->pos[d][i]);
    return at;
}

static inline bool is_near(const uint32_t *at, size_t i, size_t j)
{
    return labs((long)at[2 * i] - (long)at[2 * j]) <= 1 &&
           labs((long)at[2 * i + 1] - (long)at[2 * j + 1]) <= 1;
}

/* ax ay of body i, and in sum[2] the sum of the terms' lengths: what fp32 errors are small against.
 * Returns how many terms there are. */
static inline size_t exact(double sum[3], const struct orr_bodies *b, const uint32_t *at, size_t i,
                           double eps)
{
    size_t terms = 0;
    memset(sum, 0, 3 * sizeof *sum);
    for (size_t j = 0; j < b->n; j++) {
        const double dx = b->pos[0][j] - b->pos[0][i], dy = b->pos[1][j] - b->pos[1][i],
                     d2 = dx * dx + dy * dy;
        const double force = b->mass[j] / ((d2 + eps * eps) * sqrt(d2 + eps * eps));
        if (j == i || !is_near(at, i, j))
            continue;
        sum[0] += force * dx;
        sum[1] += force * dy;
        sum[2] += force * sqrt(d2);
        terms++;
    }
    return terms;
}

/* Compares up to 200 bodies with the near sums in fp64. A term is good to 1e-5. One thread may add
 * n of them in a row and lose up to n u of the sum of their lengths, u = 2^-24 (Higham 2002,
 * section 4.2). It comes near that where a close pair outweighs the others, whose terms then all
 * round the same way; on average over the bodies errors are below 2e-6. */
static inline void check_forces(const struct run *r, const char *what)
{
    const struct orr_bodies *b = r->job.bodies;
    const struct common *common = r->params;
    RELEASED_BY(free_text) uint32_t *at = places(b, common->level);
    double mean = 0;
    size_t checked = b->n < 200 ? b->n : 200;

    for (size_t k = 0; k < checked; k++) {
        const size_t i = b->n <= 200 ? k : below(b->n);
        double sum[3], error = 0;
        size_t terms = exact(sum, b, at, i, (double)(float)common->eps);
        for (int d = 0; d < 2; d++)
            error += pow((double)r->out.acc[d][i] - sum[d], 2);
        error = sqrt(error);
        if (!(error <= (1e-5 + 0x1p-24 * (double)terms) * sum[2] + 1e-30))
            fail_msg("%s on %s, %s, n = %zu, body %zu: acc off by %g of %g", r->variant->name,
                     r->job.device->info.id, what, b->n, i, error, sum[2]);
        mean += sum[2] > 0 ? error / sum[2] / (double)checked : 0;
    }
    if (!(mean <= 2e-6))
        fail_msg("%s on %s, %s, n = %zu: acc off by %g in the mean", r->variant->name,
                 r->job.device->info.id, what, b->n, mean);
}

#endif
