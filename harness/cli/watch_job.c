/* Claims and the page of a run that goes on: what takes seconds is done beside the picture, by a
 * process of its own that gives way to others. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "claims/claims.h"
#include "cli/claims_parts.h"
#include "cli/cli.h"
#include "cli/watch_parts.h"
#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "process.h"
#include "report/report.h"
#include "run/schedule_access.h"

/* Between two jobs passes as many times what one took, so that they cost little of the machine. */
static const double RESTS = 20;

/* --- in the process --- */

/* Journals of the runs, and what else the page shows. */
static char **list_sources(const struct orr_watch *watch, int *count)
{
    char **from = calloc(watch->count + (size_t)watch->more.count + 1, sizeof *from);
    *count = 0;
    for (size_t k = 0; from && k < watch->count; k++)
        from[(*count)++] = watch->runs[k].path;
    for (int k = 0; from && k < watch->more.count; k++)
        from[(*count)++] = watch->more.items[k];
    return from;
}

/* "12 of 41 cells, round 2 of 3" */
static void say_text(char *out, size_t size, const struct orr_watch *watch)
{
    struct orr_watched_counts all = {0};
    size_t used;
    for (size_t k = 0; k < watch->count; k++) {
        struct orr_watched_counts own;
        orr_watched_count(&own, &watch->runs[k]);
        all.cells += own.cells;
        all.done += own.done;
        all.measured += own.measured;
        all.measurements += own.measurements;
        all.round = own.round > all.round ? own.round : all.round;
        all.rounds = own.rounds > all.rounds ? own.rounds : all.rounds;
    }
    used = (size_t)snprintf(out, size, "%zu", all.done);
    if (all.cells)
        used += (size_t)snprintf(out + used, size - used, " of %zu", all.cells);
    used += (size_t)snprintf(out + used, size - used, " cells are over, %zu", all.measured);
    if (all.measurements)
        used += (size_t)snprintf(out + used, size - used, " of %zu", all.measurements);
    used += (size_t)snprintf(out + used, size - used, " measurements made");
    if (all.rounds > 1)
        snprintf(out + used, size - used, ", round %d of %d", all.round, all.rounds);
}

static void count_cell(json_t *all, const char *experiment, bool over)
{
    json_t *counts = json_object_get(all, experiment);
    if (!counts)
        json_object_set_new(all, experiment, counts = json_pack("[i, i]", 0, 0));
    json_array_set_new(counts, 0,
                       json_integer(json_integer_value(json_array_get(counts, 0)) + over));
    json_array_set_new(counts, 1, json_integer(json_integer_value(json_array_get(counts, 1)) + 1));
}

/* experiment -> [cells that are over, cells], by the plan or as far as cells were begun. */
static void count_experiments(json_t *all, const struct orr_watched *run, int rounds)
{
    const char *id;
    json_t *records;
    for (size_t k = 0; k < run->plan.count; k++) {
        const struct orr_cell *cell = &run->plan.cells[k];
        const json_t *known = json_object_get(run->records.cells, cell->id);
        count_cell(all, cell->experiment,
                   known && orr_journal_ends_cell(orr_watched_telling(known), rounds));
    }
    json_object_foreach(run->records.cells, id, records)
    {
        const json_t *record = orr_watched_telling(records);
        const char *experiment = orr_json_text(record, "experiment");
        if (experiment && !run->plan.count)
            count_cell(all, experiment, orr_journal_ends_cell(record, rounds));
    }
}

/* Of experiments that are not whole: "3 of 20 cells have all their rounds". */
static json_t *list_unfinished(const struct orr_watch *watch)
{
    json_t *all = json_object(), *unfinished = json_object(), *counts;
    const char *experiment;
    for (size_t k = 0; k < watch->count; k++) {
        struct orr_watched_counts own;
        orr_watched_count(&own, &watch->runs[k]);
        count_experiments(all, &watch->runs[k], own.rounds);
    }
    json_object_foreach(all, experiment, counts)
    {
        json_int_t over = json_integer_value(json_array_get(counts, 0)),
                   cells = json_integer_value(json_array_get(counts, 1));
        if (over < cells)
            json_object_set_new(unfinished, experiment,
                                json_sprintf("%lld of %lld cells have all their rounds",
                                             (long long)over, (long long)cells));
    }
    json_decref(all);
    return unfinished;
}

