/* SPDX-License-Identifier: MIT */
/* What every variant of Shan & Lei 2012 shares: the common parameters, the bodies in boxes, the
 * cost of a step. */
#ifndef SHAN_SHAN_H
#define SHAN_SHAN_H

#include "variants/common/params.h"

/* First member of every variant's parameter struct. */
struct shan_common {
    double eps;    /* softening length */
    int32_t level; /* of the quadtree: 4^level boxes */
};

/* Rows of the parameter table for a parameter struct `type` whose first member is `struct
 * shan_common common`. */
#define SHAN_COMMON_PARAMS(type)                                                                   \
    EPS_PARAM(type, common.eps),                                                                   \
    {                                                                                              \
        "level", ORR_PARAM_INT, offsetof(type, common.level), 7, 0, 12, NULL,                      \
            "level of the quadtree: 4^level boxes; forces come from the own box and those around " \
            "it"                                                                                   \
    }

/* Which neighbours a box's list names. */
enum shan_list {
    SHAN_LIST_FULL,    /* all of them (section III A) */
    SHAN_LIST_HALF,    /* those with a larger index (section III C 2) */
    SHAN_LIST_FORWARD, /* right, upper left, upper, upper right, in this order: four for every box,
                          -1 where there is none */
    SHAN_LIST_AROUND   /* these and then their opposites, likewise */
};

/* The bodies of the job in boxes: the first three arrays of section III A. */
struct shan_boxes {
    size_t n;
    uint32_t count;  /* boxes, 4^level */
    uint32_t most;   /* bodies in the fullest box */
    uint32_t *order; /* n: the k-th body along the Z-order curve is body order[k] of the input */
    uint32_t *start; /* count + 1, "boxIdx": bodies of box b are start[b] <= k < start[b + 1] */
    int32_t *list;   /* count x stride, the neighbour lists: ascending indices, then -1 (FORWARD and
                        AROUND: by   direction) */
    uint32_t stride; /* 8; 4 for FORWARD */
    uint64_t listed; /* neighbours in all lists: B for FULL and AROUND, B / 2 for the others */
    double pairs;    /* ordered pairs of near bodies, self pairs not counted */
};

/* Encodes, sorts and lists, on the host, as stages "encode", "sort" and "lists". Within a box the
 * order of the input stays. Release it whatever is returned. */
int shan_boxes_make(struct shan_boxes *out, const struct orr_job *job, enum shan_list list);
void shan_boxes_release(struct shan_boxes *boxes);

/* The cost of one step: `flops_true` per ordered pair, interactions are boxes->pairs. */
void shan_cost(struct orr_cost *out, const struct shan_boxes *boxes, double flops_true);

#endif
