
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "forked_probe.h"
#include "json_member.h"
#include "plugin/params.h"
#include "plugin/plugin.h"
#include "sandbox.h"

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
};
enum { CAPABILITY_COUNT = sizeof capabilities / sizeof *capabilities };
static const char *const types[] = {"int", "float", "choice"};

static json_t *capabilities_to_json(uint32_t bits)
{
    json_t *list = json_array();
    for (size_t k = 0; list && k < CAPABILITY_COUNT; k++)
        if (bits & capabilities[k].bit)
            json_array_append_new(list, json_string(capabilities[k].name));
    return list;
}

/* An infinite bound is no JSON number: it becomes the widest finite one. */
static json_t *param_to_json(const struct orr_param *p)
{
    json_t *object = json_pack("{s:s, s:s, s:o, s:s}", "name", p->name, "type", types[p->type],
                               "default", orr_params_value(p, p->fallback), "help", p->help);
    if (!object)
        return NULL;
    if (p->type == ORR_PARAM_CHOICE) {
        json_object_set_new(object, "choices", json_string(p->choices));
        json_object_set_new(object, "index", json_integer((json_int_t)p->fallback));
    } else {
        json_object_set_new(object, "min", json_real(fmax(p->min, -DBL_MAX)));
        json_object_set_new(object, "max", json_real(fmin(p->max, DBL_MAX)));
    }
    return object;
}

static int describe(json_t **out, void *context)
{
    struct orr_plugin plugin;
    int code = orr_sandbox_enter();
    if (!code)
        code = orr_plugin_load(&plugin, context);
    if (code)
        return code;
    const struct orr_variant *v = plugin.variant;
    json_t *params = json_array(), *sources = json_array();
    for (size_t k = 0; k < v->param_count; k++)
        json_array_append_new(params, param_to_json(&v->params[k]));
    for (size_t k = 0; k < v->source_count; k++)
        json_array_append_new(sources, json_string(v->sources[k].name));
    *out = json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:s*, s:s, s:s}", "name", v->name, "summary",
                     v->summary, "dimensions", v->dimensions, "capabilities",
                     capabilities_to_json(v->capabilities), "parameters", params, "kernels",
                     sources, "build_flags", v->build_flags, "plugin", plugin.path, "plugin_sha256",
                     plugin.sha256);
    return *out ? 0 : orr_fail(ORR_EMEMORY, "no memory to describe %s", v->name);
}

static uint32_t capabilities_from_json(const json_t *list)
{
    uint32_t bits = 0;
    size_t index;
    json_t *word;
    json_array_foreach(list, index, word)
    {
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

static int rebuild(struct orr_inspection *out)
{
    const json_t *about = out->about, *params = json_object_get(about, "parameters");
    size_t count = json_array_size(params);
    out->params = calloc(count + 1, sizeof *out->params);
    if (!out->params)
        return orr_fail(ORR_EMEMORY, "no memory for the parameters of a variant");
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
    return 0;
}

static bool broke(int code)
{
    return code == ORR_EINTERNAL || code == ORR_ETIMEOUT;
}

/* A busy machine may take long, and what crashed may have been killed from outside: once more. */
static int probe(json_t **out, char *name)
{
    double seconds = orr_forked_probe_limit(LOAD_SECONDS);
    int code = orr_forked_probe(out, describe, name, seconds);
    if (broke(code)) {
        orr_error_clear();
        code = orr_forked_probe(out, describe, name, PATIENCE * seconds);
    }
    return broke(code) || code == ORR_EINTERRUPTED
               ? orr_error_context("loading the plugin of %s", name)
               : code;
}

int orr_plugin_inspect(struct orr_inspection *out, const char *name)
{
    memset(out, 0, sizeof *out);
    char own[256];
    if (strlen(name) >= sizeof own)
        return orr_fail(ORR_EUSAGE, "the name '%.40s...' is too long", name);
    strcpy(own, name);
    int code = probe(&out->about, own);
    if (!code)
        code = rebuild(out);
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
