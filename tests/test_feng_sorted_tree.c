/* SPDX-License-Identifier: MIT */
/* The sort and the sorted tree of feng/barnes-hut-modern, array by array, over easy and difficult
 * bodies. */
#include "feng_modern_run.h"
#include "variants/feng/shared/modern.h"

/* --- the sort --- */

struct record {
    uint64_t key;
    uint32_t value;
};

static int compare_records(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->value > y->value) - (x->value < y->value);
}

/* Sorts n fresh keys of `bits` bits; the values 0, 1 ... say whether it is stable. */
static void check_sort(struct orr_device *device, enum radix_way way, size_t n, int bits, int few)
{
    struct orr_job job = {.host = &host, .device = device};
    RELEASED_BY(free_text) struct record *records = malloc(n * sizeof *records);
    RELEASED_BY(free_text) uint64_t *keys = malloc(n * sizeof *keys);
    RELEASED_BY(free_text) uint32_t *values = malloc(n * sizeof *values);
    struct radix_sort s = {.way = way};
    int at = radix_sort_result(bits);

    for (size_t i = 0; i < n; i++) {
        uint64_t bits64 =
            (uint64_t)random_below(1LL << 53) << 11 ^ (uint64_t)random_below(1LL << 53);
        keys[i] = bits64 & (((uint64_t)1 << bits) - 1) & (few ? 0x0101010101010101u : ~(uint64_t)0);
        values[i] = (uint32_t)i;
        records[i] = (struct record){keys[i], values[i]};
    }
    qsort(records, n, sizeof *records, compare_records);
    assert_done(
        radix_sort_prepare(&job, &s, n) || orr_upload(device, s.key[0], keys, n * sizeof *keys) ||
        orr_upload(device, s.value[0], values, n * sizeof *values) ||
        radix_sort_run(&job, &s, bits) || orr_download(device, keys, s.key[at], n * sizeof *keys) ||
        orr_download(device, values, s.value[at], n * sizeof *values));
    for (size_t i = 0; i < n; i++)
        if (keys[i] != records[i].key || values[i] != records[i].value)
            fail_msg("%zu keys of %d bits, way %d: wrong at %zu", n, bits, (int)way, i);
    radix_sort_release(&job, &s);
}

TEST_ON_DEVICES(test_sort)
{
    static const size_t sizes[] = {1, 2, 31, 32, 33, 255, 513, 2049, 5003};
    static const int bits[] = {1, 8, 9, 24, 40, 60};

    for (enum radix_way way = RADIX_THREE_LAUNCHES; way <= RADIX_SWEEP; way++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            check_sort(device, way, sizes[k], bits[k % 6], k % 2);
        check_sort(device, way, 100 + (size_t)random_below(20000), 60, 0);
        check_sort(device, way, 100 + (size_t)random_below(20000), 24, 1);
    }
}

/* --- the tree --- */

struct tree {
    const struct orr_bodies *bodies;
    const struct sorted_tree *on_device;
    int32_t n, cells;
    float *root, *body, *moments;
    int32_t *offset, *ranges, *after, *links;
    uint32_t *order;
    int *met; /* how often leaves hold a body */
};

static void tree_fetch(struct tree *t, const struct run *r)
{
    const struct feng_modern *s = r->job.state;
    const struct sorted_tree *sorted = &s->tree.sorted;
    size_t n = sorted->n, cells;

    *t = (struct tree){.bodies = r->job.bodies, .on_device = sorted, .n = (int32_t)n};
    t->offset = words_of(r, sorted->offset, n + 1);
    t->cells = t->offset[n];
    cells = (size_t)t->cells;
    assert_in_range(cells, 1, sorted->capacity);
    t->root = words_of(r, sorted->root, 4);
    t->body = words_of(r, sorted->body, 4 * n);
    t->moments = words_of(r, s->tree.cells, 4 * cells);
    t->ranges = words_of(r, sorted->ranges, 2 * cells);
    t->after = words_of(r, sorted->after, cells);
    t->links = words_of(r, s->tree.links, 4 * cells);
    t->order = words_of(r, sorted_tree_order(sorted), n);
    t->met = calloc(n, sizeof *t->met);
}

static void tree_release(struct tree *t)
{
    void *const arrays[] = {t->offset, t->root,  t->body,  t->moments, t->ranges,
                            t->after,  t->links, t->order, t->met};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}

/* A cell's mass and centre against fp64, its bodies in one square of the quadtree of the width that
 * it says. */
