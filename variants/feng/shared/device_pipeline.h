/* SPDX-License-Identifier: MIT */
/* The paper's pipeline on a device: a quadtree in arrays (kernels/feng_barnes_hut.cl) and its seven
 * kernels. */
#ifndef FENG_DEVICE_PIPELINE_H
#define FENG_DEVICE_PIPELINE_H

#include "device_soa.h"
#include "variants/common/counting.h"

/* The paper's seven kernels; each has its own group size and is a phase. */
enum feng_kernel {
    FENG_SETUP,
    FENG_INSERT_ROOT,
    FENG_BUILD,
    FENG_SUMMARIZE,
    FENG_SORT,
    FENG_COMPUTE_FORCES,
    FENG_UPDATE,
    FENG_KERNELS
};

enum feng_sort { FENG_SORT_ON, FENG_SORT_OFF };

/* What THROTTLE is in kernels/feng_barnes_hut.cl. */
enum feng_throttle { FENG_BARRIER, FENG_NONE, FENG_BACKOFF, FENG_SPIN };

struct feng_pipeline_params {
    struct feng_common common;
    int32_t sort;     /* enum feng_sort */
    int32_t throttle; /* enum feng_throttle */
    int32_t rounds;   /* of insertion in a launch */
    int32_t pool;     /* cells set aside at first; 0: by the number of bodies */
    int32_t block[FENG_KERNELS];
};

/* Contents of a slot besides a body (below n) or a cell (from n on). */
enum { FENG_EMPTY = -1, FENG_LOCKED = -2 };

struct feng_pipeline {
    struct feng_soa
        soa;      /* room is n + pool: bodies from the front, cells from the back, the root last */
    size_t pool;  /* cells there is memory for */
    size_t cells; /* cells in the tree of the latest build: n + pool - cells ... n + pool - 1 */
    int grown;    /* times that the pool was too small */
    int launches; /* of BuildQuadTree in the latest build */
    struct orr_program *program[3]; /* build, order, forces */
    struct counting counting;
    size_t block[FENG_KERNELS];
    struct orr_buffer *child;   /* 4 pool i32: slots of cell c from 4 (c - n) */
    struct orr_buffer *parent;  /* pool i32: of cell c at c - n */
    struct orr_buffer *bodies;  /* pool i32: number of bodies below cell c */
    struct orr_buffer *arrived; /* pool i32: children that are summarised */
    struct orr_buffer *next;    /* n i32: the next body of a list, FENG_EMPTY at its end */
    struct orr_buffer *order;   /* n i32: the bodies depth first */
    struct orr_buffer
        *queue[2]; /* n i32 each: bodies left to insert, for this launch and the next */
    struct orr_buffer *counters, *square;
};

extern const struct orr_source feng_pipeline_sources[4];

/* Members of the plugin contract. The pool grows in a step that needs more cells; ORR_EUNSUPPORTED
 * when indices would not reach, ORR_EMEMORY when the device is full. */
int feng_pipeline_prepare(struct orr_job *job);
int feng_pipeline_step(struct orr_job *job);
int feng_pipeline_count(struct orr_job *job, struct orr_counts *out);
void feng_pipeline_release(struct orr_job *job);

#endif
