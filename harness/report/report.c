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
#include "terminal.h"

/* The page that is being written. */
struct page {
    FILE *to;
    struct orr_selection *selection;
    char **machines; /* in the page's order */
    size_t machine_count;
    struct orr_report_pieces pieces;
};

static void put_paper(FILE *to, const struct orr_paper *paper)
{
    orr_html_print(to,
                   "<details class=\"paper\" id=\"paper-%s\"><summary><h2 id=\"%s\">%s</h2>"
                   "</summary>\n<p class=\"soft\">%s, %s",
                   paper->key, paper->key, paper->title, paper->authors, paper->venue);
    if (paper->year)
        fprintf(to, " (%u)", paper->year);
    fputs("</p>\n", to);
}

/* A line of the contents. */
static void put_entry(FILE *to, const struct orr_report_piece *piece)
{
    const struct orr_scope *scope = &piece->scopes.items[0];
    orr_html_print(to, "<a href=\"#%s-%s\">%s, %s</a>\n", scope->paper->key,
                   scope->experiment->name, scope->experiment->name, scope->experiment->shows);
}

static void put_contents(FILE *to, const struct orr_report_pieces *pieces)
{
    fputs("<div class=\"nav\" role=\"navigation\">\n<a href=\"#scoreboard\">Scoreboard</a>\n<a "
          "href=\"#machines\">Machines and trust</a>\n<a href=\"#method\">How it was measured</a>\n"
          "<a href=\"#claims\">Claims</a>\n",
          to);
    for (size_t k = 0; k < pieces->count; k++) {
        const struct orr_report_piece *piece = &pieces->items[k];
        if (piece->scopes.count)
            put_entry(to, piece);
        else
            fprintf(to, "%s<a href=\"#%s\">%s</a>\n<details><summary>experiments</summary>\n",
                    k ? "</details>\n" : "", piece->paper->key, piece->paper->key);
    }
    fprintf(to,
            "%s<a href=\"#missing\">What is missing</a>\n<a href=\"#failures\">What failed</a>\n"
            "<a href=\"#provenance\">Provenance</a>\n</div>\n",
            pieces->count ? "</details>\n" : "");
}

/* The figures of telling experiments, each on the first machine that has it. */
static int put_telling(FILE *to, const struct orr_report_pieces *pieces)
{
    enum { MOST = 3 };
    int shown = 0, code = 0;
    for (size_t k = 0; k < pieces->count && shown < MOST && !code; k++) {
        const struct orr_report_piece *piece = &pieces->items[k];
        const char *stem = pieces->shown[k].figure;
        char prefix[300], path[1400];
        if (!*stem || !piece->scopes.count || !piece->scopes.items[0].experiment->telling)
            continue;
        snprintf(path, sizeof path, "%s/%s.svg", pieces->folder, stem);
        snprintf(prefix, sizeof prefix, "top-%s", stem);
        fprintf(to, "%s<a class=\"figure\" href=\"#%s\">\n",
                shown++ ? "" : "<div class=\"telling\">\n", stem);
        code = orr_report_drawing(to, path, prefix, piece->scopes.items[0].name);
        fputs("</a>\n", to);
    }
    fputs(shown ? "</div>\n" : "", to);
    return code;
}

static int put_pieces(FILE *to, const struct orr_report_pieces *pieces)
{
    int code = 0;
    for (size_t k = 0; k < pieces->count && !code; k++) {
        const struct orr_report_piece *piece = &pieces->items[k];
        if (!piece->scopes.count) {
            fputs(k ? "</details>\n" : "", to);
            put_paper(to, piece->paper);
        }
        code = orr_report_copy_piece(to, piece);
    }
    fputs(pieces->count ? "</details>\n" : "", to);
    return code;
}

static int put_sections(const struct page *page)
{
    const struct orr_selection *selection = page->selection;
    int code = orr_report_scoreboard(page->to, selection);
    if (!code)
        code = put_telling(page->to, &page->pieces);
    if (!code)
        code = orr_report_top(page->to, selection);
    if (!code)
        code = orr_report_claims(page->to, selection);
    if (!code)
        code = put_pieces(page->to, &page->pieces);
    return code ? code : orr_report_bottom(page->to, selection);
}

static int put_page(const struct page *page)
{
    FILE *to = page->to;
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
            "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Orrery "
            "report</title>\n<style>\n%s</style>\n",
            css_report_style);
    fputs("</head>\n<body>\n<div class=\"page\">\n", to);
    put_contents(to, &page->pieces);
    fputs("<div class=\"main\" role=\"main\">\n<h1>Orrery report</h1>\n<p class=\"soft\">Published "
          "GPU N-body results, run again: measured and printed numbers, checked against "
          "double precision.</p>\n",
          to);
    int code = put_sections(page);
    fprintf(to, "</div>\n</div>\n<script>\n%s</script>\n</body>\n</html>\n", js_report_script);
    return code;
}

/* Makes ORR_REPORT_TURNS, and lists the names in that order. */
static int list_machines(struct page *page)
{
    sqlite3_stmt *row;
    const struct orr_ledger *ledger = &page->selection->ledger;
    int code = orr_ledger_execute(
        ledger, "CREATE TEMP TABLE " ORR_REPORT_TURNS " AS SELECT machine, row_number() OVER ("
                "ORDER BY max(EXISTS (SELECT 1 FROM device d WHERE d.run_key = run.run_key AND"
                " device LIKE 'cuda%')) DESC, sum(cells) DESC, machine) AS turn FROM run LEFT JOIN"
                " (SELECT run_key, count(*) AS cells FROM cell GROUP BY 1) USING (run_key)"
                " GROUP BY machine");
    if (code)
        return code;
    code = orr_ledger_query(&row, ledger, "SELECT machine FROM " ORR_REPORT_TURNS " ORDER BY turn",
                            "");
    while (orr_ledger_row(&code, row, ledger)) {
        char **added = orr_memory_add(&page->machines, &page->machine_count, sizeof *added);
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
static int write_parts(struct orr_report *report, struct page *page, const char *folder)
{
    int code = list_machines(page);
    if (!code)
        code = orr_report_begin_pieces(&page->pieces, page->selection, folder, page->machines,
                                       page->machine_count);
    if (code)
        return code;
    judge(page->selection);
    code = orr_report_end_pieces(&page->pieces);
    for (size_t k = 0; k < page->pieces.count && !*report->warning; k++)
        snprintf(report->warning, sizeof report->warning, "%s", page->pieces.shown[k].warning);
    return code ? code : put_page(page);
}

int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder)
{
    struct orr_output output;
    *out = (struct orr_report){0};
    int code = make_folder(folder);
    if (code)
        return code;
    snprintf(out->page, sizeof out->page, "%s/index.html", folder);
    code = orr_output_begin(&output, out->page);
    if (!code)
        code = orr_output_open(&output);
    if (code)
        return code;
    struct page page = {.to = output.file, .selection = selection};
    code = write_parts(out, &page, folder);
    for (size_t k = 0; k < page.machine_count; k++)
        free(page.machines[k]);
    free(page.machines);
    orr_report_release_pieces(&page.pieces);
    return orr_output_end(&output, code);
}
