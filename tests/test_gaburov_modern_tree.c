/* SPDX-License-Identifier: MIT */
/* The octree of gaburov/octgrav-modern, cell by cell, over easy and difficult bodies. */
#include "gaburov_moments.h"
#include "gaburov_octgrav_run.h"
#include "variants/gaburov/shared/modern.h"

struct tree {
    const struct modern_octree *on_device;
    int32_t n, cells, opening, quadrupole;
    double theta;
    float *body, *root, (*limits)[2], (*pulls)[2], (*tests)[4], (*halves)[4], (*moments)[12];
    int32_t (*links)[2], (*spans)[2];
    uint32_t *order;
    uint64_t *key;
    int *met; /* how often each cell was come to */
};

static void tree_fetch(struct tree *t, const struct run *r)
{
    const struct gaburov_modern *s = r->job.state;
    const struct sorted_tree *sorted = &s->tree.sorted;
    int32_t *count = fetched(r, s->tree.count, sizeof *count);
    size_t n = sorted->n, cells = (size_t)*count + 1;

    free(count);
    assert_in_range(cells, 1, sorted->capacity);
    *t = (struct tree){.on_device = &s->tree, .n = (int32_t)n, .cells = (int32_t)cells};
    t->body = fetched(r, sorted->body, 16 * n);
    t->root = fetched(r, sorted->root, 16);
    t->order = fetched(r, sorted_tree_order(sorted), 4 * n);
    t->key = fetched(r, sorted_tree_keys(sorted), 8 * n);
    t->links = fetched(r, s->tree.links, 8 * cells);
    t->spans = fetched(r, s->tree.spans, 8 * cells);
    t->tests = fetched(r, s->tree.tests, 16 * cells);
    t->halves = fetched(r, s->tree.halves, 16 * cells);
    t->moments = fetched(r, s->tree.moments, 48 * cells);
    t->limits = fetched(r, s->tree.limits, 8 * cells);
    t->pulls = fetched(r, s->tree.pulls, 8 * ((n + MODERN_PULLED - 1) / MODERN_PULLED));
    t->met = calloc(cells, sizeof *t->met);
}

static void tree_release(struct tree *t)
{
    void *const arrays[] = {t->body,  t->root,   t->order,   t->key,    t->links, t->spans,
                            t->tests, t->halves, t->moments, t->limits, t->pulls, t->met};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}

/* --- what holds of the cells --- */

/* Levels in which the keys of bodies a and b agree. */
static int agree(const struct tree *t, int32_t a, int32_t b)
{
    const int levels = t->on_device->sorted.levels;
    int same = 0;

    while (same < levels &&
           t->key[a] >> 3 * (levels - same - 1) == t->key[b] >> 3 * (levels - same - 1))
        same++;
    return same;
}

static void check_leaf(const struct tree *t, int32_t c)
{
    const int32_t from = t->spans[c][0], to = t->spans[c][1];

    assert_int_equal(t->links[c][0], from);
    assert_int_equal(t->links[c][1], from - to);
    if (to - from > t->on_device->sorted.leaf)
        assert_true(t->key[from] == t->key[to - 1]);
}

/* The children of a node part its bodies where their keys first differ. */
static void check_node(const struct tree *t, int32_t c)
{
    const int32_t from = t->spans[c][0], to = t->spans[c][1], first = t->links[c][0],
                  children = t->links[c][1];
    const int depth = agree(t, from, to - 1);
    int32_t next = from;

    assert_true(to - from > t->on_device->sorted.leaf);
    assert_in_range(children, 2, 8);
    assert_true(first > 0 && first + children <= t->cells);
    for (int32_t child = first; child < first + children; child++) {
        assert_int_equal(t->spans[child][0], next);
        next = t->spans[child][1];
        assert_true(next > t->spans[child][0] && next <= to);
        assert_true(agree(t, t->spans[child][0], next - 1) > depth);
        assert_true(next == to || agree(t, next - 1, next) == depth);
    }
    assert_int_equal(next, to);
}

/* Bodies whose keys agree in `depth` levels lie in one cube of that level. */
static void check_cube(const struct tree *t, int32_t c)
{
    const int32_t from = t->spans[c][0], to = t->spans[c][1];
    const double side = (double)t->root[3], width = ldexp(side, -agree(t, from, to - 1));

    for (int d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t k = from; k < to; k++) {
            low = fmin(low, (double)t->body[4 * k + d]);
            high = fmax(high, (double)t->body[4 * k + d]);
        }
        assert_true(high - low <= width * (1 + 1e-3) + 1e-7 * side);
    }
}

/* --- what a cell is to others --- */

