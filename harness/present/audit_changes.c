/* Changes from one variant to another: from where on they are a fall, and what was counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "datasets/boxes.h"
#include "error.h"
#include "present/audit_grids.h"
#include "present/show.h"

/* --- break-even --- */

struct break_even {
    const struct orr_audit_view *view;
    struct orr_grid *grid;
    int level;    /* of the quadtree */
    int64_t from; /* of P, that the table claims the numbers for */
    int claimed;  /* and of which level */
};

static void add_break_even_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "item", "entry", ORR_ALL, false);
    orr_grid_column(grid, "atomics", "counted so that", ORR_ALL, false);
    orr_grid_column(grid, "level", "level", ORR_ALL, true);
    orr_grid_column(grid, "change", "change", ORR_ALL, false);
    orr_grid_column(grid, "break_even", "break-even P", ORR_ALL, true);
    orr_grid_column(grid, "falls_from", "falls from P", ORR_ALL, true);
    orr_grid_column(grid, "text", "in words", ORR_ALL, false);
    orr_grid_column(grid, "agrees", "as claimed", ORR_ALL, false);
}

static int put_break_even(const struct break_even *b, const struct orr_formula *entry,
                          enum orr_atomic_convention reading)
{
    struct orr_polynomial change;
    struct orr_sign_change fall, claimed;
    char text[160];
    int code = orr_derive_change(&change, &b->view->formulas, entry, reading);
    if (!code)
        code = orr_derive_level(&change, &change, b->level);
    if (!code)
        code = orr_derive_sign_change(&fall, &change, b->from);
    if (!code)
        code = orr_derive_sign_change(&claimed, &entry->value, b->from);
    if (code)
        return code;
    orr_grid_row(b->grid);
    orr_grid_text(b->grid, "item", "%s", entry->item);
    orr_grid_text(b->grid, "atomics", "%s", orr_derive_atomic_conventions[reading]);
    orr_grid_number(b->grid, "level", b->level);
    orr_grid_text(b->grid, "change", "%s", orr_polynomial_print(text, sizeof text, &change));
    if (fall.root_count && fall.roots[fall.root_count - 1] >= (double)b->from) {
        orr_grid_text(b->grid, "break_even", "%.3f", fall.roots[fall.root_count - 1]);
        orr_grid_number(b->grid, "break_even", fall.roots[fall.root_count - 1]);
    }
    if (fall.end < 0)
        orr_audit_put_count(b->grid, "falls_from", fall.steady);
    orr_grid_text(b->grid, "text", "%s", orr_derive_sign_change_text(text, sizeof text, &fall));
    if (b->level == b->claimed)
        orr_audit_put_agrees(b->grid, orr_sign_change_throughout(&fall, claimed.end));
    return 0;
}

static int put_level(const struct break_even *b)
{
    const struct orr_formulas *formulas = &b->view->formulas;
    int code = 0;
    for (size_t k = 0; k < formulas->count && !code; k++) {
        const struct orr_formula *entry = &formulas->rows[k];
        if (entry->says != ORR_SAYS_NUMBER || strcmp(entry->experiment, b->view->scope->name) != 0)
            continue;
        code = put_break_even(b, entry, ORR_ATOMIC_WRITES);
        if (!code && orr_derive_has_atomics(formulas, entry))
            code = put_break_even(b, entry, ORR_ATOMIC_READS_AND_WRITES);
    }
    return code;
}

/* The level that the numbers are printed for; -1: none is said. */
static int published_level(const struct orr_audit_view *view)
{
    const struct orr_formula *at =
        orr_formulas_find(&view->formulas, ORR_SAYS_WHERE, view->scope->name, "", "level");
    struct orr_rational level;
    bool known = at && orr_polynomial_is_number(&level, &at->value) && level.num >= 0 &&
                 level.num <= ORR_MAX_LEVEL;
    return known ? (int)level.num : -1;
}

/* The published level, and those that were measured. */
static int list_levels(int *out, const struct orr_audit_view *view)
{
    bool listed[ORR_MAX_LEVEL + 1] = {false};
    int count = 0, published = published_level(view);
    if (published >= 0)
        listed[out[count++] = published] = true;
    for (size_t k = 0; k < view->cells.count; k++) {
        struct orr_place place;
        if (orr_counted_place(&place, &view->cells.items[k]) && place.level >= 0 &&
            place.level <= ORR_MAX_LEVEL && !listed[place.level])
            listed[out[count++] = place.level] = true;
    }
    return count;
}

int orr_audit_break_even_add(const struct orr_audit_view *view)
{
    const struct orr_formula *from =
        orr_formulas_find(&view->formulas, ORR_SAYS_FROM, view->scope->name, "", "P");
    struct orr_rational first = {1, 1};
    int levels[ORR_MAX_LEVEL + 1], count = list_levels(levels, view), code = 0;
    if (from)
        orr_polynomial_is_number(&first, &from->value);
    struct break_even b = {
        view, orr_document_grid(view->document, false, "Where each change begins to be a fall"), 0,
        first.num, published_level(view)};
    orr_grid_name(b.grid, "break_even");
    add_break_even_columns(b.grid);
    for (int k = 0; k < count && !code; k++) {
        b.level = levels[k];
        code = put_level(&b);
    }
    return code;
}

