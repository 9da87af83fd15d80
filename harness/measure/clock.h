/* The one monotonic clock of the harness. */
#ifndef ORR_CLOCK_H
#define ORR_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment; never runs backwards. */
static inline double orr_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
