/* SPDX-License-Identifier: MIT */
/* Sorts 64-bit keys with a 32-bit value each on the threads of the host, ascending and stable: the
 * result is the same for every number of threads. The bodies are dealt out to buckets of about
 * equal size, whose bounds are keys of a sample, so that a few bodies far away leave no thread with
 * all the others; then each bucket is sorted where it stays within a core's cache. */
#ifndef VARIANTS_COMMON_HOST_SORT_H
#define VARIANTS_COMMON_HOST_SORT_H

#include "harness/variant.h"

struct host_place {
    uint64_t key;
    uint32_t body;
    uint32_t bucket; /* the sort's own */
};

struct host_sort {
    struct host_place *places; /* n; the caller fills key and body, here they are in order */
    struct host_place *spare;  /* n; anyone's between two sorts */
    struct host_place *sample; /* twice its length */
    uint64_t *bounds;          /* the lowest key of each bucket but the first */
    uint32_t *counts;          /* of each share's places in each bucket */
    int bits;                  /* 2^bits buckets */
    int threads;               /* at most, that `counts` has room for */
};

/* Room for up to n places, 1 <= n < 2^32, sorted by up to `threads` threads. May be called again
 * with more threads. Release it whatever is returned. 0 or ORR_EMEMORY. */
int host_sort_prepare(const struct orr_job *job, struct host_sort *s, size_t n, int threads);

/* Safe on a zeroed or half-made sort; leaves it zeroed. */
void host_sort_release(struct host_sort *s);

/* Sorts the first n places. */
void host_sort_run(struct host_sort *s, size_t n, int threads);

#endif
