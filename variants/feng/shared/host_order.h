/* SPDX-License-Identifier: MIT */
/* Bodies on the host along Hilbert's curve. As with Morton's, bodies of one cell of the quadtree
 * are neighbours in this order; unlike with Morton's, neighbours are close to each other, so that
 * a group fits into a small box. */
#ifndef FENG_HOST_ORDER_H
#define FENG_HOST_ORDER_H

#include "host.h"
#include "variants/common/host_sort.h"

/* Numbers of `count` bodies along the curve through `square`, by the widest vectors: simd_order.h.
 */
typedef void feng_keys_of(uint64_t *keys, const float *px, const float *py, uint32_t count,
                          const struct feng_square *square);

struct feng_order {
    struct host_sort sort; /* places by key. Two bits a level of the tree: cells of depth d are the
                            * keys that agree in their upper 2 d of 2 FENG_MAX_DEPTH bits */
    feng_keys_of *keys_of;
    uint32_t *home; /* of a host's body k its number in the input, if they are settled */
    float *spare;
    int settled;
};

/* For up to n bodies sorted by up to `threads` threads. ORR_EMEMORY. */
int feng_order_make(const struct orr_job *job, struct feng_order *order, size_t n, int threads);
/* Keys of the bodies in `square`, not sorted yet: the places follow the order of the call before.
 */
void feng_order_keys(struct feng_order *order, const struct feng_host *host,
                     const struct feng_square *square);
/* The order of the input, in which the bodies are. */
void feng_order_rewind(struct feng_order *order, size_t n);
void feng_order_sort(struct feng_order *order, size_t n, int threads);
/* Moves the bodies to where their places are, so that neighbours are neighbours in memory, too. */
void feng_order_settle(struct feng_order *order, struct feng_host *host);
/* Bodies that are settled, and their accelerations, go back to where the input has them. */
void feng_order_return(struct feng_order *order, struct feng_host *host);
/* Safe on a zeroed or half-made order; leaves it zeroed. */
void feng_order_release(struct feng_order *order);

/* The depth of the smallest cell that holds both keys. */
static inline int feng_common_depth(uint64_t a, uint64_t b)
{
    const int unused = 64 - 2 * FENG_MAX_DEPTH;

    return a == b ? FENG_MAX_DEPTH : (__builtin_clzll(a ^ b) - unused) / 2;
}

#endif
