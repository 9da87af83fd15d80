/* SPDX-License-Identifier: MIT */
/* The part of the CUDA driver API, NVRTC, NVML and CUPTI that we call, declared here because all of
 * them are loaded at run time and their headers need not be there at build time.
 * tests/test_cuda_abi.c compares this with the real headers where they are. */
#ifndef ORR_CUDA_ABI_H
#define ORR_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Enumerations of these libraries have no negative values: the compiler passes them as unsigned
 * int. */
typedef unsigned int orr_cu_enum;
typedef unsigned long long orr_cu_pointer; /* CUdeviceptr */

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct _nvrtcProgram; /* NOLINT(bugprone-reserved-identifier): NVIDIA's own tag, which the types
                         must share */
struct CUuuid_st;     /* 16 bytes */
struct nvmlDevice_st;
struct nvmlProcessInfo_st; /* struct orr_nvml_process */
struct nvmlFieldValue_st;  /* struct orr_nvml_field */

/* X(name, value, NVIDIA's name): errors, attributes of devices and of functions, flags. */
#define ORR_CUDA_VALUES(X)                                                                 \
    X(ORR_CU_SUCCESS, 0, CUDA_SUCCESS)                                                     \
    X(ORR_CU_INVALID_VALUE, 1, CUDA_ERROR_INVALID_VALUE)                                   \
    X(ORR_CU_OUT_OF_MEMORY, 2, CUDA_ERROR_OUT_OF_MEMORY)                                   \
    X(ORR_CU_INVALID_IMAGE, 200, CUDA_ERROR_INVALID_IMAGE)                                 \
    X(ORR_CU_NO_BINARY_FOR_GPU, 209, CUDA_ERROR_NO_BINARY_FOR_GPU)                         \
    X(ORR_CU_INVALID_PTX, 218, CUDA_ERROR_INVALID_PTX)                                     \
    X(ORR_CU_UNSUPPORTED_PTX_VERSION, 222, CUDA_ERROR_UNSUPPORTED_PTX_VERSION)             \
    X(ORR_CU_NOT_FOUND, 500, CUDA_ERROR_NOT_FOUND)                                         \
    X(ORR_CU_LAUNCH_OUT_OF_RESOURCES, 701, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)             \
    X(ORR_CU_MAX_THREADS_PER_BLOCK, 1, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)          \
    X(ORR_CU_MAX_GRID_DIM_X, 5, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)                        \
    X(ORR_CU_MAX_GRID_DIM_Y, 6, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)                        \
    X(ORR_CU_MAX_GRID_DIM_Z, 7, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)                        \
    X(ORR_CU_MAX_SHARED_PER_BLOCK, 8, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)     \
    X(ORR_CU_WARP_SIZE, 10, CU_DEVICE_ATTRIBUTE_WARP_SIZE)                                 \
    X(ORR_CU_CLOCK_RATE, 13, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) /* kHz */                     \
    X(ORR_CU_MULTIPROCESSORS, 16, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)                \
    X(ORR_CU_MEMORY_CLOCK_RATE, 36, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)      /* kHz */  \
    X(ORR_CU_MEMORY_BUS_WIDTH, 37, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) /* bits */ \
    X(ORR_CU_L2_CACHE_BYTES, 38, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)                        \
    X(ORR_CU_CAPABILITY_MAJOR, 75, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)           \
    X(ORR_CU_CAPABILITY_MINOR, 76, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)           \
    X(ORR_CU_MAX_SHARED_PER_BLOCK_OPTIN, 97,                                               \
      CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)                               \
    X(ORR_CU_FUNC_MAX_THREADS, 0, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)                 \
    X(ORR_CU_FUNC_SHARED_BYTES, 1, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)                    \
    X(ORR_CU_FUNC_LOCAL_BYTES, 3,                                                          \
      CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES) /* per thread: the stack and what was spilled */ \
    X(ORR_CU_FUNC_REGISTERS, 4, CU_FUNC_ATTRIBUTE_NUM_REGS)                                \
    X(ORR_CU_FUNC_MAX_DYNAMIC_SHARED, 8, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)  \
    X(ORR_CU_STREAM_NON_BLOCKING, 1, CU_STREAM_NON_BLOCKING)                               \
    X(ORR_CU_EVENT_DEFAULT, 0, CU_EVENT_DEFAULT)                                           \
    X(ORR_CU_EVENT_RECORD_EXTERNAL, 1, CU_EVENT_RECORD_EXTERNAL)                           \
    X(ORR_CU_CAPTURE_RELAXED, 2, CU_STREAM_CAPTURE_MODE_RELAXED)

