/* SPDX-License-Identifier: MIT */
/* Axes: their values, those of --set, and whether an experiment or a variant knows them. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "names.h"
#include "plan/paper.h"
#include "plan/plan_parts.h"
#include "plugin/params.h"
#include "text.h"

enum { MOST_VALUES = 10000 };

/* Does this axis say how many bodies there are? */
static bool is_size(const char *name)
{
    return !strcmp(name, "n") || !strcmp(name, "per_box") || !strcmp(name, "per_rank");
}

bool orr_axis_is_count(const char *name)
{
    static const char *const others[] = {"level", "seed", "ranks"};
    return is_size(name) || orr_names_among(name, others);
}

int orr_axis_count(uint64_t *out, const char *name, const char *text)
{
    double value;
    if (!orr_text_number(text, &value) || value < 0 || value != floor(value) || value > 9e15)
        return orr_fail(ORR_EUSAGE, "%s must be a whole number, not '%s'", name, text);
    *out = (uint64_t)value;
    return 0;
}

static int add_value(struct orr_names *values, const char *value)
{
    if (orr_names_find(value, values->items, values->count, sizeof *values->items))
        return 0;
    if (values->count == MOST_VALUES)
        return orr_fail(ORR_EUSAGE, "more than %d values", MOST_VALUES);
    orr_names_add(values, "%s", value);
    return 0;
}

struct range {
    double low, high, by;
    bool factor;
};

static int parse_range(struct range *out, const char *item)
{
    char low[64], high[64], by[64], sign;
    int end = 0;
    if (sscanf(item, "%63[^:]:%63[^:]:%c%63[^:]%n", low, high, &sign, by, &end) != 4 || item[end] ||
        (sign != '*' && sign != '+') || !orr_text_number(low, &out->low) ||
        !orr_text_number(high, &out->high) || !orr_text_number(by, &out->by))
        return orr_fail(ORR_EUSAGE, "'%s' is no range; write low:high:*factor or low:high:+step",
                        item);
    out->factor = sign == '*';
    if (out->low > out->high)
        return orr_fail(ORR_EUSAGE, "'%s': the range ends before it starts", item);
    if (out->factor ? !(out->by > 1 && out->low > 0) : !(out->by > 0))
        return orr_fail(ORR_EUSAGE, "'%s': %s", item,
                        out->factor ? "a factor must be above 1 and the range start above 0"
                                    : "a step must be above 0");
    return 0;
}

static int add_range(struct orr_names *values, const struct range *range, bool integers)
{
    double slack = 1e-9 * range->by * (range->factor ? range->high : 1);
    double value = range->low;
    for (int k = 1; k <= MOST_VALUES; k++) {
        bool last = value >= range->high - slack;
        double kept = last ? range->high : value;
        char text[64];
        orr_params_number(integers ? round(kept) : kept, text, sizeof text);
        int code = add_value(values, text);
        if (code || last)
            return code;
        /* Multiples of the step, not running sums, and twelve digits: 0.1 added three times must be
         * 0.3. */
        value = range->factor ? range->low * pow(range->by, k) : range->low + range->by * k;
        snprintf(text, sizeof text, "%.12g", value);
        value = strtod(text, NULL);
    }
    return orr_fail(ORR_EUSAGE, "a range of more than %d values", MOST_VALUES);
}

static int add_item(struct orr_names *values, char *item, bool integers)
{
    while (isspace((unsigned char)*item))
        item++;
    for (size_t length = strlen(item); length && isspace((unsigned char)item[length - 1]);)
        item[--length] = '\0';
    if (!*item)
        return orr_fail(ORR_EUSAGE, "a value is missing between commas");
    if (!strchr(item, ':'))
        return add_value(values, item);
    struct range range = {0};
    int code = parse_range(&range, item);
    return code ? code : add_range(values, &range, integers);
}

int orr_axis_values(char ***out, const char *text, bool integers)
{
    struct orr_names values = {0};
    char *copy = orr_memory_text(text), *rest = copy;
    int code = 0;
    *out = NULL;
    while (!code && rest)
        code = add_item(&values, strsep(&rest, ","), integers);
    free(copy);
    if (code) {
        orr_names_free(values.items);
        return code;
    }
    *out = values.items;
    return 0;
}

