/* SPDX-License-Identifier: MIT */
/* A processor with counters, where a virtual machine has none: the time of threads stands for what
 * hardware counts. PAPI calls the C library's syscall(), which a program that includes this, or a
 * library loaded before all others, gives in its place. */
#ifndef PERF_FOR_TESTS_H
#define PERF_FOR_TESTS_H

#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refusal;     /* errno of every perf_event_open; 0: as follows */
static int no_hardware; /* as in a virtual machine: only the kernel counts */
enum { AT_ONCE = 2 };
static int in_group; /* events of the group that was begun last */

/* Nanoseconds of the threads for cycles and all else, AT_ONCE of them at a time. */
static int stand_in(struct perf_event_attr *attr, int group)
{
    if (no_hardware) {
        errno = ENOENT;
        return attr->type == PERF_TYPE_SOFTWARE ? 0 : -1;
    }
    in_group = group < 0 ? 1 : in_group + 1;
    if (refusal || in_group > AT_ONCE) {
        errno = refusal ? refusal : EINVAL;
        return -1;
    }
    if (attr->type == PERF_TYPE_HARDWARE) {
        attr->type = PERF_TYPE_SOFTWARE;
        attr->config = PERF_COUNT_SW_TASK_CLOCK;
    }
    return 0;
}

long syscall(long number, ...)
{
    long (*real)(long, ...);
    long with[6];
    va_list arguments;
    void *found = dlsym(RTLD_NEXT, "syscall");
    memcpy(&real, &found, sizeof found);
    va_start(arguments, number);
    for (int k = 0; k < 6; k++)
        with[k] = va_arg(arguments, long);
    va_end(arguments);
    struct perf_event_attr attr;
    if (number == SYS_perf_event_open) {
        memcpy(&attr, (void *)with[0], sizeof attr);
        if (stand_in(&attr, (int)with[3]))
            return -1;
        with[0] = (long)&attr;
    }
    return real(number, with[0], with[1], with[2], with[3], with[4], with[5]);
}

#endif
