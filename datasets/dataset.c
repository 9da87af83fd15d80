#include "datasets/dataset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datasets/boxes.h"
#include "error.h"
#include "names.h"

/* Every data set: SET(x) is `const struct orr_dataset orr_dataset_x`, defined in its own file.
 * Adding one is that file and one line here. */
#define DATA_SETS(SET)     \
    SET(random_3d)         \
    SET(figure_eight_3)    \
    SET(figure_eight_4)    \
    SET(cartwheel)         \
    SET(plummer)           \
    SET(milky_way)         \
    SET(milky_way_numbers) \
    SET(merger)            \
    SET(uniform_2d)        \
    SET(uniform_boxes)

#define DECLARE(set) extern const struct orr_dataset orr_dataset_##set;
#define POINT_AT(set) &orr_dataset_##set,
DATA_SETS(DECLARE)
static const struct orr_dataset *const sets[] = {DATA_SETS(POINT_AT)};
enum { SET_COUNT = sizeof sets / sizeof *sets };

const struct orr_dataset *const *orr_dataset_all(size_t *count)
{
    *count = SET_COUNT;
    return sets;
}

const struct orr_dataset *orr_dataset_get(const char *name)
{
    for (size_t k = 0; k < SET_COUNT; k++)
        if (!strcmp(name, sets[k]->name))
            return sets[k];
    return NULL;
}

const struct orr_dataset *orr_dataset_find(const char *name)
{
    const char *names[SET_COUNT];
    const struct orr_dataset *set = orr_dataset_get(name);
    for (size_t k = 0; k < SET_COUNT; k++)
        names[k] = sets[k]->name;
    if (!set)
        orr_names_fail("no data set", name, names, SET_COUNT, sizeof *names);
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

static int generate(const struct orr_dataset *set, struct orr_bodies *bodies, int level,
                    uint64_t seed)
{
    return set->boxed ? set->generate_boxes(bodies, level, seed) : set->generate(bodies, seed);
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
    if (!code)
        code = generate(set, out, level, seed);
    if (code) {
        orr_bodies_release(out);
        return code;
    }
    orr_bodies_round(out);
    out->eps = set->eps;
    out->dt = set->dt;
    return 0;
}

int orr_dataset_make(struct orr_bodies *out, const char *name, size_t n, uint64_t seed)
{
    return orr_dataset_make_boxes(out, name, n, -1, seed);
}
