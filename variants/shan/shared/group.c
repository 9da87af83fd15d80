/* SPDX-License-Identifier: MIT */
#include "group.h"

enum { PAPERS_BLOCK = 512 };

static size_t at_most(size_t value, size_t limit)
{
    return limit && limit < value ? limit : value;
}

size_t shan_group_fitted(const struct orr_job *job, const struct shan_boxes *boxes)
{
    const size_t warp = job->device->info.warp_width > 0 ? (size_t)job->device->info.warp_width : 1;
    const size_t most = boxes->most ? boxes->most : 1;

    return at_most((most + warp - 1) / warp * warp, PAPERS_BLOCK);
}

int shan_group_choose(struct orr_job *job, size_t *out, const char *name, int32_t asked,
                      size_t otherwise, size_t bytes)
{
    const struct orr_device_info *info = &job->device->info;
    const size_t fits = bytes ? info->local_bytes / bytes : 0;

    *out = asked ? (size_t)asked : at_most(at_most(otherwise, info->max_group), fits);
    if (info->max_group && *out > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%s = %zu: %s runs groups of at most %zu threads; give a smaller %s, or 0",
                        name, *out, info->id, info->max_group, name);
    if (fits && *out > fits)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%s = %zu: threads of %zu bytes of local memory do not fit into the %zu of "
                        "%s; give a smaller "
                        "%s, or 0",
                        name, *out, bytes, info->local_bytes, info->id, name);
    return ORR_OK;
}
