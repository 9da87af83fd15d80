/* SPDX-License-Identifier: MIT */
/* Access ceilings of the host: all cores, by vectors as wide as it has, from caches and memory, and
 * by C11 atomics. Rates of the cores add up, each by its thread's processor time. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "measure/access.h"
#include "machine.h"

enum { FIRST_LEVEL_BYTES = 16 << 10, LINE_WORDS = 16 };
enum { MOST_CORES = 1024 };
enum { EXACT = 1 << 20 }; /* of floats' counts, with all chains and threads */

/* An access being measured. */
struct run {
    const struct kind *kind;
    int threads, degree;
    uint32_t *memory; /* `words` of each thread; of atomics a line a thread */
    size_t words;
    uint32_t sum; /* of a thread's words, for loads */
};

struct kind {
    const char *name;
    /* Runs in each thread; false if its result is wrong. */
    bool (*run)(struct run *run, int thread, long loops);
    double work; /* of a loop, of memory for each word of it; of operations for each byte of a
                    vector */
    enum { NO_MEMORY, FIRST_LEVEL, LAST_LEVEL, BEYOND_CACHE, LINES } memory; /* of each thread */
    long most;
    enum orr_ceiling_operation operation; /* of run_operation, and its constants */
    double c, d;
};

/* --- operations --- */

/* The mean of where the chains begin. */
static const double begin = (ORR_CEILING_CHAINS + 1) / 2.0;

static bool run_operation(struct run *run, int thread, long loops)
{
    const struct kind *kind = run->kind;
    double (*operate)(long, double, double) = orr_ceiling_host_best()->operate[kind->operation];
    bool root = kind->operation == ORR_CEILING_RSQRT;
    double x = operate(root ? loops + 32 : loops, kind->c, kind->d);
    (void)thread;
    if (root)
        return fabs(1 / sqrt(x) + 0.5 - x) <= 1e-5 * fabs(x);
    return x == (kind->operation != ORR_CEILING_MUL ? begin + (double)loops
                 : loops % 2                        ? -begin
                                                    : begin);
}

/* --- memory --- */

/* A line, which the compiler takes apart into what the target has. */
typedef uint32_t line __attribute__((vector_size(64)));
enum { ABREAST = 4 };

/* The loader picks the clone for the widest vectors of the processor. */
#if defined(__x86_64__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

/* The sum of the words; in `count` passes, between which nothing is known of them. */
WIDEST static uint32_t sum_words(const uint32_t *from, size_t words, long count)
{
    line sums[ABREAST] = {{0}};
    uint32_t sum = 0;
    for (long k = 0; k < count; k++) {
        const line *at = (const line *)from, *end = at + words / LINE_WORDS;
        for (; at < end; at += ABREAST)
            _Pragma("GCC unroll 4") for (int a = 0; a < ABREAST; a++) sums[a] += at[a];
        __asm__ volatile("" : : : "memory");
    }
    for (int a = 0; a < ABREAST; a++)
        for (int w = 0; w < LINE_WORDS; w++)
            sum += sums[a][w];
    return sum;
}

/* Stores the number of the pass into each. */
WIDEST static void store_words(uint32_t *to, size_t words, long count)
{
    for (long k = 1; k <= count; k++) {
        line *at = (line *)to, *end = at + words / LINE_WORDS;
        const line value = (line){0} + (uint32_t)k;
        for (; at < end; at += ABREAST)
            _Pragma("GCC unroll 4") for (int a = 0; a < ABREAST; a++) at[a] = value;
        __asm__ volatile("" : : : "memory");
    }
}

static uint32_t *region(const struct run *run, int thread)
{
    return run->memory + (size_t)thread * run->words;
}

static bool run_loads(struct run *run, int thread, long loops)
{
    return sum_words(region(run, thread), run->words, loops) == run->sum * (uint32_t)loops;
}

static bool run_stores(struct run *run, int thread, long loops)
{
    uint32_t *to = region(run, thread);
    store_words(to, run->words, loops);
    for (size_t k = 0; k < run->words; k++)
        if (to[k] != (uint32_t)loops)
            return false;
    return true;
}

