/* The picture of a watched run, line by line, for a terminal of any size and for none. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/watch_parts.h"
#include "claims/claims.h"
#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "terminal.h"
#include "text.h"

static const char RED[] = "\033[31m", YELLOW[] = "\033[33m", BOLD[] = "\033[1m", SOFT[] = "\033[2m";

/* --- lines --- */

struct line {
    char *text;
    const char *colour; /* NULL: none */
};

struct lines {
    struct line *items;
    size_t count, columns;
    bool lost; /* no memory for one */
};

static void release_lines(struct lines *lines)
{
    for (size_t k = 0; k < lines->count; k++)
        free(lines->items[k].text);
    free(lines->items);
    *lines = (struct lines){.columns = lines->columns};
}

static void put(struct lines *lines, const char *colour, const char *text, size_t length)
{
    struct line *more = realloc(lines->items, (lines->count + 1) * sizeof *more);
    char *copy = more ? strndup(text, length) : NULL;
    lines->items = more ? more : lines->items;
    lines->lost |= !copy;
    if (!copy)
        return;
    for (char *c = orr_text_tame(copy); *c; c++)
        if (*c == '\n')
            *c = ' ';
    lines->items[lines->count++] = (struct line){orr_terminal_cut(copy, lines->columns), colour};
}

static void say(struct lines *lines, const char *colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void say(struct lines *lines, const char *colour, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    put(lines, colour, text, strlen(text));
}

/* Nothing of the text is cut off: it goes on in lines of their own, broken at blanks. */
static void wrap(struct lines *lines, const char *colour, const char *text)
{
    static const char margin[] = "    ";
    char line[4096];
    size_t room = lines->columns < sizeof line ? lines->columns : sizeof line - 1;
    for (bool first = true; *text; first = false) {
        size_t indent = first ? 0 : sizeof margin - 1, length = strlen(text), width = room - indent;
        if (length > width) {
            for (length = width; length > width / 2 && text[length] != ' ';)
                length--;
            if (text[length] != ' ')
                length = width;
            while (length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80)
                length--; /* not within a character */
        }
        snprintf(line, sizeof line, "%s%.*s", first ? "" : margin, (int)length, text);
        put(lines, colour, line, strlen(line));
        text += length;
        text += strspn(text, " ");
    }
}

static void append(struct lines *to, struct lines *from, size_t most)
{
    for (size_t k = 0; k < from->count && k < most; k++)
        put(to, from->items[k].colour, from->items[k].text, strlen(from->items[k].text));
    if (from->count > most && most)
        say(to, SOFT, "and %zu more lines", from->count - most);
    release_lines(from);
}

/* --- a run --- */

/* "67 of 205 measurements, 3 of 41 cells over: 2 ok, 1 wrong" */
static void say_counts(char *out, size_t size, const struct orr_watched_counts *counts)
{
    const struct orr_tally *t = &counts->tally;
    const struct {
        int count;
        const char *name;
    } kinds[] = {{t->ok, "ok"},
                 {t->wrong, "wrong"},
                 {t->failed, "failed"},
                 {t->unsupported, "unsupported"},
                 {t->wrong_on_purpose, "wrong on purpose"}};
    size_t used = 0;
    const char *between = ": ";
    if (counts->measurements)
        used += (size_t)snprintf(out, size, "%zu of %zu measurements", counts->measured,
                                 counts->measurements);
    else
        used += (size_t)snprintf(out, size, "%zu measurements", counts->measured);
    if (counts->cells)
        used += (size_t)snprintf(out + used, size - used, ", %zu of %zu cells over", counts->done,
                                 counts->cells);
    else if (counts->done)
        used += (size_t)snprintf(out + used, size - used, ", %zu cells over", counts->done);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && used < size; k++)
        if (kinds[k].count) {
            used += (size_t)snprintf(out + used, size - used, "%s%d %s", between, kinds[k].count,
                                     kinds[k].name);
            between = ", ";
        }
}

/* "[########............] 40 %" */
static char *bar(char *out, size_t size, const struct orr_watched_counts *counts)
{
    enum { WIDTH = 20 };
    *out = '\0';
    if (!counts->measurements)
        return out;
    double share = fmin((double)counts->measured / (double)counts->measurements, 1);
    int full = (int)(share * WIDTH);
    snprintf(out, size, "[%.*s%.*s] %.0f %% ", full, "####################", WIDTH - full,
             "....................", floor(100 * share));
    return out;
}

