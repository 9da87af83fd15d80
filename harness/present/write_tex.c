/* LaTeX for \input: each grid as tables of booktabs with \caption and \label. Tables that would be
 * wider than the text are scaled to it; long texts are wrapped, and what would be too small to read
 * or longer than a page goes into several tables. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/tex_text.h"
#include "present/write.h"

/* In em. The text of an article is 34 em wide, and half the size of its letters is still read; the
 * widths here are rather too large. */
enum { MOST_WIDTH = 80, MOST_KEYS = 40, MOST_CELL = 12, LEAST_WRAPPED = 10, MOST_WRAPPED = 20 };
enum { MOST_LINES = 38 }; /* of a page, less head and caption */

/* A grid as columns of TeX. */
struct sheet {
    const struct orr_grid *grid;
    size_t *columns; /* those that people see */
    size_t count;
    size_t keys;   /* columns at the left that each part begins with */
    double *width; /* of each column, without gaps */
    bool *wrapped;
    int *lines;                 /* of each row */
    int most_width, most_lines; /* of a part */
};

/* Rows [row, last) and, behind the keys, columns [column, end). */
struct part {
    size_t row, last, column, end;
};

static const double GAP = 1.2; /* between two columns: twice \tabcolsep */

static const char *seen(const struct sheet *sheet, size_t row, size_t column, char number[32])
{
    return orr_value_seen(orr_grid_at(sheet->grid, row, sheet->columns[column]), number);
}

static void measure_column(struct sheet *sheet, size_t column)
{
    const struct orr_column *of = &sheet->grid->columns[sheet->columns[column]];
    double widest = orr_tex_width(of->head), word = orr_tex_longest_word(of->head);
    char number[32];
    for (size_t row = 0; row < sheet->grid->row_count; row++) {
        const char *text = seen(sheet, row, column, number);
        widest = fmax(widest, orr_tex_width(text));
        word = fmax(word, orr_tex_longest_word(text));
    }
    sheet->wrapped[column] = !of->right && widest > MOST_CELL;
    sheet->width[column] = sheet->wrapped[column]
                               ? fmax(word + 1, fmin(fmax(widest / 4, LEAST_WRAPPED), MOST_WRAPPED))
                               : widest;
}

/* The first column in which two rows differ. */
static size_t differ_in(const struct sheet *sheet, size_t one, size_t other)
{
    char left[32], right[32];
    size_t column = 0;
    while (column < sheet->count &&
           !strcmp(seen(sheet, one, column, left), seen(sheet, other, column, right)))
        column++;
    return column;
}

/* As many columns as tell each row from the others, while there is room beside them. */
static size_t count_keys(const struct sheet *sheet)
{
    size_t needed = 1, keys = 0;
    double width = 0;
    for (size_t row = 1; row < sheet->grid->row_count; row++)
        for (size_t other = 0; other < row && needed < sheet->count; other++) {
            size_t column = differ_in(sheet, row, other);
            needed = column < sheet->count && column + 1 > needed ? column + 1 : needed;
        }
    for (; keys < needed; keys++) {
        width += sheet->width[keys] + GAP;
        if (width > MOST_KEYS)
            break;
    }
    return keys;
}

static int count_lines(const struct sheet *sheet, size_t row)
{
    char number[32];
    double most = 1;
    for (size_t k = 0; k < sheet->count; k++)
        if (sheet->wrapped[k])
            most = fmax(most,
                        ceil(1.1 * orr_tex_width(seen(sheet, row, k, number)) / sheet->width[k]));
    return (int)most;
}

/* Where the columns end that fit beside the keys, from `first` on: one at least. */
static size_t end_of_columns(const struct sheet *sheet, size_t first)
{
    double width = 0;
    size_t end = first;
    for (size_t k = 0; k < sheet->keys; k++)
        width += sheet->width[k] + GAP;
    for (; end < sheet->count; end++) {
        width += sheet->width[end] + GAP;
        if (width > sheet->most_width && end > first)
            break;
    }
    return end;
}

/* Where the rows end that fit on a page, from `first` on: one at least. */
static size_t end_of_rows(const struct sheet *sheet, size_t first)
{
    int lines = 0;
    size_t end = first;
    for (; end < sheet->grid->row_count; end++) {
        lines += sheet->lines[end];
        if (lines > sheet->most_lines && end > first)
            break;
    }
    return end;
}

