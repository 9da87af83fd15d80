/* SPDX-License-Identifier: MIT */
/* Options of a command, as commands.txt describes them, and its help. */
#include "cli/cli.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "plan/paper.h"
#include "terminal.h"
#include "txt/cli/commands.h"

/* --- words --- */

/* Nobody frees what the command line said: it is found from here to the end. */
static void *keep_until_exit(void *memory)
{
    static void **kept;
    static size_t count;
    void **added = orr_memory_add(&kept, &count, sizeof *added);
    return *added = memory;
}

static void append(struct orr_words *words, char *kept)
{
    const size_t count = (size_t)words->count;
    if (!(count & (count - 1))) { /* a power of two: room for as many again */
        char **more = keep_until_exit(orr_memory_get((2 * count + 1) * sizeof *more));
        words->items = count ? memcpy(more, words->items, count * sizeof *more) : more;
    }
    words->items[words->count++] = kept;
}

void orr_options_add_word(struct orr_words *words, const char *text)
{
    append(words, keep_until_exit(orr_memory_text(text)));
}

static void add_split(struct orr_words *words, const char *text)
{
    char *rest = keep_until_exit(orr_memory_text(text)), *word;
    while ((word = strsep(&rest, ",")))
        if (*word)
            append(words, word);
}

/* --- commands.txt --- */

enum kind { FLAG, TEXT, REAL, WHOLE, COUNT, SECONDS, SHARE, LIST, REPEAT, SETS, PASSED, GONE, ROW };
static const char *const kind_names[] = {"flag",  "text", "number", "whole",    "count",  "seconds",
                                         "share", "list", "repeat", "settings", "passed", "gone"};
enum { MOST_COMMANDS = 40, MOST_OPTIONS = 40 };

struct option {
    const char *name; /* "device" for --device; of a row its whole name */
    char letter;      /* 'o' for -o as well; 0: none */
    enum kind kind;
    const char *argument; /* "DIR" in the help; NULL for a flag */
    const char *help;
};
struct command {
    const char *name, *summary, *group, *gone;
    char usage[256], about[512];
    bool spells;
    int least, most; /* words that are no options; most -1: any number */
    const char *wanted;
    struct option options[MOST_OPTIONS];
    size_t count;
};
static struct command commands[MOST_COMMANDS];
static size_t command_count;

/* Ends the text at `mark`; what stands behind it, NULL without one. */
static char *cut(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (!at)
        return NULL;
    *at = '\0';
    return at + strlen(mark);
}

static struct command *find_command(const char *name)
{
    return (struct command *)orr_names_find(name, commands, command_count, sizeof *commands);
}

/* "-o, --output text DIR | results folder" */
static void read_option(struct option *out, char *line)
{
    out->help = cut(line, " | ");
    if (line[1] != '-') {
        out->letter = line[1];
        line += strlen("-o, ");
    }
    out->name = line + 2;
    char *kind = cut(line, " ");
    out->argument = cut(kind, " ");
    while (strcmp(kind_names[out->kind], kind) != 0)
        out->kind++;
}

static void add_line(char *to, size_t size, const char *between, const char *line)
{
    const size_t used = strlen(to);
    snprintf(to + used, size - used, "%s%s", used ? between : "", line);
}

static void read_line(struct command *c, char *line)
{
    if (*line == '-') {
        read_option(&c->options[c->count++], line);
        return;
    }
    static char none[] = "";
    char usage[256], *rest = cut(line, " ");
    rest = rest ? rest : none;
    snprintf(usage, sizeof usage, "%s%s%s", c->name, *rest ? " " : "", rest);
    if (!strcmp(line, "usage")) {
        add_line(c->usage, sizeof c->usage, "\n       orrery ", usage);
    } else if (!strcmp(line, "about")) {
        add_line(c->about, sizeof c->about, "\n", rest);
    } else if (!strcmp(line, "spells")) {
        c->spells = true;
    } else if (!strcmp(line, "gone")) {
        c->gone = rest;
    } else if (!strcmp(line, "words")) {
        c->least = (int)strtol(rest, &rest, 10);
        c->most = (int)strtol(rest, &rest, 10);
        c->wanted = rest + strspn(rest, " ");
    } else if (!strcmp(line, "include")) {
        const struct command *from = find_command(rest);
        memcpy(c->options + c->count, from->options, from->count * sizeof *from->options);
        c->count += from->count;
    } else {
        c->options[c->count++] =
            (struct option){.name = rest, .kind = ROW, .help = cut(rest, " | ")};
    }
}