#define ORR_ABI_VALUE(name, value, theirs) name = (value),
enum { ORR_CUDA_VALUES(ORR_ABI_VALUE) };

/* X(member, symbol, parameters). Every function returns 0 or an error. */
#define ORR_CUDA_FUNCTIONS(X)                                                                  \
    X(init, cuInit, (unsigned flags))                                                          \
    X(driver_version, cuDriverGetVersion, (int *version))                                      \
    X(error_name, cuGetErrorName, (orr_cu_enum error, const char **text))                      \
    X(error_string, cuGetErrorString, (orr_cu_enum error, const char **text))                  \
    X(device_count, cuDeviceGetCount, (int *count))                                            \
    X(device_get, cuDeviceGet, (int *device, int ordinal))                                     \
    X(device_name, cuDeviceGetName, (char *name, int size, int device))                        \
    X(device_attribute, cuDeviceGetAttribute, (int *value, orr_cu_enum attribute, int device)) \
    X(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, int device))                        \
    X(device_pci, cuDeviceGetPCIBusId, (char *text, int size, int device))                     \
    X(context_retain, cuDevicePrimaryCtxRetain, (struct CUctx_st * *context, int device))      \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (int device))                             \
    X(context_set, cuCtxSetCurrent, (struct CUctx_st * context))                               \
    X(context_wait, cuCtxSynchronize, (void))                                                  \
    X(memory_info, cuMemGetInfo_v2, (size_t * free, size_t * total))                           \
    X(memory_alloc, cuMemAlloc_v2, (orr_cu_pointer * pointer, size_t bytes))                   \
    X(memory_free, cuMemFree_v2, (orr_cu_pointer pointer))                                     \
    X(host_alloc, cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))               \
    X(host_free, cuMemFreeHost, (void *memory))                                                \
    X(upload, cuMemcpyHtoDAsync_v2,                                                            \
      (orr_cu_pointer to, const void *from, size_t bytes, struct CUstream_st *stream))         \
    X(download, cuMemcpyDtoHAsync_v2,                                                          \
      (void *to, orr_cu_pointer from, size_t bytes, struct CUstream_st *stream))               \
    X(copy, cuMemcpyDtoDAsync_v2,                                                              \
      (orr_cu_pointer to, orr_cu_pointer from, size_t bytes, struct CUstream_st * stream))     \
    X(fill, cuMemsetD32Async,                                                                  \
      (orr_cu_pointer to, unsigned word, size_t count, struct CUstream_st *stream))            \
    X(stream_create, cuStreamCreate, (struct CUstream_st * *stream, unsigned flags))           \
    X(stream_destroy, cuStreamDestroy_v2, (struct CUstream_st * stream))                       \
    X(stream_wait, cuStreamSynchronize, (struct CUstream_st * stream))                         \
    X(event_create, cuEventCreate, (struct CUevent_st * *event, unsigned flags))               \
    X(event_destroy, cuEventDestroy_v2, (struct CUevent_st * event))                           \
    X(event_record, cuEventRecord, (struct CUevent_st * event, struct CUstream_st * stream))   \
    X(event_wait, cuEventSynchronize, (struct CUevent_st * event))                             \
    X(event_elapsed, cuEventElapsedTime,                                                       \
      (float *ms, struct CUevent_st *from, struct CUevent_st *to))                             \
    X(module_load, cuModuleLoadData, (struct CUmod_st * *module, const void *image))           \
    X(module_unload, cuModuleUnload, (struct CUmod_st * module))                               \
    X(module_function, cuModuleGetFunction,                                                    \
      (struct CUfunc_st * *function, struct CUmod_st * module, const char *name))              \
    X(function_attribute, cuFuncGetAttribute,                                                  \
      (int *value, orr_cu_enum attribute, struct CUfunc_st *function))                         \
    X(function_set, cuFuncSetAttribute,                                                        \
      (struct CUfunc_st * function, orr_cu_enum attribute, int value))                         \
    X(launch, cuLaunchKernel,                                                                  \
      (struct CUfunc_st * function, unsigned grid_x, unsigned grid_y, unsigned grid_z,         \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,            \
       struct CUstream_st *stream, void **arguments, void **extra))

