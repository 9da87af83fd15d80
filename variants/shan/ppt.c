/* SPDX-License-Identifier: MIT */
/* shan/ppt: particle per thread, one of the earlier work's three mappings (section I). */
#include "shared/global.h"

static int prepare(struct orr_job *job)
{
    int code = shan_device_prepare(job, SHAN_LIST_FULL);

    return code ? code : shan_global_prepare(job, "shan_ppt", job->bodies->n, 256);
}

const struct orr_variant orr_variant = {
    SHAN_GLOBAL_VARIANT,
    .name = "shan/ppt",
    .summary = "particle per thread: a thread takes one body, without local memory (section I)",
};
