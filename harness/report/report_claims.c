/* The report's section of claims: each sentence of a paper with its verdicts. */
#include <stdio.h>
#include <string.h>

#include "claims/claims.h"
#include "error.h"
#include "json_member.h"
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

static void put_line(FILE *to, const char *before, const char *text, const char *after)
{
    if (!*text)
        return;
    fprintf(to, "<br><span class=\"soft\">%s", before);
    orr_html_text(to, text);
    fprintf(to, "%s</span>", after);
}

static void put_claim(FILE *to, sqlite3_stmt *row)
{
    const char *section = orr_ledger_text(row, ORR_CLAIM_SECTION);
    fputs("<tr><th>", to);
    orr_html_text(to, orr_ledger_text(row, ORR_CLAIM_ID));
    fputs("</th><th colspan=\"6\" class=\"long\">", to);
    orr_html_text(to, section);
    fputs(*section ? ": " : "", to);
    orr_html_text(to, orr_ledger_text(row, ORR_CLAIM_TEXT));
    put_line(to, "&ldquo;", orr_ledger_text(row, ORR_CLAIM_QUOTE), "&rdquo;");
    put_line(to, "published: ", orr_ledger_text(row, ORR_CLAIM_PUBLISHED), "");
    fputs("</th></tr>\n", to);
}

static const char *member(const json_t *object, const char *name)
{
    const char *text = orr_json_text(object, name);
    return text ? text : "";
}

/* Each cell by its id, which `describe` takes. */
static void put_cells(FILE *to, const json_t *cells)
{
    size_t k;
    json_t *cell;
    fputs("<td class=\"long\">", to);
    json_array_foreach(cells, k, cell)
    {
        fprintf(to, "%s<code title=\"", k ? " " : "");
        orr_html_text(to, member(cell, "variant"));
        fputs(", run ", to);
        orr_html_text(to, member(cell, "run"));
        fputs("\">", to);
        orr_html_text(to, member(cell, "cell"));
        fputs("</code>", to);
    }
    fputs("</td>", to);
}

static void put_part(FILE *to, const json_t *part)
{
    const char *state = member(part, "state");
    char value[128];
    fputs("<tr>", to);
    put_cell(to, "", member(part, "what"));
    put_cell(to, "", member(part, "at"));
    put_cell(to, "r", orr_claims_part_value(value, sizeof value, part));
    put_cell(to, "", member(part, "wants"));
    put_cell(to,
             !strcmp(state, "yes") ? "yes"
             : strcmp(state, "no") ? "unknown long"
                                   : "no",
             state);
    put_cells(to, json_object_get(part, "cells"));
    fputs("</tr>\n", to);
}

/* The parts of a verdict, folded in. */
static int put_parts(FILE *to, const char *text)
{
    size_t k;
    json_t *parts = json_loads(text, 0, NULL), *part;
    if (!parts)
        return orr_fail(ORR_EMEMORY, "no memory for the parts of a claim");
    if (json_array_size(parts)) {
        fprintf(to,
                "<tr><td></td><td colspan=\"6\" class=\"long\"><details><summary>%zu part%s"
                "</summary><table><thead><tr><th>part</th><th>at</th><th>value</th><th>is to be"
                "</th><th>holds</th><th>cells</th></tr></thead><tbody>\n",
                json_array_size(parts), json_array_size(parts) == 1 ? "" : "s");
        json_array_foreach(parts, k, part)
        {
            put_part(to, part);
        }
        fputs("</tbody></table></details></td></tr>\n", to);
    }
    json_decref(parts);
    return 0;
}

static int put_verdict(FILE *to, sqlite3_stmt *row)
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
    return put_parts(to, orr_ledger_text(row, ORR_CLAIM_PARTS));
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
    int more = 0, code = orr_claims_query(&row, &selection->ledger, selection->machine);
    if (code)
        return code;
    fputs("<h2 id=\"claims\">Claims</h2>\n<p class=\"soft\">What the papers say, judged on every "
          "device that was "
          "measured."
          " <code>docs/METHOD.md</code> has the rules; <code>orrery describe</code> shows a claim, "
          "and a cell by its id.</p>\n",
          to);
    while (!code && (more = orr_ledger_next(row, &selection->ledger)) > 0) {
        if (strcmp(paper, orr_ledger_text(row, ORR_CLAIM_PAPER)) != 0) {
            fputs(*paper ? end : "", to);
            snprintf(paper, sizeof paper, "%s", orr_ledger_text(row, ORR_CLAIM_PAPER));
            *id = '\0';
            put_paper(to, paper);
        }
        if (strcmp(id, orr_ledger_text(row, ORR_CLAIM_ID)) != 0)
            put_claim(to, row);
        snprintf(id, sizeof id, "%s", orr_ledger_text(row, ORR_CLAIM_ID));
        code = put_verdict(to, row);
    }
    sqlite3_finalize(row);
    fputs(*paper ? end : "<p>None.</p>\n", to);
    return code ? code : more;
}
