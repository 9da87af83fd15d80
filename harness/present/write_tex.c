/* LaTeX: one tabular in a table environment per grid, booktabs rules spelled with \hline so that no
 * package is needed.
 */
#include <string.h>

#include "present/write.h"

/* Longest match first; everything beyond ASCII that Orrery prints, and what TeX reserves. */
static const struct {
    const char *from, *to;
} escapes[] = {
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"≈", "$\\approx$"},
    {"†", "$\\dagger$"},
    {"‡", "$\\ddagger$"},
    {"—", "---"},
    {"–", "--"},
    {"…", "\\ldots{}"},
    {"µ", "$\\mu$"},
    {"≥", "$\\geq$"},
    {"≤", "$\\leq$"},
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
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

static void put_text(FILE *to, const char *text)
{
    while (*text) {
        size_t k = 0;
        while (k < sizeof escapes / sizeof *escapes &&
               strncmp(text, escapes[k].from, strlen(escapes[k].from)))
            k++;
        if (k == sizeof escapes / sizeof *escapes) {
            fputc(*text++, to);
            continue;
        }
        fputs(escapes[k].to, to);
        text += strlen(escapes[k].from);
    }
}

static void put_columns(FILE *to, const struct orr_grid *grid)
{
    fputs("\\begin{tabular}{", to);
    for (size_t k = 0; k < grid->column_count; k++)
        if (grid->columns[k].audience & ORR_PEOPLE)
            fputc(grid->columns[k].right ? 'r' : 'l', to);
    fputs("}\n\\hline\n", to);
}

/* Row -1 is the head. */
static void put_row(FILE *to, const struct orr_grid *grid, long row)
{
    const char *separator = "";
    char number[32];
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PEOPLE))
            continue;
        fputs(separator, to);
        separator = " & ";
        if (row < 0) {
            put_text(to, grid->columns[k].head);
            continue;
        }
        const struct orr_value *value = orr_grid_at(grid, (size_t)row, k);
        /* Braces keep "[" behind "\\" from being read as an optional argument. */
        fputs("{", to);
        put_text(to, orr_value_seen(value, number));
        fputs("}", to);
        if (value->note)
            fprintf(to, "$^{%d}$", value->note);
    }
    fputs(" \\\\\n", to);
}

static void put_grid(FILE *to, const struct orr_grid *grid)
{
    fputs("\\begin{table}\n\\centering\n\\caption{", to);
    put_text(to, grid->title);
    fputs("}\n", to);
    put_columns(to, grid);
    put_row(to, grid, -1);
    fputs("\\hline\n", to);
    for (size_t row = 0; row < grid->row_count; row++)
        put_row(to, grid, (long)row);
    fputs("\\hline\n\\end{tabular}\n\\end{table}\n\n", to);
}

static void put_lines(FILE *to, const struct orr_document *document)
{
    for (size_t k = 0; k < document->note_count; k++) {
        fprintf(to, "\\noindent $^{%zu}$ ", k + 1);
        put_text(to, document->notes[k]);
        fputs("\\par\n", to);
    }
    for (size_t k = 0; k < document->remark_count; k++) {
        fputs("\\noindent ", to);
        put_text(to, document->remarks[k]);
        fputs("\\par\n", to);
    }
}

static int write_tex(FILE *to, const struct orr_document *documents, size_t count)
{
    for (size_t d = 0; d < count; d++) {
        fputs("% ", to);
        put_text(to, documents[d].experiment);
        fputs("\n", to);
        for (size_t k = 0; k < documents[d].fact_count; k++) {
            fputs("\\noindent ", to);
            put_text(to, documents[d].facts[k].name);
            fputs(": ", to);
            put_text(to, documents[d].facts[k].text);
            fputs("\\par\n", to);
        }
        fputs("\n", to);
        for (size_t k = 0; k < documents[d].grid_count; k++)
            if (orr_grid_is_seen(documents[d].grids[k]))
                put_grid(to, documents[d].grids[k]);
        put_lines(to, &documents[d]);
    }
    return 0;
}

const struct orr_format orr_format_tex = {"tex", write_tex, false};
