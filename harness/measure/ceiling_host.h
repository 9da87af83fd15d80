/* The ceiling of the host's own vector units, for harness/measure/ceiling.c. */
#ifndef ORR_CEILING_HOST_H
#define ORR_CEILING_HOST_H

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
