/* The report's sections of claims: the scoreboard, and each sentence of a paper with its verdicts.
 */
#include <stdio.h>
#include <string.h>

#include "claims/claims.h"
#include "error.h"
#include "json_member.h"
#include "present/write.h"
#include "report/report_parts.h"

static const char *member(const json_t *object, const char *name)
{
    const char *text = orr_json_text(object, name);
    return text ? text : "";
}

static void put_line(FILE *to, const char *before, const char *text, const char *after)
{
    if (!*text)
        return;
    fputs(before, to);
    orr_html_text(to, text);
    fputs(after, to);
}

/* --- the scoreboard: every claim on every device as a badge with its score --- */

/* The class of a colour, and a sign for those who see none. */
static const struct look {
    const char *verdict, *class, *sign;
} looks[] = {{ORR_REPRODUCED, "yes", "✓"},        {ORR_PARTLY, "partly", "◐"},
             {ORR_NOT_REPRODUCED, "no", "✗"},     {ORR_UNCLEAR, "unclear", "?"},
             {ORR_INCOMPLETE, "incomplete", "…"}, {ORR_NOT_MEASURABLE, "unknown", "–"}};

static const struct look *look_of(const char *verdict)
{
    size_t k = 0;
    while (k + 1 < sizeof looks / sizeof *looks && strcmp(looks[k].verdict, verdict) != 0)
        k++;
    return &looks[k];
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
                   look_of(verdict)->class, orr_ledger_text(row, PAPER), orr_ledger_text(row, ID),
                   orr_ledger_text(row, TEXT), orr_ledger_text(row, READINGS),
                   orr_ledger_text(row, ID), look_of(verdict)->sign);
    if (sqlite3_column_int(row, OF) > 0)
        fprintf(to, " %d/%d", sqlite3_column_int(row, HELD), sqlite3_column_int(row, OF));
    fputs("</a>\n", to);
}

/* The badges of one paper on one device. */
static int put_badges(FILE *to, const struct orr_ledger *ledger, const char *paper,
                      const char *machine, const char *device)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger,
                                SCORES "SELECT paper, id, text, verdict, held, of, readings FROM"
                                       " score WHERE choice = 1 AND paper = ? AND machine IS"
                                       " nullif(?, '') AND device IS nullif(?, '') ORDER BY place",
                                "sss", paper, machine, device);
    orr_html_print(to, "<td data-head=\"%s\">", paper);
    while (orr_ledger_row(&code, row, ledger))
        put_badge(to, row);
    fputs("</td>", to);
    return code;
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
        "</p>\n<p class=\"soft\">Each badge is one claim: parts that hold / parts. It links to the "
        "sentence, the numbers and their cells.</p>\n"
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
    int code = orr_claims_query(&row, &selection->ledger, selection->machine);
    sqlite3_finalize(row);
    row = NULL;
    if (!code)
        code = orr_ledger_query(&row, &selection->ledger, devices, "s", selection->machine);
    fputs("<h2 id=\"scoreboard\">Scoreboard</h2>\n", to);
    put_head(to, selection);
    while (orr_ledger_row(&code, row, &selection->ledger))
        code = put_device(to, selection, row);
    fputs("</tbody></table></div>\n", to);
    return code;
}

/* --- parts: a small table for each quantity, its sizes or settings side by side --- */

static size_t same_quantity(const json_t *parts, size_t first)
{
    size_t end = first + 1;
    const char *what = member(json_array_get(parts, first), "what");
    while (end < json_array_size(parts) &&
           !strcmp(member(json_array_get(parts, end), "what"), what))
        end++;
    return end;
}

static void put_heads(FILE *to, const json_t *parts, size_t first, size_t end)
{
    orr_html_print(to, "<caption>%s</caption>\n<tr><th>at</th>",
                   member(json_array_get(parts, first), "what"));
    for (size_t k = first; k < end; k++)
        orr_html_print(to, "<th class=\"r\">%s</th>", member(json_array_get(parts, k), "at"));
    fputs("</tr>\n<tr><td>is</td>", to);
}

