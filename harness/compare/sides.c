/* SPDX-License-Identifier: MIT */
#include "compare/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "sql/compare/across.h"
#include "sql/compare/generations.h"
#include "sql/compare/sides.h"

int orr_sides_queries(struct orr_queries *queries)
{
    return orr_queries_add(queries, "compare/sides.sql", sql_compare_sides);
}

static int collect_experiment(const struct orr_queries *queries,
                              const struct orr_selection *selection,
                              const struct orr_target *target, const struct orr_scope_side *sides,
                              size_t count)
{
    char name[160];
    snprintf(name, sizeof name, "%s/%s", target->paper->key, target->experiment->name);
    int code = orr_scope_make(&selection->ledger, name, sides, count, ORR_SCOPE_CELLS);
    return code ? code
                : orr_scope_set_up(queries, orr_queries_find(queries, ORR_SECTION_PART, "collect"),
                                   &selection->ledger);
}

int orr_sides_collect(const struct orr_queries *queries, const struct orr_selection *selection,
                      const struct orr_target *only, const struct orr_scope_side *sides,
                      size_t count)
{
    const size_t targets = selection->target_count;
    int code = only ? collect_experiment(queries, selection, only, sides, count) : 0;
    for (size_t k = 0; k < targets && !only && !code; k++)
        if (targets == 1 || !selection->targets[k].experiment->cells)
            code = collect_experiment(queries, selection, &selection->targets[k], sides, count);
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

int orr_sides_offer(const struct orr_ledger *ledger, const struct orr_cell_globs *globs)
{
    return sqlite3_create_function(ledger->db, "wanted", 4, SQLITE_UTF8, (void *)globs, wanted,
                                   NULL, NULL) == SQLITE_OK
               ? 0
               : orr_ledger_sql_failed(ledger, "wanted");
}

/* Drops the tables of sides.sql and every temporary one. */
static int forget_sides(const struct orr_ledger *ledger)
{
    int code = orr_ledger_execute(
        ledger, "DROP TABLE IF EXISTS side_cell; DROP TABLE IF EXISTS side_parameter; "
                "DROP TABLE IF EXISTS side_printed; DROP TABLE IF EXISTS side_experiment");
    return code ? code : orr_scope_drop(ledger);
}

/* --- machines and devices across --- */

struct across {
    const struct orr_selection *selection;
    const struct orr_across_side *sides;
    size_t count;
    struct orr_queries queries;
};

static int collect_sides(const struct across *across, const struct orr_target *only)
{
    const struct orr_selection *selection = across->selection;
    struct orr_scope_side *sides = orr_memory_get(across->count * sizeof *sides);
    int code = forget_sides(&selection->ledger);
    for (size_t k = 0; k < across->count; k++)
        sides[k] = (struct orr_scope_side){across->sides[k].operand, across->sides[k].machine};
    if (!code)
        code = orr_sides_collect(&across->queries, selection, only, sides, across->count);
    free(sides);
    return code;
}

/* The table across_side. */
static int name_sides(const struct across *across)
{
    const struct orr_ledger *ledger = &across->selection->ledger;
    int code = orr_ledger_run(ledger,
                              "CREATE TEMP TABLE across_side(place INTEGER, operand TEXT, "
                              "machine TEXT, device TEXT, label TEXT)",
                              "");
    for (size_t k = 0; k < across->count && !code; k++) {
        const struct orr_across_side *side = &across->sides[k];
        code = orr_ledger_run(ledger, "INSERT INTO across_side VALUES (?, ?, ?, ?, ?)", "issss",
                              (long long)k + 1, side->operand, side->machine, side->device,
                              side->label);
    }
    return code;
}

static int make_across(const struct across *across, const struct orr_target *only,
                       const struct orr_cell_globs *globs)
{
    const struct orr_ledger *ledger = &across->selection->ledger;
    const struct orr_section *part = orr_queries_find(&across->queries, ORR_SECTION_PART, "across");
    int code = collect_sides(across, only);
    if (!code)
        code = orr_scope_make(ledger, "", NULL, 0, ORR_SCOPE_PROVENANCE);
    if (!code)
        code = name_sides(across);
    if (!code)
        code = orr_sides_offer(ledger, globs);
    return code ? code : orr_scope_set_up(&across->queries, part, ledger);
}

static int check_across(const struct across *across)
{
    double columns = 0;
    int code = orr_ledger_numbers(&columns, 1, &across->selection->ledger,
                                  "SELECT count(*) FROM across_column", "");
    if (code < 0 || columns > 0)
        return code < 0 ? code : 0;
    return orr_fail(ORR_EUSAGE, "none of them has a cell of what was asked for; name other "
                                "experiments, or leave --only and --exclude out");
}

static int fill_across(struct orr_document *out, const struct across *across,
                       const struct orr_target *only, const struct orr_cell_globs *globs)
{
    const struct orr_ledger *ledger = &across->selection->ledger;
    int code = make_across(across, only, globs);
    if (!code)
        code = check_across(across);
    for (size_t k = 0; k < across->count && !code; k++)
        if (across->sides[k].word)
            orr_document_fact(out, across->sides[k].label, across->sides[k].word);
    if (!code)
        code = orr_query_table(out, &across->queries,
                               orr_queries_find(&across->queries, ORR_SECTION_LAYOUT, "across"),
                               ledger);
    int forgotten = forget_sides(ledger);
    return code ? code : forgotten;
}

/* "A, B and C". */
static void list_sides(char *out, size_t size, const struct across *across)
{
    *out = '\0';
    for (size_t k = 0; k < across->count; k++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s",
                 !k                       ? ""
                 : k + 1 == across->count ? " and "
                                          : ", ",
                 across->sides[k].label);
    }
}

