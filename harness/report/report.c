/* SPDX-License-Identifier: MIT */
/* The report. All documents are made before the first page is written: while SQL makes one, gnuplot
 * draws the figures of those before, and a thread judges the claims. */
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims/claims.h"
#include "css/report/style.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "js/report/script.h"
#include "memory.h"
#include "names.h"
#include "present/layout.h"
#include "present/queries.h"
#include "present/document.h"
#include "sql/report/pages.h"
#include "terminal.h"
#include "text.h"

/* An experiment on a machine, or the roofline of the paper's programs there: a page of its own, and
 * a part of the paper's page. */
struct view {
    const struct orr_paper *paper;
    const struct orr_experiment *experiment; /* NULL: the roofline, which comes last */
    char machine[256], stem[256];            /* of its files, "fujiwara-table2-nvidia-h200" */
    char title[512];                         /* of the page */
    struct orr_document document;
    struct orr_plot plot;
};

struct draft {
    struct orr_selection *selection;
    const char *folder;
    struct orr_names machines; /* those with a CUDA device first, then those with most cells */
    struct view *views;
    size_t view_count;
    struct orr_gnuplot gnuplot; /* draws their figures while SQL goes on */
};

/* --- files --- */

/* Begins <folder>/<stem>.<ending>, which orr_output_end ends. */
static int begin_file(struct orr_output *out, const struct draft *draft, const char *stem,
                      const char *ending)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/%s.%s", draft->folder, stem, ending);
    int code = orr_output_begin(out, path);
    out->derived = true;
    return code ? code : orr_output_open(out);
}

static int write_text(const struct draft *draft, const char *stem, const char *ending,
                      const char *text)
{
    struct orr_output file;
    int code = begin_file(&file, draft, stem, ending);
    if (code)
        return code;
    fputs(text, file.file);
    return orr_output_end(&file, 0);
}

static int write_table(const struct draft *draft, const struct view *view,
                       const struct orr_format *format)
{
    struct orr_output file;
    int code = begin_file(&file, draft, view->stem, format->name);
    return code ? code : orr_output_end(&file, format->write(file.file, &view->document, 1));
}

/* Begins <folder>/<stem>.html with links to the other pages; end_page ends it. */
static int begin_page(struct orr_output *out, const struct draft *draft, const char *stem,
                      const char *title)
{
    const struct orr_selection *selection = draft->selection;
    int code = begin_file(out, draft, stem, "html");
    if (code)
        return code;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          out->file);
    orr_html_print(out->file, "<title>%s</title>\n", title);
    fputs("<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n"
          "<div class=\"nav\" role=\"navigation\"><a href=\"index.html\">Overview</a>\n",
          out->file);
    for (size_t k = 0; k < selection->paper_count; k++)
        orr_html_print(out->file, "<a href=\"%s.html\">%s</a>\n", selection->papers[k]->key,
                       selection->papers[k]->key);
    orr_html_print(out->file,
                   "<a href=\"sources.html\">Sources</a></div>\n"
                   "<div class=\"main\" role=\"main\">\n<h1>%s</h1>\n",
                   title);
    return 0;
}

static int end_page(struct orr_output *page, int code)
{
    fputs("</div>\n<script src=\"script.js\"></script>\n</body>\n</html>\n", page->file);
    return orr_output_end(page, code);
}

/* --- views --- */

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

/* Has the figure of the last view drawn, unless it already failed. */
static void begin_drawing(struct draft *draft)
{
    struct view *view = &draft->views[draft->view_count - 1];
    char svg[1400];
    if (view->plot.code)
        return;
    snprintf(svg, sizeof svg, "%s/%s.svg", draft->folder, view->stem);
    orr_plot_settle(&view->plot, orr_plot_draw(&view->plot, svg, &draft->gnuplot));
}

