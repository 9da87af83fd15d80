/* SPDX-License-Identifier: MIT */
/* gaburov/octgrav: the paper's code. The host makes the octree, groups and their properties. The
 * device walks the tree twice, for the lengths of the interaction lists and for the lists, and
 * evaluates them: first the nodes, then the leaves. A step begins with the bodies in host memory
 * and ends with their accelerations there. */
#include "shared/octgrav.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPU_WALK_BLOCK = 32, CPU_WALK_BLOCK = 8, CPU_TILE = 64, OCTANTS = 8, MEGABYTE = 1 << 20 };
/* Words of the stack of kernels/gaburov_octgrav_one.cl besides those for each thread, at most. */
enum { OCTGRAV_STACK = 512 };

static const struct octgrav_params *params_of(const struct orr_job *job)
{
    return job->params;
}

/* Entries of the lists in memory: a quarter of what devices usually allow in one allocation, and
 * no more than an int32_t counts. */
static size_t most_entries(const struct orr_job *job)
{
    const double mb = params_of(job)->list_mb;
    const double bytes = mb > 0 ? mb * MEGABYTE : (double)job->device->info.memory_bytes / 16;
    const double entries = bytes / sizeof(int32_t);

    return entries < 1 ? 1 : entries < INT32_MAX ? (size_t)entries : INT32_MAX;
}

/* A GPU gives each thread a body, or two and twice the threads where they share the work. A CPU
 * takes vectors. The votes of the one walk take whole warps and a thread for each octant. */
static void choose_evaluation(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = params_of(job);
    const struct orr_device_info *info = &job->device->info;
    const int cpu = info->kind == ORR_DEVICE_CPU, share = p->share == OCTGRAV_SHARE_ON;
    const size_t team = p->walk == OCTGRAV_TWO_WALKS     ? 1
                        : info->warp_width == 32 && !cpu ? 32
                                                         : OCTANTS;

    s->vector = !cpu ? 1 : info->vector_width >= 16 ? 16 : info->vector_width >= 8 ? 8 : 4;
    s->bodies = p->bodies ? (size_t)p->bodies : share && !cpu ? 2 : 1;
    s->block = ((size_t)p->ngroup - 1) / (s->bodies * s->vector) + 1;
    if (share && !cpu)
        s->block =
            2 * (size_t)p->ngroup <= info->max_group ? 2 * (size_t)p->ngroup : (size_t)p->ngroup;
    s->block = p->block ? (size_t)p->block : (s->block + team - 1) / team * team;
    s->tile = !cpu && share && s->block <= 256 ? 2 * s->block : s->block * s->vector;
    s->tile = cpu && s->tile < CPU_TILE ? CPU_TILE : s->tile;
}

/* Local memory that the largest kernel takes. */
static size_t local_bytes(const struct orr_job *job)
{
    const struct octgrav *s = job->state;
    const struct octgrav_params *p = params_of(job);
    const size_t row = 4 * sizeof(float), word = sizeof(int32_t), both = s->tile + s->block;
    const size_t nodes = (p->tree.multipole == GABUROV_QUADRUPOLE ? 3 : 1) * row * s->tile;
    const size_t leaves =
        (p->share == OCTGRAV_SHARE_ON ? 3 : 1) * word * s->tile + 2 * word * s->block;
    const size_t low = p->positions == POSITIONS_PAIRS ? row * s->tile : 0;
    const size_t one = nodes + low + leaves + 3 * word * both + word * (s->block + OCTGRAV_STACK);
    const size_t two = row * s->tile + low + leaves + 2 * word * s->tile;

    return p->walk == OCTGRAV_ONE_WALK ? one : nodes > two ? nodes : two;
}

static int host_threads(const struct orr_job *job)
{
    return host_bodies_threads(job, params_of(job)->host_threads);
}

static void choose_shape(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = params_of(job);
    const struct orr_device_info *info = &job->device->info;
    const int cpu = info->kind == ORR_DEVICE_CPU;

    choose_evaluation(job);
    s->walk_block = p->walk_block ? (size_t)p->walk_block : cpu ? CPU_WALK_BLOCK : GPU_WALK_BLOCK;
    s->scan_block = cpu ? 16 : info->max_group && info->max_group < 256 ? 64 : 256;
    s->scan_items = cpu ? 64 : 8;
    s->most_entries = most_entries(job);
    snprintf(job->note, sizeof job->note,
             "block %zu, bodies %zu, vector %zu, walk block %zu, lists of at most %zu MB, %d host "
             "threads",
             s->block, s->bodies, s->vector, s->walk_block,
             s->most_entries * sizeof(int32_t) / MEGABYTE, host_threads(job));
}

