#include "host_order.h"

enum {
    CHUNK = 5, /* levels of the tree that one look-up takes; divides FENG_MAX_DEPTH */
    CHUNK_CELLS = 1 << 2 * CHUNK,
    DIRECTIONS = 4,
    KEY_BITS = 2 * FENG_MAX_DEPTH,
    MOST_TOP_BITS = 16, /* as many places are written to at once: they fit into the second-level cache */
    BUCKET = 4,         /* bodies that a bucket holds on average, or more */
    RADIX_BITS = 8,
    RADIX = 1 << RADIX_BITS,
    FEW = 32 /* are sorted by insertion */
};

/* Digit and next direction of Hilbert's curve in one cell's quarter (x, y), for each direction: two bits a row
 * 4 direction + 2 x + y (Warren, Hacker's Delight, 16-2). */
static uint32_t entry(uint32_t rows, uint32_t direction, uint32_t x, uint32_t y)
{
    return rows >> 2 * (4 * direction + 2 * x + y) & 3;
}

/* Key's digits and next direction for CHUNK levels at once. */
static void fill_digits(uint16_t *digits)
{
    for (uint32_t at = 0; at < DIRECTIONS * CHUNK_CELLS; at++) {
        uint32_t direction = at / CHUNK_CELLS, key = 0;
        for (int level = CHUNK - 1; level >= 0; level--) {
            const uint32_t x = at >> (CHUNK + level) & 1, y = at >> level & 1;
            key = key << 2 | entry(0x361E9CB4u, direction, x, y);
            direction = entry(0x8FE65831u, direction, x, y);
        }
        digits[at] = (uint16_t)(direction << 2 * CHUNK | key);
    }
}

int feng_order_make(const struct orr_job *job, struct feng_order *order, size_t n, int threads)
{
    order->places = malloc(n * sizeof *order->places);
    order->spare = malloc(n * sizeof *order->spare);
    while (order->top_bits < MOST_TOP_BITS && (size_t)BUCKET << (order->top_bits + 1) <= n)
        order->top_bits++;
    order->counts = malloc(((size_t)threads << order->top_bits) * sizeof *order->counts);
    order->digits = calloc((size_t)DIRECTIONS * CHUNK_CELLS, sizeof *order->digits);
    if (!order->places || !order->spare || !order->counts || !order->digits)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory to sort %zu bodies", n);
    fill_digits(order->digits);
    return ORR_OK;
}

void feng_order_release(struct feng_order *order)
{
    free(order->places);
    free(order->spare);
    free(order->counts);
    free(order->digits);
    memset(order, 0, sizeof *order);
}

void feng_order_rewind(struct feng_order *order, size_t n)
{
    for (size_t k = 0; k < n; k++)
        order->places[k].body = (uint32_t)k;
}

static inline uint64_t key_of(const uint16_t *digits, uint32_t x, uint32_t y)
{
    const uint32_t mask = (1u << CHUNK) - 1;
    uint32_t direction = 0;
    uint64_t key = 0;

    for (int level = FENG_MAX_DEPTH - CHUNK; level >= 0; level -= CHUNK) {
        const uint32_t cell = (x >> level & mask) << CHUNK | (y >> level & mask);
        const uint32_t found = digits[direction << 2 * CHUNK | cell];
        key = key << 2 * CHUNK | (found & (CHUNK_CELLS - 1));
        direction = found >> 2 * CHUNK;
    }
    return key;
}

void feng_order_keys(struct feng_order *order, const struct feng_host *host, const struct feng_square *square)
{
    const float *px = host->bodies.pos[0], *py = host->bodies.pos[1];
    const double cells = (double)(1u << FENG_MAX_DEPTH), scale = square->width > 0 ? cells / square->width : 0;
    struct feng_place *places = order->places;

#pragma omp parallel for schedule(static) num_threads(host->threads)
    for (size_t k = 0; k < host->bodies.n; k++) {
        const uint32_t i = places[k].body;
        const uint32_t x = (uint32_t)(((double)px[i] - square->corner[0]) * scale);
        const uint32_t y = (uint32_t)(((double)py[i] - square->corner[1]) * scale);
        places[k].key = key_of(order->digits, x, y);
    }
}

static void sort_few(struct feng_place *places, size_t n)
{
    for (size_t k = 1; k < n; k++) {
        const struct feng_place place = places[k];
        size_t at = k;
        for (; at > 0 && places[at - 1].key > place.key; at--)
            places[at] = places[at - 1];
        places[at] = place;
    }
}

static int next_shift(int shift)
{
    return shift > RADIX_BITS ? shift - RADIX_BITS : 0;
}

/* Sorts by the bits of the key below shift + RADIX_BITS. */
static void sort_by_radix(struct feng_place *places, struct feng_place *spare, size_t n, int shift)
{
    uint32_t begin[RADIX + 1] = {0}, at[RADIX];

    for (size_t k = 0; k < n; k++)
        begin[(places[k].key >> shift & (RADIX - 1)) + 1]++;
    for (int digit = 0; digit < RADIX; digit++)
        at[digit] = begin[digit + 1] += begin[digit];
    for (size_t k = n; k-- > 0;)
        spare[--at[places[k].key >> shift & (RADIX - 1)]] = places[k];
    memcpy(places, spare, n * sizeof *places);
    for (int digit = 0; digit < RADIX && shift > 0; digit++) {
        const uint32_t from = begin[digit], count = begin[digit + 1] - from;
        if (count > FEW)
            sort_by_radix(places + from, spare + from, count, next_shift(shift));
        else
            sort_few(places + from, count);
    }
}

/* Where the bodies of each bucket and share begin. */
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

/* Deals the places out to the buckets of their keys' upper bits, in *spare; then the counts of the last share are where
 * the buckets end. */
static void deal_out(struct feng_order *order, size_t n, int shares)
{
    const int shift = KEY_BITS - order->top_bits;
    const size_t buckets = (size_t)1 << order->top_bits;
    const struct feng_place *places = order->places;

#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int share = 0; share < shares; share++) {
        uint32_t *counts = order->counts + (size_t)share * buckets;
        memset(counts, 0, buckets * sizeof *counts);
        for (size_t k = n * (size_t)share / (size_t)shares; k < n * ((size_t)share + 1) / (size_t)shares; k++)
            counts[places[k].key >> shift]++;
    }
    place_shares(order->counts, buckets, shares);
#pragma omp parallel for schedule(static, 1) num_threads(shares)
    for (int share = 0; share < shares; share++) {
        uint32_t *at = order->counts + (size_t)share * buckets;
        for (size_t k = n * (size_t)share / (size_t)shares; k < n * ((size_t)share + 1) / (size_t)shares; k++)
            order->spare[at[places[k].key >> shift]++] = places[k];
    }
}

void feng_order_sort(struct feng_order *order, size_t n, int threads)
{
    const int shift = KEY_BITS - order->top_bits;
    const size_t buckets = (size_t)1 << order->top_bits;
    const uint32_t *ends = order->counts + (size_t)(threads - 1) * buckets;

    deal_out(order, n, threads);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        const uint32_t from = bucket ? ends[bucket - 1] : 0, count = ends[bucket] - from;
        if (count > FEW)
            sort_by_radix(order->spare + from, order->places + from, count, next_shift(shift));
        else
            sort_few(order->spare + from, count);
    }
    struct feng_place *sorted = order->spare;
    order->spare = order->places;
    order->places = sorted;
}