/* `experiment` NULL: of a roofline. */
static struct view *add_view(struct draft *draft, const struct orr_paper *paper,
                             const struct orr_experiment *experiment, const char *machine)
{
    struct view *view = orr_memory_add(&draft->views, &draft->view_count, sizeof *view);
    view->paper = paper;
    view->experiment = experiment;
    snprintf(view->machine, sizeof view->machine, "%s", machine);
    name_file(view->stem, sizeof view->stem, experiment ? paper->key : "roofline",
              experiment ? experiment->name : paper->key, machine);
    return view;
}

static void release_view(struct view *view)
{
    orr_plot_release(&view->plot);
    orr_document_release(&view->document);
}

/* The paper's programs below the roofs of a machine's devices, and of the paper's own. */
static int gather_roofline(struct draft *draft, const struct orr_paper *paper, const char *machine)
{
    struct view *view = add_view(draft, paper, NULL, machine);
    struct orr_selection selection = *draft->selection;
    selection.machine = machine;
    int code = orr_layout_overview(&view->document, &view->plot, &orr_layout_roofline, &selection,
                                   paper, paper->key);
    const struct orr_grid *rows = orr_document_data(&view->document);
    if (code)
        return code;
    snprintf(view->title, sizeof view->title, "%s", view->document.title);
    if (rows && rows->row_count) {
        begin_drawing(draft);
    } else { /* nothing tells what the programs do */
        release_view(view);
        draft->view_count--;
    }
    return 0;
}

