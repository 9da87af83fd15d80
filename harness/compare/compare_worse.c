/* What got worse, in one line. */
#include "compare/compare.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 5 };

/* " a/e v (block=256), random-3d N = 1000 on cuda:0 (0.91);" */
static void name(char *out, size_t size, const struct orr_pair *pair)
{
    size_t used = strlen(out);
    used += (size_t)snprintf(out + used, size - used, "%s %s %s, %s N = %.0f on %s ",
                             used ? ";" : "", pair->scope->cells, pair->a->label,
                             pair->a->input.dataset, pair->a->input.n, pair->b->device);
    if (used >= size)
        return;
    if (pair->finding == ORR_BROKEN)
        snprintf(out + used, size - used, "(%s)", pair->b->outcome);
    else
        snprintf(out + used, size - used, "(%.3g times as fast)", pair->ratio.value);
}

bool orr_compare_worse(char *out, size_t size, const struct orr_comparison *comparison)
{
    size_t slower = comparison->found[ORR_SLOWER], broken = comparison->found[ORR_BROKEN],
           named = 0;
    char names[1600] = "", more[48] = "";
    for (size_t k = 0; k < comparison->count && named < NAMED; k++) {
        const struct orr_pair *pair = &comparison->pairs[k];
        if (pair->finding == ORR_SLOWER || pair->finding == ORR_BROKEN) {
            name(names, sizeof names, pair);
            named++;
        }
    }
    if (slower + broken > named)
        snprintf(more, sizeof more, "; and %zu more", slower + broken - named);
    snprintf(out, size, "%zu cell%s slower, %zu broken:%s%s", slower, slower == 1 ? "" : "s",
             broken, names, more);
    return slower + broken > 0;
}
