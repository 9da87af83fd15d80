/* A comparison as a document: provenance, one row per cell, counts, ratios of variants. */
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/stats.h"
#include "present/facts.h"
#include "present/show.h"

/* --- provenance --- */

/* Only cells of a side that have a row count. */
static size_t keys_of(long long *keys, const struct orr_comparison *comparison, bool of_a)
{
    size_t count = 0;
    for (const struct orr_pair *pair = comparison->pairs;
         pair < comparison->pairs + comparison->count; pair++)
        if (pair->finding < ORR_FINDING_ROWS)
            keys[count++] = (of_a ? pair->a : pair->b)->key;
    return count;
}

static int add_side(struct orr_document *document, const struct orr_compare_operand *operand,
                    const long long *keys, size_t count, char **flags)
{
    char lead[] = {operand->letter, ' ', '\0'}, name[] = {operand->letter, '\0'};
    orr_document_fact(document, name, "%s", operand->word);
    int code = orr_facts_add(document, &operand->selection.ledger, lead, keys, count);
    return code ? code : orr_facts_flags(flags, &operand->selection.ledger, keys, count);
}

/* Different compiler flags make different host programs: named where they differ. */
static void add_flags(struct orr_document *document, const char *a, const char *b)
{
    if (!strcmp(a, b))
        return;
    orr_document_fact(document, "A flags", "%s", *a ? a : "none");
    orr_document_fact(document, "B flags", "%s", *b ? b : "none");
}

static int add_facts(struct orr_document *document, const struct orr_comparison *comparison)
{
    char *flags[2] = {NULL, NULL};
    long long *keys = malloc((comparison->count + 1) * sizeof *keys);
    int code = keys ? 0 : orr_fail(ORR_EMEMORY, "no memory for the facts");
    if (!code)
        code = add_side(document, comparison->a, keys, keys_of(keys, comparison, true), &flags[0]);
    if (!code)
        code = add_side(document, comparison->b, keys, keys_of(keys, comparison, false), &flags[1]);
    if (!code)
        add_flags(document, flags[0], flags[1]);
    free(flags[0]);
    free(flags[1]);
    free(keys);
    return code;
}

/* --- cells --- */

static void add_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "experiment", "experiment", ORR_ALL, false);
    orr_grid_column(grid, "variant", "variant", ORR_PROGRAMS, false);
    orr_grid_column(grid, "setting", "setting", ORR_PROGRAMS, false);
    orr_grid_column(grid, "label", "variant", ORR_PEOPLE, false);
    orr_grid_column(grid, "device_a", "A device", ORR_PROGRAMS, false);
    orr_grid_column(grid, "device_b", "B device", ORR_PROGRAMS, false);
    orr_grid_column(grid, "device", "device", ORR_PEOPLE, false);
    orr_grid_column(grid, "input", "data set", ORR_PEOPLE, false);
    orr_grid_column(grid, "dataset", "data set", ORR_PROGRAMS, false);
    orr_grid_column(grid, "n", "N", ORR_ALL, true);
    orr_grid_column(grid, "level", "level", ORR_PROGRAMS, true);
    orr_grid_column(grid, "seed", "seed", ORR_PROGRAMS, true);
    orr_grid_column(grid, "parameters", "parameters", ORR_PROGRAMS, false);
    orr_grid_column(grid, "outcome_a", "A outcome", ORR_PROGRAMS, false);
    orr_grid_column(grid, "outcome_b", "B outcome", ORR_PROGRAMS, false);
    orr_grid_column(grid, "time_a", "A", ORR_PEOPLE, true);
    orr_grid_column(grid, "time_b", "B", ORR_PEOPLE, true);
    orr_grid_column(grid, "seconds_a", "A seconds", ORR_PROGRAMS, true);
    orr_grid_column(grid, "seconds_b", "B seconds", ORR_PROGRAMS, true);
    orr_grid_column(grid, "ratio", "A / B", ORR_ALL, true);
    orr_grid_column(grid, "ratio_low", "low", ORR_PROGRAMS, true);
    orr_grid_column(grid, "ratio_high", "high", ORR_PROGRAMS, true);
    orr_grid_column(grid, "noise_floor", "noise floor", ORR_PROGRAMS, true);
    orr_grid_column(grid, "verdict", "verdict", ORR_ALL, false);
}

static void devices_of(char out[72], const struct orr_pair *pair)
{
    bool differ = strcmp(pair->a->device, pair->b->device) != 0;
    snprintf(out, 72, "%s%s%s", pair->a->device, differ ? " / " : "",
             differ ? pair->b->device : "");
}

/* A result that failed early knows only some parameters: take the other one's. */
static const struct orr_result *whole(const struct orr_pair *pair)
{
    return pair->a->ok || !pair->b->ok ? pair->a : pair->b;
}

