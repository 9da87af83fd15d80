/* SPDX-License-Identifier: MIT */
/* All that the program knows of ranks: several processes, each with a device of its own, that share
 * a step. What starts, asks and connects them is a library of its own (ranks/), built where MPI
 * is. */
#ifndef ORR_RANK_LIBRARY_H
#define ORR_RANK_LIBRARY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"
#include "error.h"
#include "ranks/ranks.h"
#include "worker/child.h"

struct orr_rank_set; /* the workers of all ranks, seen from the referee */
struct orr_rank;     /* one of them, seen from itself */

struct orr_rank_plan {
    int size;
    int bodies_fd, results_fd; /* what they inherit of worker/shared_buffer.h */
    double deadline;           /* orr_clock_now() at which starting is given up */
};

struct orr_rank_library {
    /* --- of the program --- */
    /* ORR_EUNSUPPORTED with what to install, where ranks cannot be started here. */
    int (*check)(void);
    /* "NCCL 2.28.3", by which CUDA devices exchange, or false and why there is none. */
    bool (*nccl)(char *out, size_t size);
    /* The device of a rank: "cuda:2" is `first` "cuda:0" and rank 2. `count` devices are there.
     * Beyond them ORR_EUNSUPPORTED, unless ranks may share one. */
    int (*device)(char out[32], const char *first, int rank, int size,
                  const struct orr_device_info *devices, int count, bool oversubscribe);

    /* --- of the referee --- */
    /* Starts them and waits until all are there. ORR_EIO when they do not come up, with the
     * launcher's last words. */
    int (*start)(struct orr_rank_set **out, const struct orr_rank_plan *plan);
    /* Sends `request` to all (takes the reference) and makes one answer of theirs. Where one failed
     * and another still waits for it, the set is ended and NULL. With anything but
     * ORR_HEARD_MESSAGE there is no answer, and the set is to be reaped. */
    enum orr_heard (*ask)(struct orr_rank_set **set, json_t *request, double deadline,
                          json_t **answer);
    /* Does one say something although it is asked nothing, or is it gone? */
    bool (*has_more)(const struct orr_rank_set *set);
    /* Ends them all, and says what went wrong where `reason` is wanted: which rank crashed, or what
     * each was waiting for. The set is NULL afterwards. */
    void (*reap)(struct orr_rank_set **set, enum orr_heard heard, char *reason, size_t size);
    /* Asks them to quit and waits a little. The set is NULL afterwards. */
    void (*shutdown)(struct orr_rank_set **set);
    /* Adds to *times (NULL: none yet) what each rank took of one sample of `batch` steps. */
    void (*keep_times)(json_t **times, const json_t *ranks, int batch);
    /* What a cell's record says of these times; rank k has the k-th of `devices`. */
    void (*record)(json_t *record, json_t *times, const json_t *devices);

    /* --- of a rank's worker --- */
    /* Connects with the referee that listens at `name`, which hands over what a worker inherits;
     * then with the other ranks; says hello. With a message for the referee where MPI fails. */
    int (*join)(struct orr_rank **out, struct orr_channel *channel, const char *name);
    /* The id of this rank's own device. */
    int (*own_device)(char out[32], const struct orr_rank *rank, const char *first,
                      bool oversubscribe);
    /* Connects the open device with those of the other ranks: collective, whatever became of the
     * device. It is NULL where there is none, for the reason that orr_error_text() has: that is
     * told to all. The communicator is the rank's. `stage` is the contract's (variant.h). */
    int (*connect)(struct orr_ranks **out, struct orr_rank *rank, struct orr_device *device,
                   void (*stage)(const char *name));
    /* "NCCL 2.28.3", "Open MPI v4.1.4 through host memory: two ranks share GPU-..." */
    const char *(*transport)(const struct orr_ranks *ranks);
    /* Before the process ends; without it, mpirun takes that for a crash. */
    void (*leave)(struct orr_rank *rank);
};

/* NULL in a build without MPI, with ORR_EUNSUPPORTED and what to install. */
const struct orr_rank_library *orr_rank_library(void);
/* Its check(), or the same error. */
static inline int orr_rank_library_check(void)
{
    const struct orr_rank_library *ranks = orr_rank_library();
    return ranks ? ranks->check() : orr_error_code();
}

#endif