/* "orrery run shan/table3 --preset smoke" */
static void name_request(char *out, size_t size, const struct orr_watched *run)
{
    const struct orr_request *r = &run->request;
    size_t used = (size_t)snprintf(out, size, "orrery run");
    for (int k = 0; k < r->what_count && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, " %s", r->what[k]);
    if (r->preset && used < size)
        used += (size_t)snprintf(out + used, size - used, " --preset %s", r->preset);
    for (int k = 0; k < r->set_count && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, " --set %s", r->set[k]);
}

/* "cuda:0, host": of the plan, else those that were asked for. */
static void name_devices(char *out, size_t size, const struct orr_watched *run)
{
    const size_t planned = run->plan.count;
    const size_t count = planned ? planned : (size_t)run->request.device_count;
    size_t used = 0;
    *out = '\0';
    for (size_t k = 0; k < count && used < size; k++) {
        const char *device = planned ? run->plan.cells[k].device : run->request.devices[k];
        if (!strstr(out, device))
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", device);
    }
    orr_text_tame(out);
}

static double moment(const json_t *record, const char *member)
{
    return orr_clock_read(orr_json_text(record, member));
}

/* "running for 12m (process 1234), about 6m left" */
static const char *say_state(char *out, size_t size, struct orr_watched *run)
{
    const enum orr_watched_state state = orr_watched_state(run);
    const double now = orr_clock_date(), began = moment(run->session, "started"),
                 left = orr_watched_left(run, now);
    char took[32], rest[32], last[32], pid[32] = "", resume[1200];
    orr_watch_resume(resume, sizeof resume, run);
    orr_progress_duration(took, sizeof took,
                          fmax((state == ORR_WATCHED_RUNNING || state == ORR_WATCHED_UNKNOWN ? now
                                : run->end ? moment(run->end, "finished")
                                           : run->changed) -
                                   began,
                               0));
    orr_progress_duration(rest, sizeof rest, isnan(left) ? 0 : left);
    orr_text_hour(last, sizeof last, (time_t)run->changed);
    if (state == ORR_WATCHED_RUNNING && orr_watched_pid(run))
        snprintf(pid, sizeof pid, " (process %d)", orr_watched_pid(run));
    if (state == ORR_WATCHED_RUNNING)
        snprintf(out, size, "running for %s%s%s%s%s", took, pid, isnan(left) ? "" : ", about ",
                 isnan(left) ? "" : rest, isnan(left) ? "" : " left");
    else if (state == ORR_WATCHED_OVER)
        snprintf(out, size, "over after %s", took);
    else if (state == ORR_WATCHED_INTERRUPTED)
        snprintf(out, size, "interrupted after %s; go on with `%s`", took, resume);
    else if (state == ORR_WATCHED_STOPPED)
        snprintf(out, size, "stopped at %s: its process is gone; resume with `%s`", last, resume);
    else
        snprintf(out, size, "no end yet, last line at %s; whether its process lives is not known",
                 last);
    return state == ORR_WATCHED_RUNNING || state == ORR_WATCHED_OVER ? NULL
           : state == ORR_WATCHED_UNKNOWN                            ? YELLOW
                                                                     : RED;
}

static void say_now(char *out, size_t size, struct orr_watched *run)
{
    struct orr_watched_event now;
    char head[640], since[32];
    *out = '\0';
    if (orr_watched_state(run) != ORR_WATCHED_RUNNING || !orr_watched_now(&now, run))
        return;
    orr_progress_head(head, sizeof head, &run->progress, now.round, now.place, now.cell);
    orr_progress_duration(since, sizeof since, fmax(orr_clock_date() - run->changed, 0));
    snprintf(out, size, "%s%s", head, since);
}

