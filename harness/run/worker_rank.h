/* The worker of one of several ranks, which mpirun starts. */
#ifndef ORR_WORKER_RANK_H
#define ORR_WORKER_RANK_H

#include "run/channel.h"
#include "run/worker.h"

/* Connects with the referee that listens at `name`, which hands over what a worker inherits; then
 * with the other ranks; says hello. With a message for the referee where MPI fails. */
int orr_worker_rank_join(struct orr_worker *worker, struct orr_channel *out, const char *name);

#endif
