/* The part of CUPTI's range profiler that we call (CUDA 12.6 and later): its host API, which plans
 * for a chip that need not be here, and its target API, which counts. Declared here as cuda_abi.h
 * declares the rest; tests/test_cuda_abi.c compares it with the real headers where they are. */
#ifndef ORR_CUPTI_PROFILER_H
#define ORR_CUPTI_PROFILER_H

#include <stddef.h>
#include <stdint.h>

#include "device/cuda_abi.h"

struct CUpti_Profiler_Host_Object;
struct CUpti_RangeProfiler_Object;

/* Every call takes one struct, which begins with its size. That is the size it had in CUDA 12.6,
 * which later versions take too: it ends with the member `last`. */
#define ORR_CUPTI_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))
#define ORR_CUPTI_PARAMS(type, last, ...) \
    ((struct type){.size = ORR_CUPTI_SIZE(type, last), __VA_ARGS__})

/* CUptiResult, CUpti_ProfilerType, CUpti_ProfilerRange, CUpti_ProfilerReplayMode,
 * CUpti_Profiler_Support_Level, CUpti_Profiler_API */
enum {
    ORR_CUPTI_OK = 0,
    ORR_CUPTI_NOT_INITIALIZED = 15,
    ORR_CUPTI_HARDWARE_BUSY = 26,
    ORR_CUPTI_VIRTUALIZED = 33,
    ORR_CUPTI_PRIVILEGES = 35,
    ORR_CUPTI_SUBSCRIBERS = 39,
    ORR_CUPTI_VIRTUALIZED_PRIVILEGES = 40,
    ORR_CUPTI_CONFIDENTIAL = 41,
    ORR_CUPTI_MIG = 43,
    ORR_CUPTI_WSL = 45,
    ORR_CUPTI_CHIP = 46,
    ORR_CUPTI_UNKNOWN = 999
};
enum { ORR_CUPTI_RANGE_PROFILER = 0 };
enum { ORR_CUPTI_USER_RANGE = 2, ORR_CUPTI_USER_REPLAY = 3 };
enum { ORR_CUPTI_UNSUPPORTED = 1, ORR_CUPTI_DISABLED = 2, ORR_CUPTI_RANGE_PROFILING = 0 };

/* --- host API --- */

struct orr_cupti_initialize {
    size_t size;
    void *priv;
};
struct orr_cupti_chips {
    size_t size;
    void *priv;
    size_t count;
    const char *const *names;
};
struct orr_cupti_host_open {
    size_t size;
    void *priv;
    orr_cu_enum type;
    const char *chip;
    const uint8_t *availability; /* NULL: of the chip, whatever the system allows */
    struct CUpti_Profiler_Host_Object *host;
};
struct orr_cupti_host_close {
    size_t size;
    void *priv;
    struct CUpti_Profiler_Host_Object *host;
};
struct orr_cupti_add_metrics {
    size_t size;
    void *priv;
    struct CUpti_Profiler_Host_Object *host;
    const char **names;
    size_t count;
};
struct orr_cupti_image_size {
    size_t size;
    void *priv;
    struct CUpti_Profiler_Host_Object *host;
    size_t bytes;
};
struct orr_cupti_image {
    size_t size;
    void *priv;
    struct CUpti_Profiler_Host_Object *host;
    size_t bytes;
    uint8_t *image;
};
struct orr_cupti_passes {
    size_t size;
    void *priv;
    size_t bytes;
    uint8_t *image;
    size_t passes;
};
struct orr_cupti_evaluate {
    size_t size;
    void *priv;
    struct CUpti_Profiler_Host_Object *host;
    const uint8_t *data;
    size_t data_bytes, range;
    const char **names;
    size_t count;
    double *values;
};

/* --- target API --- */

struct orr_cupti_chip_name {
    size_t size;
    void *priv;
    size_t device;
    const char *chip;
};
struct orr_cupti_supported {
    size_t size;
    void *priv;
    int device;
    orr_cu_enum all, architecture, sli, vgpu, confidential, cmp, wsl, api;
};
struct orr_cupti_availability {
    size_t size;
    void *priv;
    struct CUctx_st *context;
    size_t bytes;
    uint8_t *image;
};
struct orr_cupti_range_enable {
    size_t size;
    void *priv;
    struct CUctx_st *context;
    struct CUpti_RangeProfiler_Object *profiler;
};
/* Also of start and pop. */
struct orr_cupti_range_disable {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
};
struct orr_cupti_range_data_size {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
    const char **names;
    size_t count, most_ranges;
    uint32_t most_nodes;
    size_t bytes;
};
struct orr_cupti_range_data {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t bytes;
    uint8_t *data;
};
struct orr_cupti_range_config {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t bytes;
    const uint8_t *image;
    size_t data_bytes;
    uint8_t *data;
    orr_cu_enum range, replay;
    size_t most_ranges;
    uint16_t levels, least_level;
    size_t pass;
    uint16_t level;
};
struct orr_cupti_range_push {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
    const char *name;
};
struct orr_cupti_range_stop {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t pass, level;
    uint8_t all_submitted;
};
struct orr_cupti_range_decode {
    size_t size;
    void *priv;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t dropped;
};
struct orr_cupti_range_info {
    size_t size;
    void *priv;
    const uint8_t *data;
    size_t data_bytes, ranges;
};

