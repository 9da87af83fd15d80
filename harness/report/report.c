#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "datasets/formats/output.h"
#include "css/report/style.h"
#include "error.h"
#include "js/report/reload.h"
#include "js/report/script.h"
#include "json_member.h"
#include "present/layout.h"
#include "present/roofline.h"
#include "report/report_parts.h"
#include "present/write.h"
#include "waiting.h"

enum {
    LARGEST_SVG = 400 * 1024, /* of a picture inside the page; beyond it the PNG is smaller */
    MOST_TELLING = 3
};

struct page {
    struct orr_report *report;
    FILE *to;
    const struct orr_selection *selection;
    const char *folder;
    const struct orr_report_going *going; /* NULL: all runs are over */
    const struct orr_paper *paper;        /* whose heading was written last */
    char **machines;                      /* in the page's order */
    size_t machine_count;
    size_t scopes; /* experiments on machines that it shows */
    char telling[MOST_TELLING][256];
    int telling_count;
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

/* The drawing where it is small enough, for looks and hovering; else its picture. */
static int put_picture(FILE *to, const struct page *page, const char *stem, const char *prefix,
                       const char *title, const char *class)
{
    char svg[1400], png[1400];
    struct stat status;
    snprintf(svg, sizeof svg, "%s/%s.svg", page->folder, stem);
    snprintf(png, sizeof png, "%s/%s.png", page->folder, stem);
    fprintf(to, "<div class=\"figure %s\">\n", class);
    bool small = !stat(svg, &status) && status.st_size <= LARGEST_SVG;
    int code = small ? orr_report_drawing(to, svg, prefix, title)
                     : orr_report_picture(to, png, "png", title);
    fputs("</div>\n", to);
    return code;
}

/* A figure that cannot be drawn costs the page that figure; a full disk costs the page. */
static int put_figure(const struct page *page, struct orr_layout_figure *figure, const char *stem,
                      const char *title)
{
    char svg[1400], png[1400];
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
    code = put_picture(page->to, page, stem, stem, title, "full");
    fprintf(page->to,
            "<p class=\"soft\">The figure as <a href=\"%s.svg\">SVG</a> and <a "
            "href=\"%s.png\">PNG</a>.</p>\n",
            stem, stem);
    return code;
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

static void put_paper(struct page *page, const struct orr_paper *paper)
{
    fprintf(page->to, "<details class=\"paper\" id=\"paper-%s\"><summary><h2 id=\"%s\">",
            paper->key, paper->key);
    orr_html_text(page->to, paper->title);
    fputs("</h2></summary>\n<p class=\"soft\">", page->to);
    orr_html_text(page->to, paper->authors);
    fputs(", ", page->to);
    orr_html_text(page->to, paper->venue);
    if (paper->year)
        fprintf(page->to, " (%u)", paper->year);
    fputs("</p>\n", page->to);
}

/* One experiment on one machine: a panel of the experiment's tabs. */
static int put_scope(struct page *page, const struct orr_scope *scope, bool first)
{
    struct orr_document document = {0};
    struct orr_layout_figure figure = {0};
    char stem[256];
    name_scope(stem, sizeof stem, scope);
    orr_waiting_at(&page->waiting, "report", scope->name, page->report->experiments, page->scopes);
    int code = orr_layout_both(&document, &figure, scope);
    if (!code) {
        fprintf(page->to, "<div class=\"panel\" id=\"%s\" data-machine=\"", stem);
        orr_html_text(page->to, scope->machine);
        fputs("\">\n<h4 class=\"machine\">", page->to);
        orr_html_text(page->to, scope->machine);
        fputs("</h4>\n", page->to);
        code = put_figure(page, &figure, stem, document.title);
        if (first && scope->experiment->telling && page->telling_count < MOST_TELLING)
            snprintf(page->telling[page->telling_count++], sizeof *page->telling, "%s", stem);
    }
    if (!code)
        code = put_document(page, &document, stem);
    fputs("</div>\n", page->to);
    page->report->experiments++;
    orr_plot_release(&figure.plot);
    orr_document_release(&document);
    return code;
}

/* The scopes that were measured, in the page's order of machines. */
static void sort_scopes(struct orr_scopes *scopes, const struct page *page)
{
    size_t kept = 0;
    for (size_t m = 0; m < page->machine_count; m++)
        for (size_t s = kept; s < scopes->count; s++)
            if (scopes->items[s].measured && !strcmp(scopes->items[s].machine, page->machines[m])) {
                struct orr_scope found = scopes->items[s];
                scopes->items[s] = scopes->items[kept];
                scopes->items[kept++] = found;
                break;
            }
    scopes->count = kept;
}

static void put_tabs(FILE *to, const struct orr_scopes *scopes)
{
    if (scopes->count < 2)
        return;
    fputs("<div class=\"tabs\" role=\"tablist\">", to);
    for (size_t s = 0; s < scopes->count; s++) {
        fputs("<button type=\"button\" role=\"tab\" data-machine=\"", to);
        orr_html_text(to, scopes->items[s].machine);
        fputs("\">", to);
        orr_html_text(to, scopes->items[s].machine);
        fputs("</button>", to);
    }
    fputs("</div>\n", to);
}

static bool is_unfinished(const struct page *page)
{
    return page->going && page->going->text;
}

/* What is half measured must not look final. */
static void put_unfinished(const struct page *page, const char *experiment)
{
    const char *text =
        is_unfinished(page) ? orr_json_text(page->going->unfinished, experiment) : NULL;
    if (text)
        fprintf(page->to, "<p class=\"going\">Not whole yet: %s. What is below may change.</p>\n",
                text);
}

static int put_experiment(struct page *page, const struct orr_scopes *scopes)
{
    const struct orr_scope *scope = &scopes->items[0];
    int code = 0;
    if (!page->paper || page->paper != scope->paper) {
        fputs(page->paper ? "</details>\n" : "", page->to);
        page->paper = scope->paper;
        put_paper(page, scope->paper);
        code = put_roofline(page, scope->paper);
    }
    fprintf(page->to, "<h3 id=\"%s-%s\">", scope->paper->key, scope->experiment->name);
    orr_html_text(page->to, scope->name);
    fputs(" — ", page->to);
    orr_html_text(page->to, scope->experiment->shows);
    fputs(": ", page->to);
    orr_html_text(page->to, scope->experiment->title);
    fputs("</h3>\n", page->to);
    put_unfinished(page, scope->cells);
    fprintf(page->to, "<div%s>\n", scopes->count > 1 ? " class=\"of-many\"" : "");
    put_tabs(page->to, scopes);
    for (size_t s = 0; s < scopes->count && !code; s++)
        code = put_scope(page, &scopes->items[s], s == 0);
    fputs("</div>\n", page->to);
    return code;
}

/* A line of the contents. */
static int put_entry(struct page *page, const struct orr_scopes *scopes)
{
    const struct orr_scope *scope = &scopes->items[0];
    if (!page->paper || page->paper != scope->paper) {
        fputs(page->paper ? "</details>\n" : "", page->to);
        page->paper = scope->paper;
        fprintf(page->to, "<a href=\"#%s\">%s</a>\n<details><summary>experiments</summary>\n",
                scope->paper->key, scope->paper->key);
    }
    page->scopes += scopes->count;
    fprintf(page->to, "<a href=\"#%s-%s\">", scope->paper->key, scope->experiment->name);
    orr_html_text(page->to, scope->experiment->name);
    fputs(", ", page->to);
    orr_html_text(page->to, scope->experiment->shows);
    fputs("</a>\n", page->to);
    return 0;
}

/* Calls `each` for every experiment with results, with the machines that have them. */
static int for_each_experiment(struct page *page,
                               int (*each)(struct page *, const struct orr_scopes *))
{
    const struct orr_selection *selection = page->selection;
    int code = 0;
    page->paper = NULL;
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        struct orr_scopes scopes;
        code = orr_selection_scopes(&scopes, selection, &selection->targets[k]);
        size_t count = scopes.count;
        if (!code)
            sort_scopes(&scopes, page);
        if (!code && scopes.count)
            code = each(page, &scopes);
        scopes.count = count;
        orr_selection_release_scopes(&scopes);
    }
    fputs(page->paper ? "</details>\n" : "", page->to);
    return code;
}

static int put_contents(struct page *page)
{
    fputs("<div class=\"nav\" role=\"navigation\">\n<a href=\"#scoreboard\">Scoreboard</a>\n<a "
          "href=\"#machines\">Machines and trust</a>\n<a href=\"#method\">How it was measured</a>\n"
          "<a href=\"#claims\">Claims</a>\n",
          page->to);
    int code = for_each_experiment(page, put_entry);
    fputs("<a href=\"#missing\">What is missing</a>\n<a href=\"#failures\">What failed</a>\n"
          "<a href=\"#provenance\">Provenance</a>\n</div>\n",
          page->to);
    return code;
}

static int put_telling(struct page *page)
{
    int code = 0;
    fputs(page->telling_count ? "<div class=\"telling\">\n" : "", page->to);
    for (int k = 0; k < page->telling_count && !code; k++) {
        char prefix[300], path[1400];
        snprintf(path, sizeof path, "%s/%s.svg", page->folder, page->telling[k]);
        if (access(path, R_OK)) /* no gnuplot */
            continue;
        snprintf(prefix, sizeof prefix, "top-%s", page->telling[k]);
        fprintf(page->to, "<a href=\"#%s\">\n", page->telling[k]);
        code = put_picture(page->to, page, page->telling[k], prefix, page->telling[k], "");
        fputs("</a>\n", page->to);
    }
    fputs(page->telling_count ? "</div>\n" : "", page->to);
    return code;
}

/* Below the opening, whose figures are drawn on the way. */
static int put_rest(struct page *page)
{
    const struct orr_selection *selection = page->selection;
    int code = orr_report_top(page->to, selection);
    if (!code)
        code = orr_report_claims(page->to, selection);
    if (!code)
        code = for_each_experiment(page, put_experiment);
    return code ? code : orr_report_bottom(page->to, selection);
}

/* That runs are not over, how far they are, and when that was. */
static void put_going(const struct page *page)
{
    const struct orr_report_going *going = page->going;
    char at[32];
    const time_t now = time(NULL);
    struct tm utc;
    if (!is_unfinished(page))
        return;
    strftime(at, sizeof at, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &utc));
    fprintf(page->to,
            "<p class=\"going\" id=\"going\" role=\"status\"><b>The run %s</b>: %s, as of %s.",
            going->resume ? "stopped before its end" : "goes on", going->text, at);
    if (going->resume) {
        fputs(" <code>", page->to);
        orr_html_text(page->to, going->resume);
        fputs("</code> goes on with it.", page->to);
    }
    fputs(" Verdicts and numbers are of what is measured so far.</p>\n", page->to);
}

