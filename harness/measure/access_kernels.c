/* SPDX-License-Identifier: MIT */
/* Access ceilings by kernels/access_ceilings.cl: what each kernel does in a pass, and what it must
 * have written in the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "kernels/access_ceilings.h"
#include "measure/access.h"
#include "memory.h"

/* kernels/access_ceilings.cl has the same numbers. */
enum { GROUP = ORR_ACCESS_GROUP, LANES = ORR_ACCESS_LANES };
enum { STEPS = 8, LOADS = 32, SLOTS = 8, CHAINS = 4, ROWS = 9, TILE = 2048, BLOCK = STEPS * GROUP };
enum { OPERATIONS = STEPS * SLOTS };
/* 2^24 additions of 1 are exact. */
enum { EXACT = 1 << 24 };
static const uint64_t least_beyond = UINT64_C(256) << 20;

/* A kernel being measured. */
struct run {
    struct orr_access_meter *access;
    const struct kernel *kernel;
    struct orr_buffer *data; /* NULL: it has none */
    uint64_t bytes;          /* of it */
    int shift;               /* 1 << shift is the degree */
    int blocks, turn;        /* of loads of global memory; of others, twice their turn, and turn */
    long passes;             /* of the latest span */
    int spans;               /* so far */
};

/* VECTORS: none either, and work is of each lane of a `real`. */
enum memory { NONE, VECTORS, ROWS_OF_ITEMS, FIRST_LEVEL, WITHIN_CACHE, BEYOND_CACHE };
enum { FIRST_LEVEL_BYTES = 8 << 10, LINE = LANES * sizeof(uint32_t) };
struct kernel {
    const char *kind, *name;
    double work;         /* of a work-item and pass, in the kind's unit */
    int period, further; /* passes are a multiple of the one, and the other */
    int turn;
    enum memory memory;
    long most; /* passes at degree 1 for which the result is exact; 0: any number */
    /* Is this what work-item i must have written? */
    bool (*is_right)(const struct run *run, size_t i, uint32_t result);
    /* Threads of a group that has its multiprocessor to itself, so that work is of its chain; 0:
     * the device is full of groups. */
    int lone;
    int (*run)(void *context, long loops, double *seconds); /* NULL: passes of one launch */
};

/* --- what must have been written --- */

static double as_float(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static bool added(const struct run *run, size_t i, uint32_t result)
{
    (void)i;
    return as_float(result) == (double)(STEPS * run->passes);
}

static bool unchanged(const struct run *run, size_t i, uint32_t result)
{
    (void)run, (void)i;
    return as_float(result) == 1;
}

/* x = 1 / sqrt(x) + 1/2. */
static bool converged(const struct run *run, size_t i, uint32_t result)
{
    double x = as_float(result);
    (void)run, (void)i;
    return fabs(1 / sqrt(x) + 0.5 - x) < 1e-5;
}

static bool counted(const struct run *run, size_t i, uint32_t result)
{
    (void)i;
    return result == (uint32_t)run->passes;
}

/* The sum of what a work-item loads in a period: rows of `loads` elements of `width` words, of
 * which each lies `apart` elements behind the one before. */
static bool read_tile(const struct run *run, uint32_t result, uint32_t first, uint32_t apart,
                      uint32_t rows, uint32_t loads, uint32_t width)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < rows; k++)
        for (uint32_t j = 0; j < loads; j++)
            for (uint32_t c = 0; c < width; c++)
                sum += orr_access_word(width * (first + apart * (k + j)) + c);
    return result == sum * (uint32_t)(run->passes / run->kernel->period);
}

static bool read_broadcast(const struct run *run, size_t i, uint32_t result)
{
    (void)i;
    return read_tile(run, result, 0, 1, TILE / 2, 1, 1);
}

static bool read_words(const struct run *run, size_t i, uint32_t result)
{
    return read_tile(run, result, i % LANES, LANES, LANES, LOADS, 1);
}

