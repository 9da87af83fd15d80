/* SPDX-License-Identifier: MIT */
/* Validates a plugin's table: rules in the order in which they are checked, each with what is said
 * of a table that breaks it. */
#include <math.h>
#include <stdarg.h>
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
    EVERY_CAPABILITY = 2 * ORR_TAKES_DOUBLES - 1
};

/* True, or records ORR_EINPUT with the message. */
__attribute__((format(printf, 2, 3))) static bool rule(bool kept, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!kept)
        orr_error_set(ORR_EINPUT, __FILE__, __LINE__, "%s", message);
    return kept;
}

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

static bool is_line(const char *text)
{
    return text && !strchr(text, '\n');
}

static bool head_is_good(const struct orr_variant *v)
{
    return rule(v->abi == ORR_VARIANT_ABI,
                "built for plugin ABI %u, this program speaks %u; build it again with make", v->abi,
                ORR_VARIANT_ABI) &&
           rule(v->size == sizeof *v,
                "struct orr_variant has %u bytes in the plugin and %zu here; build it again with "
                "make",
                v->size, sizeof *v) &&
           rule(is_variant_name(v->name), "name is '%s', which is not of the form paper/variant",
                v->name ? v->name : "NULL") &&
           rule(is_line(v->summary) && *v->summary, "summary must be one line of text") &&
           rule(v->build_flags && *v->build_flags,
                "build_flags is missing; write .build_flags = ORR_BUILD_FLAGS") &&
           rule(v->dimensions == 2 || v->dimensions == 3, "dimensions is %d, not 2 or 3",
                v->dimensions) &&
           rule(v->step && v->fetch, "%s is NULL, but every variant needs it",
                v->step ? "fetch" : "step") &&
           rule(!v->param_count || v->params, "param_count is %zu, but params is NULL",
                v->param_count);
}

static bool choices_are_good(const struct orr_param *p)
{
    const char *c = p->choices ? p->choices : "";
    int count = 1;
    for (const char *at = c; *at; at++)
        count += *at == '|';
    return rule(*c && *c != '|' && !strstr(c, "||") && c[strlen(c) - 1] != '|',
                "parameter '%s': choices must be words separated by |", p->name) &&
           rule(p->fallback >= 0 && p->fallback < count && p->fallback == floor(p->fallback),
                "parameter '%s': default %g is no index into '%s'", p->name, p->fallback, c);
}

static bool range_is_good(const struct orr_param *p)
{
    static const char *const of_bodies[] = {"eps", "dt"};
    const bool whole = p->type == ORR_PARAM_INT,
               from_bodies = !whole && orr_names_among(p->name, of_bodies);
    return rule(p->min <= p->max, "parameter '%s': min %g is above max %g", p->name, p->min,
                p->max) &&
           rule(isnan(p->fallback) ? from_bodies : p->fallback >= p->min && p->fallback <= p->max,
                "parameter '%s': default %g is outside %g to %g", p->name, p->fallback, p->min,
                p->max) &&
           rule(!whole || (p->min >= INT32_MIN && p->max <= INT32_MAX &&
                           p->fallback == floor(p->fallback)),
                "parameter '%s': range or default is not a 32-bit integer", p->name);
}

static bool param_is_good(const struct orr_variant *v, size_t index)
{
    static const char *const of_input[] = {"dataset", "n", "seed", "ranks", "per_rank"};
    const struct orr_param *p = &v->params[index];
    const size_t size = p->type == ORR_PARAM_FLOAT ? sizeof(double) : sizeof(int32_t);
    return rule(p->name && is_word(p->name, strlen(p->name)), "parameter %zu has no usable name",
                index) &&
           rule(!orr_names_among(p->name, of_input),
                "parameter '%s': this name is taken, it chooses the input", p->name) &&
           rule(!orr_names_find(p->name, v->params, index, sizeof *p),
                "two parameters are called '%s'", p->name) &&
           rule((unsigned)p->type <= ORR_PARAM_CHOICE, "parameter '%s': unknown type %d", p->name,
                (int)p->type) &&
           rule(v->params_size >= size && p->offset <= v->params_size - size,
                "parameter '%s': offset %zu lies outside the %zu bytes of the parameters", p->name,
                p->offset, v->params_size) &&
           rule(p->offset % size == 0, "parameter '%s': offset %zu is not a multiple of %zu",
                p->name, p->offset, size) &&
           rule(is_line(p->help), "parameter '%s': help must be one line of text", p->name) &&
           (p->type == ORR_PARAM_CHOICE ? choices_are_good(p) : range_is_good(p));
}

