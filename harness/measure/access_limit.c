/* Documented rates of NVIDIA's chips: "Throughput of Native Arithmetic Instructions" and "Shared
 * Memory" of the CUDA C++ Programming Guide, by compute capability. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/access_parts.h"

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

static const struct chip *find(const char *capability)
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
    const struct chip *chip = find(capability);
    return chip ? chip->fp32 : NAN;
}

double orr_access_limit(const struct orr_device_info *info, const char *kind, double clock_mhz)
{
    const struct chip *chip = find(info->capability);
    if (!chip || !(clock_mhz > 0))
        return NAN;
    if (!strncmp(kind, "latency-", 8)) /* no step of a chain is shorter than a clock */
        return clock_mhz * 1e6;
    if (!strcmp(kind, "dram") && info->memory_rate > 0)
        return info->memory_rate;
    return of_kind(chip, kind) * info->compute_units * clock_mhz * 1e6;
}
