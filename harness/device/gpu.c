#include "device/gpu.h"

#include <stdio.h>
#include <string.h>

void orr_gpu_set_pci(struct orr_device_info *info, unsigned domain, unsigned bus, unsigned slot)
{
    snprintf(info->pci, sizeof info->pci, "%08x:%02x:%02x.0", domain, bus & 0xff, slot & 0xff);
}

void orr_gpu_set_uuid(struct orr_device_info *info, const unsigned char *bytes)
{
    struct nvmlDevice_st *gpu;
    const struct orr_nvml_api *nvml = orr_gpu_nvml(info, &gpu);
    if (nvml && nvml->uuid && !nvml->uuid(gpu, info->uuid, sizeof info->uuid - 1))
        return;
    info->uuid[0] = '\0';
    if (!bytes)
        return;
    size_t used = (size_t)snprintf(info->uuid, sizeof info->uuid, "GPU");
    for (int k = 0; k < ORR_GPU_UUID_BYTES; k++)
        used +=
            (size_t)snprintf(info->uuid + used, sizeof info->uuid - used, "%s%02x",
                             k == 0 || k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", bytes[k]);
}

const struct orr_nvml_api *orr_gpu_nvml(const struct orr_device_info *info,
                                        struct nvmlDevice_st **out)
{
    const struct orr_nvml_api *nvml = info->pci[0] ? orr_cuda_load_nvml(NULL) : NULL;
    return nvml && !nvml->by_pci(info->pci, out) ? nvml : NULL;
}