/* What it is, once; `one`: of one run, with its name. */
static void say_what(struct lines *lines, const struct orr_watched *run, bool one)
{
    char what[512], devices[256], started[32];
    const json_t *first = run->records.run;
    const char *machine = json_string_value(orr_json_follow(first, "machine/name"));
    name_request(what, sizeof what, run);
    name_devices(devices, sizeof devices, run);
    orr_text_hour(started, sizeof started, (time_t)moment(first, "started"));
    say(lines, BOLD, "%s", what);
    if (!one)
        return;
    char resumed[80] = "", hour[32];
    orr_text_hour(hour, sizeof hour, (time_t)moment(run->session, "started"));
    if (run->sessions > 1)
        snprintf(resumed, sizeof resumed, ", resumed %s", hour);
    const int rounds = run->plan.rounds ? run->plan.rounds : run->request.repeats;
    say(lines, NULL, "run %s on %s%s%s, %d round%s, started %s%s", run->run,
        machine ? machine : "?", *devices ? ", " : "", devices, rounds, rounds == 1 ? "" : "s",
        started, resumed);
}

static void say_run(struct lines *lines, struct orr_watched *run)
{
    char state[1600], counts[256], share[64], now[700], round[48] = "";
    struct orr_watched_counts all;
    const char *colour = say_state(state, sizeof state, run);
    orr_watched_count(&all, run);
    say_counts(counts, sizeof counts, &all);
    say_what(lines, run, true);
    wrap(lines, colour, state);
    say_now(now, sizeof now, run);
    if (all.rounds > 1 && all.round)
        snprintf(round, sizeof round, "round %d of %d, ", all.round, all.rounds);
    wrap(lines, NULL, strcat(strcat(strcpy(state, bar(share, sizeof share, &all)), round), counts));
    if (*now)
        say(lines, NULL, "now %s", now);
    if (*run->unplanned && !run->end) {
        snprintf(state, sizeof state, "what is left is not known: %s", run->unplanned);
        wrap(lines, YELLOW, state);
    }
    if (run->records.damage.count) {
        snprintf(state, sizeof state, "%zu damaged line%s skipped: %s", run->records.damage.count,
                 run->records.damage.count == 1 ? "" : "s", run->records.damage.text);
        wrap(lines, YELLOW, state);
    }
}

/* Of several runs a line each. */
static void say_shards(struct lines *lines, struct orr_watch *watch)
{
    json_int_t of = 0;
    for (size_t k = 0; k < watch->count; k++) {
        struct orr_watched *run = &watch->runs[k];
        const json_t *shard = json_object_get(run->records.run, "shard");
        const char *machine = json_string_value(orr_json_follow(run->records.run, "machine/name"));
        char state[1600], counts[256], now[700], part[64] = "", line[3000];
        struct orr_watched_counts all;
        const char *colour = say_state(state, sizeof state, run);
        orr_watched_count(&all, run);
        say_counts(counts, sizeof counts, &all);
        say_now(now, sizeof now, run);
        of = orr_json_integer(shard, "of");
        if (!k || !shard)
            say_what(lines, run, false);
        if (shard)
            snprintf(part, sizeof part, "shard %lld/%lld ",
                     (long long)orr_json_integer(shard, "number"), (long long)of);
        snprintf(line, sizeof line, "%s%s on %s: %s; %s%s%s", part, run->run,
                 machine ? machine : "?", state, counts, *now ? "; now " : "", now);
        wrap(lines, colour, line);
    }
    if (of > (json_int_t)watch->count)
        say(lines, NULL, "%lld of %lld shards have not begun",
            (long long)of - (long long)watch->count, (long long)of);
}

static void say_runs(struct lines *lines, struct orr_watch *watch)
{
    if (watch->count > 1)
        say_shards(lines, watch);
    else if (watch->count)
        say_run(lines, watch->runs);
}

/* --- its cells --- */

static void add_text(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_text(char *out, size_t size, const char *format, ...)
{
    size_t used = strlen(out);
    va_list values;
    va_start(values, format);
    if (used && used + 2 < size)
        used += (size_t)snprintf(out + used, size - used, ", ");
    vsnprintf(out + used, size - used, format, values);
    va_end(values);
}

void orr_watch_sensors(char *out, size_t size, const json_t *record)
{
    static const struct {
        const char *member, *format;
    } readings[] = {{"clock_mhz_median", "%.0f MHz"},
                    {"power_w_median", "%.0f W"},
                    {"temperature_c_max", "%.0f °C"}};
    const json_t *sensors = json_object_get(record, "sensors"),
                 *load = orr_json_follow(record, "surroundings/load"), *reason;
    const char *beside = orr_json_text(record, "beside");
    size_t k;
    *out = '\0';
    for (k = 0; k < sizeof readings / sizeof *readings; k++)
        if (json_is_number(json_object_get(sensors, readings[k].member))) {
            char text[32];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, readings[k].format,
                     orr_json_number(sensors, readings[k].member));
#pragma GCC diagnostic pop
            add_text(out, size, "%s", text);
        }
    json_array_foreach(json_object_get(sensors, "throttle_reasons"), k, reason)
    {
        if (json_is_string(reason))
            add_text(out, size, "throttled: %s", json_string_value(reason));
    }
    if (json_is_number(load))
        add_text(out, size, "load %.1f", json_number_value(load));
    if (beside)
        add_text(out, size, "not alone: %s", beside);
    orr_text_tame(out);
}

