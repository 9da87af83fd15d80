/* SPDX-License-Identifier: MIT */
#include "device_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/feng_barnes_hut.h"
#include "kernels/feng_barnes_hut_forces.h"
#include "kernels/feng_barnes_hut_order.h"
#include "kernels/feng_update.h"

enum {
    SLOTS = 4,
    WORDS = 8,
    MORE_CELLS = 64,
    MOST_CELLS = 1 << 28,
    GPU_BLOCK = 256,
    CPU_BLOCK = 64
};
enum { NEXT_CELL, LEFT, OVERFLOW, READ_BACK }; /* words of counters */
enum { BUILD, ORDER, FORCES };                 /* programs */
enum { BUILT, FULL };                          /* outcomes of an insertion that are no errors */

const struct orr_source feng_pipeline_sources[4] = {
    {"feng_barnes_hut", kernel_feng_barnes_hut},
    {"feng_barnes_hut_order", kernel_feng_barnes_hut_order},
    {"feng_barnes_hut_forces", kernel_feng_barnes_hut_forces},
    {"feng_update", kernel_feng_update}};

static const struct feng_pipeline_params *params_of(const struct orr_job *job)
{
    return job->params;
}

static int32_t bodies_of(const struct feng_pipeline *s)
{
    return (int32_t)s->soa.n;
}

/* Lanes that vote are whole warps, so a group of ComputeForces must be too. */
static int choose_blocks(struct orr_job *job)
{
    const struct feng_pipeline_params *p = params_of(job);
    const struct orr_device_info *info = &job->device->info;
    const size_t usual = info->kind == ORR_DEVICE_CPU ? CPU_BLOCK : GPU_BLOCK;
    const size_t warp =
        info->kind == ORR_DEVICE_GPU && info->warp_width > 1 ? (size_t)info->warp_width : 1;
    struct feng_pipeline *s = job->state;

    for (int k = 0; k < FENG_KERNELS; k++) {
        s->block[k] = p->block[k] ? (size_t)p->block[k] : usual;
        if (!p->block[k] && info->max_group && info->max_group < usual)
            s->block[k] = info->max_group;
        if (info->max_group && s->block[k] > info->max_group)
            return ORR_FAIL(job, ORR_EUNSUPPORTED,
                            "groups of %zu threads: %s runs at most %zu; give a smaller block",
                            s->block[k], info->id, info->max_group);
    }
    if (s->block[FENG_COMPUTE_FORCES] % warp)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "block_forces = %zu: a group has whole warps, a multiple of %zu threads",
                        s->block[FENG_COMPUTE_FORCES], warp);
    return ORR_OK;
}

static int build_programs(struct orr_job *job, void *of)
{
    const struct feng_pipeline_params *p = params_of(job);
    struct feng_pipeline *s = job->state;
    const size_t *block = s->block;
    const char *const counting = counting_define(&s->counting);
    char defines[192];
    int code;

    (void)of;
    snprintf(defines, sizeof defines,
             "-DMAX_DEPTH=%d -DSETUP_BLOCK=%zu -DROOT_BLOCK=%zu -DBUILD_BLOCK=%zu -DTHROTTLE=%d "
             "-DROUNDS=%d%s",
             FENG_MAX_DEPTH, block[FENG_SETUP], block[FENG_INSERT_ROOT], block[FENG_BUILD],
             p->throttle, p->rounds, counting);
    code = orr_build(job->device, &s->program[BUILD], &feng_pipeline_sources[BUILD], defines);
    if (code)
        return code;
    snprintf(defines, sizeof defines, "-DSUMMARIZE_BLOCK=%zu -DSORT_BLOCK=%zu%s",
             block[FENG_SUMMARIZE], block[FENG_SORT], counting);
    code = orr_build(job->device, &s->program[ORDER], &feng_pipeline_sources[ORDER], defines);
    if (code)
        return code;
    snprintf(defines, sizeof defines, "-DMAX_DEPTH=%d -DFORCES_BLOCK=%zu -DSOFTENED=%d%s",
             FENG_MAX_DEPTH, block[FENG_COMPUTE_FORCES], params_eps2(p->common.eps) > 0, counting);
    return orr_build(job->device, &s->program[FORCES], &feng_pipeline_sources[FORCES], defines);
}

