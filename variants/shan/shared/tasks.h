/* SPDX-License-Identifier: MIT */
/* The near field as tasks for threads: which bodies meet which, each pair once (Newton's third law)
 * wherever no two threads would then write to one body. */
#ifndef SHAN_TASKS_H
#define SHAN_TASKS_H

#include "shan.h"

/* Bodies that follow each other along the Z-order curve. */
struct shan_run {
    uint32_t first, count;
};

/* The bodies i from..to, all of one box, and the bodies j that they meet: runs[first_run] and those
 * that follow. */
struct shan_task {
    uint32_t from, to, first_run;
    uint16_t runs; /* at least 1 */
    uint8_t own;   /* the first run begins with the bodies from..to themselves */
    uint8_t both;  /* each pair once, for both of its bodies; else only what the bodies j do to the
                      bodies i */
};

/* A phase is items, an item is tasks. Items of one phase may run at the same time, phases may not.
 */
struct shan_tasks {
    struct shan_run *runs;
    struct shan_task *tasks;
    uint32_t
        *item_start; /* items + 1: tasks of item k are item_start[k] <= t < item_start[k + 1] */
    uint32_t *
        phase_start; /* phases + 1: items of phase p are phase_start[p] <= k < phase_start[p + 1] */
    uint32_t phases;
};

/* For the bodies in boxes with full lists, and as many threads as the job's host has. `block`:
 * from..to begins and ends a multiple of so many bodies from its box's begin, or with the box.
 * Release it whatever is returned. */
int shan_tasks_make(struct shan_tasks *out, const struct orr_job *job,
                    const struct shan_boxes *boxes, uint32_t block);
void shan_tasks_release(struct shan_tasks *tasks);

#endif
