/* The data grid of most layouts: one row a cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/cell_row.h"
#include "present/layout.h"
#include "present/show.h"
#include "present/stages.h"

struct builder {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
    const struct orr_results *results;
    const struct orr_cell_grid *options;
    struct orr_lines lines;
    struct orr_stages stages;
    char unit[16]; /* of the published times */
};

static void add_columns(const struct builder *b)
{
    char head[64];
    struct orr_grid *g = b->grid;
    bool seconds = !strcmp(b->options->published, "seconds");
    orr_grid_column(g, "machine", "machine", ORR_PROGRAMS, false);
    orr_grid_column(g, "dataset", "data set", ORR_ALL, false);
    if (b->results->boxed)
        orr_grid_column(g, "boxes", "in a box", ORR_PEOPLE, true);
    orr_grid_column(g, "n", "N", ORR_ALL, true);
    orr_grid_column(g, "variant", "variant", ORR_PROGRAMS, false);
    orr_grid_column(g, "label", "variant", ORR_PEOPLE, false);
    orr_grid_column(g, "device", "device", ORR_ALL, false);
    orr_grid_column(g, "device_name", "device name", ORR_PROGRAMS, false);
    orr_grid_column(g, "parameters", "parameters", ORR_PROGRAMS, false);
    orr_grid_column(g, "level", "level", ORR_PROGRAMS, true);
    orr_grid_column(g, "per_box", "bodies in a box", ORR_PROGRAMS, true);
    orr_grid_column(g, "outcome", "outcome", ORR_PROGRAMS, false);
    orr_grid_column(g, "reason", "reason", ORR_PROGRAMS, false);
    orr_grid_column(g, "extrapolated", "extrapolated", ORR_PROGRAMS, false);
    snprintf(head, sizeof head, "published [%s]", !seconds ? "GFLOPS" : *b->unit ? b->unit : "s");
    orr_grid_column(g, "published_printed", head, ORR_ALL, true);
    orr_grid_column(g, "published", "published", ORR_PROGRAMS, true);
    orr_grid_column(g, "published_half_unit", "half unit", ORR_PROGRAMS, true);
    orr_grid_column(g, "published_unit", "unit", ORR_PROGRAMS, false);
    orr_grid_column(g, "measured", "measured", ORR_PEOPLE, true);
    orr_grid_column(g, "seconds", "seconds", ORR_PROGRAMS, true);
    orr_grid_column(g, "seconds_low", "low", ORR_PROGRAMS, true);
    orr_grid_column(g, "seconds_high", "high", ORR_PROGRAMS, true);
    orr_grid_column(g, "kernel_seconds", "kernel seconds", ORR_PROGRAMS, true);
    orr_grid_column(g, "end_to_end_seconds", "end-to-end seconds", ORR_PROGRAMS, true);
    orr_grid_column(g, "ratio", seconds ? "published / measured" : "measured / published",
                    ORR_PEOPLE, true);
    orr_grid_column(g, seconds ? "published_over_measured" : "measured_over_published", "ratio",
                    ORR_PROGRAMS, true);
    orr_grid_column(g, "ratio_low", "low", ORR_PROGRAMS, true);
    orr_grid_column(g, "ratio_high", "high", ORR_PROGRAMS, true);
    orr_grid_column(g, "interactions_per_second", "interactions/s", ORR_ALL, true);
    snprintf(head, sizeof head, "GFLOPS at %g", b->scope->paper->flops_per_interaction);
    orr_grid_column(g, "gflops", head, ORR_ALL, true);
    orr_grid_column(g, "ceiling_fraction", "of ceiling", ORR_ALL, true);
}

static void add_late_columns(const struct builder *b)
{
    char key[128], head[128];
    const struct orr_experiment *e = b->scope->experiment;
    for (unsigned k = 0; b->options->speedups && k < e->baselines_count; k++) {
        snprintf(key, sizeof key, "speedup_over_%s", e->baselines[k]);
        snprintf(head, sizeof head, "over %s", e->baselines[k]);
        orr_grid_column(b->grid, key, head, ORR_ALL, true);
        snprintf(key, sizeof key, "speedup_over_%s_low", e->baselines[k]);
        orr_grid_column(b->grid, key, "low", ORR_PROGRAMS, true);
        snprintf(key, sizeof key, "speedup_over_%s_high", e->baselines[k]);
        orr_grid_column(b->grid, key, "high", ORR_PROGRAMS, true);
    }
    orr_cell_joined_error_columns(b->grid);
    orr_grid_column(b->grid, "samples", "samples", ORR_ALL, true);
    for (size_t k = 0; k < b->stages.count; k++) {
        snprintf(key, sizeof key, "stage_%s_seconds", b->stages.names[k]);
        orr_grid_column(b->grid, key, b->stages.names[k], ORR_PROGRAMS, true);
    }
}

