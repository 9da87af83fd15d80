/* SPDX-License-Identifier: MIT */
/* A true difference of time between two runs of the same cell: a step takes ORRERY_TEST_SLOW
 * percent longer than it would. It is no parameter, for other parameters are other work. */
#ifndef SLOWED_H
#define SLOWED_H

#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* To be called at the end of a step that began at `start`. */
static void slow_down(double start)
{
    const char *percent = getenv("ORRERY_TEST_SLOW");
    double end = now(), until = end + (end - start) * (percent ? atof(percent) : 0) / 100;
    while (now() < until)
        ;
}

#endif
