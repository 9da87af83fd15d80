/* SPDX-License-Identifier: MIT */
#include "datasets/dataset.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datasets/boxes.h"
#include "error.h"
#include "names.h"

/* Every data set: a new one is a generator and a row here. */
static const struct orr_dataset sets[] = {
    {"random-3d",
     "uniform in a cube of side 2, random velocities and masses (Fujiwara & Nakasato 2009, section "
     "V)",
     3, 100000, 1, 100000000, 1, false, 0, 0.01, 0.01, orr_dataset_random_3d},
    {"figure-eight-3",
     "three Plummer galaxies on the figure-eight orbit; a reconstruction of Fujiwara & Nakasato's "
     "input",
     3, 7500, 3, 30000000, 3, false, 0, 0.1, 1.0 / 64, orr_dataset_figure_eight_3},
    {"figure-eight-4",
     "four Plummer galaxies on the super-eight orbit; a reconstruction of Fujiwara & Nakasato's "
     "input",
     3, 10000, 4, 40000000, 4, false, 0, 0.1, 1.0 / 64, orr_dataset_figure_eight_4},
    {"cartwheel",
     "intruder through a disk galaxy along its axis x; a ring from 120 steps, clearest at 200; a "
     "reconstruction",
     3, 18000, 3, 100000000, 1, false, 0, 0.01, 1.0 / 128, orr_dataset_cartwheel},
    {"plummer", "Plummer's model in virial units (M = 1, E = -1/4), truncated at 0.99 of the mass",
     3, 100000, 1, 1000000000, 1, false, 0, 0.01, 1.0 / 128, orr_dataset_plummer},
    /* The paper's tests of accuracy are without softening, hence eps = 0; dt is that of merger. */
    {"milky-way",
     "bulge, disk and halo after Widrow & Dubinski (2005), a reconstruction; masses of one body "
     "1:1:4",
     3, 100000, 3, 100000000, 1, false, 0, 0, 1.0 / 64, orr_dataset_milky_way},
    {"milky-way-numbers",
     "the same galaxy with numbers of bodies in bulge, disk and halo 1:1:4, the other reading of "
     "the paper",
     3, 100000, 3, 100000000, 1, false, 0, 0, 1.0 / 64, orr_dataset_milky_way_numbers},
    /* eps resolves the bulges, half of whose mass lies within 0.6 kpc; dt is a fiftieth of an orbit
     * at eps. 8192 bodies then keep their energy within 2e-5 for 2048 steps, through the encounter;
     * with dt = 1/32 it drifts by 4e-5 in 32. */
    {"merger", "two galaxies of milky-way on a parabolic orbit, 100 kpc apart; a reconstruction", 3,
     800000, 6, 100000000, 2, false, 0, 0.1, 1.0 / 64, orr_dataset_merger},
    {"uniform-2d", "uniform in a square of side 2048, at rest, masses 0.1 to 100 (Feng & Romero)",
     2, 10000, 1, 1000000000, 1, false, 0, 1, 0.05, orr_dataset_uniform_2d},
    {"uniform-boxes",
     "equally many bodies in each of 4^level boxes of the unit square (Shan & Lei 2012, section "
     "IV); masses and eps are ours",
     2, 64u << 2 * 7, 1, 100000000, 1, true, 7, 1e-4, 0, orr_dataset_uniform_boxes},
};
enum { SET_COUNT = sizeof sets / sizeof *sets };

const struct orr_dataset *orr_dataset_all(size_t *count)
{
    *count = SET_COUNT;
    return sets;
}

const struct orr_dataset *orr_dataset_get(const char *name)
{
    for (size_t k = 0; k < SET_COUNT; k++)
        if (!strcmp(name, sets[k].name))
            return &sets[k];
    return NULL;
}

const struct orr_dataset *orr_dataset_find(const char *name)
{
    const struct orr_dataset *set = orr_dataset_get(name);
    if (!set)
        orr_names_fail("no data set", name, sets, SET_COUNT, sizeof *sets);
    return set;
}

int orr_dataset_level(const struct orr_dataset *set, int *level)
{
    if (!set->boxed)
        return *level < 0 ? 0
                          : orr_fail(ORR_EUSAGE, "%s is not made of boxes, so it takes no level",
                                     set->name);
    if (*level < 0)
        *level = set->default_level;
    if (*level > ORR_MAX_LEVEL)
        return orr_fail(ORR_EUSAGE, "%s: level = %d is out of range; it takes 0 to %d", set->name,
                        *level, ORR_MAX_LEVEL);
    return 0;
}

