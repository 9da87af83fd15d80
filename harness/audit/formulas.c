#include "audit/formulas.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "plain_file.h"
#include "paths.h"
#include "ledger/csv.h"
#include "names.h"

enum column { EXPERIMENT, SAYS, VARIANT, OVER, ITEM, KINDS, FORMULA, PRINTED, NOTE, COLUMNS };
static const char header[] = "experiment,says,variant,over,item,kinds,formula,printed,note";
const char *const orr_formulas_sayings[ORR_SAYINGS] = {"count", "atomic", "flops", "change",
                                                       "where", "from",   "number"};

/* The place of the word among `count` names, `stride` bytes apart, or ORR_EINPUT. */
static int find_name(const char *what, const char *word, const void *names, size_t count,
                     size_t stride)
{
    for (size_t k = 0; k < count; k++)
        if (!strcmp(word, *(const char *const *)((const char *)names + k * stride)))
            return (int)k;
    orr_names_fail(what, word, names, count, stride);
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
        int kind = find_name("unknown kind of access", word, orr_names_access, ORR_CP + 1,
                             sizeof *orr_names_access);
        if (kind < 0)
            return kind;
        *out |= 1u << kind;
        at += length + (at[length] == '+' && at[length + 1]);
    }
    return 0;
}

static bool is_change(const struct orr_formula *row)
{
    return row->says == ORR_SAYS_CHANGE || row->says == ORR_SAYS_NUMBER;
}

static int check_kinds(const struct orr_formula *row)
{
    if (row->says == ORR_SAYS_COUNT && __builtin_popcount(row->kinds) != 1)
        return orr_fail(ORR_EINPUT, "a count is of one kind, GR, GW, SR, SW, RR, RW or CP");
    if (row->says == ORR_SAYS_ATOMIC && row->kinds != 1u << ORR_SW && row->kinds != 1u << ORR_GW)
        return orr_fail(ORR_EINPUT, "atomic updates are a part of SW or GW");
    if (is_change(row) && !row->kinds)
        return orr_fail(ORR_EINPUT, "a change names the kinds it sums, as in SR+SW");
    return 0;
}

static int check_variant(const struct orr_paper *paper, const char *name)
{
    int place = find_name("unknown variant", name, &paper->variants->name, paper->variants_count,
                          sizeof *paper->variants);
    return place < 0 ? place : 0;
}

static int check_experiment(const struct orr_paper *paper, const char *name)
{
    size_t length = strlen(paper->key);
    if (strncmp(name, paper->key, length) != 0 || name[length] != '/')
        return orr_fail(ORR_EINPUT, "experiment '%s' is not of the paper '%s'", name, paper->key);
    int place = find_name("unknown experiment", name + length + 1, &paper->experiments->name,
                          paper->experiments_count, sizeof *paper->experiments);
    return place < 0 ? place : 0;
}

static int check_item(const struct orr_formula *row)
{
    struct orr_rational number;
    struct orr_polynomial symbol;
    if (!*row->item)
        return orr_fail(ORR_EINPUT, "the column 'item' is empty");
    if ((row->says == ORR_SAYS_FROM || row->says == ORR_SAYS_FLOPS) &&
        !orr_polynomial_is_number(&number, &row->value))
        return orr_fail(ORR_EINPUT, "%s is followed by a number", orr_formulas_sayings[row->says]);
    return row->says == ORR_SAYS_WHERE && strcmp(row->item, "level") != 0
               ? orr_polynomial_symbol(&symbol, row->item)
               : 0;
}

static int check_row(const struct orr_paper *paper, const struct orr_formula *row)
{
    int code = check_experiment(paper, row->experiment);
    if (!code && row->says != ORR_SAYS_WHERE && row->says != ORR_SAYS_FROM)
        code = check_variant(paper, row->variant);
    if (!code && is_change(row))
        code = check_variant(paper, row->over);
    if (!code)
        code = check_item(row);
    return code ? code : check_kinds(row);
}

