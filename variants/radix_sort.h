/* Sorts keys on the device, kernels/radix_sort.cl: 64-bit keys with a 32-bit value each, ascending
 * and stable. */
#ifndef VARIANTS_RADIX_SORT_H
#define VARIANTS_RADIX_SORT_H

#include <stdio.h>
#include <string.h>

#include "harness/variant.h"
#include "kernels/radix_sort.h"

enum { RADIX_DIGITS = 256, RADIX_DIGIT_BITS = 8 };

static const struct orr_source radix_sort_source = {"radix_sort", kernel_radix_sort};

struct radix_sort {
    size_t n, block, items;
    size_t tiles; /* of block * items keys */
    struct orr_program *program;
    struct orr_buffer *key[2];   /* n u64; the caller fills [0] */
    struct orr_buffer *value[2]; /* n u32; likewise */
    struct orr_buffer *counts, *totals;
};

/* Room for `n` keys, 1 <= n < 2^31. Release it whatever is returned. */
static inline int radix_sort_prepare(struct orr_job *job, struct radix_sort *s, size_t n)
{
    const struct orr_device_info *info = &job->device->info;
    char defines[64];
    int rc = 0;

    /* A CPU runs the threads of a group one after the other: few of them, with more keys each. Few
     * keys fill no group.
     */
    s->block = info->kind == ORR_DEVICE_CPU               ? 16
               : n < 1024                                 ? 32
               : info->max_group && info->max_group < 256 ? 64
                                                          : 256;
    s->items = info->kind == ORR_DEVICE_CPU ? 32 : 8;
    s->n = n;
    s->tiles = (n + s->block * s->items - 1) / (s->block * s->items);
    for (int k = 0; k < 2 && !rc; k++)
        if (!(rc = orr_alloc(job->device, &s->key[k], n * sizeof(uint64_t))))
            rc = orr_alloc(job->device, &s->value[k], n * sizeof(uint32_t));
    if (rc ||
        (rc = orr_alloc(job->device, &s->counts, s->tiles * RADIX_DIGITS * sizeof(uint32_t))) ||
        (rc = orr_alloc(job->device, &s->totals, RADIX_DIGITS * sizeof(uint32_t))))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DITEMS=%zu", s->block, s->items);
    return orr_build(job->device, &s->program, &radix_sort_source, defines);
}

static inline int radix_sort_launch(struct orr_job *job, const struct radix_sort *s,
                                    const char *kernel, size_t groups, const struct orr_arg *args,
                                    int count)
{
    const struct orr_launch launch = {.kernel = kernel,
                                      .groups = {groups},
                                      .group = {s->block},
                                      .args = args,
                                      .arg_count = count};

    return orr_launch(job->device, s->program, &launch);
}

/* One pass over the digit at bit `shift`, from key[from] to the other. */
static inline int radix_sort_pass(struct orr_job *job, const struct radix_sort *s, int from,
                                  int shift)
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
    int rc = radix_sort_launch(job, s, "radix_count", s->tiles, count, 4);

    if (!rc)
        rc = radix_sort_launch(job, s, "radix_scan", RADIX_DIGITS, scan, 3);
    return rc ? rc : radix_sort_launch(job, s, "radix_scatter", s->tiles, scatter, 8);
}

/* Which of key[] and value[] hold the keys in order after radix_sort_run() over `bits`. */
static inline int radix_sort_result(int bits)
{
    return (bits + RADIX_DIGIT_BITS - 1) / RADIX_DIGIT_BITS % 2;
}

/* Queues the sort by the lowest `bits` of the keys in key[0]; those above must be 0 or are not
 * looked at. */
static inline int radix_sort_run(struct orr_job *job, const struct radix_sort *s, int bits)
{
    int rc = 0, from = 0;

    for (int shift = 0; shift < bits && !rc; shift += RADIX_DIGIT_BITS, from = !from)
        rc = radix_sort_pass(job, s, from, shift);
    return rc;
}

static inline void radix_sort_release(struct orr_job *job, struct radix_sort *s)
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

#endif
