#include "present/audit_situation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/situation.h"
#include "error.h"
#include "present/audit_grids.h"
#include "present/layout.h"
#include "present/show.h"

struct judged {
    struct orr_document *document;
    struct orr_grid *grid;
    const char *a, *b;
    size_t count;
    bool overlap, gap, split, undecided; /* what some row gives reason to say */
};

/* --- columns --- */

/* "shared", "shared_read_write"; registers know no atomic updates. */
static bool column_name(char key[48], char head[64], int reading, int memory)
{
    const char *name = orr_situation_memory_names[memory];
    snprintf(key, 48, "%s%s", name, reading ? "_read_write" : "");
    snprintf(head, 64, "%s%s", name, reading ? " r+w" : "");
    return !reading || memory != ORR_MEMORY_REGISTER;
}

static void add_memory_columns(struct orr_grid *grid)
{
    static const char *const parts[] = {"before", "after", "situation"};
    char key[48], head[64], part[64];
    for (int reading = 0; reading < ORR_ATOMIC_CONVENTIONS; reading++)
        for (int memory = 0; memory < ORR_MEMORIES; memory++) {
            if (!column_name(key, head, reading, memory))
                continue;
            orr_grid_column(grid, key, head, ORR_PEOPLE, true);
            for (int k = 0; k < 3; k++) {
                snprintf(part, sizeof part, "%s_%s", key, parts[k]);
                orr_grid_column(grid, part, parts[k], ORR_PROGRAMS, true);
            }
        }
}

static void add_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "machine", "machine", ORR_ALL, false);
    orr_grid_column(grid, "device", "device", ORR_ALL, false);
    orr_grid_column(grid, "experiment", "experiment", ORR_PROGRAMS, false);
    orr_grid_column(grid, "dataset", "data set", ORR_PROGRAMS, false);
    orr_grid_column(grid, "n", "N", ORR_PROGRAMS, true);
    orr_grid_column(grid, "level", "level", ORR_ALL, true);
    orr_grid_column(grid, "per_box", "P", ORR_ALL, true);
    orr_grid_column(grid, "from", "from", ORR_ALL, false);
    orr_grid_column(grid, "to", "to", ORR_ALL, false);
    orr_grid_column(grid, "computation", "computation", ORR_PEOPLE, true);
    orr_grid_column(grid, "computation_before", "before", ORR_PROGRAMS, true);
    orr_grid_column(grid, "computation_after", "after", ORR_PROGRAMS, true);
    add_memory_columns(grid);
    orr_grid_column(grid, "situation", "situation", ORR_ALL, false);
    orr_grid_column(grid, "otherwise", "by other readings", ORR_ALL, false);
    orr_grid_column(grid, "predicts", "predicts", ORR_ALL, false);
    orr_grid_column(grid, "certain", "whatever the reading", ORR_PROGRAMS, false);
    orr_grid_column(grid, "measured", "measured", ORR_ALL, false);
    orr_grid_column(grid, "speedup", "time before / after", ORR_PEOPLE, true);
    orr_grid_column(grid, "ratio", "ratio", ORR_PROGRAMS, true);
    orr_grid_column(grid, "ratio_low", "low", ORR_PROGRAMS, true);
    orr_grid_column(grid, "ratio_high", "high", ORR_PROGRAMS, true);
    orr_grid_column(grid, "agrees", "as predicted", ORR_ALL, false);
}

/* --- rows --- */

static void show_percent(char out[32], int64_t before, int64_t after)
{
    if (before == after)
        snprintf(out, 32, "0 %%");
    else if (before)
        snprintf(out, 32, "%+.3g %%", 100.0 * (double)(after - before) / (double)before);
    else
        snprintf(out, 32, "from none");
}

static const char *situation_name(int situation)
{
    static const char *const names[] = {"none", "1", "2", "3", "4"};
    return names[situation];
}

static void put_memory(struct orr_grid *grid, const char *key, const struct orr_judgement *by)
{
    char part[64], percent[32];
    show_percent(percent, by->before, by->after);
    orr_grid_text(grid, key, "%s (%s)", percent, situation_name(by->situation));
    snprintf(part, sizeof part, "%s_before", key);
    orr_audit_put_count(grid, part, by->before);
    snprintf(part, sizeof part, "%s_after", key);
    orr_audit_put_count(grid, part, by->after);
    snprintf(part, sizeof part, "%s_situation", key);
    orr_grid_text(grid, part, "%s", situation_name(by->situation));
}

