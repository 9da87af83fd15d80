#include "present/phases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cell with the most phases tells their order: others leave some out. */
static const char names_sql[] =
    "WITH p AS (SELECT cell_key, name, min(p.rowid) AS at FROM phase p JOIN latest l USING "
    "(cell_key) WHERE"
    " l.experiment = ? AND l.machine = ? GROUP BY cell_key, name),"
    " fullest AS (SELECT cell_key FROM p GROUP BY cell_key ORDER BY count(*) DESC LIMIT 1)"
    " SELECT name FROM p GROUP BY name ORDER BY min(iif(cell_key IN fullest, at, NULL)) NULLS "
    "LAST, min(at)";

int orr_phases_load(struct orr_phases *out, const struct orr_scope *scope)
{
    *out = (struct orr_phases){0};
    sqlite3_stmt *row;
    int more,
        code = orr_ledger_query(&row, scope->ledger, names_sql, "ss", scope->cells, scope->machine);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0 && out->count < ORR_MAX_SHOWN_PHASES)
        snprintf(out->names[out->count++], sizeof *out->names, "%s", orr_ledger_text(row, 0));
    sqlite3_finalize(row);
    return more < 0 ? more : 0;
}

static const char median_sql[] = "SELECT name, avg(seconds) FROM (SELECT name, seconds, "
                                 "row_number() OVER (PARTITION BY name ORDER BY seconds) AS"
                                 " rank, count(*) OVER (PARTITION BY name) AS total FROM phase "
                                 "WHERE cell_key = ?) WHERE rank IN ((total + 1) / 2,"
                                 " (total + 2) / 2) GROUP BY name";

int orr_phases_of(double out[ORR_MAX_SHOWN_PHASES], const struct orr_phases *phases,
                  const struct orr_scope *scope, const struct orr_result *result)
{
    for (size_t k = 0; k < ORR_MAX_SHOWN_PHASES; k++)
        out[k] = NAN;
    sqlite3_stmt *row;
    int more, any = 0, code = orr_ledger_query(&row, scope->ledger, median_sql, "i", result->key);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0)
        for (size_t k = 0; k < phases->count; k++)
            if (!strcmp(phases->names[k], orr_ledger_text(row, 0))) {
                out[k] = orr_ledger_number(row, 1) / (result->steps + 1);
                any = 1;
            }
    sqlite3_finalize(row);
    return more < 0 ? more : any;
}
