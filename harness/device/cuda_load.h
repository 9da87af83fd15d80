/* The libraries of an NVIDIA system, loaded at run time: driver API, NVRTC, NVML. */
#ifndef ORR_CUDA_LOAD_H
#define ORR_CUDA_LOAD_H

#include "device/cuda_abi.h"

/* The libraries, or NULL with the reason in *why (a constant or kept text) when one is not here.
 * Loaded once. */
const struct orr_cuda_api *orr_cuda_load(const char **why);
const struct orr_nvrtc_api *orr_cuda_load_nvrtc(const char **why);
const struct orr_nvml_api *orr_cuda_load_nvml(const char **why);
/* "NVRTC 13.0", or "" without NVRTC. */
const char *orr_cuda_nvrtc_version(void);

#endif
