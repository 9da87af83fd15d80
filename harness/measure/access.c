/* SPDX-License-Identifier: MIT */
/* The cost of each kind of access on a device: which kinds there are, what NVIDIA documents of
 * them, and groups, launches and transfers, which no kernel measures by itself. */
#include "measure/access.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"

/* Units with the kinds that are counted in them, in the order in which they are measured. */
enum { MOST_KINDS = 14 };
static const struct unit {
    const char *name, *kinds[MOST_KINDS];
} units[] = {
    {"operation", {"add", "mul", "fma", "rsqrt", "fma-fp64"}},
    {"pair", {"2d", "2d-both", "3d", "3d-both", "3d-node"}},
    {"word", {"shared-load-broadcast", "shared-load", "shared-load-128", "shared-store"}},
    {"update",
     {"shared-update-plain", "shared-atomic-float", "shared-atomic-float-cas", "shared-atomic-int",
      "shared-atomic-int-cas"}},
    {"word", {"global-load", "global-store"}},
    {"update", {"global-atomic-float", "global-atomic-float-cas", "global-atomic-int"}},
    {"byte", {"l2", "dram"}},
    {"shuffle", {"shuffle"}},
    {"barrier", {"barrier"}},
    {"step",
     {"latency-issue", "latency-fma", "latency-rsqrt", "latency-shared-load",
      "latency-shared-update-plain", "latency-shared-atomic-float",
      "latency-shared-atomic-float-cas", "latency-shared-atomic-int", "latency-l1", "latency-l2",
      "latency-dram", "latency-global-atomic-float-cas", "latency-global-atomic-int",
      "latency-barrier"}},
    {"group", {"group"}},
    {"launch", {"launch"}},
    {"byte",
     {"to-device-pageable", "to-device-pinned", "from-device-pageable", "from-device-pinned"}},
};
enum { UNITS = sizeof units / sizeof *units };

/* --- documented rates --- */

/* NVIDIA documents them by compute capability: "Throughput of Native Arithmetic Instructions" and
 * "Shared Memory" of the CUDA C++ Programming Guide. */