static int check_shape(struct orr_job *job)
{
    const struct octgrav *s = job->state;
    const struct octgrav_params *p = params_of(job);
    const struct orr_device_info *info = &job->device->info;
    const size_t largest = s->block > s->walk_block ? s->block : s->walk_block;

    if (s->block * s->bodies * s->vector < (size_t)p->ngroup)
        return ORR_FAIL(job, ORR_EUSAGE,
                        "block = %zu: so few threads have no place for the %d bodies of a group",
                        s->block, p->ngroup);
    if (p->walk == OCTGRAV_ONE_WALK && s->block < OCTANTS)
        return ORR_FAIL(job, ORR_EUSAGE, "block = %zu: with walk=one there are at least %d threads",
                        s->block, OCTANTS);
    if (info->max_group && largest > info->max_group)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%s runs groups of at most %zu threads, not %zu; take a smaller ngroup",
                        info->id, info->max_group, largest);
    if (info->local_bytes && local_bytes(job) > info->local_bytes)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%s has %zu bytes of local memory, not %zu; take a smaller ngroup or block",
                        info->id, info->local_bytes, local_bytes(job));
    return gaburov_check(job);
}

static int prepare(struct orr_job *job)
{
    static const struct host_bodies_kind kinds[] = {{.dimensions = 3, .has_phi = 1},
                                                    {.dimensions = 3, .has_phi = 1, .pairs = 1}};
    struct octgrav *s = job->state;
    const struct octgrav_params *params = job->params;
    const struct gaburov_common *p = job->params;
    const size_t bytes = job->bodies->n * 4 * sizeof(float);
    int code;

    choose_shape(job);
    if ((code = check_shape(job)) ||
        (code = params_check_pairs(job, (enum positions)params->positions, p->steps)) ||
        (code = host_bodies_prepare(job, &kinds[params->positions], host_threads(job), p->steps,
                                    p->dt)) ||
        (code = gaburov_octree_prepare(job, &s->tree, job->bodies->n)) ||
        (code = orr_alloc(job->device, &s->body, bytes)) ||
        (code = orr_alloc(job->device, &s->acc, bytes)) ||
        (params->positions == POSITIONS_PAIRS &&
         ((code = gaburov_octree_prepare_low(job, &s->tree)) ||
          (code = orr_alloc(job->device, &s->low, bytes)))))
        return code;
    s->staging = malloc(bytes);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu accelerations", job->bodies->n);
    return octgrav_build(job);
}

/* "Less than" Nleaf and Ngroup in section 3.2.1; the sorted tree takes so many. */
static int32_t most_of(const struct octgrav_params *p, int32_t limit)
{
    return p->build == GABUROV_RECURSIVE && limit > 1 ? limit - 1 : limit;
}

/* Section 3.2.1. */
static int make_tree(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = params_of(job);

    orr_stage(job, "build");
    int code = gaburov_octree_build(job, &s->tree, p->build, s->host.pos, most_of(p, p->tree.nleaf),
                                    most_of(p, p->ngroup), s->host.threads);
    if (!code) {
        orr_stage(job, "reorder");
        gaburov_octree_reorder(&s->tree, s->host.pos, s->host.mass, s->host.low, s->host.threads);
        orr_stage(job, "properties");
        gaburov_octree_summarize(&s->tree, s->host.threads);
        orr_stage(job, "reorder");
        code = octgrav_pack(job);
    }
    orr_stage(job, NULL);
    return code;
}

/* Accelerations to where the bodies are in the input. */
static int bring_back(struct orr_job *job)
{
    struct octgrav *s = job->state;
    struct host_bodies *b = &s->host;
    const uint32_t *order = s->tree.order;
    const float *acc = s->staging;
    int code = orr_phase(job->device, "back");

    if (!code)
        code = orr_download(job->device, s->staging, s->acc, b->n * 4 * sizeof(float));
    if (code || (code = orr_phase(job->device, NULL)))
        return code;
    orr_stage(job, "back");
#pragma omp parallel for schedule(static) num_threads(s->host.threads) if (b->n > 4096)
    for (size_t k = 0; k < b->n; k++) {
        const size_t i = order[k];
        for (int d = 0; d < 3; d++)
            b->acc[d][i] = acc[4 * k + (size_t)d];
        b->phi[i] = acc[4 * k + 3];
    }
    orr_stage(job, NULL);
    return ORR_OK;
}

/* Counts are fetched before the next evaluation overwrites them: less than 1 % of a long
 * integration. */
static int forces(struct orr_job *job)
{
    struct octgrav *s = job->state;
    int code = s->evaluated ? octgrav_tally(job, &s->work) : 0;

    s->evaluated = 0;
    if (code || (code = make_tree(job)) || (code = octgrav_transfer(job)) ||
        (code = octgrav_evaluate(job)))
        return code;
    s->evaluated = 1;
    return bring_back(job);
}

