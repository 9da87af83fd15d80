/* SPDX-License-Identifier: MIT */
/* The host octree of paper gaburov: its invariants, its sums against direct ones, the same bits on
 * any number of threads, the same cells by recursion and from a sort, inputs that no tree likes. */
#include "gaburov_octree_check.h"
#include "random_for_tests.h"
#include "variants/gaburov/shared/octree_parts.h"

static struct world make_world(size_t n)
{
    struct world w = {.n = n};

    for (int d = 0; d < 3; d++)
        w.pos[d] = calloc(n, sizeof(float));
    w.mass = calloc(n, sizeof(float));
    return w;
}

static void drop_world(struct world *w)
{
    for (int d = 0; d < 3; d++)
        free(w->pos[d]);
    free(w->mass);
}

/* Uniform in a cube about `middle`. */
static struct world uniform_world(size_t n, double side, double middle)
{
    struct world w = make_world(n);

    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++)
            w.pos[d][i] = (float)(middle + side * (uniform() - 0.5));
        w.mass[i] = (float)(0.1 + uniform());
    }
    return w;
}

/* A Plummer sphere, not cut off: a few bodies are very far away. */
static struct world plummer_world(size_t n)
{
    struct world w = make_world(n);

    for (size_t i = 0; i < n; i++) {
        const double m = fmax(uniform(), 1e-12), r = 1 / sqrt(pow(m, -2.0 / 3) - 1 + 1e-15);
        const double z = 2 * uniform() - 1, s = sqrt(1 - z * z), angle = 2 * acos(-1) * uniform();
        w.pos[0][i] = (float)(r * s * cos(angle));
        w.pos[1][i] = (float)(r * s * sin(angle));
        w.pos[2][i] = (float)(r * z);
        w.mass[i] = (float)(1 / (double)n);
    }
    return w;
}

