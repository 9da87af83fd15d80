/* Drives the fujiwara variants on every device present, for the tests of their forces and of their integration.
 * Positions and masses are fresh each run; the seed is printed. */
#ifndef ORR_TEST_FUJIWARA_RUN_H
#define ORR_TEST_FUJIWARA_RUN_H

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

enum { MOST_DEVICES = 8, VARIANTS = 6 };

static const char *const names[VARIANTS] = {"fujiwara/cpu-only",         "fujiwara/cpu-simd",
                                            "fujiwara/no-unrolling",     "fujiwara/simple-unrolling",
                                            "fujiwara/double-unrolling", "fujiwara/optimised"};
static struct orr_plugin plugins[VARIANTS];
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

static inline double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static inline struct orr_bodies random_bodies(size_t n, double eps)
{
    struct orr_bodies b;

    assert_int_equal(orr_bodies_make(&b, n, 3), 0);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            b.pos[d][i] = 2 * uniform() - 1;
            b.vel[d][i] = 0.2 * uniform() - 0.1;
        }
        b.mass[i] = (0.1 + uniform()) / (double)n;
    }
    b.eps = eps;
    b.dt = 0.01;
    orr_bodies_round(&b);
    return b;
}

/* prepare() with settings "a=1 b=2"; returns its code. */
static inline int run_prepare(struct run *r, const struct orr_variant *variant, struct orr_device *device,
                              const struct orr_bodies *bodies, const char *settings)
{
    struct orr_setting list[ORR_MAX_SETTINGS];
    char text[256];
    int count = 0;

    snprintf(text, sizeof text, "%s", settings);
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save), count++)
        assert_int_equal(sscanf(word, "%31[^=]=%63s", list[count].name, list[count].value), 2);
    memset(r, 0, sizeof *r);
    r->variant = variant;
    r->params = calloc(1, variant->params_size);
    r->job = (struct orr_job){.host = &host, .device = device, .bodies = bodies, .params = r->params};
    r->job.state = calloc(1, variant->state_size);
    assert_int_equal(orr_forces_make(&r->out, bodies->n, true), 0);
    orr_error_clear();
    if (orr_params_fill(variant, bodies, list, count, r->params))
        return orr_error_code();
    return variant->prepare(&r->job);
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

static inline void run_make(struct run *r, const struct orr_variant *variant, struct orr_device *device,
                            const struct orr_bodies *bodies, const char *settings)
{
    if (run_prepare(r, variant, device, bodies, settings))
        fail_msg("%s on %s with \"%s\": %s", variant->name, device->info.id, settings, orr_error_text());
    run_step(r, true);
}

/* ax ay az phi of body i, and in sum[4] the sum of the terms' lengths: what fp32 errors are small against. */
static inline void exact(double sum[5], const struct orr_bodies *b, size_t i, double eps)
{
    memset(sum, 0, 5 * sizeof *sum);
    for (size_t j = 0; j < b->n; j++) {
        double d[3], r2 = eps * eps, d2 = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = b->pos[k][j] - b->pos[k][i];
            d2 += d[k] * d[k];
        }
        r2 += d2;
        if (j == i)
            continue;
        for (int k = 0; k < 3; k++)
            sum[k] += b->mass[j] * d[k] / (r2 * sqrt(r2));
        sum[3] -= b->mass[j] / sqrt(r2);
        sum[4] += b->mass[j] * sqrt(d2) / (r2 * sqrt(r2));
    }
}

static inline void check_forces(const struct run *r, const char *what)
{
    const struct orr_bodies *b = r->job.bodies;
    const double *eps = r->params; /* the first member of every variant's parameters */

    assert_true(r->out.has_phi);
    for (size_t i = 0; i < b->n; i++) {
        double sum[5], error = 0;
        exact(sum, b, i, (double)(float)*eps);
        for (int k = 0; k < 3; k++)
            error += pow((double)r->out.acc[k][i] - sum[k], 2);
        if (!(sqrt(error) <= 1e-5 * sum[4] + 1e-30) || !(fabs((double)r->out.phi[i] - sum[3]) <= 1e-5 * fabs(sum[3])))
            fail_msg("%s on %s, %s, n = %zu, body %zu: acc off by %g of %g, phi %g for %g", r->variant->name,
                     r->job.device->info.id, what, b->n, i, sqrt(error), sum[4], (double)r->out.phi[i], sum[3]);
    }
}

/* Calls `each` for every variant on every device that it runs on. */
static inline void everywhere(void (*each)(const struct orr_variant *variant, struct orr_device *device))
{
    for (int v = 0; v < VARIANTS; v++)
        for (int d = 0; d < device_count; d++)
            if (orr_variant_runs_on(plugins[v].variant, &devices[d]->info))
                each(plugins[v].variant, devices[d]);
}

static inline int load(void **state)
{
    struct orr_device_info infos[MOST_DEVICES];

    (void)state;
    for (int v = 0; v < VARIANTS; v++)
        if (orr_plugin_load(&plugins[v], names[v]))
            return -1;
    if (orr_device_list(infos, MOST_DEVICES, &device_count))
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
