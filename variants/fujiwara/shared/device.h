/* Bodies in device memory and the leap-frog scheme over them, for the variants whose forces are a kernel. */
#ifndef FUJI_DEVICE_H
#define FUJI_DEVICE_H

#include "fujiwara.h"

/* First member of the state of every device variant. */
struct fuji_device {
    size_t n, padded;             /* bodies, and length of body and acc: massless bodies far away from n on */
    struct orr_buffer *body;      /* float4 x y z mass */
    struct orr_buffer *acc;       /* float4 ax ay az phi */
    struct orr_buffer *velocity;  /* float4 vx vy vz 0; the following exist only when steps > 0 */
    struct orr_buffer *start[2];  /* body and velocity as uploaded: every step() begins from them */
    struct orr_program *leapfrog; /* kernels/leapfrog.cl */
    float *staging;               /* padded float4 in host memory */
};

/* The members of the plugin contract, for job->state that begins with a struct fuji_device. */
int fuji_device_prepare(struct orr_job *job, size_t padded);
int fuji_device_upload(struct orr_job *job);
/* `forces` queues the kernels that put eq. 1 for the bodies in `body` into `acc`. */
int fuji_device_step(struct orr_job *job, int (*forces)(struct orr_job *job));
int fuji_device_fetch(struct orr_job *job, struct orr_forces *out);
void fuji_device_release(struct orr_job *job);

#endif
