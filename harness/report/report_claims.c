/* SPDX-License-Identifier: MIT */
/* The report's sections of claims: the scoreboard, and each sentence of a paper with its verdicts.
 */
#include <stdio.h>
#include <string.h>

#include "claims/claims.h"
#include "error.h"
#include "format_value.h"
#include "json_member.h"
#include "names.h"
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

/* The class of a colour, a sign for those who see none, and a word; NULL: how many parts hold. */
static const struct look {
    const char *verdict, *class, *sign, *word;
} looks[] = {{ORR_REPRODUCED, "yes", "✓", "yes"},
             {ORR_PARTLY, "partly", "◐", NULL},
             {ORR_NOT_REPRODUCED, "no", "✗", "no"},
             {ORR_UNCLEAR, "unclear", "?", "unclear"},
             {ORR_INCOMPLETE, "incomplete", "…", "not all measured"},
             {ORR_NOT_MEASURABLE, "unknown", "–", "not measurable"}};

static const struct look *look_of(const char *verdict)
{
    size_t k = 0;
    while (k + 1 < sizeof looks / sizeof *looks && strcmp(looks[k].verdict, verdict) != 0)
        k++;
    return &looks[k];
}

/* --- what was found, in a sentence --- */

/* "1.02 to 1.06", "26.3 ms": what the part of a claim, "N1:double-unrolling over cpu-only", has as
 * printed. 0 where it was not measured. */
static int find_value(char *out, size_t size, const struct orr_ledger *ledger, const char *paper,
                      const char *machine, const char *device, const char *name)
{
    double ends[2];
    char low[32], high[32];
    int code = orr_ledger_numbers(
        ends, 2, ledger,
        "SELECT min(value), max(value) FROM judgement_part WHERE paper = ? AND machine = ? AND"
        " device = ? AND id || ':' || what = ? AND reading = 'as printed' AND is_measured"
        " HAVING count(value) > 0",
        "ssss", paper, machine, device, name);
    if (code <= 0)
        return code;
    orr_format_number(low, sizeof low, ends[0]);
    orr_format_number(high, sizeof high, ends[1]);
    snprintf(out, size, !strcmp(low, high) ? "%s" : "%s to %s", low, high);
    return 1;
}

/* The paper's sentence with today's numbers in it. 0 where one of them was not measured. */
static int fill_sentence(char *out, size_t size, const struct orr_ledger *ledger,
                         const struct orr_paper *paper, const char *machine, const char *device)
{
    int code = paper->found != NULL;
    char name[256], value[80];
    size_t used = 0;
    *out = '\0';
    for (const char *from = paper->found; code > 0 && *from;) {
        size_t plain = strcspn(from, "{"), length = strcspn(from + plain, "}");
        snprintf(name, sizeof name, "%.*s", length ? (int)length - 1 : 0, from + plain + 1);
        *value = '\0';
        if (from[plain])
            code = find_value(value, sizeof value, ledger, paper->key, machine, device, name);
        snprintf(out + used, size - used, "%.*s%s", (int)plain, from, value);
        used = strlen(out);
        from += plain + length + (from[plain + length] == '}');
    }
    return code;
}

/* On the first device with results of the paper. */
int orr_report_found(FILE *to, const struct orr_selection *selection, const struct orr_paper *paper)
{
    enum { MACHINE, DEVICE, REPRODUCED, PARTLY, NOT };
    static const char counts[] =
        "SELECT machine, device, sum(verdict = '" ORR_REPRODUCED "'), sum(verdict = '" ORR_PARTLY
        "'), sum(verdict = '" ORR_NOT_REPRODUCED "') FROM score WHERE paper = ?"
        " AND turn NOT NULL GROUP BY machine, device ORDER BY turn, device LIMIT 1";
    sqlite3_stmt *row;
    char sentence[2048];
    int rows = 0, code = orr_ledger_query(&row, &selection->ledger, counts, "s", paper->key);
    for (; orr_ledger_row(&code, row, &selection->ledger); rows++) {
        int held = sqlite3_column_int(row, REPRODUCED), partly = sqlite3_column_int(row, PARTLY),
            broken = sqlite3_column_int(row, NOT);
        int found = fill_sentence(sentence, sizeof sentence, &selection->ledger, paper,
                                  orr_ledger_text(row, MACHINE), orr_ledger_text(row, DEVICE));
        orr_html_print(to, "<p><b>Found on %s:</b> %s%s", orr_ledger_text(row, MACHINE),
                       found > 0 ? sentence : "", found > 0 ? "; " : "");
        if (held + partly + broken)
            orr_html_print(to, "of %d judged claims, %d are reproduced, %d partly, %d not.</p>\n",
                           held + partly + broken, held, partly, broken);
        else
            orr_html_print(to,
                           "too little was measured to judge a claim; <code>orrery run %s</code> "
                           "measures more.</p>\n",
                           paper->key);
        if (found < 0)
            code = found;
    }
    if (!rows)
        fputs("<p class=\"soft\">Nothing was measured of it here.</p>\n", to);
    return code;
}

