/* `run --tuned`: cells take the settings that `orrery tune` found. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan/plan_parts.h"
#include "plan/tuned.h"

/* A variant's plugin, hashed once. */
struct build {
    const struct orr_inspection *metadata;
    char sha256[65];
};

static const struct orr_device_info *device_of(const struct orr_planner *planner, const char *id)
{
    for (int k = 0; k < planner->device_count; k++)
        if (!strcmp(planner->devices[k].id, id))
            return &planner->devices[k];
    return NULL;
}

static int find_build(struct build *out, const struct orr_planner *planner,
                      const struct orr_cell *cell)
{
    if (out->metadata && !strcmp(out->metadata->name, cell->variant))
        return 0;
    *out = (struct build){0};
    for (size_t k = 0; k < planner->metadata_count; k++)
        if (!strcmp(planner->metadata[k].name, cell->variant) && !planner->metadata[k].refused)
            out->metadata = &planner->metadata[k];
    return out->metadata ? orr_plugin_hash(out->sha256, cell->variant) : 0;
}

/* What is scaled from the cell had the id `before`, and is scaled with the settings that it has
 * now.
 */
static void follow(const struct orr_planner *planner, const struct orr_cell *source,
                   const char *before)
{
    for (size_t k = 0; k < planner->count; k++) {
        struct orr_cell *cell = &planner->cells[k];
        if (strcmp(cell->extrapolate_from, before) != 0)
            continue;
        strcpy(cell->extrapolate_from, source->id);
        cell->setting_count = source->setting_count;
        memcpy(cell->settings, source->settings, sizeof cell->settings);
        cell->tuning = source->tuning;
        orr_cell_identify(cell);
    }
}

/* 1 when the cell has tuned settings, or the defaults are the best that is known. */
static int tune(struct orr_planner *planner, struct orr_cell *cell, struct build *build)
{
    const struct orr_device_info *device = device_of(planner, cell->device);
    char before[sizeof cell->id];
    int code = find_build(build, planner, cell);
    if (code || !device || !build->metadata)
        return code;
    const struct orr_tuned_place place = {&build->metadata->variant, device, build->sha256};
    strcpy(before, cell->id);
    code = orr_tuned_apply(cell, planner->request->tuned, &place, planner->tunings);
    if (code > 0 && cell->tuning) {
        orr_cell_identify(cell);
        follow(planner, cell, before);
    }
    return code;
}

int orr_plan_tune(struct orr_planner *planner)
{
    struct build build = {0};
    size_t measured = 0, without = 0;
    int code = 0;
    planner->tunings = json_array();
    for (size_t k = 0; k < planner->count && code >= 0; k++) {
        struct orr_cell *cell = &planner->cells[k];
        if (*cell->extrapolate_from || cell->refused)
            continue;
        code = tune(planner, cell, &build);
        measured++;
        without += code == 0;
    }
    if (code >= 0 && without)
        code = orr_names_add(&planner->notes,
                             "no tuned settings fit %zu of %zu cells, which keep the defaults; "
                             "`orrery tune VARIANT` finds some for its build, device and input",
                             without, measured);
    return code < 0 ? code : 0;
}