/* Results of a multiprocessor a clock. */
struct chip {
    int capability; /* ten times */
    double fp32, fp64;
};
static const struct chip chips[] = {
    {70, 64, 32}, {72, 64, 32},  {75, 64, 2},    {80, 64, 32},  {86, 128, 2},  {87, 128, 2},
    {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {103, 128, 2}, {120, 128, 2}, {121, 128, 2},
};

/* The same on all of these. */
enum {
    SPECIAL = 16,     /* rsqrt */
    BANKS = 32,       /* words of shared memory */
    SHUFFLES = 32,    /* lanes */
    FIRST_LEVEL = 32, /* words that lanes load, store or update through the first-level cache */
    SECOND_LEVEL = 64 /* bytes between it and the second level */
};

static const struct chip *find_chip(const char *capability)
{
    int wanted = (int)lround(10 * strtod(capability, NULL));
    for (size_t k = 0; k < sizeof chips / sizeof *chips; k++)
        if (chips[k].capability == wanted)
            return &chips[k];
    return NULL;
}

static double of_kind(const struct chip *chip, const char *kind)
{
    const struct {
        const char *begin; /* of the kind's name */
        double rate;
    } table[] = {{"add", chip->fp32},
                 {"mul", chip->fp32},
                 {"fma-fp64", chip->fp64},
                 {"fma", chip->fp32},
                 {"rsqrt", SPECIAL},
                 {"3d-node", chip->fp32 / 33}, /* pairs, by their operations but the root */
                 {"3d-both", 2 * chip->fp32 / 19},
                 {"3d", chip->fp32 / 13},
                 {"2d-both", 2 * chip->fp32 / 12},
                 {"2d", chip->fp32 / 9},
                 {"shared-update-plain", BANKS / 2.0}, /* each is a load and a store */
                 {"shared-", BANKS},
                 {"global-", FIRST_LEVEL},
                 {"l2", SECOND_LEVEL},
                 {"dram", SECOND_LEVEL},
                 {"shuffle", SHUFFLES},
                 {"group", 1}}; /* none without an instruction of its own */
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (!strncmp(kind, table[k].begin, strlen(table[k].begin)))
            return table[k].rate;
    return NAN;
}

double orr_access_lanes(const char *capability)
{
    const struct chip *chip = find_chip(capability);
    return chip ? chip->fp32 : NAN;
}

double orr_access_limit(const struct orr_device_info *info, const char *kind, double clock_mhz)
{
    const struct chip *chip = find_chip(info->capability);
    if (!chip || !(clock_mhz > 0))
        return NAN;
    if (!strncmp(kind, "latency-", 8)) /* no step of a chain is shorter than a clock */
        return clock_mhz * 1e6;
    if (!strcmp(kind, "dram") && info->memory_rate > 0)
        return info->memory_rate;
    return of_kind(chip, kind) * info->compute_units * clock_mhz * 1e6;
}

/* --- transfers --- */

struct transfer {
    struct orr_device *device;
    struct orr_buffer *buffer;
    unsigned char *memory; /* the host's */
    size_t bytes;
    bool to_device;
};

static int run_transfers(void *context, long loops, double *seconds)
{
    struct transfer *t = context;
    struct orr_device *device = t->device;
    int code = orr_sync(device);
    const double start = orr_clock_now();
    for (long k = 0; k < loops && !code; k++)
        code = t->to_device ? orr_upload(device, t->buffer, t->memory, t->bytes)
                            : orr_download(device, t->memory, t->buffer, t->bytes);
    if (!code)
        code = orr_sync(device);
    *seconds = orr_clock_now() - start;
    return code;
}

static unsigned char pattern(size_t k)
{
    return (unsigned char)(k * 2654435761u >> 13);
}

/* The pattern lies at the end that it is moved from; the other is zero. */
static int begin_transfer(struct transfer *t)
{
    for (size_t k = 0; k < t->bytes; k++)
        t->memory[k] = pattern(k);
    if (t->to_device)
        return orr_fill(t->device, t->buffer, 0, t->bytes);
    int code = orr_upload(t->device, t->buffer, t->memory, t->bytes);
    memset(t->memory, 0, t->bytes);
    return code;
}

static int check_transfer(struct transfer *t)
{
    int code = 0;
    if (t->to_device) {
        memset(t->memory, 0, t->bytes);
        code = orr_download(t->device, t->memory, t->buffer, t->bytes);
    }
    for (size_t k = 0; !code && k < t->bytes; k++)
        if (t->memory[k] != pattern(k))
            code =
                orr_fail(ORR_EWRONG, "byte %zu of %zu is not the one that was sent", k, t->bytes);
    return code;
}

static int measure_transfer(struct orr_access_meter *access, bool to_device, bool pinned,
                            double *rate)
{
    struct orr_device *device = access->device;
    struct transfer t = {.device = device,
                         .bytes = (size_t)(access->options.quick ? 4 : 64) << 20,
                         .to_device = to_device};
    struct orr_span span = access->span;
    struct orr_pinned held = {0};
    double seconds = 0;
    if (pinned && !device->ops->pin)
        return orr_fail(ORR_EUNSUPPORTED, "it pins no memory of the host");
    span.run = run_transfers;
    span.context = &t;
    int code = pinned ? device->ops->pin(device, &held, t.bytes) : 0;
    t.memory = pinned ? held.memory : orr_memory_get(t.bytes);
    if (!code)
        code = orr_alloc(device, &t.buffer, t.bytes);
    if (!code)
        code = begin_transfer(&t);
    if (!code)
        code = orr_ceiling_span(&span, &seconds);
    if (!code)
        code = check_transfer(&t);
    orr_free(device, t.buffer);
    if (pinned)
        device->ops->unpin(device, &held);
    else
        free(t.memory);
    *rate = (double)t.bytes * (double)span.loops / seconds;
    return code;
}

/* A rate may be above the documented one by so much: the clock moves between two readings. */
static const double tolerance = 1.1;

const char *orr_access_kind(size_t place)
{
    for (size_t u = 0; u < UNITS; u++)
        for (size_t k = 0; k < MOST_KINDS && units[u].kinds[k]; k++)
            if (!place--)
                return units[u].kinds[k];
    return NULL;
}

/* NULL where there is no such kind. */
static const char *unit_of(const char *kind)
{
    for (size_t u = 0; u < UNITS; u++)
        for (size_t k = 0; k < MOST_KINDS && units[u].kinds[k]; k++)
            if (!strcmp(units[u].kinds[k], kind))
                return units[u].name;
    return NULL;
}

static bool is_host(const struct orr_access_meter *access)
{
    return !strcmp(access->device->info.backend, "host");
}

/* --- open and close --- */

int orr_access_open(struct orr_access_meter **out, struct orr_device *device,
                    const struct orr_access_options *options)
{
    struct orr_access_meter *access = orr_memory_get(sizeof *access);
    int code = 0;
    *out = NULL;
    access->device = device;
    access->options = *options;
    access->span = (struct orr_span){.loops = 1,
                                     .most = 1L << 24,
                                     .spans = options->quick ? 2 : 4,
                                     .span_s = options->quick ? 4e-3 : 20e-3};
    if (!is_host(access))
        code = orr_access_prepare_kernels(access);
    if (code) {
        json_decref(orr_access_close(access));
        return code;
    }
    access->sensors = orr_sensors_start(&device->info, ORR_SENSORS_PERIOD_S);
    *out = access;
    return 0;
}

json_t *orr_access_close(struct orr_access_meter *access)
{
    json_t *seen = orr_sensors_stop(access ? access->sensors : NULL);
    if (!access)
        return seen;
    orr_free(access->device, access->out);
    orr_drop(access->device, access->program);
    free(access->results);
    free(access);
    return seen;
}

/* --- one kind --- */

static int measure_ceiling(struct orr_access_meter *access, const char *kind, double *rate)
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

static int measure_kind(struct orr_access_meter *access, const char *kind, int degree, double *rate)
{
    if (!strcmp(unit_of(kind), "pair") || !strcmp(kind, "fma"))
        return measure_ceiling(access, kind, rate);
    if (is_host(access))
        return orr_access_on_host(access, kind, degree, rate);
    if (strstr(kind, "-device-"))
        return measure_transfer(access, !strncmp(kind, "to-", 3), strstr(kind, "pinned") != NULL,
                                rate);
    return orr_access_by_kernel(access, kind, degree, rate);
}

static json_t *to_json(const char *kind, int degree, double rate, const char *reason)
{
    const char *unit = unit_of(kind);
    return reason ? json_pack("{s:s, s:i, s:s, s:s}", "kind", kind, "degree", degree, "unit", unit,
                              "reason", *reason ? reason : "failed without a message")
                  : json_pack("{s:s, s:i, s:s, s:f, s:s}", "kind", kind, "degree", degree, "unit",
                              unit, "rate", rate, "check", "ok");
}

static json_t *measure_degree(struct orr_access_meter *access, const char *kind, int degree)
{
    const struct orr_device_info *info = &access->device->info;
    double rate = 0, start = orr_clock_now();
    orr_error_clear();
    int code = access->device->lost ? orr_fail(ORR_EDEVICE, "the device is lost")
                                    : measure_kind(access, kind, degree, &rate);
    json_t *seen = orr_sensors_since(access->sensors, start);
    const double mhz = orr_json_number(seen, "clock_mhz"); /* 0 where no sensor tells */
    json_decref(seen);
    const double limit = orr_access_limit(info, kind, mhz > 0 ? mhz : info->clock_mhz);
    if (!code && rate > tolerance * limit)
        code = orr_fail(ORR_EWRONG,
                        "%.4g a second are above the %.4g that this chip is documented to do", rate,
                        limit);
    json_t *out = to_json(kind, degree, rate, code ? orr_error_text() : NULL);
    if (mhz > 0)
        json_object_set_new(out, "clock_mhz", json_real(mhz));
    return out;
}

/* Calls for each degree of the kind: lanes may update one word together. */
json_t *orr_access_measure(struct orr_access_meter *access, const char *kind, const char *reason)
{
    if (!unit_of(kind)) {
        orr_fail(ORR_EUSAGE, "cannot tell the rates of '%s'", kind);
        return NULL;
    }
    json_t *out = json_array();
    const int most = strstr(kind, "-update-") || strstr(kind, "-atomic-") ? ORR_ACCESS_LANES : 1;
    for (int degree = 1; degree <= most; degree *= 2)
        json_array_append_new(out, access ? measure_degree(access, kind, degree)
                                          : to_json(kind, degree, 0, reason));
    return out;
}
