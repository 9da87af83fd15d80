/* What `orrery tune` prints beside its progress. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/text_table.h"
#include "cli/tune_parts.h"
#include "error.h"
#include "format_value.h"
#include "json_member.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "text.h"

/* --- the plan --- */

static void print_knobs(const struct orr_knobs *knobs)
{
    for (size_t k = 0; k < knobs->count; k++) {
        const struct orr_knob *knob = &knobs->items[k];
        printf("  %-12s", knob->name);
        for (size_t v = 0; v < knob->count; v++)
            printf(" %s", knob->values[v]);
        printf("; default %s\n", knob->values[knob->usual]);
    }
}

static int print_input(const struct orr_tune *tune, const struct orr_cell *cell)
{
    struct orr_knobs knobs;
    struct orr_search search = {0};
    struct orr_search_wish wish = tune->search;
    char label[512];
    int code = orr_tune_make_knobs(&knobs, tune, cell);
    wish.knobs = &knobs;
    if (!code)
        code = orr_search_begin(&search, &wish);
    if (!code) {
        printf("%s %s\n", cell->experiment, orr_progress_label(label, sizeof label, cell));
        print_knobs(&knobs);
        printf("  %" PRIu64 " configurations, ", orr_knobs_configurations(&knobs));
        if (search.wish.strategy == ORR_SEARCH_FULL)
            puts("all of them");
        else
            printf("%zu drawn at random%s\n", search.wish.sample,
                   search.wish.strategy == ORR_SEARCH_STAGED ? ", then knob by knob" : "");
    }
    orr_search_release(&search);
    orr_knobs_release(&knobs);
    return code;
}

int orr_tune_print_plan(const struct orr_tune *tune)
{
    int code = 0;
    for (size_t k = 0; !code && k < tune->run.plan.count; k++)
        code = print_input(tune, &tune->run.plan.cells[k]);
    return code;
}

/* --- the outcome --- */

/* "1.204 ms ± 0.3 %", marked where the interval is within one run. */
static void time_of(char *out, size_t size, const json_t *row)
{
    char seconds[32], share[32] = "";
    const double median = orr_json_number(row, "seconds");
    const json_t *interval = json_object_get(row, "interval");
    if (json_is_array(interval))
        orr_format_plus_minus(share, sizeof share,
                              orr_stats_plus_minus(median,
                                                   json_number_value(json_array_get(interval, 0)),
                                                   json_number_value(json_array_get(interval, 1))));
    snprintf(out, size, "%s%s%s%s", orr_format_seconds(seconds, sizeof seconds, median),
             *share ? " " : "", share,
             *share && orr_json_integer(row, "processes") < ORR_STATS_ENOUGH_PROCESSES
                 ? " " ORR_WITHIN_ONE_RUN_MARK
                 : "");
}

static json_t *shown_row(const json_t *row, size_t place)
{
    char step[96], over[32] = "";
    json_t *shown = json_copy(json_object_get(row, "knobs"));
    time_of(step, sizeof step, row);
    if (json_object_get(row, "over_default"))
        orr_format_number(over, sizeof over, orr_json_number(row, "over_default"));
    /* The default may stand behind the best, wherever it is in truth. */
    json_object_set_new(shown, "place",
                        place < ORR_TUNING_SHOWN ? json_integer((json_int_t)place + 1)
                                                 : json_string(""));
    json_object_set_new(shown, "a step", json_string(step));
    json_object_set_new(shown, "over", json_string(over));
    json_object_set(shown, "processes", json_object_get(row, "processes"));
    json_object_set_new(
        shown, "remark",
        json_string(json_is_true(json_object_get(row, "default")) ? "the default" : ""));
    return shown;
}

