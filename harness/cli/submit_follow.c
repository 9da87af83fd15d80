/* What becomes of a campaign, by its journals and the queue. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/submit_parts.h"
#include "error.h"
#include "json_member.h"

/* --- one journal --- */

struct reading {
    struct orr_submit *submit;
    const char *path;
    struct orr_submit_shard *shard; /* whose journal it is, once that is known */
    json_t *over;                   /* ids of the cells that are over */
    int rounds;
};

/* Which shard of this campaign a journal is of; its request is that of the campaign but for it. */
static struct orr_submit_shard *shard_of(struct orr_submit *submit, const json_t *request)
{
    struct orr_request own;
    struct orr_shard read;
    const char *text = orr_json_text(request, "shard");
    if (!text || orr_run_ask(&own, &submit->run) || orr_shard_read(&read, text) ||
        read.of != submit->count) {
        orr_error_clear();
        return NULL;
    }
    own.shard = read;
    json_t *wanted = orr_request_to_json(&own);
    bool same = wanted && json_equal(wanted, request);
    json_decref(wanted);
    return same ? &submit->shards[read.number - 1] : NULL;
}

static int begin_journal(struct reading *reading, const json_t *record)
{
    const json_t *request = json_object_get(record, "request");
    struct orr_submit_shard *shard = shard_of(reading->submit, request);
    if (!shard)
        return 1; /* of something else */
    const int tries = shard->tries, missed = shard->missed;
    char queued[sizeof shard->queued], why[sizeof shard->why];
    strcpy(queued, shard->queued), strcpy(why, shard->why);
    *shard = (struct orr_submit_shard){.tries = tries, .missed = missed};
    strcpy(shard->queued, queued), strcpy(shard->why, why);
    snprintf(shard->path, sizeof shard->path, "%s", reading->path);
    reading->shard = shard;
    reading->rounds = (int)orr_json_integer(request, "repeats");
    reading->submit->plan_cells =
        (size_t)json_integer_value(orr_json_follow(record, "shard/plan_cells"));
    return 0;
}

static void note_cell(struct reading *reading, json_t *record)
{
    const char *id = orr_json_text(record, "id");
    if (id && orr_journal_ends_cell(record, reading->rounds))
        json_object_set_new(reading->over, id, json_true());
}

static int note(json_t *record, size_t line, void *context)
{
    struct reading *reading = context;
    const char *kind = orr_json_text(record, "record");
    (void)line;
    if (!kind)
        return 0;
    if (!reading->shard)
        return !strcmp(kind, "run") ? begin_journal(reading, record) : 1;
    struct orr_submit_shard *shard = reading->shard;
    const char *finished = orr_json_text(record, "finished");
    /* What ended before this campaign began was another one's. */
    shard->ended =
        !strcmp(kind, "end") && finished && strcmp(finished, reading->submit->started) >= 0;
    if (!strcmp(kind, "cell"))
        note_cell(reading, record);
    if (!strcmp(kind, "end")) {
        shard->interrupted = json_is_true(json_object_get(record, "interrupted"));
        shard->failed = (int)orr_json_integer(record, "failed");
        shard->wrong = (int)orr_json_integer(record, "wrong");
    }
    return 0;
}

static int read_journal(const char *path, void *context)
{
    struct reading reading = {context, path, NULL, json_object(), 1};
    if (!reading.over)
        return orr_fail(ORR_EMEMORY, "no memory for the cells of %s", path);
    int code = orr_journal_read(path, note, &reading, NULL);
    if (reading.shard)
        reading.shard->cells = json_object_size(reading.over);
    json_decref(reading.over);
    return code > 0 ? 0 : code;
}

int orr_submit_read(struct orr_submit *submit)
{
    return orr_journal_each_machine(submit->run.root, read_journal, submit);
}

bool orr_submit_is_over(const struct orr_submit *submit, const struct orr_submit_shard *shard)
{
    return shard->ended && !shard->interrupted && !(submit->failed && shard->failed);
}

/* --- telling --- */

struct sums {
    size_t cells;
    int over, running, waiting, failed, wrong;
    const char *why;
};