const char *const *orr_axis_list_get(const struct orr_axis_list *axes, const char *name)
{
    for (int k = 0; k < axes->count; k++)
        if (!strcmp(axes->items[k].name, name))
            return (const char *const *)axes->items[k].values;
    return NULL;
}

/* Index of the axis `name` or of the one it replaces; the count when there is none. */
static int index_of(const struct orr_axis_list *axes, const char *name)
{
    int at = 0;
    while (at < axes->count && strcmp(axes->items[at].name, name) != 0 &&
           !(is_size(name) && is_size(axes->items[at].name)))
        at++;
    return at;
}

int orr_axis_list_put(struct orr_axis_list *axes, const char *name, const char *values)
{
    int at = index_of(axes, name);
    if (at == ORR_MAX_SETTINGS || strlen(name) >= sizeof axes->items->name)
        return orr_fail(ORR_EUSAGE,
                        "axis '%.40s': its name is too long, or there are more than %d axes", name,
                        ORR_MAX_SETTINGS);
    char **list;
    if (orr_axis_values(&list, values, orr_axis_is_count(name)))
        return orr_error_context("axis '%s'", name);
    if (at == axes->count)
        axes->count++;
    else
        orr_names_free(axes->items[at].values);
    strcpy(axes->items[at].name, name);
    axes->items[at].values = list;
    return 0;
}

void orr_axis_list_release(struct orr_axis_list *axes)
{
    for (int k = 0; k < axes->count; k++)
        orr_names_free(axes->items[k].values);
    axes->count = 0;
}

static void add_parameters(struct orr_names *names, const struct orr_variant *variant)
{
    for (size_t p = 0; p < variant->param_count; p++)
        orr_names_add(names, "%s", variant->params[p].name);
}

static void add_input(struct orr_names *names)
{
    static const char *const input[] = {"dataset", "n", "per_box", "per_rank", "seed", "ranks"};
    for (size_t k = 0; k < sizeof input / sizeof *input; k++)
        orr_names_add(names, "%s", input[k]);
}

/* `at`: "presets[1]." or "". */
static int check_axes(const struct orr_pick *pick, const char *at, const struct orr_axis *axes,
                      unsigned count, char *const *names)
{
    for (unsigned k = 0; k < count; k++) {
        char path[128], hint[128];
        if (orr_names_has(names, axes[k].name))
            continue;
        snprintf(path, sizeof path, "experiments[%td].%saxes[%u].name",
                 pick->experiment - pick->paper->experiments, at, k);
        return orr_paper_blame(pick->paper->key, path, "no variant of %s has a parameter '%s'%s",
                               pick->experiment->name, axes[k].name,
                               orr_text_hint(hint, sizeof hint, axes[k].name,
                                             (const char *const *)names, orr_names_count(names)));
    }
    return 0;
}

int orr_axis_check_paper(const struct orr_planner *planner, const struct orr_pick *picks,
                         size_t count)
{
    const struct orr_experiment *experiment = picks->experiment;
    const struct orr_paper *paper = picks->paper;
    struct orr_names list = {0};
    char **names, at[32];
    size_t known = 0, members = 0;
    for (unsigned v = 0; v < paper->variants_count; v++)
        members += orr_paper_takes_part(&paper->variants[v], experiment->name);
    add_input(&list);
    for (size_t k = 0; k < count; k++) {
        const struct orr_inspection *metadata =
            orr_plan_variant_metadata(planner, paper->key, picks[k].variant->name);
        known += !metadata->refused;
        add_parameters(&list, &metadata->variant);
    }
    orr_names_finish(&list, &names, 0);
    const bool all = known == members;
    int code = all ? check_axes(picks, "", experiment->axes, experiment->axes_count, names) : 0;
    for (unsigned p = 0; all && !code && p < experiment->presets_count; p++) {
        snprintf(at, sizeof at, "presets[%u].", p);
        code = check_axes(picks, at, experiment->presets[p].axes, experiment->presets[p].axes_count,
                          names);
    }
    orr_names_free(names);
    return code;
}

/* Only one of n, per_box and per_rank may be set: `size` holds the one so far, or "". */
static int check_size(char size[32], const char *name)
{
    if (!is_size(name))
        return 0;
    int order = strcmp(size, name);
    if (*size && order)
        return orr_fail(ORR_EUSAGE,
                        "--set: %s and %s both say how many bodies there are; set one of them",
                        order < 0 ? size : name, order < 0 ? name : size);
    snprintf(size, 32, "%s", name);
    return 0;
}

