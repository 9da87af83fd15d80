/* SPDX-License-Identifier: MIT */
/* Helpers of the backends: kernels that were built, ids, compilers' logs and times of phases. */
#include "device/backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

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

void orr_backend_clear_spans(struct orr_spans *spans)
{
    memset(&spans->times, 0, sizeof spans->times);
    spans->times.kernels_s = NAN;
    spans->current = -1;
}

int orr_backend_select_phase(struct orr_spans *spans, const char *name)
{
    spans->current = -1;
    if (!name)
        return 0;
    struct orr_times *times = &spans->times;
    for (int k = 0; k < times->phase_count; k++)
        if (!strncmp(times->phases[k].name, name, sizeof times->phases[k].name - 1)) {
            spans->current = k;
            return 0;
        }
    if (times->phase_count == ORR_MAX_PHASES)
        return orr_fail(ORR_EINTERNAL, "more than %d phases in one step; the last is '%s'",
                        ORR_MAX_PHASES, name);
    spans->current = times->phase_count++;
    snprintf(times->phases[spans->current].name, sizeof times->phases[0].name, "%s", name);
    return 0;
}

void orr_backend_add_span(struct orr_spans *spans, int phase, double seconds)
{
    if (phase >= 0)
        spans->times.phases[phase].seconds += seconds;
}