static bool read_quads(const struct run *run, size_t i, uint32_t result)
{
    return read_tile(run, result, i % LANES, LANES, TILE / 8 / LANES, STEPS, 4);
}

/* Sum of the blocks that a group read. */
static uint32_t blocks_of(const struct run *run, size_t group)
{
    uint32_t sum = 0;
    long block = (long)(group % (size_t)run->blocks);
    for (long k = 0; k < run->passes; k++) {
        sum += (uint32_t)block;
        block = (block + run->turn) % run->blocks;
    }
    return sum;
}

/* Elements of global memory that are loaded are of one word or four. */
static uint32_t words_of(const struct kernel *kernel)
{
    return kernel->work > STEPS ? 4 : 1;
}

/* Only of some groups: adding up their blocks takes long. The value of a place is linear in it, so
 * sums of places are enough. */
static bool read_global(const struct run *run, size_t i, uint32_t result)
{
    const uint32_t words = words_of(run->kernel);
    const uint32_t passes = (uint32_t)run->passes, count = passes * STEPS, t = i % GROUP;
    const bool cpu = run->access->device->info.kind == ORR_DEVICE_CPU;
    const uint32_t first = cpu ? STEPS * t : t, apart = cpu ? 1 : GROUP; /* PLACE */
    static _Thread_local size_t group;
    static _Thread_local uint32_t blocks;
    if (i / GROUP % 97)
        return true;
    if (t == 0 || group != i / GROUP) {
        group = i / GROUP;
        blocks = blocks_of(run, group);
    }
    const uint32_t elements = (uint32_t)(STEPS * BLOCK) * blocks + count * first +
                              passes * apart * (STEPS * (STEPS - 1) / 2);
    const uint32_t places = words * words * elements + count * (words * (words - 1) / 2);
    return result == places * 2654435761u + 97u * words * count;
}

static bool stored(const struct run *run, size_t i, uint32_t result)
{
    const uint32_t last = orr_access_word((uint32_t)i) + (uint32_t)run->passes - 1;
    return result == (ROWS * (ROWS + 1) / 2 - 1) * last + last - 1;
}

static uint32_t updates_below(const struct run *run, size_t i)
{
    const size_t words = LANES >> run->shift; /* of a row that are updated */
    return i % LANES < words ? (uint32_t)(STEPS * run->passes) << run->shift : 0;
}

static bool updated(const struct run *run, size_t i, uint32_t result)
{
    return result == updates_below(run, i);
}

/* A warp goes round its rows; in each, 1 << shift lanes share a word. */
static bool walked(const struct run *run, size_t i, uint32_t result)
{
    const uint64_t steps = STEPS * (uint64_t)run->passes, rows = (uint64_t)ROWS << run->shift;
    uint64_t sum = 0;
    for (size_t r = 0; r < ROWS; r++) {
        const uint64_t row = (i % LANES + LANES * r) / (LANES >> run->shift);
        sum += (steps / rows + (row < steps % rows)) << run->shift;
    }
    return result == (uint32_t)sum;
}

/* Who races may lose updates, but makes none up. */
static bool updated_racing(const struct run *run, size_t i, uint32_t result)
{
    const uint32_t most = updates_below(run, i);
    if (!run->shift || !most)
        return result == most;
    return result > 0 && result <= most;
}

static bool shuffled(const struct run *run, size_t i, uint32_t result)
{
    const uint32_t t = i % GROUP;
    const uint32_t from = t / LANES * LANES + (t + (uint32_t)(STEPS * run->passes)) % LANES;
    return result == CHAINS * CHAINS * from + CHAINS * (CHAINS - 1) / 2;
}

static bool met(const struct run *run, size_t i, uint32_t result)
{
    return result == (i + (size_t)run->passes) % GROUP + (uint32_t)(STEPS * run->passes);
}

