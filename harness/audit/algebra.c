/* SPDX-License-Identifier: MIT */
/* Formulas of cost models as functions of SQL; FLINT computes with them. */
#include "audit/audit.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/flint.h"
#include "datasets/boxes.h"
#include "error.h"
#include "names.h"
#include "paths.h"

/* Powers and factors of a term are bounded, so that no text takes long. */
enum { SYMBOLS = 3, MAX_POWER = 7, MAX_FACTORS = 32, MAX_DEPTH = 32 };
static const char symbols[] = "BNP";
static const struct orr_flint *_Atomic flint; /* NULL until it is loaded */

static int load_flint(void)
{
    char path[PATH_MAX];
    int code = flint ? 0 : orr_paths_library(path, sizeof path, "liborrery_flint.so");
    if (code || flint)
        return code;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct orr_flint *found = library ? dlsym(library, "orr_flint") : NULL;
    if (!library)
        return orr_fail(ORR_EINTERNAL, "the audit needs FLINT: %s", dlerror());
    if (!found || found->size != sizeof *found)
        return orr_fail(ORR_EINTERNAL, "%s is of another version of Orrery; build it again", path);
    flint = found;
    return 0;
}

/* --- from text --- */

/* FLINT reads "3*N*(P-1)", and says not what is wrong with a text: `*` is put in here, values for
 * symbols, and a mistake is found with its column. */
struct speller {
    const char *text, *at;
    FILE *to;
    const long long *values; /* of B, N and P; NULL: they stay */
    char before; /* the operator or bracket that an operand is due behind; 'x': an operand was read;
                    'n': a power */
    int depth;   /* open brackets */
    struct level {
        const char *operand;     /* begin of the last one */
        int last, factors, most; /* of it, of its term, of the terms before */
    } levels[MAX_DEPTH + 1];
};

/* Fails with the column of `at` in the formula. */
static int blame(const struct speller *s, const char *at)
{
    return orr_error_context("'%s' column %zu", s->text, (size_t)(at - s->text) + 1);
}

static int expected(const struct speller *s, const char *what)
{
    orr_fail(ORR_EINPUT,
             *s->at ? "expected %s, but there is '%c'" : "expected %s, but the text ends", what,
             *s->at);
    return blame(s, s->at);
}

static int put_in(struct speller *s, size_t length, int factors)
{
    struct level *level = &s->levels[s->depth];
    const char *symbol = s->values ? strchr(symbols, *s->at) : NULL;
    level->last = factors;
    level->factors += factors;
    if (level->factors > MAX_FACTORS)
        return expected(s, "fewer factors in a term");
    if (symbol)
        fprintf(s->to, "(%lld)", s->values[symbol - symbols]);
    else
        fprintf(s->to, "%.*s", (int)length, s->at);
    s->at += length;
    s->before = 'x';
    return 0;
}

static int spell_power(struct speller *s)
{
    struct level *level = &s->levels[s->depth];
    const size_t digits = strspn(s->at, "0123456789");
    const long power = strtol(s->at, NULL, 10);
    if (!digits)
        return expected(s, "a whole number as power");
    if (power > MAX_POWER) {
        orr_fail(ORR_EINPUT, "a power is above %d", MAX_POWER);
        return blame(s, level->operand);
    }
    int code = put_in(s, digits, (int)power * level->last - level->last);
    s->before = 'n';
    return code;
}

