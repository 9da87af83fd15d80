/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "claims/claims.h"
#include "css/report/style.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "memory.h"
#include "js/report/script.h"
#include "present/write.h"
#include "report/report_parts.h"
#include "sql/report/scores.h"
#include "terminal.h"

/* The report that is being written. */
struct report {
    const char *folder;
    struct orr_selection *selection;
    char **machines; /* in the report's order */
    size_t machine_count;
    struct orr_report_pieces pieces;
};

/* --- pages --- */

int orr_report_open(struct orr_output *out, const char *folder, const char *stem,
                    const char *ending)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/%s.%s", folder, stem, ending);
    int code = orr_output_begin(out, path);
    return code ? code : orr_output_open(out);
}

int orr_report_begin_page(struct orr_report_page *out, const struct orr_selection *selection,
                          const char *folder, const char *stem, const char *title)
{
    *out = (struct orr_report_page){0};
    int code = orr_report_open(&out->output, folder, stem, "html");
    if (code)
        return code;
    FILE *to = out->to = out->output.file;
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
    return 0;
}

int orr_report_end_page(struct orr_report_page *page, int code)
{
    if (!page->to)
        return code;
    fputs("</div>\n<script src=\"script.js\"></script>\n</body>\n</html>\n", page->to);
    return orr_output_end(&page->output, code);
}

static int put_summary(FILE *to, const struct orr_selection *selection,
                       const struct orr_paper *paper)
{
    orr_html_print(to, "<p class=\"soft\">%s, %s", paper->authors, paper->venue);
    if (paper->year)
        fprintf(to, " (%u)", paper->year);
    orr_html_print(to, paper->says ? "</p>\n<p>%s</p>\n" : "</p>\n", paper->says);
    return orr_report_found(to, selection, paper);
}

/* The figures of telling experiments, each on the first machine that has it. */
static void put_telling(FILE *to, const struct orr_report_pieces *pieces,
                        const struct orr_paper *paper)
{
    enum { MOST = 3 };
    int shown = 0;
    for (size_t k = 0; k < pieces->count && shown < MOST; k++) {
        const struct orr_report_piece *piece = &pieces->items[k];
        const char *stem = pieces->shown[k].figure;
        if (piece->paper != paper || !*stem || !piece->scopes.count ||
            !piece->scopes.items[0].experiment->telling)
            continue;
        if (!shown++)
            orr_html_print(to, "<h3>%s</h3>\n<div class=\"telling\">\n", paper->authors);
        orr_report_picture(to, stem, piece->scopes.items[0].experiment->title);
    }
    fputs(shown ? "</div>\n" : "", to);
}

static int put_index(FILE *to, const struct report *report, const struct orr_paper *none)
{
    (void)none;
    const struct orr_selection *selection = report->selection;
    int code = 0;
    fputs("<p>Published GPU N-body results, run again. Every force is checked against double "
          "precision.</p>\n",
          to);
    for (size_t k = 0; k < selection->paper_count && !code; k++) {
        const struct orr_paper *paper = selection->papers[k];
        orr_html_print(to, "<h2><a href=\"%s.html\">%s</a></h2>\n", paper->key, paper->title);
        code = put_summary(to, selection, paper);
    }
    if (!code)
        code = orr_report_scoreboard(to, selection);
    fputs("<h2>Figures</h2>\n", to);
    for (size_t k = 0; k < selection->paper_count; k++)
        put_telling(to, &report->pieces, selection->papers[k]);
    return code ? code : orr_report_trust(to, selection);
}

static int put_paper(FILE *to, const struct report *report, const struct orr_paper *paper)
{
    const struct orr_report_pieces *pieces = &report->pieces;
    int code = put_summary(to, report->selection, paper);
    fputs("<p class=\"contents\"><a href=\"#claims\">Claims</a>\n", to);
    for (size_t k = 0; k < pieces->count; k++) {
        const struct orr_report_piece *piece = &pieces->items[k];
        const char *name =
            piece->scopes.count ? piece->scopes.items[0].experiment->name : "roofline";
        if (piece->paper == paper)
            orr_html_print(to, "<a href=\"#%s\">%s</a>\n", name, name);
    }
    fputs("</p>\n", to);
    if (!code)
        code = orr_report_claims(to, report->selection, paper->key);
    for (size_t k = 0; k < pieces->count && !code; k++)
        if (pieces->items[k].paper == paper)
            code = orr_report_copy_piece(to, &pieces->items[k]);
    return code;
}

static int put_sources(FILE *to, const struct report *report, const struct orr_paper *paper)
{
    (void)paper;
    return orr_report_sources(to, report->selection);
}

