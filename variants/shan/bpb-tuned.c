/* SPDX-License-Identifier: MIT */
/* shan/bpb-tuned: box per block as fast as it goes, for comparisons with shan/bpb-n3l-free:
 * kernels/shan_bpb_tuned.cl. */
#include "shared/bpb.h"

#include "kernels/shan_bpb_tuned.h"

static const struct orr_source source = {"shan_bpb_tuned", kernel_shan_bpb_tuned};

static int prepare(struct orr_job *job)
{
    return shan_bpb_prepare(job, &source, "shan_bpb_tuned");
}

const struct orr_variant orr_variant = {
    SHAN_BPB_VARIANT,
    .name = "shan/bpb-tuned",
    .summary = "box per block, tuned: four bodies to a read, the loop unrolled",
    .sources = &source,
};