int orr_sides_across(struct orr_document *out, const struct orr_selection *selection,
                     const struct orr_target *target, const struct orr_across_side *sides,
                     size_t count, const struct orr_cell_globs *globs)
{
    static const struct orr_cell_globs every = {{NULL, 0}, {NULL, 0}};
    struct across across = {.selection = selection, .sides = sides, .count = count};
    char name[160] = "compare", title[600], labels[400];
    *out = (struct orr_document){0};
    list_sides(labels, sizeof labels, &across);
    if (target)
        snprintf(name, sizeof name, "%s/%s", target->paper->key, target->experiment->name);
    snprintf(title, sizeof title, "%s — %s side by side", name, labels);
    orr_document_name(out, name, title);
    int code = orr_sides_queries(&across.queries);
    if (!code)
        code = orr_queries_add(&across.queries, "compare/across.sql", sql_compare_across);
    if (!code)
        code = fill_across(out, &across, target, globs ? globs : &every);
    orr_queries_release(&across.queries);
    return code;
}

/* --- generations --- */

/* An experiment on every machine. */
static int collect_machines(const struct orr_queries *queries,
                            const struct orr_selection *selection, const struct orr_target *target)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, selection, target);
    if (code)
        return code;
    struct orr_scope_side *sides = orr_memory_get(scopes.count * sizeof *sides);
    for (size_t k = 0; k < scopes.count; k++)
        sides[k] = (struct orr_scope_side){"", scopes.names[k]};
    code = orr_sides_collect(queries, selection, target, sides, scopes.count);
    free(sides);
    orr_selection_release_scopes(&scopes);
    return code;
}

static int begin_generations(struct orr_queries *queries, const struct orr_selection *selection,
                             const struct orr_paper *paper)
{
    int code = orr_sides_queries(queries);
    if (!code)
        code = orr_queries_add(queries, "compare/generations.sql", sql_compare_generations);
    if (!code)
        code = forget_sides(&selection->ledger);
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (selection->targets[k].paper == paper)
            code = collect_machines(queries, selection, &selection->targets[k]);
    return code;
}

const struct orr_layout_overview orr_compare_generations = {
    "generations", "Generations",
    "times as fast as printed, over the years of the devices; each program at its largest "
    "published input that was measured",
    begin_generations};
