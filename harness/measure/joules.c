/* SPDX-License-Identifier: MIT */
/* Energy of a window of time, by the counter of a GPU or of the processors. */
#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "device/cuda_abi.h"
#include "error.h"
#include "measure/sensors.h"
#include "memory.h"

/* --- windows --- */

/* Power is read as often as makes its integral good to a percent of half a second. */
static const double PERIOD_S = 0.01;

struct orr_joules {
    struct orr_device_info info;
    const struct orr_nvml_api *nvml; /* NULL: RAPL */
    struct nvmlDevice_st *gpu;
    struct orr_rapl rapl;
    struct orr_sensors *sensors; /* within a window of a GPU */
    double joules, at;           /* the counter when the window began */
};

/* The counter, and the middle of the time that reading it took. */
static double read_counter(struct orr_joules *j, double *at)
{
    unsigned long long millijoule;
    double start = orr_clock_now(), joules;
    if (j->nvml)
        joules = j->nvml->energy(j->gpu, &millijoule) ? NAN : 1e-3 * (double)millijoule;
    else
        joules = orr_sensors_read_rapl(&j->rapl);
    *at = 0.5 * (start + orr_clock_now());
    return joules;
}

static int find_gpu(struct orr_joules *j)
{
    double at;
    const char *why = "";
    j->nvml = orr_device_nvml(&j->info, &j->gpu);
    if (!j->nvml)
        return orr_fail(ORR_EUNSUPPORTED, "no energy counter: %s",
                        orr_cuda_load_nvml(&why) ? "NVML does not know this GPU" : why);
    if (!j->nvml->energy || isnan(read_counter(j, &at)))
        return orr_fail(ORR_EUNSUPPORTED, "this GPU or its driver counts no energy");
    return 0;
}

int orr_joules_open(struct orr_joules **out, const struct orr_device_info *info)
{
    struct orr_joules *j = orr_memory_get(sizeof *j);
    *out = NULL;
    j->info = *info;
    int code = info->kind == ORR_DEVICE_GPU ? find_gpu(j)
               : info->kind == ORR_DEVICE_OTHER
                   ? orr_fail(ORR_EUNSUPPORTED, "no energy counter is known for such a device")
                   : orr_sensors_find_rapl(&j->rapl);
    if (code)
        free(j);
    else
        *out = j;
    return code;
}

const char *orr_joules_counter(const struct orr_joules *j)
{
    return j->nvml ? "nvml" : "rapl";
}

void orr_joules_begin(struct orr_joules *j)
{
    if (j->nvml)
        j->sensors = orr_sensors_start(&j->info, PERIOD_S);
    j->joules = read_counter(j, &j->at);
}

int orr_joules_end(struct orr_joules *j, struct orr_joules_window *out)
{
    double at, joules = read_counter(j, &at);
    *out = (struct orr_joules_window){.seconds = at - j->at,
                                      .joules = joules - j->joules,
                                      .integrated = orr_sensors_joules(j->sensors, j->at, at)};
    json_decref(orr_sensors_stop(j->sensors));
    j->sensors = NULL;
    if (isfinite(out->joules) && out->joules >= 0)
        return 0;
    return orr_fail(ORR_EDEVICE, "the energy counter cannot be read any more");
}

void orr_joules_close(struct orr_joules *j)
{
    if (j)
        json_decref(orr_sensors_stop(j->sensors));
    free(j);
}
