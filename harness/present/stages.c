#include "present/stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int orr_stages_load(struct orr_stages *out, const struct orr_scope *scope)
{
    *out = (struct orr_stages){0};
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(
                  &row, scope->ledger,
                  "SELECT name, max(coalesce(in_step, 0)) FROM stage s JOIN latest l USING"
                  " (cell_key) WHERE l.experiment = ? AND l.machine = ? GROUP BY name ORDER BY"
                  " min(s.rowid)",
                  "ss", scope->cells, scope->machine);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0 && out->count < ORR_MAX_STAGES) {
        out->in_step[out->count] = sqlite3_column_int(row, 1);
        snprintf(out->names[out->count++], sizeof *out->names, "%s", orr_ledger_text(row, 0));
    }
    sqlite3_finalize(row);
    return more < 0 ? more : 0;
}

int orr_stages_of(double out[ORR_MAX_STAGES], const struct orr_stages *stages,
                  const struct orr_scope *scope, const struct orr_result *result)
{
    for (size_t k = 0; k < ORR_MAX_STAGES; k++)
        out[k] = NAN;
    sqlite3_stmt *row;
    int more, any = 0,
              code = orr_ledger_query(
                  &row, scope->ledger,
                  "SELECT name, sum(seconds) FROM stage WHERE cell_key = ? GROUP BY name", "i",
                  result->key);
    if (code)
        return code;
    while ((more = orr_ledger_next(row, scope->ledger)) > 0)
        for (size_t k = 0; k < stages->count; k++)
            if (!strcmp(stages->names[k], orr_ledger_text(row, 0))) {
                out[k] = orr_ledger_number(row, 1);
                any = 1;
            }
    sqlite3_finalize(row);
    return more < 0 ? more : any;
}
