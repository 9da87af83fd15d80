/* SPDX-License-Identifier: MIT */
/* Bodies in device memory, in the order of the input, and the schemes of leapfrog.h over
 * them. For variants whose forces are kernels over float4 bodies. Of several ranks each brings,
 * moves and fetches only its own share of them, and has room for all, or, `divided`, for that share
 * alone. */
#ifndef VARIANTS_COMMON_DEVICE_BODIES_H
#define VARIANTS_COMMON_DEVICE_BODIES_H

#include "harness/variant.h"
#include "variants/common/leapfrog.h"

enum { DEVICE_FLOAT4 = 4 * sizeof(float) };

/* What the papers have of their own. */
struct device_bodies_kind {
    int has_phi;              /* the fourth number of acc is the potential */
    int flat;                 /* in the plane: z is not moved, and is 0 on the device */
    float far;                /* where the massless bodies of the padding are, on every axis */
    const char *start_phase;  /* of going back to where the bodies start; NULL: in no phase */
    const char *update_phase; /* of kicks and drifts */
    enum integrator integrator;
    int divided; /* a rank has its own share only, which may be empty; `forces` exchanges */
};

/* First member of the state of such a variant. */
struct device_bodies {
    const struct device_bodies_kind *kind;
    size_t n, padded;  /* bodies, and length of body and acc: massless bodies far away from n on */
    size_t share;      /* bodies of each rank; alone n. Those of rank r begin at r * share */
    size_t first, own; /* this rank's bodies; alone 0 and n */
    size_t at;         /* where they begin in `body`: first, or 0 where it has no others */
    double origin[3];  /* that positions are about on the device; 0 unless they are pairs */
    int in_double;     /* low parts are doubles */
    int32_t steps;     /* 0: one force evaluation */
    float dt;          /* time step */
    int (*forces)(struct orr_job *job); /* of the step that runs */
    struct orr_buffer *body;            /* float4 x y z mass, of all, or of the rank's */
    struct orr_buffer
        *low; /* four numbers a body, what floats leave out of `body`; NULL: nothing */
    struct orr_buffer *acc;       /* float4 ax ay az phi, from the rank's first body on */
    struct orr_buffer *velocity;  /* float4 vx vy vz 0, likewise; the following exist only when
                                     steps > 0 */
    struct orr_buffer *start[2];  /* body and velocity as uploaded: every step() begins from them */
    struct orr_program *leapfrog; /* kernels/leapfrog.cl */
};

/* Memory for job->bodies and, with steps > 0, what the scheme needs. */
int device_bodies_prepare(struct orr_job *job, const struct device_bodies_kind *kind, size_t padded,
                          int32_t steps, double dt);

/* The members of the plugin contract, for job->state that begins with a struct device_bodies. */
int device_bodies_upload(struct orr_job *job);

/* For bodies at rest on one rank, after device_bodies_prepare(): what floats leave out of positions
 * and masses is sent too, as doubles, or as floats of positions about job->bodies->origin. */
int device_bodies_prepare_low(struct orr_job *job, int in_double);

/* Sends four floats, or doubles, for each of `padded` bodies: what floats leave out of positions
 * about `origin` and of masses. */
int device_bodies_send_low(struct orr_job *job, struct orr_buffer *to, size_t padded,
                           const double origin[3], int in_double);

/* `forces` queues the kernels that put the accelerations of the bodies in `body` into `acc`, of the
 * rank's own bodies. Before each call the ranks tell each other where their bodies are, unless they
 * are divided. */
int device_bodies_step(struct orr_job *job, int (*forces)(struct orr_job *job));

int device_bodies_fetch(struct orr_job *job, struct orr_forces *out);

void device_bodies_release(struct orr_job *job);

#endif
