/* Conformance: every variant x every device present x awkward sizes, against the fp64 reference. A new variant is
 * covered by being built. ORRERY_DEVICES ("cuda:0,opencl:0.0") restricts the devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "datasets/dataset.h"
#include "error.h"
#include "names.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "run/worker_course.h"

enum { MOST_PAIRS = 256 };

struct pair {
    char name[128];
    const struct orr_variant *variant;
    char device[32];
};

static struct orr_stock stock;
static uint64_t seed;
static const struct orr_bound bound = {.median = 1e-5, .p99 = 1e-4, .max = 1e-3};

static void assert_good(int code, const char *what, size_t n)
{
    if (code)
        fail_msg("%s at n = %zu, seed %llu: %s (%s)", what, n, (unsigned long long)seed, orr_error_text(),
                 orr_error_where());
}

/* Two bodies of every larger set share a place: legal with softening. */
static void make_bodies(struct orr_bodies *out, const struct orr_variant *variant, size_t n, double eps)
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

/* One cell's course, twice: the second time shows that a step leaves nothing behind. */
static void check(const struct pair *pair, size_t n, double eps, const char *steps)
{
    struct orr_bodies bodies = {0};
    char sha[65];
    make_bodies(&bodies, pair->variant, n, eps);
    orr_bodies_sha256(&bodies, sha);
    struct orr_setting settings[] = {{"steps", ""}, {"dt", "0.001"}};
    snprintf(settings[0].value, sizeof settings[0].value, "%s", steps ? steps : "0");
    struct orr_course course = {.stock = &stock,
                                .variant = pair->variant,
                                .bodies = &bodies,
                                .sha256 = sha,
                                .settings = settings,
                                .setting_count = steps ? 2 : 0,
                                .bound = bound,
                                .seed = seed};
    assert_good(orr_stock_device(&stock, &course.device, pair->device), "device", n);
    int code = orr_course_configure(&course);
    if (!code)
        code = orr_course_prepare(&course);
    for (int round = 0; round < 2 && !code; round++) {
        code = orr_course_step(&course);
        if (!code)
            code = orr_course_fetch(&course);
        if (!code)
            code = orr_course_verify(&course);
    }
    orr_course_release(&course);
    orr_bodies_release(&bodies);
    assert_good(code, pair->name, n);
}

/* acc = accelerations of `b` in fp64. */
static void accelerate(const struct orr_bodies *b, double *const acc[3])
{
    struct orr_sources sources = {b->n, {b->pos[0], b->pos[1], b->pos[2]}, b->mass, b->eps};
    struct orr_reference reference = {0};
    assert_good(orr_reference_make(&reference, &sources, seed), "reference", b->n);
    assert_int_equal(reference.count, b->n);
    for (int d = 0; d < 3; d++)
        memcpy(acc[d], reference.acc[d], b->n * sizeof(double));
    orr_reference_release(&reference);
}

/* x += v * dt over every component. */
static void advance(double *const x[3], double *const v[3], size_t n, double dt)
{
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < n; i++)
            x[d][i] += v[d][i] * dt;
}

/* The scheme of the contract: half a kick, a drift, half a kick. */
static void leap_frog(struct orr_bodies *b, int steps, double dt)
{
    double *acc[3];
    for (int d = 0; d < 3; d++)
        assert_non_null(acc[d] = malloc(b->n * sizeof(double)));
    accelerate(b, acc);
    for (int k = 0; k < steps; k++) {
        advance(b->vel, acc, b->n, dt / 2);
        advance(b->pos, b->vel, b->n, dt);
        accelerate(b, acc);
        advance(b->vel, acc, b->n, dt / 2);
    }
    for (int d = 0; d < 3; d++)
        free(acc[d]);
}

/* `got` must be `end` to 1e-5 of the largest change since `start`. */
static void assert_moved(const struct pair *pair, const char *what, float *const got[3], double *const end[3],
                         double *const start[3], size_t n)
{
    double change = 0, worst = 0;
    for (int d = 0; d < pair->variant->dimensions; d++)
        for (size_t i = 0; i < n; i++) {
            change = fmax(change, fabs(end[d][i] - start[d][i]));
            double error = fabs((double)got[d][i] - end[d][i]);
            worst = error <= worst ? worst : error; /* NaN counts as worst */
        }
    if (!(worst <= 1e-5 * change) || change < 0.01)
        fail_msg("%s, seed %llu: %s off by %g after a change of %g", pair->name, (unsigned long long)seed, what, worst,
                 change);
}

