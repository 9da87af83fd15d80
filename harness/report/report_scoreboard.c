/* What the report opens with: every claim on every device as a badge with its score. */
#include <string.h>

#include "claims/claims.h"
#include "report/report_parts.h"
#include "present/write.h"

static const struct {
    const char *verdict, *class, *sign;
} looks[] = {{ORR_REPRODUCED, "yes", "✓"},        {ORR_PARTLY, "partly", "◐"},
             {ORR_NOT_REPRODUCED, "no", "✗"},     {ORR_UNCLEAR, "unclear", "?"},
             {ORR_INCOMPLETE, "incomplete", "…"}, {ORR_NOT_MEASURABLE, "unknown", "–"}};

static size_t look_of(const char *verdict)
{
    size_t k = 0;
    while (k + 1 < sizeof looks / sizeof *looks && strcmp(looks[k].verdict, verdict) != 0)
        k++;
    return k;
}

const char *orr_report_verdict_class(const char *verdict)
{
    return looks[look_of(verdict)].class;
}

const char *orr_report_verdict_sign(const char *verdict)
{
    return looks[look_of(verdict)].sign;
}

/* One verdict of each claim on each device: as printed, where it was judged so. */
#define SCORES                                                                                   \
    "WITH score AS (SELECT *, row_number() OVER (PARTITION BY paper, id, machine, device ORDER"  \
    " BY reading <> 'as printed', reading) AS choice, group_concat(reading || ': ' || verdict, " \
    "'; ')"                                                                                      \
    " OVER (PARTITION BY paper, id, machine, device) AS readings FROM judgement)"

enum { PAPER, ID, TEXT, VERDICT, HELD, OF, READINGS };

static void put_badge(FILE *to, sqlite3_stmt *row)
{
    const char *verdict = orr_ledger_text(row, VERDICT);
    orr_html_print(to, "<a class=\"badge %s\" href=\"#claim-%s-%s\" title=\"%s — %s\">%s %s",
                   orr_report_verdict_class(verdict), orr_ledger_text(row, PAPER),
                   orr_ledger_text(row, ID), orr_ledger_text(row, TEXT),
                   orr_ledger_text(row, READINGS), orr_ledger_text(row, ID),
                   orr_report_verdict_sign(verdict));
    if (sqlite3_column_int(row, OF) > 0)
        fprintf(to, " %d/%d", sqlite3_column_int(row, HELD), sqlite3_column_int(row, OF));
    fputs("</a>\n", to);
}

/* The badges of one paper on one device. */
static int put_badges(FILE *to, const struct orr_ledger *ledger, const char *paper,
                      const char *machine, const char *device)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, ledger,
                                      SCORES "SELECT paper, id, text, verdict, held, of, readings"
                                             " FROM score WHERE choice = 1 AND paper = ? AND"
                                             " machine IS nullif(?, '') AND device IS"
                                             " nullif(?, '') ORDER BY place",
                                      "sss", paper, machine, device);
    if (code)
        return code;
    orr_html_print(to, "<td data-head=\"%s\">", paper);
    while ((more = orr_ledger_next(row, ledger)) > 0)
        put_badge(to, row);
    sqlite3_finalize(row);
    fputs("</td>", to);
    return more;
}

static int put_device(FILE *to, const struct orr_selection *selection, sqlite3_stmt *row)
{
    char machine[256], device[128];
    int code = 0;
    snprintf(machine, sizeof machine, "%s", orr_ledger_text(row, 0));
    snprintf(device, sizeof device, "%s", orr_ledger_text(row, 1));
    orr_html_print(to, "<tr><th><b>%s</b>%s<br><span class=\"soft\">%s</span></th>",
                   *machine ? machine : "any machine", *device ? device : "by the paper alone",
                   orr_ledger_text(row, 2));
    for (size_t k = 0; k < selection->paper_count && !code; k++)
        code = put_badges(to, &selection->ledger, selection->papers[k]->key, machine, device);
    fputs("</tr>\n", to);
    return code;
}

static void put_head(FILE *to, const struct orr_selection *selection)
{
    fputs("<p>", to);
    for (size_t k = 0; k < sizeof looks / sizeof *looks; k++)
        fprintf(to, "<span class=\"badge %s\">%s %s</span>\n", looks[k].class, looks[k].sign,
                looks[k].verdict);
    fputs(
        "</p>\n<p class=\"soft\">A badge is a claim: how many of its parts hold on the device, of "
        "how many. It leads to the sentence, the numbers and their cells.</p>\n"
        "<div class=\"wide\"><table class=\"scores\"><thead><tr><th>device</th>",
        to);
    for (size_t k = 0; k < selection->paper_count; k++)
        orr_html_print(to, "<th>%s</th>", selection->papers[k]->key);
    fputs("</tr></thead><tbody>\n", to);
}

/* Reads what orr_claims_query made, which comes first. */
int orr_report_scoreboard(FILE *to, const struct orr_selection *selection)
{
    static const char devices[] =
        SCORES "SELECT machine, device, (SELECT group_concat(times || ' ' || verdict, ', ') FROM"
               " (SELECT verdict, count(*) AS times FROM score q WHERE choice = 1 AND q.machine IS"
               " s.machine AND q.device IS s.device GROUP BY verdict ORDER BY"
               " instr('" ORR_REPRODUCED "," ORR_PARTLY "," ORR_NOT_REPRODUCED "," ORR_UNCLEAR
               "," ORR_INCOMPLETE "," ORR_NOT_MEASURABLE "', verdict)))"
               " FROM score s LEFT JOIN " ORR_REPORT_TURNS
               " USING (machine) WHERE coalesce(machine = ?, 1)"
               " GROUP BY machine, device ORDER BY machine IS NULL, turn, device";
    sqlite3_stmt *row = NULL;
    int more = 0, code = orr_claims_query(&row, &selection->ledger, selection->machine);
    sqlite3_finalize(row);
    if (!code)
        code = orr_ledger_query(&row, &selection->ledger, devices, "s", selection->machine);
    if (code)
        return code;
    fputs("<h2 id=\"scoreboard\">Scoreboard</h2>\n", to);
    put_head(to, selection);
    while (!code && (more = orr_ledger_next(row, &selection->ledger)) > 0)
        code = put_device(to, selection, row);
    sqlite3_finalize(row);
    fputs("</tbody></table></div>\n", to);
    return code ? code : more;
}
