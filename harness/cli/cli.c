/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>

#include "claims/claims.h"
#include "paths.h"
#include "plan/paper.h"
#include "plugin/params.h"
#include "terminal.h"

int orr_cli_report_error(void)
{
    const int code = orr_error_failed();
    fprintf(stderr, "orrery: %s\n", orr_error_text());
    return orr_error_exit(code);
}

int orr_cli_probe_devices(struct orr_device_probe *out, bool host_only)
{
    struct orr_names left_out = {0};
    int code = orr_device_probe(out, host_only, &left_out);
    for (size_t k = 0; k < left_out.count; k++)
        fprintf(stderr, "orrery: %s; `orrery doctor` says more\n", left_out.items[k]);
    orr_names_free(left_out.items);
    return code ? orr_error_context("looking for devices") : 0;
}

int orr_cli_papers(struct orr_ledger *out, bool judge)
{
    char **keys = NULL;
    int worst = orr_ledger_open(out);
    if (!worst)
        worst = orr_paper_keys(&keys);
    for (char **key = keys; key && *key; key++) {
        struct orr_paper *paper;
        int code = orr_paper_load(&paper, *key);
        if (!code)
            code = orr_ledger_add_paper(out, paper);
        if (!code && judge)
            code = orr_claims_judge(out, paper);
        worst = worst ? worst : code < 0 ? code : 0;
        orr_paper_free(paper);
    }
    orr_names_free(keys);
    return worst;
}

json_t *orr_cli_with_schema(json_t *rows, const char *schema)
{
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row)
        json_object_set_new(row, "schema", json_string(schema));
    return rows;
}

void orr_cli_print_line(FILE *to, const json_t *value)
{
    json_dumpf(value, to, JSON_COMPACT);
    putc('\n', to);
}

enum { MAX_COLUMNS = 12, TEXT_SIZE = 512 };

static char *join_values(char *out, size_t size, const json_t *list)
{
    size_t index, used = 0;
    json_t *item;
    *out = '\0';
    json_array_foreach (list, index, item) {
        char text[128];
        int length = snprintf(out + used, size - used, "%s%s", index ? ", " : "",
                              orr_cli_table_value(text, sizeof text, item));
        used += (size_t)length < size - used ? (size_t)length : size - used - 1;
    }
    return out;
}

char *orr_cli_table_value(char *out, size_t size, const json_t *value)
{
    *out = '\0';
    if (json_is_string(value))
        snprintf(out, size, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(out, size, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_number(value))
        orr_params_number(json_number_value(value), out, size);
    else if (json_is_array(value))
        join_values(out, size, value);
    return orr_text_tame(out);
}

static void print_line(FILE *to, char texts[MAX_COLUMNS][TEXT_SIZE], const int *widths, int count,
                       int indent)
{
    int last = count - 1;
    while (last > 0 && !texts[last][0])
        last--;
    fprintf(to, "%*s", indent, "");
    for (int k = 0; k < last; k++)
        fprintf(to, "%s%*s", texts[k], widths[k] - (int)orr_text_characters(texts[k]) + 2, "");
    fprintf(to, "%s\n", texts[last]);
}

struct column {
    char member[32], heading[32];
};

/* Returns how many "name experiment|shows|title" holds: a member, and behind a blank its heading
 * where that is another. */
static int read_columns(struct column out[MAX_COLUMNS], const char *text)
{
    int count = 0;
    for (size_t length; *text && count < MAX_COLUMNS; text += length + (text[length] == '|')) {
        struct column *column = &out[count++];
        const size_t name = strcspn(text, " |");
        length = strcspn(text, "|");
        const size_t skipped = name < length ? name + 1 : 0;
        snprintf(column->member, sizeof column->member, "%.*s", (int)name, text);
        snprintf(column->heading, sizeof column->heading, "%.*s", (int)(length - skipped),
                 text + skipped);
    }
    return count;
}

void orr_cli_table_print(FILE *to, json_t *rows, const char *text, int indent)
{
    char texts[MAX_COLUMNS][TEXT_SIZE] = {""};
    struct column columns[MAX_COLUMNS];
    const int count = read_columns(columns, text);
    int widths[MAX_COLUMNS] = {0};
    size_t index;
    json_t *row;
    for (int k = 0; k < count; k++) {
        widths[k] = (int)orr_text_characters(columns[k].heading);
        json_array_foreach (rows, index, row) {
            int own = (int)orr_text_characters(
                orr_cli_table_value(texts[0], TEXT_SIZE, json_object_get(row, columns[k].member)));
            widths[k] = own > widths[k] ? own : widths[k];
        }
    }
    for (int k = 0; k < count; k++)
        snprintf(texts[k], TEXT_SIZE, "%s", columns[k].heading);
    print_line(to, texts, widths, count, indent);
    json_array_foreach (rows, index, row) {
        for (int k = 0; k < count; k++)
            orr_cli_table_value(texts[k], TEXT_SIZE, json_object_get(row, columns[k].member));
        print_line(to, texts, widths, count, indent);
    }
}

int orr_cli_print_lines(const struct orr_ledger *ledger, const char *sql, const json_t *about)
{
    sqlite3_stmt *row;
    char *json = json_dumps(about, 0);
    int code = orr_ledger_query(&row, ledger, sql, "s", json);
    while (orr_ledger_row(&code, row, ledger)) {
        json_auto_t *list = json_loads(orr_ledger_text(row, 2), 0, NULL);
        if (list) {
            orr_cli_table_print(stdout, list, orr_ledger_text(row, 3), sqlite3_column_int(row, 4));
            continue;
        }
        const size_t at = (size_t)printf("%s", orr_ledger_text(row, 0));
        char *text = orr_text_tame(orr_memory_text(orr_ledger_text(row, 1)));
        orr_terminal_wrap(text, at, at);
        free(text);
    }
    free(json);
    return code;
}

int orr_cli_table_json(const json_t *value)
{
    return json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) ||
                   putchar('\n') == EOF || fflush(stdout)
               ? orr_fail(ORR_EIO, "cannot write the JSON")
               : 0;
}

