/* SPDX-License-Identifier: MIT */
#include "variants/common/radix_sort.h"

#include <stdio.h>
#include <string.h>

#include "kernels/radix_sort.h"

enum { DIGITS = 1 << RADIX_DIGIT_BITS, MOST_PASSES = 64 / RADIX_DIGIT_BITS };

static const struct orr_source source = {"radix_sort", kernel_radix_sort};

void radix_sort_hold(struct radix_sort *s, size_t n)
{
    s->n = n;
    s->tiles = (n + s->block * s->items - 1) / (s->block * s->items);
}

/* Groups that began run until they end on NVIDIA's devices, whose compute capability is known. A
 * processor runs one group a core, and reads its keys once more from its cache. */
static enum radix_way way_of(const struct orr_device_info *info, size_t n)
{
    return info->capability[0] && n < (size_t)1 << 30 ? RADIX_SWEEP : RADIX_THREE_LAUNCHES;
}

/* A CPU runs the threads of a group one after the other: few of them, with more keys each. Few keys
 * fill no group. Groups of 384 with 12 keys a thread swept fastest of six shapes on an H100. */
static void choose_shape(struct radix_sort *s, const struct orr_device_info *info, size_t n)
{
    if (s->way == RADIX_BY_DEVICE)
        s->way = way_of(info, n);
    s->block = info->kind == ORR_DEVICE_CPU                      ? 16
               : n < 1024                                        ? 32
               : info->max_group && info->max_group < 256        ? 64
               : s->way == RADIX_SWEEP && info->max_group >= 384 ? 384
                                                                 : 256;
    s->items = info->kind == ORR_DEVICE_CPU ? 32 : s->way == RADIX_SWEEP ? 12 : 8;
}

/* Groups of radix_histogram, each of which adds up several tiles before it adds to all. */
enum { HISTOGRAM_GROUPS = 1024 };
enum { SUMS = MOST_PASSES * DIGITS, SUM_WORDS = SUMS + MOST_PASSES };

static int allocate(struct orr_job *job, struct radix_sort *s, size_t n)
{
    const size_t row = DIGITS * sizeof(uint32_t);
    int code = 0;

    for (int k = 0; k < 2 && !code; k++)
        if (!(code = orr_alloc(job->device, &s->key[k], n * sizeof(uint64_t))))
            code = orr_alloc(job->device, &s->value[k], n * sizeof(uint32_t));
    if (code)
        return code;
    if (s->way == RADIX_THREE_LAUNCHES)
        return (code = orr_alloc(job->device, &s->counts, s->tiles * row))
                   ? code
                   : orr_alloc(job->device, &s->totals, row);
    for (int k = 0; k < 2 && !code; k++)
        code = orr_alloc(job->device, &s->status[k], s->tiles * row);
    return code ? code : orr_alloc(job->device, &s->sums, SUM_WORDS * sizeof(uint32_t));
}

int radix_sort_prepare(struct orr_job *job, struct radix_sort *s, size_t n)
{
    char defines[64];

    choose_shape(s, &job->device->info, n);
    radix_sort_hold(s, n);
    int code = allocate(job, s, n);
    if (code)
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DITEMS=%zu%s", s->block, s->items,
             s->way == RADIX_SWEEP ? " -DSWEEP=1" : "");
    return orr_build(job->device, &s->program, &source, defines);
}

static int launch(struct orr_job *job, const struct radix_sort *s, const char *kernel,
                  size_t groups, const struct orr_arg *args, int count)
{
    const struct orr_launch launch = {.kernel = kernel,
                                      .groups = {groups},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = count};

    return orr_launch(job->device, s->program, &launch);
}

/* One pass over the digit at bit `shift`, from key[from] to the other. */
static int pass_over(struct orr_job *job, const struct radix_sort *s, int from, int shift)
{
    const struct orr_arg n = ORR_I32((int32_t)s->n), at = ORR_I32(shift);
    const struct orr_arg count[] = {ORR_BUF(s->key[from]), ORR_BUF(s->counts), n, at};
    const struct orr_arg scan[] = {ORR_BUF(s->counts), ORR_BUF(s->totals),
                                   ORR_I32((int32_t)s->tiles)};
    const struct orr_arg scatter[] = {ORR_BUF(s->key[from]),
                                      ORR_BUF(s->value[from]),
                                      ORR_BUF(s->key[!from]),
                                      ORR_BUF(s->value[!from]),
                                      ORR_BUF(s->counts),
                                      ORR_BUF(s->totals),
                                      n,
                                      at};
    int code = launch(job, s, "radix_count", s->tiles, count, 4);

    if (!code)
        code = launch(job, s, "radix_scan", DIGITS, scan, 3);
    return code ? code : launch(job, s, "radix_scatter", s->tiles, scatter, 8);
}

static int passes_of(int bits)
{
    return (bits + RADIX_DIGIT_BITS - 1) / RADIX_DIGIT_BITS;
}

int radix_sort_result(int bits)
{
    return passes_of(bits) % 2;
}

static int begin_sweeps(struct orr_job *job, const struct radix_sort *s, int passes)
{
    const struct orr_arg histogram[] = {ORR_BUF(s->key[0]),    ORR_BUF(s->sums),
                                        ORR_BUF(s->status[0]), ORR_I32((int32_t)s->n),
                                        ORR_I32(passes),       ORR_I32((int32_t)s->tiles)};
    const struct orr_arg bases[] = {ORR_BUF(s->sums)};
    const size_t groups = s->tiles < HISTOGRAM_GROUPS ? s->tiles : HISTOGRAM_GROUPS;
    int code = orr_fill(job->device, s->sums, 0, SUM_WORDS * sizeof(uint32_t));

    if (!code)
        code = launch(job, s, "radix_histogram", groups, histogram, 6);
    return code ? code : launch(job, s, "radix_bases", (size_t)passes, bases, 1);
}

static int sweep(struct orr_job *job, const struct radix_sort *s, int pass)
{
    const int from = pass % 2;
    const struct orr_arg args[] = {
        ORR_BUF(s->key[from]),     ORR_BUF(s->value[from]), ORR_BUF(s->key[!from]),
        ORR_BUF(s->value[!from]),  ORR_BUF(s->sums),        ORR_BUF(s->status[from]),
        ORR_BUF(s->status[!from]), ORR_I32((int32_t)s->n),  ORR_I32(pass)};

    return launch(job, s, "radix_sweep", s->tiles, args, 9);
}

int radix_sort_run(struct orr_job *job, const struct radix_sort *s, int bits)
{
    const int passes = passes_of(bits);
    int code = s->way == RADIX_SWEEP ? begin_sweeps(job, s, passes) : 0;

    for (int pass = 0; pass < passes && !code; pass++)
        code = s->way == RADIX_SWEEP ? sweep(job, s, pass)
                                     : pass_over(job, s, pass % 2, RADIX_DIGIT_BITS * pass);
    return code;
}

void radix_sort_release(struct orr_job *job, struct radix_sort *s)
{
    for (int k = 0; k < 2; k++) {
        orr_free(job->device, s->key[k]);
        orr_free(job->device, s->value[k]);
        orr_free(job->device, s->status[k]);
    }
    orr_free(job->device, s->sums);
    orr_free(job->device, s->counts);
    orr_free(job->device, s->totals);
    orr_drop(job->device, s->program);
    memset(s, 0, sizeof *s);
}
