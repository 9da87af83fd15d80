/* Descriptions as text: plain members first, then lists of objects as tables, in the order of the
 * JSON. */
#include <stdio.h>
#include <string.h>

#include "cli/describe_parts.h"
#include "cli/text_table.h"
#include "text.h"

static const struct orr_text_column experiment_columns[] = {
    {"name", "experiment"}, {"shows", "shows"}, {"title", "title"}, {NULL, NULL}};
static const struct orr_text_column variant_columns[] = {
    {"name", "variant"}, {"label", "in the paper"}, {NULL, NULL}};
static const struct orr_text_column parameter_columns[] = {
    {"name", "parameter"},  {"type", "type"}, {"range", "range"},
    {"default", "default"}, {"help", "what"}, {NULL, NULL}};

static bool holds_objects(const json_t *value)
{
    return json_is_array(value) && json_is_object(json_array_get(value, 0));
}

/* "dataset = a,b; n = 999" */
static void print_pairs(const json_t *object)
{
    const char *name, *separator = "";
    json_t *value;
    json_object_foreach((json_t *)object, name, value)
    {
        char text[256];
        printf("%s%s = %s", separator, name, orr_text_table_value(text, sizeof text, value));
        separator = "; ";
    }
    putchar('\n');
}

static void print_member(const char *name, const json_t *value)
{
    char label[32], text[1024];
    snprintf(label, sizeof label, "%s", name);
    for (char *c = label; *c; c++)
        if (*c == '_')
            *c = ' ';
    if (json_is_object(value)) {
        printf("  %-21s ", label);
        print_pairs(value);
    } else if (*orr_text_table_value(text, sizeof text, value)) {
        printf("  %-21s %s\n", label, text);
    }
}

/* A pattern as the names it stands for: "bpt, ppt, bpb". */
static void print_matching(const char *pattern, const json_t *variants)
{
    const char *separator = "";
    size_t index;
    json_t *variant;
    json_array_foreach(variants, index, variant)
    {
        if (orr_text_matches(pattern, json_string_value(variant))) {
            printf("%s%s", separator, json_string_value(variant));
            separator = ", ";
        }
    }
}

static bool matches_any(const char *pattern, const json_t *variants)
{
    size_t index;
    json_t *variant;
    json_array_foreach(variants, index, variant)
    {
        if (orr_text_matches(pattern, json_string_value(variant)))
            return true;
    }
    return false;
}

/* An experiment that shows another's cells may lack the variant. */
static void print_limit(const json_t *limit, const json_t *variants)
{
    const char *on = json_string_value(json_object_get(limit, "on"));
    char n[32];
    if (!matches_any(json_string_value(json_object_get(limit, "variant")), variants))
        return;
    printf("    %-21s ", "scaled, not run");
    print_matching(json_string_value(json_object_get(limit, "variant")), variants);
    printf(" beyond n = %s%s%s\n", orr_text_table_value(n, sizeof n, json_object_get(limit, "n")),
           on ? " on a " : "", on ? on : "");
}

static void print_preset(const json_t *preset, const json_t *variants)
{
    const json_t *axes = json_object_get(preset, "axes"),
                 *limits = json_object_get(preset, "limits");
    double seconds = json_number_value(json_object_get(preset, "time_limit_s"));
    json_int_t samples = json_integer_value(json_object_get(preset, "long_samples"));
    size_t index;
    json_t *limit;
    printf("  preset %s%s\n", json_string_value(json_object_get(preset, "name")),
           json_is_true(json_object_get(preset, "skip")) ? ": left out" : "");
    if (json_object_size(axes)) {
        printf("    %-21s ", "axes");
        print_pairs(axes);
    }
    if (seconds > 0)
        printf("    %-21s %g s\n", "sampling time", seconds);
    if (samples > 0)
        printf("    %-21s %d\n", "samples of long steps", (int)samples);
    json_array_foreach(limits, index, limit)
    {
        print_limit(limit, variants);
    }
}

static json_t *range_of(const json_t *parameter)
{
    json_t *choices = json_object_get(parameter, "choices");
    char low[32], high[32];
    if (choices)
        return json_incref(choices);
    return json_sprintf("%s to %s",
                        orr_text_table_value(low, sizeof low, json_object_get(parameter, "min")),
                        orr_text_table_value(high, sizeof high, json_object_get(parameter, "max")));
}

/* A default of null comes from the data set. */
static void print_parameters(const json_t *parameters)
{
    json_t *rows = json_deep_copy(parameters), *row;
    size_t index;
    json_array_foreach(rows, index, row)
    {
        json_object_set_new(row, "range", range_of(row));
        if (json_is_null(json_object_get(row, "default")))
            json_object_set_new(row, "default", json_string("of data set"));
    }
    putchar('\n');
    orr_text_table_print(stdout, rows, parameter_columns, 2);
    json_decref(rows);
}

static void print_list(const json_t *about, const char *name, json_t *list)
{
    size_t index;
    json_t *item;
    if (!strcmp(name, "parameters")) {
        print_parameters(list);
    } else if (!strcmp(name, "presets")) {
        json_array_foreach(list, index, item)
        {
            print_preset(item, json_object_get(about, "variants"));
        }
    } else {
        putchar('\n');
        orr_text_table_print(stdout, list,
                             strcmp(name, "experiments") ? variant_columns : experiment_columns, 2);
    }
}

void orr_describe_print(const json_t *about)
{
    const char *name;
    json_t *value;
    printf("%s (%s)\n", json_string_value(json_object_get(about, "name")),
           json_string_value(json_object_get(about, "kind")));
    json_object_foreach((json_t *)about, name, value)
    {
        if (!holds_objects(value) && strcmp(name, "name") != 0 && strcmp(name, "kind") != 0)
            print_member(name, value);
    }
    json_object_foreach((json_t *)about, name, value)
    {
        if (holds_objects(value))
            print_list(about, name, value);
    }
}
