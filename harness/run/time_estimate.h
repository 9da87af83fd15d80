/* What cells measured earlier say about the time of a step of others. Only for estimates. */
#ifndef ORR_TIME_ESTIMATE_H
#define ORR_TIME_ESTIMATE_H

#include <jansson.h>
#include <stdbool.h>

#include "plan/cell.h"

struct orr_measured_step {
    char variant[64], device[32];
    json_t *parameters;
    double pairs, seconds; /* of a step */
};

struct orr_time_estimate {
    struct orr_measured_step *items;
    size_t count, room;
};

void orr_time_estimate_release(struct orr_time_estimate *rates);
/* Takes the time of a measured cell's record; others are passed over. */
void orr_time_estimate_add(struct orr_time_estimate *rates, json_t *record);
/* Seconds of a step of `cell`. False when that is a guess: its variant was not measured on its
 * device, or only with far less work. */
bool orr_time_estimate_step(double *seconds, const struct orr_time_estimate *rates,
                            const struct orr_cell *cell);

#endif
