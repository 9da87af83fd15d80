/* SPDX-License-Identifier: MIT */
#include "host_order.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* bodies whose keys are made at once */

int feng_order_make(const struct orr_job *job, struct feng_order *order, size_t n, int threads)
{
    order->home = malloc(n * sizeof *order->home);
    order->spare = malloc(n * sizeof *order->spare);
    if (!order->home || !order->spare)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory to sort %zu bodies", n);
    return host_sort_prepare(job, &order->sort, n, threads);
}

void feng_order_release(struct feng_order *order)
{
    host_sort_release(&order->sort);
    free(order->home);
    free(order->spare);
    memset(order, 0, sizeof *order);
}

void feng_order_rewind(struct feng_order *order, size_t n)
{
    for (size_t k = 0; k < n; k++)
        order->sort.places[k].body = (uint32_t)k;
    order->settled = 0;
}

void feng_order_keys(struct feng_order *order, const struct feng_host *host,
                     const struct feng_square *square)
{
    const struct host_bodies *b = &host->bodies;

#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (size_t from = 0; from < b->n; from += BLOCK) {
        struct host_place *places = order->sort.places + from;
        const uint32_t count = (uint32_t)(b->n - from < BLOCK ? b->n - from : BLOCK);
        float x[BLOCK], y[BLOCK];
        uint64_t keys[BLOCK];
        for (uint32_t k = 0; k < count; k++) {
            x[k] = b->pos[0][places[k].body];
            y[k] = b->pos[1][places[k].body];
        }
        order->keys_of(keys, x, y, count, square);
        for (uint32_t k = 0; k < count; k++)
            places[k].key = keys[k];
    }
}

void feng_order_sort(struct feng_order *order, size_t n, int threads)
{
    host_sort_run(&order->sort, n, threads);
}

void feng_order_settle(struct feng_order *order, struct feng_host *host)
{
    struct host_bodies *b = &host->bodies;
    float *const arrays[] = {b->pos[0], b->pos[1], b->vel[0], b->vel[1], b->mass};
    struct host_place *places = order->sort.places;

    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
#pragma omp parallel for schedule(static) num_threads(b->threads)
        for (size_t k = 0; k < b->n; k++)
            order->spare[k] = arrays[a][places[k].body];
        memcpy(arrays[a], order->spare, b->n * sizeof *order->spare);
    }
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (size_t k = 0; k < b->n; k++) {
        order->home[k] = places[k].body;
        places[k].body = (uint32_t)k;
    }
    order->settled = 1;
}

void feng_order_return(struct feng_order *order, struct feng_host *host)
{
    struct host_bodies *b = &host->bodies;
    float *const arrays[] = {b->pos[0], b->pos[1], b->vel[0], b->vel[1],
                             b->acc[0], b->acc[1], b->mass};

    for (size_t a = 0; order->settled && a < sizeof arrays / sizeof *arrays; a++) {
#pragma omp parallel for schedule(static) num_threads(b->threads)
        for (size_t k = 0; k < b->n; k++)
            order->spare[order->home[k]] = arrays[a][k];
        memcpy(arrays[a], order->spare, b->n * sizeof *order->spare);
    }
    order->settled = 0;
}
