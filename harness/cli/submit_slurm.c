/* A campaign as a job array of Slurm: one task a shard. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/submit_parts.h"
#include "error.h"
#include "paths.h"
#include "program_output.h"

/* --- the script --- */

/* As a word of the shell. */
static void write_word(FILE *to, const char *word)
{
    putc('\'', to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, to);
    putc('\'', to);
}

/* #SBATCH --name="value": a percent sign in a path would begin a pattern. */
static void write_option(FILE *to, const char *name, const char *value, const char *pattern)
{
    fprintf(to, "#SBATCH --%s=\"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            putc('\\', to);
        fputs(*value == '%' ? "%%" : (const char[]){*value, '\0'}, to);
    }
    fprintf(to, "%s\"\n", pattern);
}

static void write_options(const struct orr_submit *submit, const char *folder, FILE *to)
{
    const struct {
        const char *name, *value;
    } options[] = {{"account", submit->account},
                   {"partition", submit->partition},
                   {"gpus", submit->gpus},
                   {"cpus-per-task", submit->cpus}};
    fprintf(to, "#SBATCH --job-name=orrery-%s\n", submit->name);
    write_option(to, "output", folder, "/shard-%a-%A.log");
    fputs("#SBATCH --nodes=1\n#SBATCH --ntasks=1\n", to);
    fprintf(to, "#SBATCH --time=%ld\n", submit->minutes);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k].value)
            write_option(to, options[k].name, options[k].value, "");
    for (int k = 0; k < submit->sbatch.count; k++)
        fprintf(to, "#SBATCH %s\n", submit->sbatch.items[k]);
    /* A run that is stopped ends its journal; the next one goes on with it. */
    fputs("#SBATCH --signal=B:TERM@60\n", to);
}

int orr_submit_write_script(const struct orr_submit *submit, FILE *to)
{
    char program[1024], *here = getcwd(NULL, 0), *folder = realpath(submit->folder, NULL);
    int code = orr_paths_program(program, sizeof program);
    if (!code && !here)
        code = orr_fail(ORR_EIO, "cannot tell the current folder: %s", strerror(errno));
    if (!code) {
        fprintf(to, "#!/bin/bash\n# One shard a task: sbatch --array=1-%d job.sh\n", submit->count);
        write_options(submit, folder ? folder : submit->folder, to);
        fputs("cd ", to);
        write_word(to, here);
        fputs(" || exit\nexec ", to);
        write_word(to, program);
        fputs(" run", to);
        for (int k = 0; k < submit->words.count; k++) {
            putc(' ', to);
            write_word(to, submit->words.items[k]);
        }
        fprintf(to, " --shard \"$SLURM_ARRAY_TASK_ID/%d\" --continue \"$@\"\n", submit->count);
    }
    free(folder);
    free(here);
    return code || !ferror(to) ? code : orr_fail(ORR_EIO, "cannot write the job's script");
}

/* --- Slurm's own programs --- */

static int run_program(char **out, char *const arguments[])
{
    int status = orr_program_output(out, arguments);
    if (status != ORR_EUNSUPPORTED)
        return status;
    orr_error_clear();
    return orr_fail(ORR_EUNSUPPORTED,
                    "there is no %s here; submit where Slurm's programs are, on a login node",
                    arguments[0]);
}

/* --- submitting --- */

/* "1,3,4" */
static char *list_shards(const bool *wanted, int count)
{
    char *list = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&list, &size);
    bool first = true;
    for (int k = 0; to && k < count; k++)
        if (wanted[k]) {
            fprintf(to, "%s%d", first ? "" : ",", k + 1);
            first = false;
        }
    if (to)
        fclose(to);
    return list;
}

static int submit_list(struct orr_submit *submit, const char *list)
{
    char array[40 + 6 * 20000], time[40], script[1100], *said = NULL;
    snprintf(array, sizeof array, "--array=%s", list);
    snprintf(time, sizeof time, "--time=%ld", submit->minutes);
    snprintf(script, sizeof script, "%s/job.sh", submit->folder);
    char *arguments[] = {
        "sbatch", "--parsable", array, time, script, submit->failed ? "--failed" : NULL, NULL};
    int status = run_program(&said, arguments);
    if (status > 0)
        status = orr_fail(ORR_EUSAGE, "sbatch refused the jobs; its reason stands above");
    if (!status) {
        said[strcspn(said, ";\n")] = '\0';
        status = json_array_append_new(submit->jobs,
                                       json_pack("{s:s, s:s}", "job", said, "shards", list))
                     ? orr_fail(ORR_EMEMORY, "no memory for the jobs")
                     : orr_submit_save(submit);
        printf("submitted job %s: shard%s %s of %d, %ld minutes at most\n", said,
               strchr(list, ',') ? "s" : "", list, submit->count, submit->minutes);
        fflush(stdout);
    }
    free(said);
    return status;
}

int orr_submit_send(struct orr_submit *submit, const bool *wanted)
{
    char *list = list_shards(wanted, submit->count);
    if (!list)
        return orr_fail(ORR_EMEMORY, "no memory for the list of shards");
    int code = submit_list(submit, list);
    free(list);
    for (int k = 0; !code && k < submit->count; k++)
        if (wanted[k]) {
            submit->shards[k].tries++;
            submit->shards[k].missed = 0;
            snprintf(submit->shards[k].queued, sizeof submit->shards[k].queued, "PENDING");
        }
    return code;
}

/* --- the queue --- */

/* "2|PENDING|Resources" */
static void note_task(struct orr_submit *submit, char *line)
{
    char *state = strchr(line, '|'), *why = state ? strchr(state + 1, '|') : NULL;
    long number = strtol(line, NULL, 10);
    if (!why || number < 1 || number > submit->count)
        return;
    struct orr_submit_shard *shard = &submit->shards[number - 1];
    snprintf(shard->queued, sizeof shard->queued, "%.*s", (int)(why - state - 1), state + 1);
    snprintf(shard->why, sizeof shard->why, "%s", why + 1);
    shard->missed = 0;
}

int orr_submit_look(struct orr_submit *submit)
{
    char name[80], *said = NULL, *rest = NULL;
    snprintf(name, sizeof name, "--name=orrery-%s", submit->name);
    char *arguments[] = {"squeue", "--noheader", "--array", name, "--format=%K|%T|%r", NULL};
    int status = run_program(&said, arguments);
    if (status < 0)
        return status;
    /* A controller that does not answer says nothing of the jobs. */
    if (!status) {
        for (int k = 0; k < submit->count; k++) {
            submit->shards[k].missed++;
            *submit->shards[k].queued = *submit->shards[k].why = '\0';
        }
        for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            note_task(submit, line);
    }
    free(said);
    return 0;
}
