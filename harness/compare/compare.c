#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match.h"
#include "error.h"
#include "measure/stats.h"

/* One experiment on both sides, A first. */
struct orr_part {
    struct orr_scope scopes[2];
    struct orr_results results[2];
    struct orr_singles singles[2]; /* results on the named device; in B those without a partner */
};

const char *const orr_compare_words[ORR_FINDINGS] = {
    "faster",         "slower",       "same",       "unclear",   "broken",   "mended",
    "failed in both", "extrapolated", "other data", "only in A", "only in B"};
const char *const orr_compare_meanings[ORR_FINDINGS] = {
    "B takes less time, beyond interval and noise floor",
    "B takes more time, beyond interval and noise floor",
    "no difference that interval and noise floor can tell",
    "too few samples for an interval",
    "ok in A and not in B",
    "ok in B and not in A",
    "no row",
    "not measured on one side: no row",
    "the data sets of this name have other contents: not comparable, no row",
    "no row",
    "no row"};

bool orr_compare_across(const struct orr_comparison *comparison)
{
    return *comparison->a->device && *comparison->b->device;
}

/* --- loading --- */

/* The results on the device that was named. */
static int pick(struct orr_part *part, int operand, const struct orr_compare_operand *from)
{
    struct orr_singles *singles = &part->singles[operand];
    singles->items = calloc(part->results[operand].count + 1, sizeof(const struct orr_result *));
    if (!singles->items)
        return orr_fail(ORR_EMEMORY, "no memory for the results of %s", part->scopes[operand].name);
    for (size_t k = 0; k < part->results[operand].count; k++)
        if (orr_compare_operand_takes(from, &part->results[operand].items[k]))
            singles->items[singles->count++] = &part->results[operand].items[k];
    return 0;
}

static int load_part(struct orr_part *part, const struct orr_compare_operand *const operands[2],
                     size_t target)
{
    int code = 0;
    for (int s = 0; s < 2 && !code; s++) {
        const struct orr_selection *from = &operands[s]->selection;
        orr_scope_set(&part->scopes[s], &from->ledger, from->targets[target].paper,
                      from->targets[target].experiment, operands[s]->machine);
        code = orr_results_load(&part->results[s], &part->scopes[s]);
    }
    if (!code) /* labels also name parameters that differ between the sides */
        code = orr_results_label(part->results, 2, &part->scopes[0]);
    for (int s = 0; s < 2 && !code; s++)
        code = pick(part, s, operands[s]);
    return code;
}

/* An experiment that shows another one's cells is skipped, unless it alone was asked for: its cells
 * would be counted twice. */
static int load_parts(struct orr_comparison *out)
{
    const struct orr_compare_operand *const operands[] = {out->a, out->b};
    const struct orr_selection *selection = &out->a->selection;
    out->parts = calloc(selection->target_count + 1, sizeof *out->parts);
    int code = out->parts ? 0 : orr_fail(ORR_EMEMORY, "no memory for the comparison");
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (selection->target_count == 1 || !selection->targets[k].experiment->cells)
            code = load_part(&out->parts[out->part_count++], operands, k);
    return code;
}

void orr_compare_release(struct orr_comparison *comparison)
{
    for (size_t k = 0; k < comparison->part_count; k++)
        for (int s = 0; s < 2; s++) {
            free(comparison->parts[k].singles[s].items);
            orr_results_release(&comparison->parts[k].results[s]);
        }
    free(comparison->parts);
    free(comparison->pairs);
    *comparison = (struct orr_comparison){0};
}

/* --- judging --- */

static enum orr_finding judge_times(const struct orr_pair *pair)
{
    const struct orr_ratio *ratio = &pair->ratio;
    if (isnan(ratio->value) || isnan(ratio->low))
        return ORR_UNCLEAR;
    if (orr_stats_ratio_end(ratio->value, ratio->low, pair->noise_floor, 0) > 1)
        return ORR_FASTER;
    return orr_stats_ratio_end(ratio->value, ratio->high, pair->noise_floor, 1) < 1 ? ORR_SLOWER
                                                                                    : ORR_SAME;
}

