/* SPDX-License-Identifier: MIT */
/* HTML fragments for the report. */
#include "present/document.h"
#include "memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* "12.3 us" and "[us]" are written without µ for terminals and programs; a page has it. */
static bool is_micro(const char *text, const char *from)
{
    if (text[0] != 'u' || text[1] != 's' || isalnum((unsigned char)text[2]) || text == from)
        return false;
    return text[-1] == '[' ||
           (text - from > 1 && text[-1] == ' ' && isdigit((unsigned char)text[-2]));
}

static void put_text(FILE *to, const char *text)
{
    static const char marks[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (const char *from = text, *mark; *text; text++)
        if (is_micro(text, from))
            fputs("µ", to);
        else if ((mark = strchr(marks, *text)))
            fputs(names[mark - marks], to);
        else
            fputc(*text, to);
}

void orr_html_print(FILE *to, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (; *format; format++)
        if (*format != '%')
            fputc(*format, to);
        else if (*++format == 's')
            put_text(to, va_arg(values, const char *));
        else
            fprintf(to, "%d", va_arg(values, int));
    va_end(values);
}

/* Behind the columns from `from` on that stand below one head. */
static size_t end_of_head(const struct orr_column *const *columns, size_t from, size_t count)
{
    const char *above = columns[from]->above;
    size_t end = from + 1;
    while (above && end < count && columns[end]->above && !strcmp(columns[end]->above, above))
        end++;
    return end;
}

/* A head does not repeat the one above that it begins or ends with: "published" stands below
 * "7500", "cas" below "same". */
static void put_below(FILE *to, const struct orr_column *column)
{
    size_t length = strlen(column->head), above = strlen(column->above);
    const char *rest = column->head, *tail = length > above ? rest + length - above : "";
    char text[256];
    if (!strncmp(rest, column->above, above) && rest[above] && strchr(", ", rest[above]))
        rest += above + strspn(rest + above, ", ");
    bool ends = length > above + 2 && !strcmp(tail, column->above) &&
                column->head[length - above - 2] == ',';
    snprintf(text, sizeof text, "%.*s", (int)(ends ? tail - 2 - rest : (long)strlen(rest)), rest);
    put_text(to, text);
}

static void put_th(FILE *to, const struct orr_column *column, bool below, int rows)
{
    fprintf(to, "<th%s%s>", column->right ? " class=\"r\"" : "", rows > 1 ? " rowspan=\"2\"" : "");
    if (below)
        put_below(to, column);
    else
        put_text(to, column->head);
    fputs("</th>", to);
}

/* In two lines where columns beside each other have the same `above`. */
static void put_heads(FILE *to, const struct orr_column *const *columns, size_t count)
{
    bool two = false;
    for (size_t k = 0, end; k < count; k = end) {
        end = end_of_head(columns, k, count);
        two = two || end > k + 1;
    }
    fputs("<thead><tr>", to);
    for (size_t k = 0, end; k < count; k = end) {
        end = end_of_head(columns, k, count);
        if (end == k + 1)
            put_th(to, columns[k], false, two ? 2 : 1);
        else
            orr_html_print(to, "<th class=\"above\" colspan=\"%d\">%s</th>", (int)(end - k),
                           columns[k]->above);
    }
    fputs(two ? "</tr><tr class=\"below\">" : "", to);
    for (size_t k = 0, end; two && k < count; k = end) {
        end = end_of_head(columns, k, count);
        for (size_t c = k; c < end && end > k + 1; c++)
            put_th(to, columns[c], true, 1);
    }
    fputs("</tr></thead>\n", to);
}

static void put_head(FILE *to, const struct orr_grid *grid)
{
    const struct orr_column **seen = orr_memory_get(grid->column_count * sizeof *seen);
    size_t count = 0;
    for (size_t k = 0; k < grid->column_count; k++)
        if (grid->columns[k].audience & ORR_PEOPLE)
            seen[count++] = &grid->columns[k];
    put_heads(to, seen, count);
    free(seen);
}

static void put_row(FILE *to, const struct orr_grid *grid, size_t row)
{
    char number[32];
    fputs("<tr>", to);
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PEOPLE))
            continue;
        const struct orr_value *value = orr_grid_at(grid, row, k);
        fprintf(to, "<td%s>", grid->columns[k].right ? " class=\"r\"" : "");
        put_text(to, orr_value_seen(value, number));
        if (value->note)
            fprintf(to, "<sup>%d</sup>", value->note);
        fputs("</td>", to);
    }
    fputs("</tr>\n", to);
}

/* A grid that the tables above it condense is folded. */
static void put_grid(FILE *to, const struct orr_grid *grid, bool folded)
{
    orr_html_print(to, folded ? "<details><summary>%s</summary>\n" : "<h4>%s</h4>\n", grid->title);
    fputs("<div class=\"wide\"><table>", to);
    put_head(to, grid);
    fputs("<tbody>\n", to);
    for (size_t row = 0; row < grid->row_count; row++)
        put_row(to, grid, row);
    fputs("</tbody></table></div>\n", to);
    fputs(folded ? "</details>\n" : "", to);
}

/* Text between backquotes is code. */
static void put_prose(FILE *to, const char *text)
{
    bool code = false;
    for (const char *end; *text; text = end + (*end == '`')) {
        end = text + strcspn(text, "`");
        char *piece = orr_memory_part(text, (size_t)(end - text));
        orr_html_print(to, code ? "<code>%s</code>" : "%s", piece);
        free(piece);
        code = !code;
    }
}

static void put_list(FILE *to, const char *tag, char *const *texts, size_t count)
{
    if (!count)
        return;
    fprintf(to, "<%s>\n", tag);
    for (size_t k = 0; k < count; k++) {
        fputs("<li>", to);
        put_prose(to, texts[k]);
        fputs("</li>\n", to);
    }
    fprintf(to, "</%s>\n", tag);
}

static void put_facts(FILE *to, const struct orr_document *document, bool brief)
{
    const char *between = "";
    if (!document->fact_count)
        return;
    fputs("<p class=\"facts\">", to);
    for (size_t k = 0; k < document->fact_count; k++) {
        const char *name = document->facts[k].name;
        if (brief && strcmp(name, "device") != 0 && strcmp(name, "date") != 0)
            continue;
        orr_html_print(to, "%s<b>%s</b> %s", between, name, document->facts[k].text);
        between = " · ";
    }
    fputs("</p>\n", to);
}

void orr_html_document(FILE *to, const struct orr_document *document, bool brief)
{
    size_t seen = 0;
    put_facts(to, document, true);
    for (size_t k = 0; k < document->grid_count; k++) {
        const struct orr_grid *grid = document->grids[k];
        bool folded = grid->data && seen > 0;
        if (grid->seen && !(brief && folded))
            put_grid(to, grid, folded);
        seen += grid->seen;
    }
    if (document->note_count)
        fputs("<h4>Errata and notes</h4>\n", to);
    put_list(to, "ol", document->notes, document->note_count);
    put_list(to, "ul", document->remarks, document->remark_count);
    if (document->fact_count && !brief) {
        fputs("<details><summary>Where it comes from</summary>\n", to);
        put_facts(to, document, false);
        fputs("</details>\n", to);
    }
}