static int gather_scope(struct draft *draft, const struct orr_scope *scope)
{
    struct view *view = add_view(draft, scope->paper, scope->experiment, scope->machine);
    snprintf(view->title, sizeof view->title, "%s, %s: %s", scope->name, scope->experiment->shows,
             scope->experiment->title);
    int code = orr_layout_show(&view->document, &view->plot, scope);
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
static int gather_target(struct draft *draft, const struct orr_target *target, bool last)
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

static int gather_views(struct draft *draft)
{
    const size_t count = draft->selection->target_count;
    const struct orr_target *targets = draft->selection->targets;
    struct orr_waiting waiting = {.to = stderr};
    int code = 0;
    for (size_t k = 0; k < count && !code; k++) {
        orr_waiting_at(&waiting, "report", targets[k].experiment->name, k, count);
        code = gather_target(draft, &targets[k],
                             k + 1 == count || targets[k + 1].paper != targets[k].paper);
    }
    orr_waiting_end(&waiting);
    orr_plot_end_gnuplot(&draft->gnuplot);
    for (size_t k = 0; k < draft->view_count && !code; k++)
        if (draft->views[k].plot.drawing)
            orr_plot_settle(&draft->views[k].plot, orr_plot_finish(&draft->views[k].plot));
    return code;
}

/* --- their pages --- */

static bool is_first(const struct draft *draft, const struct view *view)
{
    return view == draft->views || view[-1].paper != view->paper ||
           view[-1].experiment != view->experiment;
}

static void release_draft(struct draft *draft)
{
    for (size_t k = 0; k < draft->view_count; k++)
        release_view(&draft->views[k]);
    free(draft->views);
    orr_names_free(draft->machines.items);
}

/* The figure <stem>.svg as a picture that leads to <stem>.html. */
static void put_picture(FILE *to, const char *stem, const char *text)
{
    orr_html_print(to,
                   "<a class=\"figure\" href=\"%s.html\"><img src=\"%s.svg\" alt=\"%s\" "
                   "loading=\"lazy\"></a>\n",
                   stem, stem, text);
}

static int put_figure(FILE *to, FILE *page, const struct draft *draft, const struct view *view)
{
    const char *title = view->document.title;
    char svg[1400];
    if (view->plot.code) {
        orr_html_print(page, "<p class=\"soft\">No figure: %s</p>\n", view->plot.why);
        return 0;
    }
    put_picture(to, view->stem, title);
    fputs("<div class=\"figure full\">\n", page);
    snprintf(svg, sizeof svg, "%s/%s.svg", draft->folder, view->stem);
    int code = put_drawing(page, svg, title);
    fprintf(page, "</div>\n<p class=\"soft\">The figure as <a href=\"%s.svg\">SVG</a>.</p>\n",
            view->stem);
    return code;
}

/* Links to the experiment on other machines. */
static void put_others(FILE *to, const struct draft *draft, const struct view *own)
{
    fputs("<p class=\"contents\">", to);
    for (size_t k = 0; k < draft->view_count; k++) {
        const struct view *view = &draft->views[k];
        if (view == own)
            orr_html_print(to, "<b>%s</b>\n", own->machine);
        else if (view->experiment == own->experiment)
            orr_html_print(to, "<a href=\"%s.html\">%s</a>\n", view->stem, view->machine);
    }
    fputs("</p>\n", to);
}

/* All of a view stands on its page, and in short on the paper's, where it is folded but for the
 * first machine's. */
static int put_view(FILE *to, const struct draft *draft, const struct view *view)
{
    const bool open = view->experiment && is_first(draft, view);
    struct orr_output page;
    int code = begin_page(&page, draft, view->stem, view->title);
    if (code)
        return code;
    if (view->experiment)
        put_others(page.file, draft, view);
    orr_html_print(to, "<details class=\"machine\" id=\"%s\"%s><summary>%s</summary>\n", view->stem,
                   open ? " open" : "", view->machine);
    code = put_figure(to, page.file, draft, view);
    orr_html_document(page.file, &view->document, false);
    orr_html_document(to, &view->document, true);
    fprintf(page.file,
            "<p class=\"soft\">This table as <a href=\"%s.md\">markdown</a> and <a "
            "href=\"%s.csv\">CSV</a>.</p>\n",
            view->stem, view->stem);
    fprintf(to, "<p class=\"soft\"><a href=\"%s.html\">Every cell</a></p>\n</details>\n",
            view->stem);
    code = end_page(&page, code);
    if (!code)
        code = write_table(draft, view, &orr_format_md);
    return code ? code : write_table(draft, view, &orr_format_csv);
}

/* --- texts, claims and sources --- */

static const char method[] =
    "<p>Accelerations of every cell are checked against double precision before it is timed; one "
    "whose error exceeds its bound is <b>wrong</b> and has no time. A time is the median over "
    "processes of their medians, with its 95&nbsp;% interval; with fewer than three processes it "
    "is \"within one run\" (†). A step begins with its bodies on the device and ends with its "
    "results there; end to end also sends the bodies and fetches the results. GFLOPS follow the "
    "paper's convention; the ceiling is the rate of the cell's own kind of pair held in registers, "
    "and a share above 100&nbsp;% says that it is too low. ≈ marks what was extrapolated, — what "
    "is not there. <code>docs/METHOD.md</code> has all rules.</p>\n";

static int add_layout(struct orr_document *out, const struct orr_ledger *ledger, const char *layout)
{
    return orr_query_layout(out, ledger, "report/pages.sql", sql_report_pages, layout);
}

static int put_layout(FILE *to, const struct orr_ledger *ledger, const char *layout)
{
    struct orr_document document = {0};
    int code = add_layout(&document, ledger, layout);
    if (!code)
        orr_html_document(to, &document, false);
    orr_document_release(&document);
    return code;
}

/* Writes the HTML that a layout has as its remarks, of a paper or (NULL) of all. */
static int put_texts(FILE *to, const struct orr_ledger *ledger, const char *layout,
                     const char *paper)
{
    struct orr_document document = {0};
    int code = orr_ledger_run(ledger, "UPDATE request SET paper = ?", "s", paper);
    if (!code)
        code = add_layout(&document, ledger, layout);
    for (size_t k = 0; k < document.remark_count; k++)
        fprintf(to, "%s\n", document.remarks[k]);
    orr_document_release(&document);
    return code;
}

int orr_report_ceilings(struct orr_document *out, const struct orr_ledger *ledger,
                        const char *machine)
{
    *out = (struct orr_document){0};
    orr_document_name(out, "ceilings", "What each access costs");
    int code = orr_scope_drop(ledger);
    if (!code)
        code =
            orr_ledger_run(ledger, "CREATE TEMP TABLE asked AS SELECT ? AS machine", "s", machine);
    if (!code)
        code = add_layout(out, ledger, "ceilings");
    if (!code && !orr_document_data(out)->row_count)
        code = orr_fail(ORR_EUSAGE, "nothing here says what accesses cost; `orrery run ceilings` "
                                    "measures it, -r names other journals");
    return code;
}

/* The cost of each access, where that was measured. */
static int put_ceilings(FILE *to, const struct orr_selection *selection)
{
    struct orr_document document;
    int known = orr_ledger_numbers(NULL, 0, &selection->ledger, "SELECT 1 FROM access_rate", "");
    if (known <= 0)
        return known;
    int code = orr_report_ceilings(&document, &selection->ledger, selection->machine);
    if (!code) {
        fputs("<details><summary>What each access costs</summary>\n", to);
        orr_html_document(to, &document, false);
        fputs("</details>\n", to);
    }
    orr_document_release(&document);
    return code;
}

/* Makes the table verdict of what orr_claims_query tells. */
static int keep_verdicts(sqlite3_stmt *verdicts, const struct orr_ledger *ledger)
{
    char *sql = sqlite3_mprintf("CREATE TEMP TABLE verdict AS %z", sqlite3_expanded_sql(verdicts));
    int code = orr_ledger_execute(ledger, sql);
    sqlite3_free(sql);
    return code;
}

/* Makes the tables that pages tell claims from, once all were judged. */
static int make_scores(const struct orr_selection *selection)
{
    const struct orr_ledger *ledger = &selection->ledger;
    sqlite3_stmt *verdicts;
    int code = orr_claims_query(&verdicts, ledger, selection->machine);
    if (!code)
        code = orr_column_format_offer(ledger);
    if (!code)
        code = orr_ledger_execute(ledger, "CREATE TEMP TABLE request AS SELECT '' AS paper; "
                                          "CREATE TEMP TABLE said(paper TEXT, says TEXT, "
                                          "found TEXT)");
    for (size_t k = 0; k < selection->paper_count && !code; k++)
        code = orr_ledger_run(ledger, "INSERT INTO said VALUES (?, ?, ?)", "sss",
                              selection->papers[k]->key, selection->papers[k]->says,
                              selection->papers[k]->found);
    if (!code)
        code = add_layout(NULL, ledger, "scores");
    if (!code)
        code = keep_verdicts(verdicts, ledger);
    sqlite3_finalize(verdicts);
    return code;
}

static int put_trust(FILE *to, const struct orr_selection *selection)
{
    fputs("<h2 id=\"machines\">Machines and devices</h2>\n", to);
    int code = put_layout(to, &selection->ledger, "trust");
    fputs("<h3>How it was measured</h3>\n", to);
    fputs(method, to);
    return code;
}

static int put_sources(FILE *to, const struct orr_selection *selection)
{
    char folder[PATH_MAX];
    int code = orr_ledger_run(
        &selection->ledger, "CREATE TEMP TABLE here AS SELECT ? || '/' AS folder, ? AS only", "ss",
        getcwd(folder, sizeof folder) ? folder : "", selection->machine);
    fputs("<h2 id=\"missing\">What is missing</h2>\n", to);
    if (!code)
        code = put_layout(to, &selection->ledger, "missing");
    fputs("<h2 id=\"provenance\">Failures and provenance</h2>\n", to);
    if (!code)
        code = put_layout(to, &selection->ledger, "sources");
    return code ? code : put_ceilings(to, selection); /* its tables take the place of claims' */
}

/* --- pages --- */

/* The figures of telling experiments, each on the first machine that has it. */
static void put_telling(FILE *to, const struct draft *draft, const struct orr_paper *paper)
{
    enum { MOST = 3 };
    const struct orr_experiment *last = NULL;
    int shown = 0;
    for (size_t k = 0; k < draft->view_count && shown < MOST; k++) {
        const struct view *view = &draft->views[k];
        if (view->paper != paper || !view->experiment || !view->experiment->telling ||
            view->experiment == last || view->plot.code)
            continue;
        if (!shown++)
            orr_html_print(to, "<h3>%s</h3>\n<div class=\"telling\">\n", paper->authors);
        last = view->experiment;
        put_picture(to, view->stem, last->title);
    }
    fputs(shown ? "</div>\n" : "", to);
}

static int put_index(FILE *to, const struct draft *draft)
{
    const struct orr_selection *selection = draft->selection;
    fputs("<p>Published GPU N-body results, run again. Every force is checked against double "
          "precision.</p>\n",
          to);
    int code = put_texts(to, &selection->ledger, "overview", NULL);
    fputs("<h2>Figures</h2>\n", to);
    for (size_t k = 0; k < selection->paper_count; k++)
        put_telling(to, draft, selection->papers[k]);
    return code ? code : put_trust(to, selection);
}

static int put_views(FILE *to, const struct draft *draft, const struct orr_paper *paper)
{
    int code = 0;
    for (size_t k = 0; k < draft->view_count && !code; k++) {
        const struct view *view = &draft->views[k];
        const struct orr_experiment *experiment = view->experiment;
        if (view->paper != paper)
            continue;
        if (is_first(draft, view) && experiment)
            orr_html_print(to, "<h2 id=\"%s\">%s: %s</h2>\n", experiment->name, experiment->shows,
                           experiment->title);
        else if (is_first(draft, view))
            fputs("<h2 id=\"roofline\">Rooflines</h2>\n", to);
        code = put_view(to, draft, view);
    }
    return code;
}

static int put_paper(FILE *to, const struct draft *draft, const struct orr_paper *paper)
{
    const struct orr_ledger *ledger = &draft->selection->ledger;
    int code = put_texts(to, ledger, "summary", paper->key);
    fputs("<p class=\"contents\"><a href=\"#claims\">Claims</a>\n", to);
    for (size_t k = 0; k < draft->view_count; k++) {
        const struct view *view = &draft->views[k];
        const char *name = view->experiment ? view->experiment->name : "roofline";
        if (view->paper == paper && is_first(draft, view))
            orr_html_print(to, "<a href=\"#%s\">%s</a>\n", name, name);
    }
    fputs("</p>\n", to);
    if (!code)
        code = put_texts(to, ledger, "claims", paper->key);
    return code ? code : put_views(to, draft, paper);
}

/* The page of a paper, or (NULL) the first page or that of sources. */
static int write_page(const struct draft *draft, const char *name, const char *title,
                      const struct orr_paper *paper)
{
    struct orr_output page;
    int code = begin_page(&page, draft, name, title);
    if (code)
        return code;
    code = paper                    ? put_paper(page.file, draft, paper)
           : !strcmp(name, "index") ? put_index(page.file, draft)
                                    : put_sources(page.file, draft->selection);
    return end_page(&page, code);
}

static int write_pages(const struct draft *draft)
{
    int code = write_text(draft, "style", "css", css_report_style);
    if (!code)
        code = write_text(draft, "script", "js", js_report_script);
    for (size_t k = 0; k < draft->selection->paper_count && !code; k++) {
        const struct orr_paper *paper = draft->selection->papers[k];
        code = write_page(draft, paper->key, paper->title, paper);
    }
    if (!code)
        code = write_page(draft, "index", "Orrery report", NULL);
    /* The last, since it takes the tables of claims away. */
    return code ? code : write_page(draft, "sources", "Sources", NULL);
}

/* --- what they are written from --- */

/* Makes the table machine_turn, the one order of machines in all pages, and lists their names. */
static int list_machines(struct draft *draft)
{
    sqlite3_stmt *row;
    const struct orr_ledger *ledger = &draft->selection->ledger;
    int code = orr_ledger_run(
        ledger,
        "CREATE TABLE machine_turn AS SELECT machine, row_number() OVER ("
        "ORDER BY max(EXISTS (SELECT 1 FROM device d WHERE d.run_key = run.run_key AND"
        " device LIKE 'cuda%')) DESC, sum(cells) DESC, machine) AS turn FROM run LEFT JOIN"
        " (SELECT run_key, count(*) AS cells FROM cell GROUP BY 1) USING (run_key)"
        " WHERE coalesce(machine = ?, 1) GROUP BY machine",
        "s", draft->selection->machine);
    if (code)
        return code;
    code = orr_ledger_query(&row, ledger, "SELECT machine FROM machine_turn ORDER BY turn", "");
    while (orr_ledger_row(&code, row, ledger))
        orr_names_add(&draft->machines, "%s", orr_ledger_text(row, 0));
    return code;
}

/* The claims are judged by a thread on a copy of the ledger, while the experiments' tables are made
 * from the ledger itself. */
struct judging {
    pthread_t thread;
    struct orr_selection selection; /* with the copy */
    struct orr_names missing;       /* why a paper has no claims on its page */
    int code;
    char why[1024];
};

static void *judge(void *argument)
{
    struct judging *judging = argument;
    struct orr_selection *selection = &judging->selection;
    for (size_t k = 0; k < selection->paper_count; k++) {
        if (orr_claims_judge(&selection->ledger, selection->papers[k]) >= 0)
            continue;
        orr_names_add(&judging->missing, "claims of %s are missing: %s", selection->papers[k]->key,
                      orr_error_text());
        orr_error_clear();
    }
    judging->code = make_scores(selection);
    snprintf(judging->why, sizeof judging->why, "%s", orr_error_text());
    return NULL;
}

/* end_judging follows where it returns 0. */
static int begin_judging(struct judging *out, const struct orr_selection *selection)
{
    *out = (struct judging){.selection = *selection};
    int code = orr_ledger_copy(&out->selection.ledger, &selection->ledger);
    if (!code && pthread_create(&out->thread, NULL, judge, out)) {
        orr_ledger_close(&out->selection.ledger);
        code = orr_fail(ORR_EMEMORY, "cannot start a thread that judges the claims");
    }
    return code;
}

static int end_judging(struct judging *judging)
{
    pthread_join(judging->thread, NULL);
    for (size_t k = 0; k < judging->missing.count; k++)
        fprintf(stderr, "orrery: warning: %s\n", judging->missing.items[k]);
    orr_names_free(judging->missing.items);
    return judging->code ? orr_fail(judging->code, "%s", judging->why) : 0;
}

/* A figure that cannot be drawn costs the pages that figure, and a warning if there is something to
 * plot; a full disk costs the report. */
static int check_figures(struct orr_report *out, const struct draft *draft)
{
    for (size_t k = draft->view_count; k-- > 0;) {
        const struct orr_plot *plot = &draft->views[k].plot;
        if (plot->code == ORR_EIO || plot->code == ORR_EMEMORY)
            return orr_fail(plot->code, "%s", plot->why);
        if (plot->code && plot->code != ORR_EUSAGE)
            snprintf(out->warning, sizeof out->warning, "%s", plot->why);
    }
    return 0;
}

int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder)
{
    struct draft draft = {.folder = folder, .selection = selection};
    struct judging judging;
    *out = (struct orr_report){0};
    snprintf(out->page, sizeof out->page, "%s/index.html", folder);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return orr_fail(ORR_EIO, "cannot make the folder %s: %s; choose another", folder,
                        strerror(errno));
    int code = list_machines(&draft);
    if (!code)
        code = begin_judging(&judging, selection);
    if (!code) {
        code = gather_views(&draft);
        int judged = end_judging(&judging);
        code = code ? code : judged;
        draft.selection = &judging.selection;
        if (!code)
            code = check_figures(out, &draft);
        if (!code)
            code = write_pages(&draft);
        orr_ledger_close(&judging.selection.ledger);
    }
    release_draft(&draft);
    return code;
}