/* What came out stands on the line of the cell where there is room for both, else below, whole: a
 * cell's name may be cut off, its verdict not. */
static void say_item(struct lines *lines, struct orr_watch *watch, struct orr_watch_item *item)
{
    static const char margin[] = "    ";
    char sensors[256], text[2048];
    const char *result = orr_watch_result(watch, item);
    const bool fine =
        !orr_json_text(item->record, "outcome") || orr_journal_is_measured(item->record);
    const bool fits =
        orr_text_characters(item->head) + orr_text_characters(result) <= lines->columns;
    say(lines, fine ? NULL : RED, "%s%s", item->head, fits ? result : "");
    snprintf(text, sizeof text, "%s%s", margin, result);
    if (!fits)
        wrap(lines, fine ? NULL : RED, text);
    orr_watch_sensors(sensors, sizeof sensors, item->record);
    if (*sensors)
        say(lines, orr_json_text(item->record, "beside") ? YELLOW : SOFT, "%s%s", margin, sensors);
}

/* The newest that fit. */
static void say_recent(struct lines *lines, struct orr_watch *watch, size_t room)
{
    enum { MOST = 8 };
    struct lines parts[MOST];
    size_t first = watch->recent_count, used = 1, k;
    while (first && watch->recent_count - first < MOST) {
        struct lines *part = &parts[watch->recent_count - first];
        *part = (struct lines){.columns = lines->columns};
        say_item(part, watch, &watch->recent[first - 1]);
        if (used + part->count > room) {
            release_lines(part);
            break;
        }
        used += part->count;
        first--;
    }
    if (first < watch->recent_count)
        say(lines, BOLD, "last");
    for (k = watch->recent_count - first; k-- > 0;)
        append(lines, &parts[k], parts[k].count);
}

/* Every cell that is not ok, its reason in full. */
static void say_faults(struct lines *lines, const struct orr_watched *run)
{
    const char *id;
    json_t *rounds;
    json_object_foreach(run->records.cells, id, rounds)
    {
        const json_t *record = orr_watched_telling(rounds),
                     *dataset = json_object_get(record, "dataset");
        const char *outcome = orr_json_text(record, "outcome"),
                   *reason = orr_json_text(record, "reason"),
                   *variant = orr_json_text(record, "variant"),
                   *device = orr_json_text(record, "device"),
                   *name = orr_json_text(dataset, "name");
        char text[4096];
        if (orr_journal_is_measured(record))
            continue;
        const bool told = reason && !strncmp(reason, outcome, strlen(outcome));
        snprintf(text, sizeof text, "%s %s n=%lld %s … %s%s%s", variant ? variant : "?",
                 name ? name : "?", (long long)orr_json_integer(dataset, "n"),
                 device ? device : "?", told ? "" : outcome,
                 told || !reason || !*reason ? "" : ": ", reason ? reason : "");
        wrap(lines, strcmp(outcome, "unsupported") ? RED : YELLOW, text);
    }
}

/* --- what its cells say --- */

/* "fujiwara on host: N1 reproduced (3 of 3), 4 incomplete" */
struct claims_line {
    char of[256], text[4096];
    int incomplete;
};

static void end_claims(struct lines *lines, struct claims_line *line)
{
    if (line->incomplete)
        add_text(line->text, sizeof line->text, "%d incomplete", line->incomplete);
    if (*line->of) {
        char whole[sizeof line->of + sizeof line->text + 4];
        snprintf(whole, sizeof whole, "%s: %s", line->of, line->text);
        wrap(lines, NULL, whole);
    }
    *line = (struct claims_line){.incomplete = 0};
}