/* All boxes of a level; 1 where there are none. */
static size_t boxes_of(const struct orr_dataset *set, int level)
{
    return set->boxed ? (size_t)1 << 2 * level : 1;
}

size_t orr_dataset_default_n(const struct orr_dataset *set, int level)
{
    return set->default_n / boxes_of(set, set->default_level) * boxes_of(set, level);
}

static int fail_range(const struct orr_dataset *set, size_t n, int level)
{
    char at[32] = "";
    if (set->boxed)
        snprintf(at, sizeof at, " at level %d", level);
    return orr_fail(ORR_EUSAGE, "%s: n = %zu is out of range; it takes %zu to %zu bodies%s",
                    set->name, n, set->boxed ? boxes_of(set, level) : set->min_n, set->max_n, at);
}

int orr_dataset_check(const struct orr_dataset *set, size_t n, int level)
{
    size_t step = set->boxed ? boxes_of(set, level) : set->multiple;
    size_t lowest = (set->min_n + step - 1) / step * step, highest = set->max_n / step * step;
    size_t near = (n + step / 2) / step * step;
    near = near < lowest ? lowest : near > highest ? highest : near;
    if (n < set->min_n || n > set->max_n)
        return fail_range(set, n, level);
    if (n % step && set->boxed)
        return orr_fail(
            ORR_EUSAGE,
            "%s: n = %zu is not a multiple of %zu, the boxes of level %d; the nearest that is: %zu",
            set->name, n, step, level, near);
    if (n % step)
        return orr_fail(ORR_EUSAGE,
                        "%s: n = %zu is not a multiple of %zu; the nearest that is: %zu", set->name,
                        n, step, near);
    return 0;
}

int orr_dataset_fill(const struct orr_dataset *set, uint64_t per_box, int level, size_t *n)
{
    if (!set->boxed)
        return orr_fail(ORR_EUSAGE,
                        "%s is not made of boxes, so it takes no per_box; give n instead",
                        set->name);
    size_t boxes = boxes_of(set, level), most = set->max_n / boxes;
    if (per_box < 1 || per_box > most)
        return orr_fail(ORR_EUSAGE,
                        "%s: per_box = %" PRIu64
                        " is out of range; at level %d it takes 1 to %zu bodies",
                        set->name, per_box, level, most);
    *n = per_box * boxes;
    return 0;
}

int orr_dataset_make_boxes(struct orr_bodies *out, const char *name, size_t n, int level,
                           uint64_t seed)
{
    *out = (struct orr_bodies){0};
    const struct orr_dataset *set = orr_dataset_find(name);
    if (!set)
        return orr_error_code();
    int code = orr_dataset_level(set, &level);
    if (!code && !n)
        n = orr_dataset_default_n(set, level);
    if (!code)
        code = orr_dataset_check(set, n, level);
    if (!code)
        code = orr_bodies_make(out, n, set->dimensions);
    if (code)
        return code;
    set->generate(out, level, seed);
    orr_bodies_round(out);
    out->eps = set->eps;
    out->dt = set->dt;
    return 0;
}

int orr_dataset_make(struct orr_bodies *out, const char *name, size_t n, uint64_t seed)
{
    return orr_dataset_make_boxes(out, name, n, -1, seed);
}

/* 1 for an entry, 0 for a line without one, negative when malformed. */
static int parse(struct orr_manifest_entry *entry, const char *line)
{
    char first[2], more[2];
    unsigned long long seed;
    if (sscanf(line, " %1s", first) != 1 || first[0] == '#')
        return 0;
    int fields = sscanf(line, " %63s %zu %llu %64[0-9a-f] %1s", entry->name, &entry->n, &seed,
                        entry->sha256, more);
    entry->seed = seed;
    return fields == 4 && strlen(entry->sha256) == 64 ? 1 : -1;
}

int orr_manifest_read(const char *path,
                      int (*each)(const struct orr_manifest_entry *entry, void *context),
                      void *context)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    int code = 0;
    for (int number = 1; !code && fgets(line, sizeof line, file); number++) {
        struct orr_manifest_entry entry = {.n = 0};
        int found = parse(&entry, line);
        if (found < 0)
            code = orr_fail(ORR_EINPUT, "%s:%d: not of the form: name n seed sha256", path, number);
        else if (found)
            code = each(&entry, context);
    }
    if (!code && ferror(file))
        code = orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    return code;
}
