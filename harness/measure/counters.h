/* Counters: the processor's by PAPI, an NVIDIA GPU's by CUPTI. Each source counts one step, in one
 * pass or several; every pass is a step of its own over the same input, and none is timed. A source
 * that counts nothing says why. */
#ifndef ORR_COUNTERS_H
#define ORR_COUNTERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"

/* What is counted together. */
struct orr_counter_group {
    const char *name, *what;
};

/* `state` is the source's own, from open to close. What fails records the error: its text is the
 * reason, which also says what to do about it. */
struct orr_counter_source {
    const char *name;                       /* "cupti" */
    const struct orr_counter_group *groups; /* until a NULL name; bit k of `wanted` is the k-th */
    bool (*suits)(const struct orr_device_info *device); /* it counts steps of that device */
    int (*open)(void **state, struct orr_device *device, uint32_t wanted);
    int (*passes)(const void *state); /* so far: the end of one may ask for more */
    int (*begin)(void *state, int pass);
    int (*end)(void *state, int pass);
    /* Of one step: `values` by logical name, `raw` by the source's own names. */
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
/* Those of its groups that are asked for; 0: none. */
uint32_t orr_counters_wanted(const struct orr_counter_source *source, const char *groups);

/* The step that is counted. */
struct orr_counted_step {
    int (*restore)(void *context); /* the input, before each pass */
    int (*step)(void *context);    /* and waits for it */
    void *context;
};
/* {source, groups, values, raw} or {source, groups, reason}, with `refused` when it could not even
 * be opened, whatever the step. NULL with the error recorded when the step itself fails, or on no
 * memory. */
json_t *orr_counters_count(const struct orr_counter_source *source, struct orr_device *device,
                           uint32_t wanted, const struct orr_counted_step *of);
/* The same for a source that nobody could ask. */
json_t *orr_counters_refusal(const struct orr_counter_source *source, uint32_t wanted,
                             const char *reason);

/* Calls `each` for every counter of PAPI that starts here: its logical name, its group, PAPI's name
 * and what it counts. None where orr_counters_papi_missing() says why. */
int orr_counters_papi_list(int (*each)(const char *const words[4], void *context), void *context);
/* Why PAPI counts nothing, and what to do about it; "" when a start works. Starts it. */
const char *orr_counters_papi_missing(void);

#endif
