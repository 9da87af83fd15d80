#include "audit/formulas.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/formulas_parts.h"
#include "error.h"
#include "paths.h"
#include "ledger/csv.h"
#include "names.h"

enum column { EXPERIMENT, SAYS, VARIANT, OVER, ITEM, KINDS, FORMULA, PRINTED, NOTE, COLUMNS };
static const char *const header[COLUMNS] = {"experiment", "says",    "variant", "over", "item",
                                            "kinds",      "formula", "printed", "note"};
static const char *const sayings[ORR_SAYINGS] = {"count", "atomic", "flops", "change",
                                                 "where", "from",   "number"};

static int find_name(const char *what, const char *word, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!strcmp(word, names[k]))
            return (int)k;
    orr_names_fail(what, word, names, count, sizeof *names);
    return ORR_EINPUT;
}

/* --- one line --- */

static int read_kinds(unsigned *out, const char *text)
{
    char word[8];
    *out = 0;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "+");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        int kind = find_name("unknown kind of access", word, orr_names_access, ORR_CP + 1);
        if (kind < 0)
            return kind;
        *out |= 1u << kind;
        at += length + (at[length] == '+' && at[length + 1]);
    }
    return 0;
}

static bool is_one(unsigned kinds)
{
    return kinds && !(kinds & (kinds - 1));
}

static int check_kinds(const struct orr_formula *row)
{
    bool change = row->says == ORR_SAYS_CHANGE || row->says == ORR_SAYS_NUMBER;
    if (row->says == ORR_SAYS_COUNT && !is_one(row->kinds))
        return orr_fail(ORR_EINPUT, "a count is of one kind, GR, GW, SR, SW, RR, RW or CP");
    if (row->says == ORR_SAYS_ATOMIC && row->kinds != 1u << ORR_SW && row->kinds != 1u << ORR_GW)
        return orr_fail(ORR_EINPUT, "atomic updates are a part of SW or GW");
    return change && !row->kinds
               ? orr_fail(ORR_EINPUT, "a change names the kinds it sums, as in SR+SW")
               : 0;
}

static int check_variant(const struct orr_paper *paper, const char *name)
{
    for (unsigned k = 0; k < paper->variants_count; k++)
        if (!strcmp(paper->variants[k].name, name))
            return 0;
    orr_names_fail("unknown variant", name, &paper->variants->name, paper->variants_count,
                   sizeof *paper->variants);
    return ORR_EINPUT;
}

static int check_experiment(const struct orr_paper *paper, const char *name)
{
    size_t length = strlen(paper->key);
    if (strncmp(name, paper->key, length) != 0 || name[length] != '/')
        return orr_fail(ORR_EINPUT, "experiment '%s' is not of the paper '%s'", name, paper->key);
    for (unsigned k = 0; k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, name + length + 1))
            return 0;
    orr_names_fail("unknown experiment", name + length + 1, &paper->experiments->name,
                   paper->experiments_count, sizeof *paper->experiments);
    return ORR_EINPUT;
}

static int check_row(const struct orr_paper *paper, const struct orr_formula *row)
{
    bool variants = row->says != ORR_SAYS_WHERE && row->says != ORR_SAYS_FROM;
    bool over = row->says == ORR_SAYS_CHANGE || row->says == ORR_SAYS_NUMBER;
    struct orr_rational number;
    int code = check_experiment(paper, row->experiment);
    if (!code && variants)
        code = check_variant(paper, row->variant);
    if (!code && over)
        code = check_variant(paper, row->over);
    if (!code && !*row->item)
        code = orr_fail(ORR_EINPUT, "the column 'item' is empty");
    if (!code && (row->says == ORR_SAYS_FROM || row->says == ORR_SAYS_FLOPS) &&
        !orr_polynomial_is_number(&number, &row->value))
        code = orr_fail(ORR_EINPUT, "%s is followed by a number", sayings[row->says]);
    return code ? code : check_kinds(row);
}

static int read_row(struct orr_formula *row, const struct orr_paper *paper, char *const *fields)
{
    char **const texts[COLUMNS] = {[EXPERIMENT] = &row->experiment,
                                   [VARIANT] = &row->variant,
                                   [OVER] = &row->over,
                                   [ITEM] = &row->item,
                                   [PRINTED] = &row->printed,
                                   [NOTE] = &row->note};
    for (int k = 0; k < COLUMNS; k++)
        if (texts[k] &&
            !(*texts[k] = strdup(fields[k == PRINTED && !*fields[PRINTED] ? FORMULA : k])))
            return orr_fail(ORR_EMEMORY, "no memory for formulas");
    int says = find_name("the column 'says' holds", fields[SAYS], sayings, ORR_SAYINGS);
    if (says < 0)
        return says;
    row->says = (enum orr_says)says;
    int code = read_kinds(&row->kinds, fields[KINDS]);
    if (!code && orr_polynomial_parse(&row->value, fields[FORMULA]))
        code = orr_error_context("formula");
    return code ? code : check_row(paper, row);
}

