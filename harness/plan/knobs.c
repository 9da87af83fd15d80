#include "plan/knobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "names.h"
#include "plugin/params.h"

/* --- from paper.yaml and the command line --- */

static const struct orr_param *parameter(const struct orr_variant *variant, const char *name)
{
    for (size_t k = 0; k < variant->param_count; k++)
        if (!strcmp(variant->params[k].name, name))
            return &variant->params[k];
    return NULL;
}

/* Place of the value; the next free one where it is new. */
static size_t place_of(const struct orr_knob *knob, const char *value)
{
    size_t k = 0;
    while (k < knob->count && strcmp(knob->values[k], value) != 0)
        k++;
    return k;
}

static int add_value(struct orr_knob *knob, const struct orr_variant *variant, const char *value)
{
    char normal[64];
    if (knob->count == ORR_MOST_KNOB_VALUES)
        return orr_fail(ORR_EUSAGE, "a knob has at most %d values", ORR_MOST_KNOB_VALUES);
    int code = orr_params_normal(variant, knob->name, value, normal, sizeof normal);
    size_t place = place_of(knob, normal);
    if (code || place < knob->count)
        return code;
    strcpy(knob->values[knob->count++], normal);
    return 0;
}

/* The default stands behind the others where it is none of them. */
static int add_usual(struct orr_knob *knob, const struct orr_variant *variant, bool tried)
{
    char text[64];
    const struct orr_param *param = parameter(variant, knob->name);
    json_t *value = orr_params_value(param, param->fallback);
    snprintf(text, sizeof text, "%s", json_is_string(value) ? json_string_value(value) : "");
    if (!json_is_string(value))
        orr_params_number(param->fallback, text, sizeof text);
    json_decref(value);
    if (isnan(param->fallback))
        return orr_fail(ORR_EUSAGE, "its default is the data set's, so it is no knob");
    const size_t before = knob->count;
    int code = add_value(knob, variant, text);
    knob->usual = place_of(knob, text);
    if (!tried)
        knob->count = before;
    return code;
}

static int add_knob(struct orr_knobs *out, const struct orr_variant *variant,
                    const struct orr_knob_range *declared, const char *given)
{
    char **values = NULL;
    if (out->count == ORR_MOST_KNOBS)
        return orr_fail(ORR_EUSAGE, "%s declares more than %d knobs", variant->name,
                        ORR_MOST_KNOBS);
    struct orr_knob *knob = &out->items[out->count++];
    snprintf(knob->name, sizeof knob->name, "%s", declared->name);
    knob->values = calloc(ORR_MOST_KNOB_VALUES + 1, sizeof *knob->values);
    int code = knob->values ? 0 : orr_fail(ORR_EMEMORY, "no memory for a knob");
    if (!code && !parameter(variant, knob->name))
        code = orr_fail(ORR_EUSAGE, "%s has no such parameter", variant->name);
    if (!code)
        code = orr_axis_values(&values, given ? given : declared->values, false);
    for (char **value = values; !code && *value; value++)
        code = add_value(knob, variant, *value);
    if (!code)
        code = add_usual(knob, variant, !given);
    orr_names_free(values);
    return code ? orr_error_context("knob '%s'", knob->name) : 0;
}

/* What --knob says of it, behind the '='; NULL where it says nothing. */
static const char *given_for(const char *name, char *const *given, int given_count)
{
    for (int k = 0; k < given_count; k++) {
        size_t length = strcspn(given[k], "=");
        if (strlen(name) == length && !strncmp(name, given[k], length))
            return given[k] + length + 1;
    }
    return NULL;
}

static int check_given(const struct orr_paper_variant *declared, const char *given)
{
    char name[64], what[128];
    size_t length = strcspn(given, "=");
    if (!given[length] || !length || length >= sizeof name)
        return orr_fail(ORR_EUSAGE, "--knob %s: write it as name=a,b or name=low:high:*factor",
                        given);
    snprintf(name, sizeof name, "%.*s", (int)length, given);
    for (unsigned k = 0; k < declared->knobs_count; k++)
        if (!strcmp(declared->knobs[k].name, name))
            return 0;
    snprintf(what, sizeof what, "--knob: %s declares no knob", declared->name);
    return orr_names_fail(what, name, &declared->knobs->name, declared->knobs_count,
                          sizeof *declared->knobs);
}

/* Codes are numbers of 64 bits. */
static int check_countable(const struct orr_knobs *knobs)
{
    uint64_t all = 1;
    for (size_t k = 0; k < knobs->count; k++)
        if (__builtin_mul_overflow(all, (uint64_t)knobs->items[k].count + 1, &all))
            return orr_fail(ORR_EUSAGE, "the knobs have more configurations than can be counted; "
                                        "--knob NAME=VALUES tries fewer values");
    return 0;
}

