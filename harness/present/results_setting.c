/* Settings: the parameters by which results of one variant, input and device are told apart. They
 * are the experiment's axes that do not choose the input, and whatever else differs between two
 * results of one input, device and variant. What is the same everywhere (a default nobody varied)
 * belongs to no setting; what chooses the input (n, level, the number of bodies in a box ...)
 * belongs to the input. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/results_parts.h"

bool orr_axis_chooses_input(const char *axis)
{
    static const char *const names[] = {"dataset", "n", "seed", "steps", "level", "per_box"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(axis, names[k]))
            return true;
    return false;
}

/* Numbers as people write them: a whole one is the same text whether the journal has it as 512 or
 * 512.0. */
static void write_value(char *out, size_t size, const json_t *value)
{
    if (json_is_string(value))
        snprintf(out, size, "%s", json_string_value(value));
    else if (json_is_number(value))
        snprintf(out, size, "%.6g", json_number_value(value));
    else
        snprintf(out, size, "%s", json_is_true(value) ? "yes" : "no");
}

static bool same_value(const json_t *a, const json_t *b)
{
    char first[64], second[64];
    write_value(first, sizeof first, a);
    write_value(second, sizeof second, b);
    return !strcmp(first, second);
}

/* --- the place of a setting in the experiment's axes --- */

static void place(struct orr_result *result, const struct orr_scope *scope)
{
    result->values = json_loads(result->parameters, 0, NULL);
    result->faithful = true;
    for (unsigned k = 0; k < scope->experiment->axes_count; k++) {
        const char *axis = scope->experiment->axes[k].name;
        const json_t *value = json_object_get(result->values, axis);
        if (orr_axis_chooses_input(axis) || !value)
            continue;
        char text[64];
        write_value(text, sizeof text, value);
        size_t rank = orr_axis_rank(scope, axis, text), used = strlen(result->order);
        result->faithful = result->faithful && rank == 0;
        snprintf(result->order + used, sizeof result->order - used, "%03zu",
                 rank > 999 ? 999 : rank);
    }
}

void orr_results_place(struct orr_results *results, const struct orr_scope *scope)
{
    for (size_t k = 0; k < results->count; k++)
        place(&results->items[k], scope);
}

/* --- what differs --- */

static bool are_namesakes(const struct orr_result *a, const struct orr_result *b)
{
    return !strcmp(a->variant, b->variant) && !strcmp(a->device, b->device) &&
           orr_input_same(&a->input, &b->input);
}

/* A cell that crashed early knows only some of its parameters: what one of two does not know is no
 * difference. */
static int note_differences(json_t *differing, const struct orr_result *a,
                            const struct orr_result *b)
{
    const char *key;
    json_t *value;
    json_object_foreach(a->values, key, value)
    {
        const json_t *other = json_object_get(b->values, key);
        if (other && !same_value(value, other) && json_object_set_new(differing, key, json_true()))
            return ORR_EMEMORY;
    }
    return 0;
}

/* Of one set of results against another, or against itself. */
static int note_all(json_t *all, const struct orr_results *one, const struct orr_results *other)
{
    int code = 0;
    for (size_t a = 0; a < one->count && !code; a++)
        for (size_t b = one == other ? a + 1 : 0; b < other->count && !code; b++) {
            const struct orr_result *first = &one->items[a], *second = &other->items[b];
            if (!are_namesakes(first, second))
                continue;
            if (!json_object_get(all, first->variant) &&
                json_object_set_new(all, first->variant, json_object()))
                code = ORR_EMEMORY;
            else
                code = note_differences(json_object_get(all, first->variant), first, second);
        }
    return code;
}

/* {variant: {parameter: true}} */
static json_t *find_differing(const struct orr_results *sets, size_t count)
{
    json_t *all = json_object();
    int code = all ? 0 : ORR_EMEMORY;
    for (size_t one = 0; one < count; one++)
        for (size_t other = one; other < count && !code; other++)
            code = note_all(all, &sets[one], &sets[other]);
    if (!code)
        return all;
    json_decref(all);
    return NULL;
}

/* --- writing --- */

/* " (fitted)": what paper.yaml says of a value of an axis, else "". */
static void write_meaning(char *out, size_t size, const struct orr_axis *axis, const char *value)
{
    size_t length = strlen(value);
    *out = '\0';
    for (const char *at = axis && axis->means ? axis->means : ""; *at;) {
        size_t entry = strcspn(at, ",");
        if (!strncmp(at, value, length) && at[length] == '=')
            snprintf(out, size, " (%.*s)", (int)(entry - length - 1), at + length + 1);
        at += entry + (at[entry] == ',');
    }
}

static void add(struct orr_result *result, const char *key, const json_t *value,
                const struct orr_axis *axis)
{
    char text[64], meaning[64];
    size_t used = strlen(result->setting);
    write_value(text, sizeof text, value);
    write_meaning(meaning, sizeof meaning, axis, text);
    snprintf(result->setting + used, sizeof result->setting - used, "%s%s=%s%s", used ? ", " : "",
             key, text, meaning);
}

static bool is_axis(const struct orr_scope *scope, const char *key)
{
    for (unsigned k = 0; k < scope->experiment->axes_count; k++)
        if (!strcmp(scope->experiment->axes[k].name, key))
            return true;
    return false;
}

static void label(struct orr_result *result, const struct orr_scope *scope, json_t *differing)
{
    const char *key;
    json_t *value;
    *result->setting = '\0';
    for (unsigned k = 0; k < scope->experiment->axes_count; k++) {
        key = scope->experiment->axes[k].name;
        value = json_object_get(result->values, key);
        if (value && (!orr_axis_chooses_input(key) || json_object_get(differing, key)))
            add(result, key, value, &scope->experiment->axes[k]);
    }
    json_object_foreach(result->values, key, value)
    {
        if (!is_axis(scope, key) && json_object_get(differing, key))
            add(result, key, value, NULL);
    }
    bool any = *result->setting;
    snprintf(result->label, sizeof result->label, "%s%s%s%s", result->variant, any ? " (" : "",
             result->setting, any ? ")" : "");
}

int orr_results_label(struct orr_results *sets, size_t count, const struct orr_scope *scope)
{
    json_t *differing = find_differing(sets, count);
    if (!differing)
        return orr_fail(ORR_EMEMORY, "no memory for labels");
    for (size_t set = 0; set < count; set++)
        for (size_t k = 0; k < sets[set].count; k++) {
            struct orr_result *result = &sets[set].items[k];
            label(result, scope, json_object_get(differing, result->variant));
        }
    json_decref(differing);
    return 0;
}