static void free_cells(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    struct orr_buffer **const cells[] = {&s->child, &s->parent, &s->bodies, &s->arrived};

    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        orr_free(job->device, *cells[k]);
        *cells[k] = NULL;
    }
}

static int allocate_cells(struct orr_job *job, size_t pool)
{
    struct feng_pipeline *s = job->state;
    int code;

    free_cells(job);
    s->pool = pool;
    if ((code = orr_alloc(job->device, &s->child, SLOTS * pool * sizeof(int32_t))) ||
        (code = orr_alloc(job->device, &s->parent, pool * sizeof(int32_t))) ||
        (code = orr_alloc(job->device, &s->bodies, pool * sizeof(int32_t))))
        return code;
    return orr_alloc(job->device, &s->arrived, pool * sizeof(int32_t));
}

/* Twice the cells. */
static int grow_pool(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    const size_t wanted = 2 * s->pool + MORE_CELLS;
    int code;

    if (s->pool >= MOST_CELLS)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "a tree of %zu bodies needs more than the %d cells that can be indexed",
                        s->soa.n, MOST_CELLS);
    s->grown++;
    code = allocate_cells(job, wanted < MOST_CELLS ? wanted : MOST_CELLS);
    return code ? code : feng_soa_grow(job, s->soa.n + s->pool);
}

/* A thread that spins on a lock of its own warp waits for ever where threads of a warp run in step.
 * On a CPU the threads of a group run one after another, each to its end, and those of other groups
 * are threads of the system. */
static int check_progress(const struct orr_job *job)
{
    enum { VOLTA = 7 };
    const struct orr_device_info *info = &job->device->info;

    if (params_of(job)->throttle != FENG_SPIN || info->kind == ORR_DEVICE_CPU ||
        (!strcmp(info->backend, "cuda") && atoi(info->capability) >= VOLTA))
        return ORR_OK;
    return ORR_FAIL(job, ORR_EUNSUPPORTED,
                    "throttle=spin: threads of a warp that wait for each other's locks need CUDA "
                    "and a compute capability from 7.0 on, where each makes progress by itself");
}

/* Each body that finds the pool too small lowers the index of the next cell by less than
 * FENG_MAX_DEPTH. */
static int check(const struct orr_job *job)
{
    const size_t most = INT32_MAX / FENG_MAX_DEPTH;

    if (job->bodies->n > most)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%zu bodies are more than the %zu this variant's counter of cells allows",
                        job->bodies->n, most);
    const int code = check_progress(job);
    return code ? code : feng_check(job);
}

static void note(struct orr_job *job)
{
    static const char *const throttles[] = {"barrier", "none", "backoff", "spin"};
    const struct feng_pipeline *s = job->state;
    const size_t *b = s->block;

    snprintf(job->note, sizeof job->note,
             "blocks %zu %zu %zu %zu %zu %zu %zu, sort %s, throttle %s, %zu cells", b[0], b[1],
             b[2], b[3], b[4], b[5], b[6], params_of(job)->sort == FENG_SORT_ON ? "on" : "off",
             throttles[params_of(job)->throttle], s->pool);
}

int feng_pipeline_prepare(struct orr_job *job)
{
    const struct feng_pipeline_params *p = params_of(job);
    struct feng_pipeline *s = job->state;
    const size_t n = job->bodies->n;
    const size_t pool = p->pool ? (size_t)p->pool : n + MORE_CELLS;
    int code = check(job);

    if (code || (code = choose_blocks(job)) ||
        (code = feng_soa_prepare(job, n + pool, s->block[FENG_UPDATE])) ||
        (code = allocate_cells(job, pool)) || (code = build_programs(job, NULL)))
        return code;
    note(job);
    if ((code = orr_alloc(job->device, &s->next, n * sizeof(int32_t))) ||
        (code = orr_alloc(job->device, &s->order, n * sizeof(int32_t))) ||
        (code = orr_alloc(job->device, &s->queue[0], n * sizeof(int32_t))) ||
        (code = orr_alloc(job->device, &s->queue[1], n * sizeof(int32_t))) ||
        (code = orr_alloc(job->device, &s->counters, WORDS * sizeof(int32_t))))
        return code;
    return orr_alloc(job->device, &s->square, WORDS * sizeof(float));
}

