/* SPDX-License-Identifier: MIT */
/* Lets the clock of its process run at a third of its speed. */
#include "sums.h"
#include "clocks.h"

static int slow(clockid_t clock, struct timespec *out)
{
    int code = clock_gettime(clock, out);
    long long ns = (1000000000LL * out->tv_sec + out->tv_nsec) / 3;
    *out = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return code;
}

static int prepare(struct orr_job *job)
{
    dl_iterate_phdr(replace_clock, slow);
    return sums_prepare(job);
}

PLUGIN(slows_clock, .prepare = prepare);