static void put_input(struct orr_grid *grid, const struct orr_result *of)
{
    char level[32] = "", seed[32] = "";
    if (!isnan(of->input.level))
        snprintf(level, sizeof level, ", level %.0f", of->input.level);
    if (of->seed > 1)
        snprintf(seed, sizeof seed, ", seed %lld", of->seed);
    orr_grid_text(grid, "input", "%s%s%s", of->input.dataset, level, seed);
    orr_grid_text(grid, "dataset", "%s", of->input.dataset);
    orr_grid_text(grid, "n", "%.0f", of->input.n);
    orr_grid_number(grid, "n", of->input.n);
    orr_grid_number(grid, "level", of->input.level);
    orr_grid_number(grid, "seed", (double)of->seed);
}

static void put_row(struct orr_grid *grid, const struct orr_pair *pair)
{
    const struct orr_result *of = whole(pair);
    char text[96];
    orr_grid_row(grid);
    orr_grid_text(grid, "experiment", "%s", pair->scope->cells);
    orr_grid_text(grid, "variant", "%s", of->variant);
    orr_grid_text(grid, "setting", "%s", of->setting);
    orr_grid_text(grid, "label", "%s", of->label);
    orr_grid_text(grid, "device_a", "%s", pair->a->device);
    orr_grid_text(grid, "device_b", "%s", pair->b->device);
    devices_of(text, pair);
    orr_grid_text(grid, "device", "%s", text);
    put_input(grid, of);
    orr_grid_text(grid, "parameters", "%s", of->parameters);
    orr_grid_text(grid, "outcome_a", "%s", pair->a->outcome);
    orr_grid_text(grid, "outcome_b", "%s", pair->b->outcome);
    orr_grid_text(grid, "time_a", "%s", orr_show_time(text, sizeof text, pair->a));
    orr_grid_text(grid, "time_b", "%s", orr_show_time(text, sizeof text, pair->b));
    orr_grid_number(grid, "seconds_a", pair->a->seconds);
    orr_grid_number(grid, "seconds_b", pair->b->seconds);
    if (!isnan(pair->ratio.value)) {
        orr_grid_text(grid, "ratio", "%s", orr_show_ratio(text, sizeof text, &pair->ratio));
        orr_grid_number(grid, "noise_floor", pair->noise_floor);
    }
    orr_grid_number(grid, "ratio", pair->ratio.value);
    orr_grid_number(grid, "ratio_low", pair->ratio.low);
    orr_grid_number(grid, "ratio_high", pair->ratio.high);
    orr_grid_text(grid, "verdict", "%s", orr_compare_words[pair->finding]);
}

static void add_cells(struct orr_document *document, const struct orr_comparison *comparison)
{
    struct orr_grid *grid =
        orr_document_grid(document, true, "Times of a step, A seconds / B seconds");
    add_columns(grid);
    for (size_t k = 0; k < comparison->count; k++)
        if (comparison->pairs[k].finding < ORR_FINDING_ROWS)
            put_row(grid, &comparison->pairs[k]);
}

/* --- counts --- */

static void add_summary(struct orr_document *document, const struct orr_comparison *comparison)
{
    struct orr_grid *grid = orr_document_grid(document, false, "Cells");
    orr_grid_name(grid, "summary");
    orr_grid_column(grid, "verdict", "verdict", ORR_ALL, false);
    orr_grid_column(grid, "cells", "cells", ORR_ALL, true);
    orr_grid_column(grid, "meaning", "", ORR_PEOPLE, false);
    for (int k = 0; k < ORR_FINDINGS; k++) {
        orr_grid_row(grid);
        orr_grid_text(grid, "verdict", "%s", orr_compare_words[k]);
        orr_grid_number(grid, "cells", (double)comparison->found[k]);
        orr_grid_text(grid, "meaning", "%s", orr_compare_meanings[k]);
    }
}

/* --- ratios of variants --- */

static bool same_group(const struct orr_pair *a, const struct orr_pair *b)
{
    return !strcmp(a->scope->paper->key, b->scope->paper->key) &&
           !strcmp(a->a->variant, b->a->variant) && !strcmp(a->a->device, b->a->device) &&
           !strcmp(a->b->device, b->b->device);
}

/* Ratios of the group that begins with pair `first`; 0 when another pair begins it or it has
 * none. */
static size_t gather(double *ratios, const struct orr_comparison *comparison, size_t first)
{
    const struct orr_pair *pairs = comparison->pairs;
    size_t count = 0;
    if (isnan(pairs[first].ratio.value))
        return 0;
    for (size_t k = 0; k < comparison->count; k++) {
        if (isnan(pairs[k].ratio.value) || !same_group(&pairs[k], &pairs[first]))
            continue;
        if (k < first)
            return 0;
        ratios[count++] = pairs[k].ratio.value;
    }
    return count;
}