/* --- the file --- */

struct orr_formula *orr_formulas_add(struct orr_formulas *formulas)
{
    struct orr_formula *rows = realloc(formulas->rows, (formulas->count + 1) * sizeof *rows);
    if (!rows) {
        orr_fail(ORR_EMEMORY, "no memory for formulas");
        return NULL;
    }
    formulas->rows = rows;
    rows[formulas->count] = (struct orr_formula){.line = 0};
    return &rows[formulas->count++];
}

static bool is_header(const struct orr_csv *csv)
{
    bool same = csv->count == COLUMNS;
    for (size_t k = 0; same && k < COLUMNS; k++)
        same = !strcmp(csv->fields[k], header[k]);
    return same;
}

static int read_rows(struct orr_formulas *out, const struct orr_paper *paper, FILE *from,
                     struct orr_csv *csv)
{
    int more = orr_csv_next(csv, from);
    if (more >= 0 && !(more && is_header(csv)))
        return orr_fail(
            ORR_EINPUT,
            "the first line must be experiment,says,variant,over,item,kinds,formula,printed,note");
    while (more > 0 && (more = orr_csv_next(csv, from)) > 0) {
        if (csv->count != COLUMNS)
            return orr_fail(ORR_EINPUT, "%zu fields instead of %d", csv->count, COLUMNS);
        struct orr_formula *row = orr_formulas_add(out);
        if (!row)
            return ORR_EMEMORY;
        row->line = csv->line;
        int code = read_row(row, paper, csv->fields);
        if (code)
            return code;
        const struct orr_formula *first =
            row->says == ORR_SAYS_COUNT
                ? orr_formulas_count(out, row->variant, row->item, orr_formula_kind(row))
                : row;
        if (first && first->line != row->line)
            return orr_fail(ORR_EINPUT, "line %zu has this count already", first->line);
    }
    return more;
}

int orr_formulas_read(struct orr_formulas *out, const char *path, const struct orr_paper *paper)
{
    *out = (struct orr_formulas){0};
    FILE *from = fopen(path, "r");
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    struct orr_csv csv = {0};
    int code = read_rows(out, paper, from, &csv);
    if (code)
        orr_error_context("%s:%zu", path, csv.line);
    orr_csv_release(&csv);
    fclose(from);
    return code ? code : orr_formulas_infer(out);
}

int orr_formulas_load(struct orr_formulas *out, const struct orr_paper *paper)
{
    char path[1024];
    *out = (struct orr_formulas){0};
    int code = orr_paths_home(path, sizeof path, "variants/%s/formulas.csv", paper->key);
    return code || access(path, F_OK) ? code : orr_formulas_read(out, path, paper);
}

void orr_formulas_release(struct orr_formulas *formulas)
{
    for (size_t k = 0; k < formulas->count; k++) {
        struct orr_formula *row = &formulas->rows[k];
        char *const texts[] = {row->experiment, row->variant, row->over,
                               row->item,       row->printed, row->note};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            free(texts[t]);
    }
    free(formulas->rows);
    *formulas = (struct orr_formulas){0};
}

/* --- looking things up --- */

const struct orr_formula *orr_formulas_find(const struct orr_formulas *formulas, enum orr_says says,
                                            const char *experiment, const char *variant,
                                            const char *item)
{
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == says && !strcmp(row->experiment, experiment) &&
            (!*variant || !strcmp(row->variant, variant)) && !strcmp(row->item, item))
            return row;
    }
    return NULL;
}

const struct orr_formula *orr_formulas_count(const struct orr_formulas *formulas,
                                             const char *variant, const char *procedure,
                                             enum orr_access kind)
{
    for (size_t k = 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == ORR_SAYS_COUNT && row->kinds == 1u << kind &&
            !strcmp(row->variant, variant) && !strcmp(row->item, procedure))
            return row;
    }
    return NULL;
}

bool orr_formulas_cover(const struct orr_formulas *formulas, const char *experiment)
{
    bool found = false;
    for (size_t k = 0; k < formulas->count; k++)
        found |= !strcmp(formulas->rows[k].experiment, experiment);
    return found;
}
