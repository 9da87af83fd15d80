/* Markdown, padded so that it is read as easily in a terminal. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "present/write.h"
#include "terminal.h"
#include "text.h"

static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

/* What would end the cell or start markup is escaped. */
static void put_escaped(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool inside =
            *c == '_' && c > text && isalnum((unsigned char)c[-1]) && isalnum((unsigned char)c[1]);
        if (strchr("|\\`*_<", *c) && !inside) /* an underscore inside a word starts nothing */
            fputc('\\', to);
        fputc(*c == '\n' ? ' ' : *c, to);
    }
}

/* With the footnote mark. */
static char *cell_text(const struct orr_value *value)
{
    char number[32], *text = NULL;
    size_t size;
    FILE *out = orr_memory_stream(&text, &size);
    put_escaped(out, orr_value_seen(value, number));
    if (value->note >= 10)
        fputs(raised[value->note / 10 % 10], out);
    if (value->note > 0)
        fputs(raised[value->note % 10], out);
    fclose(out);
    return text;
}

/* Where the span of code that begins at `at` ends; NULL when none begins there. Runs and escapes of
 * backquotes, which pair in other ways, make no span. */
static const char *code_end(const char *at, bool spans)
{
    return spans && *at == '`' ? strchr(at + 1, '`') : NULL;
}

/* Whether the backslash at `at` would escape what comes next. */
static bool is_escape(const char *at)
{
    return *at == '\\' && (!at[1] || ispunct((unsigned char)at[1]));
}

/* A text of our own words, which may hold `code` and emphasis, and of words from journals, which
 * must not become HTML or begin a line. `also` is escaped, too; with a backquote in it there is no
 * code. */
static void put_text(FILE *to, const char *text, const char *also)
{
    bool spans = !strchr(also, '`') && !strstr(text, "``") && !strstr(text, "\\`");
    const char *end;
    for (; *text; text++) {
        if ((end = code_end(text, spans))) {
            for (; text < end; text++)
                fputc(*text == '\n' ? ' ' : *text, to);
        } else if (strchr(also, *text) || is_escape(text) ||
                   (*text == '<' && (isalpha((unsigned char)text[1]) || strchr("/!?", text[1])))) {
            fputc('\\', to);
        }
        fputc(*text == '\n' ? ' ' : *text, to);
    }
}

static char *head_text(const char *head)
{
    char *text = NULL;
    size_t size;
    FILE *out = orr_memory_stream(&text, &size);
    put_text(out, head, "|`");
    fclose(out);
    return text;
}

static void put_cell(FILE *to, const char *text, int room, bool right)
{
    int gap = room - (int)orr_text_characters(text);
    fprintf(to, "| %*s%s%*s ", right ? gap : 0, "", text, right ? 0 : gap, "");
}

static void put_rule(FILE *to, int room, bool right)
{
    fputs("| ", to);
    for (int k = 0; k < room - right; k++)
        fputc('-', to);
    fputs(right ? ": " : " ", to);
}

/* A grid as texts, the heads first, and the room that each column takes. */
struct sheet {
    const struct orr_grid *grid;
    char **texts;
    int *rooms;
};

static void write_line(FILE *to, const struct sheet *sheet, size_t line,
                       const struct orr_fold *fold)
{
    char number[24] = "row";
    if (line)
        snprintf(number, sizeof number, "%zu", line);
    if (fold->numbered)
        put_cell(to, number, ORR_FOLD_NUMBER, true);
    for (size_t k = fold->from; k < fold->shown; k++)
        put_cell(to, sheet->texts[line * sheet->grid->column_count + fold->columns[k]],
                 sheet->rooms[fold->columns[k]], sheet->grid->columns[fold->columns[k]].right);
    fputs("|\n", to);
}

static void write_part(FILE *to, const struct sheet *sheet, const struct orr_fold *fold)
{
    write_line(to, sheet, 0, fold);
    if (fold->numbered)
        put_rule(to, ORR_FOLD_NUMBER, true);
    for (size_t k = fold->from; k < fold->shown; k++)
        put_rule(to, sheet->rooms[fold->columns[k]], sheet->grid->columns[fold->columns[k]].right);
    fputs("|\n", to);
    for (size_t row = 0; row < sheet->grid->row_count; row++)
        write_line(to, sheet, 1 + row, fold);
}

/* The texts of a grid. */
static void fill(struct sheet *sheet)
{
    const struct orr_grid *grid = sheet->grid;
    const size_t columns = grid->column_count, cells = (1 + grid->row_count) * columns;
    for (size_t k = 0; k < columns; k++)
        sheet->rooms[k] = 3;
    for (size_t k = 0; k < cells; k++) {
        char *text =
            k < columns ? head_text(grid->columns[k].head) : cell_text(&grid->values[k - columns]);
        sheet->texts[k] = text;
        int room = (int)orr_text_characters(text);
        if (room > sheet->rooms[k % columns])
            sheet->rooms[k % columns] = room;
    }
}

static void write_grid(FILE *to, const struct orr_grid *grid)
{
    const size_t columns = grid->column_count, cells = (1 + grid->row_count) * columns;
    struct sheet sheet = {grid, orr_memory_get(cells * sizeof *sheet.texts),
                          orr_memory_get(columns * sizeof *sheet.rooms)};
    size_t *seen = orr_memory_get(columns * sizeof *seen);
    struct orr_fold fold;
    fill(&sheet);
    fputs("\n**", to);
    put_text(to, grid->title, "");
    fputs("**\n", to);
    orr_fold_begin(&fold, grid, sheet.rooms, seen, orr_terminal_columns(to));
    while (orr_fold_next(&fold)) {
        fputc('\n', to);
        write_part(to, &sheet, &fold);
    }
    for (size_t k = 0; k < cells; k++)
        free(sheet.texts[k]);
    free(sheet.texts);
    free(sheet.rooms);
    free(seen);
}

static void write_document(FILE *to, const struct orr_document *document)
{
    fputs("## ", to);
    put_text(to, document->title, "");
    fputs("\n\n", to);
    for (size_t k = 0; k < document->fact_count; k++) {
        fputs("- ", to);
        put_text(to, document->facts[k].name, "`");
        fputs(": ", to);
        put_text(to, document->facts[k].text, "");
        fputc('\n', to);
    }
    for (size_t k = 0; k < document->grid_count; k++)
        if (orr_grid_is_seen(document->grids[k]))
            write_grid(to, document->grids[k]);
    if (document->note_count)
        fputs("\nErrata and notes\n\n", to);
    for (size_t k = 0; k < document->note_count; k++) {
        fprintf(to, "%zu. ", k + 1);
        put_text(to, document->notes[k], "");
        fputc('\n', to);
    }
    fputs(document->remark_count ? "\n" : "", to);
    for (size_t k = 0; k < document->remark_count; k++) {
        fputs("- ", to);
        put_text(to, document->remarks[k], "");
        fputc('\n', to);
    }
}

static int write_md(FILE *to, const struct orr_document *documents, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fputs(k ? "\n" : "", to);
        write_document(to, &documents[k]);
    }
    return 0;
}

const struct orr_format orr_format_md = {"md", write_md, false};
