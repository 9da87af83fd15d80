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

#endif