static bool read_text(char *out, size_t size, const char *root, int cpu, int index,
                      const char *name)
{
    return orr_system_line(out, size, "%s/devices/system/cpu/cpu%d/cache/index%d/%s", root, cpu,
                           index, name);
}

/* The bytes of the processor's cache of the highest level that begins with it: one that several
 * share counts with the first of them. */
static size_t last_level_of(const char *root, int cpu)
{
    char text[256];
    int highest = 0;
    size_t bytes = 0;
    for (int index = 0; read_text(text, sizeof text, root, cpu, index, "level"); index++) {
        int level = atoi(text);
        if (level <= highest || !read_text(text, sizeof text, root, cpu, index, "size"))
            continue;
        char *unit;
        unsigned long long size = strtoull(text, &unit, 10);
        size *= *unit == 'M' ? 1 << 20 : *unit == 'K' ? 1 << 10 : 1;
        bool first =
            !read_text(text, sizeof text, root, cpu, index, "shared_cpu_list") || atoi(text) == cpu;
        bytes = first ? (size_t)size : 0;
        highest = level;
    }
    return bytes;
}

size_t orr_access_cache_bytes(const char *root)
{
    size_t sum = 0;
    for (int cpu = 0; cpu < MOST_CORES; cpu++)
        sum += last_level_of(root, cpu);
    return sum;
}

/* Each thread has so many bytes. */
static size_t bytes_of(const struct run *run, bool quick)
{
    const size_t caches = orr_access_cache_bytes("/sys"), threads = (size_t)run->threads,
                 least = (size_t)(quick ? 64 : 256) << 20, all = caches * (quick ? 3 : 6);
    switch (run->kind->memory) {
    case FIRST_LEVEL:
        return FIRST_LEVEL_BYTES;
    case LAST_LEVEL: /* half of what they share */
        return caches / 2 / threads;
    case BEYOND_CACHE:
        return (all > least ? all : least) / threads;
    default:
        return LINE_WORDS * sizeof(uint32_t);
    }
}

/* --- atomics: `degree` threads share a word, which has its line to itself --- */

static _Atomic uint32_t *word_of(const struct run *run, int thread)
{
    return (_Atomic uint32_t *)region(run, thread - thread % run->degree);
}

static bool run_atomic_int(struct run *run, int thread, long loops)
{
    _Atomic uint32_t *word = word_of(run, thread);
    for (long k = 0; k < loops; k++)
        atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
    return true;
}

static bool run_atomic_cas(struct run *run, int thread, long loops)
{
    _Atomic uint32_t *word = word_of(run, thread);
    for (long k = 0; k < loops; k++) {
        uint32_t seen = atomic_load_explicit(word, memory_order_relaxed), sum;
        float value;
        do {
            memcpy(&value, &seen, sizeof value);
            value += 1;
            memcpy(&sum, &value, sizeof sum);
        } while (!atomic_compare_exchange_weak_explicit(word, &seen, sum, memory_order_relaxed,
                                                        memory_order_relaxed));
    }
    return true;
}

/* Checks all words when the threads are done. */
static bool all_updated(const struct run *run, long loops)
{
    bool cas = run->kind->run == run_atomic_cas;
    if (!cas && run->kind->run != run_atomic_int)
        return true;
    for (int t = 0; t < run->threads; t += run->degree) {
        const int sharing = run->threads - t < run->degree ? run->threads - t : run->degree;
        uint32_t found = *region(run, t);
        float value;
        memcpy(&value, &found, sizeof value);
        if (cas ? (double)value != (double)loops * sharing
                : found != (uint32_t)loops * (uint32_t)sharing)
            return false;
    }
    return true;
}

/* --- measuring --- */

