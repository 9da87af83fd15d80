/* SPDX-License-Identifier: MIT */
/* Experiments in the report: a page for each on each machine, and in short on its paper's page. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "present/layout.h"
#include "present/write.h"
#include "report/report_parts.h"
#include "text.h"

/* --- figures --- */

/* gnuplot's SVG as a part of a page; script.js shows what its points tell. */
static int put_drawing(FILE *to, const char *path, const char *text)
{
    char *drawing;
    size_t size;
    int code = orr_text_read(&drawing, &size, path, path);
    if (code)
        return code;
    /* Its own title says "Gnuplot". */
    const char *begin = strstr(drawing, "<svg"), *title = strstr(drawing, "<title>"),
               *body = strstr(drawing, "</desc>");
    if (begin && title && body && begin < title && title < body) {
        fwrite(begin, 1, (size_t)(title - begin), to);
        orr_html_print(to, "<desc>%s", text);
        fputs(body, to);
    } else
        code = orr_fail(ORR_EINTERNAL, "%s is no drawing of gnuplot's", path);
    free(drawing);
    return code;
}

/* A piece of a paper's page that is being written to `to`. */
struct writer {
    struct orr_report_draft *draft;
    struct orr_report_piece *piece;
    const struct orr_scopes *scopes; /* of an experiment; NULL: of rooflines */
    FILE *to;
};

/* "fujiwara-table2-nvidia-h200": names files and anchors, so only letters, digits, dots and dashes
 * are kept of the machine. */
static void name_file(char *out, size_t size, const char *first, const char *second,
                      const char *machine)
{
    snprintf(out, size, "%s-%s-%s", first, second, machine);
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '-';
}

static void name_scope(char *out, size_t size, const struct orr_scope *scope)
{
    name_file(out, size, scope->paper->key, scope->experiment->name, scope->machine);
}

static int save(const struct writer *w, const struct orr_document *document, const char *stem,
                const struct orr_format *format)
{
    struct orr_output output;
    int code = orr_report_open(&output, w->draft->folder, stem, format->name);
    return code ? code : orr_output_end(&output, format->write(output.file, document, 1));
}

void orr_report_picture(FILE *to, const char *stem, const char *text)
{
    orr_html_print(to,
                   "<a class=\"figure\" href=\"%s.html\"><img src=\"%s.svg\" alt=\"%s\" "
                   "loading=\"lazy\"></a>\n",
                   stem, stem, text);
}

/* A figure that cannot be drawn costs the pages that figure; a full disk costs the report. */
static int put_figure(const struct writer *w, FILE *page, struct orr_layout_figure *figure,
                      const char *stem, const char *title)
{
    char svg[1400];
    snprintf(svg, sizeof svg, "%s/%s.svg", w->draft->folder, stem);
    int code = figure->code ? orr_fail(figure->code, "%s", figure->why)
                            : orr_plot_draw(&figure->plot, svg);
    if (code == ORR_EIO || code == ORR_EMEMORY)
        return code;
    if (code) {
        orr_html_print(page, "<p class=\"soft\">No figure: %s</p>\n", orr_error_text());
        if (code != ORR_EUSAGE && !*w->draft->warning) /* nothing to plot yet needs no warning */
            snprintf(w->draft->warning, sizeof w->draft->warning, "%s", orr_error_text());
        orr_error_clear();
        return 0;
    }
    if (!*w->piece->figure)
        snprintf(w->piece->figure, sizeof w->piece->figure, "%s", stem);
    orr_report_picture(w->to, stem, title);
    fputs("<div class=\"figure full\">\n", page);
    code = put_drawing(page, svg, title);
    fprintf(page, "</div>\n<p class=\"soft\">The figure as <a href=\"%s.svg\">SVG</a>.</p>\n",
            stem);
    return code;
}

/* The figure and the tables: all of them on the page of their own, in short on the paper's. */
static int put_document(const struct writer *w, FILE *page, const struct orr_document *document,
                        struct orr_layout_figure *figure, const char *stem)
{
    int code = put_figure(w, page, figure, stem, document->title);
    orr_html_document(page, document, false);
    orr_html_document(w->to, document, true);
    fprintf(page,
            "<p class=\"soft\">This table as <a href=\"%s.md\">markdown</a> and <a "
            "href=\"%s.csv\">CSV</a>.</p>\n",
            stem, stem);
    fprintf(w->to, "<p class=\"soft\"><a href=\"%s.html\">Every cell</a></p>\n", stem);
    if (!code)
        code = save(w, document, stem, &orr_format_md);
    return code ? code : save(w, document, stem, &orr_format_csv);
}

/* The scope of a machine, or NULL where the experiment was not measured there. */
static const struct orr_scope *find_scope(const struct orr_scopes *scopes, const char *machine)
{
    for (size_t k = 0; k < scopes->count; k++)
        if (scopes->items[k].measured && !strcmp(scopes->items[k].machine, machine))
            return &scopes->items[k];
    return NULL;
}

