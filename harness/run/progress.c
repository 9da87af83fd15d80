/* SPDX-License-Identifier: MIT */
#include "run/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "measure/stats.h"
#include "measure/stats_levels.h"
#include "memory.h"
#include "terminal.h"
#include "text.h"

static int learn(json_t *record, size_t line, void *context)
{
    (void)line;
    orr_time_estimate_add(context, record);
    return 0;
}

static int learn_journal(const char *path, void *context)
{
    if (orr_journal_read(path, learn, context, NULL))
        orr_error_clear(); /* an estimate can do without */
    return 0;
}

void orr_progress_begin(struct orr_progress *out, FILE *to, const struct orr_cell *cells,
                        size_t count, int rounds, const bool *skip, const char *folder)
{
    const char *no_colour = getenv("NO_COLOR");
    *out = (struct orr_progress){.to = to,
                                 .terminal = orr_terminal_moves(to),
                                 .colour = orr_terminal_moves(to) && !(no_colour && *no_colour),
                                 .cells = cells,
                                 .count = count,
                                 .rounds = rounds,
                                 .done = orr_memory_get(count * (size_t)rounds * sizeof(bool))};
    for (size_t k = 0; skip && k < count * (size_t)rounds; k++)
        out->done[k] = skip[k];
    if (folder)
        orr_journal_each(folder, learn_journal, &out->estimate);
}

void orr_progress_release(struct orr_progress *progress)
{
    free(progress->done);
    free(progress->times);
    orr_time_estimate_release(&progress->estimate);
    *progress = (struct orr_progress){0};
}

/* Beside its cells a round takes about so long: a process and a ceiling. */
static const double ROUND_S = 1;

/* All that a finished cell may have changed: those of its variant and device; NULL: everything. */
static void expect(struct orr_progress *progress, const struct orr_cell *finished)
{
    if (!progress->times) {
        progress->times = orr_memory_get(2 * progress->count * sizeof *progress->times);
        finished = NULL;
    }
    for (size_t k = 0; k < 2 * progress->count; k++) {
        const struct orr_cell *cell = &progress->cells[k / 2];
        if (!finished ||
            (!strcmp(cell->device, finished->device) && !strcmp(cell->variant, finished->variant)))
            progress->times[k] = orr_time_estimate_cell(&progress->estimate, cell, k % 2);
    }
}

/* A cell weighs so much less than the one after it: load comes and goes. */
static const double FADES = 0.97;
/* Before anything finished, expected times are right in the mean, as if so many cells had said so,
 * and scatter by these deviations of the logarithm: replayed journals (tests/test_time_left.c). */
static const double PRIOR_WEIGHT = 2;
static const double scatter[ORR_TIME_BASES] = {0.4, 0.7, 1};
static void learn_taken(struct orr_progress *progress, const struct orr_time *expected,
                        double taken_s)
{
    if (!(expected->seconds > 0) || !(taken_s > 0))
        return;
    /* What scatters more says less. */
    const double weight = pow(scatter[ORR_TIME_MEASURED] / scatter[expected->basis], 2);
    progress->weight = FADES * progress->weight + weight;
    progress->sum = FADES * progress->sum + weight * log(taken_s / expected->seconds);
}

double orr_progress_left(double *spread, struct orr_progress *progress)
{
    double sums[ORR_TIME_BASES] = {0}, squares[ORR_TIME_BASES] = {0}, seconds = 0, variance = 0;
    const double known = PRIOR_WEIGHT + progress->weight;
    const bool *done = progress->done;
    if (!progress->times)
        expect(progress, NULL);
    for (int round = 1; round <= progress->rounds; round++)
        for (size_t k = 0; k < progress->count; k++) {
            const struct orr_time *time = &progress->times[2 * k + (round > 1)];
            if (*done++)
                continue;
            sums[time->basis] += time->seconds;
            squares[time->basis] += time->seconds * time->seconds;
        }
    for (int k = 0; k < ORR_TIME_BASES; k++) {
        const double scatter2 = scatter[k] * scatter[k];
        seconds += sums[k];
        variance += squares[k] * expm1(scatter2) + sums[k] * sums[k] * expm1(scatter2 / known);
    }
    *spread = seconds > 0 ? sqrt(log1p(variance / (seconds * seconds))) : 0;
    seconds *= exp(progress->sum / known);
    return seconds > 0 ? seconds + (progress->rounds - progress->round) * ROUND_S : 0;
}

size_t orr_progress_guessed(struct orr_progress *progress)
{
    size_t guessed = 0;
    if (!progress->times)
        expect(progress, NULL);
    for (size_t k = 0; k < progress->count; k++)
        guessed += !progress->done[(size_t)(progress->rounds - 1) * progress->count + k] &&
                   !*progress->cells[k].extrapolate_from &&
                   progress->times[2 * k].basis == ORR_TIME_GUESSED;
    return guessed;
}

/* "[2: 7/41] fujiwara/optimised ... … ", in the second of several rounds. */
static char *head(char *out, size_t size, const struct orr_progress *progress, int round,
                  size_t place, const struct orr_cell *cell)
{
    char label[512], total[24], of[24] = "";
    int width = snprintf(total, sizeof total, "%zu", progress->count);
    if (progress->rounds > 1)
        snprintf(of, sizeof of, "%d: ", round);
    snprintf(out, size, "[%s%*zu/%s] %s … ", of, width, place, total,
             orr_cell_label(label, sizeof label, cell));
    return out;
}