/* --- changes as counted --- */

static void add_change_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "machine", "machine", ORR_PROGRAMS, false);
    orr_grid_column(grid, "device", "device", ORR_ALL, false);
    orr_grid_column(grid, "level", "level", ORR_ALL, true);
    orr_grid_column(grid, "per_box", "P", ORR_ALL, true);
    orr_grid_column(grid, "from", "from", ORR_ALL, false);
    orr_grid_column(grid, "to", "to", ORR_ALL, false);
    orr_grid_column(grid, "item", "entry", ORR_ALL, false);
    orr_grid_column(grid, "printed", "the printed symbols give", ORR_ALL, true);
    orr_grid_column(grid, "derived", "follows", ORR_ALL, true);
    orr_grid_column(grid, "counted", "counted", ORR_ALL, true);
    orr_grid_column(grid, "relative", "of the former", ORR_PEOPLE, true);
    orr_grid_column(grid, "counted_read_write", "counted, atomics r+w", ORR_ALL, true);
    orr_grid_column(grid, "agrees", "agrees", ORR_ALL, false);
}

static void put_pair(struct orr_grid *grid, const struct orr_audit_view *view,
                     const struct orr_counted *a, const struct orr_counted *b)
{
    orr_grid_row(grid);
    orr_grid_text(grid, "machine", "%s", view->scope->machine);
    orr_grid_text(grid, "device", "%s", b->device);
    orr_grid_number(grid, "level", b->level);
    orr_grid_number(grid, "per_box", b->per_box);
    orr_grid_text(grid, "from", "%s", orr_audit_label(view->results, a));
    orr_grid_text(grid, "to", "%s", orr_audit_label(view->results, b));
}

static void put_value(struct orr_grid *grid, const char *key, struct orr_rational value)
{
    if (value.den == 1)
        orr_audit_put_count(grid, key, value.num);
    else
        orr_grid_number(grid, key, orr_rational_value(value));
}

static int put_change(struct orr_grid *grid, const struct orr_audit_view *view,
                      const struct orr_formula *entry, const struct orr_counted *a,
                      const struct orr_counted *b)
{
    int64_t before = orr_counted_sum(a, entry->kinds, ORR_ATOMIC_WRITES);
    int64_t change = orr_counted_sum(b, entry->kinds, ORR_ATOMIC_WRITES) - before;
    put_pair(grid, view, a, b);
    orr_grid_text(grid, "item", "%s", entry->item);
    orr_audit_put_count(grid, "counted", change);
    if (before)
        orr_grid_text(grid, "relative", "%+.1f %%", 100.0 * (double)change / (double)before);
    orr_audit_put_count(grid, "counted_read_write",
                        orr_counted_sum(b, entry->kinds, ORR_ATOMIC_READS_AND_WRITES) -
                            orr_counted_sum(a, entry->kinds, ORR_ATOMIC_READS_AND_WRITES));
    struct orr_place place;
    struct orr_polynomial right;
    struct orr_rational printed, derived;
    if (!orr_counted_place(&place, b))
        return 0;
    int code = orr_derive_change(&right, &view->formulas, entry, ORR_ATOMIC_WRITES);
    if (!code)
        code = orr_derive_value(&derived, &right, &place);
    if (!code)
        code = orr_derive_value(&printed, &entry->value, &place);
    if (code)
        return code;
    put_value(grid, "printed", printed);
    put_value(grid, "derived", derived);
    orr_audit_put_agrees(grid, derived.den == 1 && derived.num == change);
    return 0;
}

static int put_changes(struct orr_grid *grid, const struct orr_audit_view *view,
                       const struct orr_counted *a, const struct orr_counted *b)
{
    int code = 0;
    for (size_t k = 0; k < view->formulas.count && !code; k++) {
        const struct orr_formula *entry = &view->formulas.rows[k];
        if (entry->says == ORR_SAYS_CHANGE && !strcmp(entry->experiment, view->scope->name) &&
            !strcmp(entry->over, a->variant) && !strcmp(entry->variant, b->variant))
            code = put_change(grid, view, entry, a, b);
    }
    return code;
}

int orr_audit_changes_add(const struct orr_audit_view *view)
{
    if (!view->cells.count)
        return 0;
    struct orr_grid *grid = orr_document_grid(view->document, false, "Changes as counted");
    orr_grid_name(grid, "changes");
    add_change_columns(grid);
    int code = 0;
    for (size_t i = 0; i < view->cells.count; i++)
        for (size_t j = 0; j < view->cells.count && !code; j++)
            if (orr_counted_same_work(&view->cells.items[i], &view->cells.items[j]))
                code = put_changes(grid, view, &view->cells.items[i], &view->cells.items[j]);
    return code;
}
