#include "measure/ceiling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "kernels/ceiling.h"
#include "clock.h"

enum { SLOTS = 4, FMA_PER_SLOT = 12, GROUP = 256, SPANS = 8 };
static const float scale = 0.5f, shift = 0.6f; /* x -> c x + d goes to 1.2 */
static const double span_s = 0.02;             /* long compared with a launch */

/* Runs `loops` passes; gives their seconds and the sum of a slot's three values. */
struct runner {
    int (*run)(struct runner *runner, bool root, long loops, double *seconds, double *result);
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
static int run_host(struct runner *r, bool root, long loops, double *seconds, double *result)
{
    double sum = 0, rate = 0;
    int threads = r->device->info.compute_units;
    double (*body)(long, float, float) = root ? r->host->mix : r->host->fma;
#pragma omp parallel for num_threads(threads) reduction(+ : sum, rate) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        double start = orr_clock_thread();
        sum += body(loops, scale, shift);
        rate += 1 / (orr_clock_thread() - start);
    }
    *seconds = threads / rate;
    *result = sum / threads;
    return 0;
}

static int run_kernel(struct runner *r, bool root, long loops, double *seconds, double *result)
{
    struct orr_times times;
    float sum = 0;
    const struct orr_arg args[] = {ORR_BUF(r->out), ORR_I32((int32_t)loops), ORR_F32(scale),
                                   ORR_F32(shift)};
    const struct orr_launch launch = {.kernel = root ? "ceiling_mix" : "ceiling_fma",
                                      .groups = {r->items / GROUP},
                                      .group = {GROUP},
                                      .args = args,
                                      .arg_count = 4};
    int code = r->device->ops->time_start(r->device);
    if (!code)
        code = orr_launch(r->device, r->program, &launch);
    if (!code)
        code = r->device->ops->time_stop(r->device);
    if (!code)
        code = r->device->ops->time_read(r->device, &times);
    if (!code)
        code = orr_download(r->device, &sum, r->out, sizeof sum);
    *seconds = code ? 0 : times.seconds;
    *result = (double)sum / SLOTS;
    return code;
}

/* What the values of a slot converge to, in double precision. */
static double expected(bool root)
{
    double x = (double)shift / (1 - (double)scale), y = x;
    for (int k = 0; k < 100; k++) {
        y = (double)scale * y + (root ? 1 / sqrt(x) : (double)shift);
        for (int step = 0; step < 3; step++)
            y = (double)scale * y + (double)shift;
    }
    return x + y + x;
}

/* Shortest of several spans of `loops` passes. */
static int shortest(struct runner *r, bool root, long loops, double *seconds, double *result)
{
    int code = 0;
    *seconds = INFINITY;
    for (int k = 0; k < SPANS && !code; k++) {
        double span;
        code = r->run(r, root, loops, &span, result);
        *seconds = fmin(*seconds, span);
    }
    return code;
}

/* Slots per second; spans grow until the shortest is long compared with a launch. */
static int measure(struct runner *r, bool root, double *rate)
{
    double seconds = 0, result = 0;
    long loops = 64;
    int code;
    while (!(code = shortest(r, root, loops, &seconds, &result)) && seconds < 0.5 * span_s &&
           loops < (1L << 27))
        loops = seconds > 0 ? (long)((double)loops * fmin(16, 1 + span_s / seconds)) : 16 * loops;
    if (code)
        return code;
    if (!(fabs(result / expected(root) - 1) < 1e-4))
        return orr_fail(ORR_EWRONG, "the ceiling of %s computes %g where %g is right",
                        r->device->info.id, result, expected(root));
    if (!(seconds > 0))
        return orr_fail(ORR_EDEVICE, "%s tells no times", r->device->info.id);
    *rate = (double)loops * r->slots / seconds;
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

int orr_ceiling_measure(struct orr_device *device, struct orr_ceiling *out)
{
    struct runner runner = {.run = run_kernel, .device = device};
    double mix = 0, fma = 0;
    int code = 0;
    *out = (struct orr_ceiling){0, 0};
    if (!strcmp(device->info.backend, "host")) {
        runner.run = run_host;
        runner.host = orr_ceiling_host_best();
        runner.slots = (double)runner.host->lanes * device->info.compute_units;
    } else
        code = prepare_kernels(&runner);
    if (!code)
        code = measure(&runner, true, &mix);
    if (!code)
        code = measure(&runner, false, &fma);
    orr_free(device, runner.out);
    orr_drop(device, runner.program);
    if (!code)
        *out = (struct orr_ceiling){mix, fma * FMA_PER_SLOT};
    return code;
}
