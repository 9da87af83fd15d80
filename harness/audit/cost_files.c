/* SPDX-License-Identifier: MIT */
/* Reading formulas.csv and costs.csv. */
#include "audit/audit_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "kernels/count.h"
#include "kernels/pair.h"
#include "ledger/csv.h"
#include "names.h"
#include "paths.h"
#include "text.h"

/* --- both --- */

struct line {
    struct orr_ledger *ledger;
    const struct orr_paper *paper;
    const char *header; /* of the file */
    int (*store)(const struct line *line);
    size_t columns; /* 0: before the header */
    char *const *f; /* fields */
    long long number;
};

/* 0, or ORR_EINPUT with the nearest of `count` names, `stride` bytes apart. */
static int check_name(const char *what, const char *word, const void *names, size_t count,
                      size_t stride)
{
    for (size_t k = 0; k < count; k++)
        if (!strcmp(word, *(const char *const *)((const char *)names + k * stride)))
            return 0;
    orr_names_fail(what, word, names, count, stride);
    return ORR_EINPUT;
}

static int check_variant(const struct orr_paper *paper, const char *name)
{
    return check_name("unknown variant", name, &paper->variants->name, paper->variants_count,
                      sizeof *paper->variants);
}

static int take_line(const struct orr_csv *csv, void *context)
{
    struct line *line = context;
    const bool first = !line->columns;
    if (first && !(csv->count && orr_csv_is(csv, line->header)))
        return orr_fail(ORR_EINPUT, "the first line must be %s", line->header);
    if (first)
        line->columns = csv->count;
    line->f = csv->fields;
    line->number = (long long)csv->line;
    int code = csv->count ? orr_csv_check_count(csv, line->columns) : 0;
    return code || first || !csv->count ? code : line->store(line);
}

/* `path`: NULL for the paper's own, if it has one. */
static int read_file(struct line *line, const char *path, const char *name)
{
    char own[PATH_MAX];
    const char *shown = path;
    int code = path ? 0 : orr_paths_paper(own, sizeof own, &shown, line->paper->key, name);
    if (code || (!path && access(own, F_OK)))
        return code;
    return orr_csv_each(path ? path : own, shown, take_line, line);
}

/* --- formulas.csv --- */

static const char formulas[] = "experiment,says,variant,over,item,kinds,formula,printed,note";
enum { EXPERIMENT, SAYS, VARIANT, OVER, ITEM, KINDS, FORMULA, PRINTED, FORMULA_NOTE };
static const struct pair {
    const char *name;
    int flops, one_sided; /* as kernels/pair.h counts them; without what the other body gets */
} pairs[] = {{"PAIR", PAIR_FLOPS_TRUE, 0},
             {"PAIR2", PAIR2_FLOPS_TRUE, 0},
             {"PAIR2_BOTH", PAIR2_BOTH_FLOPS_TRUE, PAIR2_FLOPS_TRUE}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static bool says(const struct line *line, const char *words)
{
    return strstr(words, line->f[SAYS]);
}

/* "SW+SR" as "SR+SW". */
static int order_kinds(char out[64], const char *text)
{
    bool named[ORR_CP + 1] = {false};
    char word[8];
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "+");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (check_name("unknown kind of access", word, orr_names_access, ORR_CP + 1,
                       sizeof *orr_names_access))
            return ORR_EINPUT;
        for (int k = 0; k <= ORR_CP; k++)
            named[k] |= !strcmp(word, orr_names_access[k]);
        at += length + (at[length] == '+' && at[length + 1]);
    }
    *out = '\0';
    for (int k = 0; k <= ORR_CP; k++)
        if (named[k])
            snprintf(out + strlen(out), 64 - strlen(out), "%s%s", *out ? "+" : "",
                     orr_names_access[k]);
    return 0;
}

static int check_kinds(const struct line *line, const char *kinds)
{
    if (says(line, "count") && strlen(kinds) != 2)
        return orr_fail(ORR_EINPUT, "a count is of one kind, GR, GW, SR, SW, RR, RW or CP");
    if (says(line, "atomic") && strcmp(kinds, "SW") && strcmp(kinds, "GW"))
        return orr_fail(ORR_EINPUT, "atomic updates are a part of SW or GW");
    if (says(line, "change number") && !*kinds)
        return orr_fail(ORR_EINPUT, "a change names the kinds it sums, as in SR+SW");
    return 0;
}

static int check_experiment(const struct orr_paper *paper, const char *name)
{
    const size_t length = strlen(paper->key);
    if (strncmp(name, paper->key, length) != 0 || name[length] != '/')
        return orr_fail(ORR_EINPUT, "experiment '%s' is not of the paper '%s'", name, paper->key);
    return check_name("unknown experiment", name + length + 1, &paper->experiments->name,
                      paper->experiments_count, sizeof *paper->experiments);
}

static int check_item(const struct line *line, const char *formula)
{
    const char *item = line->f[ITEM];
    if (!*item)
        return orr_fail(ORR_EINPUT, "the column 'item' is empty");
    if (says(line, "from flops") && strpbrk(formula, "BNP"))
        return orr_fail(ORR_EINPUT, "%s is followed by a number", line->f[SAYS]);
    if (says(line, "flops") &&
        check_name("kernels/pair.h has no pair", item, pairs, PAIRS, sizeof *pairs))
        return ORR_EINPUT;
    return says(line, "where") && strcmp(item, "level") ? orr_algebra_symbol(item) : 0;
}