/* `threads` threads in the groups of `kernel`. */
static int launch(struct orr_job *job, int program, const char *name, enum feng_kernel kernel,
                  size_t threads, const struct orr_arg *args, int count)
{
    struct feng_pipeline *s = job->state;
    const struct orr_launch launch = {.kernel = name,
                                      .groups = {feng_groups(threads, s->block[kernel])},
                                      .group = {s->block[kernel]},
                                      .args = args,
                                      .arg_count = count};

    return kernel == FENG_SETUP || kernel == FENG_INSERT_ROOT
               ? orr_launch(job->device, s->program[program], &launch)
               : counting_launch(job, &s->counting, s->program[program], &launch);
}
#define LAUNCH(job, program, name, kernel, threads, args)         \
    launch((job), (program), (name), (kernel), (threads), (args), \
           (int)(sizeof(args) / sizeof *(args)))

static int setup(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    const size_t threads = s->soa.n > s->pool ? s->soa.n : s->pool;
    const struct orr_arg args[] = {ORR_BUF(s->child),     ORR_BUF(s->arrived),
                                   ORR_BUF(s->next),      ORR_BUF(s->counters),
                                   ORR_I32(bodies_of(s)), ORR_I32((int32_t)s->pool)};
    int code = orr_phase(job->device, "Setup");

    return code ? code : LAUNCH(job, BUILD, "feng_setup", FENG_SETUP, threads, args);
}

static int insert_root(struct orr_job *job)
{
    enum { BODIES_A_THREAD = 4 };
    struct feng_pipeline *s = job->state;
    const struct orr_arg box[] = {ORR_BUF(s->soa.pos[0]), ORR_BUF(s->soa.pos[1]),
                                  ORR_BUF(s->counters), ORR_I32(bodies_of(s))};
    const struct orr_arg root[] = {ORR_BUF(s->counters), ORR_BUF(s->square)};
    int code = orr_phase(job->device, "InsertRoot");

    if (code ||
        (code = LAUNCH(job, BUILD, "feng_box", FENG_INSERT_ROOT, s->soa.n / BODIES_A_THREAD, box)))
        return code;
    return orr_launch(job->device, s->program[BUILD],
                      &(struct orr_launch){.kernel = "feng_root", .args = root, .arg_count = 2});
}

/* One launch for `todo` bodies, all or those of the queue. Fetches the counters. */
static int insert(struct orr_job *job, int32_t todo, int all, int32_t counters[READ_BACK])
{
    struct feng_pipeline *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->child),
        ORR_BUF(s->parent),
        ORR_BUF(s->next),
        ORR_BUF(s->counters),
        ORR_BUF(s->soa.pos[0]),
        ORR_BUF(s->soa.pos[1]),
        ORR_BUF(s->square),
        ORR_BUF(s->queue[0]),
        ORR_BUF(s->queue[1]),
        ORR_I32(todo),
        ORR_I32(all),
        ORR_I32(bodies_of(s)),
        ORR_I32((int32_t)s->pool),
    };
    struct orr_buffer *const queue = s->queue[0];
    int code = LAUNCH(job, BUILD, "feng_build", FENG_BUILD, (size_t)todo, args);

    s->launches++;
    s->queue[0] = s->queue[1];
    s->queue[1] = queue;
    return code ? code
                : orr_download(job->device, counters, s->counters, READ_BACK * sizeof *counters);
}

/* BUILT, FULL if the pool was too small, or an error's code. Every launch inserts at least one
 * body: the one that takes a lock. */
static int build_tree(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    int32_t counters[READ_BACK] = {0}, todo = bodies_of(s);
    int code = orr_phase(job->device, "BuildQuadTree");

    s->launches = 0;
    while (!code && todo > 0) {
        code = insert(job, todo, s->launches == 0, counters);
        if (code || counters[OVERFLOW])
            return code ? code : FULL;
        if (counters[LEFT] >= todo)
            return ORR_FAIL(job, ORR_EINTERNAL,
                            "launch %d of BuildQuadTree inserted none of %d bodies", s->launches,
                            todo);
        todo = counters[LEFT];
        counters[LEFT] = 0;
        if (todo)
            code = orr_upload(job->device, s->counters, counters, sizeof counters);
    }
    s->cells = code ? 0 : s->soa.n + s->pool - (size_t)counters[NEXT_CELL];
    return code ? code : BUILT;
}

