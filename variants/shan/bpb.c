/* SPDX-License-Identifier: MIT */
/* shan/bpb: box per block as section III B describes it, the most efficient mapping of the earlier
 * work: kernels/shan_bpb.cl. */
#include "shared/bpb.h"

#include "kernels/shan_bpb.h"

static const struct orr_source source = {"shan_bpb", kernel_shan_bpb};

static int prepare(struct orr_job *job)
{
    return shan_bpb_prepare(job, &source, "shan_box_per_block");
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    struct shan_bpb *s = job->state;

    return shan_kernels_count(job, &s->kernels, shan_bpb_step, out);
}

const struct orr_variant orr_variant = {
    SHAN_BPB_VARIANT,
    .name = "shan/bpb",
    .summary =
        "box per block: bodies of a box a thread each, boxes through local memory (section III B)",
    .sources = &source,
    .count = count,
};