static int spell_operand(struct speller *s)
{
    const size_t digits = strspn(s->at, "0123456789");
    if (s->before == '/' && strspn(s->at, "0") == digits)
        return expected(s, "a number other than 0 to divide by");
    s->levels[s->depth].operand = s->at;
    if (digits)
        return put_in(s, digits, 1);
    if (isalpha((unsigned char)*s->at)) {
        /* Small letters and digits continue a name: "BP" is B times P, "Nleaf" one name. */
        char name[32];
        size_t length = 1 + strspn(s->at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
        snprintf(name, sizeof name, "%.*s", (int)length, s->at);
        if (length > 1 || !strchr(symbols, *name)) {
            orr_fail(ORR_EINPUT, "the symbol '%s' is none of N, B and P", name);
            return blame(s, s->at);
        }
        return put_in(s, length, 1);
    }
    if (strchr("+-", *s->at) && *s->at && s->before == '(') {
        fprintf(s->to, "0%c", s->before = *s->at++); /* -N^2 is 0-N^2 */
        return 0;
    }
    if (*s->at != '(')
        return expected(s, "a number, a symbol or '('");
    if (s->depth == MAX_DEPTH)
        return expected(s, "fewer brackets inside each other");
    s->levels[++s->depth] = (struct level){.last = 0};
    fputc(s->before = *s->at++, s->to);
    return 0;
}

static int spell_operator(struct speller *s)
{
    struct level *level = &s->levels[s->depth];
    const char next = *s->at;
    if (next == '(' || isalpha((unsigned char)next)) {
        fputc(s->before = '*', s->to);
        return 0;
    }
    const int most = level->factors > level->most ? level->factors : level->most;
    if (next == ')' && s->depth) {
        s->depth--;
        return put_in(s, 1, most);
    }
    if (!next || !strchr(s->before == 'n' ? "+-*/" : "+-*/^", next))
        return expected(s, s->depth ? "')'" : "'+', '-', '*' or '/'");
    if (next == '+' || next == '-')
        *level = (struct level){.most = most};
    fputc(s->before = next, s->to);
    s->at++;
    return 0;
}

static int spell_out(char **out, const char *text, const long long *values)
{
    size_t size;
    int code = 0;
    struct speller s = {.text = text, .at = text, .before = '(', .values = values};
    s.to = open_memstream(out, &size);
    bool due = true;
    do {
        s.at += strspn(s.at, " \t");
        code = s.before == '^' ? spell_power(&s) : due ? spell_operand(&s) : spell_operator(&s);
        due = s.before != 'x' && s.before != 'n';
        s.at += strspn(s.at, " \t");
    } while (!code && (due || *s.at || s.depth));
    fclose(s.to);
    return code;
}

/* The values of B, N and P are put in their place, unless `values` is NULL. */
static int print_formula(char **out, const char *text, const long long *values)
{
    char *spelled = NULL;
    int code = spell_out(&spelled, text, values);
    if (!code)
        code = load_flint();
    *out = code ? NULL : flint->print(spelled);
    if (!code && !*out)
        code = orr_fail(ORR_EINPUT, "'%s' is no formula", text);
    free(spelled);
    return code;
}

int orr_algebra_read(char **out, const char *text)
{
    return print_formula(out, text, NULL);
}

/* --- as functions of SQL --- */

static void formula(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const char *text = (const char *)sqlite3_value_text(arguments[count - 1]);
    char *printed = NULL;
    if (text && orr_algebra_read(&printed, text))
        sqlite3_result_error(context, orr_error_text(), -1);
    else
        sqlite3_result_text(context, printed, -1, free);
}

/* Gives what is wrong with a text that is no formula; else NULL. */
static void formula_fault(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const char *text = (const char *)sqlite3_value_text(arguments[count - 1]);
    char *printed = NULL;
    if (text && orr_algebra_read(&printed, text)) {
        sqlite3_result_text(context, orr_error_text(), -1, SQLITE_TRANSIENT);
        orr_error_clear();
    }
    free(printed);
}

static void formula_value(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const long long values[] = {(long long)orr_boxes_neighbours(sqlite3_value_int(arguments[3])),
                                sqlite3_value_int64(arguments[1]),
                                sqlite3_value_int64(arguments[2])};
    char *number = NULL, *end;
    for (int k = 0; k < count; k++)
        if (sqlite3_value_type(arguments[k]) == SQLITE_NULL)
            return;
    if (print_formula(&number, (const char *)sqlite3_value_text(*arguments), values)) {
        sqlite3_result_error(context, orr_error_text(), -1);
        return;
    }
    errno = 0;
    const long long whole = strtoll(number, &end, 10);
    if (!*end && !errno)
        sqlite3_result_int64(context, whole);
    else
        sqlite3_result_double(context, strtod(number, &end) / (*end ? strtod(end + 1, NULL) : 1));
    free(number);
}

static void formula_ratio(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char *texts[2] = {NULL}, *found = NULL;
    int code = 0;
    for (int k = 0; k < count && !code; k++) {
        const char *text = (const char *)sqlite3_value_text(arguments[k]);
        code = text ? spell_out(&texts[k], text, NULL) : ORR_EINPUT;
    }
    found = code || load_flint() ? NULL : flint->ratio(texts[0], texts[1]);
    if (found && *found)
        sqlite3_result_text(context, found, -1, SQLITE_TRANSIENT);
    free(found);
    free(texts[0]);
    free(texts[1]);
}

/* The kinds of kernels/count.h, with commas between. */
static void count_kinds(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char all[4 * ORR_ACCESS_KINDS] = "";
    (void)count, (void)arguments;
    for (int k = 0; k < ORR_ACCESS_KINDS; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? "," : "",
                 orr_names_access[k]);
    sqlite3_result_text(context, all, -1, SQLITE_TRANSIENT);
}

static void box_neighbours(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const int level = sqlite3_value_int(arguments[count - 1]);
    sqlite3_result_int64(context, (sqlite3_int64)orr_boxes_neighbours(level));
}

int orr_algebra_offer(const struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"formula", 1, .call = formula},
        {"formula_fault", 1, .call = formula_fault},
        {"formula_value", 4, .call = formula_value},
        {"formula_ratio", 2, .call = formula_ratio},
        {"box_neighbours", 1, .call = box_neighbours},
        {"count_kinds", 0, .call = count_kinds},
    };
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}
