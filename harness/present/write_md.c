/* SPDX-License-Identifier: MIT */
/* Markdown, padded so that it is read as easily in a terminal. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "present/document.h"
#include "terminal.h"
#include "text.h"

static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

/* Escapes characters that would end the cell or start markup. */
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

/* A backslash escapes punctuation alone. */
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

/* --- tables in parts, for narrow terminals --- */

/* A row's number takes three characters, a bar and two blanks. */
enum { AROUND = 3, DIGITS = 3, NUMBER = DIGITS + AROUND };

/* A grid as texts, in parts one below the other where the screen is too narrow for all columns.
 * Each part begins with the columns that name the rows, as far as they fit, and what stands below
 * one head stays together. */
struct sheet {
    const struct orr_grid *grid;
    char **texts;    /* the heads first */
    int *rooms;      /* characters that each column of the grid takes */
    size_t screen;   /* characters of a line */
    size_t *columns; /* those that are seen, which changes; from `from` to `shown` is the part */
    size_t count, names, taken, from, shown;
    bool numbered; /* rows begin with their number, since not all their names fit */
    bool named;    /* a part had the names */
};

static const struct orr_column *column_of(const struct sheet *sheet, size_t k)
{
    return &sheet->grid->columns[sheet->columns[k]];
}

static size_t room_of(const struct sheet *sheet, size_t k)
{
    return (size_t)sheet->rooms[sheet->columns[k]] + AROUND;
}

/* Behind the columns from `at` on that stand below one head; `room`: what they take. */
static size_t end_of_head(const struct sheet *sheet, size_t at, size_t *room)
{
    const char *above = column_of(sheet, at)->above;
    *room = 0;
    do
        *room += room_of(sheet, at++);
    while (at < sheet->count && above && column_of(sheet, at)->above &&
           !strcmp(above, column_of(sheet, at)->above));
    return at;
}

/* The columns before the first number name the row, as far as they leave room for those below any
 * one head. */
static void choose_names(struct sheet *sheet)
{
    size_t all = 0, used = 1, widest = 0, room;
    for (; all < sheet->count && !column_of(sheet, all)->right; all++)
        used += room_of(sheet, all);
    if (all == sheet->count) { /* only words */
        sheet->numbered = all > 1;
        return;
    }
    for (size_t k = all; k < sheet->count;) {
        k = end_of_head(sheet, k, &room);
        widest = room > widest ? room : widest;
    }
    sheet->numbered = used + widest > sheet->screen;
    if (sheet->numbered)
        used += NUMBER;
    for (sheet->names = all; sheet->names > 0 && used + widest > sheet->screen; sheet->names--)
        used -= room_of(sheet, sheet->names - 1);
}

static void choose_columns(struct sheet *sheet)
{
    size_t whole = 1;
    for (size_t k = 0; k < sheet->grid->column_count; k++) {
        if (!(sheet->grid->columns[k].audience & ORR_PEOPLE))
            continue;
        sheet->columns[sheet->count++] = k;
        whole += room_of(sheet, sheet->count - 1);
    }
    if (whole > sheet->screen)
        choose_names(sheet);
    sheet->taken = sheet->names;
}

/* A part begins with the names, unless the next column does not fit beside them: that has only the
 * numbers of the rows beside it, once the names were shown. Returns the room that is used. */
static size_t begin_part(struct sheet *sheet, bool *fits)
{
    const size_t bare = 1 + (sheet->numbered ? NUMBER : 0);
    size_t used = bare;
    for (size_t k = 0; k < sheet->names; k++)
        used += room_of(sheet, k);
    *fits = !sheet->names || used + room_of(sheet, sheet->taken) <= sheet->screen;
    sheet->from = !*fits && sheet->named ? sheet->names : 0;
    sheet->shown = sheet->names;
    *fits |= sheet->from > 0;
    sheet->named = true;
    return sheet->from ? bare : used;
}

/* False when there is none left. */
static bool next_part(struct sheet *sheet)
{
    bool fits;
    if (sheet->taken == sheet->count)
        return false;
    size_t used = begin_part(sheet, &fits), room;
    while (fits && sheet->taken < sheet->count) {
        size_t end = end_of_head(sheet, sheet->taken, &room);
        if (sheet->shown > sheet->names && used + room > sheet->screen)
            break;
        for (; sheet->taken < end; used += room_of(sheet, sheet->taken++)) {
            if (sheet->shown > sheet->names && used + room_of(sheet, sheet->taken) > sheet->screen)
                return true; /* wider than the screen by itself */
            sheet->columns[sheet->shown++] = sheet->columns[sheet->taken];
        }
    }
    return true;
}

static void write_line(FILE *to, const struct sheet *sheet, size_t line)
{
    char number[24] = "row";
    if (line)
        snprintf(number, sizeof number, "%zu", line);
    if (sheet->numbered)
        put_cell(to, number, DIGITS, true);
    for (size_t k = sheet->from; k < sheet->shown; k++)
        put_cell(to, sheet->texts[line * sheet->grid->column_count + sheet->columns[k]],
                 sheet->rooms[sheet->columns[k]], column_of(sheet, k)->right);
    fputs("|\n", to);
}

static void write_part(FILE *to, const struct sheet *sheet)
{
    fputc('\n', to);
    write_line(to, sheet, 0);
    if (sheet->numbered)
        put_rule(to, DIGITS, true);
    for (size_t k = sheet->from; k < sheet->shown; k++)
        put_rule(to, sheet->rooms[sheet->columns[k]], column_of(sheet, k)->right);
    fputs("|\n", to);
    for (size_t row = 0; row < sheet->grid->row_count; row++)
        write_line(to, sheet, 1 + row);
}

static void fill_sheet(struct sheet *sheet, size_t cells)
{
    const struct orr_grid *grid = sheet->grid;
    const size_t columns = grid->column_count;
    for (size_t k = 0; k < cells; k++) {
        sheet->texts[k] =
            k < columns ? head_text(grid->columns[k].head) : cell_text(&grid->values[k - columns]);
        const int room = (int)orr_text_characters(sheet->texts[k]), least = 3;
        int *most = &sheet->rooms[k % columns];
        *most = *most > least ? *most : least;
        *most = *most > room ? *most : room;
    }
}

void orr_write_grid(FILE *to, const struct orr_grid *grid, size_t screen)
{
    const size_t columns = grid->column_count, cells = (1 + grid->row_count) * columns;
    struct sheet sheet = {.grid = grid,
                          .texts = orr_memory_get(cells * sizeof *sheet.texts),
                          .rooms = orr_memory_get(columns * sizeof *sheet.rooms),
                          .columns = orr_memory_get(columns * sizeof *sheet.columns),
                          .screen = screen};
    fill_sheet(&sheet, cells);
    choose_columns(&sheet);
    fputs("\n**", to);
    put_text(to, grid->title, "");
    fputs("**\n", to);
    while (next_part(&sheet))
        write_part(to, &sheet);
    for (size_t k = 0; k < cells; k++)
        free(sheet.texts[k]);
    free(sheet.texts);
    free(sheet.rooms);
    free(sheet.columns);
}

/* --- a document --- */

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
        if (document->grids[k]->seen)
            orr_write_grid(to, document->grids[k], orr_terminal_columns(to));
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
