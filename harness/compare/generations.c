#include "compare/generations.h"

#include <stdio.h>
#include <stdlib.h>

#include "compare/sides.h"
#include "error.h"
#include "memory.h"
#include "present/queries.h"
#include "sql/compare/generations.h"

struct generations {
    const struct orr_ledger *ledger;
    struct orr_queries queries;
    const struct orr_section *layout;
};

/* --- the experiments, on every machine --- */

static int collect(const struct generations *generations, const struct orr_selection *selection,
                   const struct orr_target *target)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, selection, target);
    if (code)
        return code;
    struct orr_scope_side *sides = orr_memory_get(scopes.count * sizeof *sides);
    for (size_t k = 0; k < scopes.count; k++)
        sides[k] = (struct orr_scope_side){"", scopes.names[k]};
    code = orr_sides_collect(&generations->queries, selection, target, sides, scopes.count);
    free(sides);
    orr_selection_release_scopes(&scopes);
    return code;
}

static int end(struct generations *generations, int code)
{
    int forgotten = orr_sides_forget(generations->ledger);
    orr_queries_release(&generations->queries);
    return code ? code : forgotten;
}

static int begin(struct generations *out, const struct orr_selection *selection,
                 const struct orr_paper *paper, const char *what)
{
    *out = (struct generations){.ledger = &selection->ledger};
    int code = orr_sides_queries(&out->queries);
    if (!code)
        code = orr_queries_add(&out->queries, "compare/generations.sql", sql_compare_generations);
    out->layout = orr_queries_find(&out->queries, ORR_SECTION_LAYOUT, "generations");
    if (!code)
        code = orr_sides_forget(out->ledger);
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (selection->targets[k].paper == paper)
            code = collect(out, selection, &selection->targets[k]);
    if (!code)
        code = orr_scope_drop(out->ledger);
    if (!code)
        code = orr_ledger_run(out->ledger, "CREATE TEMP TABLE generation_wish AS SELECT ? AS what",
                               "s", what);
    return code ? code
                : orr_scope_set_up(&out->queries,
                                   orr_queries_find(&out->queries, ORR_SECTION_PART, "generations"),
                                   out->ledger);
}

/* --- what is shown --- */

int orr_generations_table(struct orr_document *out, const struct orr_selection *selection,
                          const struct orr_paper *paper, const char *what)
{
    struct generations generations;
    char title[512];
    *out = (struct orr_document){0};
    snprintf(title, sizeof title, "%s — Generations: %s", what, paper->title);
    orr_document_name(out, what, title);
    int code = begin(&generations, selection, paper, what);
    if (!code)
        code = orr_query_table(out, &generations.queries, generations.layout, generations.ledger);
    return end(&generations, code);
}

int orr_generations_plot(struct orr_plot *out, const struct orr_selection *selection,
                         const struct orr_paper *paper, const char *what)
{
    struct generations generations;
    *out = (struct orr_plot){0};
    int code = begin(&generations, selection, paper, what);
    const struct orr_section *figure = generations.layout;
    while (!code && figure->kind != ORR_SECTION_FIGURE)
        figure++;
    if (!code)
        code = orr_scope_set_up(&generations.queries, figure, generations.ledger);
    if (!code)
        code = orr_plot_open(out, figure->argument);
    if (!code) {
        orr_plot_heading(out, "title", "Generations: %s", what);
        orr_plot_heading(
            out, "subtitle",
            "times as fast as printed, over the years of the devices; each program at its "
            "largest published input that was measured");
        code = orr_query_figure(out, &generations.queries, figure, generations.ledger);
    }
    return end(&generations, code);
}
