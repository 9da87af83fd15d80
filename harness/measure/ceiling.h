/* The most a device can do: the rate of the pair interaction's instruction mix held in
 * registers. */
#ifndef ORR_CEILING_H
#define ORR_CEILING_H

#include "device/device.h"

struct orr_ceiling {
    double interactions_per_second; /* groups of 12 fp32 FMA and 1 reciprocal square root */
    double fma_per_second;          /* independent fp32 FMA lanes */
};

/* Takes 0.1 to 0.3 s plus compilation. The best of several spans, which is the least disturbed. */
int orr_ceiling_measure(struct orr_device *device, struct orr_ceiling *out);

/* As kernels/ceiling.cl: one slot is 12 FMA and, with `root`, 1 reciprocal square root. */
struct orr_ceiling_host {
    const char *simd;
    int lanes; /* slots of one pass of the loop */
    /* Runs `loops` passes on one thread; gives the mean result of a slot. */
    double (*mix)(long loops, float c, float d);
    double (*fma)(long loops, float c, float d);
};

/* The widest that this processor has. */
const struct orr_ceiling_host *orr_ceiling_host_best(void);

#endif
