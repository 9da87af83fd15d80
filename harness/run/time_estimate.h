/* SPDX-License-Identifier: MIT */
/* How long cells will take, by what cells measured earlier on the machine took. */
#ifndef ORR_TIME_ESTIMATE_H
#define ORR_TIME_ESTIMATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "plan/cell.h"

/* An earlier cell, of any outcome. */
struct orr_measured_cell {
    char id[17], variant[64], device[32];
    json_t *parameters, *policy; /* policy: NULL in older journals */
    double n, pairs, seconds;    /* of a step; 0 where there is no time */
    double moving_s;             /* upload and fetch of a sample */
    int samples;                 /* that were enough; 0: they were not */
    double wall_s;               /* less kernels that were compiled, which are cached now */
    double build_s;              /* of these */
    double window_s, counters_s; /* of wall_s: the window of energy, counters; 0: not taken */
    double rest_s;               /* of wall_s, what is none of these, nor stepping: load ... */
    bool later;                  /* of a later round than the first */
    bool on_gpu;
    bool rebuilds; /* kernels of a CPU, whose platform takes long each time: part of rest_s */
};

struct orr_time_estimate {
    struct orr_measured_cell *items;
    size_t count;
    /* of the journal that is being read */
    double started_s, cells_s; /* when its run began; its cells so far */
    int rounds;                /* so far */
    json_t *devices;           /* of its machine; NULL: not told */
    /* of all */
    double beside_s; /* a round takes beside its cells: ceilings, processes; 0: not known */
    size_t earlier;  /* of items: those of runs before this one */
};

/* What a cell's time is estimated by, the surest first. */
enum orr_time_basis {
    ORR_TIME_HERE,    /* itself, in this run */
    ORR_TIME_BEFORE,  /* itself, in an earlier run */
    ORR_TIME_FIRST,   /* itself, in a first round, which takes longer than later ones */
    ORR_TIME_SCALED,  /* another of its variant and device */
    ORR_TIME_GUESSED, /* nothing like it */
    ORR_TIME_BASES
};

void orr_time_estimate_release(struct orr_time_estimate *estimate);
/* Takes a record of a journal, in its order; what tells nothing is passed over. */
void orr_time_estimate_add(struct orr_time_estimate *estimate, json_t *record);
/* Seconds of a step of `cell`. False when that is a guess: its variant was not measured on its
 * device, or only with far less work. */
bool orr_time_estimate_step(double *seconds, const struct orr_time_estimate *estimate,
                            const struct orr_cell *cell);
/* Seconds of the whole cell in one round, `later`: not the first; 0 of an extrapolated one. */
double orr_time_estimate_cell(const struct orr_time_estimate *estimate, const struct orr_cell *cell,
                              bool later);
/* What orr_time_estimate_cell() goes by. */
enum orr_time_basis orr_time_estimate_basis(const struct orr_time_estimate *estimate,
                                            const struct orr_cell *cell, bool later);
/* Seconds of a first round as far as nothing was measured: alike on every machine. */
double orr_time_estimate_unmeasured(const struct orr_cell *cell);
/* Seconds that a round takes beside its cells. */
double orr_time_estimate_beside(const struct orr_time_estimate *estimate);

/* --- how long the cells that are left will take, and how well that is known: what is expected of
 * them, corrected by what those that were expected on the same basis took so far --- */

/* Logarithms of taken over expected seconds, the recent ones weighing most. */
struct orr_time_ratios {
    double weight, sum, squares;
};

struct orr_time_left {
    struct orr_time_ratios of[ORR_TIME_BASES];
};

/* What is expected of the cells left on one basis: seconds, and the sum of their squares. */
struct orr_time_expected {
    double sum, squares;
};

/* A cell on this basis took so long. */
void orr_time_left_learn(struct orr_time_left *left, enum orr_time_basis basis, double expected_s,
                         double taken_s);
/* Seconds that the cells left will take. *spread: the standard deviation of its logarithm; 0 where
 * nothing is left. */
double orr_time_left(double *spread, const struct orr_time_left *left,
                     const struct orr_time_expected expected[ORR_TIME_BASES]);
/* "6m", or "4m to 20m" where a factor of two is not certain, or "" where the range would tell
 * nothing: nine in ten are to hold. Returns `out`. */
char *orr_time_left_text(char *out, size_t size, double seconds, double spread);
/* "45s", "6m", "2h10m" */
char *orr_time_left_duration(char *out, size_t size, double seconds);

#endif