/* Its interval, and each cell by its id, which `describe` takes, where the pointer rests. */
static void put_value(FILE *to, const json_t *part)
{
    const char *state = member(part, "state");
    char value[128];
    size_t k;
    json_t *cell;
    orr_claims_part_value(value, sizeof value, part);
    orr_html_print(to, "<td class=\"r %s\" title=\"%s; %s",
                   !strcmp(state, "yes")  ? "yes"
                   : !strcmp(state, "no") ? "no"
                                          : "unclear",
                   value, state);
    json_array_foreach (json_object_get(part, "cells"), k, cell)
        orr_html_print(to, k ? ", %s" : "; cells %s", member(cell, "cell"));
    fputs("\">", to);
    char *interval = strstr(value, " ["), *unit = interval ? strstr(interval, "] ") : NULL;
    if (interval)
        *interval = '\0';
    orr_html_print(to, "%s%s%s %s</td>", *value ? value : "—", unit ? " " : "",
                   unit ? unit + 2 : "",
                   !strcmp(state, "yes")  ? "✓"
                   : !strcmp(state, "no") ? "✗"
                                          : "?");
}

static void put_wants(FILE *to, const json_t *parts, size_t first, size_t end)
{
    const char *wants = member(json_array_get(parts, first), "wants");
    bool same = true;
    for (size_t k = first; k < end; k++)
        same &= !strcmp(member(json_array_get(parts, k), "wants"), wants);
    fputs("</tr>\n<tr class=\"soft\"><td>expected</td>", to);
    for (size_t k = first; k < (same ? first + 1 : end); k++)
        orr_html_print(to, "<td class=\"%s\" colspan=\"%d\">%s</td>", same ? "" : "r",
                       same ? (int)(end - first) : 1, member(json_array_get(parts, k), "wants"));
    fputs("</tr>\n", to);
}

/* What a state says beyond yes and no. */
static void put_states(FILE *to, const json_t *parts, size_t first, size_t end)
{
    const char *last = "";
    for (size_t k = first; k < end; k++) {
        const char *state = member(json_array_get(parts, k), "state");
        if (!strcmp(state, "yes") || !strcmp(state, "no") || !strcmp(state, "unclear") ||
            !strcmp(state, last))
            continue;
        put_line(to, "<p class=\"soft\">", state, "</p>\n");
        last = state;
    }
}

/* Quantities of one number each, from `first` on, share a table; without a column of sizes and
 * settings where none has any. */
static size_t put_singles(FILE *to, const json_t *parts, size_t first)
{
    size_t end = first;
    bool at = false;
    for (; end < json_array_size(parts) && same_quantity(parts, end) == end + 1; end++)
        at = at || *member(json_array_get(parts, end), "at");
    fprintf(to,
            "<div class=\"wide\"><table class=\"parts single\"><tr><th>part</th>%s<th "
            "class=\"r\">measured</th><th>expected</th></tr>\n",
            at ? "<th>at</th>" : "");
    for (size_t k = first; k < end; k++) {
        const json_t *part = json_array_get(parts, k);
        put_line(to, "<tr><td>", member(part, "what"), "</td>");
        if (at)
            orr_html_print(to, "<td>%s</td>", member(part, "at"));
        put_value(to, part);
        orr_html_print(to, "<td class=\"soft\">%s</td></tr>\n", member(part, "wants"));
    }
    return end;
}

static void put_parts(FILE *to, const char *text)
{
    json_t *parts = json_loads(text, 0, NULL);
    for (size_t first = 0, end; first < json_array_size(parts); first = end) {
        end = same_quantity(parts, first);
        if (end == first + 1)
            end = put_singles(to, parts, first);
        else {
            fputs("<div class=\"wide\"><table class=\"parts across\">", to);
            put_heads(to, parts, first, end);
            for (size_t k = first; k < end; k++)
                put_value(to, json_array_get(parts, k));
            put_wants(to, parts, first, end);
        }
        fputs("</table></div>\n", to);
        put_states(to, parts, first, end);
    }
    json_decref(parts);
}

/* --- claims --- */

/* Its verdicts as signs, so that a folded claim says how it went. */
static int put_signs(FILE *to, const struct orr_selection *selection, const char *paper,
                     const char *id)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, &selection->ledger,
        "SELECT verdict, coalesce(machine || ' ', '') || coalesce(device || ', ', '') || reading"
        " || ': ' || verdict FROM judgement LEFT JOIN " ORR_REPORT_TURNS
        " USING (machine) WHERE paper = ? AND id = ? AND coalesce(machine = ?, 1)"
        " ORDER BY machine IS NULL, turn, device, reading <> 'as printed', reading",
        "sss", paper, id, selection->machine);
    while (orr_ledger_row(&code, row, &selection->ledger)) {
        const char *verdict = orr_ledger_text(row, 0);
        orr_html_print(to, " <span class=\"badge %s\" title=\"%s\">%s</span>",
                       look_of(verdict)->class, orr_ledger_text(row, 1), look_of(verdict)->sign);
    }
    return code;
}

