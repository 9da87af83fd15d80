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
#include "memory.h"
#include "paths.h"

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

/* Fails with the column of `at` in the formula. */
static int blame(const char *text, const char *at, const char *why)
{
    orr_fail(ORR_EINPUT, "%s", why);
    return orr_error_context("'%s' column %zu", text, (size_t)(at - text) + 1);
}

/* A power is a digit, and what it is of holds none: so no text takes long. */
static bool is_bounded(const char *text, const char *power)
{
    const char *digit = power + 1 + strspn(power + 1, " \t");
    if (strspn(digit, "0123456789") != 1 || *digit > '7')
        return false;
    size_t at = (size_t)(power - text);
    for (int depth = 0; at && text[at - 1] != '^'; at--) {
        depth += (text[at - 1] == ')') - (text[at - 1] == '(');
        if (depth <= 0 && !strchr("0123456789 \t", text[at - 1]))
            return true;
    }
    return !at;
}

/* FLINT reads "3*N*(P-1)", and would divide by 0: `*` is put in here, and values for symbols, those
 * of B, N and P; NULL: they stay. */
static int spell_out(char **out, const char *text, const long long *values)
{
    static const char operands[] = "BNP0123456789";
    const char *odd = text + strspn(text, "BNP0123456789+-*/^() \t");
    char before = '(';
    size_t size;
    FILE *to = orr_memory_stream(out, &size);
    int code = *odd ? blame(text, odd, "a formula is of numbers, N, B and P") : 0;
    for (const char *at = text; !code && *at; at++) {
        const char *next = at + 1 + strspn(at + 1, " \t"), *symbol = strchr(symbols, *at);
        if (*at == '^' && !is_bounded(text, at))
            code = blame(text, at, "a power is a digit up to 7, of what holds no power");
        if (*at == '/' && strspn(next, "0") == strspn(next, "0123456789"))
            code = blame(text, next, "expected a number other than 0 to divide by");
        if ((symbol || *at == '(') && (before == ')' || strchr(operands, before)))
            fputc('*', to);
        if (values && symbol)
            fprintf(to, "(%lld)", values[symbol - symbols]);
        else
            fputc(*at, to);
        before = isspace((unsigned char)*at) ? before : *at;
    }
    fclose(to);
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
        code = orr_fail(ORR_EINPUT, "'%s' is no formula, such as 3N(P-1)/2", text);
    free(spelled);
    return code;
}

/* --- as functions of SQL --- */

static void formula(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const char *text = (const char *)sqlite3_value_text(arguments[count - 1]);
    char *printed = NULL;
    if (text && print_formula(&printed, text, NULL))
        sqlite3_result_error(context, orr_error_text(), -1);
    else
        sqlite3_result_text(context, printed, -1, free);
}

/* Gives what is wrong with a text that is no formula; else NULL. */
static void formula_fault(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const char *text = (const char *)sqlite3_value_text(arguments[count - 1]);
    char *printed = NULL;
    if (text && print_formula(&printed, text, NULL)) {
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
    };
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}
