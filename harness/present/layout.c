/* SPDX-License-Identifier: MIT */
/* Layouts: from an experiment to its document and its figure. */
#include "present/layout.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/audit.h"
#include "error.h"
#include "names.h"
#include "paths.h"
#include "present/queries.h"
#include "sql/present/audit.h"
#include "sql/present/baselines.h"
#include "sql/present/common.h"
#include "sql/present/energy.h"
#include "sql/present/roofline.h"
#include "sql/present/scaling.h"
#include "text.h"

/* tables.sql of the paper, which need not have one. */
static int add_own_queries(struct orr_queries *queries, const char *paper)
{
    char path[PATH_MAX], *text = NULL;
    const char *shown;
    size_t size;
    int code = orr_paths_paper(path, sizeof path, &shown, paper, "tables.sql");
    if (!code && !access(path, F_OK))
        code = orr_text_read(&text, &size, path, shown);
    if (!code && text)
        code = orr_queries_add(queries, shown, text);
    free(text);
    return code;
}

static int load_queries(struct orr_queries *out, const struct orr_ledger *ledger, const char *paper)
{
    *out = (struct orr_queries){.ledger = ledger};
    int code = 0;
    static const struct {
        const char *file, *text;
    } shared[] = {{"present/common.sql", sql_present_common},
                  {"present/audit.sql", sql_present_audit},
                  {"present/baselines.sql", sql_present_baselines},
                  {"present/energy.sql", sql_present_energy},
                  {"present/scaling.sql", sql_present_scaling}};
    for (size_t k = 0; k < sizeof shared / sizeof *shared && !code; k++)
        code = orr_queries_add(out, shared[k].file, shared[k].text);
    return code ? code : add_own_queries(out, paper);
}

/* 0 with the layout, or ORR_EINPUT and the nearest name. */
static int find_layout(const struct orr_section **out, const struct orr_queries *queries,
                       const struct orr_scope *scope)
{
    const char *wanted = scope->quantity             ? scope->quantity
                         : scope->experiment->layout ? scope->experiment->layout
                                                     : "times";
    struct orr_names names = {0};
    char path[64], hint[160];
    *out = orr_queries_find(queries, ORR_SECTION_LAYOUT, wanted);
    if (*out)
        return 0;
    for (size_t k = 0; k < queries->count; k++)
        if (queries->items[k].kind == ORR_SECTION_LAYOUT)
            orr_names_add(&names, "%s", queries->items[k].argument);
    orr_text_hint(hint, sizeof hint, wanted, (const char *const *)names.items, names.count);
    orr_names_free(names.items);
    snprintf(path, sizeof path, "experiments[%td].layout",
             scope->experiment - scope->paper->experiments);
    return orr_paper_blame(scope->paper->key, path,
                           "experiment '%s' asks for an unknown layout '%s'%s",
                           scope->experiment->name, wanted, hint);
}

/* A paper's own SQL may make temporary tables and views, and nothing else. */
static const struct orr_ledger_guard layout_guard = {
    .temporary = true,
    .recursive = true,
    .racing = true,
    .rule = "layouts may read the ledger and make temporary tables and views"};

/* Has other rooms make what the sections `fill` of a layout or part name; `experiment` NULL: for
 * all of the paper. */
static int fill_tables(const struct orr_queries *queries, const struct orr_section *first,
                       const struct orr_paper *paper, const char *experiment)
{
    int code = 0;
    const struct orr_section *s;
    struct orr_section_walk walk = {.at = {first}};
    while (orr_queries_next(&code, &s, &walk, queries))
        if (s->kind == ORR_SECTION_FILL)
            code = strcmp(s->argument, "audit") != 0
                       ? orr_section_blame(s, "nothing fills '%s'", s->argument)
                       : orr_audit_have(queries->ledger, paper, experiment);
    return code;
}

/* The scope's tables, with those of the layout or part. */
static int make_scope(const struct orr_scope *scope, const struct orr_queries *queries,
                      const struct orr_section *sections)
{
    int code = orr_scope_make(scope->ledger, scope->name, scope->machine, ORR_SCOPE_WHOLE);
    return code ? code : orr_query_part(NULL, queries, sections->kind, sections->argument);
}

/* "Table II: title; energy" behind what comes first. */
static void title_of(char *out, size_t size, const char *first, const struct orr_scope *scope,
                     const char *otherwise)
{
    const struct orr_experiment *experiment = scope->experiment;
    snprintf(out, size, "%s%s: %s%s%s", first, experiment->shows ? experiment->shows : otherwise,
             experiment->title ? experiment->title : "", scope->quantity ? "; " : "",
             scope->quantity ? scope->quantity : "");
}

