/* --only and --exclude: globs that choose among cells. */
#ifndef ORR_GLOBS_H
#define ORR_GLOBS_H

#include <stdbool.h>

struct orr_globs {
    char *const *only, *const *exclude; /* shell-style; without any `only` every cell is wanted */
    int only_count, exclude_count;
};

/* Whether the cell matches one of `only` and none of `exclude`. Globs are tried on the experiment,
 * the variant
 * ("fujiwara/table2", "fujiwara/optimised"), both without their paper, the data set, the device,
 * and on "experiment variant dataset device". */
bool orr_globs_want(const struct orr_globs *globs, const char *experiment, const char *variant,
                    const char *dataset, const char *device);

#endif