/* The reach that the opening test is given, in double precision. */
static double expected_reach(const struct tree *t, const struct sums *s, const struct sums *all,
                             double side, double off_centre)
{
    const double radius = side / t->theta;

    if (t->opening == GABUROV_OPENING_IMPROVED)
        return radius + off_centre;
    if (t->opening != GABUROV_OPENING_EQUAL_ERROR)
        return radius;
    if (!(side > 0))
        return off_centre;
    const double share =
        all->mass > 0 ? s->mass / all->mass * 36 * all->spread / all->mass / (side * side) : 0;
    return radius * pow(share, t->quadrupole ? 0.2 : 0.25) + off_centre;
}

static void check_reach(const struct tree *t, int32_t c, const struct sums *s,
                        const struct sums *all)
{
    const int32_t count = t->spans[c][1] - t->spans[c][0], leaf = t->links[c][1] < 0;
    const float *point = t->tests[c];
    double side = 0, off2 = 0;

    for (int d = 0; d < 3; d++) {
        const double centre = 0.5 * (s->low[d] + s->high[d]), half = (double)t->halves[c][d];
        const double at =
            t->opening == GABUROV_OPENING_MINIMUM_DISTANCE ? centre : (double)t->moments[c][d];
        side = fmax(side, s->high[d] - s->low[d]);
        off2 += pow((double)t->moments[c][d] - centre, 2);
        assert_true(fabs(half - 0.5 * (s->high[d] - s->low[d])) <= 1e-6 * half + 1e-7 * s->far);
        assert_true(fabs((double)point[d] - at) <= 1e-7 * s->far);
    }
    const double reach = expected_reach(t, s, all, side, sqrt(off2)),
                 slack = 1e-4 * reach + 2e-7 * s->far / t->theta, nearest = 0.7 * side + sqrt(off2);
    if (t->theta <= 0 || (leaf && count <= 2))
        assert_true(point[3] > 1e38f && t->limits[c][1] > 1e38f);
    else if (side > 1e-4 * s->far &&
             !(fabs((double)t->limits[c][1] - nearest) <= 1e-4 * nearest + 2e-7 * s->far))
        fail_msg("cell %d: nearest reach %g, not %g", c, (double)t->limits[c][1], nearest);
    else if (side > 1e-4 * s->far && !(fabs((double)point[3] - reach) <= slack))
        fail_msg("cell %d of %d bodies: reach %g, not %g", c, count, (double)point[3], reach);
}

static void check_moments(const struct tree *t, int32_t c, const struct sums *all)
{
    const struct sums s = sum_directly(t->body, t->spans[c][0], t->spans[c][1]);
    const float *m = t->moments[c], quad[6] = {m[4], m[5], m[6], m[7], m[8], m[9]};
    double extent = 0;

    for (int d = 0; d < 3; d++)
        extent = fmax(extent, s.high[d] - s.low[d]);
    assert_true(fabs((double)m[3] - s.mass) <= 1e-6 * s.mass);
    for (int d = 0; d < 3; d++)
        if (!(fabs((double)m[d] - s.com[d]) <= 2e-6 * extent + 2e-7 * s.far))
            fail_msg("cell %d: centre of mass at %g, not %g", c, (double)m[d], s.com[d]);
    /* What a centre of mass in single precision does to the moments about it, and the rounding of
     * the sums. */
    const double slack =
        2e-6 * s.mass * extent * (extent + 0.5 * s.far) + 1e-14 * s.mass * s.far * s.far + 1e-37;
    for (int ab = 0; ab < 6; ab++)
        if (!(fabs((double)quad[ab] - s.quad[ab]) <= slack))
            fail_msg("cell %d: quadrupole %d is %g, not %g (spread %g)", c, ab, (double)quad[ab],
                     s.quad[ab], s.spread);
    check_reach(t, c, &s, all);
}

/* The acceleration in the middle of bodies from ... to - 1, or a twentieth of its terms' sum. */
static double pull_at(const struct tree *t, int32_t from, int32_t to, double eps2)
{
    const struct sums own = sum_directly(t->body, from, to);
    double sum[3] = {0}, terms = 0;

    for (int32_t k = 0; k < t->n; k++) {
        double delta[3], square = eps2;
        for (int d = 0; d < 3; d++) {
            delta[d] = (double)t->body[4 * k + d] - 0.5 * (own.low[d] + own.high[d]);
            square += delta[d] * delta[d];
        }
        const double term = (double)t->body[4 * k + 3] / square;
        for (int d = 0; d < 3; d++)
            sum[d] += term * delta[d] / sqrt(square);
        terms += term;
    }
    return fmax(sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]), 0.05 * terms);
}