/* "gflops" is a speed: more is better, so the ratio is turned round. */
static struct orr_ratio ratio_to_published(const struct builder *b,
                                           const struct orr_published *published,
                                           const struct orr_result *result)
{
    if (!strcmp(b->options->published, "seconds"))
        return orr_ratio_to_published(published, result);
    struct orr_ratio ratio = {NAN, NAN, NAN, false};
    if (isnan(published->value) || !result || !result->ok)
        return ratio;
    ratio.value = result->gflops / published->value;
    ratio.extrapolated = result->extrapolated;
    return ratio;
}

static int put_published(const struct builder *b, const char *variant,
                         const struct orr_input *input, const struct orr_result *result)
{
    struct orr_published published;
    char text[96];
    int code =
        orr_published_find(&published, b->scope, variant, input, b->options->published, NULL);
    if (code > 0) {
        bool seconds = !strcmp(b->options->published, "seconds");
        struct orr_ratio ratio = ratio_to_published(b, &published, result);
        orr_grid_text(b->grid, "published_printed", "%s", published.printed);
        orr_grid_note(b->grid, "published_printed",
                      orr_document_note(b->document, published.erratum));
        orr_grid_number(b->grid, "published", published.value);
        orr_grid_number(b->grid, "published_half_unit", published.half_unit);
        orr_grid_text(b->grid, "published_unit", "%s", published.unit);
        orr_grid_text(b->grid, "ratio", "%s", orr_show_ratio(text, sizeof text, &ratio));
        orr_grid_number(b->grid, seconds ? "published_over_measured" : "measured_over_published",
                        ratio.value);
        orr_grid_number(b->grid, "ratio_low", ratio.low);
        orr_grid_number(b->grid, "ratio_high", ratio.high);
    }
    orr_published_release(&published);
    return code < 0 ? code : 0;
}

static void put_rates(const struct builder *b, const struct orr_result *r)
{
    char text[64];
    const char *about = r->extrapolated ? ORR_ABOUT : "";
    if (isnan(r->interactions_per_second)) /* the variant does not know how many */
        return;
    orr_grid_text(b->grid, "interactions_per_second", "%s%s",
                  orr_format_si(text, sizeof text, r->interactions_per_second, ""), about);
    orr_grid_number(b->grid, "interactions_per_second", r->interactions_per_second);
    orr_grid_text(b->grid, "gflops", "%s%s", orr_format_number(text, sizeof text, r->gflops),
                  about);
    orr_grid_number(b->grid, "gflops", r->gflops);
    if (isnan(r->ceiling_fraction))
        return;
    orr_grid_text(b->grid, "ceiling_fraction", "%.1f %%%s", 100 * r->ceiling_fraction, about);
    orr_grid_number(b->grid, "ceiling_fraction", r->ceiling_fraction);
}

static int put_speedups(const struct builder *b, const struct orr_result *r)
{
    const struct orr_experiment *e = b->scope->experiment;
    for (unsigned k = 0; b->options->speedups && k < e->baselines_count; k++) {
        char key[128], text[96];
        struct orr_ratio ratio;
        int code =
            orr_ratio_of(&ratio, b->scope, r, orr_results_baseline(b->results, r, e->baselines[k]));
        if (code)
            return code;
        if (isnan(ratio.value))
            continue;
        snprintf(key, sizeof key, "speedup_over_%s", e->baselines[k]);
        orr_grid_text(b->grid, key, "%s", orr_show_ratio(text, sizeof text, &ratio));
        orr_grid_number(b->grid, key, ratio.value);
        snprintf(key, sizeof key, "speedup_over_%s_low", e->baselines[k]);
        orr_grid_number(b->grid, key, ratio.low);
        snprintf(key, sizeof key, "speedup_over_%s_high", e->baselines[k]);
        orr_grid_number(b->grid, key, ratio.high);
    }
    return 0;
}

static int put_stages(const struct builder *b, const struct orr_result *r)
{
    double seconds[ORR_MAX_STAGES];
    int any = b->stages.count ? orr_stages_of(seconds, &b->stages, b->scope, r) : 0;
    for (size_t k = 0; any > 0 && k < b->stages.count; k++) {
        char key[128];
        snprintf(key, sizeof key, "stage_%s_seconds", b->stages.names[k]);
        orr_grid_number(b->grid, key, seconds[k]);
    }
    return any < 0 ? any : 0;
}

