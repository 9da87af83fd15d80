/* SPDX-License-Identifier: MIT */
/* Our own declarations of CUDA, NVRTC, NVML and CUPTI against the real headers, at compile time,
 * where those are installed. */
#include "tests/cases.h"

#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#include <cuda.h>
#include <nvrtc.h>
#define HAVE_CUDA 1
#endif
#if __has_include(<nvml.h>)
#include <nvml.h>
#define HAVE_NVML 1
#endif

#if defined HAVE_CUDA && __has_include(<cupti.h>)
#include <cupti.h>
#define HAVE_CUPTI 1
#endif

#if defined HAVE_CUPTI && \
    __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#define HAVE_PROFILER 1
#endif

#include "device/cuda_abi.h"

#define SAME(type, other, what) \
    _Static_assert(__builtin_types_compatible_p(type, other), what " is declared differently")
#define SAME_VALUE(ours, theirs) \
    _Static_assert((int)(ours) == (int)(theirs), #theirs " has another value")

#define CHECK_VALUE(ours, value, theirs) SAME_VALUE(ours, theirs);

#ifdef HAVE_CUDA
#define CHECK_CUDA(member, symbol, parameters) \
    SAME(__typeof__(&symbol), __typeof__(((struct orr_cuda_api *)0)->member), #symbol);
#define CHECK_NVRTC(member, symbol, parameters) \
    SAME(__typeof__(&symbol), __typeof__(((struct orr_nvrtc_api *)0)->member), #symbol);
ORR_CUDA_FUNCTIONS(CHECK_CUDA)
ORR_NVRTC_FUNCTIONS(CHECK_NVRTC)
#if CUDA_VERSION >= 12040
ORR_CUDA_OPTIONAL_FUNCTIONS(CHECK_CUDA)
#endif
SAME(orr_cu_pointer, CUdeviceptr, "CUdeviceptr");
SAME_VALUE(sizeof(CUdevice), sizeof(int));
ORR_CUDA_VALUES(CHECK_VALUE)
#endif

#ifdef HAVE_NVML
#define CHECK_NVML(member, symbol, parameters) \
    SAME(__typeof__(&symbol), __typeof__(((struct orr_nvml_api *)0)->member), #symbol);
ORR_NVML_FUNCTIONS(CHECK_NVML)
#if NVML_API_VERSION >= 12
ORR_NVML_OPTIONAL_FUNCTIONS(CHECK_NVML)
#define SAME_MEMBER(ours, theirs) \
    SAME_VALUE(offsetof(struct orr_nvml_process, ours), offsetof(nvmlProcessInfo_t, theirs))
SAME_VALUE(sizeof(struct orr_nvml_process), sizeof(nvmlProcessInfo_t));
SAME_MEMBER(pid, pid);
SAME_MEMBER(bytes, usedGpuMemory);
SAME_MEMBER(gpu_instance, gpuInstanceId);
SAME_MEMBER(compute_instance, computeInstanceId);
#define SAME_FIELD(ours, theirs) \
    SAME_VALUE(offsetof(struct orr_nvml_field, ours), offsetof(nvmlFieldValue_t, theirs))
SAME_VALUE(sizeof(struct orr_nvml_field), sizeof(nvmlFieldValue_t));
SAME_FIELD(field, fieldId);
SAME_FIELD(type, valueType);
SAME_FIELD(error, nvmlReturn);
SAME_FIELD(value, value);
SAME_VALUE(ORR_NVML_UNSIGNED, NVML_VALUE_TYPE_UNSIGNED_INT);
#endif
#ifdef NVML_FI_DEV_POWER_INSTANT
SAME_VALUE(ORR_NVML_FIELD_POWER_INSTANT, NVML_FI_DEV_POWER_INSTANT);
#endif
SAME_VALUE(ORR_NVML_CLOCK_SM, NVML_CLOCK_SM);
SAME_VALUE(ORR_NVML_CLOCK_MEMORY, NVML_CLOCK_MEM);
SAME_VALUE(ORR_NVML_TEMPERATURE_GPU, NVML_TEMPERATURE_GPU);
#endif

#ifdef HAVE_CUPTI
#define CHECK_CUPTI(member, symbol, parameters) \
    SAME(__typeof__(&symbol), __typeof__(((struct orr_cupti_api *)0)->member), #symbol);
#define SAME_PLACE(record, member) \
    SAME_VALUE(offsetof(struct orr_cupti_kernel, member), offsetof(record, member))
ORR_CUPTI_FUNCTIONS(CHECK_CUPTI)
SAME_VALUE(ORR_CUPTI_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME_VALUE(ORR_CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
SAME_PLACE(CUpti_ActivityKernel4, kind);
SAME_PLACE(CUpti_ActivityKernel4, start);
SAME_PLACE(CUpti_ActivityKernel4, end);
#if CUPTI_API_VERSION >= 130000
SAME_PLACE(CUpti_ActivityKernel10, kind);
SAME_PLACE(CUpti_ActivityKernel10, start);
SAME_PLACE(CUpti_ActivityKernel10, end);
#endif
#endif

#ifdef HAVE_PROFILER
/* Offset and size of a member. */
#define SAME_PARAMETER(ours, member, theirs, other)                     \
    SAME_VALUE(offsetof(struct ours, member), offsetof(theirs, other)); \
    SAME_VALUE(sizeof(((struct ours *)0)->member), sizeof(((theirs *)0)->other))
#define CHECK_PROFILER(member, symbol, ours, last, theirs)         \
    SAME(__typeof__(&symbol), CUptiResult (*)(theirs *), #symbol); \
    SAME_PARAMETER(ours, size, theirs, structSize);                \
    SAME_PARAMETER(ours, priv, theirs, pPriv);                     \
    _Static_assert(ORR_CUPTI_SIZE(ours, last) <= sizeof(theirs), #theirs " has shrunk");
ORR_CUPTI_PROFILER_FUNCTIONS(CHECK_PROFILER)
#define SAME_OF_PROFILER(ours, member, theirs, other) \
    SAME_PARAMETER(orr_cupti_##ours, member, CUpti_Profiler_##theirs##_Params, other)
#define SAME_OF_RANGE(ours, member, theirs, other) \
    SAME_PARAMETER(orr_cupti_##ours, member, CUpti_RangeProfiler_##theirs##_Params, other)
SAME_OF_PROFILER(host_open, type, Host_Initialize, profilerType);
SAME_OF_PROFILER(host_open, chip, Host_Initialize, pChipName);
SAME_OF_PROFILER(host_open, availability, Host_Initialize, pCounterAvailabilityImage);
SAME_OF_PROFILER(host_open, host, Host_Initialize, pHostObject);
SAME_OF_PROFILER(image, host, Host_Deinitialize, pHostObject);
SAME_OF_PROFILER(add_metrics, host, Host_ConfigAddMetrics, pHostObject);
SAME_OF_PROFILER(add_metrics, names, Host_ConfigAddMetrics, ppMetricNames);
SAME_OF_PROFILER(add_metrics, count, Host_ConfigAddMetrics, numMetrics);
SAME_OF_PROFILER(image, host, Host_GetConfigImageSize, pHostObject);
SAME_OF_PROFILER(image, bytes, Host_GetConfigImageSize, configImageSize);
SAME_OF_PROFILER(image, host, Host_GetConfigImage, pHostObject);
SAME_OF_PROFILER(image, bytes, Host_GetConfigImage, configImageSize);
SAME_OF_PROFILER(image, image, Host_GetConfigImage, pConfigImage);
SAME_OF_PROFILER(passes, bytes, Host_GetNumOfPasses, configImageSize);
SAME_OF_PROFILER(passes, image, Host_GetNumOfPasses, pConfigImage);
SAME_OF_PROFILER(passes, passes, Host_GetNumOfPasses, numOfPasses);
SAME_OF_PROFILER(evaluate, host, Host_EvaluateToGpuValues, pHostObject);
SAME_OF_PROFILER(evaluate, data, Host_EvaluateToGpuValues, pCounterDataImage);
SAME_OF_PROFILER(evaluate, data_bytes, Host_EvaluateToGpuValues, counterDataImageSize);
SAME_OF_PROFILER(evaluate, range, Host_EvaluateToGpuValues, rangeIndex);
SAME_OF_PROFILER(evaluate, names, Host_EvaluateToGpuValues, ppMetricNames);
SAME_OF_PROFILER(evaluate, count, Host_EvaluateToGpuValues, numMetrics);
SAME_OF_PROFILER(evaluate, values, Host_EvaluateToGpuValues, pMetricValues);
SAME_PARAMETER(orr_cupti_chip_name, device, CUpti_Device_GetChipName_Params, deviceIndex);
SAME_PARAMETER(orr_cupti_chip_name, chip, CUpti_Device_GetChipName_Params, pChipName);
SAME_OF_PROFILER(supported, device, DeviceSupported, cuDevice);
SAME_OF_PROFILER(supported, all, DeviceSupported, isSupported);
SAME_OF_PROFILER(supported, architecture, DeviceSupported, architecture);
SAME_OF_PROFILER(supported, sli, DeviceSupported, sli);
SAME_OF_PROFILER(supported, vgpu, DeviceSupported, vGpu);
SAME_OF_PROFILER(supported, confidential, DeviceSupported, confidentialCompute);
SAME_OF_PROFILER(supported, cmp, DeviceSupported, cmp);
SAME_OF_PROFILER(supported, wsl, DeviceSupported, wsl);
SAME_OF_PROFILER(supported, api, DeviceSupported, api);
SAME_OF_PROFILER(availability, context, GetCounterAvailability, ctx);
SAME_OF_PROFILER(availability, bytes, GetCounterAvailability, counterAvailabilityImageSize);
SAME_OF_PROFILER(availability, image, GetCounterAvailability, pCounterAvailabilityImage);
SAME_OF_RANGE(range_enable, context, Enable, ctx);
SAME_OF_RANGE(range_enable, profiler, Enable, pRangeProfilerObject);
SAME_OF_RANGE(range_stop, profiler, Disable, pRangeProfilerObject);
SAME_OF_RANGE(range_stop, profiler, Start, pRangeProfilerObject);
SAME_OF_RANGE(range_stop, profiler, PopRange, pRangeProfilerObject);
SAME_OF_RANGE(range_data_size, profiler, GetCounterDataSize, pRangeProfilerObject);
SAME_OF_RANGE(range_data_size, names, GetCounterDataSize, pMetricNames);
SAME_OF_RANGE(range_data_size, count, GetCounterDataSize, numMetrics);
SAME_OF_RANGE(range_data_size, most_ranges, GetCounterDataSize, maxNumOfRanges);
SAME_OF_RANGE(range_data_size, most_nodes, GetCounterDataSize, maxNumRangeTreeNodes);
SAME_OF_RANGE(range_data_size, bytes, GetCounterDataSize, counterDataSize);
SAME_OF_RANGE(range_data, profiler, CounterDataImage_Initialize, pRangeProfilerObject);
SAME_OF_RANGE(range_data, bytes, CounterDataImage_Initialize, counterDataSize);
SAME_OF_RANGE(range_data, data, CounterDataImage_Initialize, pCounterData);
SAME_OF_RANGE(range_config, profiler, SetConfig, pRangeProfilerObject);
SAME_OF_RANGE(range_config, bytes, SetConfig, configSize);
SAME_OF_RANGE(range_config, image, SetConfig, pConfig);
SAME_OF_RANGE(range_config, data_bytes, SetConfig, counterDataImageSize);
SAME_OF_RANGE(range_config, data, SetConfig, pCounterDataImage);
SAME_OF_RANGE(range_config, range, SetConfig, range);
SAME_OF_RANGE(range_config, replay, SetConfig, replayMode);
SAME_OF_RANGE(range_config, most_ranges, SetConfig, maxRangesPerPass);
SAME_OF_RANGE(range_config, levels, SetConfig, numNestingLevels);
SAME_OF_RANGE(range_config, least_level, SetConfig, minNestingLevel);
SAME_OF_RANGE(range_config, pass, SetConfig, passIndex);
SAME_OF_RANGE(range_config, level, SetConfig, targetNestingLevel);
SAME_OF_RANGE(range_push, profiler, PushRange, pRangeProfilerObject);
SAME_OF_RANGE(range_push, name, PushRange, pRangeName);
SAME_OF_RANGE(range_stop, profiler, Stop, pRangeProfilerObject);
SAME_OF_RANGE(range_stop, pass, Stop, passIndex);
SAME_OF_RANGE(range_stop, level, Stop, targetNestingLevel);
SAME_OF_RANGE(range_stop, all_submitted, Stop, isAllPassSubmitted);
SAME_OF_RANGE(range_decode, profiler, DecodeData, pRangeProfilerObject);
SAME_OF_RANGE(range_decode, dropped, DecodeData, numOfRangeDropped);
SAME_OF_RANGE(range_info, data, GetCounterDataInfo, pCounterDataImage);
SAME_OF_RANGE(range_info, data_bytes, GetCounterDataInfo, counterDataImageSize);
SAME_OF_RANGE(range_info, ranges, GetCounterDataInfo, numTotalRanges);
ORR_CUPTI_VALUES(CHECK_VALUE)
#if CUPTI_API_VERSION >= 130000
SAME_VALUE(ORR_CUPTI_CHIP, CUPTI_ERROR_INVALID_CHIP_NAME);
#endif
#endif

TEST(declarations_are_the_real_ones)
{
#ifndef HAVE_CUDA
    print_message("skipped: cuda.h and nvrtc.h are not installed\n");
    skip();
#endif
}

RUN_TESTS(NULL, NULL)