static const char *prediction_name(int predicts)
{
    return predicts > 0 ? "better" : predicts < 0 ? "worse" : "nothing";
}

/* "1 by shared; 4 by total r+w: worse": the readings that differ from the one that decides. */
static void put_others(struct orr_grid *grid, const struct orr_situation *s)
{
    char text[320] = "", key[48], head[64];
    for (int reading = 0; reading < ORR_ATOMIC_CONVENTIONS; reading++)
        for (int memory = 0; memory < ORR_MEMORIES; memory++) {
            size_t used = strlen(text);
            int other = s->by[reading][memory].situation;
            bool turned = orr_situation_predicts(other) != s->predicts;
            if (column_name(key, head, reading, memory) && other != s->situation)
                snprintf(text + used, sizeof text - used, "%s%s by %s%s%s", used ? "; " : "",
                         situation_name(other), head, turned ? ": " : "",
                         turned ? prediction_name(orr_situation_predicts(other)) : "");
        }
    orr_grid_text(grid, "otherwise", "%s", *text ? text : "the same");
}

static void put_verdict(struct judged *j, const struct orr_situation *s)
{
    static const char *const measures[] = {"slower", "no difference", "faster"};
    struct orr_ratio ratio = {s->ratio, s->low, s->high, false};
    char text[96];
    orr_grid_text(j->grid, "situation", "%s", situation_name(s->situation));
    put_others(j->grid, s);
    orr_grid_text(j->grid, "predicts", "%s", prediction_name(s->predicts));
    orr_grid_number(j->grid, "certain", s->certain);
    if (!isnan(s->ratio))
        orr_grid_text(j->grid, "measured", "%s",
                      isnan(s->low) ? "too few samples" : measures[s->measured + 1]);
    orr_grid_text(j->grid, "speedup", "%s", orr_show_ratio(text, sizeof text, &ratio));
    orr_grid_number(j->grid, "ratio", s->ratio);
    orr_grid_number(j->grid, "ratio_low", s->low);
    orr_grid_number(j->grid, "ratio_high", s->high);
    orr_audit_put_agrees(j->grid, orr_situation_agrees(s));
}

static void note_reasons(struct judged *j, const struct orr_situation *s)
{
    for (int reading = 0; reading < ORR_ATOMIC_CONVENTIONS; reading++)
        for (int memory = 0; memory < ORR_MEMORIES; memory++) {
            int situation = s->by[reading][memory].situation;
            j->overlap |= situation == 1 || situation == 3;
        }
    j->gap |= !s->situation;
    j->split |= !s->one;
    j->undecided |= s->predicts && !s->measured;
    j->count++;
}

static void put_row(struct judged *j, const struct orr_results *results,
                    const struct orr_situation *s)
{
    char key[48], head[64], percent[32];
    orr_grid_row(j->grid);
    orr_grid_text(j->grid, "machine", "%s", s->a->machine);
    orr_grid_text(j->grid, "device", "%s", s->a->device);
    orr_grid_text(j->grid, "experiment", "%s", s->a->experiment);
    orr_grid_text(j->grid, "dataset", "%s", s->a->dataset);
    orr_grid_number(j->grid, "n", s->a->n);
    orr_grid_number(j->grid, "level", s->a->level);
    orr_grid_number(j->grid, "per_box", s->a->per_box);
    orr_grid_text(j->grid, "from", "%s", orr_audit_label(results, s->a));
    orr_grid_text(j->grid, "to", "%s", orr_audit_label(results, s->b));
    show_percent(percent, s->pairs_before, s->pairs_after);
    orr_grid_text(j->grid, "computation", "%s", percent);
    orr_audit_put_count(j->grid, "computation_before", s->pairs_before);
    orr_audit_put_count(j->grid, "computation_after", s->pairs_after);
    for (int reading = 0; reading < ORR_ATOMIC_CONVENTIONS; reading++)
        for (int memory = 0; memory < ORR_MEMORIES; memory++)
            if (column_name(key, head, reading, memory))
                put_memory(j->grid, key, &s->by[reading][memory]);
    put_verdict(j, s);
    note_reasons(j, s);
}

