/* Counts beside formulas: a row for every cell, procedure and kind of access, and for all
 * procedures together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "audit/hardware.h"
#include "error.h"
#include "present/audit_grids.h"

static void add_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "machine", "machine", ORR_PROGRAMS, false);
    orr_grid_column(grid, "variant", "variant", ORR_PROGRAMS, false);
    orr_grid_column(grid, "label", "variant", ORR_PEOPLE, false);
    orr_grid_column(grid, "device", "device", ORR_ALL, false);
    orr_grid_column(grid, "dataset", "data set", ORR_PROGRAMS, false);
    orr_grid_column(grid, "n", "N", ORR_PROGRAMS, true);
    orr_grid_column(grid, "level", "level", ORR_ALL, true);
    orr_grid_column(grid, "per_box", "P", ORR_ALL, true);
    orr_grid_column(grid, "procedure", "procedure", ORR_ALL, false);
    orr_grid_column(grid, "kind", "kind", ORR_ALL, false);
    orr_grid_column(grid, "formula", "formula", ORR_ALL, false);
    orr_grid_column(grid, "value", "its value", ORR_ALL, true);
    orr_grid_column(grid, "counted", "counted", ORR_ALL, true);
    orr_grid_column(grid, "atomic", "atomic updates among them", ORR_PROGRAMS, true);
    orr_grid_column(grid, "counted_read_write", "counted, atomics r+w", ORR_ALL, true);
    orr_grid_column(grid, "hardware", "hardware", ORR_ALL, true);
    orr_grid_column(grid, "agrees", "agrees", ORR_ALL, false);
}

/* One row: a kind in a procedure, or (NULL) in all of them. */
struct entry {
    const struct orr_audit_view *view;
    struct orr_grid *grid;
    const struct orr_counted *cell; /* NULL: nothing was counted, the formula stands alone */
    const char *variant, *procedure;
    enum orr_access kind;
};

static void put_cell(const struct entry *e)
{
    const struct orr_counted *cell = e->cell;
    orr_grid_text(e->grid, "machine", "%s", e->view->scope->machine);
    orr_grid_text(e->grid, "variant", "%s", e->variant);
    orr_grid_text(e->grid, "label", "%s",
                  cell ? orr_audit_label(e->view->results, cell) : e->variant);
    orr_grid_text(e->grid, "procedure", "%s", e->procedure ? e->procedure : "total");
    orr_grid_text(e->grid, "kind", "%s", orr_names_access[e->kind]);
    if (!cell)
        return;
    orr_grid_text(e->grid, "device", "%s", cell->device);
    orr_grid_text(e->grid, "dataset", "%s", cell->dataset);
    orr_grid_number(e->grid, "n", cell->n);
    orr_grid_number(e->grid, "level", cell->level);
    orr_grid_number(e->grid, "per_box", cell->per_box);
}

/* The formula of the entry: 1, 0 when there is none, or a negative code. */
static int find_formula(struct orr_polynomial *out, const struct entry *e)
{
    const struct orr_formulas *formulas = &e->view->formulas;
    if (e->procedure) {
        const struct orr_formula *row =
            orr_formulas_count(formulas, e->variant, e->procedure, e->kind);
        if (row)
            *out = row->value;
        return row != NULL;
    }
    int code = orr_derive_sum(out, formulas, e->variant, 1u << e->kind, ORR_ATOMIC_WRITES);
    return code ? code : orr_polynomial_sign(out) != 0;
}

/* A printed formula as printed, others in Orrery's own order. */
static void put_formula(const struct entry *e, const struct orr_polynomial *formula)
{
    const struct orr_formula *row =
        e->procedure ? orr_formulas_count(&e->view->formulas, e->variant, e->procedure, e->kind)
                     : NULL;
    char text[160];
    if (row && *row->printed)
        orr_grid_text(e->grid, "formula", "%s", row->printed);
    else
        orr_grid_text(e->grid, "formula", "%s", orr_polynomial_print(text, sizeof text, formula));
    if (!row || !row->inferred)
        return;
    snprintf(text, sizeof text, "Not printed: %lld/%lld %s, as in the other variant.",
             (long long)row->ratio.num, (long long)row->ratio.den, orr_names_access[row->from]);
    orr_grid_note(e->grid, "formula", orr_document_note(e->view->document, text));
}

static void put_atomics(const struct entry *e)
{
    static const enum orr_access updates[ORR_ACCESS_KINDS] = {[ORR_SW] = ORR_AS, [ORR_GW] = ORR_AG};
    int64_t both = orr_counted_of(e->cell, e->procedure, e->kind, ORR_ATOMIC_READS_AND_WRITES);
    orr_audit_put_count(e->grid, "counted_read_write", both);
    if (!updates[e->kind])
        return;
    orr_grid_number(
        e->grid, "atomic",
        (double)orr_counted_of(e->cell, e->procedure, updates[e->kind], ORR_ATOMIC_WRITES));
    for (size_t k = 0; e->procedure && k < e->view->formulas.count; k++) {
        const struct orr_formula *row = &e->view->formulas.rows[k];
        if (row->says == ORR_SAYS_ATOMIC && row->kinds == 1u << e->kind &&
            !strcmp(row->variant, e->variant) && !strcmp(row->item, e->procedure))
            orr_grid_note(e->grid, "counted_read_write",
                          orr_document_note(e->view->document, row->note));
    }
}