/* A fetch is verified where it says that the bodies are; this asks whether they are where they belong. */
static void check_motion(const struct pair *pair)
{
    enum { N = 257 };
    struct orr_bodies start = {0}, end = {0};
    char sha[65];
    make_bodies(&start, pair->variant, N, 0.25);
    assert_good(orr_bodies_make(&end, N, start.dimensions), "bodies", N);
    for (int k = 0; k < ORR_COLUMNS; k++)
        memcpy(orr_bodies_column(&end, k), orr_bodies_column(&start, k), N * sizeof(double));
    end.eps = start.eps;
    leap_frog(&end, 3, 0.25);
    orr_bodies_sha256(&start, sha);
    struct orr_setting settings[] = {{"steps", "3"}, {"dt", "0.25"}};
    struct orr_course course = {.stock = &stock,
                                .variant = pair->variant,
                                .bodies = &start,
                                .sha256 = sha,
                                .settings = settings,
                                .setting_count = 2,
                                .bound = bound,
                                .seed = seed};
    assert_good(orr_stock_device(&stock, &course.device, pair->device), "device", N);
    assert_good(orr_course_configure(&course), pair->name, N);
    assert_good(orr_course_prepare(&course), pair->name, N);
    assert_good(orr_course_step(&course), pair->name, N);
    assert_good(orr_course_fetch(&course), pair->name, N);
    assert_moved(pair, "positions", course.forces.pos, end.pos, start.pos, N);
    assert_moved(pair, "velocities", course.forces.vel, end.vel, start.vel, N);
    orr_course_release(&course);
    orr_bodies_release(&start);
    orr_bodies_release(&end);
}

static void test_pair(void **state)
{
    const struct pair *pair = *state;
    static const size_t sizes[] = {1, 2, 3, 31, 64, 65, 127, 257, 1000, 1025, 2500};
    orr_error_clear();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        check(pair, sizes[k], 0.01, NULL);
    check(pair, 1 + seed % 997, 0.01, NULL);
    check(pair, 333, 0, NULL);
    if (pair->variant->capabilities & ORR_INTEGRATES) {
        check(pair, 1, 0.05, "3");
        check(pair, 257, 0.05, "3");
        check_motion(pair);
    }
}

static bool runs_on(const struct orr_variant *variant, const struct orr_device_info *device)
{
    const char *only = getenv("ORRERY_DEVICES");
    if (only && !strstr(only, device->id))
        return false;
    return orr_variant_runs_on(variant, device);
}

int main(void)
{
    static struct pair pairs[MOST_PAIRS];
    static struct CMUnitTest tests[MOST_PAIRS];
    struct orr_device_info devices[ORR_STOCK_DEVICES];
    int device_count = 0;
    size_t count = 0;
    char **names = NULL;
    seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    if (orr_device_list(devices, ORR_STOCK_DEVICES, &device_count) || orr_plugin_names(&names)) {
        printf("not ok listing: %s\n", orr_error_text());
        return 1;
    }
    for (char **name = names; *name; name++) {
        const struct orr_plugin *plugin;
        if (orr_stock_plugin(&stock, &plugin, *name)) {
            printf("not ok %s: %s\n", *name, orr_error_text());
            return 1;
        }
        for (int d = 0; d < device_count && count < MOST_PAIRS; d++) {
            if (!runs_on(plugin->variant, &devices[d]))
                continue;
            struct pair *pair = &pairs[count];
            pair->variant = plugin->variant;
            memcpy(pair->device, devices[d].id, sizeof pair->device);
            snprintf(pair->name, sizeof pair->name, "%.64s on %.31s", *name, devices[d].id);
            tests[count++] = (struct CMUnitTest){.name = pair->name, .test_func = test_pair, .initial_state = pair};
        }
    }
    int failed = _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
    orr_names_free(names);
    return failed;
}
