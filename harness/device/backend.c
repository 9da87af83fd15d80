/* SPDX-License-Identifier: MIT */
/* What the backends share of building kernels: the list of those built, and compilers' messages. */
#include "device/backend.h"

#include <string.h>

void orr_backend_record(struct orr_device *device, const struct orr_kernel_info *info)
{
    for (int k = 0; k < device->kernel_count; k++)
        if (!strcmp(device->kernels[k].name, info->name) &&
            !strcmp(device->kernels[k].defines, info->defines))
            return;
    if (device->kernel_count < ORR_MAX_KERNELS)
        device->kernels[device->kernel_count++] = *info;
}

const char *orr_backend_first_error(char *log)
{
    char *best = log + strspn(log, " \t\r\n");
    char *error = strstr(log, "error");
    if (error) {
        while (error > log && error[-1] != '\n')
            error--;
        best = error;
    }
    best[strcspn(best, "\r\n")] = '\0';
    return *best ? best : "the compiler gave no message";
}
