#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/formats/output.h"
#include "error.h"
#include "present/layout.h"
#include "present/roofline.h"
#include "report/report_parts.h"
#include "present/write.h"
#include "waiting.h"

enum { LARGEST_SVG = 400 * 1024 }; /* of a picture inside the page; beyond it the PNG is smaller */

struct page {
    struct orr_report *report;
    FILE *to;
    const struct orr_selection *selection;
    const char *folder;
    const char *paper; /* whose heading was written last */
    size_t scopes;     /* experiments on machines that it shows */
    struct orr_waiting waiting;
};

/* "fujiwara-table2-nvidia-h200": names files and anchors, so only letters, digits, dots and dashes
 * are kept of the machine. */
static void name_scope(char *out, size_t size, const struct orr_scope *scope)
{
    snprintf(out, size, "%s-%s-%s", scope->paper->key, scope->experiment->name, scope->machine);
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '-';
}

static int save(const struct page *page, const struct orr_document *document, const char *stem,
                const struct orr_format *format)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/%s.%s", page->folder, stem, format->name);
    struct orr_output output;
    int code = orr_output_begin(&output, path);
    if (!code)
        code = orr_output_open(&output);
    if (code)
        return code;
    if ((code = format->write(output.file, document, 1)))
        orr_output_abandon(&output);
    return code ? code : orr_output_commit(&output);
}

static int draw(struct orr_layout_figure *figure, const char *svg, const char *png)
{
    if (figure->code)
        return orr_fail(figure->code, "%s", figure->why);
    int code = orr_plot_draw(&figure->plot, svg);
    return code ? code : orr_plot_draw(&figure->plot, png);
}

/* A figure that cannot be drawn costs the page that figure; a full disk costs the page. */
static int put_figure(const struct page *page, struct orr_layout_figure *figure, const char *stem,
                      const char *title)
{
    char svg[1400], png[1400];
    struct stat status;
    snprintf(svg, sizeof svg, "%s/%s.svg", page->folder, stem);
    snprintf(png, sizeof png, "%s/%s.png", page->folder, stem);
    int code = draw(figure, svg, png);
    if (code == ORR_EIO || code == ORR_EMEMORY)
        return code;
    if (code) {
        fputs("<p class=\"soft\">No figure: ", page->to);
        orr_html_text(page->to, orr_error_text());
        fputs("</p>\n", page->to);
        if (code != ORR_EUSAGE) /* nothing to plot yet needs no warning */
            snprintf(page->report->warning, sizeof page->report->warning, "%s", orr_error_text());
        orr_error_clear();
        return 0;
    }
    bool small = !stat(svg, &status) && status.st_size <= LARGEST_SVG;
    return orr_report_picture(page->to, small ? svg : png, small ? "svg+xml" : "png", title);
}

static int put_document(struct page *page, const struct orr_document *document, const char *stem)
{
    orr_html_document(page->to, document);
    fprintf(page->to,
            "<p class=\"soft\">This table as <a href=\"%s.md\">markdown</a> and <a "
            "href=\"%s.csv\">CSV</a>.</p>\n",
            stem, stem);
    int code = save(page, document, stem, &orr_format_md);
    return code ? code : save(page, document, stem, &orr_format_csv);
}

/* What every device could do with the paper's programs at most, where anything tells their work. */
static int put_roofline(struct page *page, const struct orr_paper *paper)
{
    struct orr_document document;
    char stem[256];
    snprintf(stem, sizeof stem, "roofline-%s", paper->key);
    int code = orr_roofline_table(&document, page->selection, paper, paper->key);
    const struct orr_grid *rows = code ? NULL : orr_document_data(&document);
    if (rows && rows->row_count) {
        fprintf(page->to, "<h3 id=\"%s\">", stem);
        orr_html_text(page->to, document.title);
        fputs("</h3>\n", page->to);
        struct orr_layout_figure figure = {0};
        figure.code = orr_roofline_plot(&figure.plot, page->selection, paper, paper->key);
        snprintf(figure.why, sizeof figure.why, "%s", figure.code ? orr_error_text() : "");
        code = put_figure(page, &figure, stem, document.title);
        orr_plot_release(&figure.plot);
        if (!code)
            code = put_document(page, &document, stem);
    }
    orr_document_release(&document);
    return code;
}