static void print_rows(const json_t *record)
{
    struct orr_text_column columns[ORR_MOST_KNOBS + 6] = {{"place", "#"}};
    size_t used = 1, k;
    const char *name;
    json_t *row, *values, *rows = json_array();
    json_object_foreach(json_object_get(record, "candidates"), name, values)
    {
        columns[used++] = (struct orr_text_column){name, name};
    }
    columns[used++] = (struct orr_text_column){"a step", "a step"};
    columns[used++] = (struct orr_text_column){"over", "over the default"};
    columns[used++] = (struct orr_text_column){"processes", "processes"};
    columns[used++] = (struct orr_text_column){"remark", ""};
    json_array_foreach(json_object_get(record, "rows"), k, row)
        json_array_append_new(rows, shown_row(row, k));
    orr_text_table_print(stdout, rows, columns, 0);
    json_decref(rows);
}

/* Adds "NAME<by>VALUE" behind what is there, with `between` before it. */
static void append(char *out, size_t size, const char *between, const char *name, const char *by,
                   const char *value)
{
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s%s%s", used ? between : "", name, by, value);
}

/* "64 1.32, 128 1, 256 1.05": each value's time over the fastest. */
static json_t *shown_sensitivity(const json_t *of)
{
    char text[512] = "", value[64], over[32];
    double least = INFINITY;
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(of, "values"), k, one) least =
        fmin(least, orr_json_number(one, "seconds"));
    json_array_foreach(json_object_get(of, "values"), k, one)
    {
        if (json_array_size(json_object_get(of, "values")) < 2)
            break;
        orr_text_table_value(value, sizeof value, json_object_get(one, "value"));
        orr_format_number(over, sizeof over, orr_json_number(one, "seconds") / least);
        append(text, sizeof text, ", ", value, ": ", over);
    }
    json_t *shown = json_pack("{s:O, s:O, s:O, s:s}", "knob", json_object_get(of, "knob"), "best",
                              json_object_get(of, "best"), "default",
                              json_object_get(of, "default"), "values", text);
    const double spread = orr_json_number(of, "spread");
    json_object_set_new(
        shown, "spread",
        json_string(spread > 0 ? orr_format_number(over, sizeof over, spread) : ""));
    return shown;
}

static void print_sensitivity(const json_t *record)
{
    static const struct orr_text_column columns[] = {
        {"knob", "knob"},
        {"best", "best"},
        {"default", "default"},
        {"spread", "slowest / fastest"},
        {"values", "this knob alone, the others as in the best: time over the fastest"},
        {NULL, NULL}};
    size_t k;
    json_t *of, *rows = json_array();
    json_array_foreach(json_object_get(record, "sensitivity"), k, of)
        json_array_append_new(rows, shown_sensitivity(of));
    orr_text_table_print(stdout, rows, columns, 0);
    json_decref(rows);
}

/* "block=64 bodies=4" */
static void knobs_text(char *out, size_t size, const json_t *knobs)
{
    const char *name;
    json_t *value;
    *out = '\0';
    json_object_foreach((json_t *)knobs, name, value)
    {
        char text[64];
        append(out, size, " ", name, "=", orr_text_table_value(text, sizeof text, value));
    }
}

static size_t count_refused(const json_t *record)
{
    size_t count = 0;
    const char *outcome;
    json_t *of;
    json_object_foreach(json_object_get(record, "outcomes"), outcome, of)
    {
        if (strcmp(outcome, "ok") != 0)
            count += (size_t)json_integer_value(of);
    }
    return count;
}

/* What is not ok, the first few; their reasons may be of the plugin's making. */
static void print_refused(const json_t *record)
{
    enum { SHOWN = 5 };
    const size_t count = count_refused(record);
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(record, "refused"), k, one)
    {
        char knobs[512], reason[256];
        const char *outcome = orr_json_text(one, "outcome");
        if (k == SHOWN)
            break;
        knobs_text(knobs, sizeof knobs, json_object_get(one, "knobs"));
        snprintf(reason, sizeof reason, "%s", orr_json_text(one, "reason"));
        /* "crashed: SIGSEGV" already begins with its outcome. */
        const bool told = !strncmp(reason, outcome, strlen(outcome));
        printf("left out: %s: %s%s%s\n", knobs, told ? "" : outcome, told ? "" : ": ",
               orr_text_tame(reason));
    }
    if (count > SHOWN)
        printf("left out: %zu more, which the journal names\n", count - SHOWN);
}

