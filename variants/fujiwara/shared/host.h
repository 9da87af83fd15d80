/* SPDX-License-Identifier: MIT */
/* Bodies in host memory and the leap-frog scheme over them, for the variants that run on the CPU
 * without a device. */
#ifndef FUJI_HOST_H
#define FUJI_HOST_H

#include "fujiwara.h"
#include "variants/common/host_bodies.h"

/* Accelerations and potential of all bodies at their present positions. */
typedef void fuji_forces(struct host_bodies *bodies, float eps, int threads);

/* Bodies that pad the arrays are massless and PAIR_FAR away. */
struct fuji_host {
    struct host_bodies bodies;
    fuji_forces *forces; /* of the step that runs */
    int threads;         /* of the forces */
};

/* Members of the plugin contract, for job->state = struct fuji_host; the others are those of
 * host_bodies.h. */
int fuji_host_prepare(struct orr_job *job, int threads);
int fuji_host_step(struct orr_job *job, fuji_forces *forces);

#endif
