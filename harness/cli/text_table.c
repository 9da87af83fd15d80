#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "error.h"
#include "memory.h"
#include "plugin/params.h"
#include "text.h"

enum { MAX_COLUMNS = 12, TEXT_SIZE = 512 };

static char *join(char *out, size_t size, const json_t *list)
{
    size_t index, used = 0;
    json_t *item;
    *out = '\0';
    json_array_foreach (list, index, item) {
        char text[128];
        int length = snprintf(out + used, size - used, "%s%s", index ? ", " : "",
                              orr_text_table_value(text, sizeof text, item));
        used += (size_t)length < size - used ? (size_t)length : size - used - 1;
    }
    return out;
}

char *orr_text_table_value(char *out, size_t size, const json_t *value)
{
    *out = '\0';
    if (json_is_string(value))
        snprintf(out, size, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(out, size, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_number(value))
        orr_params_number(json_number_value(value), out, size);
    else if (json_is_array(value))
        join(out, size, value);
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

void orr_text_table_print(FILE *to, json_t *rows, const struct orr_text_column *columns, int indent)
{
    char texts[MAX_COLUMNS][TEXT_SIZE];
    int widths[MAX_COLUMNS], count = 0;
    size_t index;
    json_t *row;
    for (; count < MAX_COLUMNS && columns[count].member; count++) {
        widths[count] = (int)orr_text_characters(columns[count].heading);
        json_array_foreach (rows, index, row) {
            int own = (int)orr_text_characters(orr_text_table_value(
                texts[0], TEXT_SIZE, json_object_get(row, columns[count].member)));
            widths[count] = own > widths[count] ? own : widths[count];
        }
    }
    for (int k = 0; k < count; k++)
        snprintf(texts[k], TEXT_SIZE, "%s", columns[k].heading);
    print_line(to, texts, widths, count, indent);
    json_array_foreach (rows, index, row) {
        for (int k = 0; k < count; k++)
            orr_text_table_value(texts[k], TEXT_SIZE, json_object_get(row, columns[k].member));
        print_line(to, texts, widths, count, indent);
    }
}

int orr_text_table_json(json_t *value)
{
    bool written =
        value && json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0;
    json_decref(value);
    if (!written || putchar('\n') == EOF || fflush(stdout)) {
        orr_fail(ORR_EIO, "cannot write the JSON");
        return orr_cli_report_error();
    }
    return ORR_EXIT_OK;
}

void orr_text_wrap(const char *text, size_t at, size_t indent, size_t width)
{
    for (bool first = true; *text; first = false) {
        const char *close = *text == '`' ? strchr(text + 1, '`') : NULL;
        const size_t quoted = close ? (size_t)(close - text) : 0,
                     length = quoted + strcspn(text + quoted, " ");
        char *word = orr_memory_text(text);
        word[length] = '\0';
        const size_t wide = orr_text_characters(word);
        if (at + !first + wide > width && (at > indent || !first))
            printf("\n%*s", (int)(at = indent), "");
        else if (!first)
            at += (size_t)printf(" ");
        at += wide;
        fputs(word, stdout);
        free(word);
        text += length + (text[length] != '\0');
    }
    putchar('\n');
}

/* --- rows of a query --- */

static bool is_named(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* JSON has no infinite numbers. */
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
        return is_named(json, sqlite3_column_name(row, column))
                   ? json_loads(orr_ledger_text(row, column), 0, NULL)
                   : json_string(orr_ledger_text(row, column));
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