static void put_group(struct orr_grid *grid, const struct orr_pair *pair, const double *ratios,
                      size_t count)
{
    static const char *const keys[] = {"median_ratio", "smallest_ratio", "largest_ratio"};
    static const double q[] = {0.5, 0, 1};
    double found[3];
    char text[96];
    orr_stats_quantiles(ratios, count, q, 3, found);
    orr_grid_row(grid);
    orr_grid_text(grid, "variant", "%s/%s", pair->scope->paper->key, pair->a->variant);
    devices_of(text, pair);
    orr_grid_text(grid, "device", "%s", text);
    orr_grid_number(grid, "cells", (double)count);
    for (int k = 0; k < 3; k++) {
        orr_grid_text(grid, keys[k], "%s", orr_format_number(text, sizeof text, found[k]));
        orr_grid_number(grid, keys[k], found[k]);
    }
}

static int add_variants(struct orr_document *document, const struct orr_comparison *comparison)
{
    struct orr_grid *grid =
        orr_document_grid(document, false, "Ratios of the same work by variant");
    double *ratios = malloc((comparison->count + 1) * sizeof *ratios);
    if (!ratios)
        return orr_fail(ORR_EMEMORY, "no memory for the ratios");
    orr_grid_name(grid, "variants");
    orr_grid_column(grid, "variant", "variant", ORR_ALL, false);
    orr_grid_column(grid, "device", "device", ORR_ALL, false);
    orr_grid_column(grid, "cells", "cells", ORR_ALL, true);
    orr_grid_column(grid, "median_ratio", "median of A / B", ORR_ALL, true);
    orr_grid_column(grid, "smallest_ratio", "smallest", ORR_ALL, true);
    orr_grid_column(grid, "largest_ratio", "largest", ORR_ALL, true);
    for (size_t k = 0; k < comparison->count; k++) {
        size_t count = gather(ratios, comparison, k);
        if (count)
            put_group(grid, &comparison->pairs[k], ratios, count);
    }
    free(ratios);
    return 0;
}

/* --- closing lines --- */

static void add_failures(struct orr_document *document, const struct orr_comparison *comparison)
{
    for (size_t k = 0; k < comparison->count; k++) {
        const struct orr_pair *pair = &comparison->pairs[k];
        if (pair->finding != ORR_BROKEN && pair->finding != ORR_MENDED)
            continue;
        const struct orr_result *failed = pair->a->ok ? pair->b : pair->a;
        orr_document_remark(document, "%s: %s %s, %s N = %.0f on %s: %s in %c%s%s",
                            orr_compare_words[pair->finding], pair->scope->cells,
                            whole(pair)->label, failed->input.dataset, failed->input.n,
                            failed->device, failed->outcome, pair->a->ok ? 'B' : 'A',
                            *failed->reason ? ": " : "", failed->reason);
    }
}

/* Throttled times compare the cooling, not the code. */
static void add_throttled(struct orr_document *document, const struct orr_comparison *comparison)
{
    size_t cells[2] = {0, 0};
    for (size_t k = 0; k < comparison->count; k++)
        if (!isnan(comparison->pairs[k].ratio.value)) {
            cells[0] += comparison->pairs[k].a->throttled > 0;
            cells[1] += comparison->pairs[k].b->throttled > 0;
        }
    for (int s = 0; s < 2; s++)
        if (cells[s])
            orr_document_remark(
                document, "%c: %zu of these cells have samples taken while the device throttled",
                'A' + s, cells[s]);
}

static int add_strangers(struct orr_document *document, const struct orr_compare_operand *operand)
{
    long unknown = orr_compare_operand_unknown_experiments(operand);
    if (unknown > 0)
        orr_document_remark(document,
                            "%c: %ld cells are of experiments that no paper here has: not compared",
                            operand->letter, unknown);
    return unknown < 0 ? (int)unknown : 0;
}

static int add_remarks(struct orr_document *document, const struct orr_comparison *comparison)
{
    orr_document_remark(
        document,
        "A / B above 1: B is faster. In brackets the 95 %% interval; docs/METHOD.md says what"
        " counts as a difference");
    orr_document_remark(
        document, "Medians of ratios sum up and judge nothing; each cell has its own verdict");
    add_failures(document, comparison);
    add_throttled(document, comparison);
    if (comparison->almost)
        orr_document_remark(
            document,
            "%zu of the cells that are only in A are in B but for a parameter that one of the"
            " two does not have: another version of the variant, not compared",
            comparison->almost);
    int code = add_strangers(document, comparison->a);
    return code ? code : add_strangers(document, comparison->b);
}

int orr_compare_document(struct orr_document *out, const struct orr_comparison *comparison)
{
    char title[2400];
    *out = (struct orr_document){0};
    snprintf(title, sizeof title, "%s (A) against %s (B)", comparison->a->word,
             comparison->b->word);
    orr_document_name(out, "compare", title);
    int code = add_facts(out, comparison);
    if (code)
        return code;
    add_cells(out, comparison);
    add_summary(out, comparison);
    code = add_variants(out, comparison);
    if (!code)
        code = add_remarks(out, comparison);
    return code ? code : orr_document_check(out);
}
