/* SPDX-License-Identifier: MIT */
#include "plugin/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "names.h"
#include "text.h"

int orr_params_settings_from_json(struct orr_setting out[ORR_MAX_SETTINGS], int *count,
                                  const json_t *object)
{
    const char *name;
    json_t *value;
    *count = 0;
    json_object_foreach ((json_t *)object, name, value) {
        struct orr_setting *to = &out[*count];
        if (*count == ORR_MAX_SETTINGS)
            return orr_fail(ORR_EUSAGE, "more than %d settings", ORR_MAX_SETTINGS);
        if (!json_is_string(value) || strlen(name) >= sizeof to->name ||
            json_string_length(value) >= sizeof to->value)
            return orr_fail(ORR_EUSAGE, "the setting '%s' is no text, or too long", name);
        strcpy(to->name, name);
        strcpy(to->value, json_string_value(value));
        ++*count;
    }
    return 0;
}

json_t *orr_params_settings_to_json(const struct orr_setting *settings, int count)
{
    json_t *object = json_object();
    for (int k = 0; k < count; k++)
        json_object_set_new(object, settings[k].name, json_string(settings[k].value));
    return object;
}

const struct orr_param *orr_params_find(const struct orr_variant *variant, const char *name)
{
    return orr_names_find(name, variant->params, variant->param_count, sizeof *variant->params);
}

static void store_value(const struct orr_param *param, void *params, double value)
{
    char *at = (char *)params + param->offset;
    if (param->type == ORR_PARAM_FLOAT)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &(int32_t){(int32_t)value}, sizeof(int32_t));
}

static double fetch_value(const struct orr_param *param, const void *params)
{
    const char *at = (const char *)params + param->offset;
    double real;
    int32_t integer;
    if (param->type == ORR_PARAM_FLOAT)
        return memcpy(&real, at, sizeof real), real;
    return memcpy(&integer, at, sizeof integer), integer;
}

/* "an integer from 1 to 8", "one of native|cas". */
static char *range_text(const struct orr_param *param, char *out, size_t size)
{
    if (param->type == ORR_PARAM_CHOICE || (param->choices && *param->choices != '*'))
        snprintf(out, size, "one of %s", param->choices);
    else if (param->choices && *param->choices == '*')
        snprintf(out, size, "a multiple of %s from %.10g to %.10g", param->choices + 1, param->min,
                 param->max);
    else
        snprintf(out, size, "%s from %.10g to %.10g",
                 param->type == ORR_PARAM_INT ? "an integer" : "a number", param->min, param->max);
    return out;
}

/* Start and length of the choice `index` inside param->choices, NULL past the last. */
static const char *choice_at(const struct orr_param *param, int index, size_t *length)
{
    const char *at = param->choices;
    while (index-- > 0 && (at = strchr(at, '|')))
        at++;
    *length = at ? strcspn(at, "|") : 0;
    return at;
}

/* The index of `value` among "a|b|c", or -1. */
static int choice_index(const struct orr_param *param, const char *value)
{
    size_t length;
    const char *at;
    for (int k = 0; (at = choice_at(param, k, &length)); k++)
        if (length == strlen(value) && !strncmp(at, value, length))
            return k;
    return -1;
}

/* An integer within its limits: one of its choices, or a multiple of its step, if it has them. */
static bool is_taken(const struct orr_param *param, double value)
{
    char text[32];
    if (!param->choices)
        return true;
    if (*param->choices == '*')
        return fmod(value, fmax(atof(param->choices + 1), 1)) == 0;
    return choice_index(param, orr_params_number(value, text, sizeof text)) >= 0;
}

static bool parse(const struct orr_param *param, const char *value, double *out)
{
    if (param->type == ORR_PARAM_CHOICE)
        return (*out = choice_index(param, value)) >= 0;
    return orr_text_number(value, out) && *out >= param->min && *out <= param->max &&
           (param->type == ORR_PARAM_FLOAT || (*out == floor(*out) && is_taken(param, *out)));
}

static int read_value(const struct orr_variant *variant, const char *name, const char *value,
                      const struct orr_param **param, double *out)
{
    char what[128], range[256];
    *param = orr_params_find(variant, name);
    snprintf(what, sizeof what, "%s has no parameter", variant->name);
    if (!*param)
        return orr_names_fail(what, name, variant->params, variant->param_count,
                              sizeof *variant->params);
    if (!parse(*param, value, out))
        return orr_fail(ORR_EUSAGE, "%s: parameter '%s' must be %s, not '%s'", variant->name, name,
                        range_text(*param, range, sizeof range), value);
    return 0;
}

int orr_params_normal(const struct orr_variant *variant, const char *name, const char *value,
                      char *out, size_t size)
{
    const struct orr_param *param;
    double number;
    int code = read_value(variant, name, value, &param, &number);
    if (code)
        return code;
    if (param->type == ORR_PARAM_CHOICE)
        snprintf(out, size, "%s", value);
    else
        orr_params_number(number, out, size);
    return 0;
}

char *orr_params_number(double value, char *out, size_t size)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    if (value == floor(value) && fabs(value) < 1e15)
        snprintf(out, size, "%.0f", value == 0 ? 0.0 : value);
    return out;
}

/* Range check of eps and dt taken from the bodies. */
static int check_taken(const struct orr_variant *variant, const void *params)
{
    for (size_t k = 0; k < variant->param_count; k++) {
        const struct orr_param *param = &variant->params[k];
        double value = fetch_value(param, params);
        char range[256];
        if (isnan(param->fallback) && !(value >= param->min && value <= param->max))
            return orr_fail(
                ORR_EUSAGE,
                "%s: the data set's own %s = %g is not %s; give one with --set %s=VALUE",
                variant->name, param->name, value, range_text(param, range, sizeof range),
                param->name);
    }
    return 0;
}

int orr_params_fill(const struct orr_variant *variant, const struct orr_bodies *bodies,
                    const struct orr_setting *settings, int count, void *params)
{
    const struct orr_param *param = NULL;
    double value = 0;
    memset(params, 0, variant->params_size);
    for (size_t k = 0; k < variant->param_count; k++) {
        param = &variant->params[k];
        value = param->fallback;
        if (isnan(value) && bodies)
            value = strcmp(param->name, "eps") ? bodies->dt : bodies->eps;
        store_value(param, params, value);
    }
    for (int k = 0; k < count; k++) {
        if (read_value(variant, settings[k].name, settings[k].value, &param, &value))
            return orr_error_code();
        store_value(param, params, value);
    }
    return bodies ? check_taken(variant, params) : 0;
}

json_t *orr_params_value(const struct orr_param *param, double value)
{
    if (param->type == ORR_PARAM_INT)
        return json_integer((json_int_t)value);
    if (param->type == ORR_PARAM_FLOAT)
        return orr_json_real(value);
    size_t length;
    const char *word = choice_at(param, (int)value, &length);
    return word ? json_stringn(word, length) : json_null();
}

json_t *orr_params_to_json(const struct orr_variant *variant, const void *params)
{
    json_t *object = json_object();
    for (size_t k = 0; k < variant->param_count; k++) {
        const struct orr_param *param = &variant->params[k];
        json_object_set_new(object, param->name,
                            orr_params_value(param, fetch_value(param, params)));
    }
    return object;
}
