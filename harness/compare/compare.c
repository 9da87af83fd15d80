/* SPDX-License-Identifier: MIT */
/* Sets of results beside each other: two of them judged, any number side by side, and the devices
 * measured here beside the papers' own cards. */
#include "compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"
#include "sql/compare/across.h"
#include "sql/compare/compare.h"
#include "sql/compare/generations.h"
#include "sql/compare/sides.h"

/* --- cells side by side (sides.sql) --- */

static int add_queries(struct orr_queries *queries, const char *file, const char *text)
{
    int code = orr_queries_add(queries, "compare/sides.sql", sql_compare_sides);
    return code ? code : orr_queries_add(queries, file, text);
}

/* Adds the cells and printed numbers of an experiment, of all operands. */
static int collect(const struct orr_queries *queries, const struct orr_selection *selection,
                   const struct orr_target *target)
{
    char name[160];
    snprintf(name, sizeof name, "%s/%s", target->paper->key, target->experiment->name);
    int code = orr_scope_make(&selection->ledger, name, NULL, ORR_SCOPE_CELLS);
    return code ? code : orr_query_part(NULL, queries, ORR_SECTION_PART, "collect");
}

/* 1 where the ledger has a cell of the experiment, 0 where it has none, or a negative code. */
static int has_cells(const struct orr_ledger *ledger, const struct orr_target *target)
{
    double one;
    return orr_ledger_numbers(&one, 1, ledger,
                              "SELECT 1 FROM cell WHERE experiment = ? || '/' || ? LIMIT 1", "ss",
                              target->paper->key, target->experiment->name);
}

/* The same of every experiment of the selection that has cells. One that shows another one's cells
 * counts only where it alone was asked for: else they come twice. */
static int collect_all(const struct orr_queries *queries, const struct orr_selection *selection)
{
    const size_t count = selection->target_count;
    int code = 0;
    for (size_t k = 0; k < count && !code; k++) {
        const struct orr_target *target = &selection->targets[k];
        int there = count == 1;
        if (!there && !target->experiment->cells)
            there = has_cells(&selection->ledger, target);
        code = there > 0 ? collect(queries, selection, target) : there;
    }
    return code;
}

/* wanted(experiment, variant, dataset, device): whether --only and --exclude leave the cell. */
static void wanted(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    const char *texts[4];
    for (int k = 0; k < 4; k++) {
        texts[k] = (const char *)sqlite3_value_text(arguments[k]);
        texts[k] = texts[k] ? texts[k] : "";
    }
    sqlite3_result_int(context, orr_cell_is_wanted(sqlite3_user_data(context), texts[0], texts[1],
                                                   texts[2], texts[3], NULL));
}

/* Sets up a part of what was collected, by the cells that --only and --exclude leave: `globs` must
 * outlive its queries. */
static int set_up(const struct orr_queries *queries, const struct orr_cell_globs *globs,
                  const char *part)
{
    int code = orr_scope_make(queries->ledger, "", NULL, ORR_SCOPE_PROVENANCE);
    if (!code && sqlite3_create_function(queries->ledger->db, "wanted", 4, SQLITE_UTF8,
                                         (void *)globs, wanted, NULL, NULL))
        code = orr_ledger_sql_failed(queries->ledger, "wanted");
    return code ? code : orr_query_part(NULL, queries, ORR_SECTION_PART, part);
}

/* Drops the tables of sides.sql and every temporary one. */
static int drop_sides(const struct orr_ledger *ledger)
{
    int code = orr_ledger_execute(
        ledger, "DROP TABLE IF EXISTS side_cell; DROP TABLE IF EXISTS side_parameter; "
                "DROP TABLE IF EXISTS side_printed; DROP TABLE IF EXISTS side_experiment");
    return code ? code : orr_scope_drop(ledger);
}

/* --- operands --- */

/* Makes the table operand, without rows. device: '' where none was named; label: in heads. */
static int make_operands(const struct orr_ledger *ledger)
{
    return orr_ledger_execute(
        ledger, "DROP TABLE IF EXISTS operand; "
                "CREATE TABLE operand(place INTEGER PRIMARY KEY, operand TEXT, word TEXT, "
                "path TEXT, device TEXT, what TEXT, everything INTEGER, machine TEXT, label TEXT)");
}

