/* SPDX-License-Identifier: MIT */
/* The teams of a kernel whose boxes hold unequal numbers of bodies: those with most work first, so
 * that none is left alone at the end and those of one warp have about the same; several for a box
 * that holds more than its share; none for an empty one. */
#ifndef SHAN_QUEUE_H
#define SHAN_QUEUE_H

#include "shan.h"

enum { SHAN_MOST_PARTS = 16 };

/* A team's entry: its box, and which part of the box's work, of 1 << more. */
#define SHAN_TEAM(box, part, more) ((box) | (uint32_t)(part) << 24 | (uint32_t)(more) << 28)

struct shan_queue {
    uint32_t *teams; /* count entries; NULL: a team for every box, in their order */
    size_t count;
    unsigned parts; /* of the box that has most */
};

/* For boxes first ... last - 1. `work`, of each of them, 0 where it is empty; `at_once`: teams that
 * the device runs at the same time. Leaves an empty queue where boxes are
 * even, or most hold bodies and none needs several teams. Release it whatever is returned. */
int shan_queue_make(struct shan_queue *out, const struct orr_job *job,
                    const struct shan_boxes *boxes, uint32_t first, uint32_t last,
                    const double *work, double at_once);
void shan_queue_release(struct shan_queue *queue);

#endif
