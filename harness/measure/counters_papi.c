/* SPDX-License-Identifier: MIT */
/* The processor's counters by PAPI, and those of the kernel where the processor has none. */
#include "measure/counters.h"

#include <string.h>

#include "error.h"
#include "memory.h"

enum { CYCLES, FP32, FP64, FLOPS, CACHES, BRANCHES, SYSTEM };
static const struct orr_counter_group groups[] = {
    [CYCLES] = {"cycles", "cycles and instructions of all threads"},
    [FP32] = {"fp32", "operations in single precision, by the width of their instructions"},
    [FP64] = {"fp64", "operations in double precision"},
    [FLOPS] = {"flops", "operations of either precision, where they are not told apart"},
    [CACHES] = {"caches", "accesses that each level of the caches missed"},
    [BRANCHES] = {"branches", "branches, and those that were mispredicted"},
    [SYSTEM] = {"system", "what the kernel itself counts, also where a processor has no counters"},
    {NULL, NULL}};

static bool suits(const struct orr_device_info *device)
{
    return device->kind == ORR_DEVICE_HOST || device->kind == ORR_DEVICE_CPU;
}

#ifdef ORR_HAVE_PAPI

#include <omp.h>
#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

/* Intel's are instructions and AMD's operations. Both count a fused multiply and add twice, so
 * neither is an fp32_fma as GPUs count it. */
#define INTEL "FP_ARITH_INST_RETIRED:"
#define AMD "RETIRED_SSE_AVX_FLOPS:"

/* An event is counted by the first of its names that starts. PAPI's presets come first: they are
 * the same on most processors. */
static const struct event {
    const char *name;
    int group;
    const char *from, *other;
    const char *what;
    int operations; /* each, of a part of the group's operations; 0: it is no part */
} events[] = {
    {"cycles", CYCLES, "PAPI_TOT_CYC", "perf::CYCLES", "cycles, of all threads together", 0},
    {"instructions", CYCLES, "PAPI_TOT_INS", "perf::INSTRUCTIONS", "instructions", 0},
    {"fp32_operations", FP32, "PAPI_SP_OPS", NULL, "fp32 operations, a fused one counted twice", 0},
    {"fp64_operations", FP64, "PAPI_DP_OPS", NULL, "fp64 operations, a fused one counted twice", 0},
    {"fp_operations", FLOPS, AMD "ANY", "PAPI_FP_OPS",
     "operations of both precisions, a fused one counted twice", 0},
    {"l1_misses", CACHES, "PAPI_L1_DCM", "perf::L1-DCACHE-LOAD-MISSES", "misses of L1 data", 0},
    {"l2_misses", CACHES, "PAPI_L2_TCM", "PAPI_L2_DCM", "misses of L2", 0},
    {"l3_misses", CACHES, "PAPI_L3_TCM", "perf::LLC-LOAD-MISSES", "misses of the last level", 0},
    {"branches", BRANCHES, "PAPI_BR_INS", "perf::BRANCHES", "branches", 0},
    {"branch_misses", BRANCHES, "PAPI_BR_MSP", "perf::BRANCH-MISSES", "mispredicted branches", 0},
    {"fp32_scalar", FP32, INTEL "SCALAR_SINGLE", NULL, "instructions of one number", 1},
    {"fp32_128bit", FP32, INTEL "128B_PACKED_SINGLE", NULL, "instructions of 4 numbers", 4},
    {"fp32_256bit", FP32, INTEL "256B_PACKED_SINGLE", NULL, "instructions of 8 numbers", 8},
    {"fp32_512bit", FP32, INTEL "512B_PACKED_SINGLE", NULL, "instructions of 16 numbers", 16},
    {"fp64_scalar", FP64, INTEL "SCALAR_DOUBLE", NULL, "instructions of one number", 1},
    {"fp64_128bit", FP64, INTEL "128B_PACKED_DOUBLE", NULL, "instructions of 2 numbers", 2},
    {"fp64_256bit", FP64, INTEL "256B_PACKED_DOUBLE", NULL, "instructions of 4 numbers", 4},
    {"fp64_512bit", FP64, INTEL "512B_PACKED_DOUBLE", NULL, "instructions of 8 numbers", 8},
    {"fp_add", FLOPS, AMD "ADD_SUB_FLOPS", NULL, "additions of both precisions", 0},
    {"fp_mul", FLOPS, AMD "MULT_FLOPS", NULL, "multiplications of both precisions", 0},
    {"fp_fma", FLOPS, AMD "MAC_FLOPS", NULL, "fused ones, two operations each", 0},
    {"fp_divide", FLOPS, AMD "DIV_FLOPS", NULL, "divisions and square roots", 0},
    {"task_clock", SYSTEM, "perf::TASK-CLOCK", NULL, "nanoseconds that threads ran, together", 0},
    {"page_faults", SYSTEM, "perf::PAGE-FAULTS", NULL, "pages that were not there", 0},
    /* The kernel switches, so what only counts users' events counts none. */
    {"context_switches", SYSTEM, "perf::CONTEXT-SWITCHES:u=1:k=1", NULL, "threads that gave way",
     0},
};
enum { EVENTS = sizeof events / sizeof *events };

