/* SPDX-License-Identifier: MIT */
#include "variants/common/device_bodies.h"

#include <stdio.h>
#include <string.h>

#include "kernels/leapfrog.h"

enum { LEAPFROG_BLOCK = 64 };

static int device_bodies_prepare_leapfrog(struct orr_job *job)
{
    static const struct orr_source source = {"leapfrog", kernel_leapfrog};
    struct device_bodies *s = job->state;
    char defines[48];
    int code;

    if ((code = orr_alloc(job->device, &s->velocity, s->own * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->start[0], s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->start[1], s->own * DEVICE_FLOAT4)))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%d -DEULER=%d", LEAPFROG_BLOCK,
             s->kind->integrator == INTEGRATOR_EULER);
    return orr_build(job->device, &s->leapfrog, &source, defines);
}

/* The ranks' shares are of one length; the last one's may lie partly behind the bodies. */
static int device_bodies_divide(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    const size_t size = (size_t)orr_ranks_size(job->ranks);
    const int divided = s->kind->divided && size > 1;

    const struct orr_ranks_items items = orr_ranks_items(job->ranks, s->n);

    s->share = orr_ranks_share(job->ranks, s->n);
    s->first = items.first;
    s->own = items.count;
    if ((size - 1) * s->share >= s->n && size > 1 && !divided)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "%zu bodies are too few for %zu ranks", s->n, size);
    s->at = divided ? 0 : s->first;
    if (divided)
        s->padded = s->own;
    else if (s->padded < size * s->share)
        s->padded = size * s->share;
    return ORR_OK;
}

int device_bodies_prepare(struct orr_job *job, const struct device_bodies_kind *kind, size_t padded,
                          int32_t steps, double dt)
{
    struct device_bodies *s = job->state;
    int code;

    s->kind = kind;
    s->n = job->bodies->n;
    s->padded = padded;
    s->steps = steps;
    s->dt = (float)dt;
    if ((code = device_bodies_divide(job)) ||
        (code = orr_alloc(job->device, &s->body, s->padded * DEVICE_FLOAT4)) ||
        (code = orr_alloc(job->device, &s->acc, s->padded * DEVICE_FLOAT4)))
        return code;
    return steps > 0 ? device_bodies_prepare_leapfrog(job) : ORR_OK;
}

static size_t device_bodies_low_row(int in_double)
{
    return 4 * (in_double ? sizeof(double) : sizeof(float));
}

int device_bodies_prepare_low(struct orr_job *job, int in_double)
{
    struct device_bodies *s = job->state;

    s->in_double = in_double;
    if (!in_double)
        memcpy(s->origin, job->bodies->origin, sizeof s->origin);
    return orr_alloc(job->device, &s->low, s->padded * device_bodies_low_row(in_double));
}

struct rest {
    const struct orr_bodies *bodies;
    const double *origin;
    int in_double;
};

static double device_bodies_rest(const struct rest *r, size_t i, size_t column)
{
    if (i >= r->bodies->n)
        return 0;
    const double x =
        column < 3 ? r->bodies->pos[column][i] - r->origin[column] : r->bodies->mass[i];
    return x - (double)(float)x;
}

static int device_bodies_pack_rest(void *context, void *memory, size_t first, size_t bytes)
{
    const struct rest *r = context;
    const size_t width = r->in_double ? sizeof(double) : sizeof(float);

    for (size_t k = 0; k < bytes / width; k++) {
        const double rest = device_bodies_rest(r, (first / width + k) / 4, (first / width + k) % 4);
        if (r->in_double)
            ((double *)memory)[k] = rest;
        else
            ((float *)memory)[k] = (float)rest;
    }
    return ORR_OK;
}

int device_bodies_send_low(struct orr_job *job, struct orr_buffer *to, size_t padded,
                           const double origin[3], int in_double)
{
    struct rest rest = {job->bodies, origin, in_double};

    return orr_send(job->device, to, padded * device_bodies_low_row(in_double),
                    device_bodies_pack_rest, &rest);
}

