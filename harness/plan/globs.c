#include "plan/globs.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { SUBJECTS = 7 };

static bool matches_any(const char *const *subjects, char *const *globs, int count)
{
    for (int g = 0; g < count; g++)
        for (size_t k = 0; k < SUBJECTS; k++)
            if (orr_text_matches(globs[g], subjects[k]))
                return true;
    return false;
}

bool orr_globs_want(const struct orr_globs *globs, const char *experiment, const char *variant,
                    const char *dataset, const char *device)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s %s %s %s", experiment, variant, dataset, device);
    const char *const subjects[SUBJECTS] = {
        experiment, variant, strchr(experiment, '/') + 1, strchr(variant, '/') + 1, dataset,
        device,     whole};
    return (globs->only_count == 0 || matches_any(subjects, globs->only, globs->only_count)) &&
           !matches_any(subjects, globs->exclude, globs->exclude_count);
}
