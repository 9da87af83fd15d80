#include "measure/counters.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/papi.h"
#include "measure/perf_events.h"

enum { CYCLES, FP32, FP64, FLOPS, CACHES, BRANCHES };
static const struct orr_counter_group groups[] = {
    [CYCLES] = {"cycles", "cycles and instructions of all threads"},
    [FP32] = {"fp32", "operations in single precision, by the width of their instructions"},
    [FP64] = {"fp64", "operations in double precision"},
    [FLOPS] = {"flops", "operations of either precision, where they are not told apart"},
    [CACHES] = {"caches", "accesses that each level of the caches missed"},
    [BRANCHES] = {"branches", "branches, and those that were mispredicted"},
    {NULL, NULL}};

enum { NAMES = 2 };

/* Intel's are instructions and AMD's operations. Both count a fused multiply and add twice, so
 * neither is an fp32_fma as GPUs count it. */
#define INTEL "FP_ARITH_INST_RETIRED:"
#define AMD "RETIRED_SSE_AVX_FLOPS:"

/* By the first of its names that starts. PAPI's presets come first: they are the same on most
 * processors. */
static const struct event {
    const char *name;
    int group;
    const char *from[NAMES];
    const char *what;
    int operations; /* each, of a part of the group's operations; 0: it is no part */
} events[] = {
    {"cycles", CYCLES, {"PAPI_TOT_CYC", "perf::CYCLES"}, "cycles, of all threads together", 0},
    {"instructions", CYCLES, {"PAPI_TOT_INS", "perf::INSTRUCTIONS"}, "instructions", 0},
    {"fp32_operations", FP32, {"PAPI_SP_OPS"}, "fp32 operations, a fused one counted twice", 0},
    {"fp64_operations", FP64, {"PAPI_DP_OPS"}, "fp64 operations, a fused one counted twice", 0},
    {"fp_operations",
     FLOPS,
     {AMD "ANY", "PAPI_FP_OPS"},
     "operations of both precisions, a fused one counted twice",
     0},
    {"l1_misses", CACHES, {"PAPI_L1_DCM", "perf::L1-DCACHE-LOAD-MISSES"}, "misses of L1 data", 0},
    {"l2_misses", CACHES, {"PAPI_L2_TCM", "PAPI_L2_DCM"}, "misses of L2", 0},
    {"l3_misses", CACHES, {"PAPI_L3_TCM", "perf::LLC-LOAD-MISSES"}, "misses of the last level", 0},
    {"branches", BRANCHES, {"PAPI_BR_INS", "perf::BRANCHES"}, "branches", 0},
    {"branch_misses", BRANCHES, {"PAPI_BR_MSP", "perf::BRANCH-MISSES"}, "mispredicted branches", 0},
    {"fp32_scalar", FP32, {INTEL "SCALAR_SINGLE"}, "instructions of one number", 1},
    {"fp32_128bit", FP32, {INTEL "128B_PACKED_SINGLE"}, "instructions of 4 numbers", 4},
    {"fp32_256bit", FP32, {INTEL "256B_PACKED_SINGLE"}, "instructions of 8 numbers", 8},
    {"fp32_512bit", FP32, {INTEL "512B_PACKED_SINGLE"}, "instructions of 16 numbers", 16},
    {"fp64_scalar", FP64, {INTEL "SCALAR_DOUBLE"}, "instructions of one number", 1},
    {"fp64_128bit", FP64, {INTEL "128B_PACKED_DOUBLE"}, "instructions of 2 numbers", 2},
    {"fp64_256bit", FP64, {INTEL "256B_PACKED_DOUBLE"}, "instructions of 4 numbers", 4},
    {"fp64_512bit", FP64, {INTEL "512B_PACKED_DOUBLE"}, "instructions of 8 numbers", 8},
    {"fp_add", FLOPS, {AMD "ADD_SUB_FLOPS"}, "additions of both precisions", 0},
    {"fp_mul", FLOPS, {AMD "MULT_FLOPS"}, "multiplications of both precisions", 0},
    {"fp_fma", FLOPS, {AMD "MAC_FLOPS"}, "fused ones, two operations each", 0},
    {"fp_divide", FLOPS, {AMD "DIV_FLOPS"}, "divisions and square roots", 0},
};
enum { EVENTS = sizeof events / sizeof *events };

/* --- what starts here --- */

static char missing[512];
static const char *starts[EVENTS]; /* PAPI's name of each; NULL: none starts */

static int open_inherited(struct orr_papi_set *set)
{
    int code = orr_papi_open(set);
    return code ? code : orr_papi_inherit(set);
}

/* Adds the event to the set, which then counts for a moment; one that does not is left out. */
static int add_to(const struct orr_papi_set *set, const char *name)
{
    long long values[EVENTS];
    int code = orr_papi_add(set, name);
    if (code)
        return code;
    code = orr_papi_start(set);
    if (!code)
        code = orr_papi_stop(set, values);
    if (code)
        orr_papi_remove(set, name);
    return code;
}

static int try_event(const char *name)
{
    struct orr_papi_set set;
    int code = open_inherited(&set);
    if (!code)
        code = add_to(&set, name);
    orr_papi_close(&set);
    return code;
}

