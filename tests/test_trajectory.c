/* Where direct sums take bodies, the cost of being elsewhere, and how integrations are judged: what
 * is planted is caught, what is right passes. */
#include "tests/variant_run.h"

#include "datasets/dataset.h"
#include "measure/stats.h"
#include "run/trajectory.h"
#include "run/worker_cache.h"

static struct orr_bodies cloud(size_t n, int dimensions)
{
    struct orr_bodies b = {0};
    assert_int_equal(orr_bodies_make(&b, n, dimensions), 0);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < dimensions; d++) {
            b.pos[d][i] = uniform() - 0.5;
            b.vel[d][i] = uniform() - 0.5;
        }
        b.mass[i] = 0.1 + uniform() / (double)n;
    }
    return b;
}

static struct orr_trajectory follow(const struct orr_bodies *b, double eps, double dt, int steps)
{
    const struct orr_trajectory_of of = {.bodies = b, .eps = eps, .dt = dt, .steps = steps};
    struct orr_trajectory t;
    assert_int_equal(orr_trajectory_make(&t, &of), 0);
    assert_int_equal(t.n, b->n);
    return t;
}

static void close_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

/* Two bodies on circles around their centre of mass, at distance 1: angular velocity sqrt(m1 + m2).
 * The scheme's angle runs ahead by (dt w)^2 / 24. */
static void two_bodies_on_circles(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    double m[2] = {0.3 + uniform(), 0.3 + uniform()}, w = sqrt(m[0] + m[1]), turn = 0.5 + uniform();
    double angle = 6.28 * uniform(), dt = turn / w / STEPS;
    struct orr_bodies b;
    assert_int_equal(orr_bodies_make(&b, 2, 2), 0);
    for (int i = 0; i < 2; i++) {
        double radius = (i ? -m[0] : m[1]) / (m[0] + m[1]);
        b.mass[i] = m[i];
        b.pos[0][i] = radius * cos(angle), b.pos[1][i] = radius * sin(angle);
        b.vel[0][i] = -radius * w * sin(angle), b.vel[1][i] = radius * w * cos(angle);
    }
    struct orr_trajectory t = follow(&b, 0, dt, STEPS);
    for (int i = 0; i < 2; i++) {
        double radius = (i ? -m[0] : m[1]) / (m[0] + m[1]);
        close_to(t.pos[0][i], radius * cos(angle + turn), 1e-6);
        close_to(t.pos[1][i], radius * sin(angle + turn), 1e-6);
        close_to(t.vel[0][i], -radius * w * sin(angle + turn), 1e-6);
        close_to(t.vel[1][i], radius * w * cos(angle + turn), 1e-6);
    }
    assert_true(t.pos[2][0] == 0 && t.vel[2][1] == 0);
    orr_trajectory_release(&t);
    orr_bodies_release(&b);
}

/* One step by hand: two equal bodies at rest, softened. */
static void one_step_by_hand(void **state)
{
    (void)state;
    double x = 0.5 + uniform(), eps = 0.1 + uniform(), dt = 0.1 * uniform(), mass = uniform();
    struct orr_bodies b;
    assert_int_equal(orr_bodies_make(&b, 2, 3), 0);
    b.pos[1][0] = -x, b.pos[1][1] = x;
    b.mass[0] = b.mass[1] = mass;
    double a = mass * 2 * x / pow(4 * x * x + eps * eps, 1.5), y = -x + a * dt * dt / 2;
    double after = mass * -2 * y / pow(4 * y * y + eps * eps, 1.5);
    struct orr_trajectory t = follow(&b, eps, dt, 1);
    close_to(t.pos[1][0], y, 1e-14);
    close_to(t.vel[1][0], (a + after) * dt / 2, 1e-14);
    close_to(t.pos[1][1], -y, 1e-14);
    orr_trajectory_release(&t);
    orr_bodies_release(&b);
}

/* The scheme can be run backwards. */
static void comes_back(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(50 + seed % 50, 3);
    struct orr_trajectory there = follow(&b, 0.1, 0.01, 20);
    struct orr_bodies end = b;
    for (int d = 0; d < 3; d++)
        end.pos[d] = there.pos[d], end.vel[d] = there.vel[d];
    struct orr_trajectory back = follow(&end, 0.1, -0.01, 20);
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < b.n; i++) {
            close_to(back.pos[d][i], b.pos[d][i], 1e-11);
            close_to(back.vel[d][i], b.vel[d][i], 1e-11);
        }
    orr_trajectory_release(&there);
    orr_trajectory_release(&back);
    orr_bodies_release(&b);
}

