/* SPDX-License-Identifier: MIT */
/* shan/bpb-n3l-free: every near pair once for both bodies, like section III C, without conflicts
 * and without atomics, kernels/shan_n3l_free.cl. Parameters give its shape; those left at 0 are
 * chosen from the boxes and the device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pair.h"
#include "kernels/shan_n3l_free.h"
#include "shared/device.h"
#include "shared/group.h"
#include "shared/kernels.h"
#include "shared/queue.h"
#include "variants/common/j_split.h"

enum { NEIGHBOURS = 4, ROWS = NEIGHBOURS + 1, ADD_GROUP = 64, SUM = 2 * sizeof(float) };
enum { LEAST_LANES = 4, MOST_LANES = 256, MOST_BODIES = 8, WARPS_AT_ONCE = 16 };
enum rotate { ROTATE_AUTO, ROTATE_SHUFFLE, ROTATE_LOCAL };

struct params {
    struct shan_common common;
    int32_t group, lanes, bodies, vector, resident, parts,
        unroll;     /* 0: by the boxes and the device */
    int32_t rotate; /* enum rotate */
};

/* A team of `lanes` threads, each with `bodies` vectors of `vector` bodies in registers. */
struct shape {
    size_t lanes, bodies, vector;
};

struct state {
    struct shan_device device;
    struct shan_kernels kernels;
    struct orr_buffer *sums; /* (NEIGHBOURS + parts) x n float2 */
    struct shan_queue queue;
    struct orr_buffer *teams; /* of the queue; NULL without one */
    struct shape shape;
    size_t group, resident, parts;
    int shuffled; /* bodies go round by shuffles, not through local memory */
};

static const struct orr_source source = {"shan_n3l_free", kernel_shan_n3l_free};

static size_t or_else(int32_t chosen, size_t otherwise)
{
    return chosen ? (size_t)chosen : otherwise;
}

/* On a CPU, and with vectors, a thread is a team. */
static int is_wide(const struct orr_job *job)
{
    const struct params *p = job->params;

    return p->lanes <= 1 && (p->vector > 1 || job->device->info.kind == ORR_DEVICE_CPU);
}

/* --- the shape: the one with the least estimated time --- */

/* Boxes by the number of their bodies. A fuller one than FULL counts as the boxes of FULL that have
 * as many pairs. */
enum { FULL = 1024 };
struct occupancy {
    double boxes[FULL + 1];
};

static void count_boxes(struct occupancy *out, const struct shan_boxes *boxes)
{
    memset(out, 0, sizeof *out);
    for (uint32_t b = 0; b < boxes->count; b++) {
        const uint32_t n = boxes->start[b + 1] - boxes->start[b];
        const double over = n > FULL ? (double)n / FULL : 1;

        out->boxes[n > FULL ? FULL : n] += over * over;
    }
}

/* Work of a team for a box of n bodies, and `around` rounds of others: rounds of `lanes` meetings,
 * and instructions in all. */
struct work {
    double rounds, instructions;
};

/* Instructions of shan_n3l_free.cl as compiled for the H200: for a pair, a box and a round; and for
 * what follows a meeting: shuffles, passing on through local memory, adding up a vector. */
enum { PAIR = 13, BOX = 300, ROUND = 40, SHUFFLES = 6, LOCAL = 40, ADDING_UP = 20 };

static struct work work_of(const struct shape *shape, size_t n, size_t around, int after)
{
    const double lanes = (double)shape->lanes, bodies = (double)shape->bodies,
                 vector = (double)shape->vector;
    const size_t chunk = shape->lanes * shape->bodies * shape->vector;
    const double chunks = (double)j_split_divide_up(n, chunk ? chunk : 1);
    const double later = chunks * (chunks - 1) / 2 * bodies * vector;
    const double rounds = chunks * (double)around + later;
    const double own =
        bodies * vector * lanes * (PAIR * (bodies - 1) / 2 + after + (PAIR + after) / 2.0);