/* X(member, symbol, our struct, the last member of CUDA 12.6, CUPTI's struct). */
#define ORR_CUPTI_PROFILER_FUNCTIONS(X)                                                  \
    X(initialize, cuptiProfilerInitialize, orr_cupti_initialize, priv,                   \
      CUpti_Profiler_Initialize_Params)                                                  \
    X(chips, cuptiProfilerHostGetSupportedChips, orr_cupti_chips, names,                 \
      CUpti_Profiler_Host_GetSupportedChips_Params)                                      \
    X(host_open, cuptiProfilerHostInitialize, orr_cupti_host_open, host,                 \
      CUpti_Profiler_Host_Initialize_Params)                                             \
    X(host_close, cuptiProfilerHostDeinitialize, orr_cupti_host_close, host,             \
      CUpti_Profiler_Host_Deinitialize_Params)                                           \
    X(add_metrics, cuptiProfilerHostConfigAddMetrics, orr_cupti_add_metrics, count,      \
      CUpti_Profiler_Host_ConfigAddMetrics_Params)                                       \
    X(image_size, cuptiProfilerHostGetConfigImageSize, orr_cupti_image_size, bytes,      \
      CUpti_Profiler_Host_GetConfigImageSize_Params)                                     \
    X(image, cuptiProfilerHostGetConfigImage, orr_cupti_image, image,                    \
      CUpti_Profiler_Host_GetConfigImage_Params)                                         \
    X(passes, cuptiProfilerHostGetNumOfPasses, orr_cupti_passes, passes,                 \
      CUpti_Profiler_Host_GetNumOfPasses_Params)                                         \
    X(evaluate, cuptiProfilerHostEvaluateToGpuValues, orr_cupti_evaluate, values,        \
      CUpti_Profiler_Host_EvaluateToGpuValues_Params)                                    \
    X(chip_name, cuptiDeviceGetChipName, orr_cupti_chip_name, chip,                      \
      CUpti_Device_GetChipName_Params)                                                   \
    X(supported, cuptiProfilerDeviceSupported, orr_cupti_supported, api,                 \
      CUpti_Profiler_DeviceSupported_Params)                                             \
    X(availability, cuptiProfilerGetCounterAvailability, orr_cupti_availability, image,  \
      CUpti_Profiler_GetCounterAvailability_Params)                                      \
    X(enable, cuptiRangeProfilerEnable, orr_cupti_range_enable, profiler,                \
      CUpti_RangeProfiler_Enable_Params)                                                 \
    X(disable, cuptiRangeProfilerDisable, orr_cupti_range_disable, profiler,             \
      CUpti_RangeProfiler_Disable_Params)                                                \
    X(data_size, cuptiRangeProfilerGetCounterDataSize, orr_cupti_range_data_size, bytes, \
      CUpti_RangeProfiler_GetCounterDataSize_Params)                                     \
    X(data, cuptiRangeProfilerCounterDataImageInitialize, orr_cupti_range_data, data,    \
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params)                            \
    X(config, cuptiRangeProfilerSetConfig, orr_cupti_range_config, level,                \
      CUpti_RangeProfiler_SetConfig_Params)                                              \
    X(start, cuptiRangeProfilerStart, orr_cupti_range_disable, profiler,                 \
      CUpti_RangeProfiler_Start_Params)                                                  \
    X(push, cuptiRangeProfilerPushRange, orr_cupti_range_push, name,                     \
      CUpti_RangeProfiler_PushRange_Params)                                              \
    X(pop, cuptiRangeProfilerPopRange, orr_cupti_range_disable, profiler,                \
      CUpti_RangeProfiler_PopRange_Params)                                               \
    X(stop, cuptiRangeProfilerStop, orr_cupti_range_stop, all_submitted,                 \
      CUpti_RangeProfiler_Stop_Params)                                                   \
    X(decode, cuptiRangeProfilerDecodeData, orr_cupti_range_decode, dropped,             \
      CUpti_RangeProfiler_DecodeData_Params)                                             \
    X(info, cuptiRangeProfilerGetCounterDataInfo, orr_cupti_range_info, ranges,          \
      CUpti_RangeProfiler_GetCounterDataInfo_Params)

#define ORR_CUPTI_PROFILER_MEMBER(member, symbol, ours, last, theirs) \
    orr_cu_enum (*member)(struct ours * parameters);
struct orr_cupti_profiler_api {
    ORR_CUPTI_PROFILER_FUNCTIONS(ORR_CUPTI_PROFILER_MEMBER)
};
#undef ORR_CUPTI_PROFILER_MEMBER

/* Of the library that orr_cuda_load_cupti finds; NULL with the reason, and what to do about it, in
 * *why. Loaded once. */
const struct orr_cupti_profiler_api *orr_cuda_load_profiler(const char **why);

#endif
