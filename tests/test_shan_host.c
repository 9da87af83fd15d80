/* SPDX-License-Identifier: MIT */
/* The host variants of shan against a double-precision sum over pairs with box arithmetic of its
 * own: every instruction set that this CPU has, several numbers of threads, boxes of every size,
 * empty ones, one that holds everything; and the order of boxes along the Z-order curve. */
#include "datasets/boxes.h"
#include "host_ways.h"
#include "random_for_tests.h"

static const struct way ways[] = {{"shan/serial", NULL, 1},         {"shan/cpu-simd", "auto", 1},
                                  {"shan/cpu-simd", "baseline", 2}, {"shan/cpu-simd", "avx2", 2},
                                  {"shan/cpu-simd", "avx512f", 2},  {"shan/cpu-simd", "auto", 7}};
enum { WAYS = sizeof ways / sizeof *ways };

static struct orr_bodies make_bodies(size_t n, double eps)
{
    struct orr_bodies b = bodies_made(n, 2);
    for (size_t i = 0; i < n; i++) {
        b.pos[0][i] = uniform();
        b.pos[1][i] = uniform();
        b.mass[i] = 0.5 + uniform();
    }
    b.eps = eps;
    return b;
}

struct expected {
    double *ax, *ay, *size; /* size: of all terms of a body together */
    double pairs;
};

/* Column (d = 0) or row of each body's box. */
static void place(int *box, const struct orr_bodies *b, int d, int side)
{
    double low[2] = {b->corner[0], b->corner[1]}, edge = b->edge;

    for (int k = 0; k < 2 && !(b->edge > 0); k++) {
        double high = low[k] = b->pos[k][0];
        for (size_t i = 1; i < b->n; i++) {
            low[k] = fmin(low[k], b->pos[k][i]);
            high = fmax(high, b->pos[k][i]);
        }
        edge = fmax(edge, high - low[k]);
    }
    for (size_t i = 0; i < b->n; i++) {
        double at = edge > 0 ? floor((b->pos[d][i] - low[d]) * (side / edge)) : 0;
        box[i] = (int)fmin(fmax(at, 0), side - 1);
    }
}

static struct expected expect(const struct orr_bodies *b, int level)
{
    int *column = malloc(b->n * sizeof *column), *row = malloc(b->n * sizeof *row);
    double eps = (double)(float)b->eps;
    struct expected e = {calloc(b->n, sizeof(double)), calloc(b->n, sizeof(double)),
                         calloc(b->n, sizeof(double)), 0};

    assert_true(column && row && e.ax && e.ay && e.size);
    place(column, b, 0, 1 << level);
    place(row, b, 1, 1 << level);
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            if (i == j || abs(column[i] - column[j]) > 1 || abs(row[i] - row[j]) > 1)
                continue;
            double dx = b->pos[0][j] - b->pos[0][i], dy = b->pos[1][j] - b->pos[1][i];
            double r2 = dx * dx + dy * dy + eps * eps, s = b->mass[j] / (r2 * sqrt(r2));
            e.ax[i] += s * dx;
            e.ay[i] += s * dy;
            e.size[i] += s * hypot(dx, dy);
            e.pairs++;
        }
    free(column);
    free(row);
    return e;
}

static void forget(struct expected *e)
{
    free(e->ax);
    free(e->ay);
    free(e->size);
}

static void check_forces(const struct orr_forces *f, const struct expected *e,
                         const struct orr_bodies *b, const struct way *way, const char *what)
{
    assert_int_equal(f->has_phi, 0);
    for (size_t i = 0; i < b->n; i++) {
        double error = hypot((double)f->acc[0][i] - e->ax[i], (double)f->acc[1][i] - e->ay[i]);
        if (!(error <= 1e-5 * e->size[i]))
            fail_msg("%s, simd %s, %d threads, %s, n = %zu, body %zu: off by %g of %g",
                     way->variant, way->simd ? way->simd : "-", way->threads, what, b->n, i, error,
                     e->size[i]);
    }
}

static void check_way(const struct way *way, const struct orr_bodies *b, const struct expected *e,
                      int level, const char *what)
{
    struct orr_setting settings[2] = {{"level", ""}};
    struct orr_forces out;
    struct orr_cost cost = {0};

    snprintf(settings[0].value, sizeof settings[0].value, "%d", level);
    if (!run_way(way, b, settings, 1, false, &out, &cost))
        return;
    check_forces(&out, e, b, way, what);
    assert_true(cost.interactions == e->pairs);
    orr_verify_release_forces(&out);
}

static void check(struct orr_bodies *b, int level, const char *what)
{
    orr_bodies_round(b);
    struct expected e = expect(b, level);
    for (int way = 0; way < WAYS; way++)
        check_way(&ways[way], b, &e, level, what);
    forget(&e);
}

static void check_and_release(struct orr_bodies *b, int level, const char *what)
{
    check(b, level, what);
    orr_bodies_release(b);
}

