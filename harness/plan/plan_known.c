#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan/plan_axes.h"
#include "plan/plan_parts.h"
#include "text.h"

const struct orr_known *orr_known_find(const struct orr_planner *planner, const char *paper, const char *variant)
{
    char name[sizeof planner->known->name];
    snprintf(name, sizeof name, "%.31s/%.31s", paper, variant);
    for (size_t k = 0; k < planner->known_count; k++)
        if (!strcmp(planner->known[k].name, name))
            return &planner->known[k];
    return NULL;
}

static int inspect(struct orr_planner *planner, const struct orr_pick *pick)
{
    struct orr_known *known = &planner->known[planner->known_count++];
    snprintf(known->name, sizeof known->name, "%.31s/%.31s", pick->paper->key, pick->variant->name);
    int code = orr_plugin_inspect(&known->inspection, known->name);
    known->usable = !code;
    if (!code || code == ORR_EMEMORY)
        return code;
    code = orr_names_add(&planner->notes, "%s cannot be used, its cells will fail: %s", known->name, orr_error_text());
    orr_error_clear();
    return code;
}

int orr_known_make(struct orr_planner *planner)
{
    const struct orr_picks *picks = &planner->picks;
    planner->known = calloc(picks->count + 1, sizeof *planner->known);
    if (!planner->known)
        return orr_fail(ORR_EMEMORY, "no memory for the plan");
    int code = 0;
    for (size_t k = 0; !code && k < picks->count; k++)
        if (!orr_known_find(planner, picks->items[k].paper->key, picks->items[k].variant->name))
            code = inspect(planner, &picks->items[k]);
    return code;
}

const char *const *orr_axes_get(const struct orr_axis_list *axes, const char *name)
{
    for (int k = 0; k < axes->count; k++)
        if (!strcmp(axes->items[k].name, name))
            return (const char *const *)axes->items[k].values;
    return NULL;
}

int orr_axes_put(struct orr_axis_list *axes, const char *name, const char *values)
{
    int at = 0;
    while (at < axes->count && strcmp(axes->items[at].name, name) != 0)
        at++;
    if (at == ORR_MAX_SETTINGS || strlen(name) >= sizeof axes->items->name)
        return orr_fail(ORR_EUSAGE, "axis '%.40s': its name is too long, or there are more than %d axes", name,
                        ORR_MAX_SETTINGS);
    char **list;
    if (orr_axis_values(&list, values, orr_axis_counts(name)))
        return orr_error_context("axis '%s'", name);
    if (at == axes->count)
        strcpy(axes->items[axes->count++].name, name);
    else
        orr_names_free(axes->items[at].values);
    axes->items[at].values = list;
    return 0;
}

void orr_axes_release(struct orr_axis_list *axes)
{
    for (int k = 0; k < axes->count; k++)
        orr_names_free(axes->items[k].values);
    axes->count = 0;
}

static int add_parameters(struct orr_names *names, const struct orr_known *known)
{
    const struct orr_variant *variant = &known->inspection.variant;
    int code = 0;
    for (size_t p = 0; !code && p < variant->param_count; p++)
        code = orr_names_add(names, "%s", variant->params[p].name);
    return code;
}

static int add_input(struct orr_names *names)
{
    static const char *const input[] = {"dataset", "n", "seed"};
    int code = 0;
    for (size_t k = 0; !code && k < sizeof input / sizeof *input; k++)
        code = orr_names_add(names, "%s", input[k]);
    return code;
}

/* Names that --set may use: the input's and the parameters of every picked variant that could be loaded. */
static int settable_names(const struct orr_planner *planner, char ***out, bool *complete)
{
    struct orr_names names = {0};
    int code = add_input(&names);
    *complete = false;
    for (size_t k = 0; k < planner->known_count; k++) {
        *complete = *complete || planner->known[k].usable;
        if (!code)
            code = add_parameters(&names, &planner->known[k]);
    }
    return orr_names_finish(&names, out, code);
}

