/* SPDX-License-Identifier: MIT */
/* One user range around the step; CUPTI says after each pass whether another is needed. The caller
 * restores the input before each. */
#include "measure/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"
#include "device/cuda_abi.h"
#include "error.h"
#include "memory.h"

/* Executed by threads whose predicate is on. */
#define EXECUTED(operation) "smsp__sass_thread_inst_executed_op_" operation "_pred_on.sum"
/* Bytes that threads ask for. */
#define ASKED(access) "smsp__sass_data_bytes_mem_" access ".sum"
enum { WORD = 4 };

const struct orr_counter_group orr_counters_cupti_groups[ORR_COUNTER_KINDS][6] = {
    {{"fp32", "single precision"},
     {"fp64", "double precision"},
     {"integer", "integer arithmetic"},
     {"shared", "accesses to shared memory"},
     {"global", "accesses to global memory"},
     {NULL, NULL}},
    {{"special", "the unit of special functions"},
     {"conflicts", "banks of shared memory"},
     {"sectors", "sectors of global memory"},
     {"memory", "bytes by level of the hierarchy"},
     {"issue", "instructions issued and cycles"},
     {NULL, NULL}}};

const struct orr_counter_metric orr_counters_cupti_metrics[ORR_COUNTER_KINDS][16] = {
    {{"fp32_add", "fp32", "additions of threads, single precision", .term = EXECUTED("fadd")},
     {"fp32_mul", "fp32", "multiplications", .term = EXECUTED("fmul")},
     {"fp32_fma", "fp32", "fused multiply-adds, one operation each", .term = EXECUTED("ffma")},
     {"fp64_add", "fp64", "additions of threads, double precision", .term = EXECUTED("dadd")},
     {"fp64_mul", "fp64", "multiplications", .term = EXECUTED("dmul")},
     {"fp64_fma", "fp64", "fused multiply-adds, one operation each", .term = EXECUTED("dfma")},
     {"integer", "integer", "integer operations of threads", .term = EXECUTED("integer")},
     {"shared_loads", "shared", "words loaded; one that a warp reads at one address counts once",
      .term = ASKED("shared_op_ld"), .bytes = WORD},
     {"shared_stores", "shared", "words stored by threads", .term = ASKED("shared_op_st"),
      .bytes = WORD},
     {"shared_atomics", "shared", "words updated, retries among them",
      .term = ASKED("shared_op_atom"), .bytes = WORD},
     {"shared_atomic_warps", "shared", "instructions of warps that update, of 32 threads at most",
      .term = "smsp__sass_inst_executed_op_shared_atom.sum"},
     {"global_loads", "global", "words loaded by threads", .term = ASKED("global_op_ld"),
      .bytes = WORD},
     {"global_stores", "global", "words stored by threads", .term = ASKED("global_op_st"),
      .bytes = WORD},
     {"global_atomics", "global", "words updated, retries among them",
      .term = ASKED("global_op_atom"), .more = ASKED("global_op_red"), .bytes = WORD},
     {0}},
    {{"special", "special", "rsqrt and other special functions of threads, conversions among them",
      .term = "smsp__thread_inst_executed_pipe_xu_pred_on.sum"},
     {"shared_conflicts", "conflicts", "cycles that bank conflicts add to shared accesses",
      .term = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
     {"global_sectors", "sectors", "sectors of 32 bytes that global loads and stores touch",
      .term = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      .more = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
     {"l1_bytes", "memory", "bytes through L1", .term = "l1tex__t_bytes.sum"},
     {"l2_bytes", "memory", "bytes through L2", .term = "lts__t_bytes.sum"},
     {"dram_bytes", "memory", "bytes read from and written to DRAM", .term = "dram__bytes.sum"},
     {"issued_slots", "issue", "instructions issued, one a warp", .term = "smsp__inst_issued.sum"},
     {"active_threads", "issue", "threads of a warp that take part, of 32",
      .term = "smsp__thread_inst_executed.sum", .over = "smsp__inst_executed.sum"},
     {"elapsed_cycles", "issue", "of a multiprocessor, profiled: no time",
      .term = "sm__cycles_elapsed.max"},
     {0}}};

/* No kernel leaves these at zero: where one is, nothing was counted. */
static const char *const never_zero[ORR_COUNTER_KINDS] = {"smsp__sass_inst_executed.sum",
                                                          "smsp__inst_executed.sum"};

static int index_of(const struct orr_counter_names *names, const char *name)
{
    for (int k = 0; k < names->count; k++)
        if (!strcmp(names->items[k], name))
            return k;
    return -1;
}

static void add(struct orr_counter_names *names, const char *name)
{
    if (name && index_of(names, name) < 0 && names->count < ORR_COUNTER_MOST)
        names->items[names->count++] = name;
}

/* CUPTI's metrics of the groups wanted, each once; the first is one that no kernel leaves at 0. */
static void list_metrics(struct orr_counter_names *out, enum orr_counter_kind kind, uint32_t wanted)
{
    const struct orr_counter_group *groups = orr_counters_cupti_groups[kind];
    out->count = 0;
    add(out, never_zero[kind]);
    for (int k = 0; groups[k].name; k++)
        for (const struct orr_counter_metric *m = orr_counters_cupti_metrics[kind]; m->name; m++)
            if (wanted & UINT32_C(1) << k && !strcmp(m->group, groups[k].name)) {
                add(out, m->term);
                add(out, m->more);
                add(out, m->over);
            }
}

static double value_of(const struct orr_counter_names *names, const double *values,
                       const char *name)
{
    int place = index_of(names, name);
    return place < 0 ? NAN : values[place];
}

/* Values by logical name from those of `names`; a metric without one leaves its names out. */
static void set_values(json_t *out, enum orr_counter_kind kind,
                       const struct orr_counter_names *names, const double *values)
{
    for (const struct orr_counter_metric *m = orr_counters_cupti_metrics[kind]; m->name; m++) {
        double sum =
            value_of(names, values, m->term) + (m->more ? value_of(names, values, m->more) : 0);
        double value =
            sum / (m->over ? value_of(names, values, m->over) : 1) / (m->bytes > 0 ? m->bytes : 1);
        if (isfinite(value))
            json_object_set_new(out, m->name, json_real(value));
    }
}

/* --- plans: metrics of a chip, and passes --- */

/* 0 without an error. */
static int check_answer(orr_cu_enum error, const char *what)
{
    static const struct {
        orr_cu_enum error;
        const char *remedy;
    } remedies[] = {
        {ORR_CUPTI_PRIVILEGES,
         "the driver keeps counters for administrators (Nsight Compute says ERR_NVGPUCTRPERM): run "
         "as root, or load the module nvidia with NVreg_RestrictProfilingToAdminUsers=0; a "
         "container also needs --cap-add SYS_ADMIN"},
        {ORR_CUPTI_VIRTUALIZED_PRIVILEGES,
         "the host of this virtual GPU does not let it profile: have its administrator enable "
         "profiling for the virtual machine"},
        {ORR_CUPTI_VIRTUALIZED, "a virtual GPU has no counters: use a GPU that is passed through"},
        {ORR_CUPTI_CONFIDENTIAL, "confidential computing forbids counters: switch it off"},
        {ORR_CUPTI_MIG, "a MIG instance gives no such counters: use the whole GPU"},
        {ORR_CUPTI_WSL, "WSL gives no counters: use Linux itself, or allow them in the driver of "
                        "Windows"},
        {ORR_CUPTI_CHIP, "this libcupti does not know the chip: install a newer one"},
        {ORR_CUPTI_HARDWARE_BUSY,
         "another profiler holds the counters: end it, or pause DCGM with `dcgmi profile --pause`"},
        {ORR_CUPTI_SUBSCRIBERS, "another profiler is attached to this process: run without it"},
        {ORR_CUPTI_NOT_INITIALIZED,
         "libcupti did not find libnvperf_host.so: keep it in the folder of libcupti"},
        {ORR_CUPTI_UNKNOWN,
         "this libcupti may need a driver, or another one; ORRERY_CUPTI names another libcupti"},
    };
    const char *name = NULL, *remedy = NULL;
    if (!error)
        return 0;
    const struct orr_cupti_api *cupti = orr_cuda_library(ORR_CUDA_CUPTI, NULL);
    if (!cupti || cupti->error_string(error, &name))
        name = NULL;
    for (size_t k = 0; k < sizeof remedies / sizeof *remedies; k++)
        if (remedies[k].error == error)
            remedy = remedies[k].remedy;
    return orr_fail(ORR_EUNSUPPORTED, "%s: %s (%u)%s%s", what, name ? name : "CUPTI fails", error,
                    remedy ? "; " : "", remedy ? remedy : "");
}

static int load(const struct orr_cupti_profiler_api **api)
{
    const char *why;
    *api = orr_cuda_library(ORR_CUDA_PROFILER, &why);
    return *api ? 0 : orr_fail(ORR_EUNSUPPORTED, "%s", why);
}

static int open_host(struct orr_counter_plan *plan, const char *chip, const uint8_t *availability)
{
    struct orr_cupti_host_open open =
        ORR_CUPTI_PARAMS(orr_cupti_host_open, host, .type = ORR_CUPTI_RANGE_PROFILER, .chip = chip,
                         .availability = availability);
    orr_cu_enum error = plan->api->host_open(&open);
    plan->host = open.host;
    return check_answer(error, chip);
}

static void close_host(struct orr_counter_plan *plan)
{
    struct orr_cupti_image close = ORR_CUPTI_PARAMS(orr_cupti_image, host, .host = plan->host);
    if (plan->host)
        plan->api->host_close(&close);
    plan->host = NULL;
}

static orr_cu_enum add_metrics(const struct orr_counter_plan *plan, const char **names, int count)
{
    struct orr_cupti_add_metrics add = ORR_CUPTI_PARAMS(
        orr_cupti_add_metrics, count, .host = plan->host, .names = names, .count = (size_t)count);
    return plan->api->add_metrics(&add);
}

/* A chip without a memory of its own lacks what counts it. Each name is tried on its own, in an
 * object that is closed then: what was added stays. */
static int keep_known(struct orr_counter_plan *plan, const char *chip, const uint8_t *availability)
{
    struct orr_counter_names known = {.count = 0};
    orr_cu_enum error = 0;
    int code = open_host(plan, chip, availability);
    for (int k = 0; !code && k < plan->names.count; k++) {
        error = add_metrics(plan, &plan->names.items[k], 1);
        if (!error)
            known.items[known.count++] = plan->names.items[k];
    }
    close_host(plan);
    plan->names = known;
    return code || known.count ? code : check_answer(error, "no metric is there");
}

static int make_image(struct orr_counter_plan *plan)
{
    struct orr_cupti_image image = ORR_CUPTI_PARAMS(orr_cupti_image, bytes, .host = plan->host);
    int code = check_answer(plan->api->image_size(&image), "the configuration of counters");
    if (code)
        return code;
    plan->bytes = image.bytes;
    plan->image = image.image = orr_memory_get(image.bytes + 1);
    image.size = ORR_CUPTI_SIZE(orr_cupti_image, image);
    struct orr_cupti_passes passes =
        ORR_CUPTI_PARAMS(orr_cupti_passes, passes, .bytes = plan->bytes, .image = plan->image);
    orr_cu_enum error = plan->api->image(&image);
    if (!error)
        error = plan->api->passes(&passes);
    plan->passes = passes.passes;
    return check_answer(error, "the passes of counters");
}

int orr_counters_cupti_plan(struct orr_counter_plan *out, const char *chip,
                            const uint8_t *availability, enum orr_counter_kind kind,
                            uint32_t wanted)
{
    *out = (struct orr_counter_plan){.passes = 0};
    int code = load(&out->api);
    if (code)
        return code;
    list_metrics(&out->names, kind, wanted);
    out->asked = out->names.count;
    code = keep_known(out, chip, availability);
    if (!code)
        code = open_host(out, chip, availability);
    if (!code)
        code =
            check_answer(add_metrics(out, out->names.items, out->names.count), "metrics together");
    return code ? code : make_image(out);
}

void orr_counters_cupti_release_plan(struct orr_counter_plan *plan)
{
    if (plan->api)
        close_host(plan);
    free(plan->image);
    *plan = (struct orr_counter_plan){.passes = 0};
}

/* --- the profiler --- */

enum { MOST_PASSES = 32 };

struct profiler {
    enum orr_counter_kind kind;
    const struct orr_cupti_profiler_api *api;
    struct cuda_device *device;
    uint8_t *availability;
    struct orr_counter_plan plan;
    struct CUpti_RangeProfiler_Object *range;
    uint8_t *data;
    size_t data_bytes;
    int passes; /* taken, and planned where there are more */
    bool done;
};

static bool suits(const struct orr_device_info *device)
{
    return !strcmp(device->backend, "cuda");
}

/* --- open --- */

/* The device says what stands in the way, before a call only fails. */
static int check_supported(const struct profiler *p)
{
    struct orr_cupti_supported s = ORR_CUPTI_PARAMS(
        orr_cupti_supported, api, .device = p->device->handle, .api = ORR_CUPTI_RANGE_PROFILING);
    const struct {
        const orr_cu_enum *level;
        orr_cu_enum error;
    } parts[] = {{&s.vgpu, ORR_CUPTI_VIRTUALIZED},
                 {&s.confidential, ORR_CUPTI_CONFIDENTIAL},
                 {&s.wsl, ORR_CUPTI_WSL}};
    if (p->api->supported(&s)) /* what follows will say why */
        return 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (*parts[k].level == ORR_CUPTI_UNSUPPORTED || *parts[k].level == ORR_CUPTI_DISABLED)
            return check_answer(k == 0 && s.vgpu == ORR_CUPTI_DISABLED
                                    ? ORR_CUPTI_VIRTUALIZED_PRIVILEGES
                                    : parts[k].error,
                                "the device cannot be profiled");
    if (s.all != ORR_CUPTI_UNSUPPORTED && s.all != ORR_CUPTI_DISABLED)
        return 0;
    return orr_fail(ORR_EUNSUPPORTED, "CUPTI cannot profile this device: %s",
                    s.architecture == ORR_CUPTI_UNSUPPORTED
                        ? "its range profiler begins with compute capability 7.5"
                        : "it does not say why; `nvidia-smi -q` may");
}

static int find_availability(struct profiler *p)
{
    static const char *const what = "the counters that the system allows";
    struct orr_cupti_availability of =
        ORR_CUPTI_PARAMS(orr_cupti_availability, image, .context = p->device->context);
    int code = check_answer(p->api->availability(&of), what);
    if (code)
        return code;
    of.image = p->availability = orr_memory_get(of.bytes + 1);
    return check_answer(p->api->availability(&of), what);
}

static int plan(struct profiler *p, uint32_t wanted)
{
    struct orr_cupti_initialize initialize =
        ORR_CUPTI_PARAMS(orr_cupti_initialize, priv, .priv = NULL);
    struct orr_cupti_chip_name chip =
        ORR_CUPTI_PARAMS(orr_cupti_chip_name, chip, .device = (size_t)p->device->handle);
    int code = check_answer(p->api->initialize(&initialize), "CUPTI's profiler does not start");
    if (!code)
        code = check_supported(p);
    if (!code)
        code = check_answer(p->api->chip_name(&chip), "the name of the chip");
    if (!code)
        code = find_availability(p);
    return code ? code
                : orr_counters_cupti_plan(&p->plan, chip.chip, p->availability, p->kind, wanted);
}

static int make_data(struct profiler *p)
{
    struct orr_cupti_range_data_size size = ORR_CUPTI_PARAMS(
        orr_cupti_range_data_size, bytes, .profiler = p->range, .names = p->plan.names.items,
        .count = (size_t)p->plan.names.count, .most_ranges = 1, .most_nodes = 1);
    int code = check_answer(p->api->data_size(&size), "the size of the counters");
    if (code)
        return code;
    p->data_bytes = size.bytes;
    p->data = orr_memory_get(size.bytes + 1);
    struct orr_cupti_range_data data = ORR_CUPTI_PARAMS(
        orr_cupti_range_data, data, .profiler = p->range, .bytes = p->data_bytes, .data = p->data);
    struct orr_cupti_range_config config = ORR_CUPTI_PARAMS(
        orr_cupti_range_config, level, .profiler = p->range, .bytes = p->plan.bytes,
        .image = p->plan.image, .data_bytes = p->data_bytes, .data = p->data,
        .range = ORR_CUPTI_USER_RANGE, .replay = ORR_CUPTI_USER_REPLAY, .most_ranges = 1,
        .levels = 1, .least_level = 1, .level = 1);
    orr_cu_enum error = p->api->data(&data);
    if (!error)
        error = p->api->config(&config);
    return check_answer(error, "the configuration of the profiler");
}

static int open_profiler(void **state, const struct orr_counter_source *source,
                         struct orr_device *device, uint32_t wanted)
{
    struct profiler *p = *state = orr_memory_get(sizeof *p);
    p->kind = source == &orr_counters_cupti_patched ? ORR_COUNTER_PATCHED : ORR_COUNTER_HARDWARE;
    p->device = (struct cuda_device *)device;
    if (load(&p->api))
        return ORR_EUNSUPPORTED;
    struct orr_cupti_range_enable enable =
        ORR_CUPTI_PARAMS(orr_cupti_range_enable, profiler, .context = p->device->context);
    int code = plan(p, wanted);
    if (!code)
        code = check_answer(p->api->enable(&enable), "the profiler does not begin");
    p->range = code ? NULL : enable.profiler;
    p->passes = (int)p->plan.passes;
    return code ? code : make_data(p);
}

/* --- passes --- */

static int passes(const void *state)
{
    return ((const struct profiler *)state)->passes;
}

static int begin_pass(void *state, int pass)
{
    struct profiler *p = state;
    struct orr_cupti_range_stop start =
        ORR_CUPTI_PARAMS(orr_cupti_range_stop, profiler, .profiler = p->range);
    struct orr_cupti_range_push push =
        ORR_CUPTI_PARAMS(orr_cupti_range_push, name, .profiler = p->range, .name = "step");
    (void)pass;
    orr_cu_enum error = p->api->start(&start);
    if (!error)
        error = p->api->push(&push);
    return check_answer(error, "a pass does not begin");
}

static int end_pass(void *state, int pass)
{
    struct profiler *p = state;
    struct orr_cupti_range_stop pop =
        ORR_CUPTI_PARAMS(orr_cupti_range_stop, profiler, .profiler = p->range);
    struct orr_cupti_range_stop stop =
        ORR_CUPTI_PARAMS(orr_cupti_range_stop, all_submitted, .profiler = p->range);
    orr_cu_enum error = p->api->pop(&pop);
    if (!error)
        error = p->api->stop(&stop);
    if (error)
        return check_answer(error, "a pass does not end");
    p->done = stop.all_submitted;
    if (p->done)
        p->passes = pass + 1;
    else if (pass + 1 >= p->passes)
        p->passes = pass + 2;
    return p->passes <= MOST_PASSES
               ? 0
               : orr_fail(ORR_EUNSUPPORTED, "CUPTI wants more than %d passes where %zu are planned",
                          MOST_PASSES, p->plan.passes);
}

/* --- values --- */

/* All passes of one range, and none dropped. */
static int decode(struct profiler *p)
{
    struct orr_cupti_range_decode decode =
        ORR_CUPTI_PARAMS(orr_cupti_range_decode, dropped, .profiler = p->range);
    struct orr_cupti_range_info info = ORR_CUPTI_PARAMS(
        orr_cupti_range_info, ranges, .data = p->data, .data_bytes = p->data_bytes);
    orr_cu_enum error = p->api->decode(&decode);
    if (!error)
        error = p->api->info(&info);
    if (error)
        return check_answer(error, "the counters are not handed out");
    if (!p->done || decode.dropped || info.ranges != 1)
        return orr_fail(ORR_EUNSUPPORTED,
                        "CUPTI kept %zu ranges of the step and dropped %zu, where one is expected",
                        info.ranges, decode.dropped);
    return 0;
}

static int read_values(void *state, json_t *values, json_t *raw)
{
    struct profiler *p = state;
    struct orr_counter_names *names = &p->plan.names;
    double of[ORR_COUNTER_MOST];
    struct orr_cupti_evaluate evaluate =
        ORR_CUPTI_PARAMS(orr_cupti_evaluate, values, .host = p->plan.host, .data = p->data,
                         .data_bytes = p->data_bytes, .names = names->items,
                         .count = (size_t)names->count, .values = of);
    int code = decode(p);
    if (!code)
        code = check_answer(p->api->evaluate(&evaluate), "the values of the counters");
    if (code)
        return code;
    if (of[0] == 0 && !strcmp(names->items[0], never_zero[p->kind]))
        return orr_fail(ORR_EUNSUPPORTED, "CUPTI counted no instruction of a step that ran%s",
                        p->kind == ORR_COUNTER_PATCHED ? ", which it does by patching kernels"
                                                       : "");
    for (int k = 0; k < names->count; k++)
        json_object_set_new(raw, names->items[k], json_real(of[k])); /* NAN is left out */
    set_values(values, p->kind, names, of);
    return 0;
}

static void close_profiler(void *state)
{
    struct profiler *p = state;
    struct orr_cupti_range_stop disable =
        ORR_CUPTI_PARAMS(orr_cupti_range_stop, profiler, .profiler = p->range);
    if (p->range)
        p->api->disable(&disable);
    orr_counters_cupti_release_plan(&p->plan);
    free(p->availability);
    free(p->data);
    free(p);
}

#define SOURCE(kind)                                                                   \
    {                                                                                  \
        .name = "cupti", .groups = orr_counters_cupti_groups[kind], .suits = suits,    \
        .open = open_profiler, .passes = passes, .begin = begin_pass, .end = end_pass, \
        .read = read_values, .close = close_profiler                                   \
    }
const struct orr_counter_source orr_counters_cupti_patched = SOURCE(ORR_COUNTER_PATCHED),
                                orr_counters_cupti_hardware = SOURCE(ORR_COUNTER_HARDWARE);
