/* What other programs did while a cell was sampled: processor time that the run's own processes did
 * not use, and other processes that compute on the GPU. */
#ifndef ORR_SURROUNDINGS_H
#define ORR_SURROUNDINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

/* Where to look. */
struct orr_surroundings_of {
    const char *proc; /* "/proc", or a folder like it */
    pid_t root;       /* the run's first process; its children and theirs are its own */
    const char *pci;  /* of the GPU; "" for none */
    bool on_cores;    /* the cell computes on the cores, not on a GPU */
};

struct orr_surroundings {
    struct orr_surroundings_of of;
    double since; /* orr_clock_now */
    struct orr_cpu_use cpu;
    struct orr_gpu_use gpu;
};

void orr_surroundings_begin(struct orr_surroundings *out, const struct orr_surroundings_of *of);
/* The journal's `surroundings`; NULL on no memory. `beside` becomes what others did that may have
 * disturbed the cell, "" for nothing. */
json_t *orr_surroundings_end(const struct orr_surroundings *begun, char *beside, size_t size);

/* Parts, for tests. */
void orr_surroundings_read_cpu(struct orr_cpu_use *out, const struct orr_surroundings_of *of);
/* Cores, on average, that others may use before a cell is marked. */
double orr_surroundings_limit(int cpus, bool on_cores);

/* By how many cores what others use may be off, since the kernel counts in ticks. */
double orr_surroundings_unsure(int cpus, double seconds);

#endif
