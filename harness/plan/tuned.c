#include "plan/tuned.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "json_member.h"
#include "plugin/params.h"

static const char schema[] = "orrery/tuned/1";

/* --- the file --- */

void orr_tuned_path(char *out, size_t size, const char *folder)
{
    snprintf(out, size, "%s/tuned.json", folder);
}

static bool is_entry(const json_t *entry)
{
    static const char *const texts[] = {"variant", "device_name", "driver", "plugin_sha256", "run"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!orr_json_text(entry, texts[k]))
            return false;
    return json_is_object(json_object_get(entry, "knobs")) &&
           json_is_object(json_object_get(entry, "parameters")) &&
           json_is_boolean(json_object_get(entry, "gain")) &&
           json_is_string(orr_json_follow(entry, "dataset/name")) &&
           json_is_integer(orr_json_follow(entry, "dataset/n"));
}

int orr_tuned_read(json_t **out, const char *path)
{
    json_error_t error;
    size_t k;
    json_t *entry;
    *out = NULL;
    if (access(path, F_OK)) {
        *out = json_array();
        return *out ? 0 : orr_fail(ORR_EMEMORY, "no memory for tuned settings");
    }
    json_t *file = json_load_file(path, 0, &error);
    if (!file)
        return orr_fail(ORR_EINPUT, "%s:%d: %s", path, error.line, error.text);
    json_t *entries = json_object_get(file, "entries");
    const char *said = orr_json_text(file, "schema");
    int code = !said || strcmp(said, schema) != 0 || !json_is_array(entries)
                   ? orr_fail(ORR_EINPUT,
                              "%s holds no tuned settings as this Orrery writes them; "
                              "move it away and tune again",
                              path)
                   : 0;
    json_array_foreach(entries, k, entry)
    {
        if (!code && !is_entry(entry))
            code =
                orr_fail(ORR_EINPUT, "%s: entry %zu lacks what tuned settings have", path, k + 1);
    }
    if (!code)
        *out = json_incref(entries);
    json_decref(file);
    return code;
}

static bool is_same(const json_t *a, const json_t *b, const char *member)
{
    return json_equal(json_object_get(a, member), json_object_get(b, member));
}

/* Whether the one takes the place of the other: builds may differ. */
static bool replaces(const json_t *entry, const json_t *old)
{
    return is_same(entry, old, "variant") && is_same(entry, old, "device_name") &&
           is_same(entry, old, "driver") && is_same(entry, old, "dataset") &&
           is_same(entry, old, "parameters");
}

/* What a short look did not find is no news. */
static bool stands(const json_t *old, const json_t *entry, const json_t *record)
{
    return replaces(entry, old) && is_same(entry, old, "plugin_sha256") &&
           json_is_true(json_object_get(old, "gain")) &&
           !json_is_true(json_object_get(entry, "gain")) &&
           json_is_true(json_object_get(record, "out_of_budget"));
}

static json_t *entry_of(const json_t *record, const char *run)
{
    static const char *const kept[] = {"finished", "variant",       "device_name", "driver",
                                       "dataset",  "plugin_sha256", "experiment",  "parameters",
                                       "knobs",    "gain",          "verdict",     "ratio",
                                       "interval", "margin",        "candidates",  "strategy"};
    json_t *entry = json_pack("{s:s}", "run", run);
    for (size_t k = 0; entry && k < sizeof kept / sizeof *kept; k++) {
        json_t *value = json_object_get(record, kept[k]);
        if (value)
            json_object_set(entry, kept[k], value);
    }
    return entry;
}

/* Another program never sees half of it. */
static int write_whole(const char *path, const json_t *file)
{
    char fresh[1200];
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    if (!json_dump_file(file, fresh, JSON_INDENT(1)) && !rename(fresh, path))
        return 0;
    int code = orr_fail(ORR_EIO, "cannot write %s: %s", path, strerror(errno));
    unlink(fresh);
    return code;
}

int orr_tuned_keep(const char *path, const json_t *record, const char *run)
{
    json_t *entries, *entry = entry_of(record, run);
    int code = entry ? orr_tuned_read(&entries, path) : ORR_EMEMORY;
    if (code) {
        json_decref(entry);
        return code;
    }
    bool kept = true;
    for (size_t k = json_array_size(entries); k-- > 0;) {
        const json_t *old = json_array_get(entries, k);
        if (stands(old, entry, record))
            kept = false;
        else if (replaces(entry, old))
            json_array_remove(entries, k);
    }
    if (kept)
        json_array_append(entries, entry);
    json_decref(entry);
    json_t *file = json_pack("{s:s, s:o}", "schema", schema, "entries", entries);
    code = file ? write_whole(path, file) : orr_fail(ORR_EMEMORY, "no memory for tuned settings");
    json_decref(file);
    return code ? code : kept;
}

/* --- use --- */

