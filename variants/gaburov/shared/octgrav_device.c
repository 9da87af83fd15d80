/* SPDX-License-Identifier: MIT */
/* Walks and forces on the device: sections 3.2.2 and 3.2.3. */
#include "octgrav.h"

#include <stdio.h>

#include "kernels/gaburov_octgrav.h"
#include "kernels/gaburov_octgrav_forces.h"
#include "kernels/gaburov_octgrav_one.h"
#include "kernels/gaburov_octgrav_scan.h"

enum { WALKS, FORCES, ONE, SCAN };

const struct orr_source octgrav_sources[4] = {
    {"gaburov_octgrav", kernel_gaburov_octgrav},
    {"gaburov_octgrav_forces", kernel_gaburov_octgrav_forces},
    {"gaburov_octgrav_one", kernel_gaburov_octgrav_one},
    {"gaburov_octgrav_scan", kernel_gaburov_octgrav_scan}};

/* Each program gets only the defines that it uses: the kernel cache then knows equal ones. */
static int build_forces(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    const int one = p->walk == OCTGRAV_ONE_WALK;
    char defines[240], opening[64] = "";

    if (one)
        snprintf(opening, sizeof opening, " -DLEVELS=%d -DOPENING=%d", GABUROV_LEVELS,
                 p->tree.opening);
    snprintf(defines, sizeof defines,
             "-DBLOCK=%zu -DBODIES=%zu -DVECTOR=%zu -DTILE=%zu -DMULTIPOLE=%d -DSHARE=%d "
             "-DSOFTENED=%d%s%s%s",
             s->block, s->bodies, s->vector, s->tile, p->tree.multipole, p->share,
             params_eps2(p->common.eps) > 0, opening, s->low ? " -DLOW=1" : "",
             counting_define(&s->counting));
    return orr_build(job->device, &s->forces, &octgrav_sources[one ? ONE : FORCES], defines);
}

int octgrav_build(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    char defines[128];
    int code = build_forces(job);

    if (code || p->walk == OCTGRAV_ONE_WALK)
        return code;
    snprintf(defines, sizeof defines, "-DWALK_BLOCK=%zu -DLEVELS=%d -DOPENING=%d%s", s->walk_block,
             GABUROV_LEVELS, p->tree.opening, counting_define(&s->counting));
    code = orr_build(job->device, &s->walks, &octgrav_sources[WALKS], defines);
    if (code || p->scan == OCTGRAV_SCAN_HOST)
        return code;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DITEMS=%zu", s->scan_block, s->scan_items);
    return orr_build(job->device, &s->scan, &octgrav_sources[SCAN], defines);
}

int octgrav_launch(struct orr_job *job, struct orr_program *program, const char *kernel,
                   size_t groups, size_t block, const struct orr_arg *args, int count)
{
    const struct octgrav *s = job->state;
    const struct orr_launch launch = {
        .kernel = kernel, .groups = {groups}, .group = {block}, .args = args, .arg_count = count};

    return program == s->scan ? orr_launch(job->device, program, &launch)
                              : counting_launch(job, &s->counting, program, &launch);
}

/* An array that the parameters leave out is replaced by another, which no thread reads. */
static struct orr_arg argument(const struct octgrav *s, enum octgrav_array which)
{
    return s->array[which].device ? OCTGRAV_ARG(s, which) : OCTGRAV_ARG(s, OCTGRAV_OPENING);
}

static float eps2_of(const struct orr_job *job)
{
    const struct octgrav_params *p = job->params;

    return params_eps2(p->common.eps);
}

static int first_walk(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct orr_arg args[] = {argument(s, OCTGRAV_TREE),        argument(s, OCTGRAV_OPENING),
                                   argument(s, OCTGRAV_EDGES),       argument(s, OCTGRAV_CENTRE),
                                   argument(s, OCTGRAV_GROUP_EDGES), argument(s, OCTGRAV_LENGTH),
                                   argument(s, OCTGRAV_OPENED),      ORR_I32((int32_t)s->groups)};
    int code = orr_phase(job->device, "walk 1");

    return code ? code
                : OCTGRAV_LAUNCH(job, s->walks, "octgrav_count",
                                 (s->groups + s->walk_block - 1) / s->walk_block, s->walk_block,
                                 args);
}

static int second_walk(struct orr_job *job, uint32_t from, uint32_t to)
{
    struct octgrav *s = job->state;
    const struct orr_arg args[] = {argument(s, OCTGRAV_TREE),        argument(s, OCTGRAV_OPENING),
                                   argument(s, OCTGRAV_EDGES),       argument(s, OCTGRAV_CENTRE),
                                   argument(s, OCTGRAV_GROUP_EDGES), argument(s, OCTGRAV_LENGTH),
                                   argument(s, OCTGRAV_OFFSET),      argument(s, OCTGRAV_LIST),
                                   ORR_I32((int32_t)from),           ORR_I32((int32_t)to)};
    int code = orr_phase(job->device, "walk 2");

    return code ? code
                : OCTGRAV_LAUNCH(job, s->walks, "octgrav_write",
                                 (to - from + s->walk_block - 1) / s->walk_block, s->walk_block,
                                 args);
}