    return (struct work){rounds,
                         BOX + chunks * own + rounds * (lanes * (PAIR * bodies + after) + ROUND)};
}

/* Work of a team for a box of n bodies among such boxes. */
static struct work work_among(const struct shape *shape, size_t n, int after)
{
    return work_of(shape, n, NEIGHBOURS * j_split_divide_up(n, shape->lanes), after);
}

static int after_meeting(const struct state *s, const struct shape *shape)
{
    return shape->lanes == 1 ? ADDING_UP : s->shuffled ? SHUFFLES : LOCAL;
}

/* Estimated cycles: what the schedulers issue or what the fullest box takes by itself, whichever is
 * longer, and a quarter of the other. Measured on an H200: 1.3 cycles an instruction, 40 for the
 * shuffles of a meeting, 250 for the memory of a round. */
static double cycles_of(const struct orr_job *job, const struct shape *shape,
                        const struct occupancy *occupancy)
{
    const struct state *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    const int cpu = info->kind == ORR_DEVICE_CPU, after = after_meeting(s, shape);
    const double lanes = (double)shape->lanes,
                 warp = cpu || info->warp_width < 1 ? 1 : (double)info->warp_width;
    /* teams that meet at barriers share no warp */
    const double warps = s->shuffled || lanes > warp ? lanes / warp : 1;
    const double schedulers = (info->compute_units > 0 ? info->compute_units : 1) * (cpu ? 1 : 4);
    const struct work fullest = work_among(shape, s->device.boxes.most, after);
    const double alone =
        1.3 * fullest.instructions + (cpu ? 0 : fullest.rounds * (40 * lanes + 250));
    double all = 0;

    for (size_t n = 1; n <= FULL; n++)
        if (occupancy->boxes[n] > 0)
            all += occupancy->boxes[n] * work_among(shape, n, after).instructions;
    all *= 1.3 * warps / schedulers;
    return fmax(all, alone) + 0.25 * fmin(all, alone);
}

/* The largest team, or vector, that `rotate` and the device allow. */
static size_t widest(const struct orr_job *job)
{
    const struct state *s = job->state;
    const struct orr_device_info *info = &job->device->info;

    if (is_wide(job))
        return info->vector_width > 1 ? (size_t)info->vector_width : 1;
    if (s->shuffled)
        return (size_t)info->warp_width;
    return info->max_group && info->max_group < MOST_LANES ? info->max_group : MOST_LANES;
}

/* How many warps a multiprocessor is given in all. */
static size_t warps_of(const struct orr_job *job)
{
    const struct state *s = job->state;
    const struct orr_device_info *info = &job->device->info;
    const size_t warp = info->warp_width > 0 ? (size_t)info->warp_width : 1;

    return j_split_divide_up((s->device.halo.last_box - s->device.halo.first_box) * s->shape.lanes /
                                 warp,
                             info->compute_units > 0 ? info->compute_units : 1);
}

/* Warps at once in a multiprocessor, few enough that a thread has registers for several pairs. On
 * an H200, 16 and 20 instead of as many as fit make 8 bodies 6 to 15 % faster. */
static size_t choose_resident(const struct orr_job *job)
{
    const struct state *s = job->state;
    const size_t at_once = s->shape.bodies < 4                         ? 24
                           : s->shape.bodies < 8 || warps_of(job) > 32 ? 20
                                                                       : 16;

    return s->group < 32 * at_once ? 32 * at_once / s->group : 1;
}

/* OpenCL cannot ask for that, but NVIDIA's compiler leaves larger groups more registers. */
static size_t choose_group(const struct orr_job *job)
{
    const struct state *s = job->state;

    if (s->shape.lanes > 1 && !s->shuffled)
        return s->shape.lanes;
    if (is_wide(job))
        return 1;
    return strcmp(job->device->info.backend, "cuda") && s->shape.bodies >= 8 &&
                   s->shape.lanes < 32 && warps_of(job) > 32
               ? 512
               : 64;
}

