/* SPDX-License-Identifier: MIT */
/* How long cells will take, by what cells measured earlier on the machine took. A cell is expected
 * to take as long as the one measured that is most like it, whose steps are scaled by the pairs of
 * bodies and whose samples by what is asked of sampling. */
#ifndef ORR_TIME_ESTIMATE_H
#define ORR_TIME_ESTIMATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "plan/cell.h"

/* An earlier cell, of any outcome. */
struct orr_measured_cell {
    char id[17], variant[64], device[32];
    double pairs, step_s; /* 0 where there is no time */
    double rest_s;        /* of its time, what its steps did not take */
    bool later;           /* of a later round than the first */
};

struct orr_time_estimate {
    struct orr_measured_cell *items;
    size_t count;
};

/* What a cell's time is estimated by, the surest first. */
enum orr_time_basis {
    ORR_TIME_MEASURED, /* itself */
    ORR_TIME_SCALED,   /* another of its variant and device, or its first round, which is longer */
    ORR_TIME_GUESSED,  /* nothing like it, or only with far less work */
    ORR_TIME_BASES
};

struct orr_time {
    double seconds;
    enum orr_time_basis basis;
};

void orr_time_estimate_release(struct orr_time_estimate *estimate);
/* Takes a record of a journal; what tells nothing is passed over. */
void orr_time_estimate_add(struct orr_time_estimate *estimate, json_t *record);
/* The whole cell in one round, `later`: not the first; 0 s of one that is not run. */
struct orr_time orr_time_estimate_cell(const struct orr_time_estimate *estimate,
                                       const struct orr_cell *cell, bool later);
/* "6m", or "4m to 20m" where a factor of two is not certain, or "" where the range would tell
 * nothing: nine in ten are to hold. Returns `out`. */
char *orr_time_left_text(char *out, size_t size, double seconds, double spread);
/* "45s", "6m", "2h10m" */
char *orr_time_left_duration(char *out, size_t size, double seconds);

#endif