static void read_commands(void)
{
    if (command_count)
        return;
    const char *group = NULL;
    struct command *last = NULL;
    char *at, *line = keep_until_exit(orr_memory_text(txt_cli_commands));
    for (line = strtok_r(line, "\n", &at); line; line = strtok_r(NULL, "\n", &at)) {
        if (!strncmp(line, "group ", 6)) {
            group = line + 6;
        } else if (!strncmp(line, "command ", 8)) {
            last = &commands[command_count++];
            *last = (struct command){
                .name = line + 8, .summary = cut(line, " | "), .group = group, .most = -1};
            group = NULL;
        } else if (last && *line != '#') {
            read_line(last, line);
        }
    }
}

/* --- help --- */

/* "-o, --output DIR" behind the text that is there. */
static void add_option(char *out, size_t size, const struct option *o)
{
    const size_t used = strlen(out);
    const char letter[] = {'-', o->letter, ',', ' ', '\0'};
    snprintf(out + used, size - used, "%s%s--%s%s%s", used ? ", " : "", o->letter ? letter : "",
             o->name, o->argument ? " " : "", o->argument ? o->argument : "");
}

static void print_help(struct command *c)
{
    enum { INDENT = 27 };
    printf("usage: orrery %s\n", c->usage);
    for (char *rest = c->about, *line; (line = strsep(&rest, "\n"));)
        if (*line)
            orr_terminal_wrap(line, 0, 0);
    for (size_t k = 0; k < c->count && c->options[k].kind != GONE; k++) {
        const struct option *o = &c->options[k];
        char left[512] = "";
        add_option(left, sizeof left, o);
        /* Neighbours that say the same say it once. */
        for (; k + 1 < c->count && !strcmp(c->options[k + 1].help, o->help); k++)
            add_option(left, sizeof left, &c->options[k + 1]);
        /* A long option stands on a line of its own, above its explanation. */
        fputs(o == c->options ? "\n  " : "  ", stdout);
        if (strlen(left) > INDENT - 3) {
            orr_terminal_wrap(left, 2, 2);
            printf("%*s", INDENT, "");
        } else {
            printf("%-24s ", left);
        }
        orr_terminal_wrap(o->help, INDENT, INDENT);
    }
    /* the verbs of "dataset": those behind it that begin with its name */
    const size_t length = strlen(c->name);
    for (const struct command *v = c + 1;
         v < commands + command_count && !strncmp(v->name, c->name, length); v++)
        printf("%s  %-66s %s\n", v == c + 1 ? "\n" : "", v->usage + length + 1, v->about);
}

/* --- values --- */

/* Is the name among those before the '=' of a setting, "n" in "n,theta=1:0.5"? */
static bool has_name(const char *setting, const char *name)
{
    char names[256];
    snprintf(names, sizeof names, "%.*s", (int)strcspn(setting, "="), setting);
    return orr_text_lists(names, name);
}

/* Two settings of one name could only mean the last of them. */
static int add_setting(const struct option *option, struct orr_words *words, const char *value)
{
    char names[256], *rest = names, *name;
    snprintf(names, sizeof names, "%.*s", (int)strcspn(value, "="), value);
    while ((name = strsep(&rest, ","))) {
        if (rest && has_name(rest, name))
            return orr_fail(ORR_EUSAGE, "--%s %s has %s twice", option->name, value, name);
        for (int k = 0; k < words->count; k++)
            if (has_name(words->items[k], name))
                return orr_fail(ORR_EUSAGE,
                                "--%s has %s twice, '%s' and '%s'; name all values at once",
                                option->name, name, words->items[k], value);
    }
    orr_options_add_word(words, value);
    return 0;
}

/* Whole numbers are those that a double holds exactly; "1%" is 0.01. */
static int store_number(const struct option *option, double *to, const char *value)
{
    const size_t length = strlen(value);
    const bool percent = option->kind == SHARE && length && value[length - 1] == '%';
    char *number = orr_memory_part(value, length - percent);
    static const struct {
        const char *wanted;
        bool whole;
        double least, most;
    } kinds[] = {
        [REAL] = {"a number", false, -INFINITY, INFINITY},
        [WHOLE] = {"a whole number from 0 up", true, 0, 0x1p53},
        [COUNT] = {"a whole number from 1 up", true, 1, 0x1p53},
        [SECONDS] = {"seconds above 0", false, DBL_MIN, INFINITY},
        [SHARE] = {"a share above 0 and below 1, as 1% or 0.01", false, DBL_MIN, 1 - DBL_EPSILON}};
    const bool read = orr_text_number(number, to);
    free(number);
    *to /= percent ? 100 : 1;
    if (read && *to >= kinds[option->kind].least && *to <= kinds[option->kind].most &&
        (!kinds[option->kind].whole || *to == floor(*to)))
        return 0;
    return orr_fail(ORR_EUSAGE, "--%s takes %s, not '%s'", option->name, kinds[option->kind].wanted,
                    value);
}

