/* SPDX-License-Identifier: MIT */
/* Host variants of a paper in several ways: each instruction set, several numbers of threads. */
#ifndef ORR_TEST_HOST_WAYS_H
#define ORR_TEST_HOST_WAYS_H

#include "plugin/params.h"
#include "plugin/plugin.h"
#include "run/verify.h"
#include "tests/cases.h"

struct way {
    const char *variant, *simd; /* NULL: it has no such parameter */
    int threads;
};

enum { MOST_WAYS = 8 };
static const struct way *loaded; /* with plugins[k] for loaded[k] */
static struct orr_plugin plugins[MOST_WAYS];
static struct orr_device *device;

/* One upload and two steps, which must agree to the bit: their result, which the caller releases,
 * and what they cost. False, with nothing to release, when this CPU has not got the instruction
 * set. `settings` has room for one more. */
static inline bool run_way(const struct way *way, const struct orr_bodies *b,
                           struct orr_setting *settings, int count, bool integrates,
                           struct orr_forces *out, struct orr_cost *cost)
{
    const struct orr_variant *variant = plugins[way - loaded].variant;
    const struct orr_host host = {.fail = orr_error_set, .threads = way->threads};
    void *params = calloc(1, variant->params_size);
    struct orr_job job = {.host = &host, .device = device, .bodies = b, .params = params};
    struct orr_forces again;

    if (way->simd) {
        snprintf(settings[count].name, sizeof settings[count].name, "simd");
        snprintf(settings[count].value, sizeof settings[count].value, "%s", way->simd);
        count++;
    }
    job.state = calloc(1, variant->state_size);
    orr_error_clear();
    assert_int_equal(orr_params_fill(variant, b, settings, count, params), 0);
    assert_int_equal(orr_verify_make_forces(out, b->n, integrates) |
                         orr_verify_make_forces(&again, b->n, integrates),
                     0);
    orr_verify_poison_forces(out, b->n);
    orr_verify_poison_forces(&again, b->n);
    const int rc = variant->prepare(&job);
    if (rc != ORR_EUNSUPPORTED) {
        if (rc || variant->upload(&job) || variant->step(&job) || variant->fetch(&job, out) ||
            variant->step(&job) || variant->fetch(&job, &again) || variant->cost(&job, cost))
            fail_msg("%s, simd %s: %s", way->variant, way->simd ? way->simd : "-",
                     orr_error_text());
        for (int d = 0; d < 2; d++)
            assert_memory_equal(out->acc[d], again.acc[d], b->n * sizeof(float));
    }
    variant->release(&job);
    variant->release(&job); /* harmless */
    orr_verify_release_forces(&again);
    if (rc)
        orr_verify_release_forces(out);
    free(job.state);
    free(params);
    return !rc;
}

static inline int load_ways(const struct way *ways, int count)
{
    assert_in_range(count, 0, MOST_WAYS);
    loaded = ways;
    for (int k = 0; k < count; k++)
        if (orr_plugin_load(&plugins[k], ways[k].variant)) {
            printf("%s\n", orr_error_text());
            return -1;
        }
    return orr_device_open(&device, "host");
}

static inline int close_device(void **state)
{
    orr_device_close(device);
    return 0;
}

#endif