/* NULL in older drivers. The sizes of a kernel's arguments are told since CUDA 12.4. */
#define ORR_CUDA_OPTIONAL_FUNCTIONS(X)                                                            \
    X(host_register, cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))          \
    X(host_unregister, cuMemHostUnregister, (void *memory))                                       \
    X(device_uuid, cuDeviceGetUuid_v2, (struct CUuuid_st * uuid, int device))                     \
    X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                     \
      (int *groups, struct CUfunc_st *function, int threads, size_t shared))                      \
    X(function_argument, cuFuncGetParamInfo,                                                      \
      (struct CUfunc_st * function, size_t index, size_t * offset, size_t * size))                \
    X(capture_begin, cuStreamBeginCapture_v2, (struct CUstream_st * stream, orr_cu_enum mode))    \
    X(capture_end, cuStreamEndCapture, (struct CUstream_st * stream, struct CUgraph_st * *graph)) \
    X(graph_instantiate, cuGraphInstantiateWithFlags,                                             \
      (struct CUgraphExec_st * *out, struct CUgraph_st * graph, unsigned long long flags))        \
    X(event_record_in_graph, cuEventRecordWithFlags,                                              \
      (struct CUevent_st * event, struct CUstream_st * stream, unsigned flags))                   \
    X(graph_upload, cuGraphUpload, (struct CUgraphExec_st * graph, struct CUstream_st * stream))  \
    X(graph_launch, cuGraphLaunch, (struct CUgraphExec_st * graph, struct CUstream_st * stream))  \
    X(graph_exec_destroy, cuGraphExecDestroy, (struct CUgraphExec_st * graph))                    \
    X(graph_destroy, cuGraphDestroy, (struct CUgraph_st * graph))

#define ORR_NVRTC_FUNCTIONS(X)                                                                  \
    X(version, nvrtcVersion, (int *major, int *minor))                                          \
    X(arch_count, nvrtcGetNumSupportedArchs, (int *count))                                      \
    X(archs, nvrtcGetSupportedArchs, (int *archs))                                              \
    X(create, nvrtcCreateProgram,                                                               \
      (struct _nvrtcProgram * *program, const char *source, const char *name, int header_count, \
       const char *const *headers, const char *const *header_names))                            \
    X(destroy, nvrtcDestroyProgram, (struct _nvrtcProgram * *program))                          \
    X(compile, nvrtcCompileProgram,                                                             \
      (struct _nvrtcProgram * program, int count, const char *const *options))                  \
    X(cubin_size, nvrtcGetCUBINSize, (struct _nvrtcProgram * program, size_t * size))           \
    X(cubin, nvrtcGetCUBIN, (struct _nvrtcProgram * program, char *cubin))                      \
    X(ptx_size, nvrtcGetPTXSize, (struct _nvrtcProgram * program, size_t * size))               \
    X(ptx, nvrtcGetPTX, (struct _nvrtcProgram * program, char *ptx))                            \
    X(log_size, nvrtcGetProgramLogSize, (struct _nvrtcProgram * program, size_t * size))        \
    X(log, nvrtcGetProgramLog, (struct _nvrtcProgram * program, char *log))

