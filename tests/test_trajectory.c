/* SPDX-License-Identifier: MIT */
/* Where direct sums take bodies, the cost of being elsewhere, and how integrations are judged: what
 * is planted is caught; that real variants pass, test_conformance shows. */
#include "tests/variant_run.h"

#include "datasets/dataset.h"
#include "measure/stats.h"
#include "referee/referee.h"
#include "verify/trajectory.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static struct orr_bodies cloud(size_t n, int dimensions)
{
    struct orr_bodies b = bodies_made(n, dimensions);
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

/* Two bodies on circles around their centre of mass, at distance 1: angular velocity sqrt(m1 + m2).
 * The scheme's angle runs ahead by (dt w)^2 / 24. */
TEST(two_bodies_on_circles)
{
    enum { STEPS = 1000 };
    double m[2] = {0.3 + uniform(), 0.3 + uniform()}, w = sqrt(m[0] + m[1]), turn = 0.5 + uniform();
    double angle = 6.28 * uniform(), dt = turn / w / STEPS;
    BODIES b = bodies_made(2, 2);
    for (int i = 0; i < 2; i++) {
        double radius = (i ? -m[0] : m[1]) / (m[0] + m[1]);
        b.mass[i] = m[i];
        b.pos[0][i] = radius * cos(angle), b.pos[1][i] = radius * sin(angle);
        b.vel[0][i] = -radius * w * sin(angle), b.vel[1][i] = radius * w * cos(angle);
    }
    RELEASED_BY(orr_trajectory_release) struct orr_trajectory t = follow(&b, 0, dt, STEPS);
    for (int i = 0; i < 2; i++) {
        double radius = (i ? -m[0] : m[1]) / (m[0] + m[1]);
        assert_close(t.pos[0][i], radius * cos(angle + turn), 1e-6);
        assert_close(t.pos[1][i], radius * sin(angle + turn), 1e-6);
        assert_close(t.vel[0][i], -radius * w * sin(angle + turn), 1e-6);
        assert_close(t.vel[1][i], radius * w * cos(angle + turn), 1e-6);
    }
    assert_true(t.pos[2][0] == 0 && t.vel[2][1] == 0);
}

/* One step by hand: two equal bodies at rest, softened. */
TEST(one_step_by_hand)
{
    double x = 0.5 + uniform(), eps = 0.1 + uniform(), dt = 0.1 * uniform(), mass = uniform();
    BODIES b = bodies_made(2, 3);
    b.pos[1][0] = -x, b.pos[1][1] = x;
    b.mass[0] = b.mass[1] = mass;
    double a = mass * 2 * x / pow(4 * x * x + eps * eps, 1.5), y = -x + a * dt * dt / 2;
    double after = mass * -2 * y / pow(4 * y * y + eps * eps, 1.5);
    RELEASED_BY(orr_trajectory_release) struct orr_trajectory t = follow(&b, eps, dt, 1);
    assert_close(t.pos[1][0], y, 1e-14);
    assert_close(t.vel[1][0], (a + after) * dt / 2, 1e-14);
    assert_close(t.pos[1][1], -y, 1e-14);
}

/* Two of Euler's by hand: the first moves nobody who is at rest. */
TEST(two_steps_by_euler)
{
    double x = 0.5 + uniform(), v = uniform() - 0.5, eps = 0.1 + uniform(), dt = 0.1 * uniform();
    BODIES b = bodies_made(2, 3);
    b.pos[1][0] = -x, b.pos[1][1] = x;
    b.vel[1][0] = v, b.vel[1][1] = -v;
    b.mass[0] = b.mass[1] = 1;
    double y[3] = {-x}, speed[3] = {v};
    for (int k = 0; k < 2; k++) {
        y[k + 1] = y[k] + speed[k] * dt;
        speed[k + 1] = speed[k] - dt * 2 * y[k] / pow(4 * y[k] * y[k] + eps * eps, 1.5);
    }
    const struct orr_trajectory_of of = {
        .bodies = &b, .eps = eps, .dt = dt, .steps = 2, .euler = true};
    RELEASED_BY(orr_trajectory_release) struct orr_trajectory t;
    assert_int_equal(orr_trajectory_make(&t, &of), 0);
    assert_close(t.pos[1][0], y[2], 1e-14);
    assert_close(t.vel[1][0], speed[2], 1e-14);
    assert_close(t.earlier_pos[1][0], y[1], 1e-14);
    assert_close(t.earlier_vel[1][0], speed[1], 1e-14);
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

TEST(costs_are_sums_of_squares)
{
    BODIES b = cloud(200, 2);
    RELEASED_BY(orr_trajectory_release) struct orr_trajectory t = follow(&b, 0.1, 0.01, 5);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = arrive(&t);
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
    assert_close(cost.position, 200 * 25, 0.01);
    assert_true(cost.speed < 200 * 1e-11);
    assert_close(cost.velocity, 4 * v2, 1e-5 * v2);
    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 2; d++)
            f.vel[d][i] *= 3;
    cost = orr_trajectory_compare(&t, &f, 2);
    assert_close(cost.speed, 4 * v2, 1e-5 * v2);
    assert_close(cost.velocity, 16 * v2, 1e-5 * v2);
}

TEST(trajectories_are_kept)
{
    RELEASED_BY(free_text) struct orr_referee_cache *cache = calloc(1, sizeof *cache);
    BODIES b = cloud(20, 2);
    const struct orr_trajectory *first, *again, *other;
    struct orr_trajectory_of of = {.bodies = &b, .sha256 = "a", .eps = 0.1, .dt = 0.01, .steps = 3};
    assert_int_equal(orr_referee_cache_trajectory(cache, &first, &of), 0);
    assert_int_equal(orr_referee_cache_trajectory(cache, &again, &of), 0);
    assert_ptr_equal(first, again);
    double x = first->pos[0][0];
    struct orr_trajectory_of others[] = {of, of, of, of, of};
    others[0].sha256 = "b";
    others[1].eps = 0.2;
    others[2].dt = 0.02;
    others[3].steps = 4;
    others[4].euler = true;
    for (size_t k = 0; k < 5; k++) {
        assert_int_equal(orr_referee_cache_trajectory(cache, &other, &others[k]), 0);
        assert_ptr_not_equal(first, other);
        assert_true(k == 0 || other->pos[0][0] != x);
    }
    for (int k = 0; k < 2 * ORR_REFEREE_CACHE_ENTRIES; k++) { /* more than it holds */
        of.dt = 0.01 + k;
        assert_int_equal(orr_referee_cache_trajectory(cache, &other, &of), 0);
    }
    of.dt = 0.01;
    assert_int_equal(orr_referee_cache_trajectory(cache, &again, &of), 0);
    assert_true(again->pos[0][0] == x);
    orr_referee_cache_release(cache);
}

/* --- the judge --- */

/* One input of an integration. */
struct scene {
    const char *set;
    size_t n;
    int steps;
    bool euler;
};

/* As the harness scales masses from sample to sample; all bodies drift, unless they are at rest. */
static void make_scene(struct orr_bodies *out, const struct scene *scene)
{
    if (orr_dataset_make(out, scene->set, scene->n, seed))
        fail_msg("%s: %s", scene->set, orr_error_text());
    double all = 0.5 + 0.5 * uniform();
    for (size_t i = 0; i < out->n; i++)
        out->mass[i] *= all * (0.75 + 0.5 * uniform());
    for (int d = 0; d < 3 && out->dimensions == 3; d++) {
        double drift = uniform() - 0.5;
        for (size_t i = 0; i < out->n; i++)
            out->vel[d][i] += drift;
    }
    orr_bodies_round(out);
}

static struct orr_plugin plugin_named(const char *name)
{
    struct orr_plugin plugin;
    const char *build = getenv("BUILD");
    setenv("ORRERY_PLUGINS", filled("%s/tests", build ? build : "build"), 1);
    assert_done(orr_plugin_load(&plugin, filled("plugins/%s", name)));
    unsetenv("ORRERY_PLUGINS");
    return plugin;
}

/* What a judge says of a result. */
struct verdict {
    double value[ORR_TRAJECTORY_CHECKS], limit[ORR_TRAJECTORY_CHECKS];
    bool blind;
};

static int judge_forces(struct verdict *verdict, const struct orr_trajectory_of *of,
                        const struct orr_forces *forces, double force_error)
{
    struct orr_trajectory_judge judge;
    orr_error_clear();
    assert_done(orr_trajectory_judge_make(&judge, of, force_error));
    const int code = orr_trajectory_judge(verdict->value, &judge, of, forces);
    memcpy(verdict->limit, judge.limit, sizeof judge.limit);
    verdict->blind = judge.blind;
    orr_trajectory_judge_release(&judge);
    return code;
}

/* A result over its limit, of the check that is furthest beyond it. */
static double worst_of(const struct verdict *v, int *check)
{
    double worst = 0;
    for (int c = 0; c < ORR_TRAJECTORY_CHECKS; c++)
        if (v->value[c] > worst * v->limit[c]) {
            worst = v->value[c] / v->limit[c];
            *check = c;
        }
    return worst;
}

static const double DIRECT = 1e-5; /* the bound of direct sums */

/* Which way the steps of `r` lead, with direct sums. */
static struct orr_trajectory_of way_of(const struct run *r, double eps, double dt, int steps)
{
    return (struct orr_trajectory_of){
        .bodies = r->job.bodies, .eps = eps, .dt = dt, .steps = steps};
}

static int judge(struct verdict *verdict, const struct run *r, const struct orr_trajectory_of *of)
{
    return judge_forces(verdict, of, &r->out, DIRECT);
}

static const struct scene scenes[] = {
    {"random-3d", 60, 8, false},       {"random-3d", 40, 1, false},
    {"figure-eight-3", 60, 20, false}, {"figure-eight-4", 40, 2, false},
    {"cartwheel", 60, 12, false},      {"merger", 40, 4, false},
    {"plummer", 60, 10, false},        {"uniform-2d", 200, 20, false}};
static const struct scene euler_scenes[] = {{"random-3d", 60, 8, true},
                                            {"figure-eight-3", 60, 20, true},
                                            {"cartwheel", 60, 12, true},
                                            {"merger", 40, 4, true},
                                            {"uniform-2d", 200, 20, true}};

static void scene_settings(char settings[64], const struct scene *scene)
{
    snprintf(settings, 64, "steps=%d integrator=%s", scene->steps,
             scene->euler ? "euler" : "leapfrog");
}

/* The plugin's verdicts: 0 or ORR_EWRONG of each scene, and how far from the limit. */
static void try_plugin(const struct scene *of, int count, const char *name, int expected)
{
    RELEASED_BY(orr_plugin_release) struct orr_plugin plugin = plugin_named(name);
    double least = INFINITY, most = 0;
    for (int k = 0; k < count; k++) {
        const struct scene *scene = &of[k];
        struct verdict verdict;
        BODIES b;
        RELEASED_BY(run_release) struct run r;
        char settings[64];
        int check = 0;
        make_scene(&b, scene);
        scene_settings(settings, scene);
        r = run_made(plugin.variant, devices[0], &b, settings);
        struct orr_trajectory_of way = way_of(&r, b.eps, b.dt, scene->steps);
        way.euler = scene->euler;
        int code = judge(&verdict, &r, &way);
        double worst = worst_of(&verdict, &check);
        if (code != expected || verdict.blind)
            fail_msg("%s with %s: %d, blind %d: %s", name, scene->set, code, verdict.blind,
                     orr_error_text());
        least = fmin(least, worst);
        most = fmax(most, worst);
    }
    printf("%-24s %.3g to %.3g of the limit\n", name, least, most);
    if (!(expected ? least > 2 : most < 0.5))
        fail_msg("%s is too near to the limit", name);
}

static const char *const planted[] = {"moves_never",
                                      "moves_one_step_less",
                                      "moves_one_step_more",
                                      "moves_without_opening",
                                      "moves_without_closing",
                                      "moves_to_half_velocity",
                                      "moves_most",
                                      "moves_behind",
                                      "moves_too_little",
                                      "moves_all_but_one",
                                      "moves_by_old_velocity",
                                      "moves_by_first_forces"};

TEST(what_is_planted_is_caught)
{
    try_plugin(scenes, COUNT(scenes), "moves_right", 0);
    for (int k = 0; k < COUNT(planted); k++)
        try_plugin(scenes, COUNT(scenes), planted[k], ORR_EWRONG);
}

/* Held to Euler's trajectory: that of a plugin which knows no other scheme is right, that of
 * leap-frog is not. */
TEST(what_is_planted_is_caught_by_euler)
{
    static const char *const wrong[] = {
        "moves_never",       "moves_one_step_less",   "moves_one_step_more",
        "moves_most",        "moves_behind",          "moves_too_little",
        "moves_all_but_one", "moves_without_opening", "moves_without_closing"};
    try_plugin(euler_scenes, COUNT(euler_scenes), "moves_right", 0);
    try_plugin(euler_scenes, COUNT(euler_scenes), "moves_by_old_velocity", 0);
    for (int k = 0; k < COUNT(wrong); k++)
        try_plugin(euler_scenes, COUNT(euler_scenes), wrong[k], ORR_EWRONG);
}

/* A plugin's run of `steps` over bodies of the test's own, judged. */
static int judge_plugin(struct verdict *verdict, const char *name, struct orr_bodies *b, double dt,
                        int steps)
{
    RELEASED_BY(orr_plugin_release) struct orr_plugin plugin = plugin_named(name);
    RELEASED_BY(run_release) struct run r;
    const char *settings = filled("steps=%d dt=%.17g eps=%.17g", steps, dt, b->eps);
    orr_bodies_round(b);
    r = run_made(plugin.variant, devices[0], b, settings);
    const struct orr_trajectory_of way = way_of(&r, b->eps, dt, steps);
    return judge(verdict, &r, &way);
}

/* One body that moves or stands, two, bodies at rest or without mass, time that stands or runs
 * backwards: what is right passes, and what cannot be judged says so. */
TEST(odd_ones_pass)
{
    for (int k = 0; k < 64; k++) {
        struct verdict verdict;
        BODIES b = cloud(1 + (size_t)random_below(k < 32 ? 3 : 40), 3);
        bool rest = k & 1, massless = k & 2;
        double dt = k & 4 ? 0 : k & 8 ? -0.01 : 0.01;
        int steps = k & 16 ? 1 : 7;
        b.eps = 0.05;
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 3; d++) {
                b.vel[d][i] *= rest ? 0 : 1;
                b.mass[i] *= massless && i % 2 == 0 ? 0 : 1;
            }
        if (judge_plugin(&verdict, "moves_right", &b, dt, steps))
            fail_msg("k = %d, n = %zu: %s", k, b.n, orr_error_text());
        bool stands = dt == 0 || (rest && (b.n == 1 || (massless && b.n < 3)));
        if (verdict.blind && !stands && !massless)
            fail_msg("k = %d, n = %zu: cannot be judged", k, b.n);
        assert_true(verdict.blind || !stands || massless);
        if (!stands && !massless)
            assert_int_equal(judge_plugin(&verdict, "moves_never", &b, dt, steps), ORR_EWRONG);
    }
}

