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

/* A bar and two blanks. */
enum { AROUND = 3, NUMBER = ORR_WRITE_FOLD_NUMBER + AROUND };

static const struct orr_column *column_of(const struct orr_write_fold *fold, size_t k)
{
    return &fold->grid->columns[fold->columns[k]];
}

static size_t room_of(const struct orr_write_fold *fold, size_t k)
{
    return (size_t)fold->rooms[fold->columns[k]] + AROUND;
}

/* Behind the columns from `at` on that stand below one head; `room`: what they take. */
static size_t end_of_head(const struct orr_write_fold *fold, size_t at, size_t *room)
{
    const char *above = column_of(fold, at)->above;
    *room = 0;
    do
        *room += room_of(fold, at++);
    while (at < fold->count && above && column_of(fold, at)->above &&
           !strcmp(above, column_of(fold, at)->above));
    return at;
}

/* The columns before the first number name the row, as far as they leave room for those below any
 * one head. */
static void choose_names(struct orr_write_fold *fold)
{
    size_t all = 0, used = 1, widest = 0, room;
    for (; all < fold->count && !column_of(fold, all)->right; all++)
        used += room_of(fold, all);
    if (all == fold->count) { /* only words */
        fold->numbered = all > 1;
        return;
    }
    for (size_t k = all; k < fold->count;) {
        k = end_of_head(fold, k, &room);
        widest = room > widest ? room : widest;
    }
    fold->numbered = used + widest > fold->screen;
    if (fold->numbered)
        used += NUMBER;
    for (fold->names = all; fold->names > 0 && used + widest > fold->screen; fold->names--)
        used -= room_of(fold, fold->names - 1);
}

void orr_write_fold_begin(struct orr_write_fold *fold, const struct orr_grid *grid,
                          const int *rooms, size_t *columns, size_t screen)
{
    size_t whole = 1;
    *fold =
        (struct orr_write_fold){.grid = grid, .rooms = rooms, .screen = screen, .columns = columns};
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PEOPLE))
            continue;
        columns[fold->count++] = k;
        whole += room_of(fold, fold->count - 1);
    }
    if (whole > screen)
        choose_names(fold);
    fold->taken = fold->names;
}

/* A part begins with the names, unless the next column does not fit beside them: that has only the
 * numbers of the rows beside it, once the names were shown. Returns the room that is used. */
static size_t begin_part(struct orr_write_fold *fold, bool *fits)
{
    const size_t bare = 1 + (fold->numbered ? NUMBER : 0);
    size_t used = bare;
    for (size_t k = 0; k < fold->names; k++)
        used += room_of(fold, k);
    *fits = !fold->names || used + room_of(fold, fold->taken) <= fold->screen;
    fold->from = !*fits && fold->named ? fold->names : 0;
    fold->shown = fold->names;
    *fits |= fold->from > 0;
    fold->named = true;
    return fold->from ? bare : used;
}

bool orr_write_fold_next(struct orr_write_fold *fold)
{
    bool fits;
    if (fold->taken == fold->count)
        return false;
    size_t used = begin_part(fold, &fits), room;
    while (fits && fold->taken < fold->count) {
        size_t end = end_of_head(fold, fold->taken, &room);
        if (fold->shown > fold->names && used + room > fold->screen)
            break;
        for (; fold->taken < end; used += room_of(fold, fold->taken++)) {
            if (fold->shown > fold->names && used + room_of(fold, fold->taken) > fold->screen)
                return true; /* wider than the screen by itself */
            fold->columns[fold->shown++] = fold->columns[fold->taken];
        }
    }
    return true;
}

/* --- a document --- */

/* A grid as texts, the heads first, and the room that each column takes. */
struct sheet {
    const struct orr_grid *grid;
    char **texts;
    int *rooms;
};

static void write_line(FILE *to, const struct sheet *sheet, size_t line,
                       const struct orr_write_fold *fold)
{
    char number[24] = "row";
    if (line)
        snprintf(number, sizeof number, "%zu", line);
    if (fold->numbered)
        put_cell(to, number, ORR_WRITE_FOLD_NUMBER, true);
    for (size_t k = fold->from; k < fold->shown; k++)
        put_cell(to, sheet->texts[line * sheet->grid->column_count + fold->columns[k]],
                 sheet->rooms[fold->columns[k]], sheet->grid->columns[fold->columns[k]].right);
    fputs("|\n", to);
}

static void write_part(FILE *to, const struct sheet *sheet, const struct orr_write_fold *fold)
{
    write_line(to, sheet, 0, fold);
    if (fold->numbered)
        put_rule(to, ORR_WRITE_FOLD_NUMBER, true);
    for (size_t k = fold->from; k < fold->shown; k++)
        put_rule(to, sheet->rooms[fold->columns[k]], sheet->grid->columns[fold->columns[k]].right);
    fputs("|\n", to);
    for (size_t row = 0; row < sheet->grid->row_count; row++)
        write_line(to, sheet, 1 + row, fold);
}

/* The texts of a grid. */
static void fill_sheet(struct sheet *sheet)
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
    struct orr_write_fold fold;
    fill_sheet(&sheet);
    fputs("\n**", to);
    put_text(to, grid->title, "");
    fputs("**\n", to);
    orr_write_fold_begin(&fold, grid, sheet.rooms, seen, orr_terminal_columns(to));
    while (orr_write_fold_next(&fold)) {
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
