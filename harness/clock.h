/* SPDX-License-Identifier: MIT */
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

/* Seconds of processor time the calling thread has had. */
static inline double orr_clock_thread(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
