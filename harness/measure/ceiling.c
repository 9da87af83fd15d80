/* SPDX-License-Identifier: MIT */
/* Ceilings of pairs: the mixes of instructions that pair interactions are made of, in registers, on
 * GPUs by kernels/ceiling.cl and on the host by ceiling_host.c; and spans, by which ceilings are
 * timed. */
#include "measure/ceiling.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "kernels/ceiling.h"
#include "measure/sensors.h"

/* --- spans --- */

static int shortest_of(const struct orr_span *span, int count, double *seconds)
{
    int code = 0;
    *seconds = INFINITY;
    for (int k = 0; k < count && !code; k++) {
        double once = 0;
        code = span->run(span->context, span->loops, &once);
        *seconds = fmin(*seconds, once);
    }
    return code;
}

static bool is_short(const struct orr_span *span, double seconds)
{
    return seconds < 0.5 * span->span_s && span->loops < span->most;
}

/* ORRERY_SPAN_SECONDS only makes them shorter. */
static double shortened(double span_s)
{
    const char *text = getenv("ORRERY_SPAN_SECONDS");
    double given = text ? atof(text) : 0;
    return given > 0 ? fmin(given, span_s) : span_s;
}

int orr_ceiling_span(struct orr_span *span, double *seconds)
{
    int code = 0;
    span->span_s = shortened(span->span_s);
    do {
        while (!(code = shortest_of(span, 1, seconds)) && is_short(span, *seconds)) {
            const double longer = *seconds > 0 ? fmin(16, 1 + span->span_s / *seconds) : 16;
            span->loops = (long)fmin((double)span->loops * longer, (double)span->most);
        }
        if (!code)
            code = shortest_of(span, span->spans, seconds);
    } while (!code && is_short(span, *seconds)); /* the first one may have been disturbed */
    if (!code && !(*seconds > 0))
        code = orr_fail(ORR_EDEVICE, "no time passes");
    return code;
}

int orr_ceiling_launch(struct orr_device *device, struct orr_program *program,
                       const struct orr_launch *launch, double *seconds)
{
    struct orr_times times = {0};
    int code = device->ops->time_start(device);
    if (!code)
        code = orr_launch(device, program, launch);
    if (!code)
        code = device->ops->time_stop(device);
    if (!code)
        code = device->ops->time_read(device, &times);
    *seconds = times.seconds;
    return code;
}

/* --- ceilings --- */

enum { SLOTS = 4, FMA_PER_SLOT = 12, GROUP = 256, SPANS = 8, PAIR_SPANS = 4, FIRST_LOOPS = 64 };
static const float scale = 0.5f, shift = 0.6f; /* x -> c x + d goes to 1.2 */
static const double SPAN_S = 0.02;             /* long compared with a launch */

/* The chains of x and of z, whose results tell that a slot was computed as meant: F is an FMA, A an
 * addition. That of y is FFFF; with 3d-matrix it is F, and z is 0. */
struct chains {
    const char *x, *z;
};
struct mix {
    const char *name, *kernel;
    double pairs;               /* ordered pairs of a slot */
    struct chains device, host; /* NULL: the host's are the device's */
};
static const struct mix mixes[ORR_CEILING_KINDS] = {
    [ORR_CEILING_MIX] = {"mix", "ceiling_mix", 1, {"FFFF", "FFFF"}, {NULL, NULL}},
    [ORR_CEILING_FMA] = {"fma", "ceiling_fma", 0, {"FFFF", "FFFF"}, {NULL, NULL}},
    [ORR_CEILING_3D] = {"3d", "ceiling_3d", 1, {"FFAF", "AFAFA"}, {NULL, NULL}},
    [ORR_CEILING_3D_BOTH] =
        {"3d-both", "ceiling_3d_both", 2, {"FFAFAFF", "AFFAFAFF"}, {NULL, NULL}},
    [ORR_CEILING_2D] = {"2d", "ceiling_2d", 1, {"FAF", "FA"}, {"FFAF", "FAF"}},
    [ORR_CEILING_2D_BOTH] = {"2d-both", "ceiling_2d_both", 2, {"FFAF", "FFAF"}, {"FFFAF", "FFFAF"}},
    [ORR_CEILING_3D_MATRIX] = {"3d-matrix", "ceiling_3d_matrix", 2, {"F", NULL}, {NULL, NULL}},
    [ORR_CEILING_3D_NODE] =
        {"3d-node", "ceiling_3d_node", 1, {"FFFFAFFFFFFFF", "AFFFFFFAFFFFFFFF"}, {NULL, NULL}},
};

/* Runs `loops` passes of a kind; `result` is the sum of a slot's three values. */
struct runner {
    int (*run)(void *runner, long loops, double *seconds);
    enum orr_ceiling_kind kind;
    double result;
    double slots; /* slots of one pass */
    struct orr_device *device;
    struct orr_program *program;
    struct orr_buffer *out;
    size_t items;
    int vector;
    const struct orr_ceiling_host *host;
};

/* Sum of the cores' rates, each by its thread's processor time: other processes do not lower the
 * ceiling. */
