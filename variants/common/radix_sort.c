/* SPDX-License-Identifier: MIT */
#include "variants/common/radix_sort.h"

#include <stdio.h>
#include <string.h>

#include "kernels/radix_sort.h"

enum { DIGITS = 1 << RADIX_DIGIT_BITS };

static const struct orr_source source = {"radix_sort", kernel_radix_sort};

void radix_sort_hold(struct radix_sort *s, size_t n)
{
    s->n = n;
    s->tiles = (n + s->block * s->items - 1) / (s->block * s->items);
}

int radix_sort_prepare(struct orr_job *job, struct radix_sort *s, size_t n)
{
    const struct orr_device_info *info = &job->device->info;
    char defines[64];
    int code = 0;

    /* A CPU runs the threads of a group one after the other: few of them, with more keys each. Few
     * keys fill no group.
     */
    s->block = info->kind == ORR_DEVICE_CPU               ? 16
               : n < 1024                                 ? 32
               : info->max_group && info->max_group < 256 ? 64
                                                          : 256;
    s->items = info->kind == ORR_DEVICE_CPU ? 32 : 8;
    radix_sort_hold(s, n);
    for (int k = 0; k < 2 && !code; k++)
        if (!(code = orr_alloc(job->device, &s->key[k], n * sizeof(uint64_t))))
            code = orr_alloc(job->device, &s->value[k], n * sizeof(uint32_t));
    if (code || (code = orr_alloc(job->device, &s->counts, s->tiles * DIGITS * sizeof(uint32_t))) ||
        (code = orr_alloc(job->device, &s->totals, DIGITS * sizeof(uint32_t))))
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DITEMS=%zu", s->block, s->items);
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

int radix_sort_result(int bits)
{
    return (bits + RADIX_DIGIT_BITS - 1) / RADIX_DIGIT_BITS % 2;
}

int radix_sort_run(struct orr_job *job, const struct radix_sort *s, int bits)
{
    int code = 0, from = 0;

    for (int shift = 0; shift < bits && !code; shift += RADIX_DIGIT_BITS, from = !from)
        code = pass_over(job, s, from, shift);
    return code;
}

void radix_sort_release(struct orr_job *job, struct radix_sort *s)
{
    for (int k = 0; k < 2; k++) {
        orr_free(job->device, s->key[k]);
        orr_free(job->device, s->value[k]);
    }
    orr_free(job->device, s->counts);
    orr_free(job->device, s->totals);
    orr_drop(job->device, s->program);
    memset(s, 0, sizeof *s);
}
