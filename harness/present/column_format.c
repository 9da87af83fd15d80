/* SPDX-License-Identifier: MIT */
/* Numbers as people read them, for SQL. */
#include "present/queries.h"

#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "memory.h"
#include "present/document.h"

static double number_of(sqlite3_value *value)
{
    return sqlite3_value_type(value) == SQLITE_NULL ? NAN : sqlite3_value_double(value);
}

static const char *text_of(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    return text ? text : "";
}

static void give(sqlite3_context *context, const char *text)
{
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* A time in "s" or "ms", without the unit; "" shows what fits. */
static void time_in_unit(char *out, size_t size, double seconds, const char *unit)
{
    if (*unit)
        orr_format_number(out, size, seconds * (strcmp(unit, "ms") ? 1 : 1e3));
    else
        orr_format_seconds(out, size, seconds);
}

/* Texts of one number, by the `end` of their rows. */
enum { NUMBER, SECONDS, SI, FACTOR };

static void text_of_number(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char text[64];
    const double x = number_of(arguments[0]);
    const char *unit = count > 1 ? text_of(arguments[1]) : "";
    if (isnan(x))
        return;
    switch (((const struct orr_ledger_function *)sqlite3_user_data(context))->end) {
    case SECONDS:
        time_in_unit(text, sizeof text, x, unit);
        break;
    case SI:
        orr_format_si(text, sizeof text, x, unit);
        break;
    case FACTOR: /* four digits: the gain of one algorithm over another begins in the third */
        snprintf(text, sizeof text, x < 1000 ? "%#.4g" : "%.0f", x);
        break;
    default:
        orr_format_number(text, sizeof text, x);
    }
    give(context, text);
}

/* Behind an interval of so many processes; NULL: of one. */
static const char *mark_of(sqlite3_value *processes)
{
    return sqlite3_value_int(processes) < ORR_STATS_ENOUGH_PROCESSES ? ORR_WITHIN_ONE_RUN_MARK : "";
}

/* "249 [235, 264]", "249" without an interval, "—" when not known; " ≈" behind an extrapolated one.
 */
static void ratio_text(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char text[160], number[3][32], interval[96] = "";
    for (int k = 0; k < 3; k++)
        orr_format_number(number[k], sizeof *number, number_of(arguments[k]));
    if (!isnan(number_of(arguments[0])) && !isnan(number_of(arguments[1])))
        snprintf(interval, sizeof interval, " [%s, %s]%s", number[1], number[2],
                 count > 4 ? mark_of(arguments[4]) : "");
    snprintf(text, sizeof text, "%s%s%s", number[0], interval,
             sqlite3_value_int(arguments[3]) ? ORR_ABOUT : "");
    give(context, text);
}

/* Low, high, samples, processes and two_peaks of a time: " ± 0.3 %". A single sample has none. */
static void write_spread(char *out, size_t size, double seconds, sqlite3_value **arguments)
{
    double low = number_of(arguments[0]), high = number_of(arguments[1]);
    char share[32];
    if (sqlite3_value_int(arguments[2]) == 1)
        snprintf(out, size, " (1 sample)");
    else if (!isnan(low) && !isnan(high))
        snprintf(
            out, size, " %s%s%s",
            orr_format_plus_minus(share, sizeof share, orr_stats_plus_minus(seconds, low, high)),
            mark_of(arguments[3]), sqlite3_value_int(arguments[4]) ? ORR_TWO_PEAKS_MARK : "");
}

/* "36.12 us ± 0.3 %", "36.12 us (1 sample)", "36.12 us ≈", or the word of a cell that is not ok. */
static void time_text(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char text[160], seconds[48], spread[64] = "";
    const bool about = sqlite3_value_int(arguments[2]);
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    if (!strcmp(text_of(arguments[0]), "ok")) {
        if (count > 3 && !about)
            write_spread(spread, sizeof spread, number_of(arguments[1]), arguments + 3);
        snprintf(text, sizeof text, "%s%s",
                 orr_format_seconds(seconds, sizeof seconds, number_of(arguments[1])),
                 about ? ORR_ABOUT : spread);
    } else {
        snprintf(text, sizeof text, "%s", text_of(arguments[0]));
    }
    give(context, text);
}

static void errors_text(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char text[96] = "";
    for (int k = 0; k < count; k++) {
        size_t used = strlen(text);
        if (sqlite3_value_type(arguments[k]) == SQLITE_NULL)
            return;
        snprintf(text + used, sizeof text - used, "%s%.1e", k ? " / " : "",
                 number_of(arguments[k]));
    }
    give(context, text);
}

static void html(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char *text, *tame;
    size_t size;
    (void)count;
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    tame = orr_text_tame(orr_memory_text(text_of(arguments[0])));
    FILE *to = orr_memory_stream(&text, &size);
    orr_html_print(to, "%s", tame);
    fclose(to);
    free(tame);
    sqlite3_result_text(context, text, -1, free);
}

static bool is_file(const char *path)
{
    struct stat is;
    return !lstat(path, &is) && S_ISREG(is.st_mode) && !access(path, R_OK);
}

/* A journal may come from others: the name must be one of the journal's own folder, and no link. */
static void file_beside(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    char folder[PATH_MAX], path[PATH_MAX];
    const char *beside = (const char *)sqlite3_value_text(arguments[0]),
               *name = (const char *)sqlite3_value_text(arguments[1]);
    (void)count;
    if (!beside || !name || !*name || strchr(name, '/'))
        return;
    snprintf(folder, sizeof folder, "%s", beside);
    int length = snprintf(path, sizeof path, "%s/%s", dirname(folder), name);
    if (length < (int)sizeof path && is_file(path))
        sqlite3_result_text(context, path, -1, SQLITE_TRANSIENT);
}

static int by_number(void *context, int left_size, const void *left, int right_size,
                     const void *right)
{
    char a[1024], b[1024];
    (void)context;
    snprintf(a, sizeof a, "%.*s", left_size, (const char *)left);
    snprintf(b, sizeof b, "%.*s", right_size, (const char *)right);
    return strverscmp(a, b);
}

int orr_column_format_offer(const struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"number_text", 1, .call = text_of_number, .end = NUMBER},
        {"factor_text", 1, .call = text_of_number, .end = FACTOR},
        {"seconds_text", 1, .call = text_of_number, .end = SECONDS},
        {"seconds_text", 2, .call = text_of_number, .end = SECONDS},
        {"si_text", 2, .call = text_of_number, .end = SI},
        {"ratio_text", 4, .call = ratio_text},
        {"ratio_text", 5, .call = ratio_text},
        {"time_text", 3, .call = time_text},
        {"time_text", 8, .call = time_text},
        {"errors_text", -1, .call = errors_text},
        {"html", 1, .call = html},
        {"file_beside", 2, .call = file_beside}};
    if (sqlite3_create_collation(ledger->db, "by_number", SQLITE_UTF8, NULL, by_number))
        return orr_ledger_sql_failed(ledger, "by_number");
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}