static int put_paper(struct page *page, const struct orr_paper *paper)
{
    if (page->paper == paper->key)
        return 0;
    page->paper = paper->key;
    fprintf(page->to, "<h2 id=\"%s\">", paper->key);
    orr_html_text(page->to, paper->title);
    fputs("</h2>\n<p class=\"soft\">", page->to);
    orr_html_text(page->to, paper->authors);
    fputs(", ", page->to);
    orr_html_text(page->to, paper->venue);
    if (paper->year)
        fprintf(page->to, " (%u)", paper->year);
    fputs("</p>\n", page->to);
    return put_roofline(page, paper);
}

static int put_scope(struct page *page, const struct orr_scope *scope)
{
    struct orr_document document = {0};
    struct orr_layout_figure figure = {0};
    char stem[256];
    name_scope(stem, sizeof stem, scope);
    orr_waiting_at(&page->waiting, "report", scope->name, page->report->experiments, page->scopes);
    int code = put_paper(page, scope->paper);
    if (!code)
        code = orr_layout_both(&document, &figure, scope);
    if (!code) {
        fprintf(page->to, "<h3 id=\"%s\">", stem);
        orr_html_text(page->to, document.title);
        fputs("</h3>\n", page->to);
        code = put_figure(page, &figure, stem, document.title);
    }
    if (!code)
        code = put_document(page, &document, stem);
    page->report->experiments++;
    orr_plot_release(&figure.plot);
    orr_document_release(&document);
    return code;
}

/* Calls `each` for every experiment and machine with results. */
static int for_each_scope(struct page *page, const struct orr_selection *selection,
                          int (*each)(struct page *, const struct orr_scope *))
{
    int code = 0;
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        struct orr_scopes scopes;
        code = orr_selection_scopes(&scopes, selection, &selection->targets[k]);
        for (size_t s = 0; s < scopes.count && !code; s++)
            if (scopes.items[s].measured)
                code = each(page, &scopes.items[s]);
        orr_selection_release_scopes(&scopes);
    }
    return code;
}

static int put_entry(struct page *page, const struct orr_scope *scope)
{
    char stem[256];
    page->scopes++;
    name_scope(stem, sizeof stem, scope);
    fprintf(page->to, "<li><a href=\"#%s\">", stem);
    orr_html_text(page->to, scope->name);
    fputs(", ", page->to);
    orr_html_text(page->to, scope->experiment->shows ? scope->experiment->shows : "");
    fputs("</a>, ", page->to);
    orr_html_text(page->to, scope->machine);
    fputs("</li>\n", page->to);
    return 0;
}

static int put_page(struct page *page, const struct orr_selection *selection)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\""
          " content=\"width=device-width, initial-scale=1\">\n<title>Orrery "
          "report</title>\n<style>\n",
          page->to);
    fputs(orr_report_style, page->to);
    fputs("</style>\n</head>\n<body>\n<h1>Orrery report</h1>\n<p class=\"soft\">Published GPU "
          "N-body results, run again:"
          " each number beside the printed one, checked against double precision.</p>\n<ul "
          "class=\"contents\">\n"
          "<li><a href=\"#machines\">Machines and devices</a></li>\n<li><a href=\"#method\">How it "
          "was "
          "measured</a></li>\n<li><a href=\"#claims\">Claims</a></li>\n",
          page->to);
    int code = for_each_scope(page, selection, put_entry);
    fputs("<li><a href=\"#missing\">What is missing</a></li>\n<li><a href=\"#failures\">What "
          "failed</a></li>\n<li>"
          "<a href=\"#provenance\">Provenance</a></li>\n</ul>\n",
          page->to);
    if (!code)
        code = orr_report_top(page->to, selection);
    if (!code)
        code = orr_report_claims(page->to, selection);
    if (!code)
        code = for_each_scope(page, selection, put_scope);
    if (!code)
        code = orr_report_bottom(page->to, selection);
    fputs("</body>\n</html>\n", page->to);
    return code;
}

int orr_report_write(struct orr_report *out, const struct orr_selection *selection,
                     const char *folder)
{
    *out = (struct orr_report){0};
    if (mkdir(folder, 0777) && errno != EEXIST)
        return orr_fail(ORR_EIO, "cannot make the folder %s: %s; choose another with -o DIR",
                        folder, strerror(errno));
    snprintf(out->page, sizeof out->page, "%s/index.html", folder);
    struct orr_output output;
    int code = orr_output_begin(&output, out->page);
    if (!code)
        code = orr_output_open(&output);
    if (code)
        return code;
    struct page page = {.report = out, .to = output.file, .selection = selection, .folder = folder};
    orr_waiting_begin(&page.waiting, stderr);
    code = put_page(&page, selection);
    orr_waiting_end(&page.waiting);
    if (code)
        orr_output_abandon(&output);
    return code ? code : orr_output_commit(&output);
}