static bool same_data(const struct orr_result *a, const struct orr_result *b)
{
    return !*a->dataset_sha256 || !*b->dataset_sha256 ||
           !strcmp(a->dataset_sha256, b->dataset_sha256);
}

static int judge(struct orr_pair *pair, const struct orr_scope *other)
{
    const struct orr_result *a = pair->a, *b = pair->b;
    int code = 0;
    pair->ratio = (struct orr_ratio){NAN, NAN, NAN, false};
    if (!a || !b) {
        pair->finding = a ? ORR_ONLY_A : ORR_ONLY_B;
    } else if (!same_data(a, b)) {
        pair->finding = ORR_OTHER_DATA;
    } else if (a->extrapolated || b->extrapolated) {
        pair->finding = ORR_EXTRAPOLATED;
    } else if (!a->ok || !b->ok) {
        pair->finding = a->ok ? ORR_BROKEN : b->ok ? ORR_MENDED : ORR_FAILED;
    } else {
        pair->noise_floor = fmax(0, fmax(a->noise_floor, b->noise_floor)); /* fmax ignores NAN */
        code = orr_ratio_between(&pair->ratio, other, b, pair->scope, a);
        pair->finding = judge_times(pair);
    }
    return code;
}

/* Drops pairs that the globs exclude; the device is A's, or B's for a cell only in B. */
static int add(struct orr_comparison *out, const struct orr_part *part, const struct orr_result *a,
               const struct orr_result *b, const struct orr_cell_globs *globs)
{
    const struct orr_result *one = a ? a : b;
    char variant[160];
    snprintf(variant, sizeof variant, "%s/%s", part->scopes[0].paper->key, one->variant);
    if (!orr_cell_is_wanted(globs, part->scopes[0].cells, variant, one->input.dataset, one->device))
        return 0;
    struct orr_pair *more = realloc(out->pairs, (out->count + 1) * sizeof *more);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for the comparison");
    out->pairs = more;
    struct orr_pair *pair = &more[out->count++];
    *pair = (struct orr_pair){.scope = &part->scopes[0], .a = a, .b = b};
    int code = judge(pair, &part->scopes[1]);
    out->found[pair->finding]++;
    return code;
}

static bool has_almost(const struct orr_result *a, const struct orr_singles *b, bool across)
{
    for (size_t k = 0; k < b->count; k++)
        if (b->items[k] && orr_match_almost(a, b->items[k], across))
            return true;
    return false;
}

/* *common counts the cells in both, excluded ones too. */
static int compare_part(struct orr_comparison *out, struct orr_part *part,
                        const struct orr_cell_globs *globs, size_t *common)
{
    const struct orr_singles *a = &part->singles[0];
    const struct orr_result **partners = calloc(a->count + 1, sizeof(const struct orr_result *));
    int code = partners ? 0 : orr_fail(ORR_EMEMORY, "no memory for the comparison");
    size_t first = out->count;
    if (partners)
        orr_match(partners, a, &part->singles[1], orr_compare_across(out));
    for (size_t k = 0; k < a->count && !code; k++) {
        *common += partners[k] != NULL;
        code = add(out, part, a->items[k], partners[k], globs);
    }
    for (size_t k = 0; k < part->singles[1].count && !code; k++)
        if (part->singles[1].items[k])
            code = add(out, part, NULL, part->singles[1].items[k], globs);
    for (size_t k = first; k < out->count; k++)
        out->almost += out->pairs[k].finding == ORR_ONLY_A &&
                       has_almost(out->pairs[k].a, &part->singles[1], orr_compare_across(out));
    free(partners);
    return code;
}

/* --- nothing in common --- */

/* The largest likeness of any two results of one experiment; -1 when no experiment is in both. */
static int closest(const struct orr_comparison *comparison)
{
    int best = -1;
    for (size_t p = 0; p < comparison->part_count; p++) {
        const struct orr_singles *a = &comparison->parts[p].singles[0],
                                 *b = &comparison->parts[p].singles[1];
        for (size_t i = 0; i < a->count; i++)
            for (size_t k = 0; k < b->count; k++) {
                int likeness =
                    orr_match_likeness(a->items[i], b->items[k], orr_compare_across(comparison));
                best = likeness > best ? likeness : best;
            }
    }
    return best;
}

