/* SPDX-License-Identifier: MIT */
#include "variants/common/host_sort.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKET = 2048,    /* places that a bucket holds on average, or more */
    MOST_BITS = 11,   /* 2^11 buckets: as many places are written to at once */
    SAMPLE = 8,       /* keys of the sample for each bucket */
    FEW = 24,         /* are sorted by insertion */
    ORDERED = 8,      /* most places are in order if less than an eighth of them begin a new run */
    PATIENCE = 4,     /* places in a row that are late behind one make that one late itself */
    MOST_DIGITS = 256 /* of one pass of the radix sort within a bucket */
};

int host_sort_prepare(const struct orr_job *job, struct host_sort *s, size_t n, int threads)
{
    if (!s->places) {
        while (s->bits < MOST_BITS && (size_t)BUCKET << (s->bits + 1) <= n)
            s->bits++;
        s->places = malloc(n * sizeof *s->places);
        s->spare = malloc(n * sizeof *s->spare);
        s->sample = malloc(((size_t)2 * SAMPLE << s->bits) * sizeof *s->sample);
        s->bounds = malloc(((size_t)1 << s->bits) * sizeof *s->bounds);
    }
    if (s->threads < threads) {
        free(s->counts);
        s->counts = malloc(((size_t)threads << s->bits) * sizeof *s->counts);
        s->threads = s->counts ? threads : 0;
    }
    if (!s->places || !s->spare || !s->sample || !s->bounds || !s->counts)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory to sort %zu bodies", n);
    return ORR_OK;
}

void host_sort_release(struct host_sort *s)
{
    free(s->places);
    free(s->spare);
    free(s->sample);
    free(s->bounds);
    free(s->counts);
    memset(s, 0, sizeof *s);
}

static void sort_few(struct host_place *places, size_t n)
{
    for (size_t k = 1; k < n; k++) {
        const struct host_place place = places[k];
        size_t at = k;
        for (; at > 0 && places[at - 1].key > place.key; at--)
            places[at] = places[at - 1];
        places[at] = place;
    }
}

/* The bits in which any two of the keys differ. */
static uint64_t differences_of(const struct host_place *places, size_t n)
{
    uint64_t differences = 0;

    for (size_t k = 1; k < n; k++)
        differences |= places[k].key ^ places[0].key;
    return differences;
}

/* Radix sort of n places, highest digit first. The places are at `at`; the sorted ones end there
 * if `stay`, else at `other`. Digits begin where the keys differ; there are about as many digits
 * as places. */
static void sort_radix(struct host_place *at, struct host_place *other, size_t n, int stay)
{
    const uint64_t differences = n > FEW ? differences_of(at, n) : 0;
    uint32_t ends[MOST_DIGITS] = {0};
    int bits = 3, shift;

    if (!differences) {
        if (n <= FEW)
            sort_few(at, n);
        if (!stay)
            memcpy(other, at, n * sizeof *at);
        return;
    }
    while (bits < 8 && (size_t)8 << bits < n)
        bits++;
    shift = 64 - __builtin_clzll(differences) - bits;
    shift = shift > 0 ? shift : 0;
    const uint32_t digits = 1u << bits, mask = digits - 1;
    for (size_t k = 0; k < n; k++)
        ends[at[k].key >> shift & mask]++;
    for (uint32_t digit = 0, sum = 0; digit < digits; digit++) {
        const uint32_t count = ends[digit];
        ends[digit] = sum;
        sum += count;
    }
    for (size_t k = 0; k < n; k++)
        other[ends[at[k].key >> shift & mask]++] = at[k];
    for (uint32_t digit = 0; digit < digits; digit++) {
        const uint32_t from = digit ? ends[digit - 1] : 0;
        if (ends[digit] > from)
            sort_radix(other + from, at + from, ends[digit] - from, !stay);
    }
}

/* Whether most of the places are in order, as those of an earlier sort whose keys have changed a
 * little. */
static int is_nearly_sorted(const struct host_place *places, size_t n)
{
    size_t runs = 0;

    for (size_t k = 1; k < n && runs <= n / ORDERED; k++)
        runs += places[k].key < places[k - 1].key;
    return n > FEW && runs <= n / ORDERED;
}

/* Bucket of a late place; no number of one. */
static const uint32_t LATE = UINT32_MAX;

/* By key, then as they were before. */
static int is_before(const struct host_place *a, const struct host_place *b)
{
    return a->key != b->key ? a->key < b->key : a->bucket < b->bucket;
}

/* Marks the places that are late, such that all others ascend. The bucket of each of those is the
 * number of the one before it. */
static void mark_late(struct host_place *at, size_t n)
{
    uint32_t last = LATE; /* not late so far */

    for (size_t k = 0, row = 0; k < n; k++) {
        if (row == PATIENCE && last != LATE && at[last].key > at[k].key) {
            const uint32_t before = at[last].bucket;
            at[last].bucket = LATE;
            last = before;
            row = 0;
        }
        const int late = last != LATE && at[last].key > at[k].key;
        at[k].bucket = late ? LATE : last;
        last = late ? last : (uint32_t)k;
        row = late ? row + 1 : 0;
    }
}