static const char *first_that_starts(const struct event *event)
{
    for (int k = 0; k < NAMES && event->from[k]; k++) {
        if (!try_event(event->from[k]))
            return event->from[k];
        orr_error_clear();
    }
    return NULL;
}

static int look(void)
{
    int usable = 0, code = orr_papi_ready();
    if (!code)
        code = orr_perf_events_try();
    if (!code)
        code = try_event("perf::CYCLES");
    for (int k = 0; k < EVENTS && !code; k++)
        usable += (starts[k] = first_that_starts(&events[k])) != NULL;
    return code || usable ? code
                          : orr_fail(ORR_EUNSUPPORTED, "PAPI starts none of the events wanted");
}

static void look_once(void)
{
    if (!look())
        return;
    snprintf(missing, sizeof missing, "%s", orr_error_text());
    orr_error_clear();
}

const char *orr_counters_missing(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_once);
    return missing;
}

int orr_counters_list(int (*each)(const char *const words[4], void *context), void *context)
{
    int code = 0;
    orr_counters_missing();
    for (int k = 0; k < EVENTS && !code; k++)
        if (starts[k])
            code = each((const char *const[]){events[k].name, groups[events[k].group].name,
                                              starts[k], events[k].what},
                        context);
    return code;
}

/* --- passes: as many events at once as the processor counts --- */

struct counters {
    int order[EVENTS], pass[EVENTS]; /* of what is counted: index of `events`; its pass */
    long long values[EVENTS];
    int count, passes;
    struct orr_papi_set sets[EVENTS]; /* one a pass */
};

static bool suits(const struct orr_device_info *device)
{
    return device->kind == ORR_DEVICE_HOST || device->kind == ORR_DEVICE_CPU;
}

/* Into the last pass or, if that is full, one more. */
static int place(struct counters *c, int event)
{
    const char *name = starts[event];
    int code = c->passes ? add_to(&c->sets[c->passes - 1], name) : ORR_EUNSUPPORTED;
    if (code) {
        orr_error_clear();
        code = open_inherited(&c->sets[c->passes++]);
        if (!code)
            code = add_to(&c->sets[c->passes - 1], name);
    }
    c->order[c->count] = event;
    c->pass[c->count++] = c->passes - 1;
    return code;
}

static int open_counters(void **state, struct orr_device *device, uint32_t wanted)
{
    struct counters *c = *state = calloc(1, sizeof *c);
    int code = 0;
    if (!c)
        return orr_fail(ORR_EMEMORY, "no memory for counters");
    if (*orr_counters_missing())
        return orr_fail(ORR_EUNSUPPORTED, "%s", missing);
    if (device->info.kind == ORR_DEVICE_CPU)
        return orr_fail(ORR_EUNSUPPORTED,
                        "the threads of a driver are there before the step, so PAPI would count "
                        "none of them; it counts variants of the host");
    for (int k = 0; k < EVENTS && !code; k++)
        if (starts[k] && wanted & UINT32_C(1) << events[k].group)
            code = place(c, k);
    return code || c->count
               ? code
               : orr_fail(ORR_EUNSUPPORTED, "this processor has no event of these groups");
}

static int pass_count(const void *state)
{
    return ((const struct counters *)state)->passes;
}

/* Threads of this process besides the caller. */
static int other_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));)
        count += task->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count - 1;
}

static int begin(void *state, int pass)
{
    int others = other_threads();
    if (others > 0)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%d thread%s already there would not be counted; let the variant make its "
                        "threads in the step, as OpenMP does",
                        others, others > 1 ? "s that are" : " that is");
    return orr_papi_start(&((struct counters *)state)->sets[pass]);
}

static int end(void *state, int pass)
{
    struct counters *c = state;
    long long values[EVENTS];
    int code = orr_papi_stop(&c->sets[pass], values);
    for (int k = 0, of = 0; k < c->count && !code; k++)
        if (c->pass[k] == pass)
            c->values[k] = values[of++];
    return code;
}

/* Of the group from its parts, where no event counts them all. */
static int sum_operations(const struct counters *c, int group, const char *name, json_t *values)
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
    return !any || json_object_get(values, name)
               ? 0
               : json_object_set_new(values, name, json_integer(sum));
}

static int read_values(void *state, json_t *values, json_t *raw)
{
    const struct counters *c = state;
    int bad = 0;
    for (int k = 0; k < c->count; k++) {
        bad |= json_object_set_new(values, events[c->order[k]].name, json_integer(c->values[k]));
        bad |= json_object_set_new(raw, starts[c->order[k]], json_integer(c->values[k]));
    }
    bad |= sum_operations(c, FP32, "fp32_operations", values) |
           sum_operations(c, FP64, "fp64_operations", values);
    return bad ? orr_fail(ORR_EMEMORY, "no memory for counters") : 0;
}

static void close_counters(void *state)
{
    struct counters *c = state;
    for (int k = 0; k < c->passes; k++)
        orr_papi_close(&c->sets[k]);
    free(c);
}

const struct orr_counter_source orr_counters_source = {
    .name = "papi",
    .groups = groups,
    .suits = suits,
    .open = open_counters,
    .passes = pass_count,
    .begin = begin,
    .end = end,
    .read = read_values,
    .close = close_counters,
};
