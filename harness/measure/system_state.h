/* SPDX-License-Identifier: MIT */
/* The state of the machine: what other programs (co-runners) do while a cell is sampled, settings
 * that times depend on, and how steadily a core computes. */
#ifndef ORR_SYSTEM_STATE_H
#define ORR_SYSTEM_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "device/device.h"

struct orr_gpu_use {
    bool known;
    int count; /* of processes that are not the run's own */
    double bytes;
};

struct orr_cpu_use {
    bool known;
    int cpus; /* that the run may use */
    /* seconds on these: of everybody and of the run's own processes, both since times of their
     * own */
    double all_s, own_s;
};

/* The processes and the device that a measurement is watched on. */
struct orr_system_state_of {
    const char *proc; /* "/proc", or a folder like it */
    pid_t root;       /* the run's first process; its children and theirs are its own */
    const char *pci;  /* of the GPU; "" for none */
    bool on_cores;    /* the cell computes on the cores, not on a GPU */
};

struct orr_system_state {
    struct orr_system_state_of of;
    double since; /* orr_clock_now */
    struct orr_cpu_use cpu;
    struct orr_gpu_use gpu;
};

void orr_system_state_begin(struct orr_system_state *out, const struct orr_system_state_of *of);
/* The journal's `surroundings`. `co_runners` says what other programs did that may have
 * disturbed the cell, "" for nothing. */
json_t *orr_system_state_end(const struct orr_system_state *begun, char *co_runners, size_t size);

/* The cores that others use are known to so many cores, since the kernel counts in ticks. */
double orr_system_state_unsure(int cpus, double seconds);

/* The journal's `environment`: {host, gpus, variables}; what this machine does not tell is left
 * out. `root` goes before /sys, /proc and so on, "" but in tests. NVML is asked in a process of its
 * own. */
json_t *orr_system_state_environment(const char *root, const struct orr_device_info *devices,
                                     int count);

/* A core's steadiness, by the same arithmetic again and again. Whatever shares the core without
 * being in a list of processes, another virtual machine on its second thread, say, shows here, and
 * so do programs beside this one.
 * Of all the time in `seconds`, the share in those that took above 1.25 times their median, since
 * the quickest may be of a clock that a core holds for a moment; 0 without any. */
double orr_system_state_slow(const double *seconds, size_t count);
/* The median of that share over eleven spells of 0.1 s, on the core that this thread is on: an
 * interruption of one spell is none of the machine's. */
double orr_system_state_unsteadiness(void);

#endif