/* "eta 6m", "eta 4m to 20m", or "" where nobody knows. */
static char *write_eta(char *out, size_t size, struct orr_progress *progress)
{
    char text[72];
    double spread, left = orr_progress_left(&spread, progress);
    orr_time_left_text(text, sizeof text, left, spread);
    snprintf(out, size, "%s%s", *text ? "eta " : "", text);
    return out;
}

void orr_progress_clear(struct orr_progress *progress)
{
    if (progress->terminal)
        fputs("\r\033[K", progress->to);
}

void orr_progress_before(struct orr_progress *progress, int round, size_t place,
                         const struct orr_cell *cell)
{
    if (!progress->terminal)
        return;
    char eta[80], line[640];
    head(line, sizeof line - sizeof eta, progress, round, place, cell);
    strcat(line, write_eta(eta, sizeof eta, progress));
    orr_progress_clear(progress);
    /* A line that is wrapped could not be written over. */
    fputs(orr_terminal_cut(line, orr_terminal_columns(progress->to) - 1), progress->to);
    fflush(progress->to);
}

/* "± 0.3 % within one run (24) ": a record is of one process unless it says how many. */
static void print_spread(FILE *to, json_t *record, double median)
{
    char share[32];
    json_t *interval = json_object_get(record, "interval"),
           *processes = json_object_get(record, "processes");
    size_t samples = json_array_size(json_object_get(json_object_get(record, "samples"), "step_s"));
    const bool one_run = json_integer_value(processes) < ORR_STATS_ENOUGH_PROCESSES;
    if (samples != 1 && json_array_size(interval) == 2)
        fprintf(to, "%s%s ",
                orr_format_plus_minus(
                    share, sizeof share,
                    orr_stats_plus_minus(median, json_number_value(json_array_get(interval, 0)),
                                         json_number_value(json_array_get(interval, 1)))),
                one_run ? " " ORR_WITHIN_ONE_RUN : "");
    if (samples)
        fprintf(to, "(%zu) ", samples);
}

/* "a step 1.204 ms ± 0.3 % (24) 212 Gint/s err 3e-7 "; an integration is timed as a whole: "100
 * steps 487.6 ms". */
static void print_numbers(FILE *to, json_t *record)
{
    char seconds[32], rate[32], timed[32] = "a step";
    double steps = orr_json_number(json_object_get(record, "parameters"), "steps");
    if (steps > 1)
        snprintf(timed, sizeof timed, "%.0f steps", steps);
    double median = orr_json_number(record, "seconds"),
           bodies = orr_json_number(record, "bodies_per_second");
    fprintf(to, "%s %s ", timed, orr_format_seconds(seconds, sizeof seconds, median));
    print_spread(to, record, median);
    bool counted = json_is_number(json_object_get(record, "interactions_per_second"));
    fprintf(to, "%s ",
            counted ? orr_format_si(rate, sizeof rate,
                                    orr_json_number(record, "interactions_per_second"), "int/s")
                    : orr_format_si(rate, sizeof rate, bodies > 0 ? bodies : NAN, "bodies/s"));
    json_t *error = json_object_get(record, "error");
    if (error)
        fprintf(to, "err %.0e ", orr_json_number(error, "p99"));
    else
        fprintf(to, "%s ", orr_json_text(record, "reason"));
}

static void print_outcome(FILE *to, json_t *record, bool ok, bool colours)
{
    const char *outcome = orr_json_text(record, "outcome");
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", orr_json_text(record, "reason"));
    orr_text_tame(reason); /* it may be of the plugin's making */
    const char *colour = ok                                ? "\033[32m"
                         : !strcmp(outcome, "unsupported") ? "\033[33m"
                                                           : "\033[31m";
    /* "crashed: SIGSEGV" already begins with its outcome. */
    bool told = !ok && !strncmp(reason, outcome, strlen(outcome));
    fprintf(to, "%s%s%s%s%s", colours ? colour : "", told ? reason : outcome,
            colours ? "\033[0m" : "", ok || told || !*reason ? "" : ": ", ok || told ? "" : reason);
}

static void print_line(struct orr_progress *progress, int round, size_t place,
                       const struct orr_cell *cell, json_t *record)
{
    char eta[80], begin[600];
    const bool ok = orr_journal_is_ok(record);
    orr_progress_clear(progress);
    fputs(head(begin, sizeof begin, progress, round, place, cell), progress->to);
    if (ok && json_is_number(json_object_get(record, "seconds")))
        print_numbers(progress->to, record);
    print_outcome(progress->to, record, ok, progress->colour);
    fprintf(progress->to, " %s\n", write_eta(eta, sizeof eta, progress));
    fflush(progress->to);
}

void orr_progress_after(struct orr_progress *progress, int round, size_t place,
                        const struct orr_cell *cell, json_t *record, json_t *whole)
{
    const size_t k = (size_t)(cell - progress->cells);
    int last = orr_journal_is_measured(record) ? round : progress->rounds;
    if (!progress->times)
        expect(progress, NULL);
    learn_taken(progress, &progress->times[2 * k + (round > 1)], orr_json_number(record, "wall_s"));
    for (int of = round; of <= last; of++) /* it is not tried again */
        progress->done[(size_t)(of - 1) * progress->count + k] = true;
    progress->round = round > progress->round ? round : progress->round;
    orr_time_estimate_add(&progress->estimate, record);
    expect(progress, cell);
    if (whole)
        print_line(progress, round, place, cell, whole);
}
