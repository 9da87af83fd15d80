/* SPDX-License-Identifier: MIT */
/* orrery help: the commands, topics that are tables, and completion of the command line. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/results.h"
#include "error.h"
#include "json_member.h"
#include "names.h"
#include "plan/paper.h"
#include "text.h"

static const struct orr_help_row exit_codes[] = {
    {"0", "success"},
    {"1", "a difference that --fail-on or --expect asked for"},
    {"2", "a mistake in the request, or a file that cannot be read or written"},
    {"3", "a result that failed verification"},
    {"4", "no such device, or one that failed"},
    {"5", "anything else that failed"},
    {"6", "run --no-wait found the device in use"},
    {"130", "interrupted; the journal is whole"},
    {NULL, NULL}};

const struct orr_help_row orr_help_environment[] = {
    {"ORRERY_HOME",
     "the folder with variants/, plots/, datasets/ and results/, if not next to the program"},
    {"ORRERY_PAPERS", "folders with more papers, separated by colons"},
    {"ORRERY_PLUGINS", "the folder of the built variants"},
    {"ORRERY_CACHE", "the cache of compiled kernels and plugin descriptions, instead of "
                     "$XDG_CACHE_HOME/orrery or ~/.cache/orrery"},
    {"ORRERY_COMPILERS", "processes that compile a run's kernels ahead, on any device; 0: none; "
                         "without it one a core, for GPUs"},
    {"ORRERY_LOCKS", "the folder of the locks on devices, instead of /run/lock or /tmp"},
    {"ORRERY_CUPTI", "CUPTI's library, or off"},
    {"ORRERY_DRIVERS", "OpenCL drivers to use, separated by colons; a run sets it for its workers"},
    {"ORRERY_GUARDS", "off: no guard zones around device buffers, for other memory checkers"},
    {"ORRERY_LOAD_SECONDS", "seconds that a plugin or a driver may take to load"},
    {"ORRERY_SPAN_SECONDS", "length of a ceiling's measurement; shorter for tests"},
    {"ORRERY_SANDBOX", "1: plugins run in the sandbox, whatever the command"},
    {"ORRERY_SANDBOX_FOLDER", "set for sandboxed workers: the one folder that they may write to"},
    {"ORRERY_RECORD", "off: steps back to back are launched, not replayed as a graph"},
    {"ORRERY_MPIRUN", "the program that starts ranks, instead of mpirun or srun"},
    {"SLURM_MPI_TYPE", "srun's MPI plugin; pmix if it is unset and the cluster has no default"},
    {"ORRERY_MPI_LIBRARY",
     "the library that connects ranks, instead of this program's liborrery_mpi.so"},
    {"ORRERY_NCCL", "NCCL's library, or off to exchange through host memory"},
    {"NO_COLOR", "any value: no colours"},
    {"TERM", "dumb: no colours, and no progress line that is overwritten"},
    {"TMPDIR", "where temporary files go"},
    {NULL, NULL}};

/* Topics besides commands. */
static const struct topic {
    const char *name, *summary;
    const struct orr_help_row *rows;
} topics[] = {
    {"exit-codes", "what the program's exit code says", exit_codes},
    {"environment", "variables that the program reads", orr_help_environment},
};
enum { MAX_NAMES = 64 };

static void print_usage(FILE *to, const struct orr_command *commands, size_t count)
{
    fputs("usage: orrery COMMAND [ARGUMENTS]\n", to);
    for (size_t k = 0; k < count; k++) {
        if (commands[k].group)
            fprintf(to, "\n%s:\n", commands[k].group);
        fprintf(to, "  %-12s %s\n", commands[k].name, commands[k].summary);
    }
    fputs("\n`orrery help COMMAND` explains one; `orrery help exit-codes` and `help environment` "
          "what their names say.\n",
          to);
}

