/* One GPU seen by several backends: its PCI address and UUID, and what NVML calls it. */
#ifndef ORR_GPU_H
#define ORR_GPU_H

#include "device/cuda_abi.h"
#include "device/device.h"

enum { ORR_GPU_UUID_BYTES = 16 };

/* Fills info->pci. */
void orr_gpu_set_pci(struct orr_device_info *info, unsigned domain, unsigned bus, unsigned slot);
/* Fills info->uuid, after info->pci: NVML's, which names the whole GPU although a backend may name
 * a MIG instance, else the backend's own 16 bytes (NULL: none). */
void orr_gpu_set_uuid(struct orr_device_info *info, const unsigned char *bytes);
/* NVML and its handle of the GPU at info->pci, whatever backend found it; NULL without. */
const struct orr_nvml_api *orr_gpu_nvml(const struct orr_device_info *info,
                                        struct nvmlDevice_st **out);

#endif
