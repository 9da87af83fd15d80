/* SPDX-License-Identifier: MIT */
/* Sorts keys on the device, kernels/radix_sort.cl: 64-bit keys with a 32-bit value each, ascending
 * and stable. */
#ifndef VARIANTS_COMMON_RADIX_SORT_H
#define VARIANTS_COMMON_RADIX_SORT_H

#include "harness/variant.h"

enum { RADIX_DIGIT_BITS = 8 };

/* A pass is three launches, or one in which groups wait for each other. */
enum radix_way { RADIX_BY_DEVICE, RADIX_THREE_LAUNCHES, RADIX_SWEEP };

struct radix_sort {
    enum radix_way way; /* chosen before radix_sort_prepare(), which makes it one of the latter */
    size_t n, block, items;
    size_t tiles; /* of block * items keys */
    struct orr_program *program;
    struct orr_buffer *key[2];           /* n u64; the caller fills [0] */
    struct orr_buffer *value[2];         /* n u32; likewise */
    struct orr_buffer *counts, *totals;  /* of three launches */
    struct orr_buffer *sums, *status[2]; /* of a sweep: counts of all passes and tickets, tiles */
};

/* Room for `n` keys, 1 <= n < 2^31. Release it whatever is returned. */
int radix_sort_prepare(struct orr_job *job, struct radix_sort *s, size_t n);

/* From now on it sorts n keys, no more than it has room for. */
void radix_sort_hold(struct radix_sort *s, size_t n);

/* The index of key[] and value[] that holds the sorted keys after radix_sort_run() over `bits`. */
int radix_sort_result(int bits);

/* Queues the sort by the lowest `bits` of the keys in key[0]. Higher bits must be 0 or are
 * ignored. */
int radix_sort_run(struct orr_job *job, const struct radix_sort *s, int bits);

void radix_sort_release(struct orr_job *job, struct radix_sort *s);

#endif