int orr_cli_unknown_command(const struct orr_command *commands, size_t count, const char *word)
{
    const char *names[MAX_NAMES];
    char hint[64];
    size_t used = 0;
    const char *instead = orr_options_gone(word, NULL, 0);
    if (instead) {
        fprintf(stderr, "orrery %s: gone; %s\n", word, instead);
        return ORR_EXIT_USAGE;
    }
    for (size_t k = 0; k < count && used < MAX_NAMES - 1; k++)
        names[used++] = commands[k].name;
    names[used++] = "help";
    orr_text_hint(hint, sizeof hint, word, names, used);
    fprintf(stderr, "orrery: unknown command '%s'%s\n", word,
            *hint ? hint : "; `orrery help` lists them");
    return ORR_EXIT_USAGE;
}

static int help_about(const struct orr_command *commands, size_t count,
                      const struct orr_words *what)
{
    char *word = what->items[0], help[] = "--help", *words[] = {word, help, help, NULL};
    const struct topic *topic = orr_names_among(word, topics);
    const struct orr_command *command = orr_names_find(word, commands, count, sizeof *commands);
    for (const struct orr_help_row *row = topic ? topic->rows : NULL; row && row->name; row++)
        printf("%-25s %s\n", row->name, row->text);
    if (topic)
        return ORR_EXIT_OK;
    if (!command)
        return orr_cli_unknown_command(commands, count, word);
    if (what->count > 1) /* help dataset make */
        words[1] = what->items[1];
    return command->run(what->count > 1 ? 3 : 2, words);
}

int orr_cli_help(const struct orr_command *commands, size_t count, int argc, char **argv)
{
    const struct orr_options options = {"help [COMMAND|exit-codes|environment]",
                                        "What the commands do.", .count = 0};
    struct orr_words what = {0};
    if (argc < 2 || strcmp(argv[1], "help")) {
        print_usage(argc < 2 ? stderr : stdout, commands, count);
        return argc < 2 ? ORR_EXIT_USAGE : ORR_EXIT_OK;
    }
    int code = orr_options_parse(&options, argc - 1, argv + 1, &what), status = ORR_EXIT_OK;
    if (!code && what.count)
        status = help_about(commands, count, &what);
    else if (!code)
        print_usage(stdout, commands, count);
    return code < 0 ? orr_cli_report_error() : status;
}

/* --- orrery --complete WORDS...: what may stand in the place of the last word, one a line. The
 * completions of shells ask it (tools/completion.bash). --- */

struct completion {
    char *const *words; /* behind "orrery" */
    int count;          /* above 1: the command stands there */
};

static const char *last_word(const struct completion *c)
{
    return c->words[c->count - 1];
}

/* The first `length` characters, where the last word begins so. */
static void offer(const struct completion *c, const char *text, size_t length)
{
    const size_t given = strlen(last_word(c));
    if (length && given <= length && !strncmp(text, last_word(c), given))
        printf("%.*s\n", (int)length, text);
}

/* The words of "md|csv|tex" or "[papers|variants]"; a placeholder such as FILE.svg is none. */
static void offer_choices(const struct completion *c, const char *text)
{
    text += *text == '[';
    size_t length = strcspn(text, "] [:");
    if (!memchr(text, '|', length))
        return;
    for (size_t k = 0; k < length; k++)
        if (isupper((unsigned char)text[k]))
            return;
    for (const char *end = text + length; text < end; text += strcspn(text, "|] [:") + 1)
        offer(c, text, strcspn(text, "|] [:"));
}

/* Does one of the placeholders stand in the usage before its options? */
static bool takes(const struct orr_options *options, const char *const *placeholders)
{
    char usage[256];
    snprintf(usage, sizeof usage, "%.*s", (int)strcspn(options->usage, "-\n"), options->usage);
    for (; *placeholders; placeholders++)
        if (strstr(usage, *placeholders))
            return true;
    return false;
}

