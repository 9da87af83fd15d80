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
#include "terminal.h"
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

/* Has the figure of the last view drawn, unless it already failed. */
static void begin_drawing(struct orr_report_draft *draft)
{
    struct orr_report_view *view = &draft->views[draft->view_count - 1];
    char svg[1400];
    if (view->figure.code)
        return;
    snprintf(svg, sizeof svg, "%s/%s.svg", draft->folder, view->stem);
    settle(&view->figure, orr_plot_start(&view->figure.plot, svg, &draft->gnuplot));
}

/* `experiment` NULL: of a roofline. */
static struct orr_report_view *add_view(struct orr_report_draft *draft,
                                        const struct orr_paper *paper,
                                        const struct orr_experiment *experiment,
                                        const char *machine)
{
    struct orr_report_view *view = orr_memory_add(&draft->views, &draft->view_count, sizeof *view);
    view->paper = paper;
    view->experiment = experiment;
    snprintf(view->machine, sizeof view->machine, "%s", machine);
    name_file(view->stem, sizeof view->stem, experiment ? paper->key : "roofline",
              experiment ? experiment->name : paper->key, machine);
    return view;
}

/* The paper's programs below the roofs of a machine's devices, and of the paper's own. */
static int gather_roofline(struct orr_report_draft *draft, const struct orr_paper *paper,
                           const char *machine)
{
    struct orr_report_view *view = add_view(draft, paper, NULL, machine);
    struct orr_selection selection = *draft->selection;
    selection.machine = machine;
    int code = orr_layout_overview(&view->document, &view->figure.plot, &orr_layout_roofline,
                                   &selection, paper, paper->key);
    const struct orr_grid *rows = orr_document_data(&view->document);
    if (rows && rows->row_count) {
        snprintf(view->title, sizeof view->title, "%s", view->document.title);
        settle(&view->figure, code);
        begin_drawing(draft);
        return 0;
    }
    if (code && code != ORR_EUSAGE)
        return code;
    orr_error_clear(); /* nothing tells what the programs do */
    orr_plot_release(&view->figure.plot);
    orr_document_release(&view->document);
    draft->view_count--;
    return 0;
}

static int gather_scope(struct orr_report_draft *draft, const struct orr_scope *scope)
{
    struct orr_report_view *view = add_view(draft, scope->paper, scope->experiment, scope->machine);
    snprintf(view->title, sizeof view->title, "%s, %s: %s", scope->name, scope->experiment->shows,
             scope->experiment->title);
    int code = orr_layout_both(&view->document, &view->figure, scope);
    if (!code)
        begin_drawing(draft);
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

/* Behind the experiments of a paper that has results stand its rooflines. */
static int gather_target(struct orr_report_draft *draft, const struct orr_target *target, bool last)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, draft->selection, target);
    for (size_t m = 0; m < draft->machines.count && !code; m++) {
        const struct orr_scope *scope = find_scope(&scopes, draft->machines.items[m]);
        code = scope ? gather_scope(draft, scope) : 0;
    }
    orr_selection_release_scopes(&scopes);
    const size_t count = draft->view_count;
    last = last && count && draft->views[count - 1].paper == target->paper;
    for (size_t m = 0; m < draft->machines.count && last && !code; m++)
        code = gather_roofline(draft, target->paper, draft->machines.items[m]);
    return code;
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
    orr_gnuplot_end(&draft->gnuplot);
    for (size_t k = 0; k < draft->view_count && !code; k++)
        if (draft->views[k].figure.plot.drawing)
            settle(&draft->views[k].figure, orr_plot_finish(&draft->views[k].figure.plot));
    return code;
}

bool orr_report_is_first(const struct orr_report_draft *draft, const struct orr_report_view *view)
{
    return view == draft->views || view[-1].paper != view->paper ||
           view[-1].experiment != view->experiment;
}

void orr_report_release(struct orr_report_draft *draft)
{
    for (size_t k = 0; k < draft->view_count; k++) {
        orr_plot_release(&draft->views[k].figure.plot);
        orr_document_release(&draft->views[k].document);
    }
    free(draft->views);
    orr_names_free(draft->machines.items);
}

/* --- their pages --- */

static int put_figure(FILE *to, FILE *page, const struct orr_report_draft *draft,
                      const struct orr_report_view *view)
{
    const char *title = view->document.title;
    char svg[1400];
    if (view->figure.code) {
        orr_html_print(page, "<p class=\"soft\">No figure: %s</p>\n", view->figure.why);
        return 0;
    }
    orr_report_picture(to, view->stem, title);
    fputs("<div class=\"figure full\">\n", page);
    snprintf(svg, sizeof svg, "%s/%s.svg", draft->folder, view->stem);
    int code = put_drawing(page, svg, title);
    fprintf(page, "</div>\n<p class=\"soft\">The figure as <a href=\"%s.svg\">SVG</a>.</p>\n",
            view->stem);
    return code;
}

static int save(const struct orr_report_draft *draft, const struct orr_report_view *view,
                const struct orr_format *format)
{
    char *text = NULL;
    size_t size;
    FILE *to = orr_memory_stream(&text, &size);
    int code = format->write(to, &view->document, 1);
    fclose(to);
    if (!code)
        code = orr_report_file(draft->folder, view->stem, format->name, text);
    free(text);
    return code;
}

/* Links to the experiment on other machines. */
static void put_others(FILE *to, const struct orr_report_draft *draft,
                       const struct orr_report_view *own)
{
    fputs("<p class=\"contents\">", to);
    for (size_t k = 0; k < draft->view_count; k++) {
        const struct orr_report_view *view = &draft->views[k];
        if (view == own)
            orr_html_print(to, "<b>%s</b>\n", own->machine);
        else if (view->experiment == own->experiment)
            orr_html_print(to, "<a href=\"%s.html\">%s</a>\n", view->stem, view->machine);
    }
    fputs("</p>\n", to);
}

/* All of a view stands on its page, and in short on the paper's, where it is folded but for the
 * first machine's. */
int orr_report_view(FILE *to, const struct orr_report_draft *draft,
                    const struct orr_report_view *view)
{
    const bool open = view->experiment && orr_report_is_first(draft, view);
    char *body = NULL;
    size_t size;
    FILE *page = orr_memory_stream(&body, &size);
    if (view->experiment)
        put_others(page, draft, view);
    orr_html_print(to, "<details class=\"machine\" id=\"%s\"%s><summary>%s</summary>\n", view->stem,
                   open ? " open" : "", view->machine);
    int code = put_figure(to, page, draft, view);
    orr_html_document(page, &view->document, false);
    orr_html_document(to, &view->document, true);
    fprintf(page,
            "<p class=\"soft\">This table as <a href=\"%s.md\">markdown</a> and <a "
            "href=\"%s.csv\">CSV</a>.</p>\n",
            view->stem, view->stem);
    fprintf(to, "<p class=\"soft\"><a href=\"%s.html\">Every cell</a></p>\n</details>\n",
            view->stem);
    fclose(page);
    if (!code)
        code = orr_report_page(draft, view->stem, view->title, body);
    free(body);
    if (!code)
        code = save(draft, view, &orr_format_md);
    return code ? code : save(draft, view, &orr_format_csv);
}