/* Two bodies at one place without softening go nowhere that is known. */
TEST(infinities_are_not_judged)
{
    struct verdict verdict;
    BODIES b = cloud(10, 3);
    for (int d = 0; d < 3; d++)
        b.pos[d][3] = b.pos[d][7];
    assert_int_equal(judge_plugin(&verdict, "moves_right", &b, 0.01, 3), 0);
    assert_true(verdict.blind);
}

/* A number that is none is wrong, wherever it stands. */
TEST(what_is_not_finite_is_wrong)
{
    BODIES b = cloud(10, 3);
    RELEASED_BY(orr_trajectory_release) struct orr_trajectory t = follow(&b, 0.1, 0.01, 2);
    struct orr_trajectory_of of = {.bodies = &b, .eps = 0.1, .dt = 0.01, .steps = 2};
    struct verdict verdict;
    for (int column = 0; column < 6; column++) {
        RELEASED_BY(orr_verify_release_forces) struct orr_forces f = arrive(&t);
        for (size_t i = 0; i < b.n; i++)
            f.pos[2][i] = (float)t.pos[2][i], f.vel[2][i] = (float)t.vel[2][i];
        assert_done(judge_forces(&verdict, &of, &f, DIRECT));
        (column < 3 ? f.pos : f.vel)[column % 3][random_below(10)] = NAN;
        assert_int_equal(judge_forces(&verdict, &of, &f, DIRECT), ORR_EWRONG);
    }
}

