/* SPDX-License-Identifier: MIT */
/* Where the bodies are and who moves them, for the variants whose forces are a kernel. In the
 * paper "the GPU calculates acceleration and the CPU manages the GPU board [...] and does numerical
 * integration (updating position and velocity)" (section II B): every evaluation sends the bodies
 * and reads their accelerations back. The alternative leaves them on the device and moves them
 * there. */
#ifndef FUJI_FLOW_H
#define FUJI_FLOW_H

#include "fujiwara.h"
#include "variants/common/counting.h"
#include "variants/common/device_bodies.h"
#include "variants/common/host_bodies.h"
#include "variants/common/one_sided.h"

enum fuji_integrate { FUJI_ON_HOST, FUJI_ON_DEVICE };

/* Rows of the parameter table for a struct that begins with struct fuji_common. */
#define FUJI_FLOW_PARAMS(type, otherwise)                                             \
    {"integrate",                                                                     \
     ORR_PARAM_CHOICE,                                                                \
     offsetof(type, common.integrate),                                                \
     otherwise,                                                                       \
     0,                                                                               \
     0,                                                                               \
     "host|device",                                                                   \
     "who moves the bodies: host, which sends them and reads accelerations back for " \
     "each evaluation; device, where they stay"},                                     \
        POSITIONS_PARAM(type, common.positions)

/* First member of the state of such a variant. */
struct fuji_flow {
    /* First too: the functions for either find it in job->state. */
    union {
        struct host_bodies host;
        struct device_bodies device;
    } bodies;
    int on_host;             /* which of them */
    size_t n, padded;        /* bodies, and those of whole groups: massless ones PAIR_FAR away */
    struct orr_buffer *body; /* float4 x y z mass, padded of them */
    struct orr_buffer *low;  /* float4, of positions that are pairs of floats their low parts */
    struct orr_buffer *acc;  /* float4 ax ay az phi */
    float *staging;          /* with on_host: padded float4, to be sent or just read back */
    int (*forces)(struct orr_job *job); /* with on_host, of the step that runs */
    struct counting counting;
};

/* The members of the plugin contract. `padded` bodies have a place on the device. */
int fuji_flow_prepare(struct orr_job *job, size_t padded);
int fuji_flow_upload(struct orr_job *job);
/* `forces` queues the kernels that put the accelerations of `body` into `acc`, of the
 * rank's own bodies (device_bodies.h). */
int fuji_flow_step(struct orr_job *job, int (*forces)(struct orr_job *job));
int fuji_flow_fetch(struct orr_job *job, struct orr_forces *out);
/* The one-sided sum of all pairs, for job->params that begin with struct fuji_common. */
struct one_sided_task fuji_flow_one_sided(const struct orr_job *job);
/* count() of a program that `build` makes with counting_define_bodies(). */
int fuji_flow_count(struct orr_job *job, struct orr_program **program,
                    int (*build)(struct orr_job *job, void *of), int (*step)(struct orr_job *job),
                    struct orr_counts *out);
/* Releases the flow only; safe on a zeroed one, and leaves it so. */
void fuji_flow_release(struct orr_job *job);

#endif