static void add_claim(struct claims_line *line, const json_t *row)
{
    const char *reading = orr_json_text(row, "reading"), *verdict = orr_json_text(row, "verdict");
    const bool printed = reading && !strcmp(reading, "as printed");
    if (verdict && !strcmp(verdict, ORR_INCOMPLETE))
        line->incomplete++;
    else
        add_text(line->text, sizeof line->text, "%s%s%s%s %s", orr_json_text(row, "id"),
                 printed ? "" : " (", printed ? "" : reading, printed ? "" : ")",
                 orr_json_text(row, "score"));
}

/* A line a paper and device. */
static void say_claims(struct lines *lines, const struct orr_watch_job *job)
{
    struct claims_line line = {.incomplete = 0};
    char at[32];
    size_t k;
    json_t *row;
    orr_text_hour(at, sizeof at, (time_t)job->judged);
    if (json_array_size(job->claims))
        say(lines, BOLD, "claims, as of %s", at);
    json_array_foreach(job->claims, k, row)
    {
        const char *machine = orr_json_text(row, "machine"), *device = orr_json_text(row, "device");
        char of[sizeof line.of];
        snprintf(of, sizeof of, "%s on %s %s", orr_json_text(row, "paper"), machine ? machine : "",
                 device ? device : "");
        if (strcmp(of, line.of) != 0)
            end_claims(lines, &line);
        strcpy(line.of, of);
        add_claim(&line, row);
    }
    end_claims(lines, &line);
}

static void say_job(struct lines *lines, const struct orr_watch *watch)
{
    const struct orr_watch_job *job = &watch->job;
    char at[32];
    say_claims(lines, job);
    orr_text_hour(at, sizeof at, (time_t)job->judged);
    if (*job->page)
        say(lines, NULL, "page, as of %s: %s", at, job->page);
    if (*job->failed)
        wrap(lines, RED, job->failed);
}

/* --- all of it --- */

static void write_lines(FILE *to, const struct lines *lines, const struct orr_watch_size *size)
{
    for (size_t k = 0; k < lines->count && k < size->rows; k++) {
        const char *colour = size->colour ? lines->items[k].colour : NULL;
        fprintf(to, "%s%s%s%s%s", colour ? colour : "", lines->items[k].text,
                colour ? "\033[0m" : "", size->screen ? "\033[K" : "",
                size->screen && k + 1 == size->rows ? "" : "\n");
    }
}

static int finish(FILE *to, struct lines *lines, const struct orr_watch_size *size)
{
    write_lines(to, lines, size);
    int code = lines->lost ? orr_fail(ORR_EMEMORY, "no memory for the picture") : 0;
    release_lines(lines);
    fflush(to);
    return code;
}

/* Where rows are few, the runs come first, then faults in half of what is left, then cells. */
int orr_watch_picture(FILE *to, struct orr_watch *watch, const struct orr_watch_size *size)
{
    struct lines all = {.columns = size->columns}, faults = all, below = all;
    say_runs(&all, watch);
    for (size_t k = 0; k < watch->count; k++)
        say_faults(&faults, &watch->runs[k]);
    say_job(&below, watch);
    size_t left = size->rows > all.count ? size->rows - all.count : 0;
    size_t room = left / 2 > 1 ? left / 2 - 1 : 0,
           wanted = faults.count < room ? faults.count : room;
    if (faults.count && wanted) {
        say(&all, RED, "faults");
        append(&all, &faults, wanted);
    }
    release_lines(&faults);
    left = size->rows > all.count ? size->rows - all.count : 0;
    if (left > below.count + 3)
        say_recent(&all, watch, left - below.count);
    else
        say_recent(&all, watch, left);
    append(&all, &below, below.count);
    return finish(to, &all, size);
}

static const struct orr_watch_size unbound = {SIZE_MAX, SIZE_MAX, false, false};

int orr_watch_begin_lines(FILE *to, struct orr_watch *watch)
{
    struct lines all = {.columns = SIZE_MAX};
    say_runs(&all, watch);
    return finish(to, &all, &unbound);
}

int orr_watch_end_lines(FILE *to, struct orr_watch *watch)
{
    struct lines all = {.columns = SIZE_MAX};
    say_job(&all, watch);
    say_runs(&all, watch);
    return finish(to, &all, &unbound);
}
