/* orrery help: the command line's own tables, for people, man and shells. */
#include <stdio.h>
#include <string.h>

#include "cli/help_parts.h"
#include "error.h"
#include "names.h"
#include "text.h"

const struct orr_help_row orr_help_exit_codes[] = {
    {"0", "success"},
    {"1", "a difference that --fail-on or --expect asked for, or a calibration that failed"},
    {"2", "a mistake in the request, or a file that cannot be read or written"},
    {"3", "a result that failed verification; of tune, that of the defaults"},
    {"4", "no such device, or one that failed"},
    {"5", "anything else that failed"},
    {"6", "run --no-wait found the device in use"},
    {"130", "interrupted; the journal is whole"},
    {NULL, NULL}};

const struct orr_help_row orr_help_environment[] = {
    {"ORRERY_HOME", "the folder with variants/, plots/, datasets/ and results/, where they are not "
                    "beside the program"},
    {"ORRERY_PAPERS", "folders with more papers, colons between"},
    {"ORRERY_PLUGINS", "the folder of the built variants"},
    {"ORRERY_CACHE", "the folder of compiled kernels, instead of $XDG_CACHE_HOME/orrery or "
                     "~/.cache/orrery"},
    {"ORRERY_LOCKS", "the folder of the locks on devices, instead of /run/lock or /tmp"},
    {"ORRERY_CUPTI", "CUPTI's library, or off"},
    {"ORRERY_DRIVERS", "OpenCL drivers to use, colons between; set by a run for its workers"},
    {"ORRERY_GUARDS", "off: no guard zones around device buffers, for other checkers of memory"},
    {"ORRERY_LOAD_SECONDS", "seconds that a plugin or a driver may take to load"},
    {"ORRERY_SPAN_SECONDS", "how long a span of a ceiling is; shorter ones are for tests"},
    {"ORRERY_RECORD", "off: steps back to back are launched, not replayed as recorded"},
    {"ORRERY_MPIRUN", "the program that starts ranks, instead of mpirun or srun"},
    {"ORRERY_MPI_LIBRARY", "what connects ranks, instead of the liborrery_mpi.so of this program"},
    {"ORRERY_NCCL", "NCCL's library, or off: devices exchange through host memory"},
    {"NO_COLOR", "anything: no colours"},
    {"TERM", "dumb: no colours and no line of progress that is written over"},
    {"TMPDIR", "where temporary files go"},
    {NULL, NULL}};

const struct orr_help_row orr_help_files[] = {
    {"results/<machine>/<run>.jsonl", "a journal: one JSON object a line; the only truth"},
    {"results/<machine>/tuned.json", "the settings that orrery tune found, by variant, device and "
                                     "input; run --tuned uses them"},
    {"results/reference/",
     "journals that come with Orrery, below its home; --reference reads them"},
    {NULL, NULL}};

/* Topics besides commands. */
static const struct topic {
    const char *name, *summary;
    const struct orr_help_row *rows;
} topics[] = {
    {"exit-codes", "what the program's exit code says", orr_help_exit_codes},
    {"environment", "variables that the program reads", orr_help_environment},
};
enum { TOPIC_COUNT = sizeof topics / sizeof *topics, MAX_NAMES = 64 };

static const struct orr_help_writer *const writers[] = {&orr_help_man, &orr_help_bash,
                                                        &orr_help_zsh, &orr_help_fish};
enum { WRITER_COUNT = sizeof writers / sizeof *writers };

static void print_usage(FILE *to, const struct orr_command *commands, size_t count)
{
    fputs("usage: orrery COMMAND [ARGUMENTS]\n\n", to);
    for (size_t k = 0; k < count; k++)
        fprintf(to, "  %-12s %s\n", commands[k].name, commands[k].summary);
    fputs("\n`orrery help COMMAND` explains one; `orrery help exit-codes` and `help environment` "
          "what their names say.\n",
          to);
}

int orr_cli_unknown_command(const struct orr_command *commands, size_t count, const char *word)
{
    const char *names[MAX_NAMES];
    size_t used = 0;
    for (size_t k = 0; k < count && used < MAX_NAMES - 1; k++)
        names[used++] = commands[k].name;
    names[used++] = "help";
    const char *near = orr_text_nearest(word, names, used);
    fprintf(stderr, "orrery: unknown command '%s'%s%s%s\n", word, near ? "; did you mean '" : "",
            near ? near : "", near ? "'?" : "; `orrery help` lists them");
    return ORR_EXIT_USAGE;
}