/* The machines of the selection, which has loaded them, all of them where none was named. */
static int make_machines(const struct orr_selection *selection)
{
    const struct orr_ledger *ledger = &selection->ledger;
    int code = make_operands(ledger);
    for (int k = 0; k < selection->machine_count && !code; k++)
        code = orr_ledger_run(ledger,
                              "INSERT INTO operand(operand, device, machine, label) "
                              "VALUES ('', '', ?1, ?1)",
                              "s", selection->machines[k]);
    return code || selection->machine_count
               ? code
               : orr_ledger_execute(ledger, "INSERT INTO operand(operand, device, machine, label) "
                                            "SELECT DISTINCT '', '', machine, machine FROM cells");
}

int orr_compare_parse(struct orr_compare_operand *out, const char *letter, const char *word)
{
    *out = (struct orr_compare_operand){.word = word};
    snprintf(out->letter, sizeof out->letter, "%s", letter);
    const char *at = access(word, F_OK) ? strrchr(word, '@') : NULL;
    size_t length = at ? (size_t)(at - word) : strlen(word);
    if (!length || (at && !at[1]))
        return orr_fail(
            ORR_EUSAGE,
            "%s, '%s', lacks its %s: a side is a journal, folder or machine, or one of these "
            "with @DEVICE behind it, as in nvidia-h200@cuda:0",
            letter, word, length ? "device" : "journals");
    if (length >= sizeof out->where || (at && strlen(at + 1) >= sizeof out->device))
        return orr_fail(ORR_EUSAGE, "%s, '%s', is too long", letter, word);
    snprintf(out->where, sizeof out->where, "%.*s", (int)length, word);
    snprintf(out->device, sizeof out->device, "%s", at ? at + 1 : "");
    return 0;
}

int orr_compare_remark(char *out, size_t size, const struct orr_queries *queries, const char *name)
{
    struct orr_document document = {0};
    int code = orr_query_part(&document, queries, ORR_SECTION_PART, name);
    int found = document.remark_count > 0;
    snprintf(out, size, "%s", found ? document.remarks[0] : "");
    orr_document_release(&document);
    return code ? code : found;
}

/* Fails with the remark of a part that says what is wrong, where it has one. */
static int fail_by_remark(const struct orr_comparison *comparison, const char *name)
{
    char why[1600];
    int found = orr_compare_remark(why, sizeof why, &comparison->queries, name);
    return found > 0 ? orr_fail(ORR_EUSAGE, "%s", why) : found;
}

/* Makes the table operand of what was loaded. */
static int settle_operands(struct orr_comparison *comparison,
                           const struct orr_compare_operand *operands, const char *what)
{
    const struct orr_ledger *ledger = &comparison->selection.ledger;
    int code = make_operands(ledger);
    for (size_t k = 0; k < comparison->count && !code; k++)
        code =
            orr_ledger_run(ledger,
                           "INSERT INTO operand SELECT NULL, ?1, ?2, ?3, ?4, ?5, ?6, "
                           "(SELECT max(machine) FROM cells WHERE operand = ?1), ?1",
                           "sssssi", operands[k].letter, operands[k].word, operands[k].where,
                           operands[k].device, what, (long long)comparison->selection.everything);
    return code ? code : fail_by_remark(comparison, "unusable");
}

int orr_compare_load(struct orr_comparison *out, char *const *words, size_t count, const char *what)
{
    struct orr_compare_operand operands[ORR_COMPARE_MOST] = {0};
    char *from[ORR_COMPARE_MOST];
    const struct orr_selection_options options = {
        .from = from, .from_count = (int)count, .operands = true};
    *out = (struct orr_comparison){.count = count};
    out->queries.ledger = &out->selection.ledger;
    int code = add_queries(&out->queries, "compare/compare.sql", sql_compare_compare);
    if (!code && count > ORR_COMPARE_MOST)
        code = orr_fail(ORR_EUSAGE, "compare takes %d sets of results at most, not %zu",
                        ORR_COMPARE_MOST, count);
    for (size_t k = 0; k < count && !code; k++) {
        code = orr_compare_parse(&operands[k], (char[]){(char)('A' + k), '\0'}, words[k]);
        from[k] = operands[k].where;
    }
    for (size_t k = 0; count == 2 && k < 2 && !code; k++)
        if (!*operands[k].device)
            strcpy(operands[k].device, operands[1 - k].device);
    if (!code)
        code = orr_selection_make(&out->selection, &options, what);
    return code ? code : settle_operands(out, operands, what);
}

