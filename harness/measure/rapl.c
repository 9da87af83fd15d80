#include "measure/rapl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

#define FOLDER "/sys/class/powercap/intel-rapl:"
enum { MAX_PACKAGES = 16, MAX_PARTS = 8 };

/* NAN with errno where there is none. */
static double number_in(const char *path)
{
    double value;
    FILE *file = fopen(path, "r");
    if (!file)
        return NAN;
    if (fscanf(file, "%lf", &value) != 1) {
        value = NAN;
        errno = EIO;
    }
    fclose(file);
    return value;
}

/* "package-0", "dram", "core", "psys" ...; "" where there is no such zone. */
static void name_of(char out[32], const char *zone)
{
    char path[96];
    *out = '\0';
    snprintf(path, sizeof path, "%s/name", zone);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    if (fscanf(file, "%31s", out) != 1)
        *out = '\0';
    fclose(file);
}

static int add(struct orr_rapl *out, const char *zone)
{
    char path[96];
    if (out->count == ORR_RAPL_ZONES)
        return 0;
    snprintf(path, sizeof path, "%s/max_energy_range_uj", zone);
    double range = number_in(path);
    snprintf(path, sizeof path, "%s/energy_uj", zone);
    double now = number_in(path);
    if (isnan(now) || isnan(range))
        return orr_fail(ORR_EUNSUPPORTED, "%s: %s%s", path, strerror(errno),
                        errno == EACCES ? "; only root may read it by default" : "");
    snprintf(out->zones[out->count].path, sizeof out->zones->path, "%s", path);
    out->zones[out->count].last = now;
    out->zones[out->count++].range = range;
    return 0;
}

/* A package holds its cores and what else is on it; its memory, where counted, stands apart. */
static int add_package(struct orr_rapl *out, int package)
{
    char zone[64], name[32];
    snprintf(zone, sizeof zone, FOLDER "%d", package);
    int code = add(out, zone);
    for (int part = 0; !code && part < MAX_PARTS; part++) {
        snprintf(zone, sizeof zone, FOLDER "%d:%d", package, part);
        name_of(name, zone);
        if (!*name)
            break;
        if (!strcmp(name, "dram"))
            code = add(out, zone);
    }
    return code;
}

int orr_rapl_find(struct orr_rapl *out)
{
    int code = 0;
    *out = (struct orr_rapl){0};
    for (int package = 0; !code && package < MAX_PACKAGES; package++) {
        char zone[64], name[32];
        snprintf(zone, sizeof zone, FOLDER "%d", package);
        name_of(name, zone);
        if (!*name)
            break;
        if (!strncmp(name, "package", strlen("package"))) /* "psys" holds the packages, too */
            code = add_package(out, package);
    }
    if (code)
        out->count = 0; /* a part of the energy is none */
    else if (!out->count)
        code = orr_fail(ORR_EUNSUPPORTED,
                        "this machine shows no energy of its processors in /sys/class/powercap");
    return code;
}

double orr_rapl_read(struct orr_rapl *rapl)
{
    for (int k = 0; k < rapl->count; k++) {
        double now = number_in(rapl->zones[k].path), spent = now - rapl->zones[k].last;
        if (isnan(now))
            return NAN;
        rapl->joules += 1e-6 * (spent >= 0 ? spent : spent + rapl->zones[k].range);
        rapl->zones[k].last = now;
    }
    return rapl->count ? rapl->joules : NAN;
}
