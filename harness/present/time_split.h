/* Where the time of a force evaluation goes: the host's own stages, the device's phases, and the
 * whole of it. */
#ifndef ORR_TIME_SPLIT_H
#define ORR_TIME_SPLIT_H

#include "present/document.h"
#include "present/lines.h"
#include "present/phases.h"
#include "present/stages.h"

struct orr_time_split {
    double host, device,
        whole; /* seconds of one evaluation; the rest is launches and waiting. NAN: not known */
};

/* What splitting a scope's results takes. */
struct orr_time_splitter {
    const struct orr_scope *scope;
    struct orr_stages stages;
    struct orr_phases phases;
};

int orr_time_splitter_make(struct orr_time_splitter *out, const struct orr_scope *scope);
/* Of an extrapolated or failed cell nothing but the whole is known, if that. */
int orr_time_split_of(struct orr_time_split *out, const struct orr_time_splitter *splitter,
                      const struct orr_result *result);
/* Median seconds of one phase in an evaluation; NAN where the cell does not have it. 0 or a
 * negative code. */
int orr_time_of_phase(double *out, const struct orr_time_splitter *splitter,
                      const struct orr_result *result, const char *phase);
/* A grid of parts: each stage and phase where there are few lines, else the host and the device as
 * wholes. None where there is nothing to divide. */
int orr_time_parts_add(struct orr_document *out, const struct orr_time_splitter *splitter,
                       const struct orr_results *results, const struct orr_lines *lines);
/* Tables of all this: parts down, inputs across; times and speedups; and every cell. */
int orr_time_tables_add(struct orr_document *out, const struct orr_scope *scope,
                        const struct orr_results *results);

#endif