/* The script keeps folds and place; without scripts the browser loads the page anew. */
static void put_reload(const struct page *page)
{
    if (!page->going)
        return;
    if (page->going->reload_s > 0)
        fprintf(page->to, "<noscript><meta http-equiv=\"refresh\" content=\"%.0f\"></noscript>\n",
                page->going->reload_s);
    fprintf(page->to, "<script data-every=\"%g\">\n%s</script>\n", page->going->reload_s,
            js_report_reload);
}

static int put_page(struct page *page)
{
    FILE *file = page->to;
    char *rest = NULL;
    size_t size = 0;
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
            "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Orrery "
            "report</title>\n<style>\n%s</style>\n",
            css_report_style);
    put_reload(page);
    fprintf(file, "</head>\n<body%s>\n<div class=\"page\">\n",
            is_unfinished(page) ? " class=\"unfinished\"" : "");
    int code = put_contents(page);
    fputs("<div class=\"main\" role=\"main\">\n<h1>Orrery report</h1>\n<p class=\"soft\">Published "
          "GPU N-body results, run again: each number beside the printed one, checked against "
          "double precision.</p>\n",
          file);
    put_going(page);
    if (!code)
        code = orr_report_scoreboard(file, page->selection);
    page->to = code ? NULL : open_memstream(&rest, &size);
    if (!code && !page->to)
        code = orr_fail(ORR_EMEMORY, "no memory for the report");
    if (!code)
        code = put_rest(page);
    if (page->to && fclose(page->to) && !code)
        code = orr_fail(ORR_EMEMORY, "no memory for the report");
    page->to = file;
    if (!code)
        code = put_telling(page);
    if (!code)
        fwrite(rest, 1, size, file);
    free(rest);
    fprintf(file, "</div>\n</div>\n<script>\n%s</script>\n</body>\n</html>\n", js_report_script);
    return code;
}