/* --- rows of a query --- */

/* JSON has no infinite numbers. Texts may come from journals that anybody has written. */
static json_t *value_of(sqlite3_stmt *row, int column, const char *json)
{
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return json_null();
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
        return isfinite(sqlite3_column_double(row, column))
                   ? json_real(sqlite3_column_double(row, column))
                   : json_null();
    default:
        if (orr_text_lists(json, sqlite3_column_name(row, column)))
            return json_loads(orr_ledger_text(row, column), 0, NULL);
        char *text = orr_text_tame(orr_memory_text(orr_ledger_text(row, column)));
        json_t *value = json_string(text);
        free(text);
        return value;
    }
}

int orr_cli_query_rows(json_t *rows, const struct orr_ledger *ledger, sqlite3_stmt *statement,
                       const char *json)
{
    int more;
    while ((more = orr_ledger_next(statement, ledger)) > 0) {
        json_t *one = json_object();
        for (int k = 0; k < sqlite3_column_count(statement); k++)
            json_object_set_new(one, sqlite3_column_name(statement, k),
                                value_of(statement, k, json));
        json_array_append_new(rows, one);
    }
    sqlite3_finalize(statement);
    return more;
}

/* --- "-" in the place of a file --- */

static int copy_stream(FILE *from, FILE *to, const char *what)
{
    char buffer[1 << 16];
    size_t size;
    while ((size = fread(buffer, 1, sizeof buffer, from)))
        if (fwrite(buffer, 1, size, to) != size)
            return orr_fail(ORR_EIO, "cannot write %s: %s", what, strerror(errno));
    return ferror(from) || fflush(to)
               ? orr_fail(ORR_EIO, "cannot copy %s: %s", what, strerror(errno))
               : 0;
}

int orr_cli_pipe_input(char folder[128], const char **path)
{
    if (strcmp(*path, "-"))
        return 0;
    int code = orr_cli_pipe_output(folder, path, "standard-input");
    if (code)
        return code;
    FILE *file = fopen(*path, "wb");
    code = file ? copy_stream(stdin, file, "standard input") : ORR_EIO;
    if (!file || (fclose(file) && !code))
        code = orr_fail(ORR_EIO, "cannot write %s: %s", *path, strerror(errno));
    return code;
}

int orr_cli_pipe_output(char folder[128], const char **path, const char *name)
{
    struct orr_words kept = {0};
    char file[256];
    if (strcmp(*path, "-"))
        return 0;
    if (!*folder && orr_paths_make_temporary(folder, 128, ""))
        return orr_error_code();
    snprintf(file, sizeof file, "%s/%s", folder, name);
    orr_options_add_word(&kept, file);
    *path = *kept.items;
    return 0;
}

int orr_cli_pipe_send(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    int code = copy_stream(file, stdout, "to standard output");
    fclose(file);
    return code;
}
