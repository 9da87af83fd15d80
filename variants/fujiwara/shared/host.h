/* Bodies in host memory and the leap-frog scheme over them, for the variants that run on the CPU without a device. */
#ifndef FUJI_HOST_H
#define FUJI_HOST_H

#include "fujiwara.h"

struct fuji_host;

/* Accelerations and potential of all bodies at their present positions. */
typedef void fuji_forces(struct fuji_host *bodies, float eps, int threads);

/* Structure of arrays: vector code loads neighbouring bodies with one instruction. */
struct fuji_host {
    size_t n;      /* bodies */
    size_t padded; /* length of each array; bodies from n on are massless and far away */
    float *memory; /* the one allocation behind all arrays */
    float *pos[3], *vel[3], *acc[3], *phi, *mass;
    float *start_pos[3], *start_vel[3]; /* what upload() put there: every step() begins from it */
    fuji_forces *forces;                /* of the step that runs */
};

/* The members of the plugin contract, for job->state = struct fuji_host. */
int fuji_host_prepare(struct orr_job *job);
int fuji_host_upload(struct orr_job *job);
int fuji_host_step(struct orr_job *job, fuji_forces *forces);
int fuji_host_fetch(struct orr_job *job, struct orr_forces *out);
void fuji_host_release(struct orr_job *job);

#endif
