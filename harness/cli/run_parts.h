/* SPDX-License-Identifier: MIT */
/* Parts of `orrery run`. */
#ifndef ORR_CLI_RUN_PARTS_H
#define ORR_CLI_RUN_PARTS_H

#include "cli/cli.h"
#include "ledger/journal.h"
#include "measure/device_lock.h"
#include "plan/plan.h"
#include "run/progress.h"
#include "run/schedule.h"

struct orr_run_options {
    struct orr_request asked; /* what a fresh run asks for, as far as it needs no conversion */
    const char *resume, *root, *machine, *shard, *campaign;
    double seed, repeats, ranks;
    bool go_on, failed, dry_run, json, sandbox, energy, no_energy, no_wait;
};

struct orr_run {
    struct orr_run_options options;
    struct orr_worker_session session;
    struct orr_request request; /* that of the options, or owns its strings when `resumed` */
    bool resumed;
    char machine[128], folder[1024],
        path[1024];       /* path: of the journal to go on with, "" for a fresh one */
    struct orr_plan plan; /* of ceilings only its rounds */
    struct {
        const struct orr_device_info *devices[ORR_DEVICE_MOST];
        size_t count; /* 0: the run is of cells */
    } ceilings;
    struct orr_journal_records records;
    bool *skip; /* as in run/schedule.h */
    struct orr_journal journal;
    struct orr_progress progress;
    struct orr_device_locks locks;
    size_t ended, wanted; /* measurements of this session, rounds of cells */
    bool busy;            /* the worker is in a cell */
};

/* Everything up to the first cell: request, devices, plan, folder, finished cells. */
int orr_run_prepare(struct orr_run *run);
/* Waits until no other run measures on these devices and keeps them until the locks are released;
 * with --no-wait ORR_EBUSY. */
int orr_run_lock(struct orr_run *run);
/* Opens the journal and writes the run or resume record. */
int orr_run_open_journal(struct orr_run *run);

/* Has every round of the plan's cell k been measured, or was it over before? */
bool orr_run_is_finished(const struct orr_run *run, size_t k);

/* --- `run ceilings` --- */

/* ORR_EUSAGE where options are given that only cells have; right behind the parsing. */
int orr_run_check_ceilings(const struct orr_run_options *options);
void orr_run_print_ceilings_plan(const struct orr_run *run);
int orr_run_measure_ceilings(struct orr_run *run, const struct orr_schedule *schedule,
                             struct orr_tally *out);

#endif
