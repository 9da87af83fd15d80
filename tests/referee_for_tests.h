/* SPDX-License-Identifier: MIT */
/* A referee for tests, whose workers are the program that was built. */
#ifndef REFEREE_FOR_TESTS_H
#define REFEREE_FOR_TESTS_H

#include <stdio.h>
#include <stdlib.h>

#include "error.h"
#include "referee/cell_run.h"

static inline struct orr_referee *make_referee(void)
{
    static char program[512];
    const char *build = getenv("BUILD");
    struct orr_referee *referee = calloc(1, sizeof *referee);
    snprintf(program, sizeof program, "%s/orrery", build ? build : "build");
    if (!referee || orr_referee_begin(referee, program)) {
        printf("not ok: %s\n", orr_error_text());
        exit(1);
    }
    return referee;
}

static inline void end_referee(struct orr_referee *referee)
{
    orr_referee_end(referee);
    orr_referee_cache_release(&referee->cache);
    free(referee);
}

/* Loads, lends, prepares. */
static inline int set_out(struct orr_cell_run *run)
{
    orr_referee_ready(run->referee, 0);
    int code = orr_cell_run_load(run);
    if (!code)
        code = orr_cell_run_configure(run);
    return code ? code : orr_cell_run_prepare(run);
}

/* One step with the bodies' own masses. */
static inline int step_once(struct orr_cell_run *run)
{
    return orr_cell_run_step(run, &(struct orr_cell_steps){0});
}

#endif