static void choose_shape(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const int wide = is_wide(job);
    const size_t most = widest(job);
    double least = INFINITY;
    struct occupancy occupancy;

    count_boxes(&occupancy, &s->device.boxes);
    for (size_t width = wide || most < LEAST_LANES ? 1 : LEAST_LANES; width <= most; width *= 2)
        for (size_t bodies = 1; bodies <= MOST_BODIES; bodies *= 2) {
            const size_t lanes = wide ? 1 : or_else(s->shuffled ? 0 : p->group, width);
            const struct shape shape = {or_else(p->lanes, lanes), or_else(p->bodies, bodies),
                                        or_else(p->vector, wide ? width : 1)};
            const double cycles = cycles_of(job, &shape, &occupancy);

            if (cycles < least) {
                least = cycles;
                s->shape = shape;
            }
        }
    s->shuffled &= s->shape.lanes > 1;
    s->group = or_else(p->group, choose_group(job));
    s->resident = or_else(p->resident, choose_resident(job));
}

/* Instructions of the team of box b. */
static double work_in(const struct state *s, uint32_t b)
{
    const struct shan_boxes *boxes = &s->device.boxes;
    const int32_t *list = boxes->list + (size_t)b * boxes->stride;
    const size_t n = boxes->start[b + 1] - boxes->start[b];
    size_t around = 0;

    for (uint32_t k = 0; k < boxes->stride && n; k++)
        if (list[k] >= 0)
            around += j_split_divide_up(boxes->start[list[k] + 1] - boxes->start[list[k]],
                                        s->shape.lanes);
    return n ? work_of(&s->shape, n, around, after_meeting(s, &s->shape)).instructions : 0;
}

static int is_power_of_two(size_t x)
{
    return x && !(x & (x - 1));
}

static int check_shape(struct orr_job *job)
{
    const struct params *p = job->params;
    const struct state *s = job->state;
    const struct shape *shape = &s->shape;
    const struct orr_device_info *info = &job->device->info;
    const size_t warp = info->warp_width > 0 ? (size_t)info->warp_width : 1;

    if (p->parts && !is_power_of_two((size_t)p->parts))
        return ORR_FAIL(job, ORR_EUSAGE, "parts = %d: it must be a power of two", p->parts);
    if (!is_power_of_two(shape->lanes) || !is_power_of_two(shape->vector))
        return ORR_FAIL(job, ORR_EUSAGE, "lanes = %zu, vector = %zu: both must be powers of two",
                        shape->lanes, shape->vector);
    if (shape->vector > 1 && shape->lanes > 1)
        return ORR_FAIL(job, ORR_EUSAGE, "vector = %zu with lanes = %zu: vectors are for lanes = 1",
                        shape->vector, shape->lanes);
    if (shape->vector > 1 && info->kind == ORR_DEVICE_GPU)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "vector = %zu: on a GPU a thread is one lane, leave vector at 1",
                        shape->vector);
    if (s->shuffled && (shape->lanes > warp || s->group % warp))
        return ORR_FAIL(
            job, ORR_EUSAGE,
            "lanes = %zu, group = %zu: with shuffles a team is in one warp of %zu and a "
            "group is whole warps",
            shape->lanes, s->group, warp);
    if (!s->shuffled && shape->lanes > 1 && s->group != shape->lanes)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "group = %zu with lanes = %zu: without shuffles a group is one team; leave "
                        "group at 0",
                        s->group, shape->lanes);
    if (info->max_group && s->group > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "group = %zu: %s runs groups of at most %zu threads",
                        s->group, info->id, info->max_group);
    return ORR_OK;
}

/* Teams for each box where boxes are even. With two chunks two teams have the same work, and the
 * last wave of them is shorter: on an H200 by 1 % with 512 bodies a box. With one chunk they have
 * not the same, and two took 9 % longer with 128 bodies a box. */