static int put_measured(const struct builder *b, const struct orr_result *r)
{
    char text[96];
    orr_grid_text(b->grid, "label", "%s", r->label);
    orr_grid_text(b->grid, "device", "%s", r->device);
    orr_grid_text(b->grid, "device_name", "%s", r->device_name);
    orr_grid_text(b->grid, "parameters", "%s", r->parameters);
    orr_grid_text(b->grid, "outcome", "%s", r->outcome);
    orr_grid_text(b->grid, "reason", "%s", r->reason);
    orr_grid_text(b->grid, "extrapolated", "%s", r->extrapolated ? "extrapolated" : "no");
    orr_grid_text(b->grid, "measured", "%s", orr_show_time(text, sizeof text, r));
    orr_cell_joined_errors(b->grid, r);
    if (!r->ok)
        return 0;
    orr_grid_number(b->grid, "seconds", r->seconds);
    orr_grid_number(b->grid, "seconds_low", r->low);
    orr_grid_number(b->grid, "seconds_high", r->high);
    orr_grid_number(b->grid, "kernel_seconds", r->kernel_seconds);
    orr_grid_number(b->grid, "end_to_end_seconds", r->end_to_end_seconds);
    if (!r->extrapolated) /* an estimate has no samples of its own */
        orr_grid_number(b->grid, "samples", r->samples);
    put_rates(b, r);
    int code = put_stages(b, r);
    return code ? code : put_speedups(b, r);
}

static void put_input(const struct builder *b, const struct orr_input *input)
{
    char text[64];
    orr_grid_text(b->grid, "dataset", "%s", input->dataset);
    if (b->results->boxed)
        orr_grid_text(b->grid, "boxes", "%s", orr_show_input(text, sizeof text, b->results, input));
    orr_grid_text(b->grid, "n", "%.0f", input->n);
    orr_grid_number(b->grid, "n", input->n);
    orr_grid_number(b->grid, "level", input->level);
    orr_grid_number(b->grid, "per_box", input->per_box);
}

static int put_row(const struct builder *b, const char *variant, const struct orr_input *input,
                   const struct orr_result *result)
{
    orr_grid_row(b->grid);
    orr_grid_text(b->grid, "machine", "%s", b->scope->machine);
    put_input(b, input);
    orr_grid_text(b->grid, "variant", "%s", variant);
    orr_grid_text(b->grid, "label", "%s", variant);
    orr_grid_text(b->grid, "outcome", "not measured");
    int code = result ? put_measured(b, result) : 0;
    const struct orr_line *line = result ? orr_lines_find(&b->lines, result) : NULL;
    return code || (line && !line->faithful) ? code : put_published(b, variant, input, result);
}

/* Rows of one input: what was measured, and a row without a time for each variant that was not. */
static int put_rows(const struct builder *b, const struct orr_input *input)
{
    int code = 0;
    for (unsigned v = 0; v < b->scope->paper->variants_count && !code; v++) {
        const struct orr_paper_variant *variant = &b->scope->paper->variants[v];
        bool measured = false;
        for (size_t k = 0; k < b->results->count && !code; k++) {
            const struct orr_result *r = &b->results->items[k];
            if (strcmp(r->variant, variant->name) || !orr_input_same(&r->input, input))
                continue;
            measured = true;
            code = put_row(b, variant->name, input, r);
        }
        if (!measured && !code && input->published && orr_layout_takes(b->scope, variant))
            code = put_row(b, variant->name, input, NULL);
    }
    return code;
}

int orr_cell_grid_add(struct orr_document *document, const struct orr_scope *scope,
                      const struct orr_results *results, const struct orr_cell_grid *options)
{
    struct builder b = {
        .document = document, .scope = scope, .results = results, .options = options};
    int code = orr_lines_make(&b.lines, scope, results);
    if (!code)
        code = orr_stages_load(&b.stages, scope);
    if (!code)
        code = orr_published_unit(b.unit, scope);
    if (!code) {
        b.grid = orr_document_grid(document, true, "Every cell");
        add_columns(&b);
        add_late_columns(&b);
    }
    for (size_t k = 0; k < results->input_count && !code; k++)
        code = put_rows(&b, &results->inputs[k]);
    orr_lines_release(&b.lines);
    return code;
}
