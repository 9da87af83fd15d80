/* SPDX-License-Identifier: MIT */
/* Drives the variants of one paper on every device present, for the tests of what they compute. A
 * header of the paper includes this one and names the variants. Bodies are random; the seed
 * is printed. */
#ifndef ORR_TEST_VARIANT_RUN_H
#define ORR_TEST_VARIANT_RUN_H

#include "random_for_tests.h"
#include "plugin/params.h"
#include "plugin/plugin.h"
#include "verify/verify.h"
#include "tests/cases.h"

enum { MOST_DEVICES = 8, MOST_VARIANTS = 8 };

static struct orr_plugin plugins[MOST_VARIANTS];
static int plugin_count;
static struct orr_device *devices[MOST_DEVICES];
static int device_count;
static struct orr_host host = {.fail = orr_error_set, .threads = 2};

/* One variant at work on one device. */
struct run {
    const struct orr_variant *variant;
    struct orr_job job;
    void *params;
    struct orr_forces out;
};

static inline bool has_param(const struct orr_variant *variant, const char *name)
{
    for (size_t k = 0; k < variant->param_count; k++)
        if (!strcmp(variant->params[k].name, name))
            return true;
    return false;
}

/* What is prepared from now on takes the device for a GPU of 132 multiprocessors; false where it
 * cannot run such groups. The caller keeps device->info. */
static inline bool as_large_gpu(struct orr_device *device)
{
    if (device->info.kind != ORR_DEVICE_CPU || device->info.max_group < 1024)
        return false;
    device->info.kind = ORR_DEVICE_GPU;
    device->info.max_group = 1024;
    device->info.local_bytes = 49152;
    device->info.compute_units = 132;
    return true;
}

/* Those of "a=1 b=2"; how many there are. */
static inline int read_settings(struct orr_setting list[ORR_MAX_SETTINGS], const char *settings)
{
    int count = 0, used = 0;

    for (; sscanf(settings, " %31[^=]=%63s%n", list[count].name, list[count].value, &used) == 2;
         count++)
        settings += used;
    assert_true(!settings[strspn(settings, " ")]);
    return count;
}

/* Reads "a=1 b=2" for a variant: trees are there, also of few bodies, unless the settings say
 * otherwise. */
static inline int variant_settings(struct orr_setting list[ORR_MAX_SETTINGS],
                                   const struct orr_variant *variant, const char *settings)
{
    int count = read_settings(list, settings);

    if (has_param(variant, "all_pairs") && !strstr(settings, "all_pairs="))
        list[count++] = (struct orr_setting){"all_pairs", "off"};
    return count;
}

/* prepare() with such settings; returns its code. */
static inline int run_prepare(struct run *r, const struct orr_variant *variant,
                              struct orr_device *device, const struct orr_bodies *bodies,
                              const char *settings)
{
    struct orr_setting list[ORR_MAX_SETTINGS];
    const int count = variant_settings(list, variant, settings);

    memset(r, 0, sizeof *r);
    r->variant = variant;
    r->params = calloc(1, variant->params_size);
    r->job =
        (struct orr_job){.host = &host, .device = device, .bodies = bodies, .params = r->params};
    r->job.state = calloc(1, variant->state_size);
    assert_int_equal(orr_verify_make_forces(&r->out, bodies->n, true), 0);
    orr_error_clear();
    if (orr_params_fill(variant, bodies, list, count, r->params))
        return orr_error_code();
    return variant->prepare(&r->job);
}

/* Once more it does nothing. */
static inline void run_release(struct run *r)
{
    if (!r->variant)
        return;
    r->variant->release(&r->job);
    if (orr_device_check_guards(r->job.device))
        fail_msg("%s: %s", r->variant->name, orr_error_text());
    orr_verify_release_forces(&r->out);
    free(r->job.state);
    free(r->params);
    r->variant = NULL;
}

static inline void run_step(struct run *r, bool upload)
{
    orr_verify_poison_forces(&r->out, r->job.bodies->n);
    if ((upload && r->variant->upload(&r->job)) || r->variant->step(&r->job) ||
        r->variant->fetch(&r->job, &r->out))
        fail_msg("%s: %s", r->variant->name, orr_error_text());
}

