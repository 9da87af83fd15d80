/* The schedule: gives cells to a referee process one after another, in rounds over all of them,
 * each with a worker process of its own and in another random order; replaces the referee when it
 * is lost, and writes every outcome to the journal. Touches no device itself. */
#ifndef ORR_SCHEDULE_H
#define ORR_SCHEDULE_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>

#include "plan/plan.h"
#include "run/child.h"
#include "ledger/journal.h"

struct orr_tally {
    int ok, wrong, failed, unsupported; /* failed: crashed, timed out, no memory, failed */
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
    int first;        /* round to begin with; 0: 1 */
    bool one_ceiling; /* that of any round serves all of them */
    const bool *skip; /* skip[(round - 1) * count + place]: need not run; NULL: none */
    struct orr_journal *journal;
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

/* The cells that a request asks for on these devices, or those of its shard. What orr_plan_make
 * returns. */
int orr_schedule_plan(struct orr_plan *out, const struct orr_request *request,
                      const struct orr_device_info *devices, int device_count);
/* Runs what is to be run. 0 also when cells failed or a signal stopped it (the tally says so);
 * negative when no referee can be started or the journal cannot be written. */
int orr_schedule_run(const struct orr_schedule *schedule, struct orr_tally *out);
/* Starts a referee where there is none. */
int orr_schedule_have_referee(const struct orr_schedule *schedule);
/* Writes the record to the journal and keeps it. */
int orr_schedule_keep(const struct orr_schedule *schedule, json_t *record);
/* What is measured next gets a worker of its own. */
void orr_schedule_begin_round(const struct orr_schedule *schedule);
/* Adds one outcome. */
void orr_schedule_count(struct orr_tally *tally, const char *outcome);

#endif
