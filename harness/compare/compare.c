/* SPDX-License-Identifier: MIT */
/* Two or more sets of results: which they are, what differs, and what is shown of it. */
#include "compare/compare.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compare/sides.h"
#include "error.h"
#include "present/queries.h"
#include "sql/compare/compare.h"

/* --- operands --- */

int orr_compare_parse(struct orr_compare_operand *out, const char *letter, const char *word)
{
    *out = (struct orr_compare_operand){.word = word};
    snprintf(out->letter, sizeof out->letter, "%s", letter);
    const char *at = access(word, F_OK) ? strrchr(word, '@') : NULL;
    size_t length = at ? (size_t)(at - word) : strlen(word);
    if (!length || (at && !at[1]))
        return orr_fail(
            ORR_EUSAGE,
            "%s, '%s', lacks its %s: a side is a journal, folder or machine, or one of these "
            "with @DEVICE behind it, as in nvidia-h200@cuda:0",
            letter, word, length ? "device" : "journals");
    if (length >= sizeof out->where || (at && strlen(at + 1) >= sizeof out->device))
        return orr_fail(ORR_EUSAGE, "%s, '%s', is too long", letter, word);
    snprintf(out->where, sizeof out->where, "%.*s", (int)length, word);
    snprintf(out->device, sizeof out->device, "%s", at ? at + 1 : "");
    return 0;
}

/* Lists the rows of a query on an operand, with commas between. How many there are, or a negative
 * code. */
static int list_of(char *out, size_t size, const struct orr_comparison *comparison, const char *sql,
                   const char *operand)
{
    const struct orr_ledger *ledger = &comparison->selection.ledger;
    sqlite3_stmt *row;
    int count = 0, code = orr_ledger_query(&row, ledger, sql, "s", operand);
    *out = '\0';
    while (orr_ledger_row(&code, row, ledger)) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", used ? ", " : "", orr_ledger_text(row, 0));
        count++;
    }
    return code ? code : count;
}

static int check_device(const struct orr_comparison *comparison,
                        const struct orr_compare_operand *operand)
{
    char known[512];
    double cells;
    int code = orr_ledger_numbers(&cells, 1, &comparison->selection.ledger,
                                  "SELECT count(*) FROM cells WHERE operand = ? AND device = ?",
                                  "ss", operand->letter, operand->device);
    if (code < 0 || cells > 0)
        return code < 0 ? code : 0;
    list_of(known, sizeof known, comparison,
            "SELECT DISTINCT device FROM cells WHERE operand = ? AND device IS NOT NULL ORDER BY 1",
            operand->letter);
    return orr_fail(ORR_EUSAGE, "%s, %s, has no results on a device '%s'; there are: %s",
                    operand->letter, operand->where, operand->device, known);
}

static int settle_operand(struct orr_comparison *comparison, struct orr_compare_operand *operand,
                          const char *what)
{
    int count =
        list_of(operand->machine, sizeof operand->machine, comparison,
                "SELECT DISTINCT machine FROM cells WHERE operand = ? ORDER BY 1", operand->letter);
    if (count < 0)
        return count;
    if (count == 0)
        return orr_fail(ORR_EUSAGE, "%s, %s, has no results: no journal there holds a cell%s%s",
                        operand->letter, operand->where, what ? " of " : "", what ? what : "");
    if (count > 1)
        return orr_fail(
            ORR_EUSAGE,
            "%s, %s, has results of %d machines, and a side is one: name the folder, a journal "
            "or the machine of one of them (%s)",
            operand->letter, operand->where, count, operand->machine);
    return *operand->device ? check_device(comparison, operand) : 0;
}

/* Where each operand's results are, in the order of the words. */
static int load_journals(struct orr_comparison *out, const char *what)
{
    char *from[ORR_COMPARE_MOST];
    for (size_t k = 0; k < out->count; k++)
        from[k] = out->operands[k].where;
    const struct orr_wish wish = {.from = from, .from_count = (int)out->count, .operands = true};
    int code = orr_selection_make(&out->selection, &wish, what);
    for (size_t k = 0; k < out->count && !code; k++)
        code = settle_operand(out, &out->operands[k], what);
    return code;
}

int orr_compare_load(struct orr_comparison *out, char *const *words, size_t count, const char *what)
{
    *out = (struct orr_comparison){.count = count};
    struct orr_compare_operand *operands = out->operands;
    int code = orr_sides_queries(&out->queries);
    if (!code)
        code = orr_queries_add(&out->queries, "compare/compare.sql", sql_compare_compare);
    if (!code && count > ORR_COMPARE_MOST)
        code = orr_fail(ORR_EUSAGE, "compare takes %d sets of results at most, not %zu",
                        ORR_COMPARE_MOST, count);
    for (size_t k = 0; k < count && !code; k++)
        code = orr_compare_parse(&operands[k], (char[]){(char)('A' + k), '\0'}, words[k]);
    if (!code)
        code = load_journals(out, what);
    for (size_t k = 0; count == 2 && k < 2 && !code; k++)
        if (!*operands[k].device) {
            snprintf(operands[k].device, sizeof operands[k].device, "%s", operands[1 - k].device);
            code = settle_operand(out, &operands[k], what);
        }
    if (!code)
        code = orr_ledger_run(&out->selection.ledger,
                              "CREATE TABLE operand(operand TEXT, word TEXT, machine TEXT, device "
                              "TEXT, everything INTEGER)",
                              "");
    for (size_t k = 0; k < count && !code; k++)
        code = orr_ledger_run(&out->selection.ledger, "INSERT INTO operand VALUES (?, ?, ?, ?, ?)",
                              "ssssi", operands[k].letter, operands[k].word, operands[k].machine,
                              operands[k].device, (long long)out->selection.everything);
    return code;
}

