/* Bodies in device memory in the order of the input and the leap-frog scheme over them, for the variants whose forces
 * are kernels that read and write these arrays. */
#ifndef FENG_DEVICE_H
#define FENG_DEVICE_H

#include "feng.h"

/* First member of the state of such a variant. */
struct feng_device {
    size_t n;
    struct orr_buffer *body;      /* float4 x y 0 mass */
    struct orr_buffer *acc;       /* float4 ax ay 0 0 */
    struct orr_buffer *velocity;  /* float4 vx vy 0 0; the following exist only when steps > 0 */
    struct orr_buffer *start[2];  /* body and velocity as uploaded: every step() begins from them */
    struct orr_program *leapfrog; /* kernels/leapfrog.cl */
    float *staging;               /* n float4 in host memory */
};

/* The members of the plugin contract, for job->state that begins with a struct feng_device. */
int feng_device_prepare(struct orr_job *job);
int feng_device_upload(struct orr_job *job);
/* `forces` queues the kernels that put the accelerations of the bodies in `body` into `acc`. */
int feng_device_step(struct orr_job *job, int (*forces)(struct orr_job *job));
int feng_device_fetch(struct orr_job *job, struct orr_forces *out);
void feng_device_release(struct orr_job *job);

#endif
