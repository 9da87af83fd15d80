/* What `orrery help` writes for other programs, from the tables that parse the command line. */
#ifndef ORR_HELP_PARTS_H
#define ORR_HELP_PARTS_H

#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"

/* Two columns of text; ends with {NULL, NULL}. */
struct orr_help_row {
    const char *name, *text;
};
extern const struct orr_help_row orr_help_exit_codes[], orr_help_environment[], orr_help_files[];

/* A command and the options of it, or of one of its verbs. */
struct orr_help_entry {
    char name[32]; /* "run", "dataset make" */
    const struct orr_options *options;
};

/* Hands the options of every command to the visitor, those of a verb for each verb. */
void orr_help_visit(const struct orr_command *commands, size_t count, orr_options_visitor visitor,
                    void *context);

struct orr_help_commands {
    const struct orr_command *items;
    size_t count;
    const char *verbed; /* the command that has verbs */
    char verbs[256];    /* with blanks between */
};

/* A kind of text: what stands before, for each entry and behind. */
struct orr_help_writer {
    const char *name;
    void (*begin)(FILE *to, const struct orr_help_commands *all);
    void (*entry)(FILE *to, const struct orr_help_entry *entry);
    void (*end)(FILE *to);
};
extern const struct orr_help_writer orr_help_man, orr_help_bash, orr_help_zsh, orr_help_fish;

/* What a word that is no option may be, from the usage. */
enum orr_help_words {
    ORR_HELP_NAMES = 1,    /* papers and experiments */
    ORR_HELP_VARIANTS = 2, /* paper/variant */
    ORR_HELP_DATASETS = 4,
    ORR_HELP_FILES = 8
};
int orr_help_words(const struct orr_help_entry *entry);
/* The words to choose from of an argument "md|csv|tex", or of the first word "[papers|variants]" of
 * a usage, with blanks between; "" where there are none. Returns `out`. */
char *orr_help_choices(char *out, size_t size, const char *text);
/* Whether the option takes the name of a file or folder. */
bool orr_help_takes_file(const struct orr_option *option);

#endif