/* Names in the order of ORR_REPORT_MACHINES. */
static int list_machines(struct page *page)
{
    sqlite3_stmt *row;
    const struct orr_ledger *ledger = &page->selection->ledger;
    int more, code = orr_ledger_query(&row, ledger, ORR_REPORT_MACHINES, "");
    if (code)
        return code;
    while ((more = orr_ledger_next(row, ledger)) > 0) {
        char **names = realloc(page->machines, (page->machine_count + 1) * sizeof *names);
        char *name = names ? strdup(orr_ledger_text(row, 0)) : NULL;
        page->machines = names ? names : page->machines;
        if (!name) {
            more = orr_fail(ORR_EMEMORY, "no memory for the report");
            break;
        }
        page->machines[page->machine_count++] = name;
    }
    sqlite3_finalize(row);
    return more;
}

int orr_report_make_folder(const char *folder)
{
    return mkdir(folder, 0777) && errno != EEXIST
               ? orr_fail(ORR_EIO, "cannot make the folder %s: %s; choose another", folder,
                          strerror(errno))
               : 0;
}

int orr_report_write(struct orr_report *out, const struct orr_selection *selection,
                     const char *folder, const struct orr_report_going *going)
{
    *out = (struct orr_report){0};
    snprintf(out->page, sizeof out->page, "%s/index.html", folder);
    struct orr_output output;
    int code = orr_report_make_folder(folder);
    if (!code)
        code = orr_output_begin(&output, out->page);
    if (!code)
        code = orr_output_open(&output);
    if (code)
        return code;
    struct page page = {
        .report = out, .to = output.file, .selection = selection, .folder = folder, .going = going};
    orr_waiting_begin(&page.waiting, stderr);
    code = list_machines(&page);
    if (!code)
        code = put_page(&page);
    orr_waiting_end(&page.waiting);
    for (size_t k = 0; k < page.machine_count; k++)
        free(page.machines[k]);
    free(page.machines);
    if (code)
        orr_output_abandon(&output);
    return code ? code : orr_output_commit(&output);
}
