/* SPDX-License-Identifier: MIT */
/* Conformance: every variant x every device present x awkward sizes, against the fp64 reference. A
 * new variant is covered by being built. ORRERY_DEVICES ("cuda:0,opencl:0.0") restricts the
 * devices. */
#include "datasets/dataset.h"
#include "error.h"
#include "names.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "json_member.h"
#include "referee/cell_run.h"
#include "tests/cases.h"
#include "tests/referee_for_tests.h"
#include "tests/random_for_tests.h"

enum { MOST_PAIRS = 256 };

struct pair {
    char name[128];
    const struct orr_variant *variant;
    char device[32];
};

static struct orr_referee *referee;
static const struct orr_bound bound = {.median = 1e-5, .p99 = 1e-4, .max = 1e-3};
enum { MOST_SETTINGS = 4, MOST_DEVICES = 32 };

static void assert_good(int code, const char *what, size_t n)
{
    if (code)
        fail_msg("%s at n = %zu, seed %llu: %s (%s)", what, n, (unsigned long long)seed,
                 orr_error_text(), orr_error_where());
}

static bool is_tree(const struct pair *pair)
{
    return pair->variant->capabilities & ORR_TREE_CODE;
}

static bool has(const struct pair *pair, const char *param)
{
    for (size_t k = 0; k < pair->variant->param_count; k++)
        if (!strcmp(pair->variant->params[k].name, param))
            return true;
    return false;
}

/* Two bodies of every larger set share a place: legal with softening. */
static void make_bodies(struct orr_bodies *out, const struct orr_variant *variant, size_t n,
                        double eps)
{
    assert_good(orr_dataset_make(out, "random-3d", n, seed), "data set", n);
    out->eps = eps;
    if (variant->dimensions == 2) {
        out->dimensions = 2;
        memset(out->pos[2], 0, n * sizeof(double));
        memset(out->vel[2], 0, n * sizeof(double));
    }
    if (n > 40 && eps > 0)
        for (int d = 0; d < 3; d++)
            out->pos[d][n - 1] = out->pos[d][7];
}

static struct orr_cell_run run_of(const struct pair *pair, const struct orr_bodies *bodies,
                                  const char *sha, const struct orr_setting *settings, int count)
{
    struct orr_cell_run run = {.referee = referee,
                               .variant = pair->variant->name,
                               .device = pair->device,
                               .bodies = bodies,
                               .sha256 = sha,
                               .setting_count = count,
                               .bound = bound,
                               .targets = {.seed = seed}};
    for (int k = 0; k < count; k++)
        run.settings[k] = settings[k];
    return run;
}

/* One cell's run, twice, held to what every variant is held to or to what its paper says: the
 * second time shows that a step leaves nothing behind. Over bodies made in boxes then the counting
 * build, if the variant has one, which must compute the same. No kernel may write beside its
 * buffers, and no buffer may be left. */
static void check_within(bool exact, const struct pair *pair, const struct orr_bodies *bodies,
                         const struct orr_setting *settings, int setting_count)
{
    char sha[65], what[256];
    json_t *counts = NULL;
    orr_bodies_sha256(bodies, sha);
    struct orr_cell_run run = run_of(pair, bodies, sha, settings, setting_count);
    int code = set_out(&run);
    if (!code && !exact)
        code = orr_cell_run_bound(&run);
    for (int round = 0; round < 2 && !code; round++) {
        code = step_once(&run);
        if (!code)
            code = orr_cell_run_verify(&run);
    }
    if (!code && pair->variant->count && bodies->edge > 0)
        code = orr_cell_run_count(&run, &counts);
    json_decref(counts);
    json_t *parting = NULL;
    if (!code)
        code = orr_cell_run_close(&run, &parting);
    referee->replace = code != 0;
    json_int_t left = orr_json_integer(parting, "buffers");
    json_decref(parting);
    snprintf(what, sizeof what, "%s with eps = %g, level %d", pair->name, run.eps, run.level);
    if (is_tree(pair))
        snprintf(what, sizeof what, "%s with eps = %g, theta = %s", pair->name, run.eps,
                 settings[setting_count - 1].value);
    orr_cell_run_release(&run);
    assert_good(code, what, bodies->n);
    if (left)
        fail_msg("%s, n = %zu: %lld buffers were not freed", what, bodies->n, (long long)left);
}