/* Links to the experiment on other machines. */
static void put_others(FILE *to, const struct writer *w, const char *machine)
{
    char stem[256];
    fputs("<p class=\"contents\">", to);
    for (size_t m = 0; m < w->draft->machines.count; m++) {
        const struct orr_scope *other = find_scope(w->scopes, w->draft->machines.items[m]);
        if (!other)
            continue;
        name_scope(stem, sizeof stem, other);
        if (!strcmp(other->machine, machine))
            orr_html_print(to, "<b>%s</b>\n", machine);
        else
            orr_html_print(to, "<a href=\"%s.html\">%s</a>\n", stem, other->machine);
    }
    fputs("</p>\n", to);
}

/* The page of a document, and the document in short on the paper's, where it is folded but for the
 * first machine's. */
static int put_page(const struct writer *w, const struct orr_document *document,
                    struct orr_layout_figure *figure, const char *stem, const char *title,
                    const char *machine, bool folded)
{
    struct orr_report_page page;
    int code = orr_report_begin_page(&page, w->draft, stem, title);
    if (!code) {
        if (w->scopes)
            put_others(page.to, w, machine);
        orr_html_print(w->to, "<details class=\"machine\" id=\"%s\"%s><summary>%s</summary>\n",
                       stem, folded ? "" : " open", machine);
        code = put_document(w, page.to, document, figure, stem);
        fputs("</details>\n", w->to);
    }
    return orr_report_end_page(&page, code);
}

/* The paper's programs below the roofs of a machine's devices, and of the paper's own. */
static int put_roofline(const struct writer *w, const char *machine)
{
    struct orr_selection selection = *w->draft->selection;
    const struct orr_paper *paper = w->piece->paper;
    struct orr_document document;
    struct orr_layout_figure figure = {0};
    char stem[256];
    selection.machine = machine;
    name_file(stem, sizeof stem, "roofline", paper->key, machine);
    int code = orr_layout_overview(&document, &figure.plot, &orr_layout_roofline, &selection, paper,
                                   paper->key);
    const struct orr_grid *rows = orr_document_data(&document);
    if (rows && rows->row_count) {
        figure.code = code;
        snprintf(figure.why, sizeof figure.why, "%s", code ? orr_error_text() : "");
        code = put_page(w, &document, &figure, stem, document.title, machine, true);
    } else if (code == ORR_EUSAGE) { /* nothing tells what the programs do */
        orr_error_clear();
        code = 0;
    }
    orr_plot_release(&figure.plot);
    orr_document_release(&document);
    return code;
}

static int put_scope(const struct writer *w, const struct orr_scope *scope, bool folded)
{
    struct orr_document document = {0};
    struct orr_layout_figure figure = {0};
    char stem[256], title[512];
    name_scope(stem, sizeof stem, scope);
    snprintf(title, sizeof title, "%s, %s: %s", scope->name, scope->experiment->shows,
             scope->experiment->title);
    int code = orr_layout_both(&document, &figure, scope);
    if (!code)
        code = put_page(w, &document, &figure, stem, title, scope->machine, folded);
    orr_plot_release(&figure.plot);
    orr_document_release(&document);
    return code;
}

/* The experiment with these scopes on every machine, or (NULL) the paper's rooflines. */
static int write_piece(struct orr_report_draft *draft, const struct orr_target *target,
                       const struct orr_scopes *scopes)
{
    size_t size, shown = 0;
    int code = 0;
    struct orr_report_piece *piece =
        orr_memory_add(&draft->pieces, &draft->piece_count, sizeof *piece);
    *piece = (struct orr_report_piece){.paper = target->paper,
                                       .experiment = scopes ? target->experiment : NULL};
    const struct writer w = {draft, piece, scopes, orr_memory_stream(&piece->html, &size)};
    if (scopes)
        orr_html_print(w.to, "<h2 id=\"%s\">%s: %s</h2>\n", target->experiment->name,
                       target->experiment->shows, target->experiment->title);
    else
        fputs("<h2 id=\"roofline\">Rooflines</h2>\n", w.to);
    for (size_t m = 0; m < draft->machines.count && !code; m++) {
        const char *machine = draft->machines.items[m];
        const struct orr_scope *scope = scopes ? find_scope(scopes, machine) : NULL;
        if (!scopes)
            code = put_roofline(&w, machine);
        else if (scope)
            code = put_scope(&w, scope, shown++ > 0);
    }
    fclose(w.to);
    return code;
}

/* Behind the experiments of a paper that has results stands its roofline. */
static int write_target(struct orr_report_draft *draft, const struct orr_target *target, bool last)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, draft->selection, target);
    if (!code && scopes.items[0].measured)
        code = write_piece(draft, target, &scopes);
    orr_selection_release_scopes(&scopes);
    const bool measured =
        draft->piece_count && draft->pieces[draft->piece_count - 1].paper == target->paper;
    return code || !last || !measured ? code : write_piece(draft, target, NULL);
}

int orr_report_experiments(struct orr_report_draft *draft)
{
    const size_t count = draft->selection->target_count;
    const struct orr_target *targets = draft->selection->targets;
    struct orr_waiting waiting;
    int code = 0;
    orr_waiting_begin(&waiting, stderr);
    for (size_t k = 0; k < count && !code; k++) {
        orr_waiting_at(&waiting, "report", targets[k].experiment->name, k, count);
        code = write_target(draft, &targets[k],
                            k + 1 == count || targets[k + 1].paper != targets[k].paper);
    }
    orr_waiting_end(&waiting);
    return code;
}
