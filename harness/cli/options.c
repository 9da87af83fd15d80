/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "error.h"
#include "memory.h"
#include "plan/paper.h"
#include "terminal.h"
#include "text.h"

enum { MAX_OPTIONS = 64 };

/* --- commands and options that are gone --- */

static const struct {
    const char *command, *option, *instead; /* option NULL: the command itself */
} gone[] = {
    {"watch", NULL,
     "`orrery run` tells its own progress, and `orrery table EXPERIMENT -r JOURNAL` works "
     "while the journal is still written"},
    {"tune", NULL, "tools/tune.sh searches with `orrery run --set ... --json`"},
    {"merge", NULL, "name several folders instead: `orrery table EXPERIMENT -r A -r B`"},
    {"submit", NULL,
     "tools/slurm/orrery.sbatch runs the shards of `orrery run --shard` as a job array"},
    {"export", NULL, "tools/artifact.sh packs results; `orrery check` reads them"},
    {"run", "lock-clocks", "docs/METHOD.md says how to lock a card's clocks beforehand"},
    {"run", "cold", "every step is measured with caches as the step before it left them"},
    {"compare", "cold", "every step is measured with caches as the step before it left them"},
    {"run", "tuned", "the best known settings are the defaults of paper.yaml; others by --set"},
    {"audit", "hardware", "`orrery run --counters auto` counts the same words in the run itself"},
    {"list", "chip", "`orrery list counters` has the metrics of every chip"},
    {"help", "for", "tools/completion.bash completes in bash; help2man makes the man page"},
    {"render", "colour", "the palette is a line of plots/render.gp"},
    {"render", "smear", "--bins chooses how coarse a picture is"},
    {"claims", "calibrate", "`make calibrate` feeds the claims the papers' own numbers"},
};

/* What takes the place of an option, its first `length` characters, of a command such as "run" or
 * "dataset make"; `option` NULL: of the command. NULL where there never was one. */
static const char *find_gone(const char *command, const char *option, size_t length)
{
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++) {
        const char *own = gone[k].option;
        const bool same =
            own && option ? strlen(own) == length && !strncmp(own, option, length) : own == option;
        if (same && !strcmp(gone[k].command, command))
            return gone[k].instead;
    }
    return NULL;
}

/* The name is "run" or "dataset make": the first word of the usage, or the first two. */
static void name_command(char out[32], const struct orr_options *options)
{
    const char *usage = options->usage;
    const size_t before = strncmp(usage, "dataset ", 8) ? 0 : 8;
    snprintf(out, 32, "%.*s", (int)(before + strcspn(usage + before, " \n")), usage);
}

/* --- help --- */

/* Lines that begin with a blank are kept as they are. */
static void print_summary(const char *text)
{
    const size_t width = orr_terminal_columns(stdout);
    while (*text) {
        char line[256];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (length <= width || *line == ' ' || length >= sizeof line)
            printf("%.*s\n", (int)length, text);
        else
            orr_terminal_wrap(line, 0, 0);
        text += length + (text[length] != '\0');
    }
}

/* "-o, --output DIR" */
static char *write_option(char *out, size_t size, const struct orr_option *o)
{
    char shorter[8] = "";
    if (o->letter)
        snprintf(shorter, sizeof shorter, "-%c, ", o->letter);
    snprintf(out, size, "%s--%s%s%s", shorter, o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    return out;
}

static void print_help(const struct orr_options *all)
{
    enum { INDENT = 27 };
    printf("usage: orrery %s\n", all->usage);
    print_summary(all->summary);
    for (size_t k = 0; k < all->count; k++) {
        const struct orr_option *o = &all->options[k];
        char left[512], next[64];
        size_t used = strlen(write_option(left, sizeof left, o));
        /* Neighbours that say the same say it once. */
        for (; k + 1 < all->count && all->options[k + 1].help == o->help; k++)
            used += (size_t)snprintf(left + used, sizeof left - used, ", %s",
                                     write_option(next, sizeof next, &all->options[k + 1]));
        /* A long option stands on a line of its own, above its explanation. */
        fputs(o == all->options ? "\n  " : "  ", stdout);
        if (used > INDENT - 3) {
            orr_terminal_wrap(left, 2, 2);
            printf("%*s", INDENT, "");
        } else {
            printf("%-24s ", left);
        }
        orr_terminal_wrap(o->help, INDENT, INDENT);
    }
}

/* --- words --- */

/* Nobody frees what the command line said: it is found from here to the end. */
static void *keep_until_exit(void *memory)
{
    static void **kept;
    static size_t count;
    void **added = orr_memory_add(&kept, &count, sizeof *added);
    return *added = memory;
}

/* Appends a copy of the first `length` characters. */
void orr_options_add_word(struct orr_words *words, const char *text, size_t length)
{
    const size_t count = (size_t)words->count;
    if (!(count & (count - 1))) { /* a power of two: room for as many again */
        char **more = keep_until_exit(orr_memory_get((2 * count + 1) * sizeof *more));
        words->items = count ? memcpy(more, words->items, count * sizeof *more) : more;
    }
    words->items[words->count++] = keep_until_exit(orr_memory_part(text, length));
}

static void add_split(struct orr_words *words, const char *text)
{
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, ",");
        if (length)
            orr_options_add_word(words, text, length);
    }
}