/* What a variant would fetch that went exactly there, rounded to float. */
static struct orr_forces arrive(const struct orr_trajectory *t)
{
    struct orr_forces f;
    assert_int_equal(orr_verify_make_forces(&f, t->n, true), 0);
    orr_verify_poison_forces(&f, t->n);
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < t->n; i++) {
            f.pos[d][i] = (float)t->pos[d][i];
            f.vel[d][i] = (float)t->vel[d][i];
        }
    return f;
}

static void costs_are_sums_of_squares(void **state)
{
    (void)state;
    struct orr_bodies b = cloud(200, 2);
    struct orr_trajectory t = follow(&b, 0.1, 0.01, 5);
    struct orr_forces f = arrive(&t);
    struct orr_trajectory_error cost = orr_trajectory_compare(&t, &f, 2);
    assert_true(cost.position >= 0 && cost.position < 200 * 1e-13);
    assert_true(cost.velocity >= 0 && cost.velocity < 200 * 1e-11 && cost.speed <= cost.velocity);
    double v2 = 0;
    for (size_t i = 0; i < b.n; i++) {
        f.pos[0][i] += 3, f.pos[1][i] -= 4;
        for (int d = 0; d < 2; d++) { /* as fast the other way */
            v2 += t.vel[d][i] * t.vel[d][i];
            f.vel[d][i] = -f.vel[d][i];
        }
    }
    cost = orr_trajectory_compare(&t, &f, 2);
    close_to(cost.position, 200 * 25, 0.01);
    assert_true(cost.speed < 200 * 1e-11);
    close_to(cost.velocity, 4 * v2, 1e-5 * v2);
    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 2; d++)
            f.vel[d][i] *= 3;
    cost = orr_trajectory_compare(&t, &f, 2);
    close_to(cost.speed, 4 * v2, 1e-5 * v2);
    close_to(cost.velocity, 16 * v2, 1e-5 * v2);
    orr_verify_release_forces(&f);
    orr_trajectory_release(&t);
    orr_bodies_release(&b);
}

static void trajectories_are_kept(void **state)
{
    (void)state;
    struct orr_worker_cache *cache = calloc(1, sizeof *cache);
    struct orr_bodies b = cloud(20, 2);
    const struct orr_trajectory *first, *again, *other;
    struct orr_trajectory_of of = {.bodies = &b, .sha256 = "a", .eps = 0.1, .dt = 0.01, .steps = 3};
    assert_int_equal(orr_worker_cache_trajectory(cache, &first, &of), 0);
    assert_int_equal(orr_worker_cache_trajectory(cache, &again, &of), 0);
    assert_ptr_equal(first, again);
    double x = first->pos[0][0];
    struct orr_trajectory_of others[] = {of, of, of, of};
    others[0].sha256 = "b";
    others[1].eps = 0.2;
    others[2].dt = 0.02;
    others[3].steps = 4;
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(orr_worker_cache_trajectory(cache, &other, &others[k]), 0);
        assert_ptr_not_equal(first, other);
        assert_true(k == 0 || other->pos[0][0] != x);
    }
    for (int k = 0; k < 2 * ORR_WORKER_CACHE_TRAJECTORIES; k++) { /* more than it holds */
        of.steps = 1 + k;
        assert_int_equal(orr_worker_cache_trajectory(cache, &other, &of), 0);
    }
    of.steps = 3;
    assert_int_equal(orr_worker_cache_trajectory(cache, &again, &of), 0);
    assert_true(again->pos[0][0] == x);
    for (int k = 0; k < ORR_WORKER_CACHE_TRAJECTORIES; k++)
        orr_trajectory_release(&cache->trajectories[k].trajectory);
    free(cache);
    orr_bodies_release(&b);
}

/* --- the judge --- */

/* One input of an integration. */
struct scene {
    const char *set;
    size_t n;
    int steps;
};

