#include "measure/access_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"

/* Who measures it: the ceilings of pairs, a kernel, or what moves and launches. */
enum means { CEILING, KERNEL, GROUPS, LAUNCH, TRANSFER };
static const struct kind {
    const char *name, *unit;
    enum means means;
    bool by_degree;
} kinds[] = {
    {"add", "operation", KERNEL, false},
    {"mul", "operation", KERNEL, false},
    {"fma", "operation", CEILING, false},
    {"rsqrt", "operation", KERNEL, false},
    {"fma-fp64", "operation", KERNEL, false},
    {"2d", "pair", CEILING, false},
    {"2d-both", "pair", CEILING, false},
    {"3d", "pair", CEILING, false},
    {"3d-both", "pair", CEILING, false},
    {"3d-node", "pair", CEILING, false},
    {"shared-load-broadcast", "word", KERNEL, false},
    {"shared-load", "word", KERNEL, false},
    {"shared-load-128", "word", KERNEL, false},
    {"shared-store", "word", KERNEL, false},
    {"shared-update-plain", "update", KERNEL, true},
    {"shared-atomic-float", "update", KERNEL, true},
    {"shared-atomic-float-cas", "update", KERNEL, true},
    {"shared-atomic-int", "update", KERNEL, true},
    {"shared-atomic-int-cas", "update", KERNEL, true},
    {"global-load", "word", KERNEL, false},
    {"global-store", "word", KERNEL, false},
    {"global-atomic-float", "update", KERNEL, true},
    {"global-atomic-float-cas", "update", KERNEL, true},
    {"global-atomic-int", "update", KERNEL, true},
    {"l2", "byte", KERNEL, false},
    {"dram", "byte", KERNEL, false},
    {"shuffle", "shuffle", KERNEL, false},
    {"barrier", "barrier", KERNEL, false},
    {"latency-issue", "step", KERNEL, false},
    {"latency-fma", "step", KERNEL, false},
    {"latency-rsqrt", "step", KERNEL, false},
    {"latency-shared-load", "step", KERNEL, false},
    {"latency-shared-update-plain", "step", KERNEL, true},
    {"latency-shared-atomic-float", "step", KERNEL, true},
    {"latency-shared-atomic-float-cas", "step", KERNEL, true},
    {"latency-shared-atomic-int", "step", KERNEL, true},
    {"latency-l1", "step", KERNEL, false},
    {"latency-l2", "step", KERNEL, false},
    {"latency-dram", "step", KERNEL, false},
    {"latency-global-atomic-float-cas", "step", KERNEL, true},
    {"latency-global-atomic-int", "step", KERNEL, true},
    {"latency-barrier", "step", KERNEL, false},
    {"group", "group", GROUPS, false},
    {"launch", "launch", LAUNCH, false},
    {"to-device-pageable", "byte", TRANSFER, false},
    {"to-device-pinned", "byte", TRANSFER, false},
    {"from-device-pageable", "byte", TRANSFER, false},
    {"from-device-pinned", "byte", TRANSFER, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A rate may be above the documented one by so much: the clock moves between two readings. */
static const double tolerance = 1.1;

const char *orr_access_kind(size_t place)
{
    return place < KINDS ? kinds[place].name : NULL;
}

static const struct kind *find(const char *name)
{
    for (size_t k = 0; k < KINDS; k++)
        if (!strcmp(kinds[k].name, name))
            return &kinds[k];
    return NULL;
}

static bool is_host(const struct orr_access_meter *access)
{
    return !strcmp(access->device->info.backend, "host");
}

struct orr_span orr_access_span(const struct orr_access_meter *access)
{
    return (struct orr_span){.loops = 1,
                             .most = 1L << 24,
                             .spans = access->wish.quick ? 2 : 4,
                             .span_s = orr_span_seconds(access->wish.quick ? 4e-3 : 20e-3)};
}

/* --- open and close --- */

int orr_access_open(struct orr_access_meter **out, struct orr_device *device,
                    const struct orr_access_wish *wish)
{
    struct orr_access_meter *access = calloc(1, sizeof *access);
    int code = 0;
    *out = NULL;
    if (!access)
        return orr_fail(ORR_EMEMORY, "no memory for access ceilings");
    access->device = device;
    access->wish = *wish;
    if (!is_host(access))
        code = orr_access_prepare_kernels(access);
    if (!code)
        code = orr_sensors_start(&access->sensors, &device->info, ORR_SENSORS_PERIOD_S);
    if (code)
        orr_access_close(access);
    else
        *out = access;
    return code;
}

json_t *orr_access_sensors(struct orr_access_meter *access)
{
    json_t *seen = orr_sensors_stop(access->sensors);
    access->sensors = NULL;
    return seen;
}

void orr_access_close(struct orr_access_meter *access)
{
    if (!access)
        return;
    json_decref(orr_access_sensors(access));
    orr_free(access->device, access->out);
    orr_drop(access->device, access->program);
    free(access->results);
    free(access);
}

/* --- one kind --- */

int orr_access_of_ceiling(struct orr_access_meter *access, const char *kind, double *rate)
{
    int code =
        access->has_ceiling ? 0 : orr_ceiling_measure(access->device, &access->ceiling, NULL);
    access->has_ceiling = !code;
    *rate = access->ceiling.fma_per_second;
    for (int k = ORR_CEILING_FIRST_PAIR; k < ORR_CEILING_KINDS; k++)
        if (!strcmp(kind, orr_ceiling_name(k)))
            *rate = access->ceiling.pairs[k];
    return code;
}

static int measure(struct orr_access_meter *access, const struct kind *kind, int degree,
                   double *rate)
{
    if (kind->means == CEILING)
        return orr_access_of_ceiling(access, kind->name, rate);
    if (is_host(access))
        return orr_access_on_host(access, kind->name, degree, rate);
    if (kind->means == GROUPS)
        return orr_access_groups(access, rate);
    if (kind->means == LAUNCH)
        return orr_access_launch(access, rate);
    if (kind->means == TRANSFER)
        return orr_access_transfer(access, !strncmp(kind->name, "to-", 3),
                                   strstr(kind->name, "pinned") != NULL, rate);
    return orr_access_by_kernel(access, kind->name, degree, rate);
}

/* While it was measured; 0 where no sensor tells. */
static double clock_since(struct orr_access_meter *access, double start)
{
    json_t *seen = orr_sensors_since(access->sensors, start);
    double mhz = orr_json_number(seen, "clock_mhz");
    json_decref(seen);
    return mhz;
}

static int check_limit(const struct orr_access_meter *access, const char *kind, double rate,
                       double mhz)
{
    const struct orr_device_info *info = &access->device->info;
    double limit = orr_access_limit(info, kind, mhz > 0 ? mhz : info->clock_mhz);
    return rate > tolerance * limit
               ? orr_fail(ORR_EWRONG,
                          "%.4g a second are above the %.4g that this chip is documented to do",
                          rate, limit)
               : 0;
}

static json_t *to_json(const struct kind *kind, int degree, double rate, const char *reason)
{
    return reason ? json_pack("{s:s, s:i, s:s, s:s}", "kind", kind->name, "degree", degree, "unit",
                              kind->unit, "reason", *reason ? reason : "failed without a message")
                  : json_pack("{s:s, s:i, s:s, s:f, s:s}", "kind", kind->name, "degree", degree,
                              "unit", kind->unit, "rate", rate, "check", "ok");
}

static json_t *measure_degree(struct orr_access_meter *access, const struct kind *kind, int degree)
{
    double rate = 0, start = orr_clock_now();
    orr_error_clear();
    int code = access->device->lost ? orr_fail(ORR_EDEVICE, "the device is lost")
                                    : measure(access, kind, degree, &rate);
    double mhz = clock_since(access, start);
    if (!code)
        code = check_limit(access, kind->name, rate, mhz);
    json_t *out = to_json(kind, degree, rate, code ? orr_error_text() : NULL);
    if (out && mhz > 0)
        json_object_set_new(out, "clock_mhz", json_real(mhz));
    return out;
}

/* Calls for each degree of the kind. */
static json_t *each_degree(struct orr_access_meter *access, const char *name, const char *reason)
{
    const struct kind *kind = find(name);
    json_t *out = kind ? json_array() : NULL;
    for (int degree = 1; out && degree <= (kind->by_degree ? ORR_ACCESS_LANES : 1); degree *= 2) {
        json_t *rate =
            access ? measure_degree(access, kind, degree) : to_json(kind, degree, 0, reason);
        if (json_array_append_new(out, rate)) {
            json_decref(out);
            out = NULL;
        }
    }
    if (!out)
        orr_fail(kind ? ORR_EMEMORY : ORR_EUSAGE, "cannot tell the rates of '%s'", name);
    return out;
}

json_t *orr_access_measure(struct orr_access_meter *access, const char *kind)
{
    return each_degree(access, kind, NULL);
}

json_t *orr_access_refuse(const char *kind, const char *reason)
{
    return each_degree(NULL, kind, reason);
}
