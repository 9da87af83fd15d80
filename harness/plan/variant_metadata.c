#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan/plan_parts.h"

const struct orr_known *orr_known_find(const struct orr_planner *planner, const char *paper,
                                       const char *variant)
{
    char name[sizeof planner->known->name];
    snprintf(name, sizeof name, "%.31s/%.31s", paper, variant);
    for (size_t k = 0; k < planner->known_count; k++)
        if (!strcmp(planner->known[k].name, name))
            return &planner->known[k];
    return NULL;
}

static int inspect(struct orr_planner *planner, const struct orr_pick *pick)
{
    struct orr_known *known = &planner->known[planner->known_count++];
    snprintf(known->name, sizeof known->name, "%.31s/%.31s", pick->paper->key, pick->variant->name);
    int code = orr_plugin_inspect(&known->inspection, known->name);
    known->usable = !code;
    if (!code || code == ORR_EMEMORY)
        return code;
    code = orr_names_add(&planner->notes, "%s cannot be used, its cells will fail: %s", known->name,
                         orr_error_text());
    orr_error_clear();
    return code;
}

int orr_known_make(struct orr_planner *planner)
{
    const struct orr_picks *picks = &planner->picks;
    planner->known = calloc(picks->count + 1, sizeof *planner->known);
    if (!planner->known)
        return orr_fail(ORR_EMEMORY, "no memory for the plan");
    int code = 0;
    for (size_t k = 0; !code && k < picks->count; k++)
        if (!orr_known_find(planner, picks->items[k].paper->key, picks->items[k].variant->name))
            code = inspect(planner, &picks->items[k]);
    return code;
}
