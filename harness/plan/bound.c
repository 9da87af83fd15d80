/* SPDX-License-Identifier: MIT */
/* The bound of a cell: of its experiment, or of a tree code by theta and n. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "plan/paper.h"
#include "plugin/plugin.h"

/* A plugin without a paper is held to what exact sums in single precision reach. */
static const struct orr_bound EXACT = {.median = 1e-5, .p99 = 1e-4, .max = 1e-3};

/* Quantiles of fewer bodies are one body's errors, and held to the bound of the largest. */
static const double FEWEST_FOR_P99 = 1000, FEWEST_FOR_MEDIAN = 100;

json_t *orr_bound_to_json(const struct orr_bound *bound)
{
    return json_pack("{s:f, s:f, s:f, s:b}", "median", bound->median, "p99", bound->p99, "max",
                     bound->max, "by_terms", bound->by_terms);
}

static double law_at(const struct orr_law *law, const struct orr_bound_at *at)
{
    return law->floor + law->at * pow(at->theta, law->theta) * pow(at->n, law->n);
}

static bool is_set(const char *wanted, const struct orr_bound_at *at)
{
    char setting[sizeof at->settings->name + sizeof at->settings->value + 1];
    for (int k = 0; k < at->setting_count; k++) {
        snprintf(setting, sizeof setting, "%s=%s", at->settings[k].name, at->settings[k].value);
        if (!strcmp(setting, wanted))
            return true;
    }
    return false;
}

static bool matches(const struct orr_tree_bound *bound, const char *variant,
                    const struct orr_bound_at *at)
{
    bool named = false;
    for (unsigned k = 0; k < bound->variants_count; k++)
        named = named || !fnmatch(bound->variants[k], variant, 0);
    for (unsigned k = 0; k < bound->settings_count; k++)
        named = named && is_set(bound->settings[k], at);
    return named && (!(bound->up_to > 0) || at->theta <= bound->up_to);
}

/* The errors that others' trees may have are not known: a program is held to the loosest bound of
 * any tree of the paper. */
static bool of_trees(struct orr_bound *out, const struct orr_paper *paper,
                     const struct orr_bound_at *at)
{
    const char *name = strchr(at->variant, '/') + 1;
    const bool program = orr_program_is(at->variant);
    bool found = false;
    *out = (struct orr_bound){.by_terms = true};
    for (unsigned k = 0; k < paper->tree_bounds_count && (program || !found); k++) {
        const struct orr_tree_bound *bound = &paper->tree_bounds[k];
        if (!program && !matches(bound, name, at))
            continue;
        found = true;
        out->median = fmax(out->median, law_at(&bound->median, at));
        out->p99 = fmax(out->p99, law_at(&bound->p99, at));
        out->max = fmax(out->max, law_at(&bound->max, at));
    }
    return found;
}

static int of_tree(struct orr_bound *out, const struct orr_paper *paper,
                   const struct orr_bound_at *at)
{
    if (!strchr(at->variant, '/') || !of_trees(out, paper, at))
        return orr_paper_blame(paper->key, "tree_bounds",
                               "no bound for the tree code %s at theta = %g", at->variant,
                               at->theta);
    if (at->n < FEWEST_FOR_P99)
        out->p99 = out->max;
    if (at->n < FEWEST_FOR_MEDIAN)
        out->median = out->max;
    return 0;
}

int orr_bound_of_cell(struct orr_bound *out, const struct orr_paper *paper,
                      const struct orr_experiment *experiment, const struct orr_bound_at *at)
{
    if (at->tree)
        return of_tree(out, paper, at);
    *out = *experiment->bound;
    return 0;
}

static void of_experiments(struct orr_bound *out, const struct orr_paper *paper,
                           const struct orr_paper_variant *variant)
{
    *out = (struct orr_bound){0};
    for (unsigned k = 0; k < variant->in_count; k++) {
        const struct orr_experiment *in = orr_paper_experiment(paper, variant->in[k]);
        const struct orr_bound *bound = in ? orr_paper_cells(paper, in)->bound : NULL;
        if (bound && bound->p99 > out->p99)
            *out = *bound;
    }
    if (!(out->p99 > 0))
        *out = EXACT;
}

int orr_bound_of_variant(struct orr_bound *out, const struct orr_bound_at *at)
{
    char key[64];
    struct orr_paper *paper = NULL;
    const struct orr_paper_variant *known = NULL;
    const char *slash = strchr(at->variant, '/');
    int code = 0;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(at->variant, "/"), at->variant);
    *out = EXACT;
    if (slash && !orr_paper_load(&paper, key))
        known = orr_paper_variant(paper, slash + 1);
    if (!paper || !known)
        orr_error_clear();
    if (at->tree && paper)
        code = of_tree(out, paper, at);
    else if (at->tree)
        code = orr_fail(ORR_EUSAGE,
                        "%s is a tree code, and the tree_bounds of no paper.yaml bound its error",
                        at->variant);
    else if (known)
        of_experiments(out, paper, known);
    orr_paper_free(paper);
    return code;
}
