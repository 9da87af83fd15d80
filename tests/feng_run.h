/* Drives feng/barnes-hut on every device present and brings its arrays back, for the tests of tree and forces. */
#ifndef ORR_TEST_FENG_RUN_H
#define ORR_TEST_FENG_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "plan/params.h"
#include "plugin/plugin.h"
#include "run/verify.h"
#include "variants/feng/shared/device_pipeline.h"

enum { MOST_DEVICES = 8 };
static struct orr_plugin plugin;
static struct orr_device *devices[MOST_DEVICES];
static int device_count;
static unsigned long long seed;
static const struct orr_host host = {.fail = orr_error_set, .threads = 2};

/* The variant at work on one device. */
struct run {
    struct orr_job job;
    struct feng_pipeline_params params;
    struct feng_pipeline state;
    struct orr_forces out;
};

static inline double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* prepare() with settings "a=1 b=2"; returns its code. */
static inline int run_prepare(struct run *r, struct orr_device *device, const struct orr_bodies *bodies,
                              const char *settings)
{
    struct orr_setting list[ORR_MAX_SETTINGS];
    char text[256];
    int count = 0;

    snprintf(text, sizeof text, "%s", settings);
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save), count++)
        assert_int_equal(sscanf(word, "%31[^=]=%63s", list[count].name, list[count].value), 2);
    memset(r, 0, sizeof *r);
    assert_int_equal(plugin.variant->params_size, sizeof r->params);
    assert_int_equal(plugin.variant->state_size, sizeof r->state);
    r->job =
        (struct orr_job){.host = &host, .device = device, .bodies = bodies, .params = &r->params, .state = &r->state};
    assert_int_equal(orr_forces_make(&r->out, bodies->n, bodies->dt != 0), 0);
    orr_error_clear();
    if (orr_params_fill(plugin.variant, bodies, list, count, &r->params))
        return orr_error_code();
    return plugin.variant->prepare(&r->job);
}

static inline void run_step(struct run *r)
{
    orr_forces_poison(&r->out, r->job.bodies->n);
    if (plugin.variant->upload(&r->job) || plugin.variant->step(&r->job) || plugin.variant->fetch(&r->job, &r->out))
        fail_msg("%s", orr_error_text());
}

static inline void run_make(struct run *r, struct orr_device *device, const struct orr_bodies *bodies,
                            const char *settings)
{
    if (run_prepare(r, device, bodies, settings))
        fail_msg("%s with \"%s\": %s", device->info.id, settings, orr_error_text());
    run_step(r);
}

static inline void run_release(struct run *r)
{
    plugin.variant->release(&r->job);
    orr_forces_release(&r->out);
}

/* Calls `each` for every device that the variant runs on. */
static inline void everywhere(void (*each)(struct orr_device *device))
{
    for (int d = 0; d < device_count; d++)
        if (orr_variant_runs_on(plugin.variant, &devices[d]->info))
            each(devices[d]);
}

static inline int load(void **state)
{
    struct orr_device_info infos[MOST_DEVICES];
    int rc = orr_plugin_load(&plugin, "feng/barnes-hut");

    (void)state;
    if (!rc)
        rc = orr_device_list(infos, MOST_DEVICES, &device_count);
    if (device_count > MOST_DEVICES)
        device_count = MOST_DEVICES;
    for (int d = 0; d < device_count && !rc; d++)
        rc = orr_device_open(&devices[d], infos[d].id);
    if (rc)
        printf("%s\n", orr_error_text());
    return rc;
}

static inline int unload(void **state)
{
    (void)state;
    for (int d = 0; d < device_count; d++)
        orr_device_close(devices[d]);
    return 0;
}

/* The arrays of a tree in host memory. */
struct tree {
    int32_t n, root, *child, *parent, *bodies, *next, *order;
    float *x, *y, *mass;
    const struct run *run;
};

static inline void *fetched(const struct run *r, struct orr_buffer *from, size_t count)
{
    void *to = calloc(count, 4);

    assert_non_null(to);
    if (orr_download(r->job.device, to, from, 4 * count))
        fail_msg("%s", orr_error_text());
    return to;
}

static inline struct tree tree_of(const struct run *r)
{
    const struct feng_pipeline *s = &r->state;
    const size_t n = s->soa.n, pool = s->pool;

    return (struct tree){.n = (int32_t)n,
                         .root = (int32_t)(n + pool - 1),
                         .child = fetched(r, s->child, 4 * pool),
                         .parent = fetched(r, s->parent, pool),
                         .bodies = fetched(r, s->bodies, pool),
                         .next = fetched(r, s->next, n),
                         .order = fetched(r, s->order, n),
                         .x = fetched(r, s->soa.pos[0], n + pool),
                         .y = fetched(r, s->soa.pos[1], n + pool),
                         .mass = fetched(r, s->soa.mass, n + pool),
                         .run = r};
}

static inline void tree_release(struct tree *t)
{
    void *const arrays[] = {t->child, t->parent, t->bodies, t->next, t->order, t->x, t->y, t->mass};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}

#endif