#define VECTOR_WORK(operations) (ORR_CEILING_CHAINS * (operations))
static const struct kind kinds[] = {
    {"add", run_operation, VECTOR_WORK(1.0 / sizeof(float)), NO_MEMORY, EXACT, ORR_CEILING_ADD, 1,
     0},
    {"mul", run_operation, VECTOR_WORK(2.0 / sizeof(float)), NO_MEMORY, 0, ORR_CEILING_MUL, 2,
     -0.5},
    {"rsqrt", run_operation, VECTOR_WORK(1.0 / sizeof(float)), NO_MEMORY, 0, ORR_CEILING_RSQRT, 0.5,
     0},
    {"fma-fp64", run_operation, VECTOR_WORK(1.0 / sizeof(double)), NO_MEMORY, 0,
     ORR_CEILING_FMA_FP64, 1, 1},
    {"global-load", run_loads, 1, FIRST_LEVEL, 0, 0, 0, 0},
    {"global-store", run_stores, 1, FIRST_LEVEL, 0, 0, 0, 0},
    {"global-atomic-float-cas", run_atomic_cas, 1, LINES, EXACT, 0, 0, 0},
    {"global-atomic-int", run_atomic_int, 1, LINES, 0, 0, 0, 0},
    {"l2", run_loads, sizeof(uint32_t), LAST_LEVEL, 0, 0, 0, 0},
    {"dram", run_loads, sizeof(uint32_t), BEYOND_CACHE, 0, 0, 0, 0},
};

static const struct kind *find_kind(const char *name)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].name, name))
            return &kinds[k];
    return NULL;
}

static bool is_atomic(const struct run *run)
{
    return run->kind->memory == LINES;
}

/* Each thread touches its own memory first. */
static int make_memory(struct run *run, bool quick)
{
    const size_t unit = ABREAST * sizeof(line);
    if (run->kind->memory == NO_MEMORY)
        return 0;
    const size_t bytes = bytes_of(run, quick);
    if (!bytes)
        return orr_fail(ORR_EUNSUPPORTED, "the size of its cache is not known");
    run->words = (is_atomic(run) ? bytes : bytes / unit * unit) / sizeof(uint32_t);
    run->memory = aligned_alloc(sizeof(line), run->words * sizeof(uint32_t) * (size_t)run->threads);
    if (!run->memory)
        return orr_fail(ORR_EMEMORY, "no memory for %zu bytes a thread", bytes);
#pragma omp parallel for num_threads(run->threads) schedule(static, 1)
    for (int t = 0; t < run->threads; t++)
        for (size_t k = 0; k < run->words; k++)
            region(run, t)[k] = orr_access_word((uint32_t)k);
    for (size_t k = 0; k < run->words; k++)
        run->sum += orr_access_word((uint32_t)k);
    return 0;
}

static int run_threads(void *context, long loops, double *seconds)
{
    struct run *run = context;
    const int threads = run->threads;
    double rate = 0;
    bool right = true;
    for (int t = 0; is_atomic(run) && t < threads; t++)
        *region(run, t) = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : rate) reduction(&& : right) \
    schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        double start = orr_clock_thread();
        right = run->kind->run(run, t, loops) && right;
        rate += 1 / (orr_clock_thread() - start);
    }
    *seconds = threads / rate;
    return right && all_updated(run, loops)
               ? 0
               : orr_fail(ORR_EWRONG, "a thread's result is wrong after %ld loops", loops);
}

int orr_access_on_host(struct orr_access_meter *access, const char *name, int degree, double *rate)
{
    struct run run = {
        .kind = find_kind(name), .threads = access->device->info.compute_units, .degree = degree};
    struct orr_span span = access->span;
    double seconds = 0;
    span.run = run_threads;
    span.context = &run;
    if (!run.kind)
        return orr_fail(ORR_EUNSUPPORTED, "the host has no %s", name);
    if (degree > run.threads)
        return orr_fail(ORR_EUNSUPPORTED, "it has %d threads", run.threads);
    if (run.kind->most)
        span.most = run.kind->most;
    int code = make_memory(&run, access->options.quick);
    if (!code)
        code = orr_ceiling_span(&span, &seconds);
    free(run.memory);
    const double each = run.words && !is_atomic(&run) ? (double)run.words
                        : is_atomic(&run)             ? 1
                                                      : orr_ceiling_host_best()->bytes;
    *rate = code ? 0 : run.kind->work * each * (double)span.loops * run.threads / seconds;
    return code;
}