static int summarize(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    const struct orr_arg args[] = {
        ORR_BUF(s->child),         ORR_BUF(s->parent),        ORR_BUF(s->next),
        ORR_BUF(s->arrived),       ORR_BUF(s->soa.pos[0]),    ORR_BUF(s->soa.pos[1]),
        ORR_BUF(s->soa.mass),      ORR_BUF(s->bodies),        ORR_I32(bodies_of(s)),
        ORR_I32((int32_t)s->pool), ORR_I32((int32_t)s->cells)};
    int code = orr_phase(job->device, "Summarize");

    return code ? code : LAUNCH(job, ORDER, "feng_summarize", FENG_SUMMARIZE, s->cells, args);
}

static int sort(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    const struct orr_arg args[] = {ORR_BUF(s->child),         ORR_BUF(s->parent),
                                   ORR_BUF(s->next),          ORR_BUF(s->bodies),
                                   ORR_BUF(s->order),         ORR_I32(bodies_of(s)),
                                   ORR_I32((int32_t)s->pool), ORR_I32((int32_t)s->cells)};
    int code = orr_phase(job->device, "Sort");

    return code ? code : LAUNCH(job, ORDER, "feng_sort", FENG_SORT, s->cells, args);
}

static int compute_forces(struct orr_job *job)
{
    const struct feng_pipeline_params *p = params_of(job);
    struct feng_pipeline *s = job->state;
    const float theta = (float)p->common.theta;
    const struct orr_arg args[] = {ORR_BUF(s->child),
                                   ORR_BUF(s->next),
                                   ORR_BUF(s->soa.pos[0]),
                                   ORR_BUF(s->soa.pos[1]),
                                   ORR_BUF(s->soa.mass),
                                   ORR_BUF(s->square),
                                   ORR_BUF(s->order),
                                   ORR_BUF(s->soa.acc[0]),
                                   ORR_BUF(s->soa.acc[1]),
                                   ORR_I32(bodies_of(s)),
                                   ORR_I32((int32_t)s->pool),
                                   ORR_I32(p->sort == FENG_SORT_ON),
                                   ORR_F32(params_eps2(p->common.eps)),
                                   ORR_F32(1.0f / (theta * theta))};
    int code = orr_phase(job->device, "ComputeForces");

    return code ? code : LAUNCH(job, FORCES, "feng_forces", FENG_COMPUTE_FORCES, s->soa.n, args);
}

static int forces(struct orr_job *job)
{
    int code;

    do {
        if ((code = setup(job)) || (code = insert_root(job)))
            return code;
        code = build_tree(job);
        if (code == FULL && (code = grow_pool(job)) == ORR_OK)
            code = FULL;
    } while (code == FULL);
    if (code || (code = summarize(job)) ||
        (params_of(job)->sort == FENG_SORT_ON && (code = sort(job))))
        return code;
    return compute_forces(job);
}

int feng_pipeline_step(struct orr_job *job)
{
    return feng_soa_step(job, forces);
}

int feng_pipeline_count(struct orr_job *job, struct orr_counts *out)
{
    /* By enum feng_procedure. */
    static const char *const names[] = {"ComputeForces", "BuildQuadTree", "Summarize", "Sort"};
    struct feng_pipeline *s = job->state;

    return counting_run(
        job, &s->counting,
        &(struct counting_build){
            .procedures = names,
            .programs = {&s->program[BUILD], &s->program[ORDER], &s->program[FORCES]},
            .build = build_programs,
            .step = feng_pipeline_step},
        out);
}

void feng_pipeline_release(struct orr_job *job)
{
    struct feng_pipeline *s = job->state;
    struct orr_buffer *const buffers[] = {s->next,     s->order,    s->queue[0],
                                          s->queue[1], s->counters, s->square};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    for (size_t k = 0; k < sizeof s->program / sizeof *s->program; k++)
        orr_drop(job->device, s->program[k]);
    free_cells(job);
    feng_soa_release(job);
    memset(s, 0, sizeof *s);
}
