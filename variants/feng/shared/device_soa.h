/* SPDX-License-Identifier: MIT */
/* The bodies in device memory for the paper's pipeline: an array for each field (Fig. 4), with room
 * for cells behind.
 */
#ifndef FENG_DEVICE_SOA_H
#define FENG_DEVICE_SOA_H

#include "feng.h"

/* First member of the state. Bodies are in the order of the input, always. */
struct feng_soa {
    size_t n;
    size_t room; /* elements of pos and mass: n, or more for a variant that keeps cells behind the
                    bodies */
    struct orr_buffer *pos[2];   /* float x, y */
    struct orr_buffer *mass;     /* float */
    struct orr_buffer *acc[2];   /* n float each */
    struct orr_buffer *vel[2];   /* n float each; steps > 0 only, like what follows */
    struct orr_buffer *start[4]; /* n float each: x y vx vy where every step() begins */
    struct orr_program *update;
    size_t update_block;
};

/* Allocates for `room` >= n elements and, to integrate, builds Update with groups of
 * `update_block`. */
int feng_soa_prepare(struct orr_job *job, size_t room, size_t update_block);
/* Makes room for more elements; the bodies stay, what is behind them is lost. */
int feng_soa_grow(struct orr_job *job, size_t room);
/* One step of the contract: the scheme over `forces`, with Update as a phase. */
int feng_soa_step(struct orr_job *job, int (*forces)(struct orr_job *job));
/* Members of the plugin contract. */
int feng_soa_upload(struct orr_job *job);
int feng_soa_fetch(struct orr_job *job, struct orr_forces *out);
void feng_soa_release(struct orr_job *job);

/* Groups of `block` threads for `threads` of them, at least one. */
static inline size_t feng_groups(size_t threads, size_t block)
{
    return threads ? (threads + block - 1) / block : 1;
}

#endif
