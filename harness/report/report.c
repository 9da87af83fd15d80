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
#include "error.h"
#include "js/report/script.h"
#include "present/write.h"
#include "report/report_parts.h"

/* --- pages --- */

int orr_report_open(struct orr_output *out, const char *folder, const char *stem,
                    const char *ending)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/%s.%s", folder, stem, ending);
    int code = orr_output_begin(out, path);
    out->derived = true;
    return code ? code : orr_output_open(out);
}

int orr_report_begin_page(struct orr_output *out, const struct orr_report_draft *draft,
                          const char *stem, const char *title)
{
    const struct orr_selection *selection = draft->selection;
    int code = orr_report_open(out, draft->folder, stem, "html");
    if (code)
        return code;
    FILE *to = out->file;
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

int orr_report_end_page(struct orr_output *page, int code)
{
    if (!page->file)
        return code;
    fputs("</div>\n<script src=\"script.js\"></script>\n</body>\n</html>\n", page->file);
    return orr_output_end(page, code);
}

/* The figures of telling experiments, each on the first machine that has it. */
static void put_telling(FILE *to, const struct orr_report_draft *draft,
                        const struct orr_paper *paper)
{
    enum { MOST = 3 };
    int shown = 0;
    for (size_t k = 0; k < draft->piece_count && shown < MOST; k++) {
        const struct orr_report_piece *piece = &draft->pieces[k];
        if (piece->paper != paper || !piece->figure || !piece->experiment ||
            !piece->experiment->telling)
            continue;
        if (!shown++)
            orr_html_print(to, "<h3>%s</h3>\n<div class=\"telling\">\n", paper->authors);
        orr_report_picture(to, piece->figure, piece->experiment->title);
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

static int put_paper(FILE *to, struct orr_report_draft *draft, const struct orr_paper *paper)
{
    const struct orr_ledger *ledger = &draft->selection->ledger;
    int code = orr_report_text(to, ledger, "summary", paper->key);
    fputs("<p class=\"contents\"><a href=\"#claims\">Claims</a>\n", to);
    for (size_t k = 0; k < draft->piece_count; k++) {
        const struct orr_report_piece *piece = &draft->pieces[k];
        const char *name = piece->experiment ? piece->experiment->name : "roofline";
        if (piece->paper == paper)
            orr_html_print(to, "<a href=\"#%s\">%s</a>\n", name, name);
    }
    fputs("</p>\n", to);
    if (!code)
        code = orr_report_text(to, ledger, "claims", paper->key);
    for (size_t k = 0; k < draft->piece_count && !code; k++)
        if (draft->pieces[k].paper == paper)
            code = orr_report_piece(to, draft, &draft->pieces[k]);
    return code;
}

/* The page of a paper, or (NULL) the first page or that of sources. */
static int write_page(struct orr_report_draft *draft, const char *name, const char *title,
                      const struct orr_paper *paper)
{
    struct orr_output page;
    int code = orr_report_begin_page(&page, draft, name, title);
    if (!code)
        code = paper                    ? put_paper(page.file, draft, paper)
               : !strcmp(name, "index") ? put_index(page.file, draft)
                                        : orr_report_sources(page.file, draft->selection);
    return orr_report_end_page(&page, code);
}

static int write_text(const char *folder, const char *name, const char *ending, const char *text)
{
    struct orr_output output;
    int code = orr_report_open(&output, folder, name, ending);
    return code ? code : orr_output_end(&output, orr_output_write(&output, text, strlen(text)));
}

static int write_pages(struct orr_report_draft *draft)
{
    int code = write_text(draft->folder, "style", "css", css_report_style);
    if (!code)
        code = write_text(draft->folder, "script", "js", js_report_script);
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
            code = write_pages(&draft);
        orr_ledger_close(&judging.selection.ledger);
    }
    snprintf(out->warning, sizeof out->warning, "%s", draft.warning);
    orr_report_release(&draft);
    return code;
}