static int put_pairs(struct judged *j, const struct orr_scope *scope,
                     const struct orr_results *results, const struct orr_counted_set *cells)
{
    struct orr_situation situation;
    int code = 0;
    for (size_t i = 0; i < cells->count; i++)
        for (size_t k = 0; k < cells->count && !code; k++) {
            const struct orr_counted *a = &cells->items[i], *b = &cells->items[k];
            if (strcmp(a->variant, j->a) != 0 || strcmp(b->variant, j->b) != 0 ||
                !orr_counted_same_work(a, b))
                continue;
            code = orr_situation_judge(&situation, scope->ledger, a, b);
            if (!code)
                put_row(j, results, &situation);
        }
    return code;
}

static int put_scope(struct judged *j, const struct orr_scope *scope)
{
    struct orr_counted_set cells;
    struct orr_results results = {0};
    int code =
        orr_counted_load(&cells, scope->ledger, scope->paper->key, scope->name, scope->machine);
    if (!code && cells.count)
        code = orr_results_load(&results, scope);
    if (!code && cells.count)
        code = put_pairs(j, scope, &results, &cells);
    orr_results_release(&results);
    orr_counted_release(&cells);
    return code;
}

/* --- what there is to say --- */

static void add_remarks(const struct judged *j)
{
    struct orr_document *out = j->document;
    orr_document_remark(
        out, "Section V: 1, less computation and more data access: better; 2, less computation and "
             "not more"
             " data access: better; 3, more computation and less data access: better; 4, more"
             " computation and not less data access: worse.");
    orr_document_remark(
        out,
        "What \"data access\" sums over the section does not say. The situation named is that of "
        "the"
        " total over registers, shared and global memory with an atomic update as one write, as"
        " Table I counts it.");
    if (j->split)
        orr_document_remark(
            out,
            "Levels of memory or ways to count atomic updates disagree: the total decides, and the"
            " column of other readings says what each of them alone would make of it.");
    if (j->overlap)
        orr_document_remark(
            out,
            "The cases overlap: situation 1 from %s to %s is situation 3 from %s to %s, or the"
            " reverse, and the model calls both an improvement. It cannot be right both ways.",
            j->a, j->b, j->b, j->a);
    if (j->gap)
        orr_document_remark(
            out, "The cases leave a gap: where the computation does not change, none of the four "
                 "situations"
                 " applies and the model predicts nothing, whatever the data access does.");
    if (j->undecided)
        orr_document_remark(
            out,
            "Where the interval of the ratio holds 1, or there is none, no prediction is judged.");
}

/* The first experiment that would count both. */
static int fail_uncounted(const struct orr_selection *selection, const char *a, const char *b)
{
    for (size_t k = 0; k < selection->target_count; k++) {
        struct orr_scope scope;
        const struct orr_target *target = &selection->targets[k];
        orr_scope_set(&scope, &selection->ledger, target->paper, target->experiment, "");
        const struct orr_paper_variant *first = orr_paper_variant(target->paper, a);
        const struct orr_paper_variant *second = orr_paper_variant(target->paper, b);
        if (target->experiment->counts && first && second && orr_layout_takes(&scope, first) &&
            orr_layout_takes(&scope, second))
            return orr_fail(ORR_EUSAGE,
                            "%s and %s were not counted on one machine, device and input; `orrery "
                            "run %s` counts them",
                            a, b, scope.name);
    }
    return orr_fail(ORR_EUSAGE, "no experiment counts the accesses of both %s and %s", a, b);
}

int orr_situation_table(struct orr_document *out, const struct orr_selection *selection,
                        const char *a, const char *b)
{
    char name[160], title[256];
    *out = (struct orr_document){0};
    snprintf(name, sizeof name, "%s/%s to %s/%s", selection->papers[0]->key, a,
             selection->papers[0]->key, b);
    snprintf(title, sizeof title, "%s — the model of section V", name);
    orr_document_name(out, name, title);
    struct judged j = {out, orr_document_grid(out, true, "Situation, prediction and measurement"),
                       a, b, .count = 0};
    add_columns(j.grid);
    int code = 0;
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        struct orr_scopes scopes;
        code = orr_selection_scopes(&scopes, selection, &selection->targets[k]);
        for (size_t s = 0; s < scopes.count && !code; s++)
            code = put_scope(&j, &scopes.items[s]);
        orr_scopes_release(&scopes);
    }
    if (!code && !j.count)
        return fail_uncounted(selection, a, b);
    add_remarks(&j);
    return code ? code : orr_document_check(out);
}
