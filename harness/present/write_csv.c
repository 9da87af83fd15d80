/* CSV as in RFC 4180: one header line, the data grid of every document below it. */
#include <math.h>
#include <string.h>

#include "present/write.h"
#include "text.h"

/* Spreadsheets compute what begins like this, unless an apostrophe stands before it. Options of
 * compilers and formulas of papers begin with a minus, too: only with what names another program,
 * a sheet or a text is it held for an attack. */
static bool is_formula(const char *text)
{
    double number;
    bool begins = *text == '-' ? strpbrk(text, "|!\"") != NULL : *text && strchr("=+@", *text);
    return begins && !orr_text_number(text, &number);
}

/* One CSV field, quoted where RFC 4180 asks for it. */
static void put_field(FILE *to, const char *text)
{
    const char *mark = is_formula(text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(mark, to);
        fputs(text, to);
        return;
    }
    fprintf(to, "\"%s", mark);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static void write_value(FILE *to, const struct orr_value *value)
{
    if (!isnan(value->number))
        fprintf(to,
                value->number == floor(value->number) && fabs(value->number) < 1e15 ? "%.0f"
                                                                                    : "%.10g",
                value->number); /* counts keep every digit */
    else if (value->text)
        put_field(to, value->text);
}

/* Row -1 is the header. */
static void write_row(FILE *to, const struct orr_grid *grid, long row)
{
    const char *separator = "";
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PROGRAMS))
            continue;
        fputs(separator, to);
        if (row < 0)
            put_field(to, grid->columns[k].key);
        else
            write_value(to, orr_grid_at(grid, (size_t)row, k));
        separator = ",";
    }
    fputs("\r\n", to);
}

static int write_csv(FILE *to, const struct orr_document *documents, size_t count)
{
    bool headed = false;
    for (size_t d = 0; d < count; d++) {
        const struct orr_grid *grid = orr_document_data(&documents[d]);
        if (!grid)
            continue;
        for (long row = headed ? 0 : -1; row < (long)grid->row_count; row++)
            write_row(to, grid, row);
        headed = true;
    }
    return 0;
}

const struct orr_format orr_format_csv = {"csv", write_csv, true};
