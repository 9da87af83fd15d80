/* Hardware counters of the processor (PAPI), of steps that are not among the samples. */
#ifndef ORR_COUNTERS_H
#define ORR_COUNTERS_H

#include "measure/counter_source.h"

/* Calls `each` for every counter that starts here: its logical name, its group, PAPI's name and
 * what it counts. None where orr_counters_missing() says why. */
int orr_counters_list(int (*each)(const char *const words[4], void *context), void *context);
/* Why there are no counters, and what to do about it; "" when a start of one works. Starts it. */
const char *orr_counters_missing(void);

/* The source "papi": counts this thread and those it makes from begin on. Where others are there
 * already it counts nothing, for it cannot count them. */
extern const struct orr_counter_source orr_counters_source;

#endif
