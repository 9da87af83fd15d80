/* SPDX-License-Identifier: MIT */
/* Validates a plugin's table. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "datasets/boxes.h"
#include "names.h"
#include "plugin/params.h"
#include "plugin/plugin.h"

enum {
    RUNS_ON_DEVICE = ORR_RUNS_OPENCL | ORR_RUNS_CUDA,
    RUNS_ANYWHERE = ORR_RUNS_HOST | RUNS_ON_DEVICE,
    EVERY_CAPABILITY = RUNS_ANYWHERE | ORR_NEEDS_FP64 | ORR_NEEDS_SHUFFLE | ORR_INTEGRATES |
                       ORR_NEAR_FIELD | ORR_TREE_CODE | ORR_THIRD_LAW | ORR_MONOPOLES |
                       ORR_MATRIX_UNITS | ORR_REPLAYS | ORR_RUNS_RANKS | ORR_TAKES_DOUBLES
};

/* Letters, digits, '-' and '_', as names become file names and words of the command line. */
static bool is_word(const char *text, size_t length)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return length > 0 && length < 32 && strspn(text, letters) >= length;
}

static bool is_variant_name(const char *name)
{
    const char *slash = name ? strchr(name, '/') : NULL;
    return slash && is_word(name, (size_t)(slash - name)) && is_word(slash + 1, strlen(slash + 1));
}

static int check_head(const struct orr_variant *v)
{
    if (v->abi != ORR_VARIANT_ABI)
        return orr_fail(ORR_EINPUT,
                        "built for plugin ABI %u, this program speaks %u; build it again with make",
                        v->abi, ORR_VARIANT_ABI);
    if (v->size != sizeof *v)
        return orr_fail(
            ORR_EINPUT,
            "struct orr_variant has %u bytes in the plugin and %zu here; build it again with make",
            v->size, sizeof *v);
    if (!is_variant_name(v->name))
        return orr_fail(ORR_EINPUT, "name is '%s', which is not of the form paper/variant",
                        v->name ? v->name : "NULL");
    if (!v->summary || !*v->summary || strchr(v->summary, '\n'))
        return orr_fail(ORR_EINPUT, "summary must be one line of text");
    if (!v->build_flags || !*v->build_flags)
        return orr_fail(ORR_EINPUT, "build_flags is missing; write .build_flags = ORR_BUILD_FLAGS");
    if (v->dimensions != 2 && v->dimensions != 3)
        return orr_fail(ORR_EINPUT, "dimensions is %d, not 2 or 3", v->dimensions);
    if (!v->step || !v->fetch)
        return orr_fail(ORR_EINPUT, "%s is NULL, but every variant needs it",
                        v->step ? "fetch" : "step");
    return 0;
}

static int check_range(const struct orr_param *p)
{
    if (p->type == ORR_PARAM_CHOICE) {
        if (!p->choices || !*p->choices || *p->choices == '|' || strstr(p->choices, "||") ||
            p->choices[strlen(p->choices) - 1] == '|')
            return orr_fail(ORR_EINPUT, "parameter '%s': choices must be words separated by |",
                            p->name);
        int count = 1;
        for (const char *c = p->choices; *c; c++)
            count += *c == '|';
        if (!(p->fallback >= 0 && p->fallback < count && p->fallback == floor(p->fallback)))
            return orr_fail(ORR_EINPUT, "parameter '%s': default %g is no index into '%s'", p->name,
                            p->fallback, p->choices);
        return 0;
    }
    if (!(p->min <= p->max))
        return orr_fail(ORR_EINPUT, "parameter '%s': min %g is above max %g", p->name, p->min,
                        p->max);
    bool from_bodies =
        p->type == ORR_PARAM_FLOAT && (!strcmp(p->name, "eps") || !strcmp(p->name, "dt"));
    if (isnan(p->fallback) ? !from_bodies : !(p->fallback >= p->min && p->fallback <= p->max))
        return orr_fail(ORR_EINPUT, "parameter '%s': default %g is outside %g to %g", p->name,
                        p->fallback, p->min, p->max);
    if (p->type == ORR_PARAM_INT &&
        (p->min < INT32_MIN || p->max > INT32_MAX || p->fallback != floor(p->fallback)))
        return orr_fail(ORR_EINPUT, "parameter '%s': range or default is not a 32-bit integer",
                        p->name);
    return 0;
}