/* The first section of that kind, or NULL. */
static const struct orr_section *section_of(const struct orr_queries *queries,
                                            const struct orr_section *layout,
                                            enum orr_section_kind kind)
{
    const struct orr_section *s;
    struct orr_section_walk walk = {.at = {layout}};
    int code = 0;
    while (orr_queries_next(&code, &s, &walk, queries))
        if (s->kind == kind)
            return s;
    return NULL;
}

/* Is it a figure of the paper whose curves nobody has? What its text tells of them is drawn. */
static bool is_lost(const struct orr_scope *scope)
{
    return scope->paper->figures_lost && !scope->quantity && scope->experiment->shows &&
           !strncmp(scope->experiment->shows, "Figure", 6);
}

/* Device and date are what a figure needs to stand alone. */
static int put_headings(struct orr_plot *out, const struct orr_scope *scope)
{
    char title[512];
    sqlite3_stmt *row;
    title_of(title, sizeof title, "", scope, scope->name);
    orr_plot_heading(out, "title", "%s", title);
    int code = orr_ledger_query(
        &row, scope->ledger,
        "SELECT coalesce(group_concat(name, ', ') || ' · machine ' || ? || ' · ' "
        "|| substr(max(day), 1, 10) || ?, "
        "'published numbers only: not measured on this machine yet'), "
        "EXISTS (SELECT 1 FROM result WHERE extrapolated) FROM ("
        "SELECT device_name || ' (' || device || ')' AS name, max(started) AS day FROM shown "
        "WHERE device_name NOT NULL GROUP BY 1)",
        "ss", scope->machine, is_lost(scope) ? " · the scan lost the paper's curves" : "");
    while (orr_ledger_row(&code, row, scope->ledger)) {
        orr_plot_heading(out, "subtitle", "%s", orr_ledger_text(row, 0));
        orr_plot_number(out, "estimates", sqlite3_column_int(row, 1));
    }
    return code;
}

static int fail_without_figure(const struct orr_queries *queries, const struct orr_section *layout)
{
    const struct orr_section *nothing = section_of(queries, layout, ORR_SECTION_NOTHING);
    char *text = NULL;
    int code = orr_section_fill(&text, layout,
                                nothing ? nothing->argument
                                        : "{experiment} is a table and has no figure; `orrery "
                                          "table {experiment}` shows it");
    if (!code)
        code = orr_fail(ORR_EUSAGE, "%s", text);
    free(text);
    return code;
}

/* A table is as good without its figure. */
static int settle(struct orr_plot *plot, int code, const struct orr_document *table)
{
    if (!code || !table)
        return code;
    orr_plot_settle(plot, code);
    return 0;
}

/* The tables of the scope are there already. */
static int fill_plot(struct orr_plot *out, const struct orr_scope *scope,
                     const struct orr_queries *queries, const struct orr_section *layout)
{
    const struct orr_section *figure = section_of(queries, layout, ORR_SECTION_FIGURE);
    if (!figure)
        return fail_without_figure(queries, layout);
    int code = orr_plot_open(out, figure->argument);
    if (!code)
        code = put_headings(out, scope);
    return code ? code : orr_query_figure(out, queries, figure);
}

static int put_tables(struct orr_document *out, const struct orr_queries *queries,
                      const struct orr_section *layout)
{
    int code = orr_query_part(out, queries, ORR_SECTION_PART, "facts");
    if (!code)
        code = orr_query_table(out, queries, layout);
    return code ? code : orr_query_part(out, queries, ORR_SECTION_PART, "remarks");
}

/* From here on the paper's SQL runs. */
static int fill(struct orr_document *out, struct orr_plot *plot, const struct orr_scope *scope,
                const struct orr_queries *queries, const struct orr_section *layout)
{
    int code = fill_tables(queries, layout, scope->paper, scope->name);
    if (!code)
        code = orr_scope_drop(scope->ledger);
    orr_ledger_guard(scope->ledger, &layout_guard);
    if (!code)
        code = make_scope(scope, queries, layout);
    if (!code && plot)
        code = settle(plot, fill_plot(plot, scope, queries, layout), out);
    if (!code && out)
        code = put_tables(out, queries, layout);
    orr_ledger_guard(scope->ledger, NULL);
    int dropped = orr_scope_drop(scope->ledger);
    return code ? code : dropped;
}

