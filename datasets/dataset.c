#include "datasets/dataset.h"

#include <string.h>

#include "error.h"
#include "names.h"

/* Every data set: SET(x) is `const struct orr_dataset orr_dataset_x`, defined in its own file. Adding one is that file
 * and one line here. */
#define DATA_SETS(SET)  \
    SET(random_3d)      \
    SET(figure_eight_3) \
    SET(figure_eight_4) \
    SET(cartwheel)      \
    SET(plummer)

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

const struct orr_dataset *orr_dataset_find(const char *name)
{
    const char *names[SET_COUNT];
    for (size_t k = 0; k < SET_COUNT; k++) {
        names[k] = sets[k]->name;
        if (!strcmp(name, names[k]))
            return sets[k];
    }
    orr_names_fail("no data set", name, names, SET_COUNT, sizeof *names);
    return NULL;
}

static int check_size(const struct orr_dataset *set, size_t n)
{
    if (n < set->min_n || n > set->max_n)
        return orr_fail(ORR_EUSAGE, "%s: n = %zu is out of range; it takes %zu to %zu bodies", set->name, n, set->min_n,
                        set->max_n);
    if (n % set->multiple)
        return orr_fail(ORR_EUSAGE, "%s: n = %zu is not a multiple of %zu; the nearest that is: %zu", set->name, n,
                        set->multiple, (n + set->multiple / 2) / set->multiple * set->multiple);
    return 0;
}

int orr_dataset_make(struct orr_bodies *out, const char *name, size_t n, uint64_t seed)
{
    *out = (struct orr_bodies){0};
    const struct orr_dataset *set = orr_dataset_find(name);
    if (!set)
        return orr_error_code();
    if (!n)
        n = set->default_n;
    int code = check_size(set, n);
    if (!code)
        code = orr_bodies_make(out, n, set->dimensions);
    if (!code)
        code = set->generate(out, seed);
    if (code) {
        orr_bodies_release(out);
        return code;
    }
    orr_bodies_round(out);
    out->eps = set->eps;
    out->dt = set->dt;
    return 0;
}
