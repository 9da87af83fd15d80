/* SPDX-License-Identifier: MIT */
/* orrery query: SQL over the ledger, which it can only read. */
#include <math.h>
#include <signal.h>

#include "cli/cli.h"

struct query {
    struct orr_result_source source;
    const char *sql, *scope, *format, *path;
    bool schema;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* --- rows --- */

static bool is_number(sqlite3_stmt *row, int column)
{
    const int type = sqlite3_column_type(row, column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* Names of columns are unique: "n", "n:2". */
static void add_columns(struct orr_grid *grid, sqlite3_stmt *row)
{
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        const char *own = sqlite3_column_name(row, k);
        char name[256];
        int same = 1;
        for (int before = 0; before < k; before++)
            same += !strcmp(sqlite3_column_name(row, before), own);
        snprintf(name, sizeof name, same > 1 ? "%s:%d" : "%s", own, same);
        orr_grid_column(grid, name, name, "", ORR_ALL, false);
    }
}

/* Whole numbers keep every digit for people, too. Those of the first row stand on the right. */
static void add_row(struct orr_grid *grid, sqlite3_stmt *row)
{
    orr_grid_row(grid);
    for (int k = 0; k < sqlite3_column_count(row); k++) {
        int type = sqlite3_column_type(row, k);
        char bytes[32];
        grid->columns[k].right |= grid->row_count == 1 && is_number(row, k);
        struct orr_value value = {.number =
                                      is_number(row, k) ? sqlite3_column_double(row, k) : NAN};
        snprintf(bytes, sizeof bytes, "%d bytes", sqlite3_column_bytes(row, k));
        if (type == SQLITE_BLOB)
            value.text = orr_memory_text(bytes);
        else if (type == SQLITE_INTEGER || type == SQLITE_TEXT)
            value.text = orr_memory_text(orr_ledger_text(row, k));
        orr_grid_put(grid, (size_t)k, value);
    }
}

/* Ends the query, also where *code is not 0. */
static void fill_rows(int *code, struct orr_document *out, sqlite3_stmt *row,
                      const struct orr_section *section)
{
    struct orr_grid *grid = orr_document_grid(out, true, "Rows", "");
    if (!*code)
        add_columns(grid, row);
    while (orr_section_row(code, row, section))
        add_row(grid, row);
}

/* --- the command --- */

/* One statement with rows, which changes nothing. */
static int prepare(sqlite3_stmt **row, const struct orr_section *section,
                   const struct orr_ledger *ledger)
{
    int code = orr_section_query(row, section);
    if (code)
        return code;
    if (!sqlite3_column_count(*row) || !sqlite3_stmt_readonly(*row))
        return orr_fail(ORR_EINPUT, "query: not allowed here: %s", ledger->held->guard->rule);
    const char *rest = section->sql + strlen(sqlite3_sql(*row));
    rest += strspn(rest, " \t\r\n;");
    return *rest && strncmp(rest, "--", 2) != 0
               ? orr_fail(ORR_EINPUT, "query: one SELECT at a time; '%.40s' follows it", rest)
               : 0;
}

static int answer(const struct query *query, const struct orr_format *format,
                  struct orr_ledger *ledger)
{
    static const struct orr_ledger_guard guard = {.recursive = true,
                                                  .rule = "a query may only read the ledger"};
    const struct orr_section section = {.file = "query", .sql = query->sql, .ledger = ledger};
    __attribute__((cleanup(orr_cli_release_documents))) struct orr_documents all = {0};
    struct orr_document *document = orr_cli_new_document(&all);
    sqlite3_stmt *row = NULL;
    orr_document_name(document, "query", "query");
    orr_document_fact(document, "SQL", query->sql);
    /* A person waits, who can interrupt it. */
    orr_ledger_limit(ledger, query->source.timeout_s, &interrupted);
    orr_ledger_guard(ledger, &guard);
    signal(SIGINT, interrupt);
    int code = prepare(&row, &section, ledger);
    fill_rows(&code, document, row, &section);
    orr_ledger_guard(ledger, NULL);
    signal(SIGINT, SIG_DFL);
    return code ? code : orr_cli_write_documents(&all, format, query->path);
}

/* The temporary tables of an experiment, on the machine that measured it last. */
static int make_scope(const struct orr_selection *selection, const char *experiment)
{
    __attribute__((cleanup(orr_selection_release_scopes))) struct orr_scopes scopes = {0};
    const struct orr_target *target;
    if (orr_selection_target(&target, selection, experiment) ||
        orr_selection_scopes(&scopes, selection, target))
        return orr_error_code();
    if (scopes.count > 1)
        fprintf(stderr, "orrery: --scope is of the machine %s; -m names another one\n",
                scopes.items[0].machine);
    const int code = orr_scope_make(&selection->ledger, experiment, scopes.items[0].machine,
                                    ORR_SCOPE_CELLS | ORR_SCOPE_LINES);
    /* what the others were made from */
    return code ? code
                : orr_ledger_execute(&selection->ledger,
                                     "DROP TABLE temp.asked; DROP TABLE temp.side");
}

static int show(const struct query *query)
{
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger empty = {0};
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    const struct orr_format *format = orr_format_find(query->format);
    if (query->schema && !query->scope) /* what there is does not depend on any journal */
        return orr_ledger_open(&empty) || orr_ledger_print_schema(stdout, &empty, NULL)
                   ? orr_error_failed()
                   : 0;
    if (!format || orr_cli_select(&selection, &query->source, NULL) ||
        (query->scope ? make_scope(&selection, query->scope)
                      : orr_column_format_offer(&selection.ledger)))
        return orr_error_failed();
    return query->schema ? orr_ledger_print_schema(stdout, &selection.ledger, orr_scope_texts)
                         : answer(query, format, &selection.ledger);
}

static int check_request(const struct query *query, int words)
{
    return words == !query->schema && (query->schema || query->sql[strspn(query->sql, " \n\t;")])
               ? 0
               : orr_fail(ORR_EUSAGE, "query takes one text of SQL, as in `orrery query \"SELECT * "
                                      "FROM latest\"`, or --schema, which shows what there is");
}

int orr_cli_query(int argc, char **argv)
{
    struct query query = {.format = "md"};
    struct orr_words sql = {0};
    const struct orr_option options[] = {{"schema", &query.schema},
                                         {"scope", &query.scope},
                                         {"format", &query.format},
                                         {"output", &query.path},
                                         ORR_RESULT_OPTIONS(query.source)};
    int code = orr_options_parse("query", ORR_OPTIONS(options), argc, argv, &sql);
    query.sql = sql.count ? sql.items[0] : "";
    if (!code)
        code = check_request(&query, sql.count);
    if (!code)
        code = show(&query);
    if (interrupted && code < 0)
        orr_cli_report_error();
    return interrupted ? ORR_EXIT_INTERRUPTED : code;
}