/* The limit `most` is lowered while what has `count` columns or rows takes no more parts. */
static void level(const struct sheet *sheet, int *most, size_t from, size_t count,
                  size_t (*end_of)(const struct sheet *sheet, size_t first))
{
    size_t wanted = 0;
    for (int limit = *most; limit > 0; limit--) {
        size_t parts = 0, before = (size_t)*most;
        *most = limit;
        for (size_t at = from; at < count; at = end_of(sheet, at))
            parts++;
        wanted = wanted ? wanted : parts;
        if (parts > wanted) {
            *most = (int)before;
            return;
        }
    }
}

static int lay_out(struct sheet *sheet, const struct orr_grid *grid)
{
    *sheet = (struct sheet){.grid = grid,
                            .columns = calloc(grid->column_count + 1, sizeof *sheet->columns),
                            .width = calloc(grid->column_count + 1, sizeof *sheet->width),
                            .wrapped = calloc(grid->column_count + 1, sizeof *sheet->wrapped),
                            .lines = calloc(grid->row_count + 1, sizeof *sheet->lines),
                            .most_width = MOST_WIDTH,
                            .most_lines = MOST_LINES};
    if (!sheet->columns || !sheet->width || !sheet->wrapped || !sheet->lines)
        return orr_fail(ORR_EMEMORY, "no memory for a table");
    for (size_t k = 0; k < grid->column_count; k++)
        if (grid->columns[k].audience & ORR_PEOPLE)
            sheet->columns[sheet->count++] = k;
    for (size_t k = 0; k < sheet->count; k++)
        measure_column(sheet, k);
    for (size_t row = 0; row < grid->row_count; row++)
        sheet->lines[row] = count_lines(sheet, row);
    sheet->keys = count_keys(sheet);
    level(sheet, &sheet->most_width, sheet->keys, sheet->count, end_of_columns);
    level(sheet, &sheet->most_lines, 0, grid->row_count, end_of_rows);
    return 0;
}

static void release(struct sheet *sheet)
{
    free(sheet->columns);
    free(sheet->width);
    free(sheet->wrapped);
    free(sheet->lines);
}

/* The part behind `part`, or the first one for {0}; false past the last. */
static bool next_part(const struct sheet *sheet, struct part *part)
{
    bool first = !part->end;
    if (first || part->end == sheet->count) {
        if (!first && part->last == sheet->grid->row_count)
            return false;
        part->row = part->last;
        part->last = end_of_rows(sheet, part->row);
        part->end = sheet->keys;
    }
    part->column = part->end;
    part->end = end_of_columns(sheet, part->column);
    return true;
}

/* The k-th column of a part. */
static size_t column_of(const struct sheet *sheet, const struct part *part, size_t k)
{
    return k < sheet->keys ? k : part->column + k - sheet->keys;
}

static size_t width_of(const struct sheet *sheet, const struct part *part)
{
    return sheet->keys + part->end - part->column;
}

static void put_columns(FILE *to, const struct sheet *sheet, const struct part *part)
{
    fputs("\\begin{tabular}{@{}", to);
    for (size_t k = 0; k < width_of(sheet, part); k++) {
        size_t column = column_of(sheet, part, k);
        if (sheet->wrapped[column])
            fprintf(to, ">{\\raggedright\\arraybackslash}p{%.1fem}", sheet->width[column]);
        else
            fputc(sheet->grid->columns[sheet->columns[column]].right ? 'r' : 'l', to);
    }
    fputs("@{}}\n\\toprule\n", to);
    for (size_t k = 0; k < width_of(sheet, part); k++) {
        fputs(k ? " & " : "", to);
        orr_tex_text(to, sheet->grid->columns[sheet->columns[column_of(sheet, part, k)]].head);
    }
    fputs(" \\\\\n\\midrule\n", to);
}

static void put_row(FILE *to, const struct sheet *sheet, const struct part *part, size_t row)
{
    char number[32];
    for (size_t k = 0; k < width_of(sheet, part); k++) {
        const size_t column = column_of(sheet, part, k);
        const int note = orr_grid_at(sheet->grid, row, sheet->columns[column])->note;
        /* Braces keep "[" behind "\\" from being read as an optional argument. */
        fputs(k ? " & {" : "{", to);
        orr_tex_text(to, seen(sheet, row, column, number));
        fputs("}", to);
        if (note)
            fprintf(to, "$^{%d}$", note);
    }
    fputs(" \\\\\n", to);
}