/* A chain that went from line to line. */
static bool followed(const struct run *run, size_t i, uint32_t result)
{
    const uint64_t lines = (uint64_t)run->blocks, steps = STEPS * (uint64_t)run->passes;
    const uint64_t first = i / LANES * (uint64_t)run->shift % lines;
    return result == (first + steps * (uint64_t)run->turn) % lines * LANES + i % LANES;
}

/* --- launches --- */

static int queue(const struct run *run, const char *name, size_t groups, size_t group, long passes,
                 double *seconds)
{
    struct orr_access_meter *access = run->access;
    const struct orr_arg args[] = {ORR_BUF(access->out),
                                   ORR_BUF(run->data ? run->data : access->out),
                                   ORR_I32((int32_t)passes),
                                   ORR_I32(run->shift),
                                   ORR_I32(run->turn),
                                   ORR_I32(run->blocks),
                                   ORR_U32(1)};
    const struct orr_launch launch = {.kernel = name,
                                      .groups = {groups},
                                      .group = {group},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    return seconds ? orr_ceiling_launch(access->device, access->program, &launch, seconds)
                   : orr_launch(access->device, access->program, &launch);
}

static int run_groups(void *context, long loops, double *seconds)
{
    struct run *run = context;
    int code = orr_fill(run->access->device, run->access->out, 0,
                        run->access->groups * GROUP * sizeof(uint32_t));
    run->passes = loops;
    run->blocks = (int)(run->access->groups * GROUP);
    return code ? code : queue(run, "access_group", (size_t)loops, LANES, 0, seconds);
}

/* Word w holds one more than a group of which w is the rest. */
static bool wrote_groups(const struct run *run, size_t w, uint32_t result)
{
    const size_t words = (size_t)run->blocks, last = (size_t)result - 1;
    return w >= (size_t)run->passes || (result && last % words == w && last < (size_t)run->passes);
}

static bool launched(const struct run *run, size_t i, uint32_t result)
{
    return i > 0 || result == (uint32_t)run->passes;
}

static int run_launches(void *context, long loops, double *seconds)
{
    struct run *run = context;
    struct orr_device *device = run->access->device;
    int code = orr_fill(device, run->access->out, 0, sizeof(uint32_t));
    run->passes = loops;
    if (!code)
        code = orr_sync(device);
    const double start = orr_clock_now();
    for (long k = 0; k < loops && !code; k++)
        code = queue(run, "access_empty", 1, LANES, 0, NULL);
    if (!code)
        code = orr_sync(device);
    *seconds = orr_clock_now() - start;
    return code;
}

/* Chains of one warp. The number of passes is no multiple of the lines that a chain goes round, or
 * a step left out of each would not show. */
#define LONE(kind, name, work, turn, memory, most, is_right)                         \
    {                                                                                \
        "latency-" kind, name, work, 8, 4, turn, memory, most, is_right, LANES, NULL \
    }
static const struct kernel kernels[] = {
    {"add", "access_add", OPERATIONS, 1, 0, 0, VECTORS, 1L << 21, added, 0, NULL},
    {"mul", "access_mul", OPERATIONS, 2, 1, 0, VECTORS, 0, unchanged, 0, NULL},
    {"rsqrt", "access_rsqrt", OPERATIONS, 1, 3, 0, VECTORS, 0, converged, 0, NULL},
    {"fma-fp64", "access_fma_fp64", OPERATIONS, 1, 0, 0, VECTORS, 0, counted, 0, NULL},
    {"shared-load-broadcast", "access_shared_broadcast", LOADS, 32, 0, LANES, NONE, 0,
     read_broadcast, 0, NULL},
    {"shared-load", "access_shared_load", LOADS, 32, 0, LANES, NONE, 0, read_words, 0, NULL},
    {"shared-load-128", "access_shared_load_128", 4 * STEPS, 8, 0, LANES, NONE, 0, read_quads, 0,
     NULL},
    {"shared-store", "access_shared_store", STEPS, 2, 0, GROUP, NONE, 0, stored, 0, NULL},
    {"shared-update-plain", "access_shared_plain", STEPS, 2, 0, LANES, NONE, EXACT, updated_racing,
     0, NULL},
    {"shared-atomic-float", "access_shared_float", STEPS, 2, 0, LANES, NONE, EXACT, updated, 0,
     NULL},
    {"shared-atomic-float-cas", "access_shared_float_cas", STEPS, 2, 0, LANES, NONE, EXACT, walked,
     0, NULL},
    {"shared-atomic-int", "access_shared_int", STEPS, 2, 0, LANES, NONE, 0, updated, 0, NULL},
    {"shared-atomic-int-cas", "access_shared_int_cas", STEPS, 2, 0, LANES, NONE, 0, walked, 0,
     NULL},
    {"global-load", "access_global_load", STEPS, 1, 0, 0, WITHIN_CACHE, 0, read_global, 0, NULL},
    {"global-store", "access_global_store", STEPS, 2, 0, GROUP, ROWS_OF_ITEMS, 0, stored, 0, NULL},
    {"global-atomic-float", "access_global_float", STEPS, 2, 0, LANES, ROWS_OF_ITEMS, EXACT,
     updated, 0, NULL},
    {"global-atomic-float-cas", "access_global_float_cas", STEPS, 2, 0, LANES, ROWS_OF_ITEMS, EXACT,
     walked, 0, NULL},
    {"global-atomic-int", "access_global_int", STEPS, 2, 0, LANES, ROWS_OF_ITEMS, 0, updated, 0,
     NULL},
    {"l2", "access_global_load_128", 16 * STEPS, 1, 0, 0, WITHIN_CACHE, 0, read_global, 0, NULL},
    {"dram", "access_global_load_128", 16 * STEPS, 1, 0, 0, BEYOND_CACHE, 0, read_global, 0, NULL},
    {"shuffle", "access_shuffle", STEPS *CHAINS, 32, 1, 0, NONE, 0, shuffled, 0, NULL},
    {"barrier", "access_barrier", (double)STEPS / GROUP, 1, 0, GROUP, NONE, 0, met, 0, NULL},
    LONE("issue", "access_lone_issue", OPERATIONS, 0, NONE, 1L << 20, added),
    LONE("fma", "access_lone_fma", STEPS, 0, NONE, 1L << 20, added),
    LONE("rsqrt", "access_lone_rsqrt", STEPS, 0, NONE, 0, converged),
    LONE("shared-load", "access_lone_shared_load", STEPS, 1, NONE, 0, followed),
    LONE("shared-update-plain", "access_lone_plain", STEPS, LANES, NONE, EXACT, updated),
    LONE("shared-atomic-float", "access_lone_float", STEPS, LANES, NONE, EXACT, updated),
    LONE("shared-atomic-float-cas", "access_lone_float_cas", STEPS, LANES, NONE, EXACT, walked),
    LONE("shared-atomic-int", "access_lone_int", STEPS, LANES, NONE, 0, updated),
    LONE("l1", "access_lone_global_load", STEPS, 0, FIRST_LEVEL, 0, followed),
    LONE("l2", "access_lone_global_load", STEPS, 0, WITHIN_CACHE, 0, followed),
    LONE("dram", "access_lone_global_load", STEPS, 0, BEYOND_CACHE, 0, followed),
    LONE("global-atomic-float-cas", "access_lone_global_float_cas", STEPS, LANES, ROWS_OF_ITEMS,
         EXACT, walked),
    LONE("global-atomic-int", "access_lone_global_int", STEPS, LANES, ROWS_OF_ITEMS, 0, updated),
    {"latency-barrier", "access_barrier", STEPS, 1, 0, GROUP, NONE, 0, met, GROUP, NULL},
    {"group", NULL, 1, 1, 0, 0, NONE, 0, wrote_groups, 0, run_groups},
    {"launch", NULL, 1, 1, 0, 0, NONE, 0, launched, 0, run_launches},
};
#undef LONE

static const struct kernel *find_kernel(const char *kind)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (!strcmp(kernels[k].kind, kind))
            return &kernels[k];
    return NULL;
}

