/* SPDX-License-Identifier: MIT */
/* Experiments in the report: a page for each on each machine, and in short on its paper's page.
 *
 * All documents are made before the first page is written: while SQL makes one, gnuplot draws the
 * figure of the one before. */
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

/* --- what the pages show --- */

/* A figure that is missing says why on its page. */
static void settle(struct orr_layout_figure *figure, int code)
{
    figure->code = code;
    snprintf(figure->why, sizeof figure->why, "%s", orr_error_text());
    orr_error_clear();
}

/* gnuplot draws one figure at a time: the next one waits for it here. */
static void finish_drawing(struct orr_report_draft *draft)
{
    if (draft->drawn)
        settle(draft->drawn, orr_plot_finish(&draft->drawn->plot));
    draft->drawn = NULL;
}

/* Unless the figure already failed. */
static void begin_drawing(struct orr_report_draft *draft, struct orr_report_view *view)
{
    char svg[1400];
    if (view->figure.code)
        return;
    finish_drawing(draft);
    snprintf(svg, sizeof svg, "%s/%s.svg", draft->folder, view->stem);
    settle(&view->figure, orr_plot_start(&view->figure.plot, svg));
    if (!view->figure.code)
        draft->drawn = &view->figure;
}

static struct orr_report_view *add_view(struct orr_report_piece *piece, const char *first,
                                        const char *second, const char *machine)
{
    struct orr_report_view *view = &piece->views[piece->view_count++];
    snprintf(view->machine, sizeof view->machine, "%s", machine);
    name_file(view->stem, sizeof view->stem, first, second, machine);
    return view;
}

/* The paper's programs below the roofs of a machine's devices, and of the paper's own. */
static int gather_roofline(struct orr_report_draft *draft, struct orr_report_piece *piece,
                           const char *machine)
{
    const char *paper = piece->paper->key;
    struct orr_report_view *view = add_view(piece, "roofline", paper, machine);
    struct orr_selection selection = *draft->selection;
    selection.machine = machine;
    int code = orr_layout_overview(&view->document, &view->figure.plot, &orr_layout_roofline,
                                   &selection, piece->paper, paper);
    const struct orr_grid *rows = orr_document_data(&view->document);
    if (rows && rows->row_count) {
        snprintf(view->title, sizeof view->title, "%s", view->document.title);
        settle(&view->figure, code);
        begin_drawing(draft, view);
        return 0;
    }
    if (code && code != ORR_EUSAGE)
        return code;
    orr_error_clear(); /* nothing tells what the programs do */
    orr_plot_release(&view->figure.plot);
    orr_document_release(&view->document);
    piece->view_count--;
    return 0;
}

static int gather_scope(struct orr_report_draft *draft, struct orr_report_piece *piece,
                        const struct orr_scope *scope)
{
    struct orr_report_view *view =
        add_view(piece, scope->paper->key, scope->experiment->name, scope->machine);
    snprintf(view->title, sizeof view->title, "%s, %s: %s", scope->name, scope->experiment->shows,
             scope->experiment->title);
    int code = orr_layout_both(&view->document, &view->figure, scope);
    if (!code)
        begin_drawing(draft, view);
    return code;
}

/* The scope of a machine, or NULL where the experiment was not measured there. */
static const struct orr_scope *find_scope(const struct orr_scopes *scopes, const char *machine)
{
    for (size_t k = 0; k < scopes->count; k++)
        if (scopes->items[k].measured && !strcmp(scopes->items[k].machine, machine))
            return &scopes->items[k];
    return NULL;
}

/* The experiment with these scopes on every machine, or (NULL) the paper's rooflines. */
static int gather_piece(struct orr_report_draft *draft, const struct orr_target *target,
                        const struct orr_scopes *scopes)
{
    int code = 0;
    struct orr_report_piece *piece =
        orr_memory_add(&draft->pieces, &draft->piece_count, sizeof *piece);
    *piece = (struct orr_report_piece){
        .paper = target->paper,
        .experiment = scopes ? target->experiment : NULL,
        .views = orr_memory_get(draft->machines.count * sizeof *piece->views)};
    for (size_t m = 0; m < draft->machines.count && !code; m++) {
        const char *machine = draft->machines.items[m];
        const struct orr_scope *scope = scopes ? find_scope(scopes, machine) : NULL;
        if (!scopes)
            code = gather_roofline(draft, piece, machine);
        else if (scope)
            code = gather_scope(draft, piece, scope);
    }
    return code;
}

/* Behind the experiments of a paper that has results stands its roofline. */
static int gather_target(struct orr_report_draft *draft, const struct orr_target *target, bool last)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, draft->selection, target);
    if (!code && scopes.items[0].measured)
        code = gather_piece(draft, target, &scopes);
    orr_selection_release_scopes(&scopes);
    const bool measured =
        draft->piece_count && draft->pieces[draft->piece_count - 1].paper == target->paper;
    return code || !last || !measured ? code : gather_piece(draft, target, NULL);
}

int orr_report_gather(struct orr_report_draft *draft)
{
    const size_t count = draft->selection->target_count;
    const struct orr_target *targets = draft->selection->targets;
    struct orr_waiting waiting;
    int code = 0;
    orr_waiting_begin(&waiting, stderr);
    for (size_t k = 0; k < count && !code; k++) {
        orr_waiting_at(&waiting, "report", targets[k].experiment->name, k, count);
        code = gather_target(draft, &targets[k],
                             k + 1 == count || targets[k + 1].paper != targets[k].paper);
    }
    orr_waiting_end(&waiting);
    if (!code)
        finish_drawing(draft);
    return code;
}