static int store_value(const struct option *option, void *to, const char *value)
{
    if (option->kind >= REAL && option->kind <= SHARE)
        return store_number(option, to, value);
    if (option->kind == SETS)
        return add_setting(option, to, value);
    if (option->kind == FLAG)
        *(bool *)to = true;
    else if (option->kind == TEXT)
        *(const char **)to = value;
    else if (option->kind == LIST)
        add_split(to, value);
    else if (option->kind == REPEAT)
        orr_options_add_word(to, value);
    return 0;
}

/* --- the command line --- */

/* The command that was parsed last, and its options that were there, a bit each. */
static struct command *parsed;
static uint64_t seen;

/* The option that `word` begins with, "--name" or, by its letter, "-n". */
static const struct option *find_option(const char *word, size_t length)
{
    const char *names[MOST_OPTIONS], *near = NULL;
    const bool by_letter = word[1] != '-';
    size_t count = 0;
    for (size_t k = 0; k < parsed->count; k++) {
        const struct option *o = &parsed->options[k];
        if (by_letter ? o->letter == word[1]
                      : strlen(o->name) + 2 == length && !strncmp(o->name, word + 2, length - 2)) {
            if (o->kind != GONE)
                return o;
            orr_fail(ORR_EUSAGE, "%s --%s: gone; %s", parsed->name, o->name, o->help);
            return NULL;
        }
        if (o->kind != GONE)
            names[count++] = o->name;
    }
    char *name = orr_memory_part(word, by_letter ? strlen(word) : length);
    if (!by_letter)
        near = orr_text_nearest(name + 2, names, count);
    orr_fail(ORR_EUSAGE, "unknown option '%s'%s%s%s", name,
             near ? "; did you mean '--" : "; --help lists them", near ? near : "",
             near ? "'?" : "");
    free(name);
    return NULL;
}

/* One option at argv[*at]; moves *at onto its last word. Flags may be repeated, and what takes
 * several words; of everything else there is one, or it would not be clear what was measured. A
 * later -o wins over that of a script's. */
static int parse_option(const struct orr_option *options, size_t count, int argc, char **argv,
                        int *at)
{
    const char *word = argv[*at], *value = NULL;
    const size_t length = strcspn(word, "=");
    const struct option *option = find_option(word, length);
    if (word[1] == '-')
        value = word[length] ? word + length + 1 : NULL;
    else
        value = word[2] ? word + 2 : NULL;
    if (!option)
        return ORR_EUSAGE;
    const uint64_t bit = (uint64_t)1 << (option - parsed->options);
    if (option->kind >= TEXT && option->kind <= SHARE && seen & bit &&
        strcmp(option->name, "output"))
        return orr_fail(ORR_EUSAGE, "--%s is there twice; it takes one value", option->name);
    seen |= bit;
    if (!option->argument && value)
        return orr_fail(ORR_EUSAGE, "--%s takes no value", option->name);
    if (option->argument && !value && *at + 1 >= argc)
        return orr_fail(ORR_EUSAGE, "--%s needs a value (%s)", option->name, option->argument);
    if (option->argument && !value)
        value = argv[++*at];
    const struct orr_option *read = orr_names_find(option->name, options, count, sizeof *options);
    if (!read && option->kind != PASSED)
        return orr_fail(ORR_EINTERNAL, "%s reads no --%s", parsed->name, option->name);
    return store_value(option, read ? read->to : NULL, value ? value : "");
}

bool orr_options_beyond(const char *names)
{
    for (size_t k = 0; k < parsed->count; k++)
        if (seen >> k & 1 && !orr_text_lists(names, parsed->options[k].name))
            return true;
    return false;
}

/* Writes a word as its paper, experiment or variant is spelled, where it differs in upper and lower
 * case alone. */
static int spell_as_named(char *word)
{
    char **names;
    const char *letter = word;
    while (*letter && !isupper((unsigned char)*letter))
        letter++;
    if (!*letter) /* all papers are read for the others, which takes a while */
        return 0;
    int code = orr_plan_names(&names);
    if (code)
        return code;
    const char *found = NULL;
    for (char **name = names; *name && !(found && !strcmp(found, word)); name++)
        if (!strcasecmp(*name, word))
            found = *name;
    if (found)
        strcpy(word, found);
    orr_names_free(names);
    return 0;
}