static int write_page(struct orr_report *out, const struct orr_watch *watch,
                      struct orr_selection *selection)
{
    char text[256], resume[1200];
    const bool over = orr_watch_is_over(watch);
    bool whole = over;
    struct orr_report_going going = {.text = text, .reload_s = over ? 0 : watch->every_s};
    say_text(text, sizeof text, watch);
    for (size_t k = 0; k < watch->count; k++)
        if (orr_watched_state(&watch->runs[k]) != ORR_WATCHED_OVER) {
            whole = false;
            orr_watch_resume(resume, sizeof resume, &watch->runs[k]);
            going.resume = over ? resume : NULL;
        }
    if (whole)
        going.text = NULL;
    going.unfinished = list_unfinished(watch);
    int code = orr_report_write(out, selection, watch->report, &going);
    json_decref((json_t *)going.unfinished);
    return code;
}

/* Claims of papers that have cells; verdicts that say something. */
static int judge(json_t *rows, struct orr_selection *selection)
{
    json_t *all = json_array(), *row;
    size_t k;
    int code = orr_cli_claims_judge(selection, false);
    if (!code)
        code = orr_cli_claims_gather(all, selection);
    json_array_foreach(all, k, row)
    {
        static const char *const kept[] = {"paper",   "id",      "machine", "device",
                                           "reading", "verdict", "measured"};
        const char *verdict = orr_json_text(row, "verdict");
        if (!verdict || !strcmp(verdict, ORR_NOT_MEASURABLE) || !orr_json_text(row, "machine"))
            continue;
        json_t *brief = json_object();
        for (size_t m = 0; m < sizeof kept / sizeof *kept; m++)
            json_object_set(brief, kept[m], json_object_get(row, kept[m]));
        json_object_set(brief, "score", json_object_get(json_object_get(row, "score"), "text"));
        json_array_append_new(rows, brief);
    }
    json_decref(all);
    return code;
}

/* The paper of the cells, where they are all of one; NULL: of several. */
static const char *only_paper(char *out, size_t size, const struct orr_watch *watch)
{
    *out = '\0';
    for (size_t k = 0; k < watch->count; k++) {
        const char *id;
        json_t *rounds;
        json_object_foreach(watch->runs[k].records.cells, id, rounds)
        {
            const char *text = orr_json_text(json_array_get(rounds, 0), "experiment"),
                       *experiment = text ? text : "";
            const size_t length = strcspn(experiment, "/");
            if (!*out && length < size)
                snprintf(out, size, "%.*s", (int)length, experiment);
            else if (strlen(out) != length || strncmp(out, experiment, length) != 0)
                return NULL;
        }
    }
    return *out ? out : NULL;
}

static int work(json_t *answer, const struct orr_watch *watch)
{
    struct orr_selection selection = {0};
    struct orr_wish wish = {0};
    struct orr_report report;
    char paper[64];
    json_t *rows = json_array();
    wish.from = list_sources(watch, &wish.from_count);
    int code = orr_selection_make(&selection, &wish,
                                  watch->report ? NULL : only_paper(paper, sizeof paper, watch));
    if (!code)
        code = judge(rows, &selection);
    if (!code && watch->report)
        code = write_page(&report, watch, &selection);
    if (!code && watch->report)
        json_object_set_new(answer, "page", json_string(report.page));
    json_object_set_new(answer, "claims", rows);
    orr_selection_release(&selection);
    free((char **)wish.from);
    return code;
}

static _Noreturn void serve(int to, const struct orr_watch *watch)
{
    sigset_t none;
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    json_t *answer = json_object();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpriority(PRIO_PROCESS, 0, 19);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (work(answer, watch))
        json_object_set_new(answer, "failed", json_string(orr_error_text()));
    json_dumpfd(answer, to, JSON_COMPACT);
    _exit(0);
}

/* --- in front of it --- */

static size_t measured(const struct orr_watch *watch)
{
    size_t sum = 0;
    for (size_t k = 0; k < watch->count; k++)
        sum += watch->runs[k].place.lines;
    return sum;
}

