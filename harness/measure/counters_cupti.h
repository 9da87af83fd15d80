/* Logical names of an NVIDIA GPU's counters, the metrics of CUPTI that they are made of, and which
 * of them a chip has: that needs libcupti and no GPU. */
#ifndef ORR_COUNTERS_CUPTI_H
#define ORR_COUNTERS_CUPTI_H

#include "device/cupti_profiler.h"
#include "measure/counters.h"

/* Metrics of one kind are counted together: those that CUPTI counts by instructions it patches into
 * the kernels, and those of the hardware's counters. Together they take more passes than apart. */
enum orr_counter_kind { ORR_COUNTER_PATCHED, ORR_COUNTER_HARDWARE, ORR_COUNTER_KINDS };

enum { ORR_COUNTER_TERMS = 2 };
/* value = scale * (sum of the terms) / over */
struct orr_counter_metric {
    const char *name; /* "fp32_fma" */
    const char *group;
    const char *what;
    const char *terms[ORR_COUNTER_TERMS]; /* NULL: no more */
    double scale;
    const char *over; /* NULL: 1 */
};

/* Groups and metrics of each kind, until a NULL name. */
extern const struct orr_counter_group orr_counters_cupti_groups[ORR_COUNTER_KINDS][6];
extern const struct orr_counter_metric orr_counters_cupti_metrics[ORR_COUNTER_KINDS][16];

/* CUPTI's metrics of the groups wanted, each once; the first is one that no kernel leaves at 0. */
enum { ORR_COUNTER_MOST = 32 };
struct orr_counter_names {
    const char *items[ORR_COUNTER_MOST];
    int count;
};
void orr_counters_cupti_names(struct orr_counter_names *out, enum orr_counter_kind kind,
                              uint32_t wanted);

/* How to count metrics of one kind on a chip. */
struct orr_counter_plan {
    const struct orr_cupti_profiler_api *api;
    struct CUpti_Profiler_Host_Object *host;
    struct orr_counter_names names; /* those of the chip */
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

/* ORR_EUSAGE with the nearest name unless libcupti knows the chip; ORR_EUNSUPPORTED without it. */
int orr_counters_cupti_check_chip(const char *chip);
#endif
