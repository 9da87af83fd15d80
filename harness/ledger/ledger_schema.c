/* The ledger's tables and views: how they are made, and as text for people who write queries. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "ledger/ledger_parts.h"
#include "memory.h"
#include "sql/ledger/schema.h"

static const struct orr_member members[] = {
#include "sql/ledger/members.h"
};
enum { MEMBERS = sizeof members / sizeof *members };

const struct orr_member *orr_ledger_members_of(size_t *count, const char *record)
{
    size_t first = 0, end;
    while (first < MEMBERS &&
           (members[first].type != ORR_MEMBER_RECORD || strcmp(members[first].record, record) != 0))
        first++;
    for (end = first + (first < MEMBERS); end < MEMBERS && members[end].type != ORR_MEMBER_RECORD;)
        end++;
    *count = end - first;
    return *count ? &members[first] : NULL;
}

const struct orr_member *orr_ledger_next_column(const char *record, bool of_round,
                                                const struct orr_member *last)
{
    size_t count;
    const struct orr_member *m = last ? last : orr_ledger_members_of(&count, record);
    for (m++; m < members + MEMBERS && m->type != ORR_MEMBER_RECORD; m++)
        if (m->sql && (of_round || m->rounds != ORR_ROUNDS_OWN))
            return m;
    return NULL;
}

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

int orr_ledger_sql_failed(const struct orr_ledger *ledger, const char *what)
{
    return orr_fail(ORR_EINTERNAL, "ledger: %s: %s", what, sqlite3_errmsg(ledger->db));
}

int orr_ledger_execute(const struct orr_ledger *ledger, const char *sql)
{
    if (sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, "SQL");
    return 0;
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
    for (const struct orr_member *m = NULL;
         (m = orr_ledger_next_column(map->record, map->of_round, m));)
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

/* --- as text --- */

static const struct orr_record_map *map_of(const char *table)
{
    for (int kind = 0; kind < ORR_RECORD_KINDS; kind++)
        if (!orr_ledger_maps[kind].of_round && !strcmp(orr_ledger_maps[kind].table, table))
            return &orr_ledger_maps[kind];
    return NULL;
}

/* Where `text` creates the table or view, or NULL. */
static const char *find_creation(const char *text, const char *name)
{
    static const char create[] = "CREATE ";
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, create)); at++) {
        const char *word = at;
        for (int k = 0; k < 3; k++) { /* CREATE [TEMP] TABLE|VIEW name */
            word += strcspn(word, " ");
            word += *word == ' ';
            if (!strncmp(word, name, length) && !isalnum((unsigned char)word[length]) &&
                word[length] != '_')
                return at;
        }
    }
    return NULL;
}

/* The comment on the lines above `at`. */
static void print_comment(FILE *to, const char *text, const char *at)
{
    const char *start = at;
    while (start > text) {
        const char *line = start - 1;
        while (line > text && line[-1] != '\n')
            line--;
        if (strncmp(line, "-- ", 3) != 0)
            break;
        start = line;
    }
    while (start < at) {
        size_t length = strcspn(start, "\n");
        fprintf(to, "  %.*s\n", (int)(length - 3), start + 3);
        start += length + 1;
    }
}

static void print_meaning(FILE *to, const char *name, const char *const *texts)
{
    const struct orr_record_map *map = map_of(name);
    size_t count;
    const char *at = find_creation(sql_ledger_schema, name);
    if (map)
        fprintf(to, "  %s\n",
                map->means ? map->means : orr_ledger_members_of(&count, map->record)->means);
    else if (at)
        print_comment(to, sql_ledger_schema, at);
    for (; texts && *texts; texts++)
        if ((at = find_creation(*texts, name)))
            print_comment(to, *texts, at);
}

/* A table of records has a line for each column, the others name theirs. */
static int print_columns(FILE *to, const struct orr_ledger *ledger, const char *name)
{
    const struct orr_record_map *map = map_of(name);
    const struct orr_member *member = NULL;
    sqlite3_stmt *row;
    size_t used = 0;
    int code = orr_ledger_query(&row, ledger, "SELECT name, lower(type) FROM pragma_table_info(?)",
                                "s", name);
    for (size_t k = 0; orr_ledger_row(&code, row, ledger); k++) {
        const char *column = orr_ledger_text(row, 0), *type = orr_ledger_text(row, 1);
        if (map) {
            member = k ? orr_ledger_next_column(map->record, false, member) : NULL;
            fprintf(to, "    %-25s %-8s %s\n", column, type,
                    member ? member->means : "joins the tables of its parts");
            continue;
        }
        size_t length = strlen(column) + 2;
        bool wraps = !used || used + length > 96;
        fprintf(to, "%s%s", !used ? "    " : wraps ? ",\n    " : ", ", column);
        used = wraps ? 4 + length : used + length;
    }
    fputs(map ? "\n" : "\n\n", to);
    return code;
}

int orr_ledger_print_schema(FILE *to, const struct orr_ledger *ledger, const char *const *texts)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT type, name FROM (SELECT type, name, 0 AS part, rowid AS place FROM sqlite_master"
        " UNION ALL SELECT type, name, 1, rowid FROM sqlite_temp_master)"
        " WHERE type IN ('table', 'view') ORDER BY part, type, place",
        "");
    while (orr_ledger_row(&code, row, ledger)) {
        const char *name = orr_ledger_text(row, 1);
        fprintf(to, "%s %s\n", orr_ledger_text(row, 0), name);
        print_meaning(to, name, texts);
        code = print_columns(to, ledger, name);
    }
    return code;
}