static size_t choose_parts(const struct orr_job *job)
{
    const struct state *s = job->state;
    const size_t chunk = s->shape.lanes * s->shape.bodies * s->shape.vector;

    return job->device->info.kind == ORR_DEVICE_GPU && s->device.boxes.most > chunk ? 2 : 1;
}

/* Several teams for a box only where boxes are uneven, unless `parts` says so. */
static int make_queue(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct shan_boxes *boxes = &s->device.boxes;
    const struct orr_device_info *info = &job->device->info;
    const uint32_t first = s->device.halo.first_box, last = s->device.halo.last_box;
    const size_t warp = info->warp_width > 0 ? (size_t)info->warp_width : 1;
    const double units = info->compute_units > 0 ? info->compute_units : 1;
    double *work = malloc((last - first + 1) * sizeof *work);

    s->parts = or_else(p->parts, choose_parts(job));
    if (!work)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for the work of %u boxes", last - first);
    for (uint32_t b = first; b < last; b++)
        work[b - first] = work_in(s, b);
    int code =
        p->parts
            ? ORR_OK
            : shan_queue_make(&s->queue, job, boxes, first, last, work,
                              info->kind != ORR_DEVICE_GPU
                                  ? units
                                  : units * WARPS_AT_ONCE * (double)warp / (double)s->shape.lanes);
    free(work);
    if (s->queue.teams) {
        s->parts = s->queue.parts;
        if (!code)
            code = orr_alloc(job->device, &s->teams, s->queue.count * sizeof *s->queue.teams);
    }
    return code;
}

static int prepare(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    char defines[200];
    const int across = orr_ranks_size(job->ranks) > 1;
    int code = shan_device_prepare(job, across ? SHAN_LIST_AROUND : SHAN_LIST_FORWARD);

    if (code)
        return code;
    if (across)
        shan_halo_list_across(&s->device.halo, &s->device.boxes);
    s->shuffled = p->rotate != ROTATE_LOCAL && job->device->info.shuffles;
    if (p->rotate == ROTATE_SHUFFLE && !s->shuffled)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "rotate = shuffle: %s has no shuffles here, leave rotate at auto",
                        job->device->info.id);
    choose_shape(job);
    if ((code = check_shape(job)))
        return code;
    if ((code = make_queue(job)))
        return code;
    const size_t bytes = s->device.boxes.n * (NEIGHBOURS + s->parts) * SUM;
    if ((code = orr_alloc(job->device, &s->sums, bytes)) ||
        (code = orr_fill(job->device, s->sums, 0, bytes)))
        return code;
    snprintf(job->note, sizeof job->note, "lanes %zu, bodies %zu, vector %zu, group %zu, %s",
             s->shape.lanes, s->shape.bodies, s->shape.vector, s->group,
             s->shuffled ? "shuffles" : "local memory");
    snprintf(defines, sizeof defines,
             "-DLANES=%zu -DBODIES=%zu -DVECTOR=%zu -DGROUP=%zu -DSHUFFLED=%d -DADD_GROUP=%d "
             "-DRESIDENT=%zu -DACROSS=%d -DPARTS=%zu -DQUEUED=%d",
             s->shape.lanes, s->shape.bodies, s->shape.vector, s->group, s->shuffled, ADD_GROUP,
             s->resident, across, s->parts, s->queue.teams != NULL);
    return shan_kernels_build(job, &s->kernels, &source, defines);
}