static int check_param(const struct orr_variant *v, size_t index)
{
    static const char *const of_input[] = {"dataset", "n", "seed", "ranks", "per_rank"};
    const struct orr_param *p = &v->params[index];
    if (!p->name || !is_word(p->name, strlen(p->name)))
        return orr_fail(ORR_EINPUT, "parameter %zu has no usable name", index);
    if (orr_names_among(p->name, of_input))
        return orr_fail(ORR_EINPUT, "parameter '%s': this name is taken, it chooses the input",
                        p->name);
    if (orr_names_find(p->name, v->params, index, sizeof *p))
        return orr_fail(ORR_EINPUT, "two parameters are called '%s'", p->name);
    if (p->type != ORR_PARAM_INT && p->type != ORR_PARAM_FLOAT && p->type != ORR_PARAM_CHOICE)
        return orr_fail(ORR_EINPUT, "parameter '%s': unknown type %d", p->name, (int)p->type);
    size_t size = p->type == ORR_PARAM_FLOAT ? sizeof(double) : sizeof(int32_t);
    if (v->params_size < size || p->offset > v->params_size - size)
        return orr_fail(ORR_EINPUT,
                        "parameter '%s': offset %zu lies outside the %zu bytes of the parameters",
                        p->name, p->offset, v->params_size);
    if (p->offset % size)
        return orr_fail(ORR_EINPUT, "parameter '%s': offset %zu is not a multiple of %zu", p->name,
                        p->offset, size);
    if (!p->help || strchr(p->help, '\n'))
        return orr_fail(ORR_EINPUT, "parameter '%s': help must be one line of text", p->name);
    return check_range(p);
}

static const struct orr_param *find_param(const struct orr_variant *v, const char *name,
                                          enum orr_param_type type)
{
    const struct orr_param *param = orr_params_find(v, name);
    return param && param->type == type ? param : NULL;
}

/* Boxes divide the plane, and moved bodies have no boxes. */
static int check_near_field(const struct orr_variant *v)
{
    if (!(v->capabilities & ORR_NEAR_FIELD))
        return 0;
    const struct orr_param *level = find_param(v, "level", ORR_PARAM_INT);
    if (!level || level->min < 0 || level->max > ORR_MAX_LEVEL)
        return orr_fail(
            ORR_EINPUT,
            "it computes a near field, but lacks an integer parameter 'level' within 0 to %d",
            ORR_MAX_LEVEL);
    if (v->dimensions != 2 || v->capabilities & ORR_INTEGRATES)
        return orr_fail(ORR_EINPUT, "a near field is that of bodies at rest in 2 dimensions");
    return 0;
}

/* theta = 0, the direct sum, is how a tree code is verified strictly. */
static int check_tree_code(const struct orr_variant *v)
{
    if (!(v->capabilities & ORR_TREE_CODE))
        return v->capabilities & ORR_MONOPOLES
                   ? orr_fail(ORR_EINPUT, "it has monopoles, but is no tree code")
                   : 0;
    const struct orr_param *theta = find_param(v, "theta", ORR_PARAM_FLOAT);
    if (!theta || theta->min != 0)
        return orr_fail(ORR_EINPUT,
                        "it is a tree code, but lacks a number 'theta' from 0 (the direct sum) on");
    if (v->capabilities & ORR_NEAR_FIELD)
        return orr_fail(
            ORR_EINPUT,
            "it is both a tree code and a near field: nothing says what its forces should be");
    return 0;
}

