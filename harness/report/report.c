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

/* Writes <folder>/<stem>.<ending>. */
static int write_text(const struct draft *draft, const char *stem, const char *ending,
                      const char *text)
{
    struct orr_output file;
    char path[1400];
    snprintf(path, sizeof path, "%s/%s.%s", draft->folder, stem, ending);
    int code = orr_output_begin(&file, path);
    file.derived = true;
    if (code || (code = orr_output_open(&file)))
        return code;
    fputs(text, file.file);
    return orr_output_end(&file, 0);
}

static int write_table(const struct draft *draft, const struct view *view,
                       const struct orr_format *format)
{
    char *text;
    size_t size;
    FILE *to = orr_memory_stream(&text, &size);
    int code = format->write(to, &view->document, 1);
    fclose(to);
    if (!code)
        code = write_text(draft, view->stem, format->name, text);
    free(text);
    return code;
}

/* --- views --- */

/* gnuplot's SVG as a part of a page; script.js shows what its points tell. Free it. */
static int read_drawing(char **out, const char *path, const char *text)
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
        FILE *to = orr_memory_stream(out, &size);
        fwrite(begin, 1, (size_t)(title - begin), to);
        orr_html_print(to, "<desc>%s", text);
        fputs(body, to);
        fclose(to);
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
    const struct orr_grid *rows = view->document.data;
    if (code)
        return code;
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

static void release_draft(struct draft *draft)
{
    for (size_t k = 0; k < draft->view_count; k++)
        release_view(&draft->views[k]);
    free(draft->views);
    orr_names_free(draft->machines.items);
}

/* --- what the pages are made of (pages.sql) --- */

static int add_layout(struct orr_document *out, const struct orr_ledger *ledger, const char *layout)
{
    return orr_query_layout(out, ledger, "report/pages.sql", sql_report_pages, layout);
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
    if (!code && !out->data->row_count)
        code = orr_fail(ORR_EUSAGE, "nothing here says what accesses cost; `orrery run ceilings` "
                                    "measures it, -r names other journals");
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
        code = orr_ledger_execute(ledger, "CREATE TEMP TABLE said(paper TEXT, says TEXT, "
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

static char *html_of(const struct orr_document *document, bool brief)
{
    char *text;
    size_t size;
    FILE *to = orr_memory_stream(&text, &size);
    orr_html_document(to, document, brief);
    fclose(to);
    return text;
}

static int tell_view(const struct orr_ledger *ledger, const struct draft *draft,
                     const struct view *view)
{
    const struct orr_experiment *experiment = view->experiment;
    char svg[1400], *drawing = NULL, *whole = html_of(&view->document, false),
                    *brief = html_of(&view->document, true);
    const char *said = view->document.title, *name = experiment ? experiment->name : NULL;
    snprintf(svg, sizeof svg, "%s/%s.svg", draft->folder, view->stem);
    int code = view->plot.code ? 0 : read_drawing(&drawing, svg, said);
    if (!code)
        code = orr_ledger_run(
            ledger, "INSERT INTO view VALUES (?1, ?1 || '/' || ?2, ?3, ?, ?, ?, ?, ?, ?, ?)",
            "ssisssssss", view->paper->key, name, (long long)(experiment && experiment->telling),
            view->machine, view->stem, said, drawing ? NULL : view->plot.why, drawing, whole,
            brief);
    free(drawing);
    free(whole);
    free(brief);
    return code;
}

/* The document that a layout of pages.sql or, of the cost of each access, orr_report_ceilings makes
 * of `from`. */
static int add_piece(const struct orr_ledger *ledger, const struct orr_selection *from,
                     const char *name)
{
    struct orr_document document = {0};
    int code = strcmp(name, "ceilings")
                   ? add_layout(&document, &from->ledger, name)
                   : orr_report_ceilings(&document, &from->ledger, from->machine);
    if (!code) {
        char *html = html_of(&document, false);
        code = orr_ledger_run(ledger, "INSERT INTO piece VALUES (?, ?)", "ss", name, html);
        free(html);
    }
    orr_document_release(&document);
    return code;
}

/* Makes the tables view and piece in the ledger that has the claims. */
static int add_pieces(const struct orr_ledger *ledger, const struct draft *draft)
{
    static const char *const names[] = {"trust", "missing", "sources"};
    const struct orr_selection *from = draft->selection;
    char folder[PATH_MAX];
    int code =
        orr_ledger_execute(ledger, "CREATE TEMP TABLE piece(name, html); CREATE TEMP TABLE view("
                                   "paper, experiment, telling, machine, stem, said, why,"
                                   " drawing, whole, brief)");
    for (size_t k = 0; k < draft->view_count && !code; k++)
        code = tell_view(ledger, draft, &draft->views[k]);
    int known =
        code ? code : orr_ledger_numbers(NULL, 0, &from->ledger, "SELECT 1 FROM access_rate", "");
    code = known > 0 ? add_piece(ledger, from, "ceilings") : known;
    if (!code)
        code = orr_ledger_run(&from->ledger,
                              "CREATE TEMP TABLE here AS SELECT ? || '/' AS folder, ? AS only",
                              "ss", getcwd(folder, sizeof folder) ? folder : "", from->machine);
    for (size_t k = 0; k < sizeof names / sizeof *names && !code; k++)
        code = add_piece(ledger, from, names[k]);
    return code;
}

static int write_pages(const struct draft *draft, const struct orr_ledger *ledger)
{
    sqlite3_stmt *row = NULL;
    int code = write_text(draft, "style", "css", css_report_style);
    if (!code)
        code = write_text(draft, "script", "js", js_report_script);
    for (size_t k = 0; k < draft->view_count && !code; k++) {
        code = write_table(draft, &draft->views[k], &orr_format_md);
        if (!code)
            code = write_table(draft, &draft->views[k], &orr_format_csv);
    }
    if (!code)
        code = add_layout(NULL, ledger, "pages");
    if (!code)
        code = orr_ledger_query(&row, ledger, "SELECT stem, html FROM page", "");
    while (orr_ledger_row(&code, row, ledger))
        code = write_text(draft, orr_ledger_text(row, 0), "html", orr_ledger_text(row, 1));
    return code;
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
        if (!code)
            code = check_figures(out, &draft);
        if (!code)
            code = add_pieces(&judging.selection.ledger, &draft);
        if (!code)
            code = write_pages(&draft, &judging.selection.ledger);
        orr_ledger_close(&judging.selection.ledger);
    }
    release_draft(&draft);
    return code;
}