/* A table's name: that of its experiment, its number there and that of its part. */
struct name {
    const char *experiment;
    int number, part, parts;
};

static void put_label(FILE *to, const struct name *name)
{
    fputs("\\label{tab:", to);
    for (const char *c = name->experiment; *c; c++)
        fputc(isalnum((unsigned char)*c) || *c == '.' ? *c : '-', to);
    if (name->number > 1)
        fprintf(to, "-%d", name->number);
    if (name->part > 1)
        fprintf(to, "-part%d", name->part);
    fputs("}\n", to);
}

static void put_table(FILE *to, const struct sheet *sheet, const struct part *part,
                      const struct name *name)
{
    fputs("\\begin{table}[!htbp]\n\\centering\n\\caption{", to);
    orr_tex_text(to, name->experiment);
    fputs(*sheet->grid->title ? ": " : "", to);
    orr_tex_text(to, sheet->grid->title);
    if (name->parts > 1)
        fprintf(to, " (%d of %d)", name->part, name->parts);
    fputs("}\n", to);
    put_label(to, name);
    fputs("\\smallskip\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n",
          to);
    put_columns(to, sheet, part);
    for (size_t row = part->row; row < part->last; row++)
        put_row(to, sheet, part, row);
    fputs("\\bottomrule\n\\end{tabular}}\n\\end{table}\n\n", to);
}

static int put_grid(FILE *to, const struct orr_grid *grid, const char *experiment, int number)
{
    enum { MANY = 6 }; /* TeX holds back so many tables at most, and must be told to put them */
    struct sheet sheet;
    struct name name = {experiment, number, 0, 0};
    int code = lay_out(&sheet, grid);
    for (struct part part = {0}; !code && next_part(&sheet, &part);)
        name.parts++;
    for (struct part part = {0}; !code && next_part(&sheet, &part);) {
        name.part++;
        put_table(to, &sheet, &part, &name);
        if (name.part % MANY == 0)
            fputs("\\clearpage\n\n", to);
    }
    release(&sheet);
    return code;
}

static void put_line(FILE *to, const char *before, const char *text)
{
    fputs(before, to);
    orr_tex_text(to, text);
    fputs("\\par\n", to);
}

static void put_facts(FILE *to, const struct orr_document *document)
{
    fputs("\\begingroup\\footnotesize\\raggedright\\parindent0pt\n", to);
    for (size_t k = 0; k < document->fact_count; k++) {
        orr_tex_text(to, document->facts[k].name);
        put_line(to, ": ", document->facts[k].text);
    }
    fputs("\\endgroup\n\n", to);
}

static void put_lines(FILE *to, const struct orr_document *document)
{
    char mark[32];
    fputs("\\begingroup\\footnotesize\\raggedright\\parindent0pt\n", to);
    for (size_t k = 0; k < document->note_count; k++) {
        snprintf(mark, sizeof mark, "$^{%zu}$ ", k + 1);
        put_line(to, mark, document->notes[k]);
    }
    for (size_t k = 0; k < document->remark_count; k++)
        put_line(to, "", document->remarks[k]);
    fputs("\\endgroup\n", to);
}

/* How many tables of this experiment stand before document `at`. */
static int count_before(const struct orr_document *documents, size_t at)
{
    int count = 0;
    for (size_t d = 0; d < at; d++)
        for (size_t k = 0; !strcmp(documents[d].experiment, documents[at].experiment) &&
                           k < documents[d].grid_count;
             k++)
            count += orr_grid_is_seen(documents[d].grids[k]);
    return count;
}

static int write_tex(FILE *to, const struct orr_document *documents, size_t count)
{
    int code = 0;
    fputs("% \\usepackage{array,booktabs,graphicx}\n", to);
    for (size_t d = 0; d < count; d++) {
        int number = count_before(documents, d);
        fputs(d ? "\\clearpage\n" : "", to);
        put_facts(to, &documents[d]);
        for (size_t k = 0; !code && k < documents[d].grid_count; k++)
            if (orr_grid_is_seen(documents[d].grids[k]))
                code = put_grid(to, documents[d].grids[k], documents[d].experiment, ++number);
        put_lines(to, &documents[d]);
    }
    return code;
}

const struct orr_format orr_format_tex = {"tex", write_tex, false};