/* The page `name`.html; `paper` is what `put` gets. */
static int write_page(const struct report *report, const char *name, const char *title,
                      int (*put)(FILE *to, const struct report *report,
                                 const struct orr_paper *paper),
                      const struct orr_paper *paper)
{
    struct orr_report_page page;
    int code = orr_report_begin_page(&page, report->selection, report->folder, name, title);
    if (!code)
        code = put(page.to, report, paper);
    return orr_report_end_page(&page, code);
}

static int write_text(const char *folder, const char *name, const char *ending, const char *text)
{
    struct orr_output output;
    int code = orr_report_open(&output, folder, name, ending);
    return code ? code : orr_output_end(&output, orr_output_write(&output, text, strlen(text)));
}

static int write_pages(const struct report *report)
{
    int code = write_text(report->folder, "style", "css", css_report_style);
    if (!code)
        code = write_text(report->folder, "script", "js", js_report_script);
    for (size_t k = 0; k < report->selection->paper_count && !code; k++) {
        const struct orr_paper *paper = report->selection->papers[k];
        code = write_page(report, paper->key, paper->title, put_paper, paper);
    }
    if (!code)
        code = write_page(report, "index", "Orrery report", put_index, NULL);
    /* The last, since it takes the tables of claims away. */
    return code ? code : write_page(report, "sources", "Sources", put_sources, NULL);
}

/* --- what they are written from --- */

/* Makes ORR_REPORT_TURNS, and lists the names in that order. */
static int list_machines(struct report *report)
{
    sqlite3_stmt *row;
    const struct orr_ledger *ledger = &report->selection->ledger;
    int code = orr_ledger_run(
        ledger,
        "CREATE TEMP TABLE " ORR_REPORT_TURNS " AS SELECT machine, row_number() OVER ("
        "ORDER BY max(EXISTS (SELECT 1 FROM device d WHERE d.run_key = run.run_key AND"
        " device LIKE 'cuda%')) DESC, sum(cells) DESC, machine) AS turn FROM run LEFT JOIN"
        " (SELECT run_key, count(*) AS cells FROM cell GROUP BY 1) USING (run_key)"
        " WHERE coalesce(machine = ?, 1) GROUP BY machine",
        "s", report->selection->machine);
    if (code)
        return code;
    code = orr_ledger_query(&row, ledger, "SELECT machine FROM " ORR_REPORT_TURNS " ORDER BY turn",
                            "");
    while (orr_ledger_row(&code, row, ledger)) {
        char **added = orr_memory_add(&report->machines, &report->machine_count, sizeof *added);
        *added = orr_memory_text(orr_ledger_text(row, 0));
    }
    return code;
}

static int make_folder(const char *folder)
{
    return mkdir(folder, 0777) && errno != EEXIST
               ? orr_fail(ORR_EIO, "cannot make the folder %s: %s; choose another", folder,
                          strerror(errno))
               : 0;
}

/* A paper whose claims fail has none on the page. */
static void judge(struct orr_selection *selection)
{
    struct orr_waiting waiting;
    orr_waiting_begin(&waiting, stderr);
    for (size_t k = 0; k < selection->paper_count; k++) {
        orr_waiting_at(&waiting, "claims", selection->papers[k]->key, k, selection->paper_count);
        if (orr_claims_judge(&selection->ledger, selection->papers[k]) >= 0)
            continue;
        orr_waiting_end(&waiting);
        fprintf(stderr, "orrery: warning: claims of %s are missing: %s\n",
                selection->papers[k]->key, orr_error_text());
        orr_error_clear();
    }
    orr_waiting_end(&waiting);
}

/* The claims are judged while other processes write the tables and figures. */
static int write_parts(struct orr_report *out, struct report *report)
{
    sqlite3_stmt *row;
    int code = list_machines(report);
    if (!code)
        code = orr_report_begin_pieces(&report->pieces, report->selection, report->folder,
                                       report->machines, report->machine_count);
    if (code)
        return code;
    judge(report->selection);
    int scored = orr_claims_query(&row, &report->selection->ledger, NULL);
    sqlite3_finalize(row); /* it made the tables that are read here, where nothing was judged */
    if (!scored)
        scored = orr_ledger_execute(&report->selection->ledger, sql_report_scores);
    code = orr_report_end_pieces(&report->pieces);
    code = code ? code : scored;
    for (size_t k = 0; k < report->pieces.count && !*out->warning; k++)
        snprintf(out->warning, sizeof out->warning, "%s", report->pieces.shown[k].warning);
    return code ? code : write_pages(report);
}

int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder)
{
    struct report report = {.folder = folder, .selection = selection};
    *out = (struct orr_report){0};
    snprintf(out->page, sizeof out->page, "%s/index.html", folder);
    int code = make_folder(folder);
    if (code)
        return code;
    code = write_parts(out, &report);
    for (size_t k = 0; k < report.machine_count; k++)
        free(report.machines[k]);
    free(report.machines);
    orr_report_release_pieces(&report.pieces);
    return code;
}
