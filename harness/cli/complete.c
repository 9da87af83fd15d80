/* `orrery --complete WORDS...`: what may stand in the place of the last word, one a line. The
 * completions of shells ask it (tools/completion.bash). */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "error.h"
#include "names.h"
#include "plan/paper.h"

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

static void offer_names(const struct completion *c, const struct orr_options *options)
{
    static const char *const of_papers[] = {"WHAT", "EXPERIMENT", "PAPER", "VARIANT", "NAME", NULL},
                             *const of_datasets[] = {" NAME", NULL};
    char **names = NULL, **papers = NULL;
    if (takes(options, of_papers) && !orr_plan_names(&names) && !orr_paper_keys(&papers)) {
        for (char **name = names; *name; name++)
            offer(c, *name, strlen(*name));
        for (char **name = papers; *name; name++)
            offer(c, *name, strlen(*name));
    }
    orr_names_free(names);
    orr_names_free(papers);
    size_t count;
    const struct orr_dataset *const *sets = orr_dataset_all(&count);
    for (size_t k = 0; takes(options, of_datasets) && k < count; k++)
        offer(c, sets[k]->name, strlen(sets[k]->name));
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
    if (before) {
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
    for (size_t k = 0; argc == 1 && k < count; k++)
        offer(&c, commands[k].name, strlen(commands[k].name));
    if (argc == 1)
        offer(&c, "help", strlen("help"));
    for (size_t k = 0; argc > 1 && k < count; k++) {
        if (!strcmp(argv[0], "help") && argc == 2)
            offer(&c, commands[k].name, strlen(commands[k].name));
        if (strcmp(argv[0], commands[k].name) != 0)
            continue;
        words[0] = argv[0];
        orr_options_visit(see, &c);
        commands[k].run(2, words);
        orr_options_visit(NULL, NULL);
    }
    return ORR_EXIT_OK;
}