static int run_host(void *context, long loops, double *seconds)
{
    struct runner *r = context;
    double sum = 0, rate = 0;
    int threads = r->device->info.compute_units;
    double (*body)(long, float, float) = r->host->run[r->kind];
#pragma omp parallel for num_threads(threads) reduction(+ : sum, rate) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        double start = orr_clock_thread();
        sum += body(loops, scale, shift);
        rate += 1 / (orr_clock_thread() - start);
    }
    *seconds = threads / rate;
    r->result = sum / threads;
    return 0;
}

static int run_kernel(void *context, long loops, double *seconds)
{
    struct runner *r = context;
    float sum = 0;
    const struct orr_arg args[] = {ORR_BUF(r->out), ORR_I32((int32_t)loops), ORR_F32(scale),
                                   ORR_F32(shift)};
    const struct orr_launch launch = {.kernel = mixes[r->kind].kernel,
                                      .groups = {r->items / GROUP},
                                      .group = {GROUP},
                                      .args = args,
                                      .arg_count = 4};
    int code = orr_ceiling_launch(r->device, r->program, &launch, seconds);
    if (!code)
        code = orr_download(r->device, &sum, r->out, sizeof sum);
    r->result = (double)sum / SLOTS;
    return code;
}

static double follow(const char *chain, double v, double first)
{
    for (; *chain; chain++) {
        v = (*chain == 'F' ? (double)scale * v : v) + first;
        first = (double)shift;
    }
    return v;
}

/* The values of a slot converge to these, in double precision. */
static double expected(const struct runner *r, enum orr_ceiling_kind kind)
{
    const bool own = r->host && mixes[kind].host.x;
    const struct chains *chains = own ? &mixes[kind].host : &mixes[kind].device;
    double x = 1, y = 1, z = 1;
    for (int k = 0; k < 100; k++) {
        y = follow(kind == ORR_CEILING_3D_MATRIX ? "F" : "FFFF", y,
                   kind == ORR_CEILING_FMA ? (double)shift : 1 / sqrt(x));
        x = follow(chains->x, x, (double)shift);
        z = chains->z ? follow(chains->z, z, (double)shift) : 0;
    }
    return x + y + z;
}

/* Slots per second. */
static int measure_slots(struct runner *r, enum orr_ceiling_kind kind, double *rate)
{
    struct orr_span span = {.run = r->run,
                            .context = r,
                            .loops = FIRST_LOOPS,
                            .most = 1L << 27,
                            .spans = kind < ORR_CEILING_FIRST_PAIR ? SPANS : PAIR_SPANS,
                            .span_s = SPAN_S};
    double seconds = 0;
    r->kind = kind;
    int code = orr_ceiling_span(&span, &seconds);
    if (code)
        return code;
    const double right = expected(r, kind);
    if (!(fabs(r->result / right - 1) < 1e-4))
        return orr_fail(ORR_EWRONG, "the ceiling of %s (%s) computes %g where %g is right",
                        r->device->info.id, mixes[kind].name, r->result, right);
    *rate = (double)span.loops * r->slots / seconds;
    return 0;
}

/* Built apart, so that the device's list holds only the variant's kernels. */
static int prepare_kernels(struct runner *r)
{
    const struct orr_source source = {"ceiling", kernel_ceiling};
    struct orr_device *device = r->device;
    int kept = device->kernel_count;
    char defines[32];
    r->vector = device->info.vector_width;
    r->items =
        (size_t)device->info.compute_units * GROUP * (device->info.kind == ORR_DEVICE_GPU ? 16 : 1);
    if (!r->items)
        r->items = GROUP;
    r->slots = (double)r->items * r->vector * SLOTS;
    snprintf(defines, sizeof defines, "-DVECTOR=%d", r->vector);
    int code = orr_build(device, &r->program, &source, defines);
    device->kernel_count = kept;
    return code ? code : orr_alloc(device, &r->out, r->items * (size_t)r->vector * sizeof(float));
}

static int prepare(struct runner *r)
{
    if (strcmp(r->device->info.backend, "host") != 0)
        return prepare_kernels(r);
    r->run = run_host;
    r->host = orr_ceiling_host_best();
    r->slots = (double)r->host->bytes / sizeof(float) * SLOTS * r->device->info.compute_units;
    return 0;
}

int orr_ceiling_measure(struct orr_device *device, struct orr_ceiling *out, json_t **sensors)
{
    struct runner runner = {.run = run_kernel, .device = device};
    double rates[ORR_CEILING_KINDS] = {0};
    int code = prepare(&runner);
    struct orr_sensors *watching =
        sensors && !code ? orr_sensors_start(&device->info, ORR_SENSORS_PERIOD_S) : NULL;
    for (int kind = 0; kind < ORR_CEILING_KINDS && !code; kind++)
        code = measure_slots(&runner, kind, &rates[kind]);
    json_t *seen = orr_sensors_stop(watching);
    if (sensors)
        *sensors = code ? NULL : json_incref(seen);
    json_decref(seen);
    orr_free(device, runner.out);
    orr_drop(device, runner.program);
    *out = (struct orr_ceiling){.interactions_per_second = rates[ORR_CEILING_MIX],
                                .fma_per_second = rates[ORR_CEILING_FMA] * FMA_PER_SLOT};
    for (int kind = ORR_CEILING_FIRST_PAIR; kind < ORR_CEILING_KINDS; kind++)
        out->pairs[kind] = rates[kind] * mixes[kind].pairs;
    return code;
}

const char *orr_ceiling_name(enum orr_ceiling_kind kind)
{
    return mixes[kind].name;
}