static int put_claim(FILE *to, const struct orr_selection *selection, sqlite3_stmt *row)
{
    const char *section = orr_ledger_text(row, ORR_CLAIM_SECTION);
    const char *paper = orr_ledger_text(row, ORR_CLAIM_PAPER),
               *id = orr_ledger_text(row, ORR_CLAIM_ID);
    orr_html_print(to, "<details class=\"claim\" id=\"claim-%s-%s\"><summary><b>%s</b>%s", paper,
                   id, id, orr_ledger_text(row, ORR_CLAIM_TEXT));
    int code = put_signs(to, selection, paper, id);
    fputs("</summary>\n", to);
    put_line(to, "<blockquote>&ldquo;", orr_ledger_text(row, ORR_CLAIM_QUOTE),
             "&rdquo;</blockquote>\n");
    orr_html_print(to, "<p class=\"soft\">%s", section);
    put_line(to,
             *section ? "; published: " : "published: ", orr_ledger_text(row, ORR_CLAIM_PUBLISHED),
             "");
    fputs("</p>\n<div class=\"verdicts\">\n", to);
    return code;
}

/* Verdicts come by the names of machines; the page has an order of its own. */
static int put_verdict(FILE *to, const struct orr_ledger *ledger, sqlite3_stmt *row)
{
    const char *verdict = orr_ledger_text(row, ORR_CLAIM_VERDICT);
    double turn;
    int code = orr_ledger_numbers(&turn, 1, ledger,
                                  "SELECT turn FROM " ORR_REPORT_TURNS " WHERE machine = ?", "s",
                                  orr_ledger_text(row, ORR_CLAIM_MACHINE));
    if (code < 0)
        return code;
    orr_html_print(to,
                   "<div class=\"verdict\" style=\"order:%d\"><p><span class=\"badge %s\">%s %s",
                   code ? (int)turn : 0, look_of(verdict)->class, look_of(verdict)->sign,
                   orr_ledger_text(row, ORR_CLAIM_SCORE));
    put_line(to, "</span> <b>", orr_ledger_text(row, ORR_CLAIM_MACHINE), "</b>");
    put_line(to, ", ", orr_ledger_text(row, ORR_CLAIM_DEVICE), "");
    put_line(to, ", ", orr_ledger_text(row, ORR_CLAIM_READING), "");
    fputs("</p>\n", to);
    put_parts(to, orr_ledger_text(row, ORR_CLAIM_PARTS));
    put_line(to, "<details><summary>In words</summary><p>",
             orr_ledger_text(row, ORR_CLAIM_MEASURED), "</p>");
    put_line(to, *orr_ledger_text(row, ORR_CLAIM_MEASURED) ? "<p>" : "<p class=\"soft\">",
             orr_ledger_text(row, ORR_CLAIM_WHY), "</p>");
    fputs(*orr_ledger_text(row, ORR_CLAIM_MEASURED) ? "</details></div>\n" : "</div>\n", to);
    return 0;
}

int orr_report_claims(FILE *to, const struct orr_selection *selection)
{
    char paper[64] = "", id[64] = "";
    sqlite3_stmt *row;
    int code = orr_claims_query(&row, &selection->ledger, selection->machine);
    fputs("<h2 id=\"claims\">Claims</h2>\n<p class=\"soft\">What the papers say, judged on every "
          "device that was measured. <code>docs/METHOD.md</code> has the rules; <code>orrery "
          "describe</code> shows a claim, and a cell by its id.</p>\n",
          to);
    while (orr_ledger_row(&code, row, &selection->ledger)) {
        bool other = strcmp(paper, orr_ledger_text(row, ORR_CLAIM_PAPER)) != 0;
        bool next = other || strcmp(id, orr_ledger_text(row, ORR_CLAIM_ID)) != 0;
        if (next && *id)
            fputs("</div></details>\n", to);
        snprintf(paper, sizeof paper, "%s", orr_ledger_text(row, ORR_CLAIM_PAPER));
        snprintf(id, sizeof id, "%s", orr_ledger_text(row, ORR_CLAIM_ID));
        if (other)
            fprintf(to, "<h3 id=\"claims-%s\">%s</h3>\n", paper, paper);
        if (next)
            code = put_claim(to, selection, row);
        if (!code)
            code = put_verdict(to, &selection->ledger, row);
    }
    fputs(*id ? "</div></details>\n" : "<p>None.</p>\n", to);
    return code;
}
