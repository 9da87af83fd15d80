/* orrery submit: the shards of a campaign as jobs of a batch system. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/submit_parts.h"
#include "datasets/formats/output.h"
#include "error.h"
#include "json_member.h"
#include "run/cell_record.h"

enum { MOST_SHARDS = 20000 };

/* --- the campaign's folder --- */

static json_t *list_words(const struct orr_words *words)
{
    json_t *list = json_array();
    for (int k = 0; list && k < words->count; k++)
        json_array_append_new(list, json_string(words->items[k]));
    return list;
}

int orr_submit_save(const struct orr_submit *submit)
{
    char path[1100];
    struct orr_output output;
    json_t *campaign =
        json_pack("{s:s, s:s, s:o, s:i, s:I, s:O}", "campaign", submit->name, "started",
                  submit->started, "run", list_words(&submit->words), "shards", submit->count,
                  "minutes", (json_int_t)submit->minutes, "jobs", submit->jobs);
    char *text = campaign ? json_dumps(campaign, JSON_INDENT(2)) : NULL;
    json_decref(campaign);
    if (!text)
        return orr_fail(ORR_EMEMORY, "no memory for the campaign");
    snprintf(path, sizeof path, "%s/campaign.json", submit->folder);
    int code = orr_output_begin(&output, path);
    if (!code && !(code = orr_output_open(&output))) {
        code = orr_output_write(&output, text, strlen(text));
        code = orr_output_end(&output, code);
    }
    free(text);
    return code;
}

static int make_folder(struct orr_submit *submit)
{
    char path[1100];
    orr_journal_name_run(submit->name);
    orr_cell_record_now(submit->started);
    snprintf(submit->folder, sizeof submit->folder, "%s/campaigns/%s", submit->run.root,
             submit->name);
    if (submit->dry_run)
        return 0;
    int code = orr_journal_make_folders(submit->folder);
    if (code)
        return code;
    snprintf(path, sizeof path, "%s/job.sh", submit->folder);
    FILE *script = fopen(path, "w");
    if (!script)
        return orr_fail(ORR_EIO, "cannot write %s: %s", path, strerror(errno));
    code = orr_submit_write_script(submit, script);
    if (fclose(script) && !code)
        code = orr_fail(ORR_EIO, "cannot write %s: %s", path, strerror(errno));
    return code ? code : orr_submit_save(submit);
}

/* --- the request --- */

/* The words of `run`, as it would be started. */
static int parse_run(struct orr_submit *submit)
{
    struct orr_run_options *o = &submit->run;
    char **argv = calloc((size_t)submit->words.count + 2, sizeof *argv);
    if (!argv)
        return orr_fail(ORR_EMEMORY, "no memory for the request");
    argv[0] = "run";
    for (int k = 0; k < submit->words.count; k++)
        argv[k + 1] = submit->words.items[k];
    int code = orr_run_parse(o, submit->words.count + 1, argv);
    free(argv);
    if (code)
        return code;
    if (o->shard_text || o->resume || o->go_on || o->failed || o->dry_run || o->json)
        return orr_fail(ORR_EUSAGE, "the jobs have --shard and --continue of their own; --shard, "
                                    "--resume, --continue, --failed, --dry-run, --json "
                                    "do not go behind --");
    return o->devices.count ? 0
                            : orr_fail(ORR_EUSAGE, "name the device of the jobs, as in `-- "
                                                   "--device cuda:0`; the best one here need not "
                                                   "be theirs");
}

static int check(struct orr_submit *submit)
{
    const bool counts = submit->shard_count >= 1 && submit->shard_count <= MOST_SHARDS &&
                        submit->shard_count == (double)(int)submit->shard_count;
    if (!submit->slurm)
        return orr_fail(ORR_EUSAGE, "submit to what? --slurm is what there is");
    if (!counts)
        return orr_fail(ORR_EUSAGE, "--shards takes a whole number from 1 to %d, not %g",
                        MOST_SHARDS, submit->shard_count);
    if (submit->every_s <= 0 || submit->every_s > 86400)
        return orr_fail(ORR_EUSAGE, "--every takes seconds above 0, not %g", submit->every_s);
    if (submit->most_tries < 1)
        return orr_fail(ORR_EUSAGE, "--tries takes a number from 1 up, not %g", submit->most_tries);
    submit->count = (int)submit->shard_count;
    return 0;
}

/* --- an earlier campaign --- */

static int add_words(struct orr_words *to, const json_t *list)
{
    size_t k;
    json_t *word;
    to->items = calloc(json_array_size(list) + 1, sizeof *to->items);
    json_array_foreach(list, k, word)
    {
        char *copy = json_is_string(word) && to->items ? strdup(json_string_value(word)) : NULL;
        if (!copy)
            return orr_fail(ORR_EINPUT, "the campaign's request is damaged");
        to->items[to->count++] = copy;
    }
    return 0;
}

static int take_up(struct orr_submit *submit)
{
    char path[1100];
    json_error_t error;
    if (submit->words.count || submit->shard_count > 1)
        return orr_fail(ORR_EUSAGE, "--resume takes request and shards from the campaign");
    snprintf(submit->folder, sizeof submit->folder, "%s", submit->resume);
    snprintf(path, sizeof path, "%s/campaign.json", submit->resume);
    json_t *campaign = json_load_file(path, 0, &error);
    if (!campaign)
        return orr_fail(ORR_EUSAGE, "no campaign %s (%s); name its folder, results/campaigns/...",
                        submit->resume, error.text);
    const char *name = orr_json_text(campaign, "campaign"),
               *started = orr_json_text(campaign, "started");
    json_int_t shards = orr_json_integer(campaign, "shards"),
               minutes = orr_json_integer(campaign, "minutes");
    int code = name && started && shards >= 1 && shards <= MOST_SHARDS && minutes >= 2
                   ? add_words(&submit->words, json_object_get(campaign, "run"))
                   : orr_fail(ORR_EINPUT, "%s is no campaign of `orrery submit`", path);
    if (!code) {
        snprintf(submit->name, sizeof submit->name, "%s", name);
        snprintf(submit->started, sizeof submit->started, "%s", started);
        submit->count = (int)shards;
        submit->minutes = (long)minutes;
        json_decref(submit->jobs);
        submit->jobs = json_incref(json_object_get(campaign, "jobs"));
    }
    json_decref(campaign);
    return code ? code : parse_run(submit);
}