/* At this theta; `settings` have room for it. */
static void check_at(const char *theta, bool exact, const struct pair *pair,
                     const struct orr_bodies *bodies, struct orr_setting *settings, int count)
{
    settings[count] = (struct orr_setting){.name = "theta"};
    snprintf(settings[count].value, sizeof settings->value, "%s", theta);
    check_within(exact, pair, bodies, settings, count + 1);
}

/* Tree codes as direct sums, and as what they are; those that have no tree of few bodies with and
 * without. */
static void check(const struct pair *pair, const struct orr_bodies *bodies,
                  const struct orr_setting *settings, int setting_count)
{
    if (!is_tree(pair)) {
        check_within(true, pair, bodies, settings, setting_count);
        return;
    }
    struct orr_setting all[MOST_SETTINGS] = {{"", ""}};
    const bool direct = has(pair, "all_pairs");
    memcpy(all, settings, (size_t)setting_count * sizeof *all);
    if (direct)
        all[setting_count++] = (struct orr_setting){"all_pairs", "off"};
    check_at("0", true, pair, bodies, all, setting_count);
    check_at("0.5", false, pair, bodies, all, setting_count);
    if (direct) {
        all[setting_count - 1] = (struct orr_setting){"all_pairs", "on"};
        check_at("0.5", true, pair, bodies, all, setting_count);
    }
}

/* Random bodies; steps > 0 integrates. */
static void check_random(const struct pair *pair, size_t n, double eps, const char *steps)
{
    BODIES bodies = {0};
    struct orr_setting settings[] = {{"steps", ""}, {"dt", "0.001"}};
    make_bodies(&bodies, pair->variant, n, eps);
    snprintf(settings[0].value, sizeof settings[0].value, "%s", steps ? steps : "0");
    check(pair, &bodies, settings, steps ? 2 : 0);
}

static struct orr_setting level_setting(int level)
{
    struct orr_setting setting = {.name = "level"};
    snprintf(setting.value, sizeof setting.value, "%d", level);
    return setting;
}

/* Random bodies in boxes of `level`: many in some, none in others. */
static void check_level(const struct pair *pair, size_t n, double eps, int level)
{
    BODIES bodies = {0};
    struct orr_setting setting = level_setting(level);
    make_bodies(&bodies, pair->variant, n, eps);
    check(pair, &bodies, &setting, 1);
}

/* The data set that the published numbers are of. */
static void check_boxes(const struct pair *pair, int level, size_t per_box)
{
    BODIES bodies = {0};
    struct orr_setting setting = level_setting(level);
    size_t n = per_box << 2 * level;
    assert_good(orr_dataset_make_boxes(&bodies, "uniform-boxes", n, level, seed), "uniform-boxes",
                n);
    check(pair, &bodies, &setting, 1);
}

/* `got` must be `end` to 1e-5 of the largest change since `start`. */
static void assert_moved(const struct pair *pair, const char *what, float *const got[3],
                         double *const end[3], double *const start[3], size_t n)
{
    double change = 0, worst = 0;
    for (int d = 0; d < pair->variant->dimensions; d++)
        for (size_t i = 0; i < n; i++) {
            change = fmax(change, fabs(end[d][i] - start[d][i]));
            double error = fabs((double)got[d][i] - end[d][i]);
            worst = error <= worst ? worst : error; /* NaN counts as worst */
        }
    if (!(worst <= 1e-5 * change) || change < 0.01)
        fail_msg("%s, seed %llu: %s off by %g after a change of %g", pair->name,
                 (unsigned long long)seed, what, worst, change);
}

/* A fetch is verified where it says that the bodies are; this asks whether they are where they
 * belong. */