/* NVML: clock types, the GPU's own temperature sensor, and clock event reasons (bits). */
enum { ORR_NVML_CLOCK_SM = 1, ORR_NVML_CLOCK_MEMORY = 2, ORR_NVML_TEMPERATURE_GPU = 0 };
#define ORR_NVML_FUNCTIONS(X)                                                               \
    X(init, nvmlInit_v2, (void))                                                            \
    X(driver_version, nvmlSystemGetDriverVersion, (char *text, unsigned size))              \
    X(by_pci, nvmlDeviceGetHandleByPciBusId_v2,                                             \
      (const char *address, struct nvmlDevice_st **device))                                 \
    X(clock, nvmlDeviceGetClockInfo,                                                        \
      (struct nvmlDevice_st * device, orr_cu_enum type, unsigned *mhz))                     \
    X(power, nvmlDeviceGetPowerUsage, (struct nvmlDevice_st * device, unsigned *milliwatt)) \
    X(temperature, nvmlDeviceGetTemperature,                                                \
      (struct nvmlDevice_st * device, orr_cu_enum sensor, unsigned *celsius))               \
    X(throttle, nvmlDeviceGetCurrentClocksThrottleReasons,                                  \
      (struct nvmlDevice_st * device, unsigned long long *reasons))

/* NULL in older drivers. */
#define ORR_NVML_OPTIONAL_FUNCTIONS(X)                                                             \
    X(uuid, nvmlDeviceGetUUID, (struct nvmlDevice_st * device, char *text, unsigned size))         \
    X(energy, nvmlDeviceGetTotalEnergyConsumption,                                                 \
      (struct nvmlDevice_st * device, unsigned long long *millijoule))                             \
    X(power_limit, nvmlDeviceGetPowerManagementLimit,                                              \
      (struct nvmlDevice_st * device, unsigned *milliwatt))                                        \
    X(default_power_limit, nvmlDeviceGetPowerManagementDefaultLimit,                               \
      (struct nvmlDevice_st * device, unsigned *milliwatt))                                        \
    X(enforced_power_limit, nvmlDeviceGetEnforcedPowerLimit,                                       \
      (struct nvmlDevice_st * device, unsigned *milliwatt))                                        \
    X(ecc, nvmlDeviceGetEccMode,                                                                   \
      (struct nvmlDevice_st * device, orr_cu_enum * current, orr_cu_enum * pending))               \
    X(mig, nvmlDeviceGetMigMode,                                                                   \
      (struct nvmlDevice_st * device, unsigned *current, unsigned *pending))                       \
    X(persistence, nvmlDeviceGetPersistenceMode,                                                   \
      (struct nvmlDevice_st * device, orr_cu_enum * mode))                                         \
    X(compute_mode, nvmlDeviceGetComputeMode, (struct nvmlDevice_st * device, orr_cu_enum * mode)) \
    X(application_clock, nvmlDeviceGetApplicationsClock,                                           \
      (struct nvmlDevice_st * device, orr_cu_enum type, unsigned *mhz))                            \
    X(max_clock, nvmlDeviceGetMaxClockInfo,                                                        \
      (struct nvmlDevice_st * device, orr_cu_enum type, unsigned *mhz))                            \
    X(processes, nvmlDeviceGetComputeRunningProcesses_v3,                                          \
      (struct nvmlDevice_st * device, unsigned *count, struct nvmlProcessInfo_st *list))           \
    X(fields, nvmlDeviceGetFieldValues,                                                            \
      (struct nvmlDevice_st * device, int count, struct nvmlFieldValue_st *values))

/* A process that computes on a GPU. */
struct orr_nvml_process {
    unsigned pid;
    unsigned long long bytes; /* of the GPU's memory; all ones where it is not told */
    unsigned gpu_instance, compute_instance;
};

/* A value that NVML tells by number; `field` is asked for, the rest is the answer. */
enum { ORR_NVML_FIELD_POWER_INSTANT = 186, ORR_NVML_UNSIGNED = 1 };
struct orr_nvml_field {
    unsigned field, scope;
    long long timestamp, latency;
    orr_cu_enum type, error;
    union {
        double real;
        unsigned number;
        unsigned long long wide;
    } value;
};

