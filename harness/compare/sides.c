#include "compare/sides.h"

#include <stdio.h>

#include "error.h"
#include "sql/compare/sides.h"

int orr_sides_queries(struct orr_queries *queries)
{
    return orr_queries_add(queries, "compare/sides.sql", sql_compare_sides);
}

static int collect(const struct orr_queries *queries, const struct orr_selection *selection,
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
    int code = only ? collect(queries, selection, only, sides, count) : 0;
    for (size_t k = 0; k < targets && !only && !code; k++)
        if (targets == 1 || !selection->targets[k].experiment->cells)
            code = collect(queries, selection, &selection->targets[k], sides, count);
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
                                                   texts[2], texts[3]));
}

int orr_sides_offer(const struct orr_ledger *ledger, const struct orr_cell_globs *globs)
{
    return sqlite3_create_function(ledger->db, "wanted", 4, SQLITE_UTF8, (void *)globs, wanted,
                                   NULL, NULL) == SQLITE_OK
               ? 0
               : orr_fail(ORR_EINTERNAL, "ledger: %s", sqlite3_errmsg(ledger->db));
}

int orr_sides_forget(const struct orr_ledger *ledger)
{
    const struct orr_section tables = {
        .file = "compare/sides.c",
        .sql = "DROP TABLE IF EXISTS side_cell; DROP TABLE IF EXISTS side_parameter; "
               "DROP TABLE IF EXISTS side_printed; DROP TABLE IF EXISTS side_experiment"};
    int code = orr_section_execute(&tables, ledger);
    return code ? code : orr_scope_drop(ledger);
}