/* Moves those that are late to `late`. Returns how many; the bucket of each is its number. */
static size_t part_late(struct host_place *at, struct host_place *late, size_t n)
{
    size_t kept = 0, gone = 0;

    for (size_t k = 0; k < n; k++) {
        struct host_place place = at[k];
        struct host_place *const to = place.bucket == LATE ? &late[gone++] : &at[kept++];
        place.bucket = (uint32_t)k;
        *to = place;
    }
    return gone;
}

/* Sorts places most of which are in order, where they are. */
static void sort_late(struct host_place *at, struct host_place *late, size_t n)
{
    mark_late(at, n);
    size_t gone = part_late(at, late, n), kept = n - gone;
    sort_radix(late, at + kept, gone, 1);
    while (gone) {
        const int last = !kept || is_before(&at[kept - 1], &late[gone - 1]);
        at[kept + gone - 1] = last ? late[gone - 1] : at[kept - 1];
        gone -= (size_t)last;
        kept -= (size_t)!last;
    }
}

/* Sorts n places at `at`, which end at `other` unless they are to `stay`. */
static void sort_places(struct host_place *at, struct host_place *other, size_t n, int stay)
{
    if (!is_nearly_sorted(at, n)) {
        sort_radix(at, other, n, stay);
        return;
    }
    sort_late(at, other, n);
    if (!stay)
        memcpy(other, at, n * sizeof *at);
}

/* Bounds that part a sample of the keys into equal buckets. */
static void set_bounds(struct host_sort *s, size_t n)
{
    const size_t buckets = (size_t)1 << s->bits, count = SAMPLE * buckets;

    for (size_t k = 0; k < count; k++)
        s->sample[k] = s->places[n * k / count];
    sort_radix(s->sample, s->sample + count, count, 1);
    for (size_t bucket = 1; bucket < buckets; bucket++)
        s->bounds[bucket] = s->sample[bucket * SAMPLE].key;
}

/* The last bucket whose bound is not above the key: equal keys share a bucket. Places that are
 * nearly in order mostly have the bucket of the one before, which is tried first. */
static uint32_t bucket_of(const struct host_sort *s, uint64_t key, uint32_t before)
{
    const uint32_t buckets = 1u << s->bits;
    uint32_t bucket = 0;

    if ((before == 0 || s->bounds[before] <= key) &&
        (before + 1 == buckets || s->bounds[before + 1] > key))
        return before;
    for (uint32_t half = buckets >> 1; half; half >>= 1)
        bucket += half & -(uint32_t)(s->bounds[bucket + half] <= key);
    return bucket;
}

/* Where the places of each bucket and share begin. */
static void place_shares(uint32_t *counts, size_t buckets, int shares)
{
    uint32_t sum = 0;

    for (size_t bucket = 0; bucket < buckets; bucket++)
        for (size_t share = 0; share < (size_t)shares; share++) {
            const uint32_t count = counts[share * buckets + bucket];
            counts[share * buckets + bucket] = sum;
            sum += count;
        }
}

/* Moves the places to their buckets, in `spare`. Afterwards the counts of the last share are the
 * ends of the buckets. */
static void deal(struct host_sort *s, size_t n, int shares)
{
    const size_t buckets = (size_t)1 << s->bits;
    struct host_place *places = s->places;

#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int share = 0; share < shares; share++) {
        uint32_t *counts = s->counts + (size_t)share * buckets;
        uint32_t bucket = 0;
        memset(counts, 0, buckets * sizeof *counts);
        for (size_t k = n * (size_t)share / (size_t)shares;
             k < n * ((size_t)share + 1) / (size_t)shares; k++)
            counts[places[k].bucket = bucket = bucket_of(s, places[k].key, bucket)]++;
    }
    place_shares(s->counts, buckets, shares);
#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int share = 0; share < shares; share++) {
        uint32_t *at = s->counts + (size_t)share * buckets;
        for (size_t k = n * (size_t)share / (size_t)shares;
             k < n * ((size_t)share + 1) / (size_t)shares; k++)
            s->spare[at[places[k].bucket]++] = places[k];
    }
}

void host_sort_run(struct host_sort *s, size_t n, int threads)
{
    const size_t buckets = (size_t)1 << s->bits;
    const uint32_t *ends = s->counts + (size_t)(threads - 1) * buckets;

    if (buckets == 1) {
        sort_places(s->places, s->spare, n, 1);
        return;
    }
    set_bounds(s, n);
    deal(s, n, threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        const uint32_t from = bucket ? ends[bucket - 1] : 0;
        sort_places(s->spare + from, s->places + from, ends[bucket] - from, 0);
    }
}