static int check_words(const struct orr_words *words)
{
    for (int k = 0; parsed->spells && k < words->count; k++)
        if (spell_as_named(words->items[k]))
            return orr_error_code();
    if (parsed->most < 0 || (words->count >= parsed->least && words->count <= parsed->most))
        return 0;
    return orr_fail(ORR_EUSAGE, "%s%s", *parsed->wanted ? "" : "usage: orrery ",
                    *parsed->wanted ? parsed->wanted : parsed->usage);
}

int orr_options_parse(const char *command, const struct orr_option *options, size_t count, int argc,
                      char **argv, struct orr_words *rest)
{
    bool ended = false;
    read_commands();
    struct command *own = parsed = find_command(command);
    seen = 0;
    if (!own)
        return orr_fail(ORR_EINTERNAL, "commands.txt has no command %s", command);
    for (int k = 1; k < argc; k++) {
        int code = 0;
        if (!ended && !strcmp(argv[k], "--")) {
            ended = true;
        } else if (!ended && (!strcmp(argv[k], "--help") || !strcmp(argv[k], "-h"))) {
            print_help(own);
            return ORR_OPTIONS_HELPED;
        } else if (!ended && argv[k][0] == '-' && argv[k][1]) {
            code = parse_option(options, count, argc, argv, &k);
        } else if (rest) {
            append(rest, argv[k]);
        } else {
            code = orr_fail(ORR_EUSAGE, "unexpected '%s'; --help lists the options", argv[k]);
        }
        if (code)
            return code;
    }
    return rest ? check_words(rest) : 0;
}

/* --- orrery help --- */

const char *orr_options_row(const char *topic, const char *name)
{
    read_commands();
    const struct command *c = find_command(topic);
    const struct option *row = orr_names_find(name, c->options, c->count, sizeof *row);
    return row ? row->help : NULL;
}

void orr_options_variables(struct orr_names *out)
{
    read_commands();
    const struct command *topic = find_command("environment");
    for (size_t k = 0; k < topic->count; k++)
        orr_names_add(out, "%s", topic->options[k].name);
}

static void print_commands(FILE *to)
{
    fputs("usage: orrery COMMAND [ARGUMENTS]\n", to);
    for (size_t k = 0; k < command_count; k++) {
        if (commands[k].summary && commands[k].group)
            fprintf(to, "\n%s:\n", commands[k].group);
        if (commands[k].summary)
            fprintf(to, "  %-12s %s\n", commands[k].name, commands[k].summary);
    }
    fputs("\n`orrery help COMMAND` explains one; `orrery help exit-codes` and `help environment` "
          "what their names say.\n",
          to);
}

/* "unknown command 'word'; did you mean ...?" */
static int fail_unknown(const char *word)
{
    const char *names[MOST_COMMANDS] = {"help"};
    char hint[64];
    size_t used = 1;
    const struct command *gone = find_command(word);
    if (gone && gone->gone) {
        fprintf(stderr, "orrery %s: gone; %s\n", word, gone->gone);
        return ORR_EXIT_USAGE;
    }
    for (size_t k = 0; k < command_count; k++)
        if (commands[k].summary)
            names[used++] = commands[k].name;
    orr_text_hint(hint, sizeof hint, word, names, used);
    return orr_fail(ORR_EUSAGE, "unknown command '%s'%s", word,
                    *hint ? hint : "; `orrery help` lists them");
}

/* "run", "dataset make", or a topic, whose rows are shown. */
static int help_about(const struct orr_words *what)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", what->items[0], what->count > 1 ? " " : "",
             what->count > 1 ? what->items[1] : "");
    struct command *topic = find_command(name);
    if (!topic)
        topic = find_command(what->items[0]);
    if (topic && topic->count && topic->options->kind == ROW)
        for (size_t k = 0; k < topic->count; k++)
            printf("%-25s %s\n", topic->options[k].name, topic->options[k].help);
    else if (topic && *topic->usage)
        print_help(topic);
    else
        return fail_unknown(what->items[0]);
    return ORR_EXIT_OK;
}

int orr_cli_command(const struct orr_command *all, size_t count, int argc, char **argv)
{
    struct orr_words what = {0};
    const char *word = argc > 1 ? argv[1] : "--help";
    const struct orr_command *command = orr_names_find(word, all, count, sizeof *all);
    read_commands();
    if (command)
        return command->run(argc - 1, argv + 1);
    const bool asks = !strcmp(word, "help");
    if (!asks && strcmp(word, "--help") && strcmp(word, "-h"))
        return fail_unknown(word);
    const int code = asks ? orr_options_parse("help", NULL, 0, argc - 1, argv + 1, &what) : 0;
    if (!code && what.count)
        return help_about(&what);
    if (!code)
        print_commands(argc < 2 ? stderr : stdout);
    return argc < 2 ? ORR_EXIT_USAGE : code;
}
