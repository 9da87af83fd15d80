#include "audit/counted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "error.h"

/* One row a count, those of a cell together. */
static const char count_sql[] =
    "SELECT cell_key, machine, device, experiment, substr(variant, instr(variant, '/') + 1),"
    " dataset, n, level, per_box, coalesce(steps, 0), seconds, c.procedure, c.kind, c.value"
    " FROM latest JOIN count c USING (cell_key) WHERE paper = ?1 AND outcome = 'ok'"
    " AND coalesce(experiment = ?2, 1) AND coalesce(machine = ?3, 1)"
    " ORDER BY machine, device, experiment, level, per_box, n, dataset, variant, parameters,"
    " cell_key, c.rowid";

static void take_cell(struct orr_counted *out, sqlite3_stmt *row)
{
    *out = (struct orr_counted){.key = sqlite3_column_int64(row, 0)};
    orr_ledger_copy(out->machine, sizeof out->machine, row, 1);
    orr_ledger_copy(out->device, sizeof out->device, row, 2);
    orr_ledger_copy(out->experiment, sizeof out->experiment, row, 3);
    orr_ledger_copy(out->variant, sizeof out->variant, row, 4);
    orr_ledger_copy(out->dataset, sizeof out->dataset, row, 5);
    out->n = orr_ledger_number(row, 6);
    out->level = orr_ledger_number(row, 7);
    out->per_box = orr_ledger_number(row, 8);
    out->steps = orr_ledger_number(row, 9);
    out->seconds = orr_ledger_number(row, 10);
}

static int find_procedure(const struct orr_counted *cell, const char *name)
{
    for (int k = 0; k < cell->procedures; k++)
        if (!strcmp(cell->in[k].name, name))
            return k;
    return -1;
}

/* A kind that this program has no name for is left out. */
static void take_count(struct orr_counted *cell, sqlite3_stmt *row)
{
    int procedure = find_procedure(cell, orr_ledger_text(row, 11));
    if (procedure < 0 && cell->procedures < ORR_COUNTED_PROCEDURES) {
        procedure = cell->procedures++;
        orr_ledger_copy(cell->in[procedure].name, sizeof cell->in[procedure].name, row, 11);
    }
    for (int kind = 0; procedure >= 0 && kind < ORR_ACCESS_KINDS; kind++)
        if (!strcmp(orr_names_access[kind], orr_ledger_text(row, 12)))
            cell->in[procedure].of[kind] = sqlite3_column_int64(row, 13);
}

static int take_row(struct orr_counted_set *out, sqlite3_stmt *row)
{
    if (!out->count || out->items[out->count - 1].key != sqlite3_column_int64(row, 0)) {
        struct orr_counted *items = realloc(out->items, (out->count + 1) * sizeof *items);
        if (!items)
            return orr_fail(ORR_EMEMORY, "no memory for counts");
        out->items = items;
        take_cell(&items[out->count++], row);
    }
    take_count(&out->items[out->count - 1], row);
    return 0;
}

int orr_counted_load(struct orr_counted_set *out, const struct orr_ledger *ledger,
                     const char *paper, const char *experiment, const char *machine)
{
    sqlite3_stmt *row;
    *out = (struct orr_counted_set){0};
    int more = 0,
        code = orr_ledger_query(&row, ledger, count_sql, "sss", paper, experiment, machine);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, ledger)) > 0)
        code = take_row(out, row);
    sqlite3_finalize(row);
    return code ? code : more;
}

void orr_counted_release(struct orr_counted_set *set)
{
    free(set->items);
    *set = (struct orr_counted_set){0};
}

/* How often an atomic update counts for a kind. */
static int64_t atomics_in(const int64_t *of, enum orr_access kind,
                          enum orr_atomic_convention atomics)
{
    if (kind == ORR_SW || (kind == ORR_SR && atomics == ORR_ATOMIC_READS_AND_WRITES))
        return of[ORR_AS];
    if (kind == ORR_GW || (kind == ORR_GR && atomics == ORR_ATOMIC_READS_AND_WRITES))
        return of[ORR_AG];
    return 0;
}

int64_t orr_counted_of(const struct orr_counted *cell, const char *procedure, enum orr_access kind,
                       enum orr_atomic_convention atomics)
{
    int64_t sum = 0;
    if (procedure && find_procedure(cell, procedure) < 0)
        return -1;
    for (int k = 0; k < cell->procedures; k++)
        if (!procedure || !strcmp(cell->in[k].name, procedure))
            sum += cell->in[k].of[kind] + atomics_in(cell->in[k].of, kind, atomics);
    return sum;
}

int64_t orr_counted_sum(const struct orr_counted *cell, unsigned kinds,
                        enum orr_atomic_convention atomics)
{
    int64_t sum = 0;
    for (int kind = 0; kind <= ORR_CP; kind++)
        if (kinds & 1u << kind)
            sum += orr_counted_of(cell, NULL, kind, atomics);
    return sum;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool orr_counted_same_work(const struct orr_counted *a, const struct orr_counted *b)
{
    return !strcmp(a->machine, b->machine) && !strcmp(a->device, b->device) &&
           !strcmp(a->experiment, b->experiment) && !strcmp(a->dataset, b->dataset) &&
           a->n == b->n && same_number(a->level, b->level) && a->steps == b->steps;
}

bool orr_counted_place(struct orr_place *out, const struct orr_counted *cell)
{
    if (isnan(cell->n) || isnan(cell->level) || isnan(cell->per_box))
        return false;
    *out = (struct orr_place){(int64_t)cell->n, (int64_t)cell->per_box, (int)cell->level};
    return true;
}