/* Prepared, with one step taken. */
static inline struct run run_made(const struct orr_variant *variant, struct orr_device *device,
                                  const struct orr_bodies *bodies, const char *settings)
{
    struct run r;

    if (run_prepare(&r, variant, device, bodies, settings))
        fail_msg("%s on %s with \"%s\": %s", variant->name, device->info.id, settings,
                 orr_error_text());
    run_step(&r, true);
    return r;
}

/* A run that is released where its block ends. */
#define RUN RELEASED_BY(run_release) struct run

/* The same bits. */
static inline void assert_same_forces(const struct run *a, const struct run *b, const char *what)
{
    const size_t bytes = a->job.bodies->n * sizeof(float);
    bool same = !a->out.has_phi || !memcmp(a->out.phi, b->out.phi, bytes);

    for (int d = 0; d < a->variant->dimensions; d++)
        same = same && !memcmp(a->out.acc[d], b->out.acc[d], bytes);
    if (!same)
        fail_msg("%s on %s: other forces, seed %llu", what, b->job.device->info.id,
                 (unsigned long long)seed);
}

/* What a buffer of the run holds. Free it. */
static inline void *fetched(const struct run *r, struct orr_buffer *from, size_t bytes)
{
    void *to = calloc(1, bytes ? bytes : 1);

    assert_done(orr_download(r->job.device, to, from, bytes));
    return to;
}

static inline struct orr_cost cost_of(const struct run *r)
{
    struct orr_cost cost = {0};

    if (r->variant->cost(&r->job, &cost))
        fail_msg("%s: %s", r->variant->name, orr_error_text());
    return cost;
}

static inline double figure_of(const struct orr_cost *cost, const char *name)
{
    for (int k = 0; k < cost->figure_count; k++)
        if (!strcmp(cost->figures[k].name, name))
            return cost->figures[k].value;
    fail_msg("no figure \"%s\"", name);
    return NAN;
}

/* Every run of these settings, and every step, leaves the same bits. */
static inline void check_same_bits(const struct orr_variant *variant, struct orr_device *device,
                                   const struct orr_bodies *bodies, const char *settings)
{
    RUN first = run_made(variant, device, bodies, settings);
    const double interactions = cost_of(&first).interactions;

    assert_true(interactions > 0);
    for (int round = 0; round < (getenv("ORRERY_ALL_TESTS") ? 8 : 3); round++) {
        RUN again = run_made(variant, device, bodies, settings);
        run_step(&again, round % 2);
        assert_same_forces(&first, &again, settings);
        assert_true(cost_of(&again).interactions == interactions);
    }
}

static inline void assert_tree(bool expected, const struct orr_variant *variant,
                               struct orr_device *device, struct orr_bodies *bodies, size_t n,
                               const char *settings)
{
    RUN r;

    bodies->n = n;
    assert_done(run_prepare(&r, variant, device, bodies, settings));
    assert_int_equal(!strstr(r.job.note, "no tree"), expected);
}

/* Few of `many` bodies have no tree, also as if the device were another one. */
static inline void check_trees(const struct orr_variant *variant, struct orr_device *device,
                               struct orr_bodies *many)
{
    const struct orr_device_info kept = device->info;

    assert_tree(false, variant, device, many, 5000, "all_pairs=on");
    assert_tree(true, variant, device, many, 2, "all_pairs=off");
    if (kept.kind == ORR_DEVICE_CPU)
        assert_tree(true, variant, device, many, 2, "all_pairs=auto");
    if (!as_large_gpu(device))
        return;
    device->info.compute_units = 10;
    assert_tree(false, variant, device, many, 1000, "all_pairs=auto");
    assert_tree(true, variant, device, many, 1000, "all_pairs=off");
    assert_tree(true, variant, device, many, 30000, "all_pairs=auto");
    device->info.compute_units = 1;
    assert_tree(true, variant, device, many, 2000, "all_pairs=auto");
    device->info = kept;
}

