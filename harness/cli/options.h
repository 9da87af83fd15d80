/* SPDX-License-Identifier: MIT */
/* Options of a subcommand: one table drives parsing, --help and "did you mean". */
#ifndef ORR_CLI_OPTIONS_H
#define ORR_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "names.h"

enum orr_option_kind {
    ORR_OPTION_FLAG,    /* --json                       to: bool * */
    ORR_OPTION_TEXT,    /* --preset quick, --preset=q   to: const char ** */
    ORR_OPTION_NUMBER,  /* --smear 1.5                  to: double * */
    ORR_OPTION_WHOLE,   /* --level 0, whole, from 0     to: double * */
    ORR_OPTION_COUNT,   /* --seed 30, whole, from 1     to: double * */
    ORR_OPTION_SECONDS, /* --timeout 30, above 0        to: double * */
    ORR_OPTION_LIST,    /* --device a,b --device c      to: struct orr_words *; split at commas */
    ORR_OPTION_REPEAT,  /* --only a --only b            to: struct orr_words *; not split */
    ORR_OPTION_SETTINGS /* --set n=1,2 --set eps=0.1   the same; each name once */
};

struct orr_option {
    const char *name; /* "device" for --device */
    char letter;      /* 'o' for -o as well; 0: none */
    enum orr_option_kind kind;
    void *to;
    const char *argument; /* "DIR" in the help; NULL for a flag */
    const char *help;
};

struct orr_options {
    const char *usage; /* "run WHAT... [options]" */
    const char *summary;
    const struct orr_option *options;
    size_t count;
    bool spells;        /* words that differ from names of papers, experiments and variants in upper
                           and lower case alone become these */
    int least, most;    /* words that are no options; most 0: any number */
    const char *wanted; /* said where there are fewer or more */
};

/* Both members of a table. */
#define ORR_OPTION_TABLE(table) .options = (table), .count = sizeof(table) / sizeof *(table)

/* All commands that start workers have this option. */
#define ORR_OPTION_SANDBOX(to)                                         \
    {                                                                  \
        "sandbox", 0, ORR_OPTION_FLAG, to, NULL,                       \
            "run plugins in a sandbox: no network, none of your files" \
    }

enum { ORR_OPTIONS_HELPED = 1 };

/* Parses argv[1..]; words that are no options go to `rest` (NULL: there may be none). 0;
 * ORR_OPTIONS_HELPED after --help was printed on stdout; or ORR_EUSAGE. "--" ends the options. */
int orr_options_parse(const struct orr_options *options, int argc, char **argv,
                      struct orr_words *rest);
/* One more word, the first `length` characters of the text. It stays as long as the process does,
 * as those of the command line do. */
void orr_options_add_word(struct orr_words *words, const char *text, size_t length);
/* True if the command line that was parsed last has other options than these, named with blanks
 * between. */
bool orr_options_beyond(const struct orr_options *options, const char *names);

#endif
