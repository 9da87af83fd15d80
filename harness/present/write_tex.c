/* SPDX-License-Identifier: MIT */
/* LaTeX for \input: each grid as tables of booktabs with \caption and \label. TeX scales a table
 * that is larger than the page down to it; long ones go into several. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "present/document.h"
#include "text.h"

/* Characters that TeX reserves, and those beyond ASCII that Orrery prints. Symbols are those of the
 * fonts that every TeX has: \textmu, and \$ outside of formulas, want fonts that may have to be
 * made. */
static const struct {
    const char *from, *to;
} escapes[] = {
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"÷", "$\\div$"},
    {"·", "$\\cdot$"},
    {"≈", "$\\approx$"},
    {"†", "$\\dagger$"},
    {"‡", "$\\ddagger$"},
    {"—", "---"},
    {"–", "--"},
    {"−", "$-$"},
    {"…", "\\ldots{}"},
    {"µ", "$\\mu$"},
    {"μ", "$\\mu$"},
    {"θ", "$\\theta$"},
    {"ε", "$\\epsilon$"},
    {"√", "$\\surd$"},
    {"→", "$\\rightarrow$"},
    {"≥", "$\\geq$"},
    {"≤", "$\\leq$"},
    {"°", "$^{\\circ}$"},
    {"²", "$^{2}$"},
    {"³", "$^{3}$"},
    {"®", "(R)"},
    {"©", "(C)"},
    {"™", "(TM)"},
    {"“", "``"},
    {"”", "''"},
    {"‘", "`"},
    {"’", "'"},
    {"\u00a0", "~"},
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "$\\$$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\n", " "},
};
enum { ESCAPES = sizeof escapes / sizeof *escapes };

/* Latin letters with accents that its oldest encoding puts together; all of two bytes. */
static bool is_letter(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    return byte[0] == 0xc3 && byte[1] >= 0x80 && !strchr("\x90\x9e\xb0\xbe", (char)byte[1]);
}

static size_t length_of(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* The text with everything escaped that TeX reserves or its fonts lack; words that are too long for
 * a line may be broken. */
static void put_text(FILE *to, const char *text)
{
    enum { MOST = 20, LEAST = 8 }; /* characters without a place to break */
    for (size_t since = 0, length; *text; text += length) {
        size_t k = 0;
        length = length_of(text);
        while (k < ESCAPES &&
               (strlen(escapes[k].from) != length || strncmp(text, escapes[k].from, length) != 0))
            k++;
        if (k < ESCAPES)
            fputs(escapes[k].to, to);
        else if (length == 1 || is_letter(text))
            fprintf(to, "%.*s", (int)length, text);
        else
            fputc('?', to);
        since = *text == ' ' || *text == '-' ? 0 : since + 1;
        if (text[0] == '-' && text[1] == '-') /* an option's dashes are two */
            fputs("{}", to);
        if (since >= MOST ||
            (since >= LEAST && strchr("_/=,.:;+", *text) && strcspn(text + length, " ") >= LEAST)) {
            fputs("\\allowbreak{}", to);
            since = 0;
        }
    }
}

static bool is_seen(const struct orr_grid *grid, size_t column)
{
    return grid->columns[column].audience & ORR_PEOPLE;
}

static bool is_wide(const struct orr_grid *grid, size_t column)
{
    enum { WIDE = 30 }; /* characters; longer texts are wrapped */
    char number[32];
    bool wide = false;
    for (size_t row = 0; row < grid->row_count && !wide; row++)
        wide = orr_text_characters(orr_value_seen(orr_grid_at(grid, row, column), number)) > WIDE;
    return wide;
}

static void put_head(FILE *to, const struct orr_grid *grid)
{
    const char *between = "";
    fputs("\\begin{tabular}{@{}", to);
    for (size_t k = 0; k < grid->column_count; k++)
        if (is_seen(grid, k))
            fputs(grid->columns[k].right ? "r"
                  : is_wide(grid, k)     ? ">{\\raggedright\\arraybackslash}p{16em}"
                                         : "l",
                  to);
    fputs("@{}}\n\\toprule\n", to);
    for (size_t k = 0; k < grid->column_count; k++)
        if (is_seen(grid, k)) {
            fputs(between, to);
            put_text(to, grid->columns[k].head);
            between = " & ";
        }
    fputs(" \\\\\n\\midrule\n", to);
}

/* Braces keep "[" behind "\\\\" from being read as an optional argument. */
static void put_row(FILE *to, const struct orr_grid *grid, size_t row)
{
    char number[32];
    const char *between = "{";
    for (size_t k = 0; k < grid->column_count; k++)
        if (is_seen(grid, k)) {
            const struct orr_value *value = orr_grid_at(grid, row, k);
            fputs(between, to);
            put_text(to, orr_value_seen(value, number));
            fputs("}", to);
            if (value->note)
                fprintf(to, "$^{%d}$", value->note);
            between = " & {";
        }
    fputs(" \\\\\n", to);
}

/* The label has the experiment's name, and the table's number there but for the first. */
static void put_caption(FILE *to, const struct orr_grid *grid, const char *experiment, int number)
{
    fputs("\\caption{", to);
    put_text(to, experiment);
    fputs(*grid->title ? ": " : "", to);
    put_text(to, grid->title);
    fputs("}\n\\label{tab:", to);
    for (const char *c = experiment; *c; c++)
        fputc(isalnum((unsigned char)*c) || *c == '.' ? *c : '-', to);
    fprintf(to, number > 1 ? "-%d}\n" : "}\n", number);
}

/* Scaled down to the width of the text, and to the height of a page less the caption's. */
static void put_grid(FILE *to, const struct orr_grid *grid, const char *experiment, int number)
{
    enum { MANY = 6 }; /* TeX holds back so many tables at most, and must be told to put them */
    fputs("\\begin{table}[!htbp]\n\\centering\n", to);
    put_caption(to, grid, experiment, number);
    fputs("\\smallskip\n\\resizebox*{!}{\\ifdim\\totalheight>0.8\\textheight 0.8\\textheight"
          "\\else\\totalheight\\fi}{%\n"
          "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n",
          to);
    put_head(to, grid);
    for (size_t row = 0; row < grid->row_count; row++)
        put_row(to, grid, row);
    fputs("\\bottomrule\n\\end{tabular}}}\n\\end{table}\n\n", to);
    if (number % MANY == 0)
        fputs("\\clearpage\n\n", to);
}

static void put_line(FILE *to, const char *before, const char *text)
{
    fputs(before, to);
    put_text(to, text);
    fputs("\\par\n", to);
}

static void put_facts(FILE *to, const struct orr_document *document)
{
    fputs("\\begingroup\\footnotesize\\raggedright\\parindent0pt\n", to);
    for (size_t k = 0; k < document->fact_count; k++) {
        put_text(to, document->facts[k].name);
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
            count += documents[d].grids[k]->seen;
    return count;
}

static int write_tex(FILE *to, const struct orr_document *documents, size_t count)
{
    fputs("% \\usepackage{array,booktabs,graphicx}\n", to);
    for (size_t d = 0; d < count; d++) {
        int number = count_before(documents, d);
        fputs(d ? "\\clearpage\n" : "", to);
        put_facts(to, &documents[d]);
        for (size_t k = 0; k < documents[d].grid_count; k++)
            if (documents[d].grids[k]->seen)
                put_grid(to, documents[d].grids[k], documents[d].experiment, ++number);
        put_lines(to, &documents[d]);
    }
    return 0;
}

const struct orr_format orr_format_tex = {"tex", write_tex, false};
