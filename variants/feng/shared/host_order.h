/* Bodies on the host along Hilbert's curve. As with Morton's, bodies of one cell of the quadtree
 * are neighbours in this order; unlike with Morton's, neighbours are close to each other, so that
 * a group fits into a small box. */
#ifndef FENG_HOST_ORDER_H
#define FENG_HOST_ORDER_H

#include "host.h"
#include "variants/common/host_sort.h"

struct feng_order {
    struct host_sort sort; /* places by key. Two bits a level of the tree: cells of depth d are the
                            * keys that agree in their upper 2 d of 2 FENG_MAX_DEPTH bits */
    uint16_t *digits;      /* the curve through 32 x 32 cells, in each of its four directions */
};

/* For up to n bodies sorted by up to `threads` threads. ORR_EMEMORY. */
int feng_order_make(const struct orr_job *job, struct feng_order *order, size_t n, int threads);
/* Keys of the bodies in `square`, not sorted yet: the places follow the order of the call before.
 */
void feng_order_keys(struct feng_order *order, const struct feng_host *host,
                     const struct feng_square *square);
/* The order of the input. */
void feng_order_rewind(struct feng_order *order, size_t n);
void feng_order_sort(struct feng_order *order, size_t n, int threads);
/* Safe on a zeroed or half-made order; leaves it zeroed. */
void feng_order_release(struct feng_order *order);

/* The depth of the smallest cell that holds both keys. */
static inline int feng_common_depth(uint64_t a, uint64_t b)
{
    const int unused = 64 - 2 * FENG_MAX_DEPTH;

    return a == b ? FENG_MAX_DEPTH : (__builtin_clzll(a ^ b) - unused) / 2;
}

#endif
