#include "measure/gpm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device/gpu.h"
#include "error.h"

static const double PERCENT = 0.01, MIB = 1048576;
/* A share beyond what rounding adds is none. */
static const double FULL = 1.01;

static const struct orr_counter_group groups[] = {
    {"activity", "shares of time in which an NVIDIA GPU's units work, by NVML; no permission"},
    {NULL, NULL}};

static const struct metric {
    unsigned id;
    const char *name, *raw;
    const double *unit;
    const char *what;
} metrics[] = {
    {ORR_NVML_GPM_SM, "sm_active", "SM_UTIL", &PERCENT,
     "share of time that a multiprocessor works, their mean"},
    {ORR_NVML_GPM_OCCUPANCY, "sm_occupancy", "SM_OCCUPANCY", &PERCENT,
     "warps there are, of those that fit"},
    {ORR_NVML_GPM_INTEGER, "integer_active", "INTEGER_UTIL", &PERCENT,
     "share of time of the integer pipe"},
    {ORR_NVML_GPM_TENSOR, "tensor_active", "ANY_TENSOR_UTIL", &PERCENT, "of the tensor pipes"},
    {ORR_NVML_GPM_FP64, "fp64_active", "FP64_UTIL", &PERCENT, "of the fp64 pipe"},
    {ORR_NVML_GPM_FP32, "fp32_active", "FP32_UTIL", &PERCENT, "of the fp32 pipe"},
    {ORR_NVML_GPM_FP16, "fp16_active", "FP16_UTIL", &PERCENT, "of the fp16 pipe"},
    {ORR_NVML_GPM_DRAM, "dram_active", "DRAM_BW_UTIL", &PERCENT, "of the memory's bandwidth"},
    {ORR_NVML_GPM_PCIE_SENT, "pcie_sent", "PCIE_TX_PER_SEC", &MIB, "bytes a second, from the GPU"},
    {ORR_NVML_GPM_PCIE_RECEIVED, "pcie_received", "PCIE_RX_PER_SEC", &MIB,
     "bytes a second, to the GPU"},
    {ORR_NVML_GPM_NVLINK_SENT, "nvlink_sent", "NVLINK_TOTAL_TX_PER_SEC", &MIB,
     "bytes a second over all links, from the GPU"},
    {ORR_NVML_GPM_NVLINK_RECEIVED, "nvlink_received", "NVLINK_TOTAL_RX_PER_SEC", &MIB,
     "bytes a second over all links, to the GPU"},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

struct orr_gpm {
    const struct orr_nvml_api *nvml;
    struct nvmlDevice_st *gpu;
    struct nvmlGpmSample_st *samples[2];
    double start;
    char reason[200];
};

/* --- samples --- */

enum { NO_PERMISSION = 4 };

static int failed(const char *what, orr_cu_enum error)
{
    return error == NO_PERMISSION
               ? orr_fail(ORR_EUNSUPPORTED,
                          "%s: not permitted; as root, or in a container with CAP_SYS_ADMIN, it is",
                          what)
               : orr_fail(ORR_EUNSUPPORTED, "%s: error %u", what, error);
}

static bool has_functions(const struct orr_nvml_api *nvml)
{
    return nvml->gpm_support && nvml->gpm_alloc && nvml->gpm_free && nvml->gpm_sample &&
           nvml->gpm_metrics;
}

static int check_support(const struct orr_gpm *gpm)
{
    struct orr_nvml_gpm_support support = {.version = ORR_NVML_GPM_VERSION};
    unsigned divided = 0, next;
    if (!has_functions(gpm->nvml))
        return orr_fail(ORR_EUNSUPPORTED, "NVML has no performance monitoring; a driver of 525 or "
                                          "newer has");
    orr_cu_enum error = gpm->nvml->gpm_support(gpm->gpu, &support);
    if (error)
        return failed("nvmlGpmQueryDeviceSupport", error);
    if (!support.supported)
        return orr_fail(ORR_EUNSUPPORTED, "this GPU has no performance monitoring by NVML; those "
                                          "of compute capability 9.0 and newer have");
    if (gpm->nvml->mig && !gpm->nvml->mig(gpm->gpu, &divided, &next) && divided)
        return orr_fail(
            ORR_EUNSUPPORTED,
            "performance monitoring is of the whole GPU, and this one is divided (MIG)");
    return 0;
}

static int take_sample(struct orr_gpm *gpm, int which)
{
    orr_cu_enum error = gpm->nvml->gpm_alloc(&gpm->samples[which]);
    if (!error)
        error = gpm->nvml->gpm_sample(gpm->gpu, gpm->samples[which]);
    return error ? failed("nvmlGpmSampleGet", error) : 0;
}

static int start(struct orr_gpm *gpm, const struct orr_device_info *info)
{
    const char *why = "";
    if (info->kind != ORR_DEVICE_GPU)
        return orr_fail(ORR_EUNSUPPORTED, "no GPU, so NVML does not watch it");
    gpm->nvml = orr_gpu_nvml(info, &gpm->gpu);
    if (!gpm->nvml)
        return orr_cuda_load_nvml(&why)
                   ? orr_fail(ORR_EUNSUPPORTED, "NVML does not know this GPU")
                   : orr_fail(ORR_EUNSUPPORTED, "no performance monitoring: %s", why);
    int code = check_support(gpm);
    return code ? code : take_sample(gpm, 0);
}

static void release(struct orr_gpm *gpm)
{
    for (int k = 0; k < 2; k++)
        if (gpm->samples[k])
            gpm->nvml->gpm_free(gpm->samples[k]);
}

int orr_gpm_try(const struct orr_device_info *info)
{
    struct orr_gpm gpm = {.nvml = NULL};
    int code = start(&gpm, info);
    release(&gpm);
    return code;
}

void orr_gpm_begin(struct orr_gpm **out, const struct orr_device_info *info)
{
    struct orr_gpm *gpm = *out = calloc(1, sizeof *gpm);
    if (gpm && start(gpm, info)) {
        snprintf(gpm->reason, sizeof gpm->reason, "%s", orr_error_text());
        orr_error_clear();
    }
    if (gpm)
        gpm->start = orr_clock_now();
}

/* --- what lies between two --- */

static bool is_share(const struct metric *metric)
{
    return metric->unit == &PERCENT;
}

static int ask(const struct orr_gpm *gpm, struct orr_nvml_gpm_request *request)
{
    *request = (struct orr_nvml_gpm_request){.version = ORR_NVML_GPM_VERSION,
                                             .count = METRICS,
                                             .first = gpm->samples[0],
                                             .second = gpm->samples[1]};
    for (int k = 0; k < METRICS; k++)
        request->metrics[k].id = metrics[k].id;
    orr_cu_enum error = gpm->nvml->gpm_metrics(request);
    return error ? failed("nvmlGpmMetricsGet", error) : 0;
}

/* Of each metric that this GPU has and whose value can be. */
static int read_metrics(const struct orr_gpm *gpm, json_t *values, json_t *raw)
{
    struct orr_nvml_gpm_request *request = malloc(sizeof *request);
    int code = request ? ask(gpm, request) : orr_fail(ORR_EMEMORY, "no memory for counters");
    for (int k = 0; k < METRICS && !code; k++) {
        const struct orr_nvml_gpm_metric *read = &request->metrics[k];
        double value = read->value * *metrics[k].unit;
        if (read->error || !isfinite(value) || value < 0)
            continue;
        json_object_set_new(raw, metrics[k].raw, json_real(read->value));
        if (!is_share(&metrics[k]) || value <= FULL)
            json_object_set_new(values, metrics[k].name, json_real(value));
    }
    free(request);
    if (!code && !json_object_size(values))
        code = orr_fail(ORR_EUNSUPPORTED, "NVML gives none of the values asked for");
    return code;
}

static int finish(struct orr_gpm *gpm, json_t *values, json_t *raw)
{
    if (*gpm->reason)
        return orr_fail(ORR_EUNSUPPORTED, "%s", gpm->reason);
    double window_s = orr_clock_now() - gpm->start;
    if (window_s < ORR_GPM_WINDOW_S)
        return orr_fail(ORR_EUNSUPPORTED, "a window of %.3f s is too short for NVML's values",
                        window_s);
    json_object_set_new(raw, "window_s", json_real(window_s));
    int code = take_sample(gpm, 1);
    return code ? code : read_metrics(gpm, values, raw);
}

json_t *orr_gpm_end(struct orr_gpm *gpm)
{
    if (!gpm)
        return NULL;
    json_t *values = json_object(), *raw = json_object(), *answer;
    int code = finish(gpm, values, raw);
    answer = code ? json_pack("{s:s, s:[s], s:s}", "source", "gpm", "groups", "activity", "reason",
                              orr_error_text())
                  : json_pack("{s:s, s:[s], s:O, s:O}", "source", "gpm", "groups", "activity",
                              "values", values, "raw", raw);
    if (code)
        orr_error_clear();
    json_decref(values);
    json_decref(raw);
    release(gpm);
    free(gpm);
    return answer;
}

/* --- the source --- */

static bool counts_no_step(const struct orr_device_info *device)
{
    (void)device;
    return false;
}

int orr_gpm_list(int (*each)(const char *const words[4], void *context), void *context)
{
    int code = 0;
    for (int k = 0; k < METRICS && !code; k++)
        code = each(
            (const char *const[]){metrics[k].name, groups[0].name, metrics[k].raw, metrics[k].what},
            context);
    return code;
}

const struct orr_counter_source orr_gpm_source = {
    .name = "gpm", .groups = groups, .suits = counts_no_step};
