/* One user range around the step; CUPTI says after each pass whether another is needed. The caller
 * restores the input before each. */
#include "measure/counters_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"
#include "error.h"
#include "measure/counter_plan.h"

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
            return orr_counter_plan_fail(k == 0 && s.vgpu == ORR_CUPTI_DISABLED
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
    struct orr_cupti_availability of =
        ORR_CUPTI_PARAMS(orr_cupti_availability, image, .context = p->device->context);
    orr_cu_enum error = p->api->availability(&of);
    if (error)
        return orr_counter_plan_fail(error, "the counters that the system allows");
    p->availability = calloc(1, of.bytes + 1);
    if (!p->availability)
        return orr_fail(ORR_EMEMORY, "no memory for %zu bytes of counters", of.bytes);
    of.image = p->availability;
    error = p->api->availability(&of);
    return error ? orr_counter_plan_fail(error, "the counters that the system allows") : 0;
}

static int plan(struct profiler *p, uint32_t wanted)
{
    struct orr_cupti_initialize initialize =
        ORR_CUPTI_PARAMS(orr_cupti_initialize, priv, .priv = NULL);
    struct orr_cupti_chip_name chip =
        ORR_CUPTI_PARAMS(orr_cupti_chip_name, chip, .device = (size_t)p->device->handle);
    orr_cu_enum error = p->api->initialize(&initialize);
    int code = error ? orr_counter_plan_fail(error, "CUPTI's profiler does not start") : 0;
    if (!code)
        code = check_supported(p);
    if (!code && (error = p->api->chip_name(&chip)))
        code = orr_counter_plan_fail(error, "the name of the chip");
    if (!code)
        code = find_availability(p);
    return code ? code
                : orr_counter_plan_make(&p->plan, chip.chip, p->availability, p->kind, wanted);
}

static int make_data(struct profiler *p)
{
    struct orr_cupti_range_data_size size = ORR_CUPTI_PARAMS(
        orr_cupti_range_data_size, bytes, .profiler = p->range, .names = p->plan.names.items,
        .count = (size_t)p->plan.names.count, .most_ranges = 1, .most_nodes = 1);
    orr_cu_enum error = p->api->data_size(&size);
    if (error)
        return orr_counter_plan_fail(error, "the size of the counters");
    p->data_bytes = size.bytes;
    p->data = calloc(1, size.bytes + 1);
    if (!p->data)
        return orr_fail(ORR_EMEMORY, "no memory for %zu bytes of counters", size.bytes);
    struct orr_cupti_range_data data = ORR_CUPTI_PARAMS(
        orr_cupti_range_data, data, .profiler = p->range, .bytes = p->data_bytes, .data = p->data);
    struct orr_cupti_range_config config = ORR_CUPTI_PARAMS(
        orr_cupti_range_config, level, .profiler = p->range, .bytes = p->plan.bytes,
        .image = p->plan.image, .data_bytes = p->data_bytes, .data = p->data,
        .range = ORR_CUPTI_USER_RANGE, .replay = ORR_CUPTI_USER_REPLAY, .most_ranges = 1,
        .levels = 1, .least_level = 1, .level = 1);
    error = p->api->data(&data);
    if (!error)
        error = p->api->config(&config);
    return error ? orr_counter_plan_fail(error, "the configuration of the profiler") : 0;
}

static int open_kind(void **state, struct orr_device *device, uint32_t wanted,
                     enum orr_counter_kind kind)
{
    const char *why;
    struct profiler *p = *state = calloc(1, sizeof *p);
    if (!p)
        return orr_fail(ORR_EMEMORY, "no memory for counters");
    p->kind = kind;
    p->device = (struct cuda_device *)device;
    p->api = orr_cuda_load_profiler(&why);
    if (!p->api)
        return orr_fail(ORR_EUNSUPPORTED, "%s", why);
    struct orr_cupti_range_enable enable =
        ORR_CUPTI_PARAMS(orr_cupti_range_enable, profiler, .context = p->device->context);
    int code = plan(p, wanted);
    orr_cu_enum error = code ? 0 : p->api->enable(&enable);
    if (error)
        return orr_counter_plan_fail(error, "the profiler does not begin");
    p->range = enable.profiler;
    p->passes = (int)p->plan.passes;
    return code ? code : make_data(p);
}

static int open_patched(void **state, struct orr_device *device, uint32_t wanted)
{
    return open_kind(state, device, wanted, ORR_COUNTER_PATCHED);
}

static int open_hardware(void **state, struct orr_device *device, uint32_t wanted)
{
    return open_kind(state, device, wanted, ORR_COUNTER_HARDWARE);
}

/* --- passes --- */

static int passes(const void *state)
{
    return ((const struct profiler *)state)->passes;
}

static int begin(void *state, int pass)
{
    struct profiler *p = state;
    struct orr_cupti_range_disable start =
        ORR_CUPTI_PARAMS(orr_cupti_range_disable, profiler, .profiler = p->range);
    struct orr_cupti_range_push push =
        ORR_CUPTI_PARAMS(orr_cupti_range_push, name, .profiler = p->range, .name = "step");
    (void)pass;
    orr_cu_enum error = p->api->start(&start);
    if (!error)
        error = p->api->push(&push);
    return error ? orr_counter_plan_fail(error, "a pass does not begin") : 0;
}

static int end(void *state, int pass)
{
    struct profiler *p = state;
    struct orr_cupti_range_disable pop =
        ORR_CUPTI_PARAMS(orr_cupti_range_disable, profiler, .profiler = p->range);
    struct orr_cupti_range_stop stop =
        ORR_CUPTI_PARAMS(orr_cupti_range_stop, all_submitted, .profiler = p->range);
    orr_cu_enum error = p->api->pop(&pop);
    if (!error)
        error = p->api->stop(&stop);
    if (error)
        return orr_counter_plan_fail(error, "a pass does not end");
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
        return orr_counter_plan_fail(error, "the counters are not handed out");
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
    if (code)
        return code;
    orr_cu_enum error = p->api->evaluate(&evaluate);
    if (error)
        return orr_counter_plan_fail(error, "the values of the counters");
    if (of[0] == 0 && !strcmp(names->items[0], orr_counter_metrics_witness[p->kind]))
        return orr_fail(ORR_EUNSUPPORTED, "CUPTI counted no instruction of a step that ran%s",
                        p->kind == ORR_COUNTER_PATCHED ? ", which it does by patching kernels"
                                                       : "");
    for (int k = 0; k < names->count; k++)
        json_object_set_new(raw, names->items[k], json_real(of[k])); /* NAN is left out */
    return orr_counter_metrics_values(values, p->kind, names, of);
}

static void close_profiler(void *state)
{
    struct profiler *p = state;
    struct orr_cupti_range_disable disable =
        ORR_CUPTI_PARAMS(orr_cupti_range_disable, profiler, .profiler = p->range);
    if (p->range)
        p->api->disable(&disable);
    orr_counter_plan_release(&p->plan);
    free(p->availability);
    free(p->data);
    free(p);
}

#define SOURCE(kind, opened)                                                                 \
    {                                                                                        \
        .name = "cupti", .groups = orr_counter_metrics_groups[kind], .suits = suits,         \
        .open = (opened), .passes = passes, .begin = begin, .end = end, .read = read_values, \
        .close = close_profiler                                                              \
    }
const struct orr_counter_source orr_counters_cuda_patched =
    SOURCE(ORR_COUNTER_PATCHED, open_patched);
const struct orr_counter_source orr_counters_cuda_hardware =
    SOURCE(ORR_COUNTER_HARDWARE, open_hardware);
