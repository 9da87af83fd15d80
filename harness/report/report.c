/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "claims/claims.h"
#include "css/report/style.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "js/report/script.h"
#include "memory.h"
#include "present/write.h"
#include "report/report_parts.h"

/* --- files --- */

int orr_report_file(const char *folder, const char *stem, const char *ending, const char *text)
{
    char path[1400];
    struct orr_output output;
    snprintf(path, sizeof path, "%s/%s.%s", folder, stem, ending);
    int code = orr_output_begin(&output, path);
    output.derived = true;
    if (!code)
        code = orr_output_open(&output);
    return code ? code : orr_output_end(&output, orr_output_write(&output, text, strlen(text)));
}

int orr_report_page(const struct orr_report_draft *draft, const char *stem, const char *title,
                    const char *body)
{
    const struct orr_selection *selection = draft->selection;
    char *page = NULL;
    size_t size;
    FILE *to = orr_memory_stream(&page, &size);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          to);
    orr_html_print(to, "<title>%s</title>\n", title);
    fputs("<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n"
          "<div class=\"nav\" role=\"navigation\"><a href=\"index.html\">Overview</a>\n",
          to);
    for (size_t k = 0; k < selection->paper_count; k++)
        orr_html_print(to, "<a href=\"%s.html\">%s</a>\n", selection->papers[k]->key,
                       selection->papers[k]->key);
    orr_html_print(to,
                   "<a href=\"sources.html\">Sources</a></div>\n"
                   "<div class=\"main\" role=\"main\">\n<h1>%s</h1>\n",
                   title);
    fputs(body, to);
    fputs("</div>\n<script src=\"script.js\"></script>\n</body>\n</html>\n", to);
    fclose(to);
    int code = orr_report_file(draft->folder, stem, "html", page);
    free(page);
    return code;
}

void orr_report_picture(FILE *to, const char *stem, const char *text)
{
    orr_html_print(to,
                   "<a class=\"figure\" href=\"%s.html\"><img src=\"%s.svg\" alt=\"%s\" "
                   "loading=\"lazy\"></a>\n",
                   stem, stem, text);
}

/* --- pages --- */

/* The figures of telling experiments, each on the first machine that has it. */
static void put_telling(FILE *to, const struct orr_report_draft *draft,
                        const struct orr_paper *paper)
{
    enum { MOST = 3 };
    const struct orr_experiment *last = NULL;
    int shown = 0;
    for (size_t k = 0; k < draft->view_count && shown < MOST; k++) {
        const struct orr_report_view *view = &draft->views[k];
        if (view->paper != paper || !view->experiment || !view->experiment->telling ||
            view->experiment == last || view->figure.code)
            continue;
        if (!shown++)
            orr_html_print(to, "<h3>%s</h3>\n<div class=\"telling\">\n", paper->authors);
        last = view->experiment;
        orr_report_picture(to, view->stem, last->title);
    }
    fputs(shown ? "</div>\n" : "", to);
}

static int put_index(FILE *to, const struct orr_report_draft *draft)
{
    const struct orr_selection *selection = draft->selection;
    fputs("<p>Published GPU N-body results, run again. Every force is checked against double "
          "precision.</p>\n",
          to);
    int code = orr_report_text(to, &selection->ledger, "overview", NULL);
    fputs("<h2>Figures</h2>\n", to);
    for (size_t k = 0; k < selection->paper_count; k++)
        put_telling(to, draft, selection->papers[k]);
    return code ? code : orr_report_trust(to, selection);
}

static int put_views(FILE *to, const struct orr_report_draft *draft, const struct orr_paper *paper)
{
    int code = 0;
    for (size_t k = 0; k < draft->view_count && !code; k++) {
        const struct orr_report_view *view = &draft->views[k];
        const struct orr_experiment *experiment = view->experiment;
        if (view->paper != paper)
            continue;
        if (orr_report_is_first(draft, view) && experiment)
            orr_html_print(to, "<h2 id=\"%s\">%s: %s</h2>\n", experiment->name, experiment->shows,
                           experiment->title);
        else if (orr_report_is_first(draft, view))
            fputs("<h2 id=\"roofline\">Rooflines</h2>\n", to);
        code = orr_report_view(to, draft, view);
    }
    return code;
}

static int put_paper(FILE *to, const struct orr_report_draft *draft, const struct orr_paper *paper)
{
    const struct orr_ledger *ledger = &draft->selection->ledger;
    int code = orr_report_text(to, ledger, "summary", paper->key);
    fputs("<p class=\"contents\"><a href=\"#claims\">Claims</a>\n", to);
    for (size_t k = 0; k < draft->view_count; k++) {
        const struct orr_report_view *view = &draft->views[k];
        const char *name = view->experiment ? view->experiment->name : "roofline";
        if (view->paper == paper && orr_report_is_first(draft, view))
            orr_html_print(to, "<a href=\"#%s\">%s</a>\n", name, name);
    }
    fputs("</p>\n", to);
    if (!code)
        code = orr_report_text(to, ledger, "claims", paper->key);
    return code ? code : put_views(to, draft, paper);
}

/* The page of a paper, or (NULL) the first page or that of sources. */
static int write_page(const struct orr_report_draft *draft, const char *name, const char *title,
                      const struct orr_paper *paper)
{
    char *body = NULL;
    size_t size;
    FILE *to = orr_memory_stream(&body, &size);
    int code = paper                    ? put_paper(to, draft, paper)
               : !strcmp(name, "index") ? put_index(to, draft)
                                        : orr_report_sources(to, draft->selection);
    fclose(to);
    if (!code)
        code = orr_report_page(draft, name, title, body);
    free(body);
    return code;
}

static int write_pages(const struct orr_report_draft *draft)
{
    int code = orr_report_file(draft->folder, "style", "css", css_report_style);
    if (!code)
        code = orr_report_file(draft->folder, "script", "js", js_report_script);
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
static int list_machines(struct orr_report_draft *draft)
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
    judging->code = orr_report_scores(selection);
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
static int check_figures(struct orr_report *out, const struct orr_report_draft *draft)
{
    for (size_t k = draft->view_count; k-- > 0;) {
        const struct orr_layout_figure *figure = &draft->views[k].figure;
        if (figure->code == ORR_EIO || figure->code == ORR_EMEMORY)
            return orr_fail(figure->code, "%s", figure->why);
        if (figure->code && figure->code != ORR_EUSAGE)
            snprintf(out->warning, sizeof out->warning, "%s", figure->why);
    }
    return 0;
}

int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder)
{
    struct orr_report_draft draft = {.folder = folder, .selection = selection};
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
        code = orr_report_gather(&draft);
        int judged = end_judging(&judging);
        code = code ? code : judged;
        draft.selection = &judging.selection;
        if (!code)
            code = check_figures(out, &draft);
        if (!code)
            code = write_pages(&draft);
        orr_ledger_close(&judging.selection.ledger);
    }
    orr_report_release(&draft);
    return code;
}
