/* SPDX-License-Identifier: MIT */
/* The cell record of the journal (docs/ARCHITECTURE.md), member by member. Each adds what it knows
 * to `record`. */
#ifndef ORR_CELL_RECORD_H
#define ORR_CELL_RECORD_H

#include <jansson.h>

#include "plan/cell.h"
#include "referee/cell_run.h"

/* `record`, identity, data set without its hash, settings as far as they are known as parameters.
 */
json_t *orr_cell_record_begin(const struct orr_cell *cell);
/* Members of a device that make it this one; NULL ends them. */
extern const char *const orr_cell_record_identifying[];
/* Of a device as orr_worker_device_to_json has it, on this machine: 16 hex digits over what makes a
 * time this device's (docs/JOURNAL.md, identity). */
void orr_cell_record_identity(char out[17], const json_t *device);
/* What is known of plugin and device once they are loaded and opened, and of the variant once it is
 * configured. */
void orr_cell_record_run(json_t *record, const struct orr_cell_run *run);
/* One more text of `remarks`: what is odd about a cell and does not make it wrong. */
void orr_cell_record_remark(json_t *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `curve`: with the distributions. */
void orr_cell_record_errors(json_t *record, const struct orr_cell_run *run, bool curve);
/* Times, where there are samples, rates and energy; `cost` is the worker's answer, NULL: the
 * variant knows none. */
void orr_cell_record_measured(json_t *record, const struct orr_measured *measured,
                              const json_t *cost);
/* A cell that is not ok has no time. */
void orr_cell_record_drop_times(json_t *record);
/* Stages of the host, each with the median of its seconds; those within steps with one value a
 * step. Nothing when there were none. */
void orr_cell_record_stages(json_t *record, json_t *outside, json_t *within);
/* `counters`: what counted, a list of sources (counters.h); what is damaged is left out. */
void orr_cell_record_counters(json_t *record, const json_t *sources);
/* `energy`, from the answer to a window of steps. */
void orr_cell_record_joules(json_t *record, const json_t *of);
/* On its way to the schedule, which writes it in front of the cell's: the record of a ceiling that
 * was measured again beside the cell. */
#define ORR_NEWER_CEILING "newer_ceiling"
/* UTC now, ISO 8601. */
void orr_cell_record_now(char out[32]);
/* The outcome that an error code means. */
const char *orr_cell_record_outcome(int code);

/* The record of an extrapolated cell from its source's record (NULL: that one never finished). */
json_t *orr_cell_record_extrapolate(const struct orr_cell *cell, json_t *source);

#endif
