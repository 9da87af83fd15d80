/* SPDX-License-Identifier: MIT */
/* skeleton/skeleton: the smallest complete variant, and the manual's example
 * (docs/WRITING_A_VARIANT.md). It computes the exact forces by a plain sum over all pairs in double
 * precision on the host.
 *
 * A variant is one shared object that exports one symbol, the const struct `orr_variant` at the end
 * of this file. Everything else is static. The harness calls, in this order:
 *
 *     prepare   once     untimed: allocate, compile kernels
 *     upload    often    host to device; what step() starts from
 *     step      often    the work that is timed
 *     fetch     often    device to host
 *     cost      once     how much work one step() is
 *     count     once     one step() by a build that counts its accesses; for audits, absent here
 *     release   once     always, even after a prepare that failed half-way
 *
 * A variant never prints, never times and never opens a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/variant.h"

/* 1. The parameters: a plain struct, and one row per member further down. The rows drive parsing,
 * range checks, `orrery describe` and the journal; step() finds the members filled in. int32_t for
 * INT and CHOICE, double for FLOAT. */
struct params {
    double eps; /* softening length */
};

static const struct orr_param params[] = {
    /* name, type, place, default, least, most, choices, help. A default of NAN takes the data set's
       own value. */
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 1e18, NULL,
     "softening length, in the bodies' unit"},
};

/* 2. The state: state_size zeroed bytes, the variant's own, reached through job->state. */
struct state {
    float *result; /* ax ay az phi of every body */
};

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;

    s->result = malloc(job->bodies->n * 4 * sizeof *s->result);
    /* A failure is reported once, where it happens: a code of harness/error.h and one line that
     * says what to do. */
    return s->result ? ORR_OK
                     : ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", job->bodies->n);
}

/* 3. The work. No upload(): a variant on the host may read job->bodies where it is. */
static void force_on(const struct orr_bodies *b, size_t i, double eps, float out[4])
{
    double acc[3] = {0, 0, 0}, phi = 0;

    for (size_t j = 0; j < b->n; j++) {
        double d[3], r2 = eps * eps;

        if (j == i)
            continue;
        for (int k = 0; k < 3; k++) {
            d[k] = b->pos[k][j] - b->pos[k][i]; /* 1 flop, 3 in all */
            r2 += d[k] * d[k];                  /* 2, 6 in all */
        }
        double r = 1.0 / sqrt(r2), mr = b->mass[j] * r; /* 2 + 1 */
        phi -= mr;                                      /* 1 */
        for (int k = 0; k < 3; k++)
            acc[k] += mr * (r * r) * d[k]; /* 2, 6 in all, and 2 for the factor */
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)acc[k];
    out[3] = (float)phi;
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;

    for (size_t i = 0; i < job->bodies->n; i++)
        force_on(job->bodies, i, p->eps, s->result + 4 * i);
    return ORR_OK;
}

/* 4. The results, in the order of the input. */
static int fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct state *s = job->state;

    for (size_t i = 0; i < job->bodies->n; i++) {
        for (int k = 0; k < 3; k++)
            out->acc[k][i] = s->result[4 * i + (size_t)k];
        out->phi[i] = s->result[4 * i + 3];
    }
    out->has_phi = 1;
    return ORR_OK;
}

/* 5. The work of one step(): counted here and not in the loop, beside the comments that count one
 * pair. */
static int cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n;

    out->interactions = n * (n - 1);
    out->flops_convention = out->interactions * 21; /* no paper, so no convention of its own */
    out->flops_true = out->interactions * 21;
    out->bytes_min = n * (4 * sizeof(double) + 4 * sizeof(float));
    return ORR_OK;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    free(s->result);
    memset(s, 0, sizeof *s);
}

/* 6. The one exported symbol. */
const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "skeleton/skeleton",
    .summary = "the smallest complete variant: a plain sum over all pairs, in double precision",
    .capabilities = ORR_RUNS_HOST,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .step = step,
    .fetch = fetch,
    .cost = cost,
    .release = release,
};