/* A member of each row of `list`. */
static void offer_rows(const struct completion *c, int (*list)(json_t *rows), const char *member)
{
    json_t *rows = json_array(), *row;
    size_t k;
    list(rows);
    json_array_foreach (rows, k, row) {
        const char *text = orr_json_text(row, member);
        offer(c, text, strlen(text));
    }
    json_decref(rows);
}

static void offer_names(const struct completion *c, const struct orr_options *options)
{
    static const char *const of_papers[] = {"WHAT", "EXPERIMENT", "PAPER", "VARIANT", "NAME", NULL},
                             *const of_datasets[] = {" NAME", NULL},
                             *const of_claims[] = {"CLAIM", "WHAT", "NAME", NULL};
    char **names = NULL;
    if (takes(options, of_papers) && !orr_plan_names(&names))
        for (char **name = names; *name; name++)
            offer(c, *name, strlen(*name));
    orr_names_free(names);
    if (takes(options, of_claims))
        offer_rows(c, orr_cli_claims_list, "id");
    size_t count;
    const struct orr_dataset *sets = orr_dataset_all(&count);
    for (size_t k = 0; takes(options, of_datasets) && k < count; k++)
        offer(c, sets[k].name, strlen(sets[k].name));
    orr_error_clear();
}

/* The option that `word` names and that takes a value; NULL: none. */
static const struct orr_option *valued(const struct orr_options *all, const char *word)
{
    for (size_t k = 0; k < all->count; k++) {
        const struct orr_option *o = &all->options[k];
        const bool named = word[0] == '-' && word[1] == '-' && !strcmp(word + 2, o->name);
        const bool lettered = word[0] == '-' && o->letter && word[1] == o->letter && !word[2];
        if ((named || lettered) && o->argument)
            return o;
    }
    return NULL;
}

static void offer_options(const struct completion *c, const struct orr_options *options)
{
    for (size_t k = 0; k < options->count; k++) {
        char word[64];
        int length = snprintf(word, sizeof word, "--%s", options->options[k].name);
        offer(c, word, (size_t)length);
    }
    offer(c, "--help", strlen("--help"));
}

/* Sees the options of the command, or of each of its verbs. */
static void see(const struct orr_options *options, void *context)
{
    const struct completion *c = context;
    char name[32];
    orr_options_name(name, options);
    const char *verb = strchr(name, ' ');
    if (verb && c->count == 2) {
        offer(c, verb + 1, strlen(verb + 1));
        return;
    }
    if (verb && strcmp(verb + 1, c->words[1]) != 0)
        return;
    const int first = verb ? 3 : 2; /* words of the command itself, and one more */
    const struct orr_option *before =
        c->count > first ? valued(options, c->words[c->count - 2]) : NULL;
    if (before && !strcmp(before->name, "machine")) {
        offer_rows(c, orr_cli_list_machines, "name");
    } else if (before && !strcmp(before->name, "device")) {
        offer_choices(c, "cuda|opencl|gpu|cpu|host|all");
    } else if (before) {
        offer_choices(c, before->argument);
    } else if (*last_word(c) == '-') {
        offer_options(c, options);
    } else {
        const char *rest = options->usage + strlen(name);
        if (c->count == first)
            offer_choices(c, rest + (*rest == ' '));
        offer_names(c, options);
    }
}

int orr_cli_complete(const struct orr_command *commands, size_t count, int argc, char **argv)
{
    struct completion c = {.words = argv, .count = argc};
    char help[] = "--help", *words[] = {NULL, help, NULL};
    for (size_t k = 0; (argc == 1 || (argc == 2 && !strcmp(*argv, "help"))) && k < count; k++)
        offer(&c, commands[k].name, strlen(commands[k].name));
    if (argc == 1)
        offer(&c, "help", strlen("help"));
    const struct orr_command *command =
        argc > 1 ? orr_names_find(*argv, commands, count, sizeof *commands) : NULL;
    if (command) {
        words[0] = argv[0];
        orr_options_visit(see, &c);
        command->run(2, words);
        orr_options_visit(NULL, NULL);
    }
    return ORR_EXIT_OK;
}
