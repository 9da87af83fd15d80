/* SPDX-License-Identifier: MIT */
/* Groups of the walk that are cut in parts, kernels/gaburov_parts.cl. */
#include <stdio.h>
#include <string.h>

#include "kernels/gaburov_parts.h"
#include "modern.h"
#include "variants/common/j_split.h"

static const struct orr_source source = {"gaburov_parts", kernel_gaburov_parts};

enum { BLOCK = 64, PART = 2 * sizeof(int32_t) };

int modern_parts_prepare(struct orr_job *job, struct modern_parts *parts, double cut, size_t group)
{
    char defines[64];

    parts->cut = (float)cut;
    if (!(parts->cut > 0))
        return ORR_OK;
    snprintf(defines, sizeof defines, "-DBLOCK=%d -DGROUP_BODIES=%zu", BLOCK, group);
    return orr_build(job->device, &parts->program, &source, defines);
}

/* Of a halo some groups are cut, each in eight at most. */
static size_t places_of(size_t groups)
{
    return groups + groups / 4 + 64;
}

int modern_parts_hold(struct orr_job *job, struct modern_parts *parts, size_t groups)
{
    parts->groups = groups;
    parts->places = parts->cut > 0 ? places_of(groups) : groups;
    orr_free(job->device, parts->parts);
    parts->parts = NULL;
    return orr_alloc(job->device, &parts->parts,
                     parts->cut > 0 ? (parts->places + 1) * PART : PART);
}

int modern_parts_cut(struct orr_job *job, struct modern_parts *parts,
                     const struct modern_octree *tree)
{
    const size_t groups = parts->groups, more = parts->places - groups;
    const struct orr_arg args[] = {ORR_BUF(tree->sorted.body), ORR_BUF(tree->halves),
                                   ORR_BUF(parts->parts),      ORR_I32((int32_t)groups),
                                   ORR_I32((int32_t)more),     ORR_I32((int32_t)tree->sorted.n),
                                   ORR_F32(parts->cut)};
    const struct orr_launch launch = {.kernel = "gaburov_parts",
                                      .groups = {j_split_divide_up(groups, BLOCK)},
                                      .group = {BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code;

    if (!(parts->cut > 0))
        return ORR_OK;
    code = orr_fill(job->device, parts->parts, 0, (parts->places + 1) * PART);
    return code ? code : orr_launch(job->device, parts->program, &launch);
}

void modern_parts_release(struct orr_job *job, struct modern_parts *parts)
{
    orr_drop(job->device, parts->program);
    orr_free(job->device, parts->parts);
    memset(parts, 0, sizeof *parts);
}