/* --- sets of events --- */

static int failed(const char *what, int error)
{
    return error == PAPI_OK
               ? 0
               : orr_fail(ORR_EUNSUPPORTED, "PAPI cannot %s: %s", what, PAPI_strerror(error));
}

static void close_set(int *set)
{
    PAPI_cleanup_eventset(*set);
    PAPI_destroy_eventset(set);
}

/* An empty set, which also counts threads that this one makes from now on. */
static int open_set(int *out)
{
    *out = PAPI_NULL;
    int error = PAPI_create_eventset(out);
    if (error == PAPI_OK)
        error = PAPI_assign_eventset_component(*out, 0);
    PAPI_option_t option = {.inherit = {.inherit = PAPI_INHERIT_ALL, .eventset = *out}};
    if (error == PAPI_OK)
        error = PAPI_set_opt(PAPI_INHERIT, &option);
    return failed("count other threads", error);
}

/* Adds the event to the set, which then counts for a moment; one that does not is left out. */
static int add_to(int set, const char *name)
{
    long long values[EVENTS];
    int error = PAPI_add_named_event(set, name);
    bool added = error == PAPI_OK;
    if (added)
        error = PAPI_start(set);
    if (error == PAPI_OK)
        error = PAPI_stop(set, values);
    if (error == PAPI_OK)
        return 0;
    if (added)
        PAPI_remove_named_event(set, name);
    return orr_fail(ORR_EUNSUPPORTED, "PAPI does not count %s: %s", name, PAPI_strerror(error));
}

/* --- what starts here --- */

static char missing[512];
static const char *starts[EVENTS]; /* PAPI's name of each; NULL: none starts */
/* PAPI lets sets count threads to come only where the processor has counters. Elsewhere each thread
 * of OpenMP has a set of its own. */
static bool inherits;

static int try_event(const char *name)
{
    int set = PAPI_NULL,
        code = inherits ? open_set(&set) : failed("make a set", PAPI_create_eventset(&set));
    if (!code)
        code = add_to(set, name);
    close_set(&set);
    return code;
}

static int start_library(void)
{
    int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT)
        return orr_fail(ORR_EUNSUPPORTED, "PAPI does not start: %s",
                        version > 0 ? "it is of another version than this build"
                                    : PAPI_strerror(version));
    return failed("tell threads apart", PAPI_thread_init((unsigned long (*)(void))pthread_self));
}