/* --- the scoreboard: a line a claim, with its verdict on each machine --- */

enum { PAPER, ID, TEXT, MACHINE, DEVICE, VERDICT, HELD, OF, READINGS };

static void put_badge(FILE *to, sqlite3_stmt *row)
{
    const struct look *look = look_of(orr_ledger_text(row, VERDICT));
    orr_html_print(to, "<a class=\"badge %s\" href=\"%s.html#claim-%s\" title=\"%s %s; %s\">%s ",
                   look->class, orr_ledger_text(row, PAPER), orr_ledger_text(row, ID),
                   orr_ledger_text(row, MACHINE), orr_ledger_text(row, DEVICE),
                   orr_ledger_text(row, READINGS), look->sign);
    if (look->word)
        fputs(look->word, to);
    else
        fprintf(to, "%d/%d", sqlite3_column_int(row, HELD), sqlite3_column_int(row, OF));
    fputs("</a>\n", to);
}

/* The verdicts on a claim, on one machine (NULL: on all) or by the paper alone: a badge a device.
 */
static int put_badges(FILE *to, const struct orr_ledger *ledger, const char *paper, const char *id,
                      const char *machine)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT paper, id, text, machine, device, verdict, held, of, readings FROM score"
        " WHERE paper = ? AND id = ? AND coalesce(machine = ?, 1) ORDER BY turn, device",
        "sss", paper, id, machine);
    while (orr_ledger_row(&code, row, ledger))
        put_badge(to, row);
    return code;
}

static void put_legend(FILE *to)
{
    fputs("<h2 id=\"scoreboard\">Scoreboard</h2>\n<p>", to);
    for (size_t k = 0; k < sizeof looks / sizeof *looks; k++)
        fprintf(to, "<span class=\"badge %s\">%s %s</span> %s\n", looks[k].class, looks[k].sign,
                looks[k].word ? looks[k].word : "3/4",
                looks[k].word ? looks[k].verdict : "3 of 4 parts hold");
    fputs("</p>\n<div class=\"wide\"><table class=\"scores\"><thead><tr><th>claim</th>"
          "<th>what the paper says</th>",
          to);
}

/* Where the results of machines are that have no column. */
static int put_unjudged(FILE *to, const struct orr_ledger *ledger)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT machine, replace(group_concat(DISTINCT paper), ',', ', ') FROM cells "
        "JOIN machine_turn USING (machine) WHERE machine NOT IN (SELECT machine FROM score WHERE "
        "turn NOT NULL)"
        " GROUP BY machine ORDER BY turn",
        "");
    while (orr_ledger_row(&code, row, ledger))
        orr_html_print(to,
                       "<p class=\"soft\">%s measured nothing that a claim is judged by; its "
                       "results are on the pages of %s.</p>\n",
                       orr_ledger_text(row, 0), orr_ledger_text(row, 1));
    return code;
}