static int upload(struct orr_job *job)
{
    const struct state *s = job->state;
    const int code = shan_device_upload(job);

    return code || !s->queue.teams ? code
                                   : orr_upload(job->device, s->teams, s->queue.teams,
                                                s->queue.count * sizeof *s->queue.teams);
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct shan_device *d = &s->device;
    const float eps = (float)p->common.eps;
    const int32_t n = (int32_t)d->boxes.n;
    const struct shan_halo *own = &d->halo;
    const size_t of_group = s->group / s->shape.lanes,
                 teams =
                     s->queue.teams ? s->queue.count : (own->last_box - own->first_box) * s->parts;
    const struct orr_arg pairs[] = {ORR_BUF(d->body),
                                    ORR_BUF(d->start),
                                    ORR_BUF(d->list),
                                    ORR_BUF(s->queue.teams ? s->teams : d->start),
                                    ORR_BUF(s->sums),
                                    ORR_F32(eps * eps),
                                    ORR_I32(n),
                                    ORR_I32((int32_t)own->first_box),
                                    ORR_I32((int32_t)(s->queue.teams ? teams : own->last_box))};
    const struct orr_arg add[] = {ORR_BUF(s->sums), ORR_BUF(d->acc), ORR_I32(n),
                                  ORR_I32((int32_t)own->first), ORR_I32((int32_t)own->last)};
    int code = shan_device_exchange(job);
    if (!code)
        code = shan_kernels_launch_counted(
            job, &s->kernels, "forces",
            &(struct orr_launch){.kernel = "shan_n3l_free",
                                 .groups = {j_split_divide_up(teams, of_group)},
                                 .group = {s->group},
                                 .args = pairs,
                                 .arg_count = sizeof pairs / sizeof *pairs});
    if (!code)
        code = shan_kernels_launch_counted(
            job, &s->kernels, "add",
            &(struct orr_launch){.kernel = "shan_n3l_free_add",
                                 .groups = {j_split_divide_up(own->last - own->first, ADD_GROUP)},
                                 .group = {ADD_GROUP},
                                 .args = add,
                                 .arg_count = sizeof add / sizeof *add});
    return code ? code : orr_phase(job->device, NULL);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct state *s = job->state;

    shan_cost(out, &s->device.boxes, 0.5 * PAIR2_BOTH_FLOPS_TRUE);
    shan_device_cost(job, out);
    /* A pair of bodies of two ranks is evaluated by both. */
    out->flops_true += 0.5 * PAIR2_BOTH_FLOPS_TRUE * s->device.halo.across;
    return ORR_OK;
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    struct state *s = job->state;

    return shan_kernels_count(job, &s->kernels, step, out);
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    shan_kernels_release(job, &s->kernels);
    orr_free(job->device, s->sums);
    orr_free(job->device, s->teams);
    s->sums = s->teams = NULL;
    shan_queue_release(&s->queue);
    shan_device_release(job);
}

#define ROW(name, most, help)                                                       \
    {                                                                               \
#name, ORR_PARAM_INT, offsetof(struct params, name), 0, 0, most, NULL, help \
    }
static const struct orr_param params[] = {
    SHAN_COMMON_PARAMS(struct params),
    ROW(group, 1024,
        "threads in a group: whole warps with shuffles, else one team; 0: by the device"),
    ROW(lanes, MOST_LANES,
        "threads that share a box, a power of two; 0: by the boxes and the device"),
    ROW(bodies, 32,
        "bodies (or vectors of them) a thread keeps in registers; 0: by the boxes and the device"),
    ROW(vector, 16,
        "lanes of a thread's vectors, a power of two (1 on a GPU or with lanes > 1); 0: by the "
        "device"),
    ROW(resident, 64,
        "CUDA: groups a multiprocessor is to hold at once, which bounds registers; 0: by the "
        "device"),
    ROW(parts, 16,
        "teams that share a box, a power of two; 0: by the boxes and the device, also unequally"),
    {"rotate", ORR_PARAM_CHOICE, offsetof(struct params, rotate), ROTATE_AUTO, 0, 0,
     "auto|shuffle|local",
     "how bodies go round among the lanes; auto: by shuffles where there are any"},
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/bpb-n3l-free",
    .summary = "every pair once for both bodies without conflicts: bodies go round in registers, "
               "sums in rows of their own",
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_NEAR_FIELD | ORR_THIRD_LAW |
                    ORR_RUNS_RANKS | ORR_REPLAYS,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .sources = &source,
    .source_count = 1,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = upload,
    .step = step,
    .fetch = shan_device_fetch,
    .cost = cost,
    .count = count,
    .release = release,
};
