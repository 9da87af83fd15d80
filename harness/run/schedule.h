/* SPDX-License-Identifier: MIT */
/* The schedule: gives cells to a referee process one after another, in rounds over all of them,
 * each with a worker process of its own and in another random order; replaces the referee when it
 * is lost, and writes every outcome to the journal. Touches no device itself. */
#ifndef ORR_SCHEDULE_H
#define ORR_SCHEDULE_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>

#include "device/device.h"
#include "plan/cell.h"
#include "worker/child.h"
#include "ledger/journal.h"

struct orr_tally {
    int ok, wrong, failed, unsupported; /* failed: crashed, timed out, no memory, failed */
    int suspect;                        /* right, but their times cannot be */
    int wrong_on_purpose;               /* measured for an audit */
    int left;                           /* measurements not reached, one a cell and round */
    bool interrupted;
};

struct orr_schedule {
    const char *program;     /* that `__referee` is started from */
    struct orr_child *child; /* a running referee or none */
    const struct orr_cell *cells;
    size_t count;
    int rounds;
    const bool *skip; /* skip[(round - 1) * count + place]: need not run; NULL: none */
    struct orr_journal *journal;
    const json_t *devices; /* as the run record has them; NULL: cells are not held against them */
    struct orr_journal_records *records; /* of this journal; grows */
    uint64_t seed;                       /* of the verified targets and of the orders */
    int signals;                         /* signalfd of those that interrupt; -1: none */
    const sigset_t *child_mask;          /* of a new referee */
    /* Both may be NULL. `place` counts from 1 in each round, cells that are skipped included. */
    void (*before)(void *context, int round, size_t place, const struct orr_cell *cell);
    void (*after)(void *context, int round, size_t place, const struct orr_cell *cell,
                  json_t *record);
    void (*remark)(void *context, const char *text); /* something lost that is not a cell */
    void *context;
};

/* Runs what is to be run. 0 also when cells failed or a signal stopped it (the tally says so);
 * negative when no referee can be started or the journal cannot be written. The tally has each cell
 * of the plan once, those measured before included: as the first round that failed, or as all. */
int orr_schedule_run(const struct orr_schedule *schedule, struct orr_tally *out);
/* Compiles the kernels of what is to be run (compile_ahead.c). Returns when all its processes have
 * ended, so that nothing runs beside what is timed next. What goes wrong in them costs the head
 * start only. */
void orr_compile_ahead(const struct orr_schedule *schedule);

/* --- the schedule of `orrery run ceilings`: in each round what every kind of access costs each
 * device, one record a device and round --- */

/* What is asked for, in the place of papers. */
#define ORR_CEILINGS "ceilings"

struct orr_access_plan {
    const struct orr_device_info *const *devices;
    size_t count;
    const bool *skip; /* skip[(round - 1) * count + place]: need not run */
    bool quick;
    double timeout_s; /* of one kind */
    /* More build defines of the kernels, for tests; NULL: none. */
    const char *defines;
    /* Called before each, and with its record behind it. */
    void (*before)(void *context, int round, const struct orr_device_info *device);
    void (*after)(void *context, int round, json_t *record);
};

/* Of the schedule all but its cells counts. As orr_schedule_run; a device that gave no rate has
 * failed. */
int orr_schedule_access(const struct orr_schedule *schedule, const struct orr_access_plan *plan,
                        struct orr_tally *out);
/* How many rates a record of access ceilings has; the others have reasons. */
size_t orr_schedule_access_rates(const json_t *record);

#endif