static int check_formula(const struct line *line, const char *formula, const char *kinds)
{
    int code = check_experiment(line->paper, line->f[EXPERIMENT]);
    if (!code && !says(line, "where from"))
        code = check_variant(line->paper, line->f[VARIANT]);
    if (!code && says(line, "change number"))
        code = check_variant(line->paper, line->f[OVER]);
    if (!code)
        code = check_item(line, formula);
    return code ? code : check_kinds(line, kinds);
}

static int check_first(const struct line *line, const char *kinds)
{
    double first;
    int more = orr_ledger_numbers(&first, 1, line->ledger,
                                  "SELECT place FROM audit_formula WHERE paper = ? AND says = ?"
                                  " AND says = 'count' AND variant = ? AND item = ? AND kinds = ?",
                                  "sssss", line->paper->key, line->f[SAYS], line->f[VARIANT],
                                  line->f[ITEM], kinds);
    return more > 0 ? orr_fail(ORR_EINPUT, "line %.0f has this count already", first) : more;
}

static int store_formula(const struct line *line)
{
    static const char *const words[] = {"count", "atomic", "flops", "change",
                                        "where", "from",   "number"};
    char kinds[64], *formula = NULL;
    char *const *f = line->f;
    int code = check_name("the column 'says' holds", f[SAYS], words, sizeof words / sizeof *words,
                          sizeof *words);
    if (!code)
        code = order_kinds(kinds, f[KINDS]);
    if (!code && orr_algebra_read(&formula, f[FORMULA]))
        code = orr_error_context("formula");
    if (!code)
        code = check_formula(line, formula, kinds);
    if (!code)
        code = check_first(line, kinds);
    if (!code)
        code = orr_ledger_run(line->ledger,
                              "INSERT INTO audit_formula VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                              " NULL, NULL, NULL)",
                              "sisssssssss", line->paper->key, line->number, f[SAYS], f[EXPERIMENT],
                              f[VARIANT], f[OVER], f[ITEM], kinds, formula,
                              *f[PRINTED] ? f[PRINTED] : f[FORMULA], f[FORMULA_NOTE]);
    free(formula);
    return code;
}

int orr_cost_files_formulas(struct orr_ledger *ledger, const struct orr_paper *paper,
                            const char *path)
{
    struct line line = {
        .ledger = ledger, .paper = paper, .header = formulas, .store = store_formula};
    int code = 0;
    for (int k = 0; k < PAIRS && !code; k++)
        code =
            orr_ledger_run(ledger, "INSERT INTO audit_pair_flops VALUES (?, ?, ?)", "sii",
                           pairs[k].name, (long long)pairs[k].flops, (long long)pairs[k].one_sided);
    return code ? code : read_file(&line, path, "formulas.csv");
}

/* --- costs.csv --- */

static const char costs[] = "variant,kind,access,degree,times,condition,note";
enum { OF, KIND, ACCESS, DEGREE, TIMES, CONDITION, COST_NOTE };

static int check_kind(const char *kind)
{
    static const char *const uncounted[] = {"step", "kernel", "left-out", "counters"};
    for (size_t k = 0; k < sizeof uncounted / sizeof *uncounted; k++)
        if (!strcmp(kind, uncounted[k]))
            return 0;
    return check_name("unknown kind of count", kind, orr_names_access, ORR_ACCESS_KINDS,
                      sizeof *orr_names_access);
}

static int check_cost(const struct line *line)
{
    double number;
    char *const *f = line->f;
    int code = orr_paper_variant(line->paper, f[OF]) ? check_kind(f[KIND]) : ORR_EINPUT;
    if (code)
        return code;
    if (!*f[ACCESS])
        return orr_fail(ORR_EINPUT, "no access is named");
    if (!strcmp(f[KIND], "left-out") && strcmp(f[ACCESS], "too short") &&
        strcmp(f[ACCESS], "too long"))
        return orr_fail(ORR_EINPUT, "left-out is '%s', not 'too short' or 'too long'", f[ACCESS]);
    if (*f[DEGREE] && strcmp(f[DEGREE], "counted") &&
        (!orr_text_number(f[DEGREE], &number) || number < 1))
        return orr_fail(ORR_EINPUT, "degree '%s' is no number from 1 up and not 'counted'",
                        f[DEGREE]);
    if (!orr_text_number(f[TIMES], &number) || !(number > 0))
        return orr_fail(ORR_EINPUT, "times '%s' is no positive number", f[TIMES]);
    if (*f[CONDITION] && !strchr(f[CONDITION], '='))
        return orr_fail(ORR_EINPUT, "condition '%s' is no parameter=value", f[CONDITION]);
    return 0;
}

static int store_cost(const struct line *line)
{
    double times = 0;
    char *const *f = line->f;
    int code = check_cost(line);
    if (code)
        return code;
    orr_text_number(f[TIMES], &times);
    return orr_ledger_run(line->ledger, "INSERT INTO audit_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                          "sissssdss", line->paper->key, line->number, f[OF], f[KIND], f[ACCESS],
                          f[DEGREE], times, f[CONDITION], f[COST_NOTE]);
}

int orr_cost_files_costs(struct orr_ledger *ledger, const struct orr_paper *paper)
{
    struct line line = {.ledger = ledger, .paper = paper, .header = costs, .store = store_cost};
    return read_file(&line, NULL, "costs.csv");
}
