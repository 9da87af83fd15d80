/* SPDX-License-Identifier: MIT */
/* Counters: the processor's by PAPI, an NVIDIA GPU's by CUPTI. Each source counts one step, in one
 * pass or several; every pass is a step of its own over the same input, and none is timed. A source
 * that counts nothing says why. */
#ifndef ORR_COUNTERS_H
#define ORR_COUNTERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"

/* A group is counted together. */
struct orr_counter_group {
    const char *name, *what;
};

/* `state` is the source's own, from open to close. What fails records the error: its text is the
 * reason, which also says what to do about it. */
struct orr_counter_source {
    const char *name;                       /* "cupti" */
    const struct orr_counter_group *groups; /* until a NULL name; bit k of `wanted` is the k-th */
    bool (*suits)(const struct orr_device_info *device); /* it counts steps of that device */
    int (*open)(void **state, const struct orr_counter_source *source, struct orr_device *device,
                uint32_t wanted);
    int (*passes)(const void *state); /* so far: the end of one may ask for more */
    int (*begin)(void *state, int pass);
    int (*end)(void *state, int pass);
    /* The counts of one step: `values` by logical name, `raw` by the source's own names. */
    int (*read)(void *state, json_t *values, json_t *raw);
    void (*close)(void *state); /* also after open failed, with the state it left */
};

/* PAPI counts this thread and those it makes from begin on. Where others are there already it
 * counts nothing, for it cannot count them. CUPTI counts what it patches into kernels apart from
 * what the hardware counts: together they take more passes. */
extern const struct orr_counter_source orr_counters_papi, orr_counters_cupti_patched,
    orr_counters_cupti_hardware;
/* All of them, until NULL. */
extern const struct orr_counter_source *const orr_counters_all[];

/* "auto", "none" or groups and sources, "fp32,shared,papi". ORR_EUSAGE with the nearest name. */
int orr_counters_check(const char *groups);
/* The bits of the source's groups that are asked for; 0: none. */
uint32_t orr_counters_wanted(const struct orr_counter_source *source, const char *groups);

/* The step that is counted. */
struct orr_counted_step {
    int (*restore)(void *context); /* the input, before each pass */
    int (*step)(void *context);    /* and waits for it */
    void *context;
};
/* {source, groups, values, raw} or {source, groups, reason}, with `refused` when it could not even
 * be opened, whatever the step. NULL with the error recorded when the step itself fails. */
json_t *orr_counters_count(const struct orr_counter_source *source, struct orr_device *device,
                           uint32_t wanted, const struct orr_counted_step *of);
/* The same for a source that nobody could ask. */
json_t *orr_counters_refusal(const struct orr_counter_source *source, uint32_t wanted,
                             const char *reason);

/* A row of `orrery list counters`, for json_pack: {name, source, group, metric, what}. */
#define ORR_COUNTERS_ROW "{s:s, s:s, s:s, s:s, s:s}"
/* Starts PAPI, and adds a row for each of its counters that starts here to `rows`, NULL: to none.
 * Why it counts nothing, and what to do about it; "" when a start works. */
const char *orr_counters_papi_start(json_t *rows);

/* --- CUPTI: logical names, the metrics that they are made of, and which of them a chip has; that
 * needs libcupti and no GPU --- */

/* Metrics of one kind are counted together: those that CUPTI counts by instructions it patches into
 * the kernels, and those of the hardware's counters. Together they take more passes than apart. */
enum orr_counter_kind { ORR_COUNTER_PATCHED, ORR_COUNTER_HARDWARE, ORR_COUNTER_KINDS };

/* value = (term + more) / over / bytes */
struct orr_counter_metric {
    const char *name; /* "fp32_fma" */
    const char *group;
    const char *what;
    const char *term, *more; /* NULL: 0 */
    const char *over;        /* NULL: 1 */
    double bytes;            /* of a word, as counting builds count; 0: no bytes are counted */
};

/* Groups and metrics of each kind, until a NULL name. */
extern const struct orr_counter_group orr_counters_cupti_groups[ORR_COUNTER_KINDS][6];
extern const struct orr_counter_metric orr_counters_cupti_metrics[ORR_COUNTER_KINDS][16];

enum { ORR_COUNTER_MOST = 32 };
struct orr_counter_names {
    const char *items[ORR_COUNTER_MOST];
    int count;
};

/* A plan for counting the metrics of one kind on a chip. */
struct orr_counter_plan {
    const struct orr_cupti_profiler_api *api;
    struct CUpti_Profiler_Host_Object *host;
    struct orr_counter_names names; /* those of the chip */
    int asked;                      /* names of the groups wanted */
    uint8_t *image;                 /* the profiler's configuration */
    size_t bytes, passes;
};

/* `availability`: what the system allows on the device; NULL: all that the chip has. Metrics that
 * the chip lacks are left out. ORR_EUNSUPPORTED with what to do about it. Release it whatever is
 * returned. */
int orr_counters_cupti_plan(struct orr_counter_plan *out, const char *chip,
                            const uint8_t *availability, enum orr_counter_kind kind,
                            uint32_t wanted);
void orr_counters_cupti_release_plan(struct orr_counter_plan *plan);

#endif