static bool is_among(const char *name, char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

static int check_name(const struct orr_planner *planner, const char *name)
{
    char **names;
    bool complete;
    int code = settable_names(planner, &names, &complete);
    if (code)
        return code;
    if (complete && !is_among(name, names)) /* when no variant could be loaded, nobody knows its parameters */
        code = orr_names_fail("--set: what was asked for has no axis or parameter", name, names, orr_names_count(names),
                              sizeof *names);
    orr_names_free(names);
    return code;
}

/* Does the experiment have a variant that is not among the picks, or that could not be loaded? */
static bool has_unknown(const struct orr_planner *planner, const struct orr_pick *picks, size_t count)
{
    const struct orr_paper *paper = picks->paper;
    size_t members = 0;
    for (unsigned v = 0; v < paper->variants_count; v++)
        for (unsigned k = 0; k < paper->variants[v].in_count; k++)
            members += !strcmp(paper->variants[v].in[k], picks->experiment->name);
    bool unknown = members > count;
    for (size_t k = 0; k < count; k++) {
        const struct orr_known *known = orr_known_find(planner, paper->key, picks[k].variant->name);
        unknown = unknown || !known || !known->usable;
    }
    return unknown;
}

/* `at`: "presets[1]." or "". */
static int check_axes(const struct orr_pick *pick, const char *at, const struct orr_axis *axes, unsigned count,
                      char *const *names)
{
    for (unsigned k = 0; k < count; k++) {
        char path[128];
        if (is_among(axes[k].name, names))
            continue;
        const char *near = orr_text_nearest(axes[k].name, (const char *const *)names, orr_names_count(names));
        snprintf(path, sizeof path, "experiments[%td].%saxes[%u].name", pick->experiment - pick->paper->experiments, at,
                 k);
        return orr_paper_blame(pick->paper->key, path, "no variant of %s has a parameter '%s'%s%s%s",
                               pick->experiment->name, axes[k].name, near ? "; did you mean '" : "", near ? near : "",
                               near ? "'?" : "");
    }
    return 0;
}

int orr_axes_check_paper(const struct orr_planner *planner, const struct orr_pick *picks, size_t count)
{
    const struct orr_experiment *experiment = picks->experiment;
    struct orr_names list = {0};
    char **names;
    if (has_unknown(planner, picks, count))
        return 0;
    int code = add_input(&list);
    for (size_t k = 0; !code && k < count; k++)
        code = add_parameters(&list, orr_known_find(planner, picks->paper->key, picks[k].variant->name));
    code = orr_names_finish(&list, &names, code);
    if (code)
        return code;
    code = check_axes(picks, "", experiment->axes, experiment->axes_count, names);
    for (unsigned p = 0; !code && p < experiment->presets_count; p++) {
        char at[32];
        snprintf(at, sizeof at, "presets[%u].", p);
        code = check_axes(picks, at, experiment->presets[p].axes, experiment->presets[p].axes_count, names);
    }
    orr_names_free(names);
    return code;
}

static int split_set(char name[32], const char *text)
{
    size_t length = strcspn(text, "=");
    if (!text[length] || length == 0 || length >= 32)
        return orr_fail(ORR_EUSAGE, "--set %s: write it as name=value, name=a,b or name=low:high:*factor", text);
    snprintf(name, 32, "%.*s", (int)length, text);
    return 0;
}

int orr_axes_put_set(struct orr_axis_list *axes, const char *text)
{
    char name[32];
    int code = split_set(name, text);
    if (!code && orr_axes_put(axes, name, strchr(text, '=') + 1))
        code = orr_error_context("--set");
    return code;
}

int orr_axes_check_set(const struct orr_planner *planner)
{
    int code = 0;
    for (int k = 0; !code && k < planner->request->set_count; k++) {
        char name[32];
        code = split_set(name, planner->request->set[k]);
        if (!code)
            code = check_name(planner, name);
    }
    return code;
}
