/* What a paper's algorithms cost: its formulas beside exact counts, what follows from them beside
 * what it prints. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/audit_grids.h"
#include "present/layout.h"

void orr_audit_put_agrees(struct orr_grid *grid, int agrees)
{
    if (agrees < 0)
        return;
    orr_grid_text(grid, "agrees", "%s", agrees ? "yes" : "no");
    orr_grid_number(grid, "agrees", agrees);
}

void orr_audit_put_count(struct orr_grid *grid, const char *key, int64_t count)
{
    orr_grid_text(grid, key, "%" PRId64, count);
    orr_grid_number(grid, key, (double)count);
}

const char *orr_audit_label(const struct orr_results *results, const struct orr_counted *cell)
{
    for (size_t k = 0; k < results->count; k++)
        if (results->items[k].key == cell->key)
            return results->items[k].label;
    return cell->variant;
}

/* What is printed beside what follows; `all`: of every experiment of the paper. */
static void add_findings(const struct orr_audit_view *view, bool all, bool data)
{
    struct orr_grid *grid =
        orr_document_grid(view->document, data, "What is printed, and what follows");
    orr_grid_name(grid, "findings");
    orr_grid_column(grid, "experiment", "table", ORR_ALL, false);
    orr_grid_column(grid, "item", "entry", ORR_ALL, false);
    orr_grid_column(grid, "printed", "printed", ORR_ALL, false);
    orr_grid_column(grid, "derived", "follows", ORR_ALL, false);
    orr_grid_column(grid, "agrees", "agrees", ORR_ALL, false);
    orr_grid_column(grid, "why", "remark", ORR_ALL, false);
    for (size_t k = 0; k < view->findings.count; k++) {
        const struct orr_finding *finding = &view->findings.items[k];
        if ((!all && strcmp(finding->experiment, view->scope->name) != 0) ||
            (*finding->machine && strcmp(finding->machine, view->scope->machine) != 0))
            continue;
        orr_grid_row(grid);
        orr_grid_text(grid, "experiment", "%s", finding->experiment);
        orr_grid_text(grid, "item", "%s", finding->item);
        if (*finding->printed)
            orr_grid_text(grid, "printed", "%s", finding->printed);
        orr_grid_text(grid, "derived", "%s", finding->derived);
        orr_audit_put_agrees(grid, finding->agrees);
        orr_grid_text(grid, "why", "%s", finding->why);
    }
}

static bool says(const struct orr_audit_view *view, enum orr_says what)
{
    bool found = false;
    for (size_t k = 0; k < view->formulas.count; k++)
        found |= view->formulas.rows[k].says == what &&
                 !strcmp(view->formulas.rows[k].experiment, view->scope->name);
    return found;
}

static int load(struct orr_audit_view *view)
{
    const struct orr_scope *scope = view->scope;
    int code = orr_formulas_load(&view->formulas, scope->paper);
    if (!code && !orr_formulas_cover(&view->formulas, scope->name))
        code = orr_fail(ORR_EINPUT,
                        "variants/%s/formulas.csv says nothing of %s, which is to be audited",
                        scope->paper->key, scope->name);
    if (!code)
        code = orr_derive_missing(&view->formulas);
    if (!code)
        code = orr_findings_make(&view->findings, &view->formulas, scope->ledger, scope->paper);
    return code ? code
                : orr_counted_load(&view->cells, scope->ledger, scope->paper->key, scope->name,
                                   scope->machine);
}

static int add_grids(const struct orr_audit_view *view)
{
    bool counts = says(view, ORR_SAYS_COUNT), changes = says(view, ORR_SAYS_CHANGE);
    add_findings(view, changes, !counts);
    int code = counts ? orr_audit_counts_add(view) : 0;
    if (!code && changes)
        code = orr_audit_break_even_add(view);
    return code || !changes ? code : orr_audit_changes_add(view);
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct orr_audit_view view = {.document = out, .scope = scope, .results = results};
    int code = load(&view);
    if (!code)
        code = add_grids(&view);
    if (!code && !view.cells.count)
        orr_document_remark(out, "Nothing was counted here yet: `orrery run %s` counts.",
                            scope->name);
    else if (!code)
        orr_document_remark(
            out,
            "r+w: an atomic update counts as the read and the write that it is, else as one write,"
            " as the paper counts it.");
    orr_counted_release(&view.cells);
    orr_findings_release(&view.findings);
    orr_formulas_release(&view.formulas);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    (void)out, (void)results;
    return orr_fail(ORR_EUSAGE,
                    "%s is a table of counts and has no figure; `orrery audit %s` shows it",
                    scope->name, scope->name);
}

const struct orr_layout orr_layout_audit = {"audit", "audit", table, plot};
