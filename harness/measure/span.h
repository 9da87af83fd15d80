/* Spans: how long a number of loops takes, where that is long compared with starting them. */
#ifndef ORR_SPAN_H
#define ORR_SPAN_H

#include "device/device.h"

struct orr_span {
    /* Runs them and says how long that took. */
    int (*run)(void *context, long loops, double *seconds);
    void *context;
    long loops; /* to begin with; then those of the latest span */
    long most;  /* however short the span then is */
    int spans;  /* of which the shortest counts: it was disturbed least */
    double span_s;
};

/* Lets the loops grow until a span takes half of span_s at least, about span_s; gives the shortest
 * of so many. ORR_EDEVICE where no time passes. */
int orr_span_shortest(struct orr_span *span, double *seconds);

/* How long a span of a ceiling is to be: `otherwise`, or what ORRERY_SPAN_SECONDS says, which only
 * makes it shorter. */
double orr_span_seconds(double otherwise);

/* Launches a kernel and waits; its time by device events. */
int orr_span_launch(struct orr_device *device, struct orr_program *program,
                    const struct orr_launch *launch, struct orr_times *times);

#endif
