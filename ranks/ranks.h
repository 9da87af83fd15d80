/* SPDX-License-Identifier: MIT */
/* The communicator: several ranks, each a process with a device of its own, compute one step.
 *
 * Every verb is collective: all ranks call the same ones in the same order. What devices exchange
 * goes through NCCL where that connects them, else through host memory that they share; a
 * variant cannot tell which. Work that was queued before is done first. Alone (NULL, or a size of
 * 1) a verb does nothing. */
#ifndef ORR_RANKS_H
#define ORR_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"

enum { ORR_MAX_RANKS = 64 };

/* One message of an exchange. Between two ranks they arrive in the order in which they were
 * listed. */
struct orr_ranks_part {
    int peer;   /* the other rank */
    bool sends; /* false: receives */
    struct orr_buffer *buffer;
    size_t at, bytes; /* within the buffer; multiples of 4 */
};

struct orr_ranks;
struct orr_ranks_ops {
    int (*barrier)(struct orr_ranks *ranks);
    int (*gather)(struct orr_ranks *ranks, struct orr_buffer *all, size_t bytes);
    int (*reduce)(struct orr_ranks *ranks, struct orr_buffer *from, struct orr_buffer *to,
                  size_t floats);
    int (*exchange)(struct orr_ranks *ranks, const struct orr_ranks_part *parts, int count);
    /* For the harness: whether `*all` is true on all ranks. NULL where exchanges wait on the host,
     * so that a step that has some cannot be recorded. */
    int (*agree)(struct orr_ranks *ranks, bool *all);
};

struct orr_ranks {
    int rank, size;
    const struct orr_ranks_ops *ops;
};

static inline int orr_ranks_size(const struct orr_ranks *ranks)
{
    return ranks ? ranks->size : 1;
}
/* Whether exchanges are queued on the device, as NCCL does; else they pass through the host. */
static inline bool orr_ranks_by_device(const struct orr_ranks *ranks)
{
    return orr_ranks_size(ranks) > 1 && ranks->ops->agree;
}
static inline int orr_ranks_own(const struct orr_ranks *ranks)
{
    return ranks ? ranks->rank : 0;
}
/* Items that each rank takes of `n`: the r-th those from r times as many on, the last ones fewer,
 * or none. */
static inline size_t orr_ranks_share(const struct orr_ranks *ranks, size_t n)
{
    size_t size = (size_t)orr_ranks_size(ranks);
    return (n + size - 1) / size;
}
/* Those of this rank: `count` from `first` on. */
struct orr_ranks_items {
    size_t first, count;
};
static inline struct orr_ranks_items orr_ranks_items(const struct orr_ranks *ranks, size_t n)
{
    const size_t share = orr_ranks_share(ranks, n), begin = share * (size_t)orr_ranks_own(ranks),
                 first = begin < n ? begin : n;
    return (struct orr_ranks_items){first, n - first < share ? n - first : share};
}
/* Waits until all ranks are here. Devices may still be busy. */
static inline int orr_ranks_barrier(struct orr_ranks *ranks)
{
    return orr_ranks_size(ranks) > 1 ? ranks->ops->barrier(ranks) : 0;
}
/* Each rank gives its `bytes`, a multiple of 4, at rank * bytes of `all` and gets those of all. */
static inline int orr_ranks_gather(struct orr_ranks *ranks, struct orr_buffer *all, size_t bytes)
{
    return orr_ranks_size(ranks) > 1 ? ranks->ops->gather(ranks, all, bytes) : 0;
}
/* `from` holds `floats` for each rank; each gets, in `to`, the sums over all ranks of its own. */
static inline int orr_ranks_reduce(struct orr_ranks *ranks, struct orr_buffer *from,
                                   struct orr_buffer *to, size_t floats)
{
    return orr_ranks_size(ranks) > 1 ? ranks->ops->reduce(ranks, from, to, floats) : 0;
}
/* Sends and receives parts of buffers, such as the halo of neighbours. */
static inline int orr_ranks_exchange(struct orr_ranks *ranks, const struct orr_ranks_part *parts,
                                     int count)
{
    return orr_ranks_size(ranks) > 1 ? ranks->ops->exchange(ranks, parts, count) : 0;
}

#endif
