/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "process.h"
#include "json_member.h"
#include "memory.h"
#include "plugin/params.h"
#include "plugin/plugin.h"
#include "sandbox.h"

static const double LOAD_SECONDS = 10, PATIENCE = 3;

/* Bit by bit, as enum orr_capability has them. */
static const char *const capabilities[] = {
    "host",      "opencl",      "cuda",      "fp64",         "shuffle", "integrates", "near-field",
    "tree-code", "both-bodies", "monopoles", "matrix-units", "replays", "ranks",      "doubles"};
enum { CAPABILITY_COUNT = sizeof capabilities / sizeof *capabilities };
static const char *const types[] = {"int", "float", "choice"};

static json_t *capabilities_to_json(uint32_t bits)
{
    json_t *list = json_array();
    for (size_t k = 0; k < CAPABILITY_COUNT; k++)
        if (bits >> k & 1)
            json_array_append_new(list, json_string(capabilities[k]));
    return list;
}

/* An infinite bound is no JSON number: it becomes the widest finite one. */
static json_t *param_to_json(const struct orr_param *p)
{
    const bool choice = p->type == ORR_PARAM_CHOICE;
    return json_pack("{s:s, s:s, s:o, s:s, s:o*, s:o*, s:s*, s:o*}", "name", p->name, "type",
                     types[p->type], "default", orr_params_value(p, p->fallback), "help", p->help,
                     "min", choice ? NULL : json_real(fmax(p->min, -DBL_MAX)), "max",
                     choice ? NULL : json_real(fmin(p->max, DBL_MAX)), "choices", p->choices,
                     "index", choice ? json_integer((json_int_t)p->fallback) : NULL);
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
    *out = json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:s*, s:o, s:s, s:O*}", "name", v->name,
                     "summary", v->summary, "dimensions", v->dimensions, "capabilities",
                     capabilities_to_json(v->capabilities), "parameters", params, "kernels",
                     sources, "build_flags", v->build_flags, "plugin", orr_json_shown(plugin.path),
                     "plugin_sha256", plugin.sha256, "program", plugin.about);
    return 0;
}

static uint32_t capabilities_from_json(const json_t *list)
{
    uint32_t bits = 0;
    size_t index;
    json_t *word;
    json_array_foreach (list, index, word)
        for (size_t k = 0; k < CAPABILITY_COUNT; k++)
            bits |= (uint32_t)!strcmp(capabilities[k], json_string_value(word)) << k;
    return bits;
}

static void param_from_json(struct orr_param *out, const json_t *object)
{
    while (!orr_json_is(object, "type", types[out->type]))
        out->type++;
    const json_t *fallback =
        json_object_get(object, out->type == ORR_PARAM_CHOICE ? "index" : "default");
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
    for (size_t k = 0; k < group->count; k++) {
        json_t *about = NULL;
        if (is_due(&group->items[k]) && (code = describe(&about, group->items[k].name)))
            about = json_pack("{s:i, s:s}", "code", code, "text", orr_error_text());
        if (about)
            json_array_append_new(*out, about);
        orr_error_clear();
    }
    return 0;
}

static void refuse(struct orr_inspection *item, int code, const char *why)
{
    item->refused = code;
    snprintf(item->why, sizeof item->why, "%s", why);
}

static int examine(struct group group, double seconds)
{
    json_t *answers = NULL;
    size_t next = 0;
    int code = orr_forked_probe(&answers, describe_due, &group, seconds);
    for (size_t k = 0; !code && k < group.count; k++) {
        struct orr_inspection *item = &group.items[k];
        if (!is_due(item))
            continue;
        json_t *answer = json_array_get(answers, next++);
        const int refused = (int)orr_json_integer(answer, "code");
        if (refused) {
            refuse(item, refused, orr_json_text(answer, "text"));
        } else {
            item->about = json_incref(answer);
            rebuild(item);
        }
    }
    json_decref(answers);
    return code ? orr_error_context("loading the plugin of %s", group.items->name) : 0;
}

static bool broke(int code)
{
    return code == ORR_EINTERNAL || code == ORR_ETIMEOUT;
}

/* A busy machine may take long, and what crashed may have been killed from outside: what broke is
 * examined once more, alone. */
int orr_plugin_inspect_all(struct orr_inspection *items, size_t count)
{
    const double seconds = orr_forked_probe_limit(LOAD_SECONDS);
    int code = count ? examine((struct group){items, count}, seconds) : 0;
    for (size_t k = 0; k < count && (!code || broke(code)); k++) {
        orr_error_clear();
        code = is_due(&items[k]) ? examine((struct group){&items[k], 1}, PATIENCE * seconds) : 0;
        if (broke(code))
            refuse(&items[k], code, orr_error_text());
    }
    if (!broke(code))
        return code;
    orr_error_clear();
    return 0;
}

int orr_plugin_inspect(struct orr_inspection *out, const char *name)
{
    *out = (struct orr_inspection){.refused = 0};
    if (strlen(name) >= sizeof out->name)
        return orr_fail(ORR_EUSAGE, "the name '%.40s...' is too long", name);
    strcpy(out->name, name);
    int code = orr_plugin_inspect_all(out, 1);
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
