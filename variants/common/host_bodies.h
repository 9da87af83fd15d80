/* SPDX-License-Identifier: MIT */
/* Bodies in host memory, in the order of the input, and the schemes of leapfrog.h over
 * them. For variants that collect their forces on the host. */
#ifndef VARIANTS_COMMON_HOST_BODIES_H
#define VARIANTS_COMMON_HOST_BODIES_H

#include "harness/variant.h"
#include "variants/common/leapfrog.h"

enum {
    HOST_ALIGNMENT = 64,         /* bytes: one AVX-512 vector, one cache line */
    HOST_PADDING = 64,           /* bodies: no register block of vector code is larger */
    HOST_BODIES_A_THREAD = 16384 /* at least, when they are converted or copied */
};

/* What the papers have of their own. */
struct host_bodies_kind {
    int dimensions;           /* 2 or 3 */
    int has_phi;              /* whether there is a potential */
    float far;                /* where the massless bodies of the padding are, on every axis */
    const char *update_phase; /* of kicks and drifts; NULL makes them a stage, "update", for
                                 variants with forces on a device */
    enum integrator integrator;
    int pairs; /* positions are pairs of floats about bodies->origin, at rest */
};

/* First member of the state of such a variant. Structure of arrays: vector code loads neighbouring
 * bodies with one instruction. */
struct host_bodies {
    const struct host_bodies_kind *kind;
    size_t n;      /* bodies */
    size_t padded; /* length of each array; bodies from n on are massless */
    int threads;   /* that the scheme may use */
    int32_t steps; /* 0: one force evaluation */
    float dt;      /* time step */
    float *memory; /* the one allocation behind all arrays; those of axes beyond kind->dimensions
                      are NULL */
    float *pos[3], *vel[3], *acc[3], *mass;
    float *low[3];                      /* of pairs what pos leaves out of positions; else NULL */
    float *phi;                         /* NULL without potential */
    float *start_pos[3], *start_vel[3]; /* what was uploaded: every step() begins from it */
};

/* `asked` of the threads that the host lends, or all of them with 0. */
int host_bodies_threads(const struct orr_job *job, int asked);

/* Threads worth waking, where waking one takes as long as serving so many bodies. */
int host_bodies_threads_for(const struct orr_job *job, size_t bodies_a_thread);

/* n numbers in single precision. */
void host_bodies_convert(float *to, const double *from, size_t n, int threads);

/* Zeroed arrays for job->bodies. ORR_EMEMORY. */
int host_bodies_prepare(struct orr_job *job, const struct host_bodies_kind *kind, int threads,
                        int32_t steps, double dt);

/* The members of the plugin contract, for job->state that begins with a struct host_bodies. */
int host_bodies_upload(struct orr_job *job);

/* `forces` puts the accelerations of the bodies where they are into `acc`, and their potentials
 * into `phi`. */
int host_bodies_step(struct orr_job *job, int (*forces)(struct orr_job *job));

int host_bodies_fetch(struct orr_job *job, struct orr_forces *out);

/* Releases the bodies only: the rest of the state is its owner's. Safe on zeroed bodies; leaves
 * them zeroed. */
void host_bodies_release(struct orr_job *job);

#endif
