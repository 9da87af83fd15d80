#include "present/layout.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/column_format.h"
#include "present/queries.h"
#include "present/scope.h"
#include "sql/present/roofline.h"

struct roofline {
    const struct orr_ledger *ledger;
    struct orr_queries queries;
    const struct orr_section *part;
};

/* What is asked for, as the tables that roofline.sql reads. */
static int ask(const struct orr_selection *selection, const struct orr_paper *paper,
               const char *what)
{
    const struct orr_ledger *ledger = &selection->ledger;
    int code = orr_ledger_run(ledger, "CREATE TEMP TABLE asked(experiment TEXT PRIMARY KEY)", "");
    if (!code)
        code = orr_ledger_run(ledger, "CREATE TEMP TABLE wish AS SELECT ? AS what, ? AS machine",
                               "ss", what, selection->machine);
    for (size_t k = 0; k < selection->target_count && !code; k++)
        if (selection->targets[k].paper == paper)
            code = orr_ledger_run(ledger, "INSERT INTO asked VALUES (? || '/' || ?)", "ss",
                                   paper->key, selection->targets[k].experiment->name);
    return code;
}

static int end(struct roofline *roofline, int code)
{
    int dropped = orr_scope_drop(roofline->ledger);
    orr_queries_release(&roofline->queries);
    return code ? code : dropped;
}

static int begin(struct roofline *out, const struct orr_selection *selection,
                 const struct orr_paper *paper, const char *what)
{
    *out = (struct roofline){.ledger = &selection->ledger};
    int code = orr_queries_add(&out->queries, "present/roofline.sql", sql_present_roofline);
    out->part = orr_queries_find(&out->queries, ORR_SECTION_PART, "roofline");
    if (!code)
        code = orr_scope_drop(out->ledger);
    if (!code)
        code = orr_column_format_offer(out->ledger);
    if (!code)
        code = ask(selection, paper, what);
    return code ? code : orr_scope_set_up(&out->queries, out->part, out->ledger);
}

int orr_roofline_table(struct orr_document *out, const struct orr_selection *selection,
                       const struct orr_paper *paper, const char *what)
{
    *out = (struct orr_document){0};
    char title[512];
    struct roofline roofline;
    snprintf(title, sizeof title, "%s — Roofline: %s", what, paper->title);
    orr_document_name(out, what, title);
    int code = begin(&roofline, selection, paper, what);
    if (!code)
        code = orr_query_table(out, &roofline.queries, roofline.part, roofline.ledger);
    return end(&roofline, code);
}

int orr_roofline_plot(struct orr_plot *out, const struct orr_selection *selection,
                      const struct orr_paper *paper, const char *what)
{
    *out = (struct orr_plot){0};
    struct roofline roofline;
    int code = begin(&roofline, selection, paper, what);
    const struct orr_section *figure = roofline.part;
    while (!code && figure->kind != ORR_SECTION_FIGURE)
        figure++;
    if (!code)
        code = orr_plot_open(out, figure->argument);
    if (!code) {
        orr_plot_heading(out, "title", "Roofline: %s", what);
        orr_plot_heading(out, "subtitle",
                         "each program at its highest rate, and its share of the roof that binds; "
                         "work over the bytes of each level of memory");
        code = orr_query_figure(out, &roofline.queries, figure, roofline.ledger);
    }
    return end(&roofline, code);
}