/* --- the program --- */

/* An idle GPU takes a while to raise its clock. */
static int warm_up(struct orr_access_meter *access)
{
    struct run run = {.access = access};
    double seconds;
    const double until = orr_clock_now() + (access->options.quick ? 0.05 : 0.3);
    int code = 0;
    while (!code && orr_clock_now() < until)
        code = queue(&run, "access_add", access->groups, GROUP, 1000, &seconds);
    return code;
}

int orr_access_prepare_kernels(struct orr_access_meter *access)
{
    const struct orr_source source = {"access_ceilings", kernel_access_ceilings};
    struct orr_device *device = access->device;
    const struct orr_device_info *info = &device->info;
    access->units = info->compute_units > 0 ? (size_t)info->compute_units : 1;
    /* Whole numbers of what multiprocessors hold at once, 4, 6 or 8 groups of 256. */
    access->groups = access->units * (info->kind == ORR_DEVICE_GPU ? 24 : 2);
    access->vector = info->vector_width > 0 ? info->vector_width : 1;
    const size_t bytes = access->groups * GROUP * sizeof *access->results;
    int kept = device->kernel_count;
    char defines[160];
    snprintf(defines, sizeof defines, "-DVECTOR=%d -DFP64=%d %s", access->vector, info->fp64,
             access->options.defines ? access->options.defines : "");
    int code = orr_build(device, &access->program, &source, defines);
    device->kernel_count = kept; /* the list is of a variant's kernels */
    access->results = orr_memory_get(bytes);
    if (!code)
        code = orr_alloc(device, &access->out, bytes);
    return code ? code : warm_up(access);
}

