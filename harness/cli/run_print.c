/* What `orrery run` prints beside its progress. */
#include "cli/cli.h"
#include "cli/run_parts.h"

#include <inttypes.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "ledger/journal.h"

/* Shows per_box among the parameters, although it belongs to the data set. */
static void show_per_box(json_t *object, const char *member, json_t *per_box)
{
    json_t *shown =
        !per_box || json_is_null(per_box) ? NULL : json_copy(json_object_get(object, member));
    if (shown && !json_object_set(shown, "per_box", per_box))
        json_object_set(object, member, shown);
    json_decref(shown);
}

static void print_planned(const struct orr_cell *cell)
{
    json_t *object = orr_cell_to_json(cell);
    uint64_t per_box = orr_cell_per_box(cell);
    json_t *text = per_box ? json_sprintf("%" PRIu64, per_box) : json_null();
    show_per_box(object, "settings", text);
    orr_cli_print_line(stdout, object);
    json_decref(text);
    json_decref(object);
}

void orr_run_print_plan(const struct orr_run *run)
{
    size_t left = 0;
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        char label[512];
        if (orr_run_is_finished(run, k))
            continue;
        left++;
        if (run->options.json) {
            print_planned(cell);
        } else {
            printf("%s %s%s\n", cell->experiment, orr_progress_label(label, sizeof label, cell),
                   *cell->extrapolate_from ? " (extrapolated)" : "");
        }
    }
    char time[32];
    size_t guessed = orr_progress_guessed(&run->progress);
    FILE *to = run->options.json ? stderr : stdout;
    fprintf(to, "%zu cells to run", left);
    if (run->plan.rounds > 1)
        fprintf(to, " in %d rounds", run->plan.rounds);
    fprintf(to, ", %zu finished; about %s", run->plan.count - left,
            orr_progress_duration(time, sizeof time, orr_progress_left(&run->progress)));
    if (guessed)
        fprintf(to, " (a guess: %zu of them are of a kind or size not measured here yet)", guessed);
    fputc('\n', to);
}

/* Members that `run --json` has as the record has them. */
static const char same[] =
    "id experiment variant device dataset parameters outcome reason seconds interval processes "
    "spread p5 p95 two_peaks halving mode single_seconds kernel_seconds kernel_clock "
    "end_to_end_seconds stop interactions_per_second bodies_per_second trajectory figures beside "
    "extrapolated_from ranks transport exchange_seconds skew wall_s";
/* A cell that is not ok has no times, and one that is wrong on purpose none outside of the audit.
 */
static const char times[] = "p5 p95 single_seconds kernel_seconds end_to_end_seconds "
                            "bodies_per_second exchange_seconds skew";

/* The next of names with blanks between, into `out`; false behind the last. */
static bool next_name(char out[40], const char **names)
{
    size_t length = strcspn(*names, " ");
    snprintf(out, 40, "%.*s", (int)length, *names);
    *names += length + strspn(*names + length, " ");
    return length;
}

/* The record under the documented names of `run --json`. */
void orr_run_print_cell(json_t *record)
{
    static const char *const errors[][2] = {
        {"error_median", "median"}, {"error_p99", "p99"}, {"error_max", "max"}};
    const char *all = same, *of_ok = times, *always = "seconds interval interactions_per_second";
    char name[40];
    json_t *object = json_pack("{s:s}", "schema", "orrery/run/1");
    bool ok = orr_journal_is_ok(record);
    while (next_name(name, &all))
        json_object_set(object, name, json_object_get(record, name));
    show_per_box(object, "parameters",
                 json_object_get(json_object_get(record, "dataset"), "per_box"));
    while (!ok && next_name(name, &of_ok))
        json_object_del(object, name);
    while (next_name(name, &always))
        if (!ok || !json_object_get(object, name))
            json_object_set_new(object, name, json_null());
    json_t *error = json_object_get(record, "error"), *samples = json_object_get(record, "samples");
    json_object_set_new(
        object, "samples",
        json_integer((json_int_t)json_array_size(json_object_get(samples, "step_s"))));
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
        json_t *value = json_object_get(error, errors[k][1]);
        json_object_set_new(object, errors[k][0], value ? json_incref(value) : json_null());
    }
    orr_cli_print_line(stdout, object);
    fflush(stdout);
    json_decref(object);
}

void orr_run_print_end(const struct orr_run *run, const struct orr_tally *tally, double wall_s)
{
    FILE *to = run->options.json ? stderr : stdout;
    char time[32];
    if (run->ceilings.count)
        fprintf(to, "%zu device%s, %d round%s: %d measured, %d failed", run->ceilings.count,
                run->ceilings.count == 1 ? "" : "s", run->plan.rounds,
                run->plan.rounds == 1 ? "" : "s", tally->ok, tally->failed);
    else
        fprintf(to, "%zu cell%s: %d ok, %d wrong, %d failed, %d unsupported", run->plan.count,
                run->plan.count == 1 ? "" : "s", tally->ok, tally->wrong, tally->failed,
                tally->unsupported);
    if (tally->wrong_on_purpose)
        fprintf(to, ", %d wrong on purpose", tally->wrong_on_purpose);
    if (tally->left && run->plan.rounds > 1)
        fprintf(to, ", %d of %zu measurements not made", tally->left,
                run->plan.count * (size_t)run->plan.rounds);
    else if (tally->left)
        fprintf(to, ", %d not run", tally->left);
    fprintf(to, "; %s\njournal: %s\n", orr_progress_duration(time, sizeof time, wall_s),
            run->journal.path);
    const char *root = run->options.root;
    bool elsewhere = strcmp(root, "results") != 0;
    if (tally->left || tally->failed)
        fprintf(stderr, "%s: orrery run --resume %s%s%s%s\n",
                !tally->left         ? "run the failed cells again with"
                : tally->interrupted ? "interrupted; go on with"
                                     : "stopped; go on with",
                run->journal.run, tally->left ? "" : " --failed", elsewhere ? " -o " : "",
                elsewhere ? root : "");
}