static const struct orr_option *find_option(const struct orr_options *all, const char *name,
                                            size_t length)
{
    const char *names[MAX_OPTIONS];
    size_t count = all->count < MAX_OPTIONS ? all->count : MAX_OPTIONS;
    for (size_t k = 0; k < count; k++) {
        names[k] = all->options[k].name;
        if (strlen(names[k]) == length && !strncmp(names[k], name, length))
            return &all->options[k];
    }
    char word[64], command[32];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    name_command(command, all);
    const char *instead = find_gone(command, name, length);
    if (instead) {
        orr_fail(ORR_EUSAGE, "%s --%s: gone; %s", command, word, instead);
        return NULL;
    }
    const char *near = orr_text_nearest(word, names, count);
    orr_fail(ORR_EUSAGE, "unknown option '--%s'%s%s%s", word,
             near ? "; did you mean '--" : "; --help lists them", near ? near : "",
             near ? "'?" : "");
    return NULL;
}

static const struct orr_option *find_letter(const struct orr_options *all, const char *word)
{
    for (size_t k = 0; k < all->count; k++)
        if (all->options[k].letter && all->options[k].letter == word[1])
            return &all->options[k];
    orr_fail(ORR_EUSAGE, "unknown option '%s'; --help lists them", word);
    return NULL;
}

/* Is the name of `length` characters among those before the '=' of a setting, "n" in
 * "n,theta=1:0.5"? */
static bool has_name(const char *setting, const char *name, size_t length)
{
    const char *end = setting + strcspn(setting, "=");
    for (const char *at = setting; at < end; at += strcspn(at, ",=") + 1)
        if (strcspn(at, ",=") == length && !strncmp(at, name, length))
            return true;
    return false;
}

/* Two settings of one name could only mean the last of them. */
static int check_name(const struct orr_option *option, const char *value, const char *name,
                      size_t length)
{
    const struct orr_words *words = option->to;
    if (has_name(name + length + (name[length] == ','), name, length))
        return orr_fail(ORR_EUSAGE, "--%s %s has %.*s twice", option->name, value, (int)length,
                        name);
    for (int k = 0; k < words->count; k++)
        if (has_name(words->items[k], name, length))
            return orr_fail(ORR_EUSAGE,
                            "--%s has %.*s twice, '%s' and '%s'; name all values at once",
                            option->name, (int)length, name, words->items[k], value);
    return 0;
}

static int add_setting(const struct orr_option *option, const char *value)
{
    const char *end = value + strcspn(value, "=");
    int code = 0;
    for (const char *name = value; !code && name < end; name += strcspn(name, ",=") + 1)
        code = check_name(option, value, name, strcspn(name, ",="));
    if (!code)
        orr_options_add_word(option->to, value, strlen(value));
    return code;
}

/* Whole numbers are those that a double holds exactly. */
static int store_number(const struct orr_option *option, const char *value)
{
    static const struct {
        const char *wanted;
        bool whole;
        double least, most;
    } kinds[] = {[ORR_OPTION_NUMBER] = {"a number", false, -INFINITY, INFINITY},
                 [ORR_OPTION_WHOLE] = {"a whole number from 0 up", true, 0, 0x1p53},
                 [ORR_OPTION_COUNT] = {"a whole number from 1 up", true, 1, 0x1p53},
                 [ORR_OPTION_SECONDS] = {"seconds above 0", false, DBL_MIN, INFINITY}};
    double number;
    if (orr_text_number(value, &number) && number >= kinds[option->kind].least &&
        number <= kinds[option->kind].most &&
        (!kinds[option->kind].whole || number == floor(number))) {
        *(double *)option->to = number;
        return 0;
    }
    return orr_fail(ORR_EUSAGE, "--%s takes %s, not '%s'", option->name, kinds[option->kind].wanted,
                    value);
}