/* A small-N cell is valid, no larger than its cell, and affordable. */
TEST(small_n_cells_are_small)
{
    size_t count;
    const struct orr_dataset *sets = orr_dataset_all(&count);
    for (size_t k = 0; k < count; k++)
        for (int trial = 0; trial < 40; trial++) {
            const struct orr_dataset *set = &sets[k];
            int level = set->boxed ? (int)random_below(8) : 0, steps = (int)random_below(1000);
            size_t step = set->boxed ? (size_t)1 << 2 * level : set->multiple;
            size_t n = (set->min_n + step - 1) / step * step + (size_t)random_below(9999) * step;
            n = n > set->max_n ? set->max_n / step * step : n;
            size_t few = orr_trajectory_small_n(set, n, level, steps);
            assert_done(orr_dataset_check(set, few, level));
            assert_true(few <= n && (few <= 1024 || few == step));
            assert_true((double)few * (double)few * (steps + 1) <= 5e7 || few <= step);
            assert_true(few == n || few > 100 || few == step || steps > 100);
        }
}

/* --- without a trajectory --- */

/* The setting of a scene's scheme, "" of a variant that knows no other. */
static const char *scheme_of(const struct orr_variant *variant, const struct scene *scene)
{
    for (size_t k = 0; k < variant->param_count; k++)
        if (!strcmp(variant->params[k].name, "integrator"))
            return scene->euler ? " integrator=euler" : " integrator=leapfrog";
    return "";
}

