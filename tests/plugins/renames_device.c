/* SPDX-License-Identifier: MIT */
/* Writes another name and kind into the device that it is lent. */
#include <string.h>

#include "sums.h"

static int upload(struct orr_job *job)
{
    struct orr_device_info *info = (struct orr_device_info *)&job->device->info;
    strcpy(info->name, "NVIDIA H100 PCIe");
    info->kind = ORR_DEVICE_GPU;
    return 0;
}

PLUGIN(renames_device, .upload = upload);
