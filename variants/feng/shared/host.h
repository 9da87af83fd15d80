/* SPDX-License-Identifier: MIT */
/* Bodies in host memory in the order of the input, the leap-frog scheme over them and the root of
 * their tree, for the variants that run on the CPU without a device. */
#ifndef FENG_HOST_H
#define FENG_HOST_H

#include "feng.h"
#include "variants/common/host_bodies.h"

/* First member of the state of every such variant. */
struct feng_host {
    struct host_bodies bodies;
    double
        interactions; /* of the step that runs: pairs of a body with another body or with a cell */
};

struct feng_square {
    double corner[2], width; /* lower-left corner and side */
};

/* Members of the plugin contract, for job->state that begins with a struct feng_host; the others
 * are those of host_bodies.h. */
int feng_host_prepare(struct orr_job *job, int threads);
/* `forces` puts the accelerations of the bodies where they are into `acc` and adds to
 * `interactions`. */
int feng_host_step(struct orr_job *job, int (*forces)(struct orr_job *job));
/* With the interactions of the step before. */
int feng_host_cost(const struct orr_job *job, struct orr_cost *out);

/* The smallest square with its lower-left corner at the bodies' minima, enlarged by 1e-6 so that no
 * body lies on its far edges; width 0 if all bodies are at one place. */
struct feng_square feng_host_square(const struct feng_host *host);

#endif