int device_bodies_upload(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    const struct orr_bodies *b = job->bodies;
    const int flat = s->kind->flat;
    const struct orr_columns bodies = {.column = {b->pos[0] + s->first, b->pos[1] + s->first,
                                                  flat ? NULL : b->pos[2] + s->first,
                                                  b->mass + s->first},
                                       .about = {s->origin[0], s->origin[1], s->origin[2]},
                                       .width = 4,
                                       .rows = s->own,
                                       .at = s->at,
                                       .total = s->padded,
                                       .outside = s->kind->far},
                             velocities = {.column = {b->vel[0] + s->first, b->vel[1] + s->first,
                                                      flat ? NULL : b->vel[2] + s->first},
                                           .width = 4,
                                           .rows = s->own,
                                           .total = s->own};
    int code = orr_upload_columns(job->device, s->body, &bodies);
    if (!code && s->low)
        code = device_bodies_send_low(job, s->low, s->padded, s->origin, s->in_double);
    if (code || s->steps <= 0)
        return code;
    code = orr_copy(job->device, s->start[0], s->body, s->padded * DEVICE_FLOAT4);
    if (code)
        return code;
    return orr_upload_columns(job->device, s->start[1], &velocities);
}

static int device_bodies_forces(struct orr_job *job)
{
    const struct device_bodies *s = job->state;
    int code =
        s->kind->divided ? ORR_OK : orr_ranks_gather(job->ranks, s->body, s->share * DEVICE_FLOAT4);

    return code ? code : s->forces(job);
}

/* What kernels/leapfrog.cl says of `closing` and `opening`. */
static int device_bodies_kick_and_drift(struct orr_job *job, float closing, float opening, float dt)
{
    struct device_bodies *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->body),         ORR_BUF(s->velocity), ORR_BUF(s->acc),  ORR_I32((int32_t)s->at),
        ORR_I32((int32_t)s->own), ORR_F32(closing),     ORR_F32(opening), ORR_F32(dt)};
    const struct orr_launch launch = {.kernel = "leapfrog",
                                      .groups = {(s->own + LEAPFROG_BLOCK - 1) / LEAPFROG_BLOCK},
                                      .group = {LEAPFROG_BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = orr_phase(job->device, s->kind->update_phase);

    return code || !s->own ? code : orr_launch(job->device, s->leapfrog, &launch);
}

static int device_bodies_rewind(struct orr_job *job)
{
    struct device_bodies *s = job->state;
    int code = s->kind->start_phase ? orr_phase(job->device, s->kind->start_phase) : 0;

    if (!code)
        code = orr_copy(job->device, s->body, s->start[0], s->padded * DEVICE_FLOAT4);
    return code ? code : orr_copy(job->device, s->velocity, s->start[1], s->own * DEVICE_FLOAT4);
}

int device_bodies_step(struct orr_job *job, int (*forces)(struct orr_job *job))
{
    struct device_bodies *s = job->state;
    const struct leapfrog scheme = {device_bodies_forces, device_bodies_kick_and_drift,
                                    s->kind->integrator};
    s->forces = forces;
    int code = s->steps > 0 ? device_bodies_rewind(job) : 0;

    if (!code)
        code = leapfrog_run(job, &scheme, s->steps, s->dt);
    return code ? code : orr_phase(job->device, NULL);
}

/* Downloads the rank's own float4, which lie at `skip`, and spreads them over three arrays and, if
 * given, a fourth. */
static int device_bodies_unpack(struct orr_job *job, float *const to[3], float *fourth,
                                struct orr_buffer *from, size_t skip)
{
    const struct device_bodies *s = job->state;
    const int flat = s->kind->flat;
    const struct orr_float_columns own = {.column = {to[0] + s->first, to[1] + s->first,
                                                     flat ? NULL : to[2] + s->first,
                                                     fourth ? fourth + s->first : NULL},
                                          .width = 4,
                                          .rows = s->own,
                                          .at = skip};

    return orr_download_columns(job->device, &own, from);
}

int device_bodies_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct device_bodies *s = job->state;
    int code = device_bodies_unpack(job, out->acc, s->kind->has_phi ? out->phi : NULL, s->acc, 0);

    out->has_phi = s->kind->has_phi;
    if (code || s->steps <= 0)
        return code;
    code = device_bodies_unpack(job, out->pos, NULL, s->body, s->at);
    return code ? code : device_bodies_unpack(job, out->vel, NULL, s->velocity, 0);
}

void device_bodies_release(struct orr_job *job)
{
    struct device_bodies *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->low);
    orr_free(job->device, s->acc);
    orr_free(job->device, s->velocity);
    orr_free(job->device, s->start[0]);
    orr_free(job->device, s->start[1]);
    orr_drop(job->device, s->leapfrog);
    memset(s, 0, sizeof *s);
}
