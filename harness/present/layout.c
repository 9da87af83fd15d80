#include "present/layout.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"
#include "present/query_figure.h"
#include "present/query_table.h"
#include "present/scope.h"
#include "sql/present/common.h"
#include "text.h"

static const struct orr_layout *const layouts[] = {&orr_layout_audit};
enum { LAYOUT_COUNT = sizeof layouts / sizeof *layouts };

/* --- layouts of queries --- */

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

static int load_queries(struct orr_queries *out, const char *paper)
{
    *out = (struct orr_queries){0};
    int code = 0;
    static const struct {
        const char *file, *text;
    } shared[] = {{"present/common.sql", sql_present_common}};
    for (size_t k = 0; k < sizeof shared / sizeof *shared && !code; k++)
        code = orr_queries_add(out, shared[k].file, shared[k].text);
    return code ? code : add_own_queries(out, paper);
}

static const char *layout_name(const struct orr_experiment *experiment)
{
    return experiment->layout ? experiment->layout : "times";
}

static const struct orr_layout *find_layout(const char *name)
{
    for (size_t k = 0; k < LAYOUT_COUNT; k++)
        if (!strcmp(layouts[k]->name, name))
            return layouts[k];
    return NULL;
}

/* 0 with *sections or *layout, or ORR_EINPUT and the nearest name. */
static int find(const struct orr_section **sections, const struct orr_layout **layout,
                const struct orr_queries *queries, const struct orr_scope *scope)
{
    enum { MOST = 128 };
    const char *wanted = layout_name(scope->experiment), *names[MOST + LAYOUT_COUNT];
    size_t count = 0;
    *sections = orr_queries_find(queries, ORR_SECTION_LAYOUT, wanted);
    *layout = find_layout(wanted);
    if (*sections || *layout)
        return 0;
    for (size_t k = 0; k < queries->count && count < MOST; k++)
        if (queries->items[k].kind == ORR_SECTION_LAYOUT)
            names[count++] = queries->items[k].argument;
    for (size_t k = 0; k < LAYOUT_COUNT; k++)
        names[count++] = layouts[k]->name;
    const char *near = orr_text_nearest(wanted, names, count);
    char path[64];
    snprintf(path, sizeof path, "experiments[%td].layout",
             scope->experiment - scope->paper->experiments);
    return orr_paper_blame(scope->paper->key, path,
                           "experiment '%s' asks for an unknown layout '%s'%s%s%s",
                           scope->experiment->name, wanted, near ? "; did you mean '" : "",
                           near ? near : "", near ? "'?" : "");
}

/* The scope's tables, with those of the layout; `sections` NULL: of a layout in C. */
static int make_scope(const struct orr_scope *scope, const struct orr_queries *queries,
                      const struct orr_section *sections)
{
    const struct orr_scope_side side = {"", scope->machine};
    int code = orr_scope_make(scope->ledger, scope->name, &side, 1, ORR_SCOPE_WHOLE);
    return code || !sections ? code : orr_scope_set_up(queries, sections, scope->ledger);
}

static int put_part(struct orr_document *out, const struct orr_scope *scope,
                    const struct orr_queries *queries, const char *name)
{
    const struct orr_section *part = orr_queries_find(queries, ORR_SECTION_PART, name);
    int code = orr_scope_set_up(queries, part, scope->ledger);
    return code ? code : orr_query_table(out, queries, part, scope->ledger);
}

static const struct orr_section *figure_of(const struct orr_queries *queries,
                                           const struct orr_section *sections)
{
    const struct orr_section *s = sections + 1;
    while (!orr_queries_ended(queries, s) && s->kind != ORR_SECTION_FIGURE)
        s++;
    return orr_queries_ended(queries, s) ? NULL : s;
}

static int put_figure(struct orr_plot *out, const struct orr_scope *scope,
                      const struct orr_queries *queries, const struct orr_section *sections)
{
    const struct orr_section *figure = figure_of(queries, sections);
    int code = make_scope(scope, queries, sections);
    if (!code)
        code = orr_query_figure(out, queries, figure, scope->ledger);
    int dropped = orr_scope_drop(scope->ledger);
    return code ? code : dropped;
}

