#include "ledger/ledger_parts.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "sql/ledger/schema.h"

const struct orr_record_map orr_ledger_maps[ORR_RECORD_KINDS] = {
    [ORR_RECORD_RUN] = {"run", "run", NULL, false},
    [ORR_RECORD_DEVICE] = {"device", "device", NULL, false},
    [ORR_RECORD_CEILING] = {"ceiling", "ceiling", NULL, false},
    [ORR_RECORD_CELL] = {"cell", "cell", NULL, false},
    [ORR_RECORD_WRONG] = {"wrong_on_purpose", "cell",
                          "Cells whose results are wrong because they were meant to be: their "
                          "times are an audit's alone, and no cell. Columns as of `cell`.",
                          false},
    [ORR_RECORD_KERNEL] = {"kernel", "kernel", NULL, false},
    [ORR_RECORD_STAGE] = {"stage", "stage", NULL, false},
    [ORR_RECORD_SELF] = {"self", "self", NULL, false},
    [ORR_RECORD_ROUND] = {"process", "cell", NULL, true},
};

const char *const orr_ledger_schema = sql_ledger_schema;

int orr_ledger_sql_failed(const struct orr_ledger *ledger, const char *what)
{
    return orr_fail(ORR_EINTERNAL, "ledger: %s: %s", what, sqlite3_errmsg(ledger->db));
}

int orr_ledger_execute(struct orr_ledger *ledger, const char *sql)
{
    if (sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, "SQL");
    return 0;
}

const struct orr_member *orr_ledger_next_column(const struct orr_record_map *map,
                                                const struct orr_member *last)
{
    return orr_members_column(map->record, map->of_round, last);
}

int orr_ledger_create_table(struct orr_ledger *ledger, const struct orr_record_map *map)
{
    static const char *const types[] = {[ORR_SQL_TEXT] = "TEXT",
                                        [ORR_SQL_REAL] = "REAL",
                                        [ORR_SQL_INTEGER] = "INTEGER",
                                        [ORR_SQL_JSON] = "TEXT",
                                        [ORR_SQL_LENGTH] = "INTEGER"};
    char *sql = NULL;
    size_t size = 0;
    FILE *text = orr_memory_stream(&sql, &size);
    fprintf(text, "CREATE TABLE %s%s(%s_key INTEGER PRIMARY KEY", map->of_round ? "rounds." : "",
            map->table, map->table);
    for (const struct orr_member *m = NULL; (m = orr_ledger_next_column(map, m));)
        fprintf(text, ", %s %s", m->column, types[m->sql]);
    fputs(");", text);
    fclose(text);
    int code = orr_ledger_execute(ledger, sql);
    free(sql);
    return code;
}

int orr_ledger_make_schema(struct orr_ledger *ledger)
{
    int code = 0;
    for (int kind = 0; !code && kind < ORR_RECORD_ROUND; kind++)
        code = orr_ledger_create_table(ledger, &orr_ledger_maps[kind]);
    if (!code)
        code = orr_ledger_execute(ledger, sql_ledger_schema);
    return code ? code : orr_cell_rounds_make_schema(ledger);
}