/* Judging on the cores that are measured would disturb what is measured. */
static bool may_judge(const struct orr_watch *watch)
{
    for (size_t k = 0; k < watch->count; k++)
        if (orr_watched_state(&watch->runs[k]) == ORR_WATCHED_RUNNING &&
            orr_watched_is_on_cores(&watch->runs[k]))
            return false;
    return true;
}

static bool is_wanted(const struct orr_watch *watch)
{
    if (watch->report || watch->claims)
        return true;
    return !watch->once && !watch->as_json && may_judge(watch);
}

static bool is_of_cells(const struct orr_watch *watch)
{
    for (size_t k = 0; k < watch->count; k++)
        if (json_object_size(watch->runs[k].records.cells))
            return true;
    return false;
}

static bool is_time(const struct orr_watch *watch)
{
    const struct orr_watch_job *job = &watch->job;
    const bool over = orr_watch_is_over(watch);
    if (job->pid || !is_of_cells(watch) || !is_wanted(watch))
        return false;
    if (job->ended <= 0)
        return true;
    if (over && (!job->final || job->of != measured(watch)))
        return true;
    return job->of != measured(watch) &&
           orr_clock_now() - job->ended > fmax(watch->every_s, RESTS * job->took);
}

bool orr_watch_job_waits(const struct orr_watch *watch)
{
    return watch->job.pid || (orr_watch_is_over(watch) && is_time(watch));
}

int orr_watch_job_start(struct orr_watch *watch)
{
    struct orr_watch_job *job = &watch->job;
    int ends[2];
    if (!is_time(watch))
        return 0;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return orr_fail(ORR_EIO, "cannot make a pipe: %s", strerror(errno));
    fcntl(ends[1], F_SETFL, 0);
    job->began = orr_clock_now();
    job->of = measured(watch);
    job->final = orr_watch_is_over(watch);
    fflush(NULL);
    pid_t pid = orr_process_fork();
    if (pid == 0)
        serve(ends[1], watch);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return orr_fail(ORR_EIO, "cannot start a process: %s", strerror(errno));
    }
    job->pid = (int)pid;
    job->pipe = ends[0];
    return 0;
}

static void take_answer(struct orr_watch_job *job)
{
    json_t *answer = json_loadb(job->answer ? job->answer : "", job->answered, 0, NULL);
    const char *failed = answer ? orr_json_text(answer, "failed") : "its process ended",
               *page = orr_json_text(answer, "page");
    json_t *claims = json_object_get(answer, "claims");
    *job->failed = '\0';
    if (failed)
        snprintf(job->failed, sizeof job->failed, "claims and page: %.400s", failed);
    if (claims && !failed) {
        json_decref(job->claims);
        job->claims = json_incref(claims);
        job->judged = orr_clock_date();
    }
    if (page)
        snprintf(job->page, sizeof job->page, "%s", page);
    json_decref(answer);
    free(job->answer);
    job->answer = NULL;
    job->answered = 0;
}

int orr_watch_job_hear(struct orr_watch *watch)
{
    struct orr_watch_job *job = &watch->job;
    char part[4096];
    ssize_t length;
    int status;
    if (!job->pid)
        return 0;
    while ((length = read(job->pipe, part, sizeof part)) > 0) {
        char *more = realloc(job->answer, job->answered + (size_t)length);
        if (!more)
            return orr_fail(ORR_EMEMORY, "no memory for the claims");
        memcpy(more + job->answered, part, (size_t)length);
        job->answer = more;
        job->answered += (size_t)length;
    }
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    close(job->pipe);
    orr_process_reap(job->pid, &status);
    job->pid = 0;
    job->ended = orr_clock_now();
    job->took = job->ended - job->began;
    take_answer(job);
    return 0;
}

void orr_watch_job_end(struct orr_watch *watch)
{
    struct orr_watch_job *job = &watch->job;
    int status;
    if (job->pid) {
        orr_process_reap(job->pid, &status);
        close(job->pipe);
    }
    job->pid = 0;
    free(job->answer);
    job->answer = NULL;
}
