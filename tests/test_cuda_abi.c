/* Our own declarations of CUDA, NVRTC, NVML and CUPTI against the real headers, at compile time,
 * where those are installed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#include <cuda.h>
#include <nvrtc.h>
#define HAVE_CUDA 1
#elif __has_include("/usr/local/cuda/include/cuda.h") && \
                    __has_include("/usr/local/cuda/include/nvrtc.h")
#include "/usr/local/cuda/include/cuda.h"
#include "/usr/local/cuda/include/nvrtc.h"
#define HAVE_CUDA 1
#endif
#if __has_include(<nvml.h>)
#include <nvml.h>
#define HAVE_NVML 1
#elif __has_include("/usr/local/cuda/include/nvml.h")
#include "/usr/local/cuda/include/nvml.h"
#define HAVE_NVML 1
#endif

#if defined HAVE_CUDA && __has_include(<cupti.h>)
#include <cupti.h>
#define HAVE_CUPTI 1
#endif

/* Their C++ is not for C until CUDA 13. */
#if defined HAVE_CUPTI && CUPTI_API_VERSION >= 130000 && \
    __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#define HAVE_PROFILER 1
#endif

#include "device/cuda_abi.h"
#include "device/cupti_profiler.h"

#define SAME(type, other, what) \
    _Static_assert(__builtin_types_compatible_p(type, other), what " is declared differently")
#define SAME_VALUE(ours, theirs) \
    _Static_assert((int)(ours) == (int)(theirs), #theirs " has another value")

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
SAME_VALUE(ORR_CU_SUCCESS, CUDA_SUCCESS);
SAME_VALUE(ORR_CU_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE);
SAME_VALUE(ORR_CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY);
SAME_VALUE(ORR_CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE);
SAME_VALUE(ORR_CU_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE);
SAME_VALUE(ORR_CU_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(ORR_CU_INVALID_PTX, CUDA_ERROR_INVALID_PTX);
SAME_VALUE(ORR_CU_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME_VALUE(ORR_CU_NOT_FOUND, CUDA_ERROR_NOT_FOUND);
SAME_VALUE(ORR_CU_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_VALUE(ORR_CU_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME_VALUE(ORR_CU_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED);
SAME_VALUE(ORR_CU_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(ORR_CU_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME_VALUE(ORR_CU_MAX_GRID_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
SAME_VALUE(ORR_CU_MAX_GRID_DIM_Z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME_VALUE(ORR_CU_MAX_SHARED_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME_VALUE(ORR_CU_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME_VALUE(ORR_CU_CLOCK_RATE, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME_VALUE(ORR_CU_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(ORR_CU_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(ORR_CU_CAPABILITY_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(ORR_CU_MAX_SHARED_PER_BLOCK_OPTIN,
           CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME_VALUE(ORR_CU_FUNC_MAX_THREADS, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(ORR_CU_FUNC_SHARED_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_VALUE(ORR_CU_FUNC_LOCAL_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_VALUE(ORR_CU_FUNC_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_VALUE(ORR_CU_FUNC_MAX_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(ORR_CU_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
SAME_VALUE(ORR_CU_EVENT_DEFAULT, CU_EVENT_DEFAULT);
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
#ifdef NVML_GPM_METRICS_GET_VERSION
#define SAME_METRIC(ours, theirs) \
    SAME_VALUE(offsetof(struct orr_nvml_gpm_metric, ours), offsetof(nvmlGpmMetric_t, theirs))
#define SAME_REQUEST(ours, theirs) \
    SAME_VALUE(offsetof(struct orr_nvml_gpm_request, ours), offsetof(nvmlGpmMetricsGet_t, theirs))
ORR_NVML_GPM_FUNCTIONS(CHECK_NVML)
SAME_VALUE(ORR_NVML_GPM_VERSION, NVML_GPM_METRICS_GET_VERSION);
SAME_VALUE(ORR_NVML_GPM_VERSION, NVML_GPM_SUPPORT_VERSION);
SAME_VALUE(sizeof(struct orr_nvml_gpm_support), sizeof(nvmlGpmSupport_t));
SAME_VALUE(sizeof(struct orr_nvml_gpm_metric), sizeof(nvmlGpmMetric_t));
_Static_assert(sizeof(struct orr_nvml_gpm_request) >= sizeof(nvmlGpmMetricsGet_t),
               "a request has room for fewer metrics than NVML's");
SAME_VALUE(offsetof(struct orr_nvml_gpm_support, supported),
           offsetof(nvmlGpmSupport_t, isSupportedDevice));
SAME_METRIC(id, metricId);
SAME_METRIC(error, nvmlReturn);
SAME_METRIC(value, value);
SAME_REQUEST(count, numMetrics);
SAME_REQUEST(first, sample1);
SAME_REQUEST(second, sample2);
SAME_REQUEST(metrics, metrics);
SAME_VALUE(ORR_NVML_GPM_SM, NVML_GPM_METRIC_SM_UTIL);
SAME_VALUE(ORR_NVML_GPM_OCCUPANCY, NVML_GPM_METRIC_SM_OCCUPANCY);
SAME_VALUE(ORR_NVML_GPM_INTEGER, NVML_GPM_METRIC_INTEGER_UTIL);
SAME_VALUE(ORR_NVML_GPM_TENSOR, NVML_GPM_METRIC_ANY_TENSOR_UTIL);
SAME_VALUE(ORR_NVML_GPM_DRAM, NVML_GPM_METRIC_DRAM_BW_UTIL);
SAME_VALUE(ORR_NVML_GPM_FP64, NVML_GPM_METRIC_FP64_UTIL);
SAME_VALUE(ORR_NVML_GPM_FP32, NVML_GPM_METRIC_FP32_UTIL);
SAME_VALUE(ORR_NVML_GPM_FP16, NVML_GPM_METRIC_FP16_UTIL);
SAME_VALUE(ORR_NVML_GPM_PCIE_SENT, NVML_GPM_METRIC_PCIE_TX_PER_SEC);
SAME_VALUE(ORR_NVML_GPM_PCIE_RECEIVED, NVML_GPM_METRIC_PCIE_RX_PER_SEC);
SAME_VALUE(ORR_NVML_GPM_NVLINK_RECEIVED, NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC);
SAME_VALUE(ORR_NVML_GPM_NVLINK_SENT, NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC);
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
SAME_VALUE(ORR_CUPTI_LIST_ENDS, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME_PLACE(CUpti_ActivityKernel4, kind);
SAME_PLACE(CUpti_ActivityKernel4, start);
SAME_PLACE(CUpti_ActivityKernel4, end);
#if CUPTI_API_VERSION >= 130000
SAME_PLACE(CUpti_ActivityKernel10, kind);
SAME_PLACE(CUpti_ActivityKernel10, start);
SAME_PLACE(CUpti_ActivityKernel10, end);
#endif
#endif

static void declarations_are_the_real_ones(void **state)
{
    (void)state;
#ifndef HAVE_CUDA
    print_message("skipped: cuda.h and nvrtc.h are not installed\n");
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(declarations_are_the_real_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