static const char *setting(const struct orr_cell *cell, const char *name)
{
    for (int k = 0; k < cell->setting_count; k++)
        if (!strcmp(cell->settings[k].name, name))
            return cell->settings[k].value;
    return NULL;
}

/* Time steps are many of the same, and softening is no work. */
static bool may_differ(const char *name)
{
    return !strcmp(name, "eps") || !strcmp(name, "dt") || !strcmp(name, "steps");
}

static void text_of(char *out, size_t size, const json_t *value)
{
    if (json_is_string(value))
        snprintf(out, size, "%s", json_string_value(value));
    else
        orr_params_number(json_number_value(value), out, size);
}

/* Has the cell this value of a parameter, by a setting or by default? */
static bool has_value(const struct orr_cell *cell, const struct orr_param *param,
                      const json_t *value)
{
    char text[64], own[64];
    const char *set = setting(cell, param->name);
    text_of(text, sizeof text, value);
    if (set)
        return !strcmp(set, text);
    json_t *usual = orr_params_value(param, param->fallback);
    text_of(own, sizeof own, usual);
    json_decref(usual);
    return !strcmp(own, text);
}

static bool has_parameters(const struct orr_cell *cell, const struct orr_variant *variant,
                           const json_t *entry)
{
    const json_t *knobs = json_object_get(entry, "knobs");
    for (size_t k = 0; k < variant->param_count; k++) {
        const struct orr_param *param = &variant->params[k];
        const json_t *value = orr_json_follow(entry, "parameters");
        value = json_object_get(value, param->name);
        if (may_differ(param->name) || json_object_get(knobs, param->name))
            continue;
        if (!value || !has_value(cell, param, value))
            return false;
    }
    return true;
}

/* A part of what was found together is not what was found. */
static bool leaves_knobs(const struct orr_cell *cell, const json_t *knobs)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)knobs, name, value)
    {
        char text[64];
        const char *set = setting(cell, name);
        text_of(text, sizeof text, value);
        if (set && strcmp(set, text) != 0)
            return false;
    }
    return true;
}

static bool fits(const json_t *entry, const struct orr_cell *cell,
                 const struct orr_tuned_place *place)
{
    const char *dataset = json_string_value(orr_json_follow(entry, "dataset/name"));
    return !strcmp(orr_json_text(entry, "variant"), cell->variant) &&
           !strcmp(orr_json_text(entry, "device_name"), place->device->name) &&
           !strcmp(orr_json_text(entry, "driver"), place->device->driver) &&
           !strcmp(orr_json_text(entry, "plugin_sha256"), place->plugin_sha256) &&
           !strcmp(dataset, cell->dataset) && cell->ranks < 2 &&
           leaves_knobs(cell, json_object_get(entry, "knobs")) &&
           has_parameters(cell, place->variant, entry);
}

/* By how much the sizes differ, as a factor from 1 on. */
static double distance(const json_t *entry, const struct orr_cell *cell)
{
    double n = (double)json_integer_value(orr_json_follow(entry, "dataset/n"));
    return fmax(n, (double)cell->n) / fmax(1, fmin(n, (double)cell->n));
}

static const json_t *nearest(const json_t *entries, const struct orr_cell *cell,
                             const struct orr_tuned_place *place)
{
    const double furthest = 2;
    const json_t *best = NULL;
    size_t k;
    json_t *entry;
    json_array_foreach(entries, k, entry)
    {
        if (distance(entry, cell) <= furthest && fits(entry, cell, place) &&
            (!best || distance(entry, cell) < distance(best, cell)))
            best = entry;
    }
    return best;
}

static int set_knobs(struct orr_cell *cell, const json_t *knobs)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)knobs, name, value)
    {
        if (setting(cell, name))
            continue;
        if (cell->setting_count == ORR_MAX_SETTINGS)
            return orr_fail(ORR_EUSAGE, "more than %d settings", ORR_MAX_SETTINGS);
        struct orr_setting *to = &cell->settings[cell->setting_count++];
        snprintf(to->name, sizeof to->name, "%s", name);
        text_of(to->value, sizeof to->value, value);
    }
    return 0;
}

int orr_tuned_apply(struct orr_cell *cell, const json_t *entries,
                    const struct orr_tuned_place *place, json_t *keep)
{
    const json_t *entry = nearest(entries, cell, place);
    if (!entry || !json_is_true(json_object_get(entry, "gain")))
        return entry != NULL;
    int code = set_knobs(cell, json_object_get(entry, "knobs"));
    cell->tuning =
        json_pack("{s:s, s:O, s:s, s:O}", "stage", "used", "knobs", json_object_get(entry, "knobs"),
                  "run", orr_json_text(entry, "run"), "dataset", json_object_get(entry, "dataset"));
    if (!cell->tuning || json_array_append_new(keep, cell->tuning))
        code = orr_fail(ORR_EMEMORY, "no memory for tuned settings");
    return code ? code : 1;
}