static const struct shape {
    int32_t nleaf, ngroup;
} shapes[] = {{64, 64}, {8, 64}, {1, 1}, {64, 7}, {16, 0}, {1 << 20, 64}, {3, 1 << 20}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const enum gaburov_build ways[] = {GABUROV_RECURSIVE, GABUROV_SORTED};

/* All that holds, for each shape, and the same bits for another number of threads. */
static void check_world(const struct world *w)
{
    struct gaburov_octree tree, other;

    for (int k = 0; k < 2 * SHAPES; k++) {
        const struct shape *shape = &shapes[k / 2];
        const enum gaburov_build how = ways[k % 2];
        octree_make(&tree, how, w, shape->nleaf, shape->ngroup, 1);
        check_octree(&tree, how, w, shape->nleaf, shape->ngroup);
        octree_make(&other, how, w, shape->nleaf, shape->ngroup, 2 + k / 2 % 2);
        check_equal(&tree, &other);
        gaburov_octree_release(&other);
        gaburov_octree_release(&tree);
    }
}

/* Cells and groups of both ways. */
static void check_same_cells(const struct world *w)
{
    struct gaburov_octree one, two;

    for (int k = 0; k < SHAPES; k++) {
        octree_make(&one, GABUROV_RECURSIVE, w, shapes[k].nleaf, shapes[k].ngroup, 2);
        octree_make(&two, GABUROV_SORTED, w, shapes[k].nleaf, shapes[k].ngroup, 1);
        assert_int_equal(one.cells, two.cells);
        assert_int_equal(one.nodes, two.nodes);
        assert_memory_equal(one.cell, two.cell, (size_t)one.cells * sizeof *one.cell);
        assert_memory_equal(one.level_first, two.level_first, sizeof one.level_first);
        assert_int_equal(one.groups, two.groups);
        for (int32_t g = 0; g < one.groups; g++)
            assert_true(one.group[g].first == two.group[g].first &&
                        one.group[g].count == two.group[g].count);
        gaburov_octree_release(&two);
        gaburov_octree_release(&one);
    }
}

TEST(test_recursion_finds_the_cells_of_the_sort)
{
    for (size_t n = 1; n < 30000; n = 3 * n + 7) {
        struct world w = n % 2 ? uniform_world(n, 2, 0.3) : plummer_world(n);
        check_same_cells(&w);
        for (size_t i = n / 3; i < n; i++)
            for (int d = 0; d < 3; d++)
                w.pos[d][i] = 0.1f;
        check_same_cells(&w);
        drop_world(&w);
    }
}

/* Bodies that are easy or difficult for a tree; `k` says how. */
enum kind { SIZE, ONE_PLACE, FLAT, FAR_AWAY, RANGE, ON_PLANES, ZEROS, MASSLESS };

static const size_t sizes[] = {1, 2, 3, 31, 64, 65, 1003, 20011};
static const float far_places[] = {-1e3f, 1e6f, 1e20f, -1e38f};
static const double ranges[][2] = {{1e-30, 0},  {1e-38, 0},     {1e-43, 0},   {3e-45, 0},
                                   {1e10, 0},   {1e30, 0},      {3.3e38, 0},  {1, 1e6},
                                   {1e-3, 1e4}, {1e-45, 1e-45}, {1e30, 1e30}, {1e-4, 1e3}};

/* Body i of a world of that kind, which was uniform. */
static void place(struct world *w, size_t i, enum kind kind, int k)
{
    static const size_t firsts[] = {0, 1, 100, 2000}; /* from these on at one place */

    for (int d = 0; d < 3; d++) {
        float *x = &w->pos[d][i];
        if (kind == ONE_PLACE && i >= firsts[k])
            *x = 0.3f;
        if (kind == FLAT) /* in planes and on lines */
            *x = k == 6 ? w->pos[0][i] : k >> d & 1 ? -7 : *x;
        if (kind == FAR_AWAY && i == 1234 && d == k % 3)
            *x = far_places[k];
        if (kind == ON_PLANES) /* that part the cells, and on the cube's upper faces */
            *x = (float)random_below(17) / 16 * (d == 1 ? 1.1f : 1);
        if (kind == ZEROS && d == 1)
            *x = uniform() < 0.5 ? -0.0f : 0.0f;
    }
    if (kind == MASSLESS && (k == 0 || (k == 1 && i % 3) || (k == 2 && w->pos[0][i] < 0.2f)))
        w->mass[i] = 0;
}

static void check_kind(enum kind kind, int count)
{
    for (int k = 0; k < count; k++) {
        const double side = kind == RANGE ? ranges[k][0] : kind == SIZE ? 2 : 1;
        const double middle = kind == RANGE ? ranges[k][1] : kind == SIZE ? 0 : 0.5;
        struct world w = uniform_world(kind == SIZE ? sizes[k] : 3000, side, middle);
        for (size_t i = 0; i < w.n; i++)
            place(&w, i, kind, k);
        check_world(&w);
        drop_world(&w);
    }
}

TEST(test_easy_and_difficult_bodies)
{
    struct world w = plummer_world(30000);

    check_world(&w);
    drop_world(&w);
    check_kind(SIZE, sizeof sizes / sizeof *sizes);
    check_kind(ONE_PLACE, 4);
    check_kind(FLAT, 7);
    check_kind(FAR_AWAY, sizeof far_places / sizeof *far_places);
    check_kind(RANGE, sizeof ranges / sizeof *ranges);
    check_kind(ON_PLANES, 1);
    check_kind(ZEROS, 1);
    check_kind(MASSLESS, 3);
}

/* Memory that a build kept serves the next, be it larger or smaller. */
TEST(test_again_with_other_bodies)
{
    struct gaburov_octree tree, fresh;
    struct world w = plummer_world(9000);

    assert_int_equal(gaburov_octree_prepare(&octree_job, &tree, w.n), 0);
    for (int k = 0; k < 6; k++) {
        for (size_t i = 0; i < w.n; i++)
            w.pos[k % 3][i] = k % 2 ? w.pos[k % 3][i] * (float)uniform() : (float)(i % 5);
        const int32_t nleaf = (int32_t)(1 + random_below(70)), ngroup = (int32_t)random_below(100);
        const enum gaburov_build how = ways[random_below(2)];
        octree_grow(&tree, how, &w, nleaf, ngroup, 1 + k % 3);
        check_octree(&tree, how, &w, nleaf, ngroup);
        octree_make(&fresh, how, &w, nleaf, ngroup, 2);
        check_equal(&tree, &fresh);
        gaburov_octree_release(&fresh);
    }
    gaburov_octree_release(&tree);
    drop_world(&w);
}

/* Nearer to each other than the key's digits tell. */
TEST(test_deeper_than_the_key)
{
    struct gaburov_octree tree;
    struct world w = uniform_world(500, 1, 0);

    for (size_t i = 100; i < w.n; i++)
        for (int d = 0; d < 3; d++)
            w.pos[d][i] = (float)(1e-9 * uniform());
    check_world(&w);
    for (int k = 0; k < 2; k++) {
        octree_make(&tree, ways[k], &w, 8, 64, 2);
        assert_int_equal(tree.levels, GABUROV_LEVELS + 1);
        assert_int_equal(tree.cell[tree.cells - 1].level, GABUROV_LEVELS);
        gaburov_octree_release(&tree);
    }
    drop_world(&w);
}

RUN_TESTS(NULL, NULL)