/* --- memory --- */

static long common_divisor(long a, long b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Blocks of STEPS words or quads a work-item, or lines, all of which a group comes to in turn. */
static int divide(struct run *run, size_t bytes)
{
    const uint64_t blocks = run->bytes / bytes;
    if (blocks < 2 || blocks > INT32_MAX / 2)
        return orr_fail(ORR_EUNSUPPORTED, "memory of %llu bytes cannot be measured",
                        (unsigned long long)run->bytes);
    run->blocks = (int)blocks;
    run->turn = (int)(0.618 * (double)blocks);
    while (common_divisor(run->blocks, run->turn) != 1)
        run->turn++;
    return 0;
}

static int size_memory(struct run *run)
{
    struct orr_access_meter *access = run->access;
    const struct orr_device_info *info = &access->device->info;
    if (run->kernel->memory == ROWS_OF_ITEMS) {
        run->bytes = access->groups * GROUP * ROWS * sizeof(uint32_t);
        return 0;
    }
    run->bytes = run->kernel->memory == FIRST_LEVEL ? FIRST_LEVEL_BYTES : info->cache_bytes / 2;
    if (run->kernel->memory != BEYOND_CACHE)
        return run->bytes ? 0 : orr_fail(ORR_EUNSUPPORTED, "the size of its cache is not known");
    /* Groups come to a block one after another, so that some find it still in the cache: of a GPU's
     * share of it in little memory, too many. */
    const uint64_t caches = info->kind == ORR_DEVICE_GPU ? 32 : 6;
    run->bytes = info->cache_bytes * caches / (access->options.quick ? 2 : 1);
    if (run->bytes < least_beyond / (access->options.quick ? 4 : 1))
        run->bytes = least_beyond / (access->options.quick ? 4 : 1);
    if (info->memory_bytes && run->bytes > info->memory_bytes / 4)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%llu bytes, which no cache holds, are too many for its memory",
                        (unsigned long long)run->bytes);
    return 0;
}