static const struct orr_param *find_param(const struct orr_variant *v, const char *name,
                                          enum orr_param_type type)
{
    const struct orr_param *param = orr_params_find(v, name);
    return param && param->type == type ? param : NULL;
}

static bool capabilities_are_good(const struct orr_variant *v)
{
    const uint32_t bits = v->capabilities;
    const bool near = bits & ORR_NEAR_FIELD, tree = bits & ORR_TREE_CODE;
    const struct orr_param *level = find_param(v, "level", ORR_PARAM_INT),
                           *theta = find_param(v, "theta", ORR_PARAM_FLOAT);
    return rule(!(bits & ~(uint32_t)EVERY_CAPABILITY), "capabilities hold unknown bits 0x%x",
                bits & ~(uint32_t)EVERY_CAPABILITY) &&
           rule(bits & RUNS_ANYWHERE, "capabilities name nothing it runs on") &&
           rule(!(bits & ORR_INTEGRATES) ||
                    (find_param(v, "steps", ORR_PARAM_INT) && find_param(v, "dt", ORR_PARAM_FLOAT)),
                "it integrates, but lacks an integer parameter 'steps' or a number 'dt'") &&
           rule(tree || !(bits & ORR_MONOPOLES), "it has monopoles, but is no tree code") &&
           /* theta = 0, the direct sum, is how a tree code is verified strictly. */
           rule(!tree || (theta && theta->min == 0),
                "it is a tree code, but lacks a number 'theta' from 0 (the direct sum) on") &&
           rule(!tree || !near, "it is both a tree code and a near field: nothing says what its "
                                "forces should be") &&
           rule(!near || (level && level->min >= 0 && level->max <= ORR_MAX_LEVEL),
                "it computes a near field, but lacks an integer parameter 'level' within 0 to %d",
                ORR_MAX_LEVEL) &&
           /* Boxes divide the plane, and moved bodies have no boxes. */
           rule(!near || (v->dimensions == 2 && !(bits & ORR_INTEGRATES)),
                "a near field is that of bodies at rest in 2 dimensions");
}

static bool sources_are_good(const struct orr_variant *v)
{
    const bool needs = v->capabilities & RUNS_ON_DEVICE;
    bool good = rule(!needs || (v->sources && v->source_count),
                     "it runs on devices, but names no kernel sources") &&
                rule(needs || !v->source_count,
                     "it has kernel sources, but no capability to run on a device");
    for (size_t k = 0; good && v->sources && k < v->source_count; k++) {
        const char *name = v->sources[k].name, *text = v->sources[k].text;
        good = rule(name && *name && text && *text, "kernel source %zu has no name or no text", k);
    }
    return good;
}

/* A choice of a parameter that is not its default. */
static bool wrong_on_purpose_is_good(const struct orr_variant *v)
{
    char name[64], value[64];
    if (!v->wrong_on_purpose)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(v->wrong_on_purpose, "="),
             v->wrong_on_purpose);
    const char *choice = v->wrong_on_purpose + strcspn(v->wrong_on_purpose, "=");
    const struct orr_param *param = find_param(v, name, ORR_PARAM_CHOICE);
    if (!rule(*choice && param && !orr_params_normal(v, name, choice + 1, value, sizeof value),
              "wrong_on_purpose is '%s', which is no choice of a parameter", v->wrong_on_purpose))
        return false;
    json_auto_t *fallback = orr_params_value(param, param->fallback);
    return rule(strcmp(json_string_value(fallback), value) != 0,
                "wrong_on_purpose is '%s', the default of '%s'", v->wrong_on_purpose, name);
}

int orr_variant_validate(const struct orr_variant *variant)
{
    bool good = head_is_good(variant);
    for (size_t k = 0; good && k < variant->param_count; k++)
        good = param_is_good(variant, k);
    return good && capabilities_are_good(variant) && wrong_on_purpose_is_good(variant) &&
                   sources_are_good(variant)
               ? 0
               : ORR_EINPUT;
}

bool orr_plugin_runs_on(const struct orr_variant *variant, const struct orr_device_info *device)
{
    uint32_t needed = !strcmp(device->backend, "cuda")     ? ORR_RUNS_CUDA
                      : !strcmp(device->backend, "opencl") ? ORR_RUNS_OPENCL
                                                           : ORR_RUNS_HOST;
    return (variant->capabilities & needed) &&
           (device->fp64 || !(variant->capabilities & ORR_NEEDS_FP64) || needed == ORR_RUNS_HOST);
}