void orr_compare_release(struct orr_comparison *comparison)
{
    orr_selection_release(&comparison->selection);
    orr_queries_release(&comparison->queries);
    *comparison = (struct orr_comparison){0};
}

/* --- two of them, judged --- */

int orr_compare_make(struct orr_comparison *comparison, const struct orr_cell_globs *globs,
                     const struct orr_compare_rule *rule)
{
    struct orr_ledger *ledger = &comparison->selection.ledger;
    int code = collect_all(&comparison->queries, &comparison->selection);
    if (!code)
        code = orr_ledger_run(ledger, "CREATE TABLE rule AS SELECT ? AS margin, ? AS beyond", "dd",
                              rule->margin, rule->beyond);
    if (!code)
        code = set_up(&comparison->queries, globs, "judge");
    return code ? code : fail_by_remark(comparison, "nothing");
}

int orr_compare_document(struct orr_document *out, const struct orr_comparison *comparison,
                         const char *layout)
{
    char title[2400];
    *out = (struct orr_document){0};
    int code = orr_compare_remark(title, sizeof title, &comparison->queries, layout);
    if (code < 0)
        return code;
    orr_document_name(out, "compare", title);
    return orr_query_part(out, &comparison->queries, ORR_SECTION_LAYOUT, layout);
}

/* --- any number of them, side by side --- */

static int make_across(const struct orr_queries *queries, const struct orr_selection *selection,
                       const struct orr_target *target, const struct orr_cell_globs *globs)
{
    const struct orr_ledger *ledger = &selection->ledger;
    int code = drop_sides(ledger);
    if (!code)
        code = target ? collect(queries, selection, target) : collect_all(queries, selection);
    if (!code)
        code = set_up(queries, globs, "across");
    if (code)
        return code;
    int known = orr_ledger_numbers(NULL, 0, ledger, "SELECT 1 FROM across_column", "");
    return known ? known < 0 ? known : 0
                 : orr_fail(ORR_EUSAGE, "none of them has a cell of what was asked for; name other "
                                        "experiments, or leave --only and --exclude out");
}

/* The operands beside each other, of an experiment or (NULL) of all. */
int orr_compare_across(struct orr_document *out, const struct orr_selection *selection,
                       const struct orr_target *target, const struct orr_cell_globs *globs)
{
    static const struct orr_cell_globs every = {{NULL, 0}, {NULL, 0}};
    const struct orr_ledger *ledger = &selection->ledger;
    struct orr_queries queries = {.ledger = ledger};
    char name[160] = "compare", title[600], labels[400];
    if (target)
        snprintf(name, sizeof name, "%s/%s", target->paper->key, target->experiment->name);
    *out = (struct orr_document){0};
    int code = target ? make_machines(selection) : 0;
    if (code)
        return code;
    code = add_queries(&queries, "compare/across.sql", sql_compare_across);
    if (!code)
        code = make_across(&queries, selection, target, globs ? globs : &every);
    if (!code && (code = orr_compare_remark(labels, sizeof labels, &queries, "labels")) >= 0) {
        snprintf(title, sizeof title, "%s — %s side by side", name, labels);
        orr_document_name(out, name, title);
        code = orr_query_part(out, &queries, ORR_SECTION_LAYOUT, "across");
    }
    orr_queries_release(&queries);
    int dropped = drop_sides(ledger);
    return code ? code : dropped;
}

/* --- generations --- */

static int begin_generations(struct orr_queries *queries, const struct orr_selection *selection,
                             const struct orr_paper *paper)
{
    int code = orr_queries_add(queries, "compare/sides.sql", sql_compare_sides);
    if (!code)
        code = drop_sides(&selection->ledger);
    if (!code)
        code = make_machines(selection);
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (selection->targets[k].paper == paper)
            code = collect(queries, selection, &selection->targets[k]);
    return code;
}

const struct orr_layout_overview orr_compare_generations = {
    "generations",
    "Generations",
    "times as fast as printed, over the years of the devices; each program at its largest "
    "published input that was measured",
    "compare/generations.sql",
    sql_compare_generations,
    begin_generations};