static int step(struct orr_job *job)
{
    struct octgrav *s = job->state;

    s->work = (struct octgrav_work){0};
    s->evaluated = 0;
    return host_bodies_step(job, forces);
}

static int build(struct orr_job *job, void *of)
{
    (void)of;
    return octgrav_build(job);
}

static int count(struct orr_job *job, struct orr_counts *out)
{
    /* By enum gaburov_procedure. */
    static const char *const two[] = {"walk 1", "nodes", "leaves", "walk 2"}, *const one[] = {
                                                                                  "walk", "nodes",
                                                                                  "leaves", NULL};
    struct octgrav *s = job->state;
    const int two_walks = params_of(job)->walk == OCTGRAV_TWO_WALKS;

    return counting_run(job, &s->counting,
                        &(struct counting_build){.procedures = two_walks ? two : one,
                                                 .programs = {&s->walks, &s->forces, &s->scan},
                                                 .build = build,
                                                 .step = step},
                        out);
}

static void release(struct orr_job *job)
{
    struct octgrav *s = job->state;

    orr_drop(job->device, s->walks);
    orr_drop(job->device, s->scan);
    orr_drop(job->device, s->forces);
    orr_free(job->device, s->body);
    orr_free(job->device, s->low);
    orr_free(job->device, s->acc);
    octgrav_memory_release(job);
    gaburov_octree_release(&s->tree);
    host_bodies_release(job);
    free(s->number);
    free(s->staging);
    memset(s, 0, sizeof *s);
}

static const struct orr_param params[] = {
    GABUROV_COMMON_PARAMS(struct octgrav_params),
    GABUROV_TREE_PARAMS(struct octgrav_params, 64),
    {"ngroup", ORR_PARAM_INT, offsetof(struct octgrav_params, ngroup), 64, 1, 1024, NULL,
     "most bodies of a group, which share an interaction list"},
    {"tree", ORR_PARAM_CHOICE, offsetof(struct octgrav_params, build), GABUROV_RECURSIVE, 0, 0,
     GABUROV_BUILDS,
     "recursive as in the paper: body after body from the root, on one thread, with fewer than "
     "nleaf bodies in a leaf and ngroup in a group; sorted: along a curve, on host_threads, with "
     "at most so many"},
    {"host_threads", ORR_PARAM_INT, offsetof(struct octgrav_params, host_threads), 1, 0, 4096, NULL,
     "threads of the host; 0: all that there are"},
    {"scan", ORR_PARAM_CHOICE, offsetof(struct octgrav_params, scan), OCTGRAV_SCAN_HOST, 0, 0,
     "host|device", "where the lengths of the lists are added up; host as in the paper"},
    {"walk", ORR_PARAM_CHOICE, offsetof(struct octgrav_params, walk), OCTGRAV_TWO_WALKS, 0, 0,
     "two|one",
     "two walks with lists in memory, as in the paper, or one that evaluates what it finds"},
    {"share", ORR_PARAM_CHOICE, offsetof(struct octgrav_params, share), OCTGRAV_SHARE_OFF, 0, 0,
     "off|on",
     "on: threads of a block without a body of their own take part of the lists of the others"},
    {"block", ORR_PARAM_INT, offsetof(struct octgrav_params, block), 0, 0, 1024, NULL,
     "threads that evaluate a group's lists; 0: by the device, on a GPU ngroup as in the paper"},
    {"bodies", ORR_PARAM_INT, offsetof(struct octgrav_params, bodies), 0, 0, 8, NULL,
     "bodies (on a CPU vectors of them) of such a thread; 0: by the device"},
    {"walk_block", ORR_PARAM_INT, offsetof(struct octgrav_params, walk_block), 0, 0, 1024, NULL,
     "groups that walk in one block of threads; 0: by the device"},
    {"list_mb", ORR_PARAM_FLOAT, offsetof(struct octgrav_params, list_mb), 0, 0, 8192, NULL,
     "device memory for lists, in MB: more come in chunks; 0: by the device"},
    POSITIONS_PARAM(struct octgrav_params, positions),
};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "gaburov/octgrav",
    .summary = "the paper's code: octree and groups on the host, interaction lists and forces on "
               "the device",
    .capabilities =
        ORR_RUNS_OPENCL | ORR_RUNS_CUDA | ORR_INTEGRATES | ORR_TREE_CODE | ORR_TAKES_DOUBLES,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct octgrav_params),
    .state_size = sizeof(struct octgrav),
    .sources = octgrav_sources,
    .source_count = sizeof octgrav_sources / sizeof *octgrav_sources,
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = host_bodies_upload,
    .step = step,
    .fetch = host_bodies_fetch,
    .cost = octgrav_cost,
    .count = count,
    .release = release,
};
