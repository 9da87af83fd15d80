/* Access ceilings: a row a rate and round, and what SQL says of several rounds. */
#include <stdlib.h>

#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "ledger/ledger_parts.h"
#include "measure/stats_levels.h"

int orr_ledger_load_access(struct orr_ledger *ledger, const json_t *record, long long run_key)
{
    static const char sql[] =
        "INSERT OR REPLACE INTO access_rate(run_key, line, device, device_name, round, kind,"
        " degree, unit, rate, reason, clock_mhz, place) VALUES (?,?,?,?,?,?,?,?,nullif(?, 0),?,"
        "nullif(?, 0),?)";
    size_t k;
    json_t *rate;
    int code = 0;
    json_array_foreach(json_object_get(record, "rates"), k, rate)
    {
        if (code)
            break;
        code = orr_ledger_run(
            ledger, sql, "iissisisdsdi", run_key, (long long)orr_json_integer(record, "#"),
            orr_json_text(record, "device"), orr_json_text(record, "device_name"),
            (long long)orr_cell_rounds_of(record), orr_json_text(rate, "kind"),
            (long long)orr_json_integer(rate, "degree"), orr_json_text(rate, "unit"),
            orr_json_number(rate, "rate"), orr_json_text(rate, "reason"),
            orr_json_number(rate, "clock_mhz"), (long long)k);
    }
    return code;
}

/* One rate a round. */
struct rounds {
    double *rates;
    size_t *ones; /* samples of each */
    size_t count;
};

static void take_rate(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    struct rounds *all = sqlite3_aggregate_context(context, sizeof *all);
    if (!all || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    double *rates = realloc(all->rates, (all->count + 1) * sizeof *rates);
    if (rates)
        all->rates = rates;
    size_t *ones = realloc(all->ones, (all->count + 1) * sizeof *ones);
    if (ones)
        all->ones = ones;
    if (!rates || !ones) {
        sqlite3_result_error_nomem(context);
        return;
    }
    rates[all->count] = sqlite3_value_double(arguments[0]);
    ones[all->count++] = 1;
}

/* The median, or an end of its interval, which one or two rounds do not know. */
static void give(sqlite3_context *context, int end)
{
    struct rounds *all = sqlite3_aggregate_context(context, sizeof *all);
    struct orr_level_summary summary;
    if (!all)
        return;
    const struct orr_levels levels = {all->rates, all->ones, all->count};
    bool known = all->count && (end < 0 || all->count >= ORR_STATS_ENOUGH_PROCESSES);
    if (known && !orr_stats_levels(&summary, &levels))
        sqlite3_result_double(context, end < 0 ? summary.median : summary.interval[end]);
    free(all->rates);
    free(all->ones);
}

static void give_median(sqlite3_context *context)
{
    give(context, -1);
}

static void give_low(sqlite3_context *context)
{
    give(context, 0);
}

static void give_high(sqlite3_context *context)
{
    give(context, 1);
}

int orr_ledger_make_access_functions(struct orr_ledger *ledger)
{
    static const struct orr_ledger_function functions[] = {
        {"rounds_median", 1, NULL, take_rate, give_median},
        {"rounds_low", 1, NULL, take_rate, give_low},
        {"rounds_high", 1, NULL, take_rate, give_high}};
    return orr_ledger_add_functions(ledger, functions, sizeof functions / sizeof *functions, NULL);
}
