/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/backend.h"
#include "error.h"
#include "process.h"
#include "json_member.h"
#include "memory.h"
#include "plugin/params.h"
#include "plugin/plugin.h"
#include "plugin/program.h"
#include "sandbox.h"
#include "version.h"

static const double LOAD_SECONDS = 10, PATIENCE = 3;

static const struct {
    uint32_t bit;
    const char *name;
} capabilities[] = {
    {ORR_RUNS_HOST, "host"},
    {ORR_RUNS_OPENCL, "opencl"},
    {ORR_RUNS_CUDA, "cuda"},
    {ORR_NEEDS_FP64, "fp64"},
    {ORR_NEEDS_SHUFFLE, "shuffle"},
    {ORR_INTEGRATES, "integrates"},
    {ORR_NEAR_FIELD, "near-field"},
    {ORR_TREE_CODE, "tree-code"},
    {ORR_THIRD_LAW, "both-bodies"},
    {ORR_MONOPOLES, "monopoles"},
    {ORR_MATRIX_UNITS, "matrix-units"},
    {ORR_REPLAYS, "replays"},
    {ORR_RUNS_RANKS, "ranks"},
    {ORR_TAKES_DOUBLES, "doubles"},
};
enum { CAPABILITY_COUNT = sizeof capabilities / sizeof *capabilities };
static const char *const types[] = {"int", "float", "choice"};

static json_t *capabilities_to_json(uint32_t bits)
{
    json_t *list = json_array();
    for (size_t k = 0; k < CAPABILITY_COUNT; k++)
        if (bits & capabilities[k].bit)
            json_array_append_new(list, json_string(capabilities[k].name));
    return list;
}

/* An infinite bound is no JSON number: it becomes the widest finite one. */
static json_t *param_to_json(const struct orr_param *p)
{
    json_t *object = json_pack("{s:s, s:s, s:o, s:s}", "name", p->name, "type", types[p->type],
                               "default", orr_params_value(p, p->fallback), "help", p->help);
    if (p->type == ORR_PARAM_CHOICE) {
        json_object_set_new(object, "choices", json_string(p->choices));
        json_object_set_new(object, "index", json_integer((json_int_t)p->fallback));
    } else {
        json_object_set_new(object, "min", json_real(fmax(p->min, -DBL_MAX)));
        json_object_set_new(object, "max", json_real(fmin(p->max, DBL_MAX)));
        if (p->type == ORR_PARAM_INT && p->choices)
            json_object_set_new(object, "choices", json_string(p->choices));
    }
    return object;
}

static int describe(json_t **out, const char *name)
{
    struct orr_plugin plugin;
    int code = orr_plugin_load(&plugin, name);
    if (code)
        return code;
    const struct orr_variant *v = plugin.variant;
    json_t *params = json_array(), *sources = json_array();
    for (size_t k = 0; k < v->param_count; k++)
        json_array_append_new(params, param_to_json(&v->params[k]));
    for (size_t k = 0; k < v->source_count; k++)
        json_array_append_new(sources, json_string(v->sources[k].name));
    *out = json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:s*, s:o, s:s, s:o*}", "name", v->name,
                     "summary", v->summary, "dimensions", v->dimensions, "capabilities",
                     capabilities_to_json(v->capabilities), "parameters", params, "kernels",
                     sources, "build_flags", v->build_flags, "plugin", orr_json_shown(plugin.path),
                     "plugin_sha256", plugin.sha256, "program", orr_program_about(&plugin));
    return 0;
}

/* Plugins that one child examines. */
struct group {
    struct orr_inspection *items;
    size_t count;
};

static bool is_due(const struct orr_inspection *item)
{
    return !item->about && !item->refused;
}

/* In the child: a description or {"code", "text"} of each that is due. */
static int describe_due(json_t **out, void *context)
{
    const struct group *group = context;
    int code = orr_sandbox_enter();
    if (code)
        return code;
    *out = json_array();
    for (const struct orr_inspection *item = group->items; item < group->items + group->count;
         item++) {
        json_t *about = NULL;
        if (is_due(item) && (code = describe(&about, item->name)))
            about = json_pack("{s:i, s:s}", "code", code, "text", orr_error_text());
        if (about)
            json_array_append_new(*out, about);
        orr_error_clear();
    }
    return 0;
}

static uint32_t capabilities_from_json(const json_t *list)
{
    uint32_t bits = 0;
    size_t index;
    json_t *word;
    json_array_foreach (list, index, word) {
        for (size_t k = 0; k < CAPABILITY_COUNT; k++)
            if (!strcmp(capabilities[k].name, json_string_value(word)))
                bits |= capabilities[k].bit;
    }
    return bits;
}

static void param_from_json(struct orr_param *out, const json_t *object)
{
    const char *type = orr_json_text(object, "type");
    const json_t *fallback = json_object_get(object, "default");
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (!strcmp(types[k], type))
            out->type = (enum orr_param_type)k;
    if (out->type == ORR_PARAM_CHOICE)
        fallback = json_object_get(object, "index");
    out->name = orr_json_text(object, "name");
    out->help = orr_json_text(object, "help");
    out->choices = orr_json_text(object, "choices");
    out->fallback = json_is_null(fallback) ? NAN : json_number_value(fallback);
    out->min = orr_json_number(object, "min");
    out->max = orr_json_number(object, "max");
}

