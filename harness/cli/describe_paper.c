#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/describe_parts.h"
#include "error.h"
#include "paths.h"
#include "run/reference.h"

static int have(const json_t *about, const char *name)
{
    return about ? 0 : orr_fail(ORR_EMEMORY, "no memory to describe %s", name);
}

static json_t *axes_to_json(const struct orr_axis *axes, unsigned count)
{
    json_t *object = json_object();
    for (unsigned k = 0; object && k < count; k++)
        json_object_set_new(object, axes[k].name, json_string(axes[k].values));
    return object;
}

static json_t *preset_to_json(const struct orr_preset *preset)
{
    json_t *limits = json_array();
    for (unsigned k = 0; limits && k < preset->limits_count; k++) {
        const struct orr_limit *limit = &preset->limits[k];
        json_array_append_new(limits, json_pack("{s:s, s:f, s:s?}", "variant", limit->variant, "n",
                                                limit->n, "on", limit->on));
    }
    return json_pack("{s:s, s:o, s:o, s:f, s:i, s:b}", "name", preset->name, "axes",
                     axes_to_json(preset->axes, preset->axes_count), "limits", limits,
                     "time_limit_s", preset->time_limit_s, "long_samples",
                     (int)preset->long_samples, "skip", preset->skip);
}

/* Variants that take part, by their short names. */
static json_t *variants_of(const struct orr_paper *paper, const char *experiment)
{
    json_t *list = json_array();
    for (unsigned v = 0; list && v < paper->variants_count; v++)
        for (unsigned k = 0; k < paper->variants[v].in_count; k++)
            if (!strcmp(paper->variants[v].in[k], experiment))
                json_array_append_new(list, json_string(paper->variants[v].name));
    return list;
}

/* The file of the published numbers, relative to the home folder; null when the paper prints none.
 */
static json_t *published(const struct orr_paper *paper, const char *experiment)
{
    char shown[160], path[PATH_MAX];
    snprintf(shown, sizeof shown, "variants/%s/published/%s.csv", paper->key, experiment);
    return orr_paths_home(path, sizeof path, "%s", shown) || access(path, R_OK)
               ? json_null()
               : json_string(shown);
}

int orr_describe_experiment(json_t **out, const struct orr_paper *paper,
                            const struct orr_experiment *e)
{
    json_t *presets = json_array(), *baselines = json_array(), *phases = json_array();
    const struct orr_experiment *run = orr_paper_cells(paper, e);
    for (unsigned k = 0; k < run->presets_count; k++)
        json_array_append_new(presets, preset_to_json(&run->presets[k]));
    for (unsigned k = 0; k < e->baselines_count; k++)
        json_array_append_new(baselines, json_string(e->baselines[k]));
    for (unsigned k = 0; k < e->phases_count; k++)
        json_array_append_new(phases, json_string(e->phases[k]));
    *out =
        json_pack("{s:s, s:o, s:s, s:s, s:s, s:s?, s:s?, s:b, s:b, s:b, s:b, s:b, s:I, s:{s:f, "
                  "s:f, s:f}, s:o, s:o, "
                  "s:o, s:o, s:o, s:o}",
                  "kind", "experiment", "name", json_sprintf("%s/%s", paper->key, e->name), "shows",
                  e->shows, "title", e->title, "layout", e->layout, "note", e->note, "cells",
                  e->cells, "keep_bodies", run->keep_bodies, "counts", run->counts, "trajectory",
                  run->trajectory, "error_curve", run->error_curve, "energy", run->energy,
                  "targets", (json_int_t)(run->targets ? run->targets : ORR_REFERENCE_TARGETS),
                  "bound", "median", run->bound->median, "p99", run->bound->p99, "max",
                  run->bound->max, "published", published(paper, e->name), "baselines", baselines,
                  "phases", phases, "variants", variants_of(paper, e->name), "axes",
                  axes_to_json(e->axes, e->axes_count), "presets", presets);
    return have(*out, e->name);
}

int orr_describe_paper(json_t **out, const struct orr_paper *p)
{
    json_t *experiments = json_array(), *variants = json_array();
    for (unsigned k = 0; k < p->experiments_count; k++) {
        const struct orr_experiment *e = &p->experiments[k];
        json_array_append_new(experiments, json_pack("{s:o, s:s, s:s}", "name",
                                                     json_sprintf("%s/%s", p->key, e->name),
                                                     "shows", e->shows, "title", e->title));
    }
    for (unsigned k = 0; k < p->variants_count; k++) {
        const struct orr_paper_variant *v = &p->variants[k];
        json_array_append_new(variants,
                              json_pack("{s:o, s:s}", "name",
                                        json_sprintf("%s/%s", p->key, v->name), "label", v->label));
    }
    *out = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:f, s:o, s:o}", "kind", "paper", "name",
                     p->key, "title", p->title, "authors", p->authors, "venue", p->venue, "year",
                     orr_paper_year(p), "flops_per_interaction", p->flops_per_interaction,
                     "experiments", experiments, "variants", variants);
    return have(*out, p->key);
}
