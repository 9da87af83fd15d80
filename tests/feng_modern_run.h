/* Drives feng/barnes-hut-modern and feng/exact on every device present. Bodies are fresh each run; the seed is printed.
 */
#ifndef ORR_TEST_FENG_MODERN_RUN_H
#define ORR_TEST_FENG_MODERN_RUN_H

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

#include "plan/params.h"
#include "plugin/plugin.h"
#include "run/verify.h"

enum { MOST_DEVICES = 8 };
static struct orr_plugin modern, exact;
static struct orr_device *devices[MOST_DEVICES];
static int device_count;
static unsigned long long seed;
static const struct orr_host host = {.fail = orr_error_set, .threads = 2};

/* One variant at work on one device. */
struct run {
    const struct orr_variant *variant;
    struct orr_job job;
    void *params;
    struct orr_forces out;
};

static inline uint64_t next_random(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return seed >> 11;
}

static inline double uniform(void)
{
    return (double)next_random() / 9007199254740992.0;
}

static inline struct orr_bodies random_bodies(size_t n, double width, double eps)
{
    struct orr_bodies b;

    assert_int_equal(orr_bodies_make(&b, n, 2), 0);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 2; d++)
            b.pos[d][i] = width * (uniform() - 0.5);
        b.mass[i] = 0.1 + 99.9 * uniform();
    }
    b.eps = eps;
    b.dt = 0.01;
    orr_bodies_round(&b);
    return b;
}

/* prepare() with settings "a=1 b=2"; returns its code. */
static inline int run_prepare(struct run *r, const struct orr_plugin *plugin, struct orr_device *device,
                              const struct orr_bodies *bodies, const char *settings)
{
    struct orr_setting list[ORR_MAX_SETTINGS];
    char text[256];
    int count = 0;

    snprintf(text, sizeof text, "%s", settings);
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save), count++)
        assert_int_equal(sscanf(word, "%31[^=]=%63s", list[count].name, list[count].value), 2);
    memset(r, 0, sizeof *r);
    r->variant = plugin->variant;
    r->params = calloc(1, r->variant->params_size);
    r->job = (struct orr_job){.host = &host, .device = device, .bodies = bodies, .params = r->params};
    r->job.state = calloc(1, r->variant->state_size);
    assert_int_equal(orr_forces_make(&r->out, bodies->n, true), 0);
    orr_error_clear();
    if (orr_params_fill(r->variant, bodies, list, count, r->params))
        return orr_error_code();
    return r->variant->prepare(&r->job);
}

static inline void run_release(struct run *r)
{
    r->variant->release(&r->job);
    orr_forces_release(&r->out);
    free(r->job.state);
    free(r->params);
}

static inline void run_step(struct run *r, bool upload)
{
    orr_forces_poison(&r->out, r->job.bodies->n);
    if ((upload && r->variant->upload(&r->job)) || r->variant->step(&r->job) || r->variant->fetch(&r->job, &r->out))
        fail_msg("%s: %s", r->variant->name, orr_error_text());
}

static inline void run_make(struct run *r, const struct orr_plugin *plugin, struct orr_device *device,
                            const struct orr_bodies *bodies, const char *settings)
{
    if (run_prepare(r, plugin, device, bodies, settings))
        fail_msg("%s on %s with \"%s\": %s", plugin->variant->name, device->info.id, settings, orr_error_text());
    run_step(r, true);
}

/* ax ay on body i, and in sum[2] the sum of the terms' lengths: what fp32 errors are small against. */
static inline void direct(double sum[3], const struct orr_bodies *b, size_t i)
{
    double eps = (double)(float)b->eps;

    memset(sum, 0, 3 * sizeof *sum);
    for (size_t j = 0; j < b->n; j++) {
        double dx = b->pos[0][j] - b->pos[0][i], dy = b->pos[1][j] - b->pos[1][i];
        double r2 = dx * dx + dy * dy + eps * eps, s = b->mass[j] / (r2 * sqrt(r2));
        if (j == i || b->mass[j] == 0)
            continue;
        sum[0] += s * dx;
        sum[1] += s * dy;
        sum[2] += s * sqrt(dx * dx + dy * dy);
    }
}

/* Forces must be the direct sums, to `bound` of the terms' lengths. */
static inline void check_direct(const struct run *r, const char *what, double bound)
{
    const struct orr_bodies *b = r->job.bodies;

    assert_false(r->out.has_phi);
    for (size_t i = 0; i < b->n; i++) {
        double sum[3];
        direct(sum, b, i);
        double error = hypot((double)r->out.acc[0][i] - sum[0], (double)r->out.acc[1][i] - sum[1]);
        if (!(error <= bound * sum[2] + 1e-30))
            fail_msg("%s on %s, %s, n = %zu, body %zu: off by %g of %g", r->variant->name, r->job.device->info.id, what,
                     b->n, i, error, sum[2]);
    }
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median of the relative errors of n accelerations against `truth`. */
static inline double median_error(const double (*got)[2], const double (*truth)[2], size_t n)
{
    double *errors = malloc(n * sizeof *errors), median;

    for (size_t i = 0; i < n; i++)
        errors[i] = hypot(got[i][0] - truth[i][0], got[i][1] - truth[i][1]) / hypot(truth[i][0], truth[i][1]);
    qsort(errors, n, sizeof *errors, compare_doubles);
    median = errors[n / 2];
    free(errors);
    return median;
}

/* Calls `each` for every device that kernels run on. */
static inline void everywhere(void (*each)(struct orr_device *device))
{
    for (int d = 0; d < device_count; d++)
        if (orr_variant_runs_on(modern.variant, &devices[d]->info))
            each(devices[d]);
}

static inline int load(void **state)
{
    struct orr_device_info infos[MOST_DEVICES];

    (void)state;
    if (orr_plugin_load(&modern, "feng/barnes-hut-modern") || orr_plugin_load(&exact, "feng/exact") ||
        orr_device_list(infos, MOST_DEVICES, &device_count))
        return -1;
    if (device_count > MOST_DEVICES)
        device_count = MOST_DEVICES;
    for (int d = 0; d < device_count; d++)
        if (orr_device_open(&devices[d], infos[d].id))
            return -1;
    return 0;
}

static inline int unload(void **state)
{
    (void)state;
    for (int d = 0; d < device_count; d++)
        orr_device_close(devices[d]);
    return 0;
}

static inline void print_seed(void)
{
    seed = (unsigned long long)time(NULL);
    printf("seed %llu\n", seed);
}

#endif
