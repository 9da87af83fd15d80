#include "host_order.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 5, /* levels of the tree that one look-up takes; divides FENG_MAX_DEPTH */
    CHUNK_CELLS = 1 << 2 * CHUNK,
    DIRECTIONS = 4
};

/* Digit and next direction of Hilbert's curve in one cell's quarter (x, y), for each direction: two
 * bits a row 4 direction + 2 x + y (Warren, Hacker's Delight, 16-2). */
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
    order->digits = calloc((size_t)DIRECTIONS * CHUNK_CELLS, sizeof *order->digits);
    if (!order->digits)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory to sort %zu bodies", n);
    fill_digits(order->digits);
    return host_sort_prepare(job, &order->sort, n, threads);
}

void feng_order_release(struct feng_order *order)
{
    host_sort_release(&order->sort);
    free(order->digits);
    memset(order, 0, sizeof *order);
}

void feng_order_rewind(struct feng_order *order, size_t n)
{
    for (size_t k = 0; k < n; k++)
        order->sort.places[k].body = (uint32_t)k;
}

static inline uint64_t key_of(const uint16_t *digits, uint32_t x, uint32_t y)
{
    const uint32_t mask = (1u << CHUNK) - 1;
    uint32_t direction = 0;
    uint64_t key = 0;

#pragma GCC unroll 8
    for (int level = FENG_MAX_DEPTH - CHUNK; level >= 0; level -= CHUNK) {
        const uint32_t cell = (x >> level & mask) << CHUNK | (y >> level & mask);
        const uint32_t found = digits[direction << 2 * CHUNK | cell];
        key = key << 2 * CHUNK | (found & (CHUNK_CELLS - 1));
        direction = found >> 2 * CHUNK;
    }
    return key;
}

void feng_order_keys(struct feng_order *order, const struct feng_host *host,
                     const struct feng_square *square)
{
    const float *px = host->bodies.pos[0], *py = host->bodies.pos[1];
    const double cells = (double)(1u << FENG_MAX_DEPTH),
                 scale = square->width > 0 ? cells / square->width : 0;
    struct host_place *places = order->sort.places;

#pragma omp parallel for schedule(static) num_threads(host->bodies.threads)
    for (size_t k = 0; k < host->bodies.n; k++) {
        const uint32_t i = places[k].body;
        const uint32_t x = (uint32_t)(((double)px[i] - square->corner[0]) * scale);
        const uint32_t y = (uint32_t)(((double)py[i] - square->corner[1]) * scale);
        places[k].key = key_of(order->digits, x, y);
    }
}

void feng_order_sort(struct feng_order *order, size_t n, int threads)
{
    host_sort_run(&order->sort, n, threads);
}
