#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "plan/plan_parts.h"

const struct orr_variant_metadata *orr_plan_variant_metadata(const struct orr_planner *planner,
                                                             const char *paper, const char *variant)
{
    char name[sizeof planner->metadata->name];
    snprintf(name, sizeof name, "%.31s/%.31s", paper, variant);
    for (size_t k = 0; k < planner->metadata_count; k++)
        if (!strcmp(planner->metadata[k].name, name))
            return &planner->metadata[k];
    return NULL;
}

static int inspect(struct orr_planner *planner, const struct orr_pick *pick)
{
    struct orr_variant_metadata *metadata = &planner->metadata[planner->metadata_count++];
    snprintf(metadata->name, sizeof metadata->name, "%.31s/%.31s", pick->paper->key,
             pick->variant->name);
    int code = orr_plugin_inspect(&metadata->inspection, metadata->name);
    metadata->usable = !code;
    if (!code || code == ORR_EMEMORY || code == ORR_EINTERRUPTED)
        return code;
    metadata->refused = code;
    snprintf(metadata->refusal, sizeof metadata->refusal, "%s", orr_error_text());
    orr_names_add(&planner->notes, "%s cannot be used, its cells will fail: %s", metadata->name,
                  orr_error_text());
    orr_error_clear();
    return 0;
}

int orr_plan_inspect_variants(struct orr_planner *planner)
{
    const struct orr_picks *picks = &planner->picks;
    planner->metadata = orr_memory_get(picks->count * sizeof *planner->metadata);
    int code = 0;
    for (size_t k = 0; !code && k < picks->count; k++)
        if (!orr_plan_variant_metadata(planner, picks->items[k].paper->key,
                                       picks->items[k].variant->name))
            code = inspect(planner, &picks->items[k]);
    return code;
}