int orr_layout_show(struct orr_document *out, struct orr_plot *plot, const struct orr_scope *scope)
{
    struct orr_queries queries;
    const struct orr_section *layout;
    char title[512], first[160];
    if (plot)
        *plot = (struct orr_plot){0};
    if (out) {
        *out = (struct orr_document){0};
        snprintf(first, sizeof first, "%s — ", scope->name);
        title_of(title, sizeof title, first, scope, scope->experiment->name);
        orr_document_name(out, scope->name, title);
    }
    int code = load_queries(&queries, scope->ledger, scope->paper->key);
    if (!code)
        code = find_layout(&layout, &queries, scope);
    if (!code)
        code = fill(out, plot, scope, &queries, layout);
    orr_queries_release(&queries);
    return code;
}

/* The part's set-up for every machine of an experiment. */
static int collect_part(const struct orr_selection *selection, const struct orr_target *target,
                        const struct orr_queries *queries, const struct orr_section *part)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, selection, target);
    for (size_t k = 0; k < scopes.count && !code; k++)
        code = make_scope(&scopes.items[k], queries, part);
    orr_selection_release_scopes(&scopes);
    return code;
}

int orr_layout_part(struct orr_document *out, const struct orr_selection *selection,
                    const char *name)
{
    const struct orr_paper *paper = selection->papers[0];
    const struct orr_section *part = NULL;
    struct orr_queries queries;
    int code = load_queries(&queries, &selection->ledger, paper->key);
    if (!code && !(part = orr_queries_find(&queries, ORR_SECTION_PART, name)))
        code = orr_fail(ORR_EINTERNAL, "there is no part '%s'", name);
    if (!code)
        code = fill_tables(&queries, part, paper, NULL);
    for (size_t k = 0; k < selection->target_count && !code; k++)
        code = collect_part(selection, &selection->targets[k], &queries, part);
    if (!code)
        code = orr_query_table(out, &queries, part);
    int dropped = orr_scope_drop(&selection->ledger);
    orr_queries_release(&queries);
    return code ? code : dropped;
}

/* --- several experiments and machines at once --- */

static int begin_overview(struct orr_queries *queries, const struct orr_layout_overview *overview,
                          const struct orr_selection *selection, const struct orr_paper *paper,
                          const char *what)
{
    const struct orr_ledger *ledger = &selection->ledger;
    int code = orr_queries_add(queries, overview->file, overview->text);
    if (!code && overview->begin)
        code = overview->begin(queries, selection, paper);
    if (!code)
        code = orr_scope_drop(ledger);
    if (!code)
        code = orr_ledger_run(ledger, "CREATE TEMP TABLE request AS SELECT ? AS what, ? AS machine",
                              "ss", what, selection->machine);
    if (!code)
        code = orr_ledger_run(ledger,
                              "CREATE TEMP TABLE asked AS SELECT experiment FROM experiment "
                              "WHERE ? IN (paper, experiment)",
                              "s", what);
    return code ? code : orr_query_part(NULL, queries, ORR_SECTION_PART, overview->name);
}

int orr_layout_overview(struct orr_document *out, struct orr_plot *plot,
                        const struct orr_layout_overview *overview,
                        const struct orr_selection *selection, const struct orr_paper *paper,
                        const char *what)
{
    struct orr_queries queries = {.ledger = &selection->ledger};
    char title[512];
    snprintf(title, sizeof title, "%s — %s: %s", what, overview->title, paper->title);
    if (plot)
        *plot = (struct orr_plot){0};
    if (out) {
        *out = (struct orr_document){0};
        orr_document_name(out, what, title);
    }
    int code = begin_overview(&queries, overview, selection, paper, what);
    const struct orr_section *part = orr_queries_find(&queries, ORR_SECTION_PART, overview->name);
    if (!code && out)
        code = orr_query_table(out, &queries, part);
    const struct orr_section *figure =
        code || !plot ? NULL : section_of(&queries, part, ORR_SECTION_FIGURE);
    if (figure && !(code = orr_plot_open(plot, figure->argument))) {
        orr_plot_heading(plot, "title", "%s: %s", overview->title, what);
        orr_plot_heading(plot, "subtitle", "%s", overview->subtitle);
        code = settle(plot, orr_query_figure(plot, &queries, figure), out);
    }
    int dropped = orr_scope_drop(&selection->ledger);
    orr_queries_release(&queries);
    return code ? code : dropped;
}

const struct orr_layout_overview orr_layout_roofline = {
    "roofline",
    "Roofline",
    "each program at its highest rate, and its share of the roof that binds; work over the bytes "
    "of each level of memory",
    "present/roofline.sql",
    sql_present_roofline,
    NULL};
