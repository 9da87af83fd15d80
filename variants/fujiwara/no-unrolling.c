/* SPDX-License-Identifier: MIT */
/* fujiwara/no-unrolling: the loop of Fig. 2 on a device, one thread a body; the paper's
 * gpu-no-unrolling. */
#include "shared/unrolled.h"

static int prepare(struct orr_job *job)
{
    return fuji_unrolled_prepare(job, 1, 1);
}

static const struct orr_param params[] = {
    FUJI_UNROLLED_PARAMS,
};

const struct orr_variant orr_variant = {
    FUJI_UNROLLED_VARIANT,
    .name = "fujiwara/no-unrolling",
    .summary = "one body i a thread, one body j a pass, through the cache (Fig. 2 on a device)",
};