/* --- all commands, for other programs --- */

struct writing {
    const struct orr_help_writer *writer; /* NULL: only verbs are collected */
    struct orr_help_commands all;
};

/* A command's name is the first word of its usage; a verb's are the first two. */
static void write_entry(const struct orr_options *options, void *context)
{
    struct writing *w = context;
    struct orr_help_entry entry = {.options = options};
    const char *rest = options->usage + strcspn(options->usage, " ");
    int length = (int)(rest - options->usage), verb = (int)strcspn(rest + (*rest != 0), " ");
    bool verbed = !strncmp(options->usage, w->all.verbed, (size_t)length);
    snprintf(entry.name, sizeof entry.name, "%.*s", length + (verbed ? 1 + verb : 0),
             options->usage);
    size_t used = strlen(w->all.verbs);
    if (w->writer)
        w->writer->entry(stdout, &entry);
    else if (verbed)
        snprintf(w->all.verbs + used, sizeof w->all.verbs - used, "%s%.*s", used ? " " : "", verb,
                 rest + 1);
}

static void visit_all(struct writing *w)
{
    orr_options_visit(write_entry, w);
    for (size_t k = 0; k < w->all.count; k++) {
        char command[32], help[] = "--help", *words[] = {command, help, NULL};
        snprintf(command, sizeof command, "%s", w->all.items[k].name);
        w->all.items[k].run(2, words);
    }
    orr_options_visit(NULL, NULL);
}

static int write_all(const char *name, const struct orr_command *commands, size_t count)
{
    const struct orr_help_writer *writer = NULL;
    struct writing w = {.all = {.items = commands, .count = count, .verbed = "dataset"}};
    for (size_t k = 0; k < WRITER_COUNT; k++)
        if (!strcmp(name, writers[k]->name))
            writer = writers[k];
    if (!writer)
        return orr_fail(ORR_EUSAGE, "--for takes man, bash, zsh or fish, not '%s'", name);
    visit_all(&w);
    w.writer = writer;
    writer->begin(stdout, &w.all);
    visit_all(&w);
    writer->end(stdout);
    return 0;
}

/* --- one of them --- */

static int help_about(const struct orr_command *commands, size_t count,
                      const struct orr_words *what)
{
    const char *word = what->items[0];
    char name[64], verb[64], help[] = "--help", *words[] = {name, help, help, NULL};
    for (size_t k = 0; k < TOPIC_COUNT; k++)
        for (const struct orr_help_row *row = topics[k].rows;
             !strcmp(word, topics[k].name) && row->name; row++)
            printf("%-20s %s\n", row->name, row->text);
    for (size_t k = 0; k < TOPIC_COUNT; k++)
        if (!strcmp(word, topics[k].name))
            return ORR_EXIT_OK;
    for (size_t k = 0; k < count; k++) {
        if (strcmp(word, commands[k].name))
            continue;
        snprintf(name, sizeof name, "%s", word);
        if (what->count > 1) { /* help dataset make */
            snprintf(verb, sizeof verb, "%s", what->items[1]);
            words[1] = verb;
        }
        return commands[k].run(what->count > 1 ? 3 : 2, words);
    }
    return orr_cli_unknown_command(commands, count, word);
}

int orr_cli_help(const struct orr_command *commands, size_t count, int argc, char **argv)
{
    const char *writer = NULL;
    const struct orr_option table[] = {
        {"for", 0, ORR_OPTION_TEXT, &writer, "man|bash|zsh|fish",
         "everything, as a man page or as a shell's completions"},
    };
    const struct orr_options options = {"help [COMMAND|exit-codes|environment] [options]",
                                        "What the commands do.", table,
                                        sizeof table / sizeof *table};
    struct orr_words what = {0};
    if (argc < 2 || strcmp(argv[1], "help")) {
        print_usage(argc < 2 ? stderr : stdout, commands, count);
        return argc < 2 ? ORR_EXIT_USAGE : ORR_EXIT_OK;
    }
    int code = orr_options_parse(&options, argc - 1, argv + 1, &what), status = ORR_EXIT_OK;
    if (!code && writer)
        code = write_all(writer, commands, count);
    else if (!code && what.count)
        status = help_about(commands, count, &what);
    else if (!code)
        print_usage(stdout, commands, count);
    orr_options_release_words(&what);
    return code < 0 ? orr_cli_report_error() : status;
}
