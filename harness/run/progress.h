/* SPDX-License-Identifier: MIT */
/* Progress of a run on standard error: one line a cell, and the time left. */
#ifndef ORR_PROGRESS_H
#define ORR_PROGRESS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "plan/cell.h"
#include "run/time_estimate.h"

struct orr_progress {
    FILE *to;
    bool terminal, colour;
    const struct orr_cell *cells;
    size_t count;
    int rounds;
    bool *done;                        /* as `skip` of run/schedule.h */
    struct orr_time_estimate estimate; /* measured, now or in earlier runs */
    /* How these estimates did so far: logarithms of taken over expected seconds, the recent and the
     * surest weighing most. */
    double weight, sum;
    int round;              /* the last that something finished in; 0: none */
    struct orr_time *times; /* of each cell in its first round and in later ones, as cells finish */
};

/* `skip` marks measurements that will not be made (schedule.h; NULL: none). Learns from the
 * journals of the machine's folder, unless it is NULL. Colour and rewriting only on a terminal;
 * NO_COLOR is honoured. */
void orr_progress_begin(struct orr_progress *out, FILE *to, const struct orr_cell *cells,
                        size_t count, int rounds, const bool *skip, const char *folder);
void orr_progress_release(struct orr_progress *progress);
/* Seconds that what is not yet done will take: what is expected of it, corrected by what those that
 * finished took. *spread: the standard deviation of its logarithm; 0 where nothing is left. */
double orr_progress_left(double *spread, struct orr_progress *progress);
/* How many of these can only be guessed. */
size_t orr_progress_guessed(struct orr_progress *progress);
/* `place` of the cell in its round, from 1. */
void orr_progress_before(struct orr_progress *progress, int round, size_t place,
                         const struct orr_cell *cell);
/* Learns from the record of one round. Prints the line of the cell where `whole` is its record of
 * all its rounds, not NULL. */
void orr_progress_after(struct orr_progress *progress, int round, size_t place,
                        const struct orr_cell *cell, json_t *record, json_t *whole);
/* Ends a line that is being rewritten, so that something else can be printed. */
void orr_progress_clear(struct orr_progress *progress);

#endif