/* Memory of loads is filled, that of stores and updates zeroed before each launch. */
static int make_memory(struct run *run)
{
    const bool chain = run->kernel->is_right == followed;
    const bool loads = run->kernel->memory != ROWS_OF_ITEMS;
    const size_t words = words_of(run->kernel);
    if (chain)
        run->blocks = TILE / LANES;
    if (run->kernel->memory <= VECTORS)
        return 0;
    int code = size_memory(run);
    if (!code && loads)
        code = divide(run, chain ? LINE : BLOCK * words * sizeof(uint32_t));
    if (!code)
        code = orr_alloc(run->access->device, &run->data, run->bytes);
    if (code || !loads)
        return code;
    struct run filling = *run;
    if (!chain)
        filling.turn = (int)(BLOCK * words);
    return queue(&filling, chain ? "access_link" : "access_fill", run->access->groups, GROUP, 0,
                 NULL);
}

/* --- measuring --- */

static int run_passes(void *context, long loops, double *seconds)
{
    struct run *run = context;
    const int lone = run->kernel->lone;
    int code = 0;
    run->passes = loops * run->kernel->period + run->kernel->further;
    if (run->kernel->memory == ROWS_OF_ITEMS)
        code = orr_fill(run->access->device, run->data, 0, run->bytes);
    if (run->data && run->kernel->is_right == followed) /* elsewhere than the span before */
        run->shift = (int)(++run->spans * INT64_C(104729) % run->blocks);
    return code ? code
                : queue(run, run->kernel->name, lone ? run->access->units : run->access->groups,
                        lone ? (size_t)lone : GROUP, run->passes, seconds);
}

static int check_results(const struct run *run)
{
    const struct orr_access_meter *access = run->access;
    const int lone = run->kernel->lone;
    const size_t items = lone ? access->units * (size_t)lone : access->groups * GROUP;
    int code =
        orr_download(access->device, access->results, access->out, items * sizeof *access->results);
    for (size_t i = 0; !code && i < items; i++)
        if (!run->kernel->is_right(run, i, access->results[i]))
            code =
                orr_fail(ORR_EWRONG, "work-item %zu has a wrong result (0x%08x) after %ld passes",
                         i, (unsigned)access->results[i], run->passes);
    return code;
}

static int lacks(const struct orr_access_meter *access, const struct kernel *kernel)
{
    if (!strcmp(kernel->kind, "fma-fp64") && !access->device->info.fp64)
        return orr_fail(ORR_EUNSUPPORTED, "it has no double precision");
    if (kernel->is_right == shuffled && !strcmp(access->device->info.backend, "opencl") &&
        !*access->device->info.capability)
        return orr_fail(ORR_EUNSUPPORTED, "OpenCL 1.2 has no shuffles");
    return 0;
}

int orr_access_by_kernel(struct orr_access_meter *access, const char *kind, int degree,
                         double *rate)
{
    struct run run = {.access = access, .kernel = find_kernel(kind)};
    struct orr_span span = access->span;
    double seconds = 0;
    if (!run.kernel)
        return orr_fail(ORR_EINTERNAL, "no kernel measures '%s'", kind);
    span.run = run.kernel->run ? run.kernel->run : run_passes;
    span.context = &run;
    while (1 << run.shift < degree)
        run.shift++;
    run.turn = run.kernel->turn;
    run.blocks = 2 * run.turn;
    if (run.kernel->lone) { /* nobody disturbs a chain, and there are many */
        span.spans = 2;
        span.span_s = 4e-3;
    }
    if (run.kernel->most)
        span.most = (run.kernel->most >> run.shift) / run.kernel->period - 1;
    int code = lacks(access, run.kernel);
    if (!code)
        code = make_memory(&run);
    if (!code)
        code = orr_ceiling_span(&span, &seconds);
    if (!code)
        code = check_results(&run);
    orr_free(access->device, run.data);
    const double lanes = run.kernel->memory == VECTORS ? access->vector : 1,
                 items = run.kernel->lone || run.kernel->run ? 1 : (double)(access->groups * GROUP);
    *rate = code ? 0 : run.kernel->work * lanes * items * (double)run.passes / seconds;
    return code;
}
