/* SPDX-License-Identifier: MIT */
/* The four arrays of section III A in device memory, for the variants whose forces are a kernel. */
#ifndef SHAN_DEVICE_H
#define SHAN_DEVICE_H

#include "halo.h"

/* First member of the state of every device variant. */
struct shan_device {
    struct shan_boxes boxes;  /* on the host */
    struct shan_halo halo;    /* this rank's boxes: alone all of them */
    struct orr_buffer *body;  /* n float4 x y mass 0, by Z-order */
    struct orr_buffer *start; /* count + 1 u32, "boxIdx" */
    struct orr_buffer *list;  /* count x stride i32 */
    struct orr_buffer *acc;   /* n float2 ax ay, by Z-order */
    struct orr_buffer *order; /* u32: the input's number of each own body, by Z-order */
    /* n floats each, and what makes shares of ranks equal, in the order of the input: x, y and mass
     * as they come, ax and ay as they go */
    struct orr_buffer *column[3];
    struct orr_program *orders; /* kernels/shan_order.cl */
    struct orr_buffer *home; /* of several ranks: accelerations of the rank's share of the input */
};

/* The members of the plugin contract, for job->state that begins with a struct shan_device. Boxes
 * are made in prepare; upload moves bodies, order, starts and lists and puts the bodies in order;
 * fetch brings acc back to the order of the input. Ordering is a stage, "order". Of several ranks
 * (with lists of all neighbours) each has the bodies and accelerations of its own boxes, until it
 * asks for those beside them; it uploads and fetches its share of the input. */
int shan_device_prepare(struct orr_job *job, enum shan_list list);
int shan_device_upload(struct orr_job *job);
int shan_device_fetch(struct orr_job *job, struct orr_forces *out);
/* Before forces: bodies of other ranks in boxes beside this one's. */
int shan_device_exchange(struct orr_job *job);
/* Of several ranks: the figure of what one receives. */
void shan_device_cost(const struct orr_job *job, struct orr_cost *out);
void shan_device_release(struct orr_job *job);

#endif