void orr_report_release(struct orr_report_draft *draft)
{
    for (size_t k = 0; k < draft->piece_count; k++) {
        struct orr_report_piece *piece = &draft->pieces[k];
        for (size_t v = 0; v < piece->view_count; v++) {
            orr_plot_release(&piece->views[v].figure.plot);
            orr_document_release(&piece->views[v].document);
        }
        free(piece->views);
    }
    free(draft->pieces);
    orr_names_free(draft->machines.items);
}

/* --- the pages --- */

void orr_report_picture(FILE *to, const char *stem, const char *text)
{
    orr_html_print(to,
                   "<a class=\"figure\" href=\"%s.html\"><img src=\"%s.svg\" alt=\"%s\" "
                   "loading=\"lazy\"></a>\n",
                   stem, stem, text);
}

/* A piece of the paper's page `to`, whose views have pages of their own. */
struct writer {
    FILE *to;
    struct orr_report_draft *draft;
    struct orr_report_piece *piece;
};

/* A figure that cannot be drawn costs the pages that figure; a full disk costs the report. */
static int put_figure(const struct writer *w, FILE *page, const struct orr_report_view *view)
{
    const char *title = view->document.title;
    char svg[1400];
    int code = view->figure.code;
    if (code == ORR_EIO || code == ORR_EMEMORY)
        return orr_fail(code, "%s", view->figure.why);
    if (code) {
        orr_html_print(page, "<p class=\"soft\">No figure: %s</p>\n", view->figure.why);
        if (code != ORR_EUSAGE && !*w->draft->warning) /* nothing to plot yet needs no warning */
            snprintf(w->draft->warning, sizeof w->draft->warning, "%s", view->figure.why);
        return 0;
    }
    if (!w->piece->figure)
        w->piece->figure = view->stem;
    orr_report_picture(w->to, view->stem, title);
    fputs("<div class=\"figure full\">\n", page);
    snprintf(svg, sizeof svg, "%s/%s.svg", w->draft->folder, view->stem);
    code = put_drawing(page, svg, title);
    fprintf(page, "</div>\n<p class=\"soft\">The figure as <a href=\"%s.svg\">SVG</a>.</p>\n",
            view->stem);
    return code;
}

static int save(const struct writer *w, const struct orr_report_view *view,
                const struct orr_format *format)
{
    struct orr_output output;
    int code = orr_report_open(&output, w->draft->folder, view->stem, format->name);
    return code ? code : orr_output_end(&output, format->write(output.file, &view->document, 1));
}

/* The figure and the tables: all of them on the page of their own, in short on the paper's. */
static int put_document(const struct writer *w, FILE *page, const struct orr_report_view *view)
{
    int code = put_figure(w, page, view);
    orr_html_document(page, &view->document, false);
    orr_html_document(w->to, &view->document, true);
    fprintf(page,
            "<p class=\"soft\">This table as <a href=\"%s.md\">markdown</a> and <a "
            "href=\"%s.csv\">CSV</a>.</p>\n",
            view->stem, view->stem);
    fprintf(w->to, "<p class=\"soft\"><a href=\"%s.html\">Every cell</a></p>\n", view->stem);
    if (!code)
        code = save(w, view, &orr_format_md);
    return code ? code : save(w, view, &orr_format_csv);
}

/* Links to the experiment on other machines. */
static void put_others(FILE *to, const struct writer *w, const struct orr_report_view *own)
{
    fputs("<p class=\"contents\">", to);
    for (size_t k = 0; k < w->piece->view_count; k++) {
        const struct orr_report_view *view = &w->piece->views[k];
        if (view == own)
            orr_html_print(to, "<b>%s</b>\n", own->machine);
        else
            orr_html_print(to, "<a href=\"%s.html\">%s</a>\n", view->stem, view->machine);
    }
    fputs("</p>\n", to);
}

/* The page of a view, and the view in short on the paper's, where it is folded but for the first
 * machine's. */
static int put_view(const struct writer *w, const struct orr_report_view *view)
{
    struct orr_output page;
    const bool open = w->piece->experiment && view == w->piece->views;
    int code = orr_report_begin_page(&page, w->draft, view->stem, view->title);
    if (!code) {
        if (w->piece->experiment)
            put_others(page.file, w, view);
        orr_html_print(w->to, "<details class=\"machine\" id=\"%s\"%s><summary>%s</summary>\n",
                       view->stem, open ? " open" : "", view->machine);
        code = put_document(w, page.file, view);
        fputs("</details>\n", w->to);
    }
    return orr_report_end_page(&page, code);
}

int orr_report_piece(FILE *to, struct orr_report_draft *draft, struct orr_report_piece *piece)
{
    const struct orr_experiment *experiment = piece->experiment;
    const struct writer w = {to, draft, piece};
    int code = 0;
    if (experiment)
        orr_html_print(to, "<h2 id=\"%s\">%s: %s</h2>\n", experiment->name, experiment->shows,
                       experiment->title);
    else
        fputs("<h2 id=\"roofline\">Rooflines</h2>\n", to);
    for (size_t k = 0; k < piece->view_count && !code; k++)
        code = put_view(&w, &piece->views[k]);
    return code;
}
