/* HTML fragments for the report. */
#include "present/write.h"

void orr_html_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        case '\'':
            fputs("&#39;", to);
            break;
        default:
            fputc(*text, to);
        }
    }
}

static void put_head(FILE *to, const struct orr_grid *grid)
{
    fputs("<thead><tr>", to);
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PEOPLE))
            continue;
        fprintf(to, "<th%s>", grid->columns[k].right ? " class=\"r\"" : "");
        orr_html_text(to, grid->columns[k].head);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n", to);
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
        orr_html_text(to, orr_value_seen(value, number));
        if (value->note)
            fprintf(to, "<sup>%d</sup>", value->note);
        fputs("</td>", to);
    }
    fputs("</tr>\n", to);
}

static void put_grid(FILE *to, const struct orr_grid *grid)
{
    fputs("<h4>", to);
    orr_html_text(to, grid->title);
    fputs("</h4>\n<div class=\"wide\"><table>", to);
    put_head(to, grid);
    fputs("<tbody>\n", to);
    for (size_t row = 0; row < grid->row_count; row++)
        put_row(to, grid, row);
    fputs("</tbody></table></div>\n", to);
}

static void put_list(FILE *to, const char *tag, char *const *texts, size_t count)
{
    if (!count)
        return;
    fprintf(to, "<%s>\n", tag);
    for (size_t k = 0; k < count; k++) {
        fputs("<li>", to);
        orr_html_text(to, texts[k]);
        fputs("</li>\n", to);
    }
    fprintf(to, "</%s>\n", tag);
}

void orr_html_document(FILE *to, const struct orr_document *document)
{
    fputs("<p class=\"facts\">", to);
    for (size_t k = 0; k < document->fact_count; k++) {
        fputs(k ? " · <b>" : "<b>", to);
        orr_html_text(to, document->facts[k].name);
        fputs("</b> ", to);
        orr_html_text(to, document->facts[k].text);
    }
    fputs("</p>\n", to);
    for (size_t k = 0; k < document->grid_count; k++)
        if (orr_grid_is_seen(document->grids[k]))
            put_grid(to, document->grids[k]);
    if (document->note_count)
        fputs("<h4>Errata and notes</h4>\n", to);
    put_list(to, "ol", document->notes, document->note_count);
    put_list(to, "ul", document->remarks, document->remark_count);
}