static void print_verdict(const json_t *record)
{
    static const struct {
        const char *verdict, *text;
    } texts[] = {
        {"same", "no better than the default: any difference is smaller than 2 %"},
        {"not told apart", "no better than the default: not told apart; --repeats measures more"},
        {"slower", "no better than the default: measured anew it is slower"},
        {"default", "no better than the default, which is the best that was found"},
        {"unclear", "unclear: fewer than three processes; --repeats 3 decides"}};
    const char *verdict = orr_json_text(record, "verdict"), *text = NULL;
    const json_t *interval = json_object_get(record, "interval");
    char ratio[32], low[32], high[32];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (!strcmp(texts[k].verdict, verdict))
            text = texts[k].text;
    if (!strcmp(verdict, "faster"))
        printf("gain: ");
    else if (text)
        printf("%s", text);
    else
        printf("no better than the default: measured anew it was '%s'", verdict);
    if (json_object_get(record, "ratio"))
        printf(
            "%s%s [%s, %s] times as fast", text ? "; " : "",
            orr_format_number(ratio, sizeof ratio, orr_json_number(record, "ratio")),
            orr_format_number(low, sizeof low, json_number_value(json_array_get(interval, 0))),
            orr_format_number(high, sizeof high, json_number_value(json_array_get(interval, 1))));
    putchar('\n');
}

/* The default and the best, measured anew. */
static void print_comparison(const json_t *record)
{
    char usual[96], best[96], knobs[512];
    const json_t *row = json_object_get(record, "best");
    if (row) {
        time_of(usual, sizeof usual, json_object_get(record, "default"));
        time_of(best, sizeof best, row);
        knobs_text(knobs, sizeof knobs, json_object_get(record, "knobs"));
        printf("measured anew: the default %s (%d processes), %s %s (%d)\n", usual,
               (int)orr_json_integer(json_object_get(record, "default"), "processes"), knobs, best,
               (int)orr_json_integer(row, "processes"));
    }
    print_verdict(record);
}

static void print_json(const json_t *record, const char *journal)
{
    json_t *object = json_pack("{s:s, s:s}", "schema", "orrery/tune/1", "journal", journal);
    json_object_update_missing(object, (json_t *)record);
    json_object_del(object, "record");
    json_object_del(object, "check");
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(object);
}

void orr_tune_print(const struct orr_tune *tune, const json_t *record)
{
    char wall[32], parameters[512];
    const json_t *dataset = json_object_get(record, "dataset");
    if (tune->json) {
        print_json(record, tune->run.journal.path);
        return;
    }
    knobs_text(parameters, sizeof parameters, json_object_get(record, "parameters"));
    printf("%s on %s (%s), %s n=%lld %s\n", orr_json_text(record, "variant"),
           orr_json_text(record, "device"), orr_json_text(record, "device_name"),
           orr_json_text(dataset, "name"), (long long)orr_json_integer(dataset, "n"), parameters);
    printf("%s search: %lld of %.0f configurations; %s%s\n\n", orr_json_text(record, "strategy"),
           (long long)orr_json_integer(record, "measured"),
           orr_json_number(record, "configurations"),
           orr_progress_duration(wall, sizeof wall, orr_json_number(record, "wall_s")),
           json_is_true(json_object_get(record, "out_of_budget")) ? "; its budget was spent" : "");
    print_rows(record);
    putchar('\n');
    print_sensitivity(record);
    putchar('\n');
    print_refused(record);
    print_comparison(record);
}
