/* SPDX-License-Identifier: MIT */
/* The bodies in host memory by Z-order, for the variants that run on the CPU without a device. */
#ifndef SHAN_HOST_H
#define SHAN_HOST_H

#include "shan.h"

/* Bodies in an array beyond the last one, which vector loads may reach: massless, away from all
 * others. */
enum { SHAN_HOST_PADDING = 16 };

/* First member of the state of every host variant. Structure of arrays: vector code loads
 * neighbouring bodies with one instruction. */
struct shan_host {
    struct shan_boxes boxes; /* with full lists */
    float *memory;           /* the one allocation behind all arrays */
    float *x, *y, *mass;     /* n and the padding, by Z-order */
    float *ax, *ay;          /* n and room for the padding */
    float away;              /* a coordinate that no body has */
};

/* The members of the plugin contract, for job->state that begins with a struct shan_host. Boxes are
 * made in prepare; upload gathers the bodies by Z-order; fetch brings the accelerations back to the
 * order of the input. */
int shan_host_prepare(struct orr_job *job);
int shan_host_upload(struct orr_job *job);
int shan_host_fetch(struct orr_job *job, struct orr_forces *out);
void shan_host_release(struct orr_job *job);

#endif