static int check_capabilities(const struct orr_variant *v)
{
    uint32_t unknown = v->capabilities & ~(uint32_t)EVERY_CAPABILITY;
    if (unknown)
        return orr_fail(ORR_EINPUT, "capabilities hold unknown bits 0x%x", unknown);
    if (!(v->capabilities & RUNS_ANYWHERE))
        return orr_fail(ORR_EINPUT, "capabilities name nothing it runs on");
    if (v->capabilities & ORR_INTEGRATES &&
        (!find_param(v, "steps", ORR_PARAM_INT) || !find_param(v, "dt", ORR_PARAM_FLOAT)))
        return orr_fail(ORR_EINPUT,
                        "it integrates, but lacks an integer parameter 'steps' or a number 'dt'");
    int code = check_tree_code(v);
    return code ? code : check_near_field(v);
}

static int check_sources(const struct orr_variant *v)
{
    bool needs = v->capabilities & RUNS_ON_DEVICE;
    if (needs && (!v->sources || v->source_count == 0))
        return orr_fail(ORR_EINPUT, "it runs on devices, but names no kernel sources");
    if (!needs && v->source_count > 0)
        return orr_fail(ORR_EINPUT, "it has kernel sources, but no capability to run on a device");
    for (size_t k = 0; k < v->source_count; k++)
        if (!v->sources[k].name || !*v->sources[k].name || !v->sources[k].text ||
            !*v->sources[k].text)
            return orr_fail(ORR_EINPUT, "kernel source %zu has no name or no text", k);
    return 0;
}

bool orr_plugin_runs_on(const struct orr_variant *variant, const struct orr_device_info *device)
{
    uint32_t needed = !strcmp(device->backend, "cuda")     ? ORR_RUNS_CUDA
                      : !strcmp(device->backend, "opencl") ? ORR_RUNS_OPENCL
                                                           : ORR_RUNS_HOST;
    return (variant->capabilities & needed) &&
           (device->fp64 || !(variant->capabilities & ORR_NEEDS_FP64) || needed == ORR_RUNS_HOST);
}

int orr_plugin_check_device(const struct orr_variant *variant, const struct orr_device_info *device)
{
    return orr_plugin_runs_on(variant, device)
               ? 0
               : orr_fail(ORR_EUNSUPPORTED,
                          "%s does not run on %s (%s); choose another with --device", variant->name,
                          device->id, device->name);
}

/* A choice of a parameter that is not its default. */
static int check_wrong_on_purpose(const struct orr_variant *v)
{
    const char *equals = v->wrong_on_purpose ? strchr(v->wrong_on_purpose, '=') : NULL;
    char name[64] = "", value[64];
    if (!v->wrong_on_purpose)
        return 0;
    if (equals)
        snprintf(name, sizeof name, "%.*s", (int)(equals - v->wrong_on_purpose),
                 v->wrong_on_purpose);
    const struct orr_param *param = find_param(v, name, ORR_PARAM_CHOICE);
    if (!param || orr_params_normal(v, name, equals + 1, value, sizeof value))
        return orr_fail(ORR_EINPUT, "wrong_on_purpose is '%s', which is no choice of a parameter",
                        v->wrong_on_purpose);
    json_t *fallback = orr_params_value(param, param->fallback);
    bool usual = fallback && !strcmp(json_string_value(fallback), value);
    json_decref(fallback);
    return usual ? orr_fail(ORR_EINPUT, "wrong_on_purpose is '%s', the default of '%s'",
                            v->wrong_on_purpose, name)
                 : 0;
}

int orr_variant_validate(const struct orr_variant *variant)
{
    int code = check_head(variant);
    if (!code && variant->param_count > 0 && !variant->params)
        code = orr_fail(ORR_EINPUT, "param_count is %zu, but params is NULL", variant->param_count);
    for (size_t k = 0; !code && k < variant->param_count; k++)
        code = check_param(variant, k);
    return code || check_capabilities(variant) || check_wrong_on_purpose(variant) ||
                   check_sources(variant)
               ? ORR_EINPUT
               : 0;
}