static int copy_texts(struct orr_formula *row, char *const *fields)
{
    const char **const members[COLUMNS] = {[EXPERIMENT] = &row->experiment,
                                           [VARIANT] = &row->variant,
                                           [OVER] = &row->over,
                                           [ITEM] = &row->item,
                                           [PRINTED] = &row->printed,
                                           [NOTE] = &row->note};
    size_t size = 0;
    for (int k = 0; k < COLUMNS; k++)
        size += strlen(fields[k]) + 1;
    char *formula = NULL, *at = row->text = malloc(size);
    if (!at)
        return orr_fail(ORR_EMEMORY, "no memory for formulas");
    for (int k = 0; k < COLUMNS; k++) {
        if (members[k])
            *members[k] = k == PRINTED && !*fields[k] ? formula : at;
        if (k == FORMULA)
            formula = at;
        at = stpcpy(at, fields[k]) + 1;
    }
    return 0;
}

static int read_row(struct orr_formula *row, const struct orr_paper *paper, char *const *fields)
{
    int code = copy_texts(row, fields);
    if (code)
        return code;
    int says = find_name("the column 'says' holds", fields[SAYS], orr_formulas_sayings, ORR_SAYINGS,
                         sizeof *orr_formulas_sayings);
    if (says < 0)
        return says;
    row->says = (enum orr_says)says;
    code = read_kinds(&row->kinds, fields[KINDS]);
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
    const char *at = header;
    bool same = csv->count == COLUMNS;
    for (size_t k = 0; same && k < COLUMNS; k++) {
        size_t length = strcspn(at, ",");
        same = strlen(csv->fields[k]) == length && !strncmp(csv->fields[k], at, length);
        at += length + 1;
    }
    return same;
}

static int read_rows(struct orr_formulas *out, const struct orr_paper *paper, FILE *from,
                     struct orr_csv *csv)
{
    int more = orr_csv_next(csv, from);
    if (more >= 0 && !(more && is_header(csv)))
        return orr_fail(ORR_EINPUT, "the first line must be %s", header);
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
        if (first != row)
            return orr_fail(ORR_EINPUT, "line %zu has this count already", first->line);
    }
    return more;
}

int orr_formulas_read(struct orr_formulas *out, const char *path, const struct orr_paper *paper)
{
    *out = (struct orr_formulas){0};
    const char *why;
    FILE *from = orr_plain_file_open(path, &why);
    if (!from)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
    struct orr_csv csv = {0};
    int code = read_rows(out, paper, from, &csv);
    if (code)
        orr_error_context("%s:%zu", path, csv.line);
    orr_csv_release(&csv);
    fclose(from);
    return code;
}

int orr_formulas_load(struct orr_formulas *out, const struct orr_paper *paper)
{
    char path[PATH_MAX];
    const char *shown;
    *out = (struct orr_formulas){0};
    int code = orr_paths_paper(path, sizeof path, &shown, paper->key, "formulas.csv");
    return code || access(path, F_OK) ? code : orr_formulas_read(out, path, paper);
}

void orr_formulas_release(struct orr_formulas *formulas)
{
    for (size_t k = 0; k < formulas->count; k++)
        free(formulas->rows[k].text);
    free(formulas->rows);
    *formulas = (struct orr_formulas){0};
}

/* --- looking things up --- */

const struct orr_formula *orr_formulas_next(const struct orr_formulas *formulas,
                                            const struct orr_formula *after, enum orr_says says,
                                            const char *variant)
{
    for (size_t k = after ? (size_t)(after - formulas->rows) + 1 : 0; k < formulas->count; k++) {
        const struct orr_formula *row = &formulas->rows[k];
        if (row->says == says && (!variant || !strcmp(row->variant, variant)))
            return row;
    }
    return NULL;
}

const struct orr_formula *orr_formulas_find(const struct orr_formulas *formulas, enum orr_says says,
                                            const char *experiment, const char *variant,
                                            const char *item)
{
    const struct orr_formula *row = NULL;
    while ((row = orr_formulas_next(formulas, row, says, *variant ? variant : NULL)))
        if (!strcmp(row->experiment, experiment) && !strcmp(row->item, item))
            break;
    return row;
}

const struct orr_formula *orr_formulas_count(const struct orr_formulas *formulas,
                                             const char *variant, const char *procedure,
                                             enum orr_access kind)
{
    const struct orr_formula *row = NULL;
    while ((row = orr_formulas_next(formulas, row, ORR_SAYS_COUNT, variant)))
        if (row->kinds == 1u << kind && !strcmp(row->item, procedure))
            break;
    return row;
}

bool orr_formulas_cover(const struct orr_formulas *formulas, const char *experiment)
{
    bool found = false;
    for (size_t k = 0; k < formulas->count; k++)
        found |= !strcmp(formulas->rows[k].experiment, experiment);
    return found;
}