static void check_motion_by(const struct pair *pair, const char *param, const char *value)
{
    enum { N = 257 };
    struct orr_bodies start = {0};
    struct orr_trajectory end;
    char sha[65];
    make_bodies(&start, pair->variant, N, 0.25);
    orr_bodies_sha256(&start, sha);
    const struct orr_trajectory_of of = {.bodies = &start,
                                         .sha256 = sha,
                                         .eps = start.eps,
                                         .dt = 0.25,
                                         .steps = 3,
                                         .euler = !strcmp(value, "euler")};
    assert_good(orr_trajectory_make(&end, &of), "trajectory", N);
    struct orr_setting settings[4] = {{"steps", "3"}, {"dt", "0.25"}};
    int count = 2;
    if (is_tree(pair))
        settings[count++] = (struct orr_setting){"theta", "0"};
    if (*param) {
        strcpy(settings[count].name, param);
        strcpy(settings[count++].value, value);
    }
    struct orr_cell_run run = run_of(pair, &start, sha, settings, count);
    assert_good(set_out(&run), pair->name, N);
    assert_good(step_once(&run), pair->name, N);
    assert_moved(pair, "positions", run.forces.pos, end.pos, start.pos, N);
    assert_moved(pair, "velocities", run.forces.vel, end.vel, start.vel, N);
    assert_good(orr_cell_run_verify(&run), pair->name, N);
    assert_good(orr_cell_run_close(&run, NULL), pair->name, N);
    orr_cell_run_release(&run);
    orr_trajectory_release(&end);
    orr_bodies_release(&start);
}

/* By each scheme that it has, on each side that it integrates on. */
static void check_motion(const struct pair *pair)
{
    static const char *const ways[][2] = {{"integrator", "leapfrog"},
                                          {"integrator", "euler"},
                                          {"integrate", "host"},
                                          {"integrate", "device"}};
    if (!has(pair, "integrator"))
        check_motion_by(pair, "", "");
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (has(pair, ways[k][0]))
            check_motion_by(pair, ways[k][0], ways[k][1]);
}

static const size_t sizes[] = {1, 2, 3, 65, 257, 1025, 2500};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* At levels where every box holds more than any group or tile, and where most are empty. A kernel
 * is built for each of these, so every size meets one level a run, which the seed chooses. */
static void check_near_field(const struct pair *pair)
{
    int levels[] = {0, 1, 2, 3 + (int)(seed % 4)};
    for (size_t k = 0; k < SIZES; k++)
        check_level(pair, sizes[k], 0.01, levels[(k + seed) % 4]);
    check_level(pair, 2500, 0.01, 0);
    check_level(pair, 2500, 0.01, 1);
    check_level(pair, 333, 0, 2);
    check_boxes(pair, 0, 65);
    check_boxes(pair, 2, 1);
    check_boxes(pair, 2, 33);
}

static void test_pair(void **state)
{
    const struct pair *pair = *state;
    bool near = pair->variant->capabilities & ORR_NEAR_FIELD;
    orr_error_clear();
    for (size_t k = 0; k < SIZES; k += near ? SIZES - 1 : 1)
        check_random(pair, sizes[k], 0.01, NULL);
    check_random(pair, 1 + seed % 997, 0.01, NULL);
    check_random(pair, 333, 0, NULL);
    if (near)
        check_near_field(pair);
    if (pair->variant->capabilities & ORR_INTEGRATES) {
        check_random(pair, 1, 0.05, "3");
        check_random(pair, 257, 0.05, "3");
        check_motion(pair);
    }
}

static bool runs_on(const struct orr_variant *variant, const struct orr_device_info *device)
{
    const char *only = getenv("ORRERY_DEVICES");
    if (only && !strstr(only, device->id))
        return false;
    return orr_plugin_runs_on(variant, device);
}

int main(void)
{
    static struct pair pairs[MOST_PAIRS];
    static struct CMUnitTest tests[MOST_PAIRS];
    struct orr_device_info devices[MOST_DEVICES];
    int device_count = orr_device_list(devices, MOST_DEVICES);
    size_t count = 0;
    char **names = NULL;
    if (orr_plugin_names(&names)) {
        printf("not ok listing: %s\n", orr_error_text());
        return 1;
    }
    for (char **name = names; *name; name++) {
        struct orr_plugin plugin; /* stays loaded */
        if (orr_plugin_load(&plugin, *name)) {
            printf("not ok %s: %s\n", *name, orr_error_text());
            return 1;
        }
        for (int d = 0; d < device_count && count < MOST_PAIRS; d++) {
            if (!runs_on(plugin.variant, &devices[d]))
                continue;
            struct pair *pair = &pairs[count];
            pair->variant = plugin.variant;
            memcpy(pair->device, devices[d].id, sizeof pair->device);
            snprintf(pair->name, sizeof pair->name, "%.64s on %.31s", *name, devices[d].id);
            tests[count++] = (struct CMUnitTest){
                .name = pair->name, .test_func = test_pair, .initial_state = pair};
        }
    }
    referee = make_referee();
    int failed = _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
    end_referee(referee);
    orr_names_free(names);
    return failed;
}
