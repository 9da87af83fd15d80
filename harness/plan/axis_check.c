/* Names of axes must mean something to what was asked for: a misspelt one would change nothing,
 * silently. */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "plan/plan_parts.h"
#include "text.h"

static int add_parameters(struct orr_names *names, const struct orr_variant_metadata *metadata)
{
    const struct orr_variant *variant = &metadata->inspection.variant;
    int code = 0;
    for (size_t p = 0; !code && p < variant->param_count; p++)
        code = orr_names_add(names, "%s", variant->params[p].name);
    return code;
}

static int add_input(struct orr_names *names)
{
    static const char *const input[] = {"dataset", "n", "per_box", "seed"};
    int code = 0;
    for (size_t k = 0; !code && k < sizeof input / sizeof *input; k++)
        code = orr_names_add(names, "%s", input[k]);
    return code;
}

/* Names that --set may use: the input's and the parameters of every picked variant that could be
 * loaded. */
static int settable_names(const struct orr_planner *planner, char ***out, bool *complete)
{
    struct orr_names names = {0};
    int code = add_input(&names);
    *complete = false;
    for (size_t k = 0; k < planner->metadata_count; k++) {
        *complete = *complete || planner->metadata[k].usable;
        if (!code)
            code = add_parameters(&names, &planner->metadata[k]);
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
    if (complete &&
        !is_among(name, names)) /* when no variant could be loaded, nobody knows its parameters */
        code = orr_names_fail("--set: what was asked for has no axis or parameter", name, names,
                              orr_names_count(names), sizeof *names);
    orr_names_free(names);
    return code;
}

/* Does the experiment have a variant that is not among the picks, or that could not be loaded? */
static bool has_unknown(const struct orr_planner *planner, const struct orr_pick *picks,
                        size_t count)
{
    const struct orr_paper *paper = picks->paper;
    size_t members = 0;
    for (unsigned v = 0; v < paper->variants_count; v++)
        for (unsigned k = 0; k < paper->variants[v].in_count; k++)
            members += !strcmp(paper->variants[v].in[k], picks->experiment->name);
    bool unknown = members > count;
    for (size_t k = 0; k < count; k++) {
        const struct orr_variant_metadata *metadata =
            orr_plan_variant_metadata(planner, paper->key, picks[k].variant->name);
        unknown = unknown || !metadata || !metadata->usable;
    }
    return unknown;
}

/* `at`: "presets[1]." or "". */
static int check_axes(const struct orr_pick *pick, const char *at, const struct orr_axis *axes,
                      unsigned count, char *const *names)
{
    for (unsigned k = 0; k < count; k++) {
        char path[128];
        if (is_among(axes[k].name, names))
            continue;
        const char *near =
            orr_text_nearest(axes[k].name, (const char *const *)names, orr_names_count(names));
        snprintf(path, sizeof path, "experiments[%td].%saxes[%u].name",
                 pick->experiment - pick->paper->experiments, at, k);
        return orr_paper_blame(pick->paper->key, path,
                               "no variant of %s has a parameter '%s'%s%s%s",
                               pick->experiment->name, axes[k].name, near ? "; did you mean '" : "",
                               near ? near : "", near ? "'?" : "");
    }
    return 0;
}

int orr_axis_check_paper(const struct orr_planner *planner, const struct orr_pick *picks,
                         size_t count)
{
    const struct orr_experiment *experiment = picks->experiment;
    struct orr_names list = {0};
    char **names;
    if (has_unknown(planner, picks, count))
        return 0;
    int code = add_input(&list);
    for (size_t k = 0; !code && k < count; k++)
        code = add_parameters(
            &list, orr_plan_variant_metadata(planner, picks->paper->key, picks[k].variant->name));
    code = orr_names_finish(&list, &names, code);
    if (code)
        return code;
    code = check_axes(picks, "", experiment->axes, experiment->axes_count, names);
    for (unsigned p = 0; !code && p < experiment->presets_count; p++) {
        char at[32];
        snprintf(at, sizeof at, "presets[%u].", p);
        code = check_axes(picks, at, experiment->presets[p].axes, experiment->presets[p].axes_count,
                          names);
    }
    orr_names_free(names);
    return code;
}

int orr_axis_check_set(const struct orr_planner *planner)
{
    int code = 0;
    bool n = false, per_box = false;
    for (int k = 0; !code && k < planner->request->set_count; k++) {
        char name[32];
        code = orr_axis_set_name(name, planner->request->set[k]);
        if (!code)
            code = check_name(planner, name);
        n = n || !strcmp(name, "n");
        per_box = per_box || !strcmp(name, "per_box");
    }
    if (!code && n && per_box)
        code = orr_fail(ORR_EUSAGE,
                        "--set: n and per_box both say how many bodies there are; set one of them");
    return code;
}