void orr_compare_release(struct orr_comparison *comparison)
{
    orr_selection_release(&comparison->selection);
    orr_queries_release(&comparison->queries);
    *comparison = (struct orr_comparison){0};
}

/* --- judging --- */

static const struct orr_section *part(const struct orr_comparison *comparison, const char *name)
{
    return orr_queries_find(&comparison->queries, ORR_SECTION_PART, name);
}

/* The first text of a part's remark, cut to `size`: 1, 0 where it has none, or a negative code. */
int orr_compare_remark(char *out, size_t size, const struct orr_comparison *comparison,
                       const char *name)
{
    struct orr_document document = {0};
    int code = orr_query_table(&document, &comparison->queries, part(comparison, name),
                               &comparison->selection.ledger);
    int found = document.remark_count > 0;
    snprintf(out, size, "%s", found ? document.remarks[0] : "");
    orr_document_release(&document);
    return code ? code : found;
}

int orr_compare_cases(sqlite3_stmt **out, const struct orr_comparison *comparison)
{
    return orr_ledger_query(out, &comparison->selection.ledger, "SELECT * FROM test_case", "");
}

static int count_of(const struct orr_comparison *comparison, const char *sql)
{
    double count;
    int code = orr_ledger_numbers(&count, 1, &comparison->selection.ledger, sql, "");
    return code < 0 ? code : (int)count;
}

static int check_pairs(const struct orr_comparison *comparison)
{
    int both = count_of(comparison, "SELECT count(*) FROM partner");
    int left = count_of(comparison, "SELECT count(*) FROM pair WHERE a NOTNULL AND b NOTNULL");
    char why[800];
    if (both < 0 || left > 0)
        return both < 0 ? both : 0;
    if (both)
        return orr_fail(ORR_EUSAGE,
                        "--only and --exclude leave none of the %d cells that are in both", both);
    int code = orr_compare_remark(why, sizeof why, comparison, "nothing");
    return code < 0 ? code
                    : orr_fail(ORR_EUSAGE, "no cell of A (%s, %d cells) is in B (%s, %d cells): %s",
                               comparison->operands[0].word,
                               count_of(comparison, "SELECT count(*) FROM compared WHERE"
                                                    " operand = 'A'"),
                               comparison->operands[1].word,
                               count_of(comparison, "SELECT count(*) FROM compared WHERE"
                                                    " operand = 'B'"),
                               why);
}

int orr_compare_make(struct orr_comparison *comparison, const struct orr_cell_globs *globs,
                     const struct orr_compare_rule *rule)
{
    struct orr_ledger *ledger = &comparison->selection.ledger;
    struct orr_scope_side sides[ORR_COMPARE_MOST];
    for (size_t k = 0; k < comparison->count; k++)
        sides[k] = (struct orr_scope_side){comparison->operands[k].letter,
                                           comparison->operands[k].machine};
    int code = orr_sides_collect(&comparison->queries, &comparison->selection, NULL, sides,
                                 comparison->count);
    if (!code)
        code = orr_ledger_run(ledger, "CREATE TABLE rule AS SELECT ? AS margin, ? AS beyond", "dd",
                              rule->margin, rule->beyond);
    if (!code)
        code = orr_scope_make(ledger, "", NULL, 0, ORR_SCOPE_PROVENANCE);
    if (!code)
        code = orr_sides_offer(ledger, globs);
    if (!code)
        code = orr_scope_set_up(&comparison->queries, part(comparison, "judge"), ledger);
    return code ? code : check_pairs(comparison);
}

/* --- what is shown --- */

static int fill_document(struct orr_document *out, const struct orr_comparison *comparison,
                         const char *layout, const char *title)
{
    *out = (struct orr_document){0};
    orr_document_name(out, "compare", title);
    return orr_query_table(out, &comparison->queries,
                           orr_queries_find(&comparison->queries, ORR_SECTION_LAYOUT, layout),
                           &comparison->selection.ledger);
}

int orr_compare_document(struct orr_document *out, const struct orr_comparison *comparison)
{
    char title[2400];
    snprintf(title, sizeof title, "%s (A) against %s (B)", comparison->operands[0].word,
             comparison->operands[1].word);
    return fill_document(out, comparison, "compare", title);
}

int orr_compare_across(struct orr_document *out, const struct orr_comparison *comparison,
                       const struct orr_cell_globs *globs)
{
    struct orr_across_side sides[ORR_COMPARE_MOST];
    for (size_t k = 0; k < comparison->count; k++) {
        const struct orr_compare_operand *o = &comparison->operands[k];
        sides[k] = (struct orr_across_side){o->letter, o->machine, o->device, o->letter, o->word};
    }
    return orr_sides_across(out, &comparison->selection, NULL, sides, comparison->count, globs);
}

int orr_compare_twice(struct orr_document *out, json_t **found,
                      const struct orr_comparison *comparison)
{
    char text[2000];
    *out = (struct orr_document){0};
    *found = NULL;
    int code = orr_scope_set_up(&comparison->queries, part(comparison, "twice"),
                                &comparison->selection.ledger);
    if (!code)
        code = fill_document(out, comparison, "twice", "The same cells measured twice");
    if (!code)
        code = orr_compare_remark(text, sizeof text, comparison, "twice_found");
    if (code < 0)
        return code;
    *found = json_loads(text, 0, NULL);
    return 0;
}
