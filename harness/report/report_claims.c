/* The report's section of claims: each sentence of a paper with its verdicts. */
#include <stdio.h>
#include <string.h>

#include "claims/claims.h"
#include "error.h"
#include "report/report_parts.h"
#include "present/write.h"

/* The verdict in words is the text; the class only colours it. */
static const char *class_of(const char *verdict)
{
    if (!strcmp(verdict, ORR_REPRODUCED))
        return "yes";
    if (!strcmp(verdict, ORR_PARTLY))
        return "partly";
    return strcmp(verdict, ORR_NOT_REPRODUCED) ? "unknown" : "no";
}

static void put_cell(FILE *to, const char *class, const char *text)
{
    fprintf(to, "<td%s%s%s>", *class ? " class=\"" : "", class, *class ? "\"" : "");
    orr_html_text(to, text);
    fputs("</td>", to);
}

static void put_claim(FILE *to, sqlite3_stmt *row)
{
    fputs("<tr><th>", to);
    orr_html_text(to, orr_ledger_text(row, ORR_CLAIM_ID));
    fputs("</th><th colspan=\"6\" class=\"long\">", to);
    orr_html_text(to, orr_ledger_text(row, ORR_CLAIM_TEXT));
    fputs("<br><span class=\"soft\">published: ", to);
    orr_html_text(to, orr_ledger_text(row, ORR_CLAIM_PUBLISHED));
    fputs("</span></th></tr>\n", to);
}

static void put_verdict(FILE *to, sqlite3_stmt *row)
{
    const char *verdict = orr_ledger_text(row, ORR_CLAIM_VERDICT);
    fputs("<tr><td></td>", to);
    put_cell(to, "", orr_ledger_text(row, ORR_CLAIM_MACHINE));
    put_cell(to, "", orr_ledger_text(row, ORR_CLAIM_DEVICE));
    put_cell(to, "", orr_ledger_text(row, ORR_CLAIM_READING));
    put_cell(to, class_of(verdict), orr_ledger_text(row, ORR_CLAIM_SCORE));
    put_cell(to, "long", orr_ledger_text(row, ORR_CLAIM_MEASURED));
    put_cell(to, "long", orr_ledger_text(row, ORR_CLAIM_WHY));
    fputs("</tr>\n", to);
}

static void put_paper(FILE *to, const char *paper)
{
    fprintf(to, "<h3 id=\"claims-%s\">%s</h3>\n", paper, paper);
    fputs("<div "
          "class=\"wide\"><table><thead><tr><th></th><th>machine</th><th>device</th><th>reading</"
          "th><th>verdict</th><th>measured</th>"
          "<th>why</th></tr></thead><tbody>\n",
          to);
}

int orr_report_claims(FILE *to, const struct orr_selection *selection)
{
    static const char end[] = "</tbody></table></div>\n";
    char paper[64] = "", id[64] = "";
    sqlite3_stmt *row;
    int more, code = orr_claims_query(&row, &selection->ledger, selection->machine);
    if (code)
        return code;
    fputs("<h2 id=\"claims\">Claims</h2>\n<p class=\"soft\">What the papers say, judged on every "
          "device that was "
          "measured."
          " <code>docs/METHOD.md</code> has the rules.</p>\n",
          to);
    while ((more = orr_ledger_next(row, &selection->ledger)) > 0) {
        if (strcmp(paper, orr_ledger_text(row, ORR_CLAIM_PAPER)) != 0) {
            fputs(*paper ? end : "", to);
            snprintf(paper, sizeof paper, "%s", orr_ledger_text(row, ORR_CLAIM_PAPER));
            *id = '\0';
            put_paper(to, paper);
        }
        if (strcmp(id, orr_ledger_text(row, ORR_CLAIM_ID)) != 0)
            put_claim(to, row);
        snprintf(id, sizeof id, "%s", orr_ledger_text(row, ORR_CLAIM_ID));
        put_verdict(to, row);
    }
    sqlite3_finalize(row);
    fputs(*paper ? end : "<p>None.</p>\n", to);
    return more;
}