/* Bodies that stay where they were must not; nobody who moves is accused, by tree codes neither. */
TEST(who_stands_still_is_seen)
{
    static const struct {
        const char *plugin, *variant, *settings;
        struct scene scene;
        int expected;
    } of[] = {{"moves_right", NULL, "", {"random-3d", 500, 10, false}, 0},
              {"moves_right", NULL, "", {"merger", 400, 1, true}, 0},
              {"moves_never", NULL, "", {"random-3d", 500, 10, false}, ORR_EWRONG},
              {"moves_never", NULL, "", {"uniform-2d", 400, 20, true}, ORR_EWRONG},
              {"moves_most", NULL, "", {"merger", 400, 4, false}, ORR_EWRONG},
              {"moves_most", NULL, "", {"random-3d", 300, 1, true}, ORR_EWRONG},
              {NULL, "feng/cpu-tuned", "theta=0.9", {"uniform-2d", 3000, 20, true}, 0},
              {NULL, "feng/cpu-tuned", "theta=50", {"uniform-2d", 3000, 2, false}, 0},
              {NULL, "gaburov/cpu-tree-simd", "theta=0.5", {"merger", 3000, 4, false}, 0},
              {NULL, "fujiwara/cpu-simd", "", {"figure-eight-3", 7500, 20, false}, 0}};
    for (int k = 0; k < COUNT(of); k++) {
        struct orr_plugin plugin;
        BODIES b;
        RELEASED_BY(run_release) struct run r;
        const struct scene *scene = &of[k].scene;
        if (of[k].plugin)
            plugin = plugin_named(of[k].plugin);
        else
            assert_done(orr_plugin_load(&plugin, of[k].variant));
        make_scene(&b, scene);
        r = run_made(plugin.variant, devices[0], &b,
                     filled("%s steps=%d%s", of[k].settings, scene->steps,
                            scheme_of(plugin.variant, scene)));
        struct orr_trajectory_of way = way_of(&r, b.eps, b.dt, scene->steps);
        way.euler = scene->euler;
        orr_error_clear();
        if (orr_trajectory_still(&way, &r.out) != of[k].expected)
            fail_msg("%s over %s: %s", of[k].plugin ? of[k].plugin : of[k].variant, scene->set,
                     orr_error_text());
    }
}

static int load(void **state)
{
    return load_variants(NULL, 0);
}

RUN_TESTS(load, unload)
