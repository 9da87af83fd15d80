/* SPDX-License-Identifier: MIT */
/* Options of a command. commands.txt describes them: parsing, --help, completion and "did you mean"
 * follow from it. */
#ifndef ORR_CLI_OPTIONS_H
#define ORR_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "names.h"

/* Where an option's value goes, by its kind in commands.txt: a flag to bool *; text to const char
 * **; number, whole, count and seconds to double *; list, repeat and settings to struct orr_words
 * *. */
struct orr_option {
    const char *name; /* "device" for --device */
    void *to;
};
/* Both of a table. */
#define ORR_OPTIONS(table) (table), sizeof(table) / sizeof *(table)

enum { ORR_OPTIONS_HELPED = 1 };

/* Parses argv[1..] as commands.txt says of `command` ("run", "dataset make"), each of whose options
 * has a place; words that are no options go to `rest` (NULL: there may be none). 0;
 * ORR_OPTIONS_HELPED after --help was printed on stdout; or ORR_EUSAGE. "--" ends the options. */
int orr_options_parse(const char *command, const struct orr_option *options, size_t count, int argc,
                      char **argv, struct orr_words *rest);
/* One more word, the first `length` characters of the text. It stays as long as the process does,
 * as those of the command line do. */
void orr_options_add_word(struct orr_words *words, const char *text, size_t length);
/* True if the command line that was parsed last has other options than these, named with blanks
 * between. */
bool orr_options_beyond(const char *names);
/* Prints usage and purpose of the commands that begin so, "dataset ", a line each. */
void orr_options_print_usages(FILE *to, const char *beginning);
/* The text of a row of a topic of commands.txt, NULL without one. */
const char *orr_options_row(const char *topic, const char *name);
/* Adds the variables that the program reads. */
void orr_options_variables(struct orr_names *out);

#endif