/* The share of the forces that does not cancel. */
static inline double imbalance(const struct run *r)
{
    const struct orr_bodies *b = r->job.bodies;
    double sum[3] = {0}, lengths = 0;

    for (size_t i = 0; i < b->n; i++) {
        double square = 0;
        for (int d = 0; d < r->variant->dimensions; d++) {
            const double force = b->mass[i] * (double)r->out.acc[d][i];
            sum[d] += force;
            square += force * force;
        }
        lengths += sqrt(square);
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / lengths;
}

/* prepare() fails with `code`, says `text`, and leaves an object that is safe to release. */
static inline void assert_refused(const struct orr_variant *variant, struct orr_device *device,
                                  const struct orr_bodies *bodies, const char *settings, int code,
                                  const char *text)
{
    struct run r;

    assert_int_equal(run_prepare(&r, variant, device, bodies, settings), code);
    if (!*orr_error_text() || !strstr(orr_error_text(), text))
        fail_msg("%s with \"%s\" says \"%s\", not \"%s\"", variant->name, settings,
                 orr_error_text(), text);
    run_release(&r);
    orr_error_clear();
}

/* One way of a host variant: its instruction set, NULL where it has none to choose, and threads. */
struct way {
    const char *variant, *simd;
    int threads;
};

/* Two steps in that way, which must agree to the bit. False, with nothing to release, when this CPU
 * has not got the instruction set. */
static inline bool run_way(struct run *r, const struct way *way, const struct orr_bodies *bodies,
                           const char *settings)
{
    int v = 0, d = 0;

    while (strcmp(plugins[v].variant->name, way->variant) != 0)
        v++;
    while (devices[d]->info.kind != ORR_DEVICE_HOST)
        d++;
    host.threads = way->threads;
    const int rc = run_prepare(
        r, plugins[v].variant, devices[d], bodies,
        filled("%s%s%s", settings, way->simd ? " simd=" : "", way->simd ? way->simd : ""));
    assert_true(!rc || rc == ORR_EUNSUPPORTED);
    if (rc) {
        run_release(r);
    } else {
        const size_t bytes = bodies->n * sizeof(float);
        RELEASED_BY(free_text) float *first = malloc(2 * bytes);
        run_step(r, true);
        for (size_t k = 0; k < 2; k++)
            memcpy(first + k * bodies->n, r->out.acc[k], bytes);
        run_step(r, false);
        for (size_t k = 0; k < 2; k++)
            assert_memory_equal(first + k * bodies->n, r->out.acc[k], bytes);
    }
    return !rc;
}

/* Calls `each` for every variant on every device that it runs on. */
static inline void everywhere(void (*each)(const struct orr_variant *variant,
                                           struct orr_device *device))
{
    for (int v = 0; v < plugin_count; v++)
        for (int d = 0; d < device_count; d++)
            if (orr_plugin_runs_on(plugins[v].variant, &devices[d]->info))
                each(plugins[v].variant, devices[d]);
}

#define TEST_EVERYWHERE(name) \
    TEST_EACH(name, everywhere, const struct orr_variant *variant, struct orr_device *device)

static inline int load_all(const char *const *names, int count)
{
    struct orr_device_info infos[MOST_DEVICES];
    int rc;

    /* Each setting is a build, of which PoCL's optimiser takes seconds. What it makes of the
     * default settings test_conformance sees; of all of them, `make nightly`. */
    if (!getenv("ORRERY_ALL_TESTS"))
        setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 0);
    for (plugin_count = 0; plugin_count < count; plugin_count++)
        if ((rc = orr_plugin_load(&plugins[plugin_count], names[plugin_count])))
            return rc;
    device_count = orr_device_list(infos, MOST_DEVICES);
    for (int d = 0; d < device_count; d++)
        if ((rc = orr_device_open(&devices[d], infos[d].id)))
            return rc;
    return 0;
}

/* Set-up of a group of tests; says what failed. */
static inline int load_variants(const char *const *names, int count)
{
    int rc = load_all(names, count);

    if (rc)
        printf("%s\n", orr_error_text());
    return rc;
}

static inline int unload(void **state)
{
    for (int d = 0; d < device_count; d++)
        orr_device_close(devices[d]);
    return 0;
}

/* The main of the tests of these variants. */
#define RUN_TESTS_OF(...)                                          \
    static int load(void **state)                                  \
    {                                                              \
        static const char *const names[] = {__VA_ARGS__};          \
        return load_variants(names, sizeof names / sizeof *names); \
    }                                                              \
    RUN_TESTS(load, unload)

#endif