/* CUPTI: a kind of activity, and the flag of a flush that waits for no record. */
enum { ORR_CUPTI_CONCURRENT_KERNEL = 10, ORR_CUPTI_FLUSH_FORCED = 1 };
/* Each record of a kernel begins so, from CUpti_ActivityKernel4 on. Times in nanoseconds; 0 where
 * there are none. */
struct orr_cupti_kernel {
    orr_cu_enum kind;
    uint32_t other[3];
    uint64_t start, end;
};
typedef void orr_cupti_request(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void orr_cupti_complete(struct CUctx_st *context, uint32_t stream, uint8_t *buffer,
                                size_t size, size_t used);
struct orr_cupti_record; /* a record of any kind, which begins with that */
#define ORR_CUPTI_FUNCTIONS(X)                                                    \
    X(version, cuptiGetVersion, (uint32_t * version))                             \
    X(error_string, cuptiGetResultString, (orr_cu_enum error, const char **text)) \
    X(callbacks, cuptiActivityRegisterCallbacks,                                  \
      (orr_cupti_request * request, orr_cupti_complete * complete))               \
    X(enable, cuptiActivityEnable, (orr_cu_enum kind))                            \
    X(disable, cuptiActivityDisable, (orr_cu_enum kind))                          \
    X(flush, cuptiActivityFlushAll, (uint32_t flag))
/* Its records have a type without a tag, which cannot be declared twice. */
#define ORR_CUPTI_RECORD_FUNCTIONS(X)   \
    X(next, cuptiActivityGetNextRecord, \
      (uint8_t * buffer, size_t used, struct orr_cupti_record * *record))

#define ORR_ABI_MEMBER(member, symbol, parameters) orr_cu_enum(*member) parameters;
struct orr_cuda_api {
    ORR_CUDA_FUNCTIONS(ORR_ABI_MEMBER)
    ORR_CUDA_OPTIONAL_FUNCTIONS(ORR_ABI_MEMBER)
};
struct orr_nvrtc_api {
    ORR_NVRTC_FUNCTIONS(ORR_ABI_MEMBER)
};
struct orr_nvml_api {
    ORR_NVML_FUNCTIONS(ORR_ABI_MEMBER)
    ORR_NVML_OPTIONAL_FUNCTIONS(ORR_ABI_MEMBER)
};
struct orr_cupti_api {
    ORR_CUPTI_FUNCTIONS(ORR_ABI_MEMBER)
    ORR_CUPTI_RECORD_FUNCTIONS(ORR_ABI_MEMBER)
};
#undef ORR_ABI_MEMBER

/* The functions of a library, such as a struct orr_cuda_api, or NULL with the reason (a constant or
 * kept text) in *why when it is not here. Loaded once. ORRERY_CUPTI names CUPTI's file; "off"
 * leaves it out. */
enum orr_cuda_library {
    ORR_CUDA_DRIVER,
    ORR_CUDA_NVRTC,
    ORR_CUDA_NVML,
    ORR_CUDA_CUPTI,
    ORR_CUDA_PROFILER /* of the same library; the reason says what to do about it */
};
const void *orr_cuda_library(enum orr_cuda_library which, const char **why);
/* "NVRTC 13.0", or "" without NVRTC. */
const char *orr_cuda_nvrtc_version(void);

/* --- CUPTI's range profiler (CUDA 12.6 and later): its host API, which plans for a chip that need
 * not be here, and its target API, which counts --- */

struct CUpti_Profiler_Host_Object;
struct CUpti_RangeProfiler_Object;

/* Every call takes one struct, which begins with its size. That is the size it had in CUDA 12.6,
 * which later versions take too: it ends with the member `last`. */
#define ORR_CUPTI_SIZE(type, last) (offsetof(struct type, last) + sizeof(((struct type *)0)->last))
#define ORR_CUPTI_PARAMS(type, last, ...) \
    ((struct type){.size = ORR_CUPTI_SIZE(type, last), __VA_ARGS__})

/* The same of CUptiResult, CUpti_ProfilerType, CUpti_ProfilerRange, CUpti_ProfilerReplayMode,
 * CUpti_Profiler_Support_Level and CUpti_Profiler_API. */
#define ORR_CUPTI_VALUES(X)                                                         \
    X(ORR_CUPTI_NOT_INITIALIZED, 15, CUPTI_ERROR_NOT_INITIALIZED)                   \
    X(ORR_CUPTI_HARDWARE_BUSY, 26, CUPTI_ERROR_HARDWARE_BUSY)                       \
    X(ORR_CUPTI_VIRTUALIZED, 33, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED)      \
    X(ORR_CUPTI_PRIVILEGES, 35, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)                \
    X(ORR_CUPTI_SUBSCRIBERS, 39, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)    \
    X(ORR_CUPTI_VIRTUALIZED_PRIVILEGES, 40,                                         \
      CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)                       \
    X(ORR_CUPTI_CONFIDENTIAL, 41, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED) \
    X(ORR_CUPTI_MIG, 43, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED)                      \
    X(ORR_CUPTI_WSL, 45, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED)                      \
    X(ORR_CUPTI_UNKNOWN, 999, CUPTI_ERROR_UNKNOWN)                                  \
    X(ORR_CUPTI_RANGE_PROFILER, 0, CUPTI_PROFILER_TYPE_RANGE_PROFILER)              \
    X(ORR_CUPTI_USER_RANGE, 2, CUPTI_UserRange)                                     \
    X(ORR_CUPTI_USER_REPLAY, 3, CUPTI_UserReplay)                                   \
    X(ORR_CUPTI_UNSUPPORTED, 1, CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)           \
    X(ORR_CUPTI_DISABLED, 2, CUPTI_PROFILER_CONFIGURATION_DISABLED)                 \
    X(ORR_CUPTI_RANGE_PROFILING, 0, CUPTI_PROFILER_RANGE_PROFILING)

enum { ORR_CUPTI_VALUES(ORR_ABI_VALUE) ORR_CUPTI_CHIP = 46 /* not in CUDA 12 */ };

/* Every one of these structs begins with its own size. */
#define ORR_CUPTI_HEAD \
    size_t size;       \
    void *priv

/* --- host API --- */

struct orr_cupti_initialize {
    ORR_CUPTI_HEAD;
};
struct orr_cupti_host_open {
    ORR_CUPTI_HEAD;
    orr_cu_enum type;
    const char *chip;
    const uint8_t *availability; /* NULL: of the chip, whatever the system allows */
    struct CUpti_Profiler_Host_Object *host;
};
struct orr_cupti_add_metrics {
    ORR_CUPTI_HEAD;
    struct CUpti_Profiler_Host_Object *host;
    const char **names;
    size_t count;
};
/* Also of host_close, up to `host`, and of image_size, up to `bytes`. */
struct orr_cupti_image {
    ORR_CUPTI_HEAD;
    struct CUpti_Profiler_Host_Object *host;
    size_t bytes;
    uint8_t *image;
};
struct orr_cupti_passes {
    ORR_CUPTI_HEAD;
    size_t bytes;
    uint8_t *image;
    size_t passes;
};
struct orr_cupti_evaluate {
    ORR_CUPTI_HEAD;
    struct CUpti_Profiler_Host_Object *host;
    const uint8_t *data;
    size_t data_bytes, range;
    const char **names;
    size_t count;
    double *values;
};

/* --- target API --- */

struct orr_cupti_chip_name {
    ORR_CUPTI_HEAD;
    size_t device;
    const char *chip;
};
struct orr_cupti_supported {
    ORR_CUPTI_HEAD;
    int device;
    orr_cu_enum all, architecture, sli, vgpu, confidential, cmp, wsl, api;
};
struct orr_cupti_availability {
    ORR_CUPTI_HEAD;
    struct CUctx_st *context;
    size_t bytes;
    uint8_t *image;
};
struct orr_cupti_range_enable {
    ORR_CUPTI_HEAD;
    struct CUctx_st *context;
    struct CUpti_RangeProfiler_Object *profiler;
};
struct orr_cupti_range_data_size {
    ORR_CUPTI_HEAD;
    struct CUpti_RangeProfiler_Object *profiler;
    const char **names;
    size_t count, most_ranges;
    uint32_t most_nodes;
    size_t bytes;
};
struct orr_cupti_range_data {
    ORR_CUPTI_HEAD;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t bytes;
    uint8_t *data;
};
struct orr_cupti_range_config {
    ORR_CUPTI_HEAD;
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
    ORR_CUPTI_HEAD;
    struct CUpti_RangeProfiler_Object *profiler;
    const char *name;
};
/* Also of disable, start and pop, up to `profiler`. */
struct orr_cupti_range_stop {
    ORR_CUPTI_HEAD;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t pass, level;
    uint8_t all_submitted;
};
struct orr_cupti_range_decode {
    ORR_CUPTI_HEAD;
    struct CUpti_RangeProfiler_Object *profiler;
    size_t dropped;
};
struct orr_cupti_range_info {
    ORR_CUPTI_HEAD;
    const uint8_t *data;
    size_t data_bytes, ranges;
};

/* X(member, symbol, our struct, the last member of CUDA 12.6, CUPTI's struct). */
#define ORR_CUPTI_PROFILER_FUNCTIONS(X)                                                  \
    X(initialize, cuptiProfilerInitialize, orr_cupti_initialize, priv,                   \
      CUpti_Profiler_Initialize_Params)                                                  \
    X(host_open, cuptiProfilerHostInitialize, orr_cupti_host_open, host,                 \
      CUpti_Profiler_Host_Initialize_Params)                                             \
    X(host_close, cuptiProfilerHostDeinitialize, orr_cupti_image, host,                  \
      CUpti_Profiler_Host_Deinitialize_Params)                                           \
    X(add_metrics, cuptiProfilerHostConfigAddMetrics, orr_cupti_add_metrics, count,      \
      CUpti_Profiler_Host_ConfigAddMetrics_Params)                                       \
    X(image_size, cuptiProfilerHostGetConfigImageSize, orr_cupti_image, bytes,           \
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
    X(disable, cuptiRangeProfilerDisable, orr_cupti_range_stop, profiler,                \
      CUpti_RangeProfiler_Disable_Params)                                                \
    X(data_size, cuptiRangeProfilerGetCounterDataSize, orr_cupti_range_data_size, bytes, \
      CUpti_RangeProfiler_GetCounterDataSize_Params)                                     \
    X(data, cuptiRangeProfilerCounterDataImageInitialize, orr_cupti_range_data, data,    \
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params)                            \
    X(config, cuptiRangeProfilerSetConfig, orr_cupti_range_config, level,                \
      CUpti_RangeProfiler_SetConfig_Params)                                              \
    X(start, cuptiRangeProfilerStart, orr_cupti_range_stop, profiler,                    \
      CUpti_RangeProfiler_Start_Params)                                                  \
    X(push, cuptiRangeProfilerPushRange, orr_cupti_range_push, name,                     \
      CUpti_RangeProfiler_PushRange_Params)                                              \
    X(pop, cuptiRangeProfilerPopRange, orr_cupti_range_stop, profiler,                   \
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

/* --- one GPU seen by several backends: its PCI address and UUID, and what NVML calls it --- */

struct orr_device_info;
enum { ORR_GPU_UUID_BYTES = 16 };

/* Fills info->pci from its domain, bus and slot, NULL: not known; and info->uuid: NVML's, which
 * names the whole GPU although a backend may name a MIG instance, else the backend's own 16 bytes
 * (NULL: none). */
void orr_device_identify(struct orr_device_info *info, const unsigned place[3],
                         const unsigned char *uuid);
/* NVML and its handle of the GPU at info->pci, whatever backend found it; NULL without. */
const struct orr_nvml_api *orr_device_nvml(const struct orr_device_info *info,
                                           struct nvmlDevice_st **out);

#endif