/* A kernel of s->forces, whose last `low` arguments only pairs of floats have. */
static int launch_forces(struct orr_job *job, const char *kernel, size_t groups,
                         const struct orr_arg *args, size_t count, size_t low)
{
    struct octgrav *s = job->state;

    return octgrav_launch(job, s->forces, kernel, groups, s->block, args,
                          (int)(count - (s->low ? 0 : low)));
}

static int meet_nodes(struct orr_job *job, uint32_t from, uint32_t to)
{
    struct octgrav *s = job->state;
    const struct orr_arg args[] = {argument(s, OCTGRAV_COM),
                                   argument(s, OCTGRAV_QUAD_A),
                                   argument(s, OCTGRAV_QUAD_B),
                                   ORR_BUF(s->body),
                                   argument(s, OCTGRAV_RANGE),
                                   argument(s, OCTGRAV_LENGTH),
                                   argument(s, OCTGRAV_OFFSET),
                                   argument(s, OCTGRAV_LIST),
                                   ORR_BUF(s->acc),
                                   ORR_F32(eps2_of(job)),
                                   ORR_I32((int32_t)from),
                                   ORR_BUF(s->low),
                                   OCTGRAV_ARG(s, OCTGRAV_COM_LOW)};
    int code = orr_phase(job->device, "nodes");

    return code ? code
                : launch_forces(job, "octgrav_nodes", to - from, args, sizeof args / sizeof *args,
                                2);
}

static int meet_leaves(struct orr_job *job, uint32_t from, uint32_t to)
{
    struct octgrav *s = job->state;
    const struct orr_arg args[] = {argument(s, OCTGRAV_LEAF),
                                   ORR_BUF(s->body),
                                   argument(s, OCTGRAV_RANGE),
                                   argument(s, OCTGRAV_LENGTH),
                                   argument(s, OCTGRAV_OFFSET),
                                   argument(s, OCTGRAV_LIST),
                                   ORR_BUF(s->acc),
                                   argument(s, OCTGRAV_MET),
                                   ORR_F32(eps2_of(job)),
                                   ORR_I32((int32_t)from),
                                   ORR_BUF(s->low)};
    int code = orr_phase(job->device, "leaves");

    return code ? code
                : launch_forces(job, "octgrav_leaves", to - from, args, sizeof args / sizeof *args,
                                1);
}

/* Lists of a chunk of groups, and the forces by them before the next chunk overwrites them. */
static int two_walks(struct orr_job *job)
{
    struct octgrav *s = job->state;
    int code = first_walk(job);

    if (!code)
        code = octgrav_scan(job);
    const uint32_t *first = (const uint32_t *)s->array[OCTGRAV_CHUNKS].host + 2;
    for (uint32_t k = 0; k < s->chunks && !code; k++) {
        code = second_walk(job, first[k], first[k + 1]);
        if (!code)
            code = meet_nodes(job, first[k], first[k + 1]);
        if (!code)
            code = meet_leaves(job, first[k], first[k + 1]);
    }
    return code;
}

static int one_walk(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct orr_arg args[] = {argument(s, OCTGRAV_TREE),
                                   argument(s, OCTGRAV_OPENING),
                                   argument(s, OCTGRAV_EDGES),
                                   argument(s, OCTGRAV_COM),
                                   argument(s, OCTGRAV_QUAD_A),
                                   argument(s, OCTGRAV_QUAD_B),
                                   argument(s, OCTGRAV_LEAF),
                                   ORR_BUF(s->body),
                                   argument(s, OCTGRAV_CENTRE),
                                   argument(s, OCTGRAV_GROUP_EDGES),
                                   argument(s, OCTGRAV_RANGE),
                                   ORR_BUF(s->acc),
                                   argument(s, OCTGRAV_LENGTH),
                                   argument(s, OCTGRAV_OPENED),
                                   argument(s, OCTGRAV_MET),
                                   ORR_F32(eps2_of(job)),
                                   ORR_BUF(s->low),
                                   OCTGRAV_ARG(s, OCTGRAV_COM_LOW)};
    int code = orr_phase(job->device, "walk 1");

    s->chunks = 0;
    return code
               ? code
               : launch_forces(job, "octgrav_walk", s->groups, args, sizeof args / sizeof *args, 2);
}

int octgrav_evaluate(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    int code = octgrav_reserve_device(job, OCTGRAV_LENGTH, s->groups * 2 * sizeof(int32_t));

    if (code || (code = octgrav_reserve_device(job, OCTGRAV_OPENED, s->groups * sizeof(int32_t))) ||
        (code = octgrav_reserve_device(job, OCTGRAV_MET, s->groups * sizeof(uint64_t))))
        return code;
    return p->walk == OCTGRAV_ONE_WALK ? one_walk(job) : two_walks(job);
}
