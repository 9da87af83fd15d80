/* What cells measured earlier say about the time of a step of others. Only for estimates. */
#ifndef ORR_TIME_ESTIMATE_H
#define ORR_TIME_ESTIMATE_H

#include <jansson.h>
#include <stdbool.h>

#include "plan/cell.h"

struct orr_known_rate {
    char variant[64], device[32];
    json_t *parameters;
    double pairs, seconds; /* of a step */
};

struct orr_rates {
    struct orr_known_rate *items;
    size_t count, room;
};

void orr_rates_release(struct orr_rates *rates);
/* Takes the time of a measured cell's record; others are passed over. */
void orr_rates_add(struct orr_rates *rates, json_t *record);
/* Seconds of a step of `cell`. False when that is a guess: its variant was not measured on its
 * device, or only with far less work. */
bool orr_rates_step(double *seconds, const struct orr_rates *rates, const struct orr_cell *cell);

#endif
