/* SPDX-License-Identifier: MIT */
/* shan/bpt: box per thread, the coarsest of the earlier work's three mappings (section I). */
#include "shared/global.h"

static int prepare(struct orr_job *job)
{
    const struct shan_global *s = job->state;
    int code = shan_device_prepare(job, SHAN_LIST_FULL);

    /* Few threads: small groups spread them over all multiprocessors. */
    return code ? code : shan_global_prepare(job, "shan_bpt", s->device.boxes.count, 32);
}

const struct orr_variant orr_variant = {
    SHAN_GLOBAL_VARIANT,
    .name = "shan/bpt",
    .summary =
        "box per thread: a thread takes the bodies of one box, one after the other (section I)",
};
