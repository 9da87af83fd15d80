/* SPDX-License-Identifier: MIT */
#include "variants/common/tree_or_direct.h"

#include "variants/common/j_split.h"

int tree_or_direct_choose(struct orr_job *job, bool *direct, int32_t use, double pairs)
{
    const struct orr_device_info *info = &job->device->info;
    const bool alone = orr_ranks_size(job->ranks) == 1;
    const double n = (double)job->bodies->n;

    *direct = use == DIRECT_ON || (use == DIRECT_AUTO && alone && info->kind == ORR_DEVICE_GPU &&
                                   n * n <= pairs * (double)j_split_units(info));
    if (*direct && !alone)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "all_pairs = on: several ranks divide a tree; leave all_pairs at auto");
    return ORR_OK;
}

bool tree_or_direct_lone(struct orr_job *job, int32_t use, double bodies)
{
    const struct orr_device_info *info = &job->device->info;
    const bool few = (double)job->bodies->n <= bodies * (double)j_split_units(info),
               shares = use == SHARE_ON ||
                        (use == SHARE_AUTO && (info->kind != ORR_DEVICE_GPU ||
                                               (orr_ranks_by_device(job->ranks) && !few)));

    if (shares || orr_ranks_size(job->ranks) == 1)
        return false;
    if (orr_ranks_own(job->ranks) == 0)
        job->ranks = NULL;
    return true;
}

double tree_or_direct_pairs(const struct orr_job *job, int32_t steps)
{
    const double n = (double)job->bodies->n;

    return (steps + 1.0) * n * (n - 1);
}

int tree_or_direct_count(struct orr_job *job, struct one_sided *sum, struct counting *counting,
                         int (*step)(struct orr_job *job), struct orr_counts *out)
{
    return counting_run(job, counting,
                        &(struct counting_build){.procedures = one_sided_procedures,
                                                 .programs = {&sum->program},
                                                 .build = one_sided_build,
                                                 .of = sum,
                                                 .step = step},
                        out);
}