static void check_cell(const struct tree *t, int32_t c)
{
    const float *cell = t->moments + 4 * c;
    double mass = 0, sum[2] = {0}, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    double side = (double)t->root[3], width = sqrt((double)cell[3]), slack = 1e-6 * side;

    for (int32_t k = t->ranges[2 * c]; k < t->ranges[2 * c + 1]; k++) {
        uint32_t i = t->order[k];
        mass += t->bodies->mass[i];
        for (int d = 0; d < 2; d++) {
            sum[d] += t->bodies->mass[i] * t->bodies->pos[d][i];
            low[d] = fmin(low[d], t->bodies->pos[d][i]);
            high[d] = fmax(high[d], t->bodies->pos[d][i]);
        }
    }
    assert_true(fabs((double)cell[2] - mass) <= 1e-5 * mass);
    for (int d = 0; d < 2; d++) {
        double at = (low[d] - (double)t->root[d]) / width,
               to = (high[d] - (double)t->root[d]) / width;
        if (mass > 0 &&
            !(fabs((double)cell[d] - sum[d] / mass) <= 1e-5 * (high[d] - low[d]) + slack))
            fail_msg("cell %d: centre at %g for %g", c, (double)cell[d], sum[d] / mass);
        if (width > 1e3 * slack && !(floor(at + 1e-3) >= floor(to - 1e-3)))
            fail_msg("cell %d of width %g: bodies from %g to %g widths", c, width, at, to);
    }
    if (width > 0)
        assert_true(fabs(log2(side / width) - round(log2(side / width))) < 1e-3);
}

/* The subtree at c: returns the number of its cells. */
static int32_t check_subtree(const struct tree *t, int32_t c)
{
    const int32_t *link = t->links + 4 * c, from = t->ranges[2 * c], to = t->ranges[2 * c + 1];
    int32_t cells = 1, next = from;

    assert_true(c < t->cells && from < to && to <= t->n);
    check_cell(t, c);
    if (link[0] < 0) {
        assert_true(link[1] == from && link[2] == to && t->after[c] == c + 1);
        if (to - from > t->on_device->leaf && (double)t->root[3] > 0)
            assert_true(sqrt((double)t->moments[4 * c + 3]) <=
                        (double)t->root[3] * pow(0.5, t->on_device->levels) * 1.001);
        for (int32_t k = from; k < to; k++)
            t->met[t->order[k]]++;
        return 1;
    }
    assert_true(to - from > t->on_device->leaf && link[0] == c + 1);
    for (int q = 0; q < 4 && link[q] >= 0; q++) {
        assert_true(link[q] == c + cells && t->ranges[2 * link[q]] == next);
        next = t->ranges[2 * link[q] + 1];
        cells += check_subtree(t, link[q]);
    }
    assert_int_equal(next, to);
    assert_int_equal(t->after[c], c + cells);
    return cells;
}

static void check_tree(const struct run *r)
{
    struct tree t;

    tree_fetch(&t, r);
    for (int32_t k = 0; k < t.n; k++) {
        assert_true(t.order[k] < (uint32_t)t.n);
        assert_true((double)t.body[4 * k] == t.bodies->pos[0][t.order[k]]);
        assert_true((double)t.body[4 * k + 1] == t.bodies->pos[1][t.order[k]]);
        assert_true((double)t.body[4 * k + 3] == t.bodies->mass[t.order[k]]);
    }
    assert_int_equal(check_subtree(&t, 0), t.cells);
    assert_int_equal(t.ranges[1], t.n);
    for (int32_t k = 0; k < t.n; k++)
        assert_int_equal(t.met[k], 1);
    tree_release(&t);
}

TEST_ON_DEVICES(test_trees_of_difficult_bodies)
{
    static const size_t sizes[] = {1, 2, 9, 77, 700};
    static const char *const settings[] = {
        "theta=0",          "theta=0 leaf=1",      "theta=0 leaf=16",
        "theta=0 levels=4", "theta=0 build=group", "theta=0 build=launches"};

    for (int kind = 0; kind < KINDS; kind++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const char *with = settings[kind % 2 ? 4 : random_below(6)];
            struct orr_bodies b =
                make_bodies((enum kind)kind, sizes[k], kind != HUGE_RANGE && kind != TINY_RANGE);
            struct run r;
            r = run_made(modern, device, &b, with);
            check_tree(&r);
            check_forces(&r, kind_names[kind], 3e-6);
            run_release(&r);
            orr_bodies_release(&b);
        }
}

RUN_TESTS(load, unload)