bool orr_layout_takes(const struct orr_scope *scope, const struct orr_paper_variant *variant)
{
    return orr_paper_takes_part(variant, scope->experiment->name);
}

static int put_document(struct orr_document *out, const struct orr_scope *scope,
                        const struct orr_queries *queries, const struct orr_section *sections,
                        const struct orr_layout *layout)
{
    struct orr_results results = {0};
    int code = make_scope(scope, queries, sections);
    if (!code)
        code = put_part(out, scope, queries, "facts");
    if (!code && sections)
        code = orr_query_table(out, queries, sections, scope->ledger);
    else if (!code && !(code = orr_results_load(&results, scope)))
        code = layout->table(out, scope, &results);
    orr_results_release(&results);
    if (!code)
        code = put_part(out, scope, queries, "remarks");
    int dropped = orr_scope_drop(scope->ledger);
    return code ? code : dropped;
}

int orr_layout_table(struct orr_document *out, const struct orr_scope *scope)
{
    *out = (struct orr_document){0};
    struct orr_queries queries;
    const struct orr_section *sections;
    const struct orr_layout *layout;
    char title[512];
    snprintf(title, sizeof title, "%s — %s: %s", scope->name,
             scope->experiment->shows ? scope->experiment->shows : scope->experiment->name,
             scope->experiment->title ? scope->experiment->title : "");
    orr_document_name(out, scope->name, title);
    int code = load_queries(&queries, scope->paper->key);
    if (!code)
        code = find(&sections, &layout, &queries, scope);
    if (!code)
        code = put_document(out, scope, &queries, sections, layout);
    orr_queries_release(&queries);
    return code ? code : orr_document_check(out);
}

/* Device and date: what a figure needs to stand alone. */
static int add_subtitle(struct orr_plot *plot, const struct orr_scope *scope)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, scope->ledger,
        "SELECT group_concat(name, ', '), substr(max(day), 1, 10) FROM (SELECT device_name || ' (' "
        "||"
        " device || ')' AS name, max(started) AS day FROM latest WHERE experiment = ? AND"
        " machine = ? AND device_name IS NOT NULL GROUP BY 1)",
        "ss", scope->cells, scope->machine);
    if (code)
        return code;
    int more = orr_ledger_next(row, scope->ledger);
    if (more > 0 && *orr_ledger_text(row, 0))
        orr_plot_heading(plot, "subtitle", "%s · machine %s · %s", orr_ledger_text(row, 0),
                         scope->machine, orr_ledger_text(row, 1));
    else
        orr_plot_heading(plot, "subtitle",
                         "published numbers only: not measured on this machine yet");
    sqlite3_finalize(row);
    return more < 0 ? more : 0;
}

int orr_layout_plot(struct orr_plot *out, const struct orr_scope *scope)
{
    *out = (struct orr_plot){0};
    struct orr_queries queries;
    const struct orr_section *sections = NULL;
    const struct orr_layout *layout = NULL;
    struct orr_results results = {0};
    int code = load_queries(&queries, scope->paper->key);
    if (!code)
        code = find(&sections, &layout, &queries, scope);
    if (!code && sections && !figure_of(&queries, sections))
        code = orr_fail(ORR_EUSAGE, "%s is a table and has no figure; `orrery table %s` shows it",
                        scope->name, scope->name);
    if (!code)
        code = orr_results_load(&results, scope);
    if (!code)
        code =
            orr_plot_open(out, sections ? figure_of(&queries, sections)->argument : layout->script);
    if (!code) {
        orr_plot_heading(out, "title", "%s: %s",
                         scope->experiment->shows ? scope->experiment->shows : scope->name,
                         scope->experiment->title ? scope->experiment->title : "");
        orr_plot_number(out, "estimates", orr_results_estimated(&results));
        code = add_subtitle(out, scope);
    }
    if (!code)
        code = sections ? put_figure(out, scope, &queries, sections)
                        : layout->plot(out, scope, &results);
    orr_results_release(&results);
    orr_queries_release(&queries);
    return code;
}
