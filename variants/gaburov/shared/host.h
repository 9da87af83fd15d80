/* SPDX-License-Identifier: MIT */
/* Bodies in host memory, their octree and the leap-frog scheme over them, for the variants that run
 * on the CPU without a device. */
#ifndef GABUROV_HOST_H
#define GABUROV_HOST_H

#include "host_cells.h"
#include "octree.h"
#include "variants/common/host_bodies.h"

/* Totals over the force evaluations of a step. */
struct gaburov_work {
    double nodes, leaves;              /* ordered pairs of a body with a cell, with another body */
    double node_entries, leaf_entries; /* cells and leaves in all lists */
    double groups;
};

/* First member of the state of every such variant. */
struct gaburov_host {
    struct host_bodies bodies; /* in the order of the input */
    struct gaburov_octree tree;
    struct gaburov_host_cells cells;
    int (*walk)(struct orr_job *job); /* of the step that runs */
    int32_t ngroup;                   /* 0: no groups */
    struct gaburov_work work;         /* of the step that runs */
};

/* Parameters of every such variant: job->params begins with it. */
struct gaburov_host_params {
    struct gaburov_common common;
    struct gaburov_tree_params tree;
};

/* Members of the plugin contract, for job->state that begins with a struct gaburov_host; the others
 * are those of host_bodies.h. */
int gaburov_host_prepare(struct orr_job *job, int threads, int32_t ngroup,
                         enum positions positions);
/* `walk` finds the tree over the bodies where they are; it puts their accelerations and potentials
 * into `bodies` and adds to `work`. */
int gaburov_host_step(struct orr_job *job, int (*walk)(struct orr_job *job));
/* Of the step before. */
int gaburov_host_cost(const struct orr_job *job, struct orr_cost *out);
void gaburov_host_release(struct orr_job *job);

#endif