/* A knob of another kind of device is one where its values are given. */
static int add_declared(struct orr_knobs *out, const struct orr_knobs_wish *wish,
                        const struct orr_knob_range *range)
{
    const char *given = given_for(range->name, wish->given, wish->given_count);
    const bool elsewhere = range->on && wish->kind && strcmp(range->on, wish->kind) != 0;
    return elsewhere && !given ? 0 : add_knob(out, wish->variant, range, given);
}

int orr_knobs_make(struct orr_knobs *out, const struct orr_knobs_wish *wish)
{
    const struct orr_paper_variant *declared = wish->declared;
    *out = (struct orr_knobs){0};
    int code = 0;
    if (!declared->knobs_count)
        return orr_fail(ORR_EUSAGE,
                        "%s declares no knobs, so there is nothing to tune; `knobs` of its entry "
                        "in paper.yaml names parameters and their values",
                        wish->variant->name);
    for (int k = 0; !code && k < wish->given_count; k++)
        code = check_given(declared, wish->given[k]);
    for (unsigned k = 0; !code && k < declared->knobs_count; k++)
        code = add_declared(out, wish, &declared->knobs[k]);
    if (!code && !out->count)
        code =
            orr_fail(ORR_EUSAGE, "%s declares no knobs for a %s", wish->variant->name, wish->kind);
    return code ? code : check_countable(out);
}

void orr_knobs_release(struct orr_knobs *knobs)
{
    for (size_t k = 0; k < knobs->count; k++)
        free(knobs->items[k].values);
    *knobs = (struct orr_knobs){0};
}

/* --- configurations --- */

uint64_t orr_knobs_configurations(const struct orr_knobs *knobs)
{
    uint64_t all = 1;
    for (size_t k = 0; k < knobs->count; k++)
        all *= knobs->items[k].count;
    return all;
}

/* A digit has room for every value that is tried and, behind them, the default. */
uint64_t orr_knobs_code(const struct orr_knobs *knobs, const size_t places[ORR_MOST_KNOBS])
{
    uint64_t code = 0;
    for (size_t k = 0; k < knobs->count; k++)
        code = code * (knobs->items[k].count + 1) + places[k];
    return code;
}

void orr_knobs_places(size_t places[ORR_MOST_KNOBS], const struct orr_knobs *knobs, uint64_t code)
{
    for (size_t k = knobs->count; k-- > 0;) {
        places[k] = (size_t)(code % (knobs->items[k].count + 1));
        code /= knobs->items[k].count + 1;
    }
}

uint64_t orr_knobs_usual(const struct orr_knobs *knobs)
{
    size_t places[ORR_MOST_KNOBS];
    for (size_t k = 0; k < knobs->count; k++)
        places[k] = knobs->items[k].usual;
    return orr_knobs_code(knobs, places);
}

static void drop_setting(struct orr_cell *cell, const char *name)
{
    int kept = 0;
    for (int k = 0; k < cell->setting_count; k++)
        if (strcmp(cell->settings[k].name, name) != 0)
            cell->settings[kept++] = cell->settings[k];
    cell->setting_count = kept;
}

int orr_knobs_set(struct orr_cell *cell, const struct orr_knobs *knobs, uint64_t code)
{
    size_t places[ORR_MOST_KNOBS];
    orr_knobs_places(places, knobs, code);
    for (size_t k = 0; k < knobs->count; k++) {
        const struct orr_knob *knob = &knobs->items[k];
        drop_setting(cell, knob->name);
        if (cell->setting_count == ORR_MAX_SETTINGS)
            return orr_fail(ORR_EUSAGE, "more than %d settings", ORR_MAX_SETTINGS);
        struct orr_setting *to = &cell->settings[cell->setting_count++];
        strcpy(to->name, knob->name);
        strcpy(to->value, knob->values[places[k]]);
    }
    return 0;
}

/* --- as JSON --- */

json_t *orr_knobs_to_json(const struct orr_knobs *knobs, uint64_t code)
{
    size_t places[ORR_MOST_KNOBS];
    json_t *object = json_object();
    orr_knobs_places(places, knobs, code);
    for (size_t k = 0; object && k < knobs->count; k++) {
        const struct orr_knob *knob = &knobs->items[k];
        json_object_set_new(object, knob->name, orr_cell_value_to_json(knob->values[places[k]]));
    }
    return object;
}

json_t *orr_knobs_values_to_json(const struct orr_knobs *knobs)
{
    json_t *object = json_object();
    for (size_t k = 0; object && k < knobs->count; k++) {
        json_t *values = json_array();
        for (size_t v = 0; v < knobs->items[k].count; v++)
            json_array_append_new(values, orr_cell_value_to_json(knobs->items[k].values[v]));
        json_object_set_new(object, knobs->items[k].name, values);
    }
    return object;
}
