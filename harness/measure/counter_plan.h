/* What CUPTI's host API says of counters: which metrics a chip has, and in how many passes they are
 * counted. Needs libcupti and no GPU. */
#ifndef ORR_COUNTER_PLAN_H
#define ORR_COUNTER_PLAN_H

#include "device/cupti_profiler.h"
#include "measure/counter_metrics.h"

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
int orr_counter_plan_make(struct orr_counter_plan *out, const char *chip,
                          const uint8_t *availability, enum orr_counter_kind kind, uint32_t wanted);
void orr_counter_plan_release(struct orr_counter_plan *plan);

/* ORR_EUSAGE with the nearest name unless libcupti knows the chip; ORR_EUNSUPPORTED without it. */
int orr_counter_plan_check_chip(const char *chip);
/* Records the code that CUPTI returned for `what`, and what to do about it; ORR_EUNSUPPORTED. */
int orr_counter_plan_fail(orr_cu_enum error, const char *what);

#endif