static void rebuild(struct orr_inspection *out)
{
    const json_t *about = out->about, *params = json_object_get(about, "parameters");
    size_t count = json_array_size(params);
    out->params = orr_memory_get((count + 1) * sizeof *out->params);
    for (size_t k = 0; k < count; k++)
        param_from_json(&out->params[k], json_array_get(params, k));
    out->variant = (struct orr_variant){
        .abi = ORR_VARIANT_ABI,
        .size = sizeof out->variant,
        .name = orr_json_text(about, "name"),
        .summary = orr_json_text(about, "summary"),
        .capabilities = capabilities_from_json(json_object_get(about, "capabilities")),
        .dimensions = (int)orr_json_integer(about, "dimensions"),
        .params = out->params,
        .param_count = count,
        .build_flags = orr_json_text(about, "build_flags"),
    };
}

/* --- kept by the plugin's hash, beside its kernels --- */

static void keep_key(char key[65], const char *name, const char *sha256)
{
    const char *const parts[] = {"inspection", ORR_VERSION ORR_GIT_COMMIT, name, sha256};
    orr_cache_key(key, parts, sizeof parts / sizeof *parts);
}

static void keep(const struct orr_inspection *item)
{
    char key[65], *text = json_dumps(item->about, JSON_COMPACT);
    keep_key(key, item->name, orr_json_text(item->about, "plugin_sha256"));
    orr_cache_store(key, text, strlen(text));
    free(text);
}

static void take_kept(struct orr_inspection *item)
{
    char path[PATH_MAX], hash[65], key[65];
    void *data = NULL;
    size_t size;
    if (!orr_plugin_find(path, sizeof path, item->name) && !orr_plugin_hash(hash, item->name)) {
        keep_key(key, item->name, hash);
        if (orr_cache_load(key, &data, &size))
            item->about = json_loadb(data, size, 0, NULL);
        json_object_set_new(item->about, "plugin", orr_json_shown(path));
    }
    orr_error_clear();
    free(data);
}

/* --- all of it --- */

static void take(const struct group *group, json_t *answers, bool first)
{
    size_t place = 0;
    for (struct orr_inspection *item = group->items; item < group->items + group->count; item++) {
        if (!is_due(item))
            continue;
        json_t *answer = json_array_get(answers, place++);
        item->refused = (int)orr_json_integer(answer, "code");
        if (item->refused)
            snprintf(item->why, sizeof item->why, "%s", orr_json_text(answer, "text"));
        else
            item->about = json_incref(answer);
        if (!item->refused && first && !orr_sandbox_is_asked()) /* strangers may lie of others */
            keep(item);
    }
}

/* A busy machine may take long, and what crashed may have been killed from outside: what broke is
 * examined once more, alone. */
static int examine(struct group group, bool first)
{
    json_t *answers = NULL;
    const double seconds = orr_forked_probe_limit(LOAD_SECONDS) * (first ? 1 : PATIENCE);
    int code = orr_forked_probe(&answers, describe_due, &group, seconds);
    const bool broke = code == ORR_EINTERNAL || code == ORR_ETIMEOUT;
    if (!code)
        take(&group, answers, first);
    else if (!first || !broke)
        orr_error_context("loading the plugin of %s", group.items->name);
    if (broke && !first) {
        group.items->refused = code;
        snprintf(group.items->why, sizeof group.items->why, "%s", orr_error_text());
    }
    if (broke)
        orr_error_clear();
    json_decref(answers);
    return broke ? 0 : code;
}

static int inspect(struct orr_inspection *items, size_t count)
{
    int code = 0;
    size_t due = 0;
    for (size_t k = 0; k < count; k++)
        due += is_due(&items[k]);
    if (due)
        code = examine((struct group){items, count}, true);
    for (size_t k = 0; k < count && !code; k++) {
        if (is_due(&items[k]))
            code = examine((struct group){&items[k], 1}, false);
        if (!code && items[k].about)
            rebuild(&items[k]);
    }
    return code;
}

int orr_plugin_inspect_all(struct orr_inspection *items, size_t count)
{
    for (size_t k = 0; k < count; k++)
        take_kept(&items[k]);
    return inspect(items, count);
}

int orr_plugin_inspect(struct orr_inspection *out, const char *name)
{
    *out = (struct orr_inspection){.refused = 0};
    if (strlen(name) >= sizeof out->name)
        return orr_fail(ORR_EUSAGE, "the name '%.40s...' is too long", name);
    strcpy(out->name, name);
    int code = inspect(out, 1);
    if (!code && out->refused)
        code = orr_fail(out->refused, "%s", out->why);
    if (code)
        orr_inspect_release(out);
    return code;
}

void orr_inspect_release(struct orr_inspection *inspection)
{
    free(inspection->params);
    json_decref(inspection->about);
    memset(inspection, 0, sizeof *inspection);
}