static struct sums sum_up(const struct orr_submit *submit)
{
    struct sums sums = {.why = ""};
    for (int k = 0; k < submit->count; k++) {
        const struct orr_submit_shard *shard = &submit->shards[k];
        sums.cells += shard->cells;
        sums.failed += shard->failed;
        sums.wrong += shard->wrong;
        /* The queue still lists a task for a while after its journal has ended. */
        if (orr_submit_is_over(submit, shard)) {
            sums.over++;
        } else if (!strcmp(shard->queued, "PENDING")) {
            sums.waiting++;
            sums.why = shard->why;
        } else if (*shard->queued) {
            sums.running++;
        }
    }
    return sums;
}

static void show_progress(const struct orr_submit *submit, char *last, size_t size)
{
    const struct sums sums = sum_up(submit);
    char line[256], of[32] = "";
    if (submit->plan_cells)
        snprintf(of, sizeof of, " of %zu", submit->plan_cells);
    const bool known = *sums.why && strcmp(sums.why, "None") != 0;
    snprintf(line, sizeof line, "%d of %d shards over, %d running, %d waiting%s%s%s; %zu%s cells",
             sums.over, submit->count, sums.running, sums.waiting, known ? " (" : "",
             known ? sums.why : "", known ? ")" : "", sums.cells, of);
    if (!strcmp(line, last))
        return;
    snprintf(last, size, "%s", line);
    fprintf(stderr, "%s\n", line);
}

int orr_submit_tell(const struct orr_submit *submit)
{
    const struct sums sums = sum_up(submit);
    for (int k = 0; k < submit->count; k++) {
        const struct orr_submit_shard *shard = &submit->shards[k];
        const bool over = orr_submit_is_over(submit, shard);
        if (over && !shard->failed && !shard->wrong)
            continue;
        printf("shard %d/%d: %s, %zu cells", k + 1, submit->count,
               *shard->queued       ? shard->queued
               : over               ? "over"
               : shard->interrupted ? "interrupted"
               : *shard->path       ? "ended without a word"
                                    : "has no journal",
               shard->cells);
        if (shard->failed || shard->wrong)
            printf(", %d failed, %d wrong", shard->failed, shard->wrong);
        printf("; %s/shard-%d-*.log\n", submit->folder, k + 1);
    }
    printf("%d of %d shards over, %zu cells: %d failed, %d wrong\n", sums.over, submit->count,
           sums.cells, sums.failed, sums.wrong);
    return sums.wrong                                 ? ORR_EXIT_WRONG
           : sums.failed || sums.over < submit->count ? ORR_EXIT_SOME_FAILED
                                                      : ORR_EXIT_OK;
}

/* --- following --- */

static void rest(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&left, NULL);
}

/* Out of the queue twice in a row: what a journal says last may reach other nodes late. */
static bool has_stopped(const struct orr_submit *submit, const struct orr_submit_shard *shard)
{
    return !*shard->queued && shard->missed >= 2 && !orr_submit_is_over(submit, shard);
}

/* 1 when nothing is left to wait for. */
static int go_on(struct orr_submit *submit)
{
    bool *again = calloc((size_t)submit->count, sizeof *again), any = false, waits = false;
    if (!again)
        return orr_fail(ORR_EMEMORY, "no memory for %d shards", submit->count);
    for (int k = 0; k < submit->count; k++) {
        const struct orr_submit_shard *shard = &submit->shards[k];
        const bool stopped = has_stopped(submit, shard);
        again[k] = stopped && shard->tries < (int)submit->most_tries;
        any |= again[k];
        waits |= !stopped && !orr_submit_is_over(submit, shard);
    }
    int code = any ? orr_submit_send(submit, again) : 0;
    free(again);
    return code ? code : !any && !waits;
}

int orr_submit_follow(struct orr_submit *submit)
{
    char last[256] = "";
    int code = 0;
    while (!code) {
        code = orr_submit_look(submit);
        if (!code)
            code = orr_submit_read(submit);
        if (!code) {
            show_progress(submit, last, sizeof last);
            code = go_on(submit);
        }
        if (!code)
            rest(submit->every_s);
    }
    return code > 0 ? 0 : code;
}