TEST(every_number_of_bodies_in_a_box)
{
    for (size_t per_box = 1; per_box <= 70; per_box++) {
        struct orr_bodies b = make_bodies(16 * per_box, per_box % 3 ? 1e-4 : 0);
        for (size_t i = 0; i < b.n; i++) {
            b.pos[0][i] = ((double)(i % 4) + 0.9 * b.pos[0][i]) / 4;
            b.pos[1][i] = ((double)(i / 4 % 4) + 0.9 * b.pos[1][i]) / 4;
        }
        b.edge = 1;
        check_and_release(&b, 2, "even boxes");
    }
}

/* Vectors of boxes: rows of 16 and 32, bodies that are missing, coincide or lie in the corners. */
TEST(about_as_many_bodies_in_many_boxes)
{
    static const size_t per_boxes[] = {1, 2, 3, 4, 5, 7, 9, 14};

    for (size_t k = 0; k < sizeof per_boxes / sizeof *per_boxes; k++) {
        const int level = per_boxes[k] < 4 ? 5 : 4, side = 1 << level;
        const size_t boxes = (size_t)side * (size_t)side, missing = k % 2 ? boxes / 20 : 0;
        struct orr_bodies b = make_bodies(boxes * per_boxes[k] - missing, k % 3 ? 1e-4 : 0);

        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 2; d++) {
                const size_t at = d ? i / (size_t)side : i;
                b.pos[d][i] = ((double)(at % (size_t)side) + 0.99 * b.pos[d][i]) / side;
            }
        b.edge = 1;
        if (b.eps > 0 && per_boxes[k] > 1)
            for (int d = 0; d < 2; d++)
                b.pos[d][0] = b.pos[d][boxes];
        check_and_release(&b, level, "many even boxes");
    }
}

TEST(uneven_boxes)
{
    for (int k = 0; k < 12; k++) {
        struct orr_bodies b = make_bodies(1 + (size_t)(1500 * uniform()), 1e-3);
        double power = 1 + 3 * uniform();
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 2; d++)
                b.pos[d][i] = 1000 * pow(b.pos[d][i], power) - 700;
        check_and_release(&b, k % 6, "crowded corner");
    }
}

TEST(few_bodies_in_many_boxes)
{
    for (size_t n = 1; n < 40; n++) {
        struct orr_bodies b = make_bodies(n, n % 2 ? 0 : 0.01);
        check_and_release(&b, (int)(n % 8), "mostly empty boxes");
    }
}

TEST(boxes_larger_than_anything_prepared)
{
    struct orr_bodies b = make_bodies(3003, 1e-3);
    check(&b, 0, "one box");
    for (int d = 0; d < 2; d++)
        b.pos[d][17] = d ? -4e6 : 3e6;
    check(&b, 5, "a far outlier, the others in one box");
    for (size_t i = 0; i < b.n; i++) {
        b.pos[0][i] = i < 2600 ? 0.5 + 0.06 * b.pos[0][i] : b.pos[0][i];
        b.pos[1][i] = fmax(b.pos[1][i], 0);
    }
    b.pos[0][17] = 0.2;
    check_and_release(&b, 4, "a crowded column");
}

TEST(special_bodies)
{
    struct orr_bodies b = make_bodies(301, 0.02);
    for (int d = 0; d < 2; d++)
        b.pos[d][300] = b.pos[d][40] = b.pos[d][3];
    check(&b, 2, "coincident bodies");
    for (size_t i = 0; i < b.n; i += 2)
        b.mass[i] = 0;
    check(&b, 3, "massless bodies");
    b.edge = 0.5;
    b.corner[0] = 0.25;
    check(&b, 3, "bodies outside the domain");
    b.edge = 0;
    for (size_t i = 0; i < b.n; i++)
        b.pos[0][i] = b.pos[1][i] = -3;
    check_and_release(&b, 3, "all at one place");
}

/* The interlacing as the paper draws it: bit by bit, the row's before the column's. */
static uint32_t interlaced(uint32_t column, uint32_t row)
{
    uint32_t index = 0;

    for (int bit = 15; bit >= 0; bit--)
        index = index << 2 | (row >> bit & 1) << 1 | (column >> bit & 1);
    return index;
}

TEST(test_encode_and_decode)
{
    for (int k = 0; k < 100000; k++) {
        const uint32_t column = (uint32_t)(65536 * uniform()), row = (uint32_t)(65536 * uniform());
        const uint32_t index = orr_boxes_encode(column, row);
        uint32_t back[2];
        assert_int_equal(index, interlaced(column, row));
        orr_boxes_decode(index, &back[0], &back[1]);
        assert_int_equal(back[0], column);
        assert_int_equal(back[1], row);
    }
    /* Figure 2 */
    assert_int_equal(orr_boxes_encode(1, 1), 3);
    assert_int_equal(orr_boxes_encode(1, 0), 1);
    assert_int_equal(orr_boxes_encode(0, 1), 2);
    /* Section IV A: "B = 129540" at level 7. */
    assert_int_equal(orr_boxes_neighbours(7), 129540);
    /* All boxes of a level are the first 4^level indices, each once. */
    for (uint32_t index = 0; index < 1u << 2 * 5; index++) {
        uint32_t column, row;
        orr_boxes_decode(index, &column, &row);
        assert_true(column < 32 && row < 32);
    }
}

static int load(void **state)
{
    return load_ways(ways, WAYS);
}

RUN_TESTS(load, close_device)