/* A name is the input's or a parameter of a picked variant; when no variant could be loaded, nobody
 * knows its parameters. */
int orr_axis_check_set(const struct orr_planner *planner)
{
    struct orr_names list = {0};
    char **names, size[32] = "";
    bool known = false;
    int code = 0;
    add_input(&list);
    for (size_t k = 0; k < planner->metadata_count; k++) {
        known |= !planner->metadata[k].refused;
        add_parameters(&list, &planner->metadata[k].variant);
    }
    orr_names_finish(&list, &names, 0);
    for (int k = 0; k < planner->request->set.count; k++)
        for (int a = 0; !code && a < planner->sets[k].width; a++) {
            const char *name = planner->sets[k].names[a];
            if (known && !orr_names_has(names, name))
                code = orr_names_fail("--set: what was asked for has no axis or parameter", name,
                                      names, orr_names_count(names), sizeof *names);
            if (!code)
                code = check_size(size, name);
        }
    orr_names_free(names);
    return code;
}

/* --- what --set says: the values of one axis, or rows of values of axes that vary together --- */

/* The names before the '=', with commas between. */
static int read_names(struct orr_axis_set *out, const char *text)
{
    const size_t left = strcspn(text, "=");
    bool good = text[left];
    for (size_t at = 0; good && at <= left;) {
        size_t length = strcspn(text + at, ",=");
        good = length && length < sizeof *out->names && out->width < ORR_MAX_SETTINGS;
        if (good)
            snprintf(out->names[out->width++], sizeof *out->names, "%.*s", (int)length, text + at);
        at += length + 1;
    }
    return good ? 0
                : orr_fail(ORR_EUSAGE,
                           "--set %s: write it as name=value, name=a,b or name=low:high:*factor; "
                           "axes that vary together as n,eps=1000:0.1,2000:0.2",
                           text);
}

static int add_single(struct orr_axis_set *out, const char *value, const char *row)
{
    if (!*value)
        return orr_fail(ORR_EUSAGE, "a value is missing in '%s'", row);
    if (*value == '+' || strpbrk(value, "*?"))
        return orr_fail(ORR_EUSAGE,
                        "'%s' in '%s' is no single value; axes that vary together take neither "
                        "ranges nor wildcards",
                        value, row);
    orr_names_add(&out->values, "%s", value);
    return 0;
}

/* "1000:0.5", a value of each axis. */
static int add_row(struct orr_axis_set *out, char *rest)
{
    char *row = orr_memory_text(rest);
    int code = 0, found = 0;
    if (!*row)
        code = orr_fail(ORR_EUSAGE, "a value is missing between commas");
    for (; !code && rest; found++)
        code = add_single(out, strsep(&rest, ":"), row);
    if (!code && found != out->width)
        code = orr_fail(ORR_EUSAGE, "'%s' has %d value%s for %d axes; colons stand between them",
                        row, found, found == 1 ? "" : "s", out->width);
    free(row);
    return code;
}

int orr_axis_set_read(struct orr_axis_set *out, const char *text)
{
    *out = (struct orr_axis_set){0};
    int code = read_names(out, text);
    if (code)
        return code;
    const char *values = strchr(text, '=') + 1;
    char *copy = orr_memory_text(values), *rest = out->width > 1 ? copy : NULL;
    if (!rest)
        orr_names_add(&out->values, "%s", values);
    while (!code && rest)
        code = add_row(out, strsep(&rest, ","));
    free(copy);
    return !code ? 0 : orr_error_context("--set %.*s", (int)(values - 1 - text), text);
}

void orr_axis_set_release(struct orr_axis_set *set)
{
    orr_names_free(set->values.items);
    *set = (struct orr_axis_set){0};
}

size_t orr_axis_set_rows(const struct orr_axis_set *set)
{
    return set->values.count / (size_t)set->width;
}

int orr_axis_list_put_set(struct orr_axis_list *axes, const struct orr_axis_set *set, size_t row)
{
    int code = 0;
    for (int k = 0; !code && k < set->width; k++)
        code = orr_axis_list_put(axes, set->names[k],
                                 set->values.items[row * (size_t)set->width + (size_t)k]);
    return code ? orr_error_context("--set") : 0;
}