static void try_all(void)
{
    int set, usable = 0, code = start_library();
    if (!code) {
        inherits = !open_set(&set);
        close_set(&set);
        for (int k = 0; k < EVENTS; k++) {
            const struct event *e = &events[k];
            starts[k] = !try_event(e->from)                ? e->from
                        : e->other && !try_event(e->other) ? e->other
                                                           : NULL;
            usable += starts[k] != NULL;
        }
    }
    if (code)
        snprintf(missing, sizeof missing, "%s", orr_error_text());
    else if (!usable)
        snprintf(
            missing, sizeof missing,
            "this kernel gives PAPI no performance counters; set kernel.perf_event_paranoid to "
            "2 or less, and start a container with --cap-add PERFMON and a seccomp profile "
            "that allows perf_event_open");
    orr_error_clear();
}

const char *orr_counters_papi_start(json_t *rows)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, try_all);
    for (int k = 0; k < EVENTS; k++)
        if (starts[k])
            json_array_append_new(rows,
                                  json_pack(ORR_COUNTERS_ROW, "name", events[k].name, "source",
                                            "papi", "group", groups[events[k].group].name, "metric",
                                            starts[k], "what", events[k].what));
    return missing;
}

/* --- passes: as many events at once as the processor counts --- */

struct counters {
    int order[EVENTS], pass[EVENTS]; /* of what is counted: index of `events`; its pass */
    long long values[EVENTS];
    int count, passes;
    int sets[EVENTS]; /* one a pass */
    /* Sets that do not inherit: one a thread instead, and the seconds that the process had used. */
    int *own, threads;
    double used_s;
};

/* The event goes into the last pass or, if that is full, into one more. */
static int place_event(struct counters *c, int event)
{
    const char *name = starts[event];
    int code = 0;
    if (!inherits)
        c->passes = 1;
    else if (!c->passes || add_to(c->sets[c->passes - 1], name)) {
        orr_error_clear();
        code = open_set(&c->sets[c->passes++]);
        if (!code)
            code = add_to(c->sets[c->passes - 1], name);
    }
    c->order[c->count] = event;
    c->pass[c->count++] = c->passes - 1;
    return code;
}

static int open_counters(void **state, const struct orr_counter_source *source,
                         struct orr_device *device, uint32_t wanted)
{
    struct counters *c = *state = orr_memory_get(sizeof *c);
    int code = 0;
    (void)source;
    if (*orr_counters_papi_start(NULL))
        return orr_fail(ORR_EUNSUPPORTED, "%s", missing);
    if (device->info.kind == ORR_DEVICE_CPU)
        return orr_fail(ORR_EUNSUPPORTED,
                        "the threads of a driver are there before the step, so PAPI would count "
                        "none of them; it counts variants of the host");
    for (int k = 0; k < EVENTS && !code; k++)
        if (starts[k] && wanted & UINT32_C(1) << events[k].group)
            code = place_event(c, k);
    return code || c->count
               ? code
               : orr_fail(ORR_EUNSUPPORTED,
                          "PAPI has no event of these groups here; a virtual machine has counters "
                          "only where its hypervisor passes them on (QEMU/KVM: -cpu host,pmu=on)");
}

static int pass_count(const void *state)
{
    return ((const struct counters *)state)->passes;
}

/* Threads of this process besides the caller: folders beside "." and "..". */
static int other_threads(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) ? 0 : (int)tasks.st_nlink - 3;
}

static double process_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int start_own(const struct counters *c, int *set)
{
    int error = PAPI_create_eventset(set);
    for (int k = 0; k < c->count && error == PAPI_OK; k++)
        error = PAPI_add_named_event(*set, starts[c->order[k]]);
    return error == PAPI_OK ? PAPI_start(*set) : error;
}

/* OpenMP's threads stay for the step. */
static int begin_threads(struct counters *c)
{
    int error = PAPI_OK;
    c->threads = omp_get_max_threads();
    c->own = orr_memory_get((size_t)c->threads * sizeof *c->own);
    for (int k = 0; k < c->threads; k++)
        c->own[k] = PAPI_NULL;
    c->used_s = process_s();
#pragma omp parallel num_threads(c->threads)
    {
        int own = start_own(c, &c->own[omp_get_thread_num()]);
#pragma omp critical
        error = own == PAPI_OK ? error : own;
    }
    return failed("start", error);
}