/* As the harness scales masses from sample to sample. */
static void make_scene(struct orr_bodies *out, const struct scene *scene)
{
    if (orr_dataset_make(out, scene->set, scene->n, seed))
        fail_msg("%s: %s", scene->set, orr_error_text());
    double all = 0.5 + 0.5 * uniform();
    for (size_t i = 0; i < out->n; i++)
        out->mass[i] *= all * (0.75 + 0.5 * uniform());
    orr_bodies_round(out);
}

static struct orr_plugin plugin_named(const char *name)
{
    struct orr_plugin plugin;
    char path[256];
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/tests/plugins/%s.so", build ? build : "build", name);
    if (orr_plugin_load_file(&plugin, path))
        fail_msg("%s", orr_error_text());
    return plugin;
}

/* A result over its limit, of the check that is furthest beyond it. */
static double worst_of(const struct orr_trajectory_verdict *v, int *check)
{
    double worst = 0;
    for (int c = 0; c < ORR_TRAJECTORY_CHECKS; c++)
        if (v->value[c] > worst * v->limit[c]) {
            worst = v->value[c] / v->limit[c];
            *check = c;
        }
    return worst;
}

static int judge(struct orr_trajectory_verdict *verdict, const struct run *r, double eps, double dt,
                 int steps, double force_error)
{
    const struct orr_trajectory_of of = {
        .bodies = r->job.bodies, .eps = eps, .dt = dt, .steps = steps};
    orr_error_clear();
    return orr_trajectory_judge(verdict, &of, &r->out, force_error);
}

static const struct scene scenes[] = {{"random-3d", 100, 10},     {"random-3d", 64, 1},
                                      {"figure-eight-3", 99, 20}, {"figure-eight-4", 40, 2},
                                      {"cartwheel", 120, 30},     {"merger", 80, 4},
                                      {"plummer", 100, 12},       {"uniform-2d", 300, 20}};
enum { SCENES = sizeof scenes / sizeof *scenes };
static const double DIRECT = 1e-5; /* the bound of direct sums */

/* The plugin's verdicts: 0 or ORR_EWRONG of each scene, and how far from the limit. */
static void try_plugin(const char *name, int expected)
{
    struct orr_plugin plugin = plugin_named(name);
    double least = INFINITY, most = 0;
    for (int k = 0; k < SCENES; k++) {
        struct orr_trajectory_verdict verdict;
        struct orr_bodies b;
        struct run r;
        char settings[64];
        int check = 0;
        make_scene(&b, &scenes[k]);
        snprintf(settings, sizeof settings, "steps=%d", scenes[k].steps);
        run_make(&r, plugin.variant, devices[0], &b, settings);
        int code = judge(&verdict, &r, b.eps, b.dt, scenes[k].steps, DIRECT);
        double worst = worst_of(&verdict, &check);
        if (getenv("ORRERY_TEST_MARGINS"))
            printf("%-24s %-15s %4d %10.3g  %s\n", name, scenes[k].set, scenes[k].steps, worst,
                   orr_trajectory_names[check]);
        if (code != expected || verdict.blind)
            fail_msg("%s with %s: %d, blind %d: %s", name, scenes[k].set, code, verdict.blind,
                     orr_error_text());
        least = fmin(least, worst);
        most = fmax(most, worst);
        run_release(&r);
        orr_bodies_release(&b);
    }
    printf("%-24s %.3g to %.3g of the limit\n", name, least, most);
    assert_true(expected ? least > 2 : most < 0.5);
    orr_plugin_release(&plugin);
}

static void what_is_planted_is_caught(void **state)
{
    static const char *const wrong[] = {"moves_never",
                                        "moves_too_little",
                                        "moves_one_step_less",
                                        "moves_one_step_more",
                                        "moves_without_opening",
                                        "moves_without_closing",
                                        "moves_to_half_velocity",
                                        "moves_by_old_velocity",
                                        "moves_by_first_forces",
                                        "moves_most",
                                        "moves_all_but_one",
                                        "moves_behind"};
    (void)state;
    try_plugin("moves_right", 0);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        try_plugin(wrong[k], ORR_EWRONG);
}

static int load(void **state)
{
    (void)state;
    return load_variants(NULL, 0);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_on_circles),
        cmocka_unit_test(one_step_by_hand),
        cmocka_unit_test(comes_back),
        cmocka_unit_test(costs_are_sums_of_squares),
        cmocka_unit_test(trajectories_are_kept),
        cmocka_unit_test(what_is_planted_is_caught),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
