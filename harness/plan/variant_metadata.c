#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "plan/plan_parts.h"

const struct orr_inspection *orr_plan_variant_metadata(const struct orr_planner *planner,
                                                       const char *paper, const char *variant)
{
    char name[sizeof planner->metadata->name];
    snprintf(name, sizeof name, "%.31s/%.31s", paper, variant);
    for (size_t k = 0; k < planner->metadata_count; k++)
        if (!strcmp(planner->metadata[k].name, name))
            return &planner->metadata[k];
    return NULL;
}

int orr_plan_inspect_variants(struct orr_planner *planner)
{
    const struct orr_picks *picks = &planner->picks;
    planner->metadata = orr_memory_get(picks->count * sizeof *planner->metadata);
    for (const struct orr_pick *pick = picks->items; pick < picks->items + picks->count; pick++)
        if (!orr_plan_variant_metadata(planner, pick->paper->key, pick->variant->name)) {
            struct orr_inspection *item = &planner->metadata[planner->metadata_count++];
            snprintf(item->name, sizeof item->name, "%.31s/%.31s", pick->paper->key,
                     pick->variant->name);
        }
    int code = orr_plugin_inspect_all(planner->metadata, planner->metadata_count);
    for (size_t k = 0; k < planner->metadata_count && !code; k++)
        if (planner->metadata[k].refused)
            orr_names_add(&planner->notes, "%s cannot be used, its cells will fail: %s",
                          planner->metadata[k].name, planner->metadata[k].why);
    return code;
}