static int begin_pass(void *state, int pass)
{
    struct counters *c = state;
    int others = other_threads();
    if (!inherits)
        return begin_threads(c);
    if (others > 0)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%d thread%s already there would not be counted; let the variant make its "
                        "threads in the step, as OpenMP does",
                        others, others > 1 ? "s that are" : " that is");
    return failed("start", PAPI_start(c->sets[pass]));
}

/* Sums over the threads, which have to be all that ran. */
static int end_threads(struct counters *c)
{
    static const double SHARE = 0.9, LEAST_S = 1e-3;
    int error = PAPI_OK;
    double used_s = process_s() - c->used_s, ran_s = used_s;
#pragma omp parallel num_threads(c->threads)
    {
        long long values[EVENTS];
        int own = PAPI_stop(c->own[omp_get_thread_num()], values);
#pragma omp critical
        {
            for (int k = 0; k < c->count && own == PAPI_OK; k++)
                c->values[k] += values[k];
            error = own == PAPI_OK ? error : own;
        }
    }
    for (int k = 0; k < c->count; k++)
        if (!strcmp(events[c->order[k]].name, "task_clock"))
            ran_s = 1e-9 * (double)c->values[k];
    if (error == PAPI_OK && ran_s < SHARE * used_s - LEAST_S)
        return orr_fail(ORR_EUNSUPPORTED,
                        "threads that are not OpenMP's did part of the step; without the "
                        "processor's counters PAPI counts none of them");
    return failed("stop", error);
}

static int end_pass(void *state, int pass)
{
    struct counters *c = state;
    long long values[EVENTS];
    if (!inherits)
        return end_threads(c);
    int code = failed("stop", PAPI_stop(c->sets[pass], values));
    for (int k = 0, of = 0; k < c->count && !code; k++)
        if (c->pass[k] == pass)
            c->values[k] = values[of++];
    return code;
}

/* The parts of a group are added up if no event counts all of its operations. */
static void sum_operations(const struct counters *c, int group, const char *name, json_t *values)
{
    long long sum = 0;
    bool any = false;
    for (int k = 0; k < c->count; k++) {
        const struct event *event = &events[c->order[k]];
        if (event->group != group || !event->operations)
            continue;
        any = true;
        sum += event->operations * c->values[k];
    }
    if (any && !json_object_get(values, name))
        json_object_set_new(values, name, json_integer(sum));
}

static int read_values(void *state, json_t *values, json_t *raw)
{
    const struct counters *c = state;
    for (int k = 0; k < c->count; k++) {
        json_object_set_new(values, events[c->order[k]].name, json_integer(c->values[k]));
        json_object_set_new(raw, starts[c->order[k]], json_integer(c->values[k]));
    }
    sum_operations(c, FP32, "fp32_operations", values);
    sum_operations(c, FP64, "fp64_operations", values);
    return 0;
}

static void close_counters(void *state)
{
    struct counters *c = state;
    for (int k = 0; inherits && k < c->passes; k++)
        close_set(&c->sets[k]);
    for (int k = 0; k < c->threads; k++)
        close_set(&c->own[k]);
    free(c->own);
    free(c);
}

const struct orr_counter_source orr_counters_papi = {
    .name = "papi",
    .groups = groups,
    .suits = suits,
    .open = open_counters,
    .passes = pass_count,
    .begin = begin_pass,
    .end = end_pass,
    .read = read_values,
    .close = close_counters,
};

#else

const char *orr_counters_papi_start(json_t *rows)
{
    (void)rows;
    return "this build has no PAPI; install libpapi-dev and build again";
}

static int open_counters(void **state, const struct orr_counter_source *source,
                         struct orr_device *device, uint32_t wanted)
{
    (void)state, (void)source, (void)device, (void)wanted;
    return orr_fail(ORR_EUNSUPPORTED, "%s", orr_counters_papi_start(NULL));
}

const struct orr_counter_source orr_counters_papi = {
    .name = "papi", .groups = groups, .suits = suits, .open = open_counters};

#endif