/* --- what to do --- */

static int have_shards(struct orr_submit *submit)
{
    submit->shards = calloc((size_t)submit->count, sizeof *submit->shards);
    return submit->shards ? 0 : orr_fail(ORR_EMEMORY, "no memory for %d shards", submit->count);
}

static int send(struct orr_submit *submit, bool all)
{
    bool *wanted = calloc((size_t)submit->count, sizeof *wanted), any = false;
    if (!wanted)
        return orr_fail(ORR_EMEMORY, "no memory for %d shards", submit->count);
    for (int k = 0; k < submit->count; k++) {
        const struct orr_submit_shard *shard = &submit->shards[k];
        wanted[k] = all || (!*shard->queued && !orr_submit_is_over(submit, shard));
        any |= wanted[k];
    }
    int code = any ? orr_submit_send(submit, wanted) : 0;
    free(wanted);
    return code;
}

static int begin(struct orr_submit *submit)
{
    int code = parse_run(submit);
    if (!code)
        code = have_shards(submit);
    if (!code)
        code = orr_submit_estimate(submit);
    if (!code)
        code = make_folder(submit);
    if (code)
        return code;
    return submit->dry_run ? orr_submit_write_script(submit, stdout) : send(submit, true);
}

/* What ended before its end, and is not in the queue, is submitted again. */
static int resume(struct orr_submit *submit)
{
    const char *time = submit->time;
    int code = take_up(submit);
    if (!code)
        code = have_shards(submit);
    if (!code && time)
        code = orr_submit_estimate(submit);
    if (!code)
        code = orr_submit_look(submit);
    if (!code)
        code = orr_submit_read(submit);
    return code || submit->dry_run ? code : send(submit, false);
}

static int work(struct orr_submit *submit)
{
    int code = check(submit);
    if (!code)
        code = submit->resume ? resume(submit) : begin(submit);
    if (!code && submit->follow && !submit->dry_run)
        code = orr_submit_follow(submit);
    if (code)
        return code == ORR_OPTIONS_HELPED ? ORR_EXIT_OK : orr_cli_report_error();
    if (submit->follow || (submit->resume && submit->dry_run))
        return orr_submit_tell(submit);
    if (!submit->dry_run)
        printf("follow it, and submit again what fails: orrery submit --slurm --resume %s "
               "--follow\n",
               submit->folder);
    return ORR_EXIT_OK;
}

static void release(struct orr_submit *submit)
{
    orr_run_release_options(&submit->run);
    orr_options_release_words(&submit->words);
    orr_options_release_words(&submit->sbatch);
    json_decref(submit->jobs);
    free(submit->shards);
}

int orr_cli_submit(int argc, char **argv)
{
    struct orr_submit submit = {
        .shard_count = 1, .most_tries = 3, .every_s = 30, .jobs = json_array()};
    const struct orr_option options[] = {
        {"slurm", 0, ORR_OPTION_FLAG, &submit.slurm, NULL, "as a job array of Slurm"},
        {"shards", 0, ORR_OPTION_NUMBER, &submit.shard_count, "N", "tasks of the array (1)"},
        {"account", 'A', ORR_OPTION_TEXT, &submit.account, "NAME", "that pays"},
        {"partition", 'p', ORR_OPTION_TEXT, &submit.partition, "NAME", "that it runs in"},
        {"gpus", 0, ORR_OPTION_TEXT, &submit.gpus, "[TYPE:]N", "of each task"},
        {"cpus", 0, ORR_OPTION_TEXT, &submit.cpus, "N", "cores of each task"},
        {"time", 0, ORR_OPTION_TEXT, &submit.time, "MINUTES",
         "limit of a task; default: from the estimate of `orrery run --dry-run`"},
        {"sbatch", 0, ORR_OPTION_REPEAT, &submit.sbatch, "OPTION",
         "another option of sbatch, as in --sbatch=--exclusive; repeatable"},
        {"follow", 0, ORR_OPTION_FLAG, &submit.follow, NULL,
         "wait for the end, and submit again what stopped before its own"},
        {"tries", 0, ORR_OPTION_NUMBER, &submit.most_tries, "N",
         "how often --follow submits a shard (3)"},
        {"every", 0, ORR_OPTION_NUMBER, &submit.every_s, "S", "seconds between its looks (30)"},
        {"resume", 0, ORR_OPTION_TEXT, &submit.resume, "DIR",
         "go on with a campaign: submit what is neither over nor in the queue"},
        {"failed", 0, ORR_OPTION_FLAG, &submit.failed, NULL, "also run again cells that failed"},
        {"dry-run", 0, ORR_OPTION_FLAG, &submit.dry_run, NULL,
         "print the script, submit nothing; with --resume tell what became of the shards"},
    };
    const struct orr_options all = {
        "submit --slurm [options] -- WHAT... [options of run]",
        "Submits `orrery run WHAT...` as an array of jobs, one a shard; what is behind -- is for\n"
        "run. Script, logs and state lie in results/campaigns/.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &submit.words);
    int status = code ? orr_cli_status(code) : work(&submit);
    release(&submit);
    return status;
}