int orr_report_scoreboard(FILE *to, const struct orr_selection *selection)
{
    static const char claims[] =
        "SELECT paper, id, text FROM score GROUP BY paper, id ORDER BY paper, place";
    const struct orr_ledger *ledger = &selection->ledger;
    struct orr_names machines = {0};
    char paper[64] = "";
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, ledger,
                                "SELECT machine FROM score WHERE turn NOT NULL GROUP BY turn", "");
    put_legend(to);
    while (orr_ledger_row(&code, row, ledger)) {
        orr_names_add(&machines, "%s", orr_ledger_text(row, 0));
        orr_html_print(to, "<th>%s</th>", orr_ledger_text(row, 0));
    }
    fputs("</tr></thead><tbody>\n", to);
    if (!code)
        code = orr_ledger_query(&row, ledger, claims, "");
    while (orr_ledger_row(&code, row, ledger)) {
        const char *key = orr_ledger_text(row, PAPER), *id = orr_ledger_text(row, ID);
        if (strcmp(paper, key) != 0)
            orr_html_print(to, "<tr class=\"paper\"><th colspan=\"%d\">%s</th></tr>\n",
                           (int)machines.count + 2, key);
        snprintf(paper, sizeof paper, "%s", key);
        orr_html_print(to, "<tr><td><a href=\"%s.html#claim-%s\">%s</a></td><td>%s</td>", key, id,
                       id, orr_ledger_text(row, TEXT));
        for (size_t k = 0; k < machines.count && !code; k++) {
            orr_html_print(to, "<td data-head=\"%s\">", machines.items[k]);
            code = put_badges(to, ledger, key, id, machines.items[k]);
            fputs("</td>", to);
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
    orr_names_free(machines.items);
    return code ? code : put_unjudged(to, ledger);
}

/* --- parts --- */

/* Its interval, and each cell by its id, which `describe` takes, where the pointer rests; what a
 * state says beyond yes and no stands below the number. */
static void put_value(FILE *to, const json_t *part)
{
    const char *state = member(part, "state");
    bool holds = !strcmp(state, "yes"), fails = !strcmp(state, "no");
    char value[128];
    size_t k;
    json_t *cell;
    orr_claims_part_value(value, sizeof value, part);
    orr_html_print(to, "<td class=\"r %s\" title=\"%s",
                   holds   ? "yes"
                   : fails ? "no"
                           : "unclear",
                   state);
    json_array_foreach (json_object_get(part, "cells"), k, cell)
        orr_html_print(to, k ? ", %s" : "; cells %s", member(cell, "cell"));
    orr_html_print(to, "\">%s %s", *value ? value : "—", holds ? "✓" : fails ? "✗" : "?");
    put_line(to, "<br>", holds || fails || !strcmp(state, "unclear") ? "" : state, "");
    fputs("</td>", to);
}

static void put_parts(FILE *to, const char *text)
{
    json_t *parts = json_loads(text, 0, NULL), *part;
    size_t k;
    if (json_array_size(parts))
        fputs("<div class=\"wide\"><table class=\"parts\"><tr><th>part</th><th>at</th><th "
              "class=\"r\">measured [95&nbsp;% interval]</th><th>expected</th></tr>\n",
              to);
    json_array_foreach (parts, k, part) {
        orr_html_print(to, "<tr><td>%s</td><td>%s</td>", member(part, "what"), member(part, "at"));
        put_value(to, part);
        orr_html_print(to, "<td class=\"soft\">%s</td></tr>\n", member(part, "wants"));
    }
    fputs(json_array_size(parts) ? "</table></div>\n" : "", to);
    json_decref(parts);
}

/* --- claims --- */

static int put_claim(FILE *to, const struct orr_selection *selection, sqlite3_stmt *row)
{
    const char *section = orr_ledger_text(row, ORR_CLAIM_SECTION);
    const char *paper = orr_ledger_text(row, ORR_CLAIM_PAPER),
               *id = orr_ledger_text(row, ORR_CLAIM_ID);
    orr_html_print(to, "<details class=\"claim\" id=\"claim-%s\"><summary><b>%s</b>%s\n", id, id,
                   orr_ledger_text(row, ORR_CLAIM_TEXT));
    int code = put_badges(to, &selection->ledger, paper, id, NULL);
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
    int code =
        orr_ledger_numbers(&turn, 1, ledger, "SELECT turn FROM machine_turn WHERE machine = ?", "s",
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

int orr_report_claims(FILE *to, const struct orr_selection *selection, const char *paper)
{
    char id[64] = "";
    sqlite3_stmt *row;
    int code = orr_claims_query(&row, &selection->ledger, selection->machine);
    fputs("<h2 id=\"claims\">Claims</h2>\n<p class=\"soft\">What the paper says, judged on every "
          "device that was measured. <code>docs/METHOD.md</code> has the rules; <code>orrery "
          "describe</code> shows a claim, and a cell by its id.</p>\n",
          to);
    while (orr_ledger_row(&code, row, &selection->ledger)) {
        if (strcmp(paper, orr_ledger_text(row, ORR_CLAIM_PAPER)) != 0)
            continue;
        bool next = strcmp(id, orr_ledger_text(row, ORR_CLAIM_ID)) != 0;
        if (next && *id)
            fputs("</div></details>\n", to);
        snprintf(id, sizeof id, "%s", orr_ledger_text(row, ORR_CLAIM_ID));
        if (next)
            code = put_claim(to, selection, row);
        if (!code)
            code = put_verdict(to, &selection->ledger, row);
    }
    fputs(*id ? "</div></details>\n" : "<p>None.</p>\n", to);
    return code;
}