static int put_numbers(const struct entry *e, const struct orr_polynomial *formula)
{
    struct orr_place place;
    struct orr_rational value;
    int64_t counted = orr_counted_of(e->cell, e->procedure, e->kind, ORR_ATOMIC_WRITES);
    counted = counted < 0 ? 0 : counted;
    orr_audit_put_count(e->grid, "counted", counted);
    put_atomics(e);
    if (!formula || !orr_counted_place(&place, e->cell))
        return 0;
    int code = orr_derive_value(&value, formula, &place);
    if (code)
        return code;
    if (value.den == 1)
        orr_audit_put_count(e->grid, "value", value.num);
    else
        orr_grid_number(e->grid, "value", orr_rational_value(value));
    orr_audit_put_agrees(e->grid, value.den == 1 && value.num == counted);
    return 0;
}

static int put_entry(const struct entry *e, const int64_t *hardware)
{
    struct orr_polynomial formula;
    int found = find_formula(&formula, e);
    if (found < 0)
        return found;
    if (!found && (!e->cell || orr_counted_of(e->cell, e->procedure, e->kind,
                                              ORR_ATOMIC_READS_AND_WRITES) <= 0))
        return 0;
    orr_grid_row(e->grid);
    put_cell(e);
    if (found)
        put_formula(e, &formula);
    if (hardware && !e->procedure && hardware[e->kind] >= 0)
        orr_audit_put_count(e->grid, "hardware", hardware[e->kind]);
    return e->cell ? put_numbers(e, found ? &formula : NULL) : 0;
}

/* Procedures in the order in which the paper has them, then what was counted beside them. */
static size_t list_procedures(const char **out, size_t capacity, const struct entry *e)
{
    size_t count = 0;
    const struct orr_formulas *formulas = &e->view->formulas;
    int counted = e->cell ? e->cell->procedures : 0;
    for (size_t k = 0; k < formulas->count + (size_t)counted; k++) {
        const struct orr_formula *row = k < formulas->count ? &formulas->rows[k] : NULL;
        if (row && (row->says != ORR_SAYS_COUNT || strcmp(row->variant, e->variant) != 0))
            continue;
        const char *name = row ? row->item : e->cell->in[k - formulas->count].name;
        size_t known = 0;
        while (known < count && strcmp(out[known], name) != 0)
            known++;
        if (known == count && count < capacity)
            out[count++] = name;
    }
    return count;
}

static int put_entries(struct entry e)
{
    enum { MOST = 2 * ORR_COUNTED_PROCEDURES };
    const char *procedures[MOST];
    size_t count = list_procedures(procedures, MOST, &e);
    int64_t hardware[ORR_ACCESS_KINDS];
    int code = 0,
        known = e.cell ? orr_hardware_words(hardware, e.view->scope->ledger, e.cell->key) : 0;
    if (known < 0)
        return known;
    for (size_t p = 0; p <= count && !code; p++) {
        e.procedure = p < count ? procedures[p] : NULL;
        for (int kind = 0; kind <= ORR_CP && !code; kind++) {
            e.kind = (enum orr_access)kind;
            code = put_entry(&e, known ? hardware : NULL);
        }
    }
    return code;
}

static bool has_formulas(const struct orr_formulas *formulas, const char *variant)
{
    bool found = false;
    for (size_t k = 0; k < formulas->count; k++)
        found |=
            formulas->rows[k].says == ORR_SAYS_COUNT && !strcmp(formulas->rows[k].variant, variant);
    return found;
}

static int put_variant(const struct orr_audit_view *view, struct orr_grid *grid,
                       const char *variant)
{
    struct entry e = {.view = view, .grid = grid, .variant = variant};
    bool counted = false;
    int code = 0;
    for (size_t k = 0; k < view->cells.count && !code; k++) {
        e.cell = &view->cells.items[k];
        if (strcmp(e.cell->variant, variant) != 0)
            continue;
        counted = true;
        code = put_entries(e);
    }
    e.cell = NULL;
    return code || counted ? code : put_entries(e);
}

int orr_audit_counts_add(const struct orr_audit_view *view)
{
    struct orr_grid *grid = orr_document_grid(view->document, true, "Counts beside formulas");
    const struct orr_paper *paper = view->scope->paper;
    add_columns(grid);
    int code = 0;
    for (int formulas = 1; formulas >= 0; formulas--) /* what can be compared comes first */
        for (unsigned v = 0; v < paper->variants_count && !code; v++)
            if (has_formulas(&view->formulas, paper->variants[v].name) == formulas)
                code = put_variant(view, grid, paper->variants[v].name);
    return code;
}
