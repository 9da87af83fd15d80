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

void orr_axis_list_release(struct orr_axis_list *axes)
{
    for (int k = 0; k < axes->count; k++)
        orr_names_free(axes->items[k].values);
    axes->count = 0;
}

/* Replaces the axis or adds it; n, per_box and per_rank replace each other. */
static int put_axis(struct orr_axis_list *axes, const char *name, const char *values)
{
    int at = 0;
    while (at < axes->count && strcmp(axes->items[at].name, name) != 0 &&
           !(is_size(name) && is_size(axes->items[at].name)))
        at++;
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

static int put_axes(struct orr_axis_list *out, const struct orr_axis *axes, unsigned count)
{
    int code = 0;
    for (unsigned k = 0; !code && k < count; k++)
        code = put_axis(out, axes[k].name, axes[k].values);
    return code;
}

int orr_axis_merge(struct orr_axis_list *out, const struct orr_planner *planner,
                   const struct orr_pick *pick, size_t row)
{
    int code = put_axes(out, pick->experiment->axes, pick->experiment->axes_count);
    if (!code && pick->preset)
        code = put_axes(out, pick->preset->axes, pick->preset->axes_count);
    for (int s = 0; !code && s < planner->request->set.count; s++) {
        const struct orr_axis_set *set = &planner->sets[s];
        const size_t width = set->axes.count, rows = set->values.count / width;
        char *const *values = &set->values.items[row % rows * width];
        for (size_t k = 0; !code && k < width; k++)
            if ((code = put_axis(out, set->axes.items[k], values[k])))
                orr_error_context("--set");
        row /= rows;
    }
    return code;
}

/* --- what --set says: the values of one axis, or rows of values of axes that vary together --- */

static void split(struct orr_names *out, const char *text, size_t length, const char *separator)
{
    char *copy = orr_memory_part(text, length), *rest = copy;
    while (rest)
        orr_names_add(out, "%s", strsep(&rest, separator));
    free(copy);
}

/* "1000:0.5" of all the values, one of each axis. */
static int read_row(struct orr_axis_set *out, const char *row, const char *all)
{
    const size_t first = out->values.count;
    split(&out->values, row, strlen(row), ":");
    for (size_t k = first; k < out->values.count; k++) {
        const char *value = out->values.items[k];
        if (!*value)
            return orr_fail(ORR_EUSAGE, "a value is missing in '%s'", all);
        if (*value == '+' || strpbrk(value, "*?"))
            return orr_fail(ORR_EUSAGE,
                            "'%s' in '%s' is no single value; axes that vary together take neither "
                            "ranges nor wildcards",
                            value, row);
    }
    const size_t found = out->values.count - first;
    return found == out->axes.count
               ? 0
               : orr_fail(ORR_EUSAGE,
                          "'%s' has %zu value%s for %zu axes; colons stand between them", row,
                          found, found == 1 ? "" : "s", out->axes.count);
}

static int read_set(struct orr_axis_set *out, const char *text)
{
    const size_t left = strcspn(text, "=");
    const char *values = text + left + 1;
    struct orr_names rows = {0};
    bool good = text[left];
    int code = 0;
    split(&out->axes, text, left, ",");
    for (size_t k = 0; k < out->axes.count; k++)
        good = good && *out->axes.items[k];
    if (!good)
        return orr_fail(ORR_EUSAGE,
                        "--set %s: write it as name=value, name=a,b or name=low:high:*factor; "
                        "axes that vary together as n,eps=1000:0.1,2000:0.2",
                        text);
    if (out->axes.count == 1)
        return orr_names_add(&out->values, "%s", values), 0;
    split(&rows, values, strlen(values), ",");
    for (size_t k = 0; !code && k < rows.count; k++)
        code = read_row(out, rows.items[k], values);
    orr_names_free(rows.items);
    return code ? orr_error_context("--set %.*s", (int)left, text) : 0;
}

/* --- whether an experiment or a variant knows an axis --- */

/* The axes of the input and the parameters of the picks that could be loaded, of which there are
 * `loaded`. */
static char **list_known(const struct orr_pick *picks, size_t count, size_t *loaded)
{
    static const char *const input[] = {"dataset", "n", "per_box", "per_rank", "seed", "ranks"};
    struct orr_names list = {0};
    char **names;
    *loaded = 0;
    for (size_t k = 0; k < sizeof input / sizeof *input; k++)
        orr_names_add(&list, "%s", input[k]);
    for (size_t k = 0; k < count; k++) {
        const struct orr_variant *variant = &picks[k].metadata->variant;
        *loaded += !picks[k].metadata->refused;
        for (size_t p = 0; p < variant->param_count; p++)
            orr_names_add(&list, "%s", variant->params[p].name);
    }
    orr_names_finish(&list, &names, 0);
    return names;
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

int orr_axis_check_paper(const struct orr_pick *picks, size_t count)
{
    const struct orr_experiment *experiment = picks->experiment;
    char at[32] = "";
    size_t loaded, members = 0;
    char **names = list_known(picks, count, &loaded);
    for (unsigned v = 0; v < picks->paper->variants_count; v++)
        members += orr_paper_takes_part(&picks->paper->variants[v], experiment->name);
    const bool all = loaded == members;
    int code = all ? check_axes(picks, at, experiment->axes, experiment->axes_count, names) : 0;
    for (unsigned p = 0; all && !code && p < experiment->presets_count; p++) {
        const struct orr_preset *preset = &experiment->presets[p];
        snprintf(at, sizeof at, "presets[%u].", p);
        code = check_axes(picks, at, preset->axes, preset->axes_count, names);
    }
    orr_names_free(names);
    return code;
}

/* A name is the input's or a parameter of a picked variant; when no variant could be loaded, nobody
 * knows its parameters. Only one of n, per_box and per_rank may be set: `size` is the one so far.
 */
static int check_name(const char *name, const char **size, char *const *known)
{
    if (known && !orr_names_has(known, name))
        return orr_names_fail("--set: what was asked for has no axis or parameter", name, known,
                              orr_names_count(known), sizeof *known);
    if (!is_size(name))
        return 0;
    const int order = *size ? strcmp(*size, name) : 0;
    if (order)
        return orr_fail(ORR_EUSAGE,
                        "--set: %s and %s both say how many bodies there are; set one of them",
                        order < 0 ? *size : name, order < 0 ? name : *size);
    *size = name;
    return 0;
}

int orr_axis_read_sets(struct orr_planner *planner)
{
    const struct orr_words *asked = &planner->request->set;
    const char *size = NULL;
    size_t loaded;
    char **names = list_known(planner->picks, planner->pick_count, &loaded);
    int code = 0;
    planner->sets = orr_memory_get((size_t)asked->count * sizeof *planner->sets);
    planner->rows = 1;
    for (int s = 0; !code && s < asked->count; s++) {
        struct orr_axis_set *set = &planner->sets[s];
        code = read_set(set, asked->items[s]);
        for (size_t k = 0; !code && k < set->axes.count; k++)
            code = check_name(set->axes.items[k], &size, loaded ? names : NULL);
        if (!code && set->axes.count) /* it has at least one */
            planner->rows *= set->values.count / set->axes.count;
        if (planner->rows > ORR_PLAN_MAX_CELLS)
            code =
                orr_fail(ORR_EUSAGE, "--set makes more than %d combinations", ORR_PLAN_MAX_CELLS);
    }
    orr_names_free(names);
    return code;
}
