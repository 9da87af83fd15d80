/* Which runs are watched, and what came to their journals. */
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run_parts.h"
#include "cli/watch_parts.h"
#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "ledger/cell_rounds.h"
#include "run/schedule_access.h"
#include "text.h"

/* --- which runs --- */

static int add_run(struct orr_watch *watch, const char *path)
{
    for (size_t k = 0; k < watch->count; k++)
        if (!strcmp(watch->runs[k].path, path))
            return 0;
    struct orr_watched *more = realloc(watch->runs, (watch->count + 1) * sizeof *more);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for the runs");
    watch->runs = more;
    orr_watched_begin(&watch->runs[watch->count++], path);
    return 0;
}

/* The newest journal, and the newest that somebody writes. */
struct search {
    char newest[1024], written[1024];
};

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int consider(const char *path, void *context)
{
    struct search *search = context;
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
        return 0;
    if (strcmp(name_of(path), name_of(search->newest)) > 0)
        snprintf(search->newest, sizeof search->newest, "%s", path);
    if (strcmp(name_of(path), name_of(search->written)) > 0 && orr_journal_is_written(path) > 0)
        snprintf(search->written, sizeof search->written, "%s", path);
    return 0;
}

/* Of a folder of journals, or of results of several machines. */
static int add_newest(struct orr_watch *watch, const char *folder)
{
    struct search search = {"", ""};
    int code = orr_journal_each(folder, consider, &search);
    if (!code)
        code = orr_journal_each_machine(folder, consider, &search);
    if (code)
        return code;
    if (!*search.newest)
        return orr_fail(ORR_EUSAGE, "no run below %s to watch; name a run, a journal or a folder",
                        folder);
    return add_run(watch, *search.written ? search.written : search.newest);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

int orr_watch_find(struct orr_watch *watch)
{
    char path[1024];
    int code = watch->what.count ? 0 : add_newest(watch, watch->root);
    for (int k = 0; k < watch->what.count && !code; k++) {
        if (is_folder(watch->what.items[k])) {
            code = add_newest(watch, watch->what.items[k]);
            continue;
        }
        code = orr_journal_find(path, sizeof path, watch->root, watch->what.items[k]);
        if (!code)
            code = add_run(watch, path);
    }
    return code;
}

/* --- shards --- */

struct adoption {
    struct orr_watch *watch;
    const json_t *shard; /* of a run that is watched */
    struct {
        const char *path;
        json_int_t number;
        bool ours;
    } looked;
};

static bool is_same(const json_t *a, const json_t *b, const char *member)
{
    return json_equal(json_object_get(a, member), json_object_get(b, member));
}

/* The run record alone is read. */
static int look_at_shard(json_t *record, size_t line, void *context)
{
    struct adoption *adoption = context;
    const json_t *shard = json_object_get(record, "shard");
    (void)line;
    adoption->looked.ours =
        shard && is_same(shard, adoption->shard, "plan") && is_same(shard, adoption->shard, "of");
    adoption->looked.number = orr_json_integer(shard, "number");
    return 1;
}

static json_int_t number_of(const struct orr_watched *run)
{
    return json_integer_value(orr_json_follow(run->records.run, "shard/number"));
}

/* Of several runs of a shard the newest counts. */
static int consider_shard(const char *path, void *context)
{
    struct adoption *adoption = context;
    struct orr_watch *watch = adoption->watch;
    for (size_t k = 0; k < watch->count; k++)
        if (!strcmp(name_of(watch->runs[k].path), name_of(path)))
            return 0;
    adoption->looked.ours = false;
    if (orr_journal_read(path, look_at_shard, adoption, NULL) < 0)
        orr_error_clear();
    for (size_t k = 0; adoption->looked.ours && k < watch->count; k++)
        if (number_of(&watch->runs[k]) == adoption->looked.number) {
            if (strcmp(name_of(watch->runs[k].path), name_of(path)) > 0)
                return 0;
            orr_watched_release(&watch->runs[k]);
            orr_watched_begin(&watch->runs[k], path);
            return orr_watched_look(&watch->runs[k], NULL);
        }
    return adoption->looked.ours ? add_run(watch, path) : 0;
}

int orr_watch_adopt(struct orr_watch *watch)
{
    enum { EVERY_S = 10 };
    char root[sizeof watch->runs->folder];
    struct adoption adoption = {.watch = watch};
    json_t *shard = watch->count ? json_object_get(watch->runs->records.run, "shard") : NULL;
    if (!shard || (watch->searched > 0 && orr_clock_now() - watch->searched < EVERY_S))
        return 0;
    watch->searched = orr_clock_now();
    adoption.shard = json_incref(shard);
    snprintf(root, sizeof root, "%s", watch->runs->folder);
    int code = orr_journal_each_machine(dirname(root), consider_shard, &adoption);
    json_decref(shard);
    return code;
}

/* --- what came --- */

static void release_item(struct orr_watch_item *item)
{
    json_decref(item->record);
    free(item->head);
    free(item->result);
}

/* In the order in which they were begun, whichever journal they are of. */
static void put_item(struct orr_watch *watch, struct orr_watch_item *item)
{
    size_t at = watch->recent_count;
    while (at && strcmp(watch->recent[at - 1].began, item->began) > 0)
        at--;
    if (watch->recent_count == ORR_WATCH_RECENT) {
        struct orr_watch_item *gone = at ? &watch->recent[0] : item;
        release_item(gone);
        if (!at)
            return;
        memmove(&watch->recent[0], &watch->recent[1], (at - 1) * sizeof *item);
        watch->recent[at - 1] = *item;
        return;
    }
    memmove(&watch->recent[at + 1], &watch->recent[at],
            (watch->recent_count++ - at) * sizeof *item);
    watch->recent[at] = *item;
}

/* Of a record whose cell this Orrery does not know. */
static void name_record(char *out, size_t size, const json_t *record)
{
    const json_t *dataset = json_object_get(record, "dataset");
    const char *variant = orr_json_text(record, "variant"),
               *device = orr_json_text(record, "device"), *name = orr_json_text(dataset, "name");
    if (variant)
        snprintf(out, size, "%s %s n=%lld %s … ", variant, name ? name : "",
                 (long long)orr_json_integer(dataset, "n"), device ? device : "");
    else
        snprintf(out, size, ORR_CEILINGS " %s, round %d … ", device ? device : "",
                 orr_cell_rounds_of(record));
}

struct hearing {
    struct orr_watch *watch;
    size_t run;
};

static int hear(void *context, const struct orr_watched_event *event)
{
    const struct hearing *hearing = context;
    struct orr_watch *watch = hearing->watch;
    char head[640];
    const char *began = orr_json_text(event->record, "started");
    if (event->cell)
        orr_progress_head(head, sizeof head, &event->watched->progress, event->round, event->place,
                          event->cell);
    else
        name_record(head, sizeof head, event->record);
    struct orr_watch_item item = {.run = hearing->run,
                                  .record = json_incref(event->record),
                                  .head = strdup(orr_text_tame(head)),
                                  .serial = ++watch->heard};
    snprintf(item.began, sizeof item.began, "%s", began ? began : "");
    put_item(watch, &item);
    return 0;
}

int orr_watch_look(struct orr_watch *watch)
{
    int code = 0;
    for (size_t k = 0; k < watch->count && !code; k++) {
        struct hearing hearing = {watch, k};
        struct orr_watched *run = &watch->runs[k];
        code = orr_watched_look(run, &(struct orr_watched_listener){hear, &hearing});
        if (!code && !run->session && orr_watched_state(run) == ORR_WATCHED_STOPPED)
            code =
                orr_fail(ORR_EINPUT, "%s is no journal: it does not begin with a run", run->path);
        if (!code)
            code = orr_watch_adopt(watch);
    }
    return code;
}

json_t *orr_watch_whole(const struct orr_watch *watch, const struct orr_watch_item *item)
{
    const char *id = orr_json_text(item->record, "id");
    const json_t *rounds = id ? json_object_get(watch->runs[item->run].records.cells, id) : NULL;
    json_t *known = json_array(), *record, *whole;
    size_t k;
    json_array_foreach(rounds, k, record)
    {
        if (orr_cell_rounds_of(record) <= orr_cell_rounds_of(item->record))
            json_array_append(known, record);
    }
    whole = json_array_size(known) ? orr_cell_rounds_merge(known) : NULL;
    json_decref(known);
    return whole ? whole : json_incref(item->record);
}

const char *orr_watch_result(struct orr_watch *watch, struct orr_watch_item *item)
{
    size_t size;
    const char *id = orr_json_text(item->record, "id");
    if (item->result)
        return item->result;
    FILE *to = open_memstream(&item->result, &size);
    json_t *whole = orr_watch_whole(watch, item);
    const size_t rates = orr_schedule_access_rates(item->record);
    if (to && id)
        orr_progress_result(to, whole, false);
    else if (to)
        fprintf(to, "%zu rates, %zu with a reason in their place", rates,
                json_array_size(json_object_get(item->record, "rates")) - rates);
    if (to)
        fclose(to);
    json_decref(whole);
    return item->result ? orr_text_tame(item->result) : "";
}

/* --- what is over --- */

bool orr_watch_is_over(const struct orr_watch *watch)
{
    for (size_t k = 0; k < watch->count; k++) {
        const enum orr_watched_state state = orr_watched_state(&watch->runs[k]);
        if (state == ORR_WATCHED_RUNNING || state == ORR_WATCHED_UNKNOWN)
            return false;
    }
    return true;
}

int orr_watch_exit(const struct orr_watch *watch)
{
    static const int worst[] = {ORR_EXIT_INTERRUPTED, ORR_EXIT_WRONG, ORR_EXIT_SOME_FAILED,
                                ORR_EXIT_DEVICE};
    for (size_t w = 0; w < sizeof worst / sizeof *worst; w++)
        for (size_t k = 0; k < watch->count; k++) {
            const enum orr_watched_state state = orr_watched_state(&watch->runs[k]);
            struct orr_tally tally;
            orr_watched_end(&tally, &watch->runs[k]);
            if ((watch->runs[k].end && orr_run_exit(&tally) == worst[w]) ||
                (state == ORR_WATCHED_STOPPED && worst[w] == ORR_EXIT_SOME_FAILED))
                return worst[w];
        }
    return ORR_EXIT_OK;
}

void orr_watch_resume(char *out, size_t size, const struct orr_watched *run)
{
    char root[sizeof run->folder];
    snprintf(root, sizeof root, "%s", run->folder);
    const char *above = dirname(root);
    const bool elsewhere = strcmp(above, "results") != 0;
    snprintf(out, size, "orrery run --resume %s%s%s", run->run, elsewhere ? " -o " : "",
             elsewhere ? above : "");
}

void orr_watch_release(struct orr_watch *watch)
{
    orr_watch_job_end(watch);
    for (size_t k = 0; k < watch->recent_count; k++)
        release_item(&watch->recent[k]);
    for (size_t k = 0; k < watch->count; k++)
        orr_watched_release(&watch->runs[k]);
    free(watch->runs);
    json_decref(watch->job.claims);
    orr_options_release_words(&watch->what);
    orr_options_release_words(&watch->more);
}