/* Of softened bodies and quadrupoles: a factor of two in the acceleration is allowed. */
static void check_pulls(const struct tree *t, const struct sums *all, double eps2)
{
    for (int32_t from = 0; from < t->n; from += MODERN_PULLED) {
        const int32_t to = from + MODERN_PULLED < t->n ? from + MODERN_PULLED : t->n;
        const double pull = pull_at(t, from, to, eps2),
                     found = (double)t->pulls[from / MODERN_PULLED][0],
                     field = (double)t->pulls[from / MODERN_PULLED][1],
                     wanted = pow(1.5 * all->mass / pull * all->mass / all->spread, 0.2);
        if (!(found < 1.15 * wanted && wanted < 1.15 * found))
            fail_msg("bodies from %d on: factor %g, not %g", from, found, wanted);
        assert_true(fabs(log(field) - 10.0 / 7 * log(found)) < 1e-3);
    }
}

static void check_tree(const struct run *r, double theta, int32_t opening, int32_t quadrupole)
{
    const struct orr_bodies *b = r->job.bodies;
    struct tree t;

    tree_fetch(&t, r);
    t.theta = theta;
    t.opening = opening;
    t.quadrupole = quadrupole;
    for (int32_t k = 0; k < t.n; k++) {
        assert_true(t.order[k] < (uint32_t)t.n && (!k || t.key[k - 1] <= t.key[k]));
        for (int d = 0; d < 3; d++)
            assert_true((double)t.body[4 * k + d] == b->pos[d][t.order[k]]);
        assert_true((double)t.body[4 * k + 3] == b->mass[t.order[k]]);
    }
    const struct sums all = sum_directly(t.body, 0, t.n);
    assert_true(t.spans[0][0] == 0 && t.spans[0][1] == t.n);
    t.met[0]++;
    for (int32_t c = 0; c < t.cells; c++) {
        if (t.links[c][1] < 0)
            check_leaf(&t, c);
        else
            check_node(&t, c);
        for (int32_t k = 0; k < t.links[c][1]; k++)
            t.met[t.links[c][0] + k]++;
        check_cube(&t, c);
        check_moments(&t, c, &all);
    }
    for (int32_t c = 0; c < t.cells; c++)
        assert_int_equal(t.met[c], 1);
    tree_release(&t);
}

/* --- bodies --- */

/* What is compiled in: few, since a CPU's compiler takes its time. */
struct kind {
    int32_t opening, monopole, leaf;
};

static struct kind random_kind(void)
{
    static const int32_t leaves[] = {1, 8, 16, 64};

    return (struct kind){(int32_t)random_below(4), random_below(2) == 0, leaves[random_below(4)]};
}

static void check_shape(const struct orr_variant *variant, struct orr_device *device,
                        enum shape shape, const struct kind *kind)
{
    static const size_t sizes[] = {1, 2, 3, 31, 64, 65, 1003};
    static const char *const openings[] = {"octgrav", "improved", "minimum-distance",
                                           "equal-error"};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const double theta = random_below(4) ? 0.5 : 0;
        BODIES b = bodies_of(shape, sizes[k], 0.01);
        RUN r =
            run_made(variant, device, &b,
                     filled("theta=%g nleaf=%d opening=%s multipole=%s build=%s", theta, kind->leaf,
                            openings[kind->opening], kind->monopole ? "monopole" : "quadrupole",
                            shape % 2 ? "group" : "launches"));
        check_tree(&r, theta, kind->opening, !kind->monopole);
    }
}

TEST_EVERYWHERE(test_trees_of_difficult_bodies)
{
    const struct kind kinds[] = {
        random_kind(), random_kind(), {GABUROV_OPENING_EQUAL_ERROR, 0, 16}};

    for (int shape = 0; shape < SHAPES; shape++)
        check_shape(variant, device, (enum shape)shape, &kinds[shape % 3]);
}

/* Grids too coarse for the bodies: leaves of the finest level hold more than they should. */
TEST_EVERYWHERE(test_coarse_grids)
{
    BODIES b = bodies_of(SPHERE, 5000, 0.01);

    for (int levels = 1; levels <= 21; levels += 4) {
        RUN r = run_made(variant, device, &b, filled("theta=0.4 nleaf=16 levels=%d", levels));
        check_tree(&r, 0.4, GABUROV_OPENING_EQUAL_ERROR, 1);
        if (levels < 9) /* runs of bodies are not compact */
            continue;
        struct tree t;
        tree_fetch(&t, &r);
        const struct sums all = sum_directly(t.body, 0, t.n);
        check_pulls(&t, &all, 1e-4);
        tree_release(&t);
    }
}

RUN_TESTS_OF("gaburov/octgrav-modern")