static int store_value(const struct orr_option *option, const char *value)
{
    switch (option->kind) {
    case ORR_OPTION_FLAG:
        *(bool *)option->to = true;
        return 0;
    case ORR_OPTION_TEXT:
        *(const char **)option->to = value;
        return 0;
    case ORR_OPTION_NUMBER:
    case ORR_OPTION_WHOLE:
    case ORR_OPTION_COUNT:
    case ORR_OPTION_SECONDS:
        return store_number(option, value);
    case ORR_OPTION_LIST:
        add_split(option->to, value);
        return 0;
    case ORR_OPTION_REPEAT:
        orr_options_add_word(option->to, value, strlen(value));
        return 0;
    case ORR_OPTION_SETTINGS:
        return add_setting(option, value);
    }
    return orr_fail(ORR_EINTERNAL, "option --%s has no kind", option->name);
}

/* Options of the last command line, by their place in the table. */
static uint64_t seen_last;

/* Flags may be repeated, and what takes several words; of everything else there is one, or it would
 * not be clear what was measured. A later -o wins over that of a script's. */
static int check_repetition(const struct orr_options *all, const struct orr_option *option)
{
    const uint64_t bit = (uint64_t)1 << (option - all->options);
    bool one = option->kind >= ORR_OPTION_TEXT && option->kind <= ORR_OPTION_SECONDS;
    if (one && seen_last & bit && strcmp(option->name, "output"))
        return orr_fail(ORR_EUSAGE, "--%s is there twice; it takes one value", option->name);
    seen_last |= bit;
    return 0;
}

/* One option at argv[*at]; moves *at onto its last word. */
static int parse_option(const struct orr_options *all, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *value = NULL;
    const struct orr_option *option;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_option(all, word + 2, length);
        value = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        option = find_letter(all, word);
        value = word[2] ? word + 2 : NULL;
    }
    if (!option || check_repetition(all, option))
        return ORR_EUSAGE;
    if (option->kind == ORR_OPTION_FLAG && value)
        return orr_fail(ORR_EUSAGE, "--%s takes no value", option->name);
    if (option->kind != ORR_OPTION_FLAG && !value) {
        if (*at + 1 >= argc)
            return orr_fail(ORR_EUSAGE, "--%s needs a value (%s)", option->name, option->argument);
        value = argv[++*at];
    }
    return store_value(option, value);
}

/* --- the command line --- */

bool orr_options_beyond(const struct orr_options *options, const char *names)
{
    for (size_t k = 0; k < options->count; k++)
        if (seen_last >> k & 1 && !orr_names_hold(names, options->options[k].name))
            return true;
    return false;
}

static int check_words(const struct orr_options *all, const struct orr_words *words)
{
    int code = 0;
    for (int k = 0; all->spells && k < words->count && !code; k++)
        code = orr_plan_spell(words->items[k]);
    if (!code && all->most && (words->count < all->least || words->count > all->most))
        code = orr_fail(ORR_EUSAGE, "%s", all->wanted);
    return code;
}

int orr_options_parse(const struct orr_options *all, int argc, char **argv, struct orr_words *rest)
{
    bool ended = false;
    seen_last = 0;
    for (int k = 1; k < argc; k++) {
        int code = 0;
        if (!ended && !strcmp(argv[k], "--")) {
            ended = true;
        } else if (!ended && (!strcmp(argv[k], "--help") || !strcmp(argv[k], "-h"))) {
            print_help(all);
            return ORR_OPTIONS_HELPED;
        } else if (!ended && argv[k][0] == '-' && argv[k][1]) {
            code = parse_option(all, argc, argv, &k);
        } else if (rest) {
            orr_options_add_word(rest, argv[k], strlen(argv[k]));
        } else {
            code = orr_fail(ORR_EUSAGE, "unexpected '%s'; --help lists the options", argv[k]);
        }
        if (code)
            return code;
    }
    return rest ? check_words(all, rest) : 0;
}

/* --- orrery help --- */

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

const struct orr_help_row orr_options_environment[] = {
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
    {"environment", "variables that the program reads", orr_options_environment},
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
    const char *instead = find_gone(word, NULL, 0);
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
