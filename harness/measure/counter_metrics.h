/* Logical names of an NVIDIA GPU's counters, and the metrics of CUPTI that they are made of. */
#ifndef ORR_COUNTER_METRICS_H
#define ORR_COUNTER_METRICS_H

#include <stdint.h>

#include "measure/counter_source.h"

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
extern const struct orr_counter_group orr_counter_metrics_groups[ORR_COUNTER_KINDS][6];
extern const struct orr_counter_metric orr_counter_metrics_all[ORR_COUNTER_KINDS][16];

/* What no kernel leaves at zero: where it is, nothing was counted. */
extern const char *const orr_counter_metrics_witness[ORR_COUNTER_KINDS];

/* CUPTI's metrics of the groups wanted, each once, and the witness, which is the first. */
enum { ORR_COUNTER_MOST = 32 };
struct orr_counter_names {
    const char *items[ORR_COUNTER_MOST];
    int count;
};
void orr_counter_metrics_names(struct orr_counter_names *out, enum orr_counter_kind kind,
                               uint32_t wanted);
/* Values by logical name from those of `names`; a metric without one leaves its names out. 0 or
 * ORR_EMEMORY. */
int orr_counter_metrics_values(json_t *out, enum orr_counter_kind kind,
                               const struct orr_counter_names *names, const double *values);

#endif