static size_t cells_of(const struct orr_comparison *comparison, int operand)
{
    size_t cells = 0;
    for (size_t p = 0; p < comparison->part_count; p++)
        cells += comparison->parts[p].singles[operand].count;
    return cells;
}

/* ORR_EUSAGE: how many cells each side has and what they differ in. */
static int fail_without_common(const struct orr_comparison *comparison)
{
    char devices[2][256], why[800];
    switch (closest(comparison)) {
    case -1:
        snprintf(why, sizeof why, "no experiment was measured on both");
        break;
    case ORR_LIKE_NOTHING:
        snprintf(why, sizeof why, "no variant of any experiment is in both");
        break;
    case ORR_LIKE_VARIANT:
        snprintf(why, sizeof why,
                 "their devices differ, A's are %s and B's %s; compare one of each with A@DEVICE"
                 " B@DEVICE",
                 orr_compare_operand_devices(devices[0], sizeof *devices, comparison->a),
                 orr_compare_operand_devices(devices[1], sizeof *devices, comparison->b));
        break;
    case ORR_LIKE_DEVICE:
        snprintf(why, sizeof why,
                 "data set, n, seed or level differ in every variant; `orrery run` with the same"
                 " preset and --set measures the same");
        break;
    default:
        snprintf(
            why, sizeof why,
            "every cell of the same input differs in some parameter; `orrery run` with the same"
            " --set measures the same");
    }
    return orr_fail(ORR_EUSAGE, "no cell of A (%s, %zu cells) is in B (%s, %zu cells): %s",
                    comparison->a->word, cells_of(comparison, 0), comparison->b->word,
                    cells_of(comparison, 1), why);
}

int orr_compare_make(struct orr_comparison *out, const struct orr_compare_operand *a,
                     const struct orr_compare_operand *b, const struct orr_cell_globs *globs)
{
    *out = (struct orr_comparison){.a = a, .b = b};
    size_t common = 0;
    int code = load_parts(out);
    for (size_t k = 0; k < out->part_count && !code; k++)
        code = compare_part(out, &out->parts[k], globs, &common);
    if (code)
        return code;
    if (!common)
        return fail_without_common(out);
    if (out->found[ORR_ONLY_A] + out->found[ORR_ONLY_B] == out->count)
        return orr_fail(ORR_EUSAGE,
                        "--only and --exclude leave none of the %zu cells that are in both",
                        common);
    return 0;
}

/* --- what got worse --- */

enum { NAMED = 5 };

/* " a/e v (block=256), random-3d N = 1000 on cuda:0 (0.91);" */
static void name(char *out, size_t size, const struct orr_pair *pair)
{
    size_t used = strlen(out);
    used += (size_t)snprintf(out + used, size - used, "%s %s %s, %s N = %.0f on %s ",
                             used ? ";" : "", pair->scope->cells, pair->a->label,
                             pair->a->input.dataset, pair->a->input.n, pair->b->device);
    if (used >= size)
        return;
    if (pair->finding == ORR_BROKEN)
        snprintf(out + used, size - used, "(%s)", pair->b->outcome);
    else
        snprintf(out + used, size - used, "(%.3g times as fast)", pair->ratio.value);
}

bool orr_compare_worse(char *out, size_t size, const struct orr_comparison *comparison)
{
    size_t slower = comparison->found[ORR_SLOWER], broken = comparison->found[ORR_BROKEN],
           named = 0;
    char names[1600] = "", more[48] = "";
    for (size_t k = 0; k < comparison->count && named < NAMED; k++) {
        const struct orr_pair *pair = &comparison->pairs[k];
        if (pair->finding == ORR_SLOWER || pair->finding == ORR_BROKEN) {
            name(names, sizeof names, pair);
            named++;
        }
    }
    if (slower + broken > named)
        snprintf(more, sizeof more, "; and %zu more", slower + broken - named);
    snprintf(out, size, "%zu cell%s slower, %zu broken:%s%s", slower, slower == 1 ? "" : "s",
             broken, names, more);
    return slower + broken > 0;
}
