/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    /* of measuring */
    {"run", "lock-clocks", "docs/METHOD.md says how to lock a card's clocks beforehand"},
    {"run", "cold", "every step is measured with caches as the step before it left them"},
    {"compare", "cold", "every step is measured with caches as the step before it left them"},
    /* of tuned settings */
    {"run", "tuned", "the best known settings are the defaults of paper.yaml; others by --set"},
    {"list", "chip", "`orrery list counters` has the metrics of every chip"},
    /* of completions and the man page */
    {"help", "for", "tools/completion.bash completes in bash; help2man makes the man page"},
    /* of pictures */
    {"render", "colour", "the palette is a line of plots/render.gp"},
    {"render", "smear", "--bins chooses how coarse a picture is"},
    /* of calibration */
    {"claims", "calibrate", "`make calibrate` feeds the claims the papers' own numbers"},
};

const char *orr_options_gone(const char *command, const char *option, size_t length)
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

/* --- help --- */

static orr_options_visitor visitor;
static void *visitor_context;

void orr_options_visit(orr_options_visitor to, void *context)
{
    visitor = to;
    visitor_context = context;
}

bool orr_options_are_visited(void)
{
    return visitor != NULL;
}

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
    if (visitor) {
        visitor(all, visitor_context);
        return;
    }
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
static void *keep(void *memory)
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
        char **more = keep(orr_memory_get((2 * count + 1) * sizeof *more));
        words->items = count ? memcpy(more, words->items, count * sizeof *more) : more;
    }
    words->items[words->count++] = keep(orr_memory_part(text, length));
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
    orr_options_name(command, all);
    const char *instead = orr_options_gone(command, name, length);
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

static int store_number(const struct orr_option *option, const char *value)
{
    double number = NAN;
    bool count = option->kind == ORR_OPTION_COUNT, seconds = option->kind == ORR_OPTION_SECONDS;
    if (orr_text_number(value, &number) && (!count || (number >= 1 && number == floor(number))) &&
        (!seconds || number > 0)) {
        *(double *)option->to = number;
        return 0;
    }
    return orr_fail(ORR_EUSAGE, "--%s takes %s, not '%s'", option->name,
                    count     ? "a whole number from 1 up"
                    : seconds ? "seconds above 0"
                              : "a number",
                    value);
}

static int store(const struct orr_option *option, const char *value)
{
    switch (option->kind) {
    case ORR_OPTION_FLAG:
        *(bool *)option->to = true;
        return 0;
    case ORR_OPTION_TEXT:
        *(const char **)option->to = value;
        return 0;
    case ORR_OPTION_NUMBER:
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
static int note_once(const struct orr_options *all, const struct orr_option *option)
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
    if (!option || note_once(all, option))
        return ORR_EUSAGE;
    if (option->kind == ORR_OPTION_FLAG && value)
        return orr_fail(ORR_EUSAGE, "--%s takes no value", option->name);
    if (option->kind != ORR_OPTION_FLAG && !value) {
        if (*at + 1 >= argc)
            return orr_fail(ORR_EUSAGE, "--%s needs a value (%s)", option->name, option->argument);
        value = argv[++*at];
    }
    return store(option, value);
}

/* --- the command line --- */

void orr_options_name(char out[32], const struct orr_options *options)
{
    const char *usage = options->usage;
    size_t length = strcspn(usage, " \n");
    if (length == strlen(ORR_OPTIONS_VERBED) && !strncmp(usage, ORR_OPTIONS_VERBED, length) &&
        usage[length])
        length += 1 + strcspn(usage + length + 1, " \n");
    snprintf(out, 32, "%.*s", (int)length, usage);
}

bool orr_options_has(const struct orr_options *options, const char *const *names)
{
    for (; *names; names++)
        for (size_t k = 0; k < options->count; k++)
            if (seen_last >> k & 1 && !strcmp(options->options[k].name, *names))
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
