/* SPDX-License-Identifier: MIT */
/* Each pair once for both bodies where that pays, variants/common/third_law.h, else the one-sided
 * sum of fujiwara/optimised. For variants whose state begins with a struct fuji_flow. */
#ifndef FUJI_PLAIN_H
#define FUJI_PLAIN_H

#include <stdbool.h>

#include "flow.h"
#include "variants/common/one_sided.h"
#include "variants/common/third_law.h"

struct fuji_plain {
    bool both; /* which of the two sums */
    struct third_law pairs;
    struct one_sided sum;
};

/* Chooses, unless `use` says which; memory and kernels. `*padded`: bodies that the flow's arrays
 * have room for. Says the shape in the job's note. */
int fuji_plain_prepare(struct orr_job *job, struct fuji_plain *s, const struct third_law_task *task,
                       enum third_law_use use, size_t *padded);

/* Queues the kernels that put the accelerations of the flow's bodies into its `acc`. */
int fuji_plain_forces(struct orr_job *job, const struct fuji_plain *s);

/* After fuji_cost(): the flops of what it chose. */
void fuji_plain_cost(const struct orr_job *job, const struct fuji_plain *s, struct orr_cost *out);

/* Accepts a zeroed one, and leaves it so. */
void fuji_plain_release(struct orr_job *job, struct fuji_plain *s);

#endif
