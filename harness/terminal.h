/* SPDX-License-Identifier: MIT */
/* Output to a terminal, as far as it can show it. */
#ifndef ORR_TERMINAL_H
#define ORR_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* In a locale that says C or POSIX, what goes to a terminal is ASCII from now on: "+-" for a plus
 * or minus, and letters without their accents. Files and pipes stay UTF-8. Before any output. */
void orr_terminal_begin(void);
/* True if a line can be written over: on a terminal, and not with TERM=dumb. */
bool orr_terminal_moves(FILE *stream);
/* The same, and NO_COLOR is not set. */
bool orr_terminal_colours(FILE *stream);
/* Columns of the terminal, at least 40; SIZE_MAX where there is none. */
size_t orr_terminal_columns(FILE *stream);
/* Cuts a text to so many characters, in place; the last one becomes an ellipsis where it was
 * longer. Returns `text`. */
char *orr_terminal_cut(char *text, size_t columns);

/* Prints the text on stdout from column `at` on, broken at blanks, but not within backquotes, so
 * that a command can be copied; each further line begins at column `indent`. */
void orr_terminal_wrap(const char *text, size_t at, size_t indent);

/* --- how far something is that may take long, on a line that ends up empty --- */

struct orr_waiting {
    FILE *to;
    double since; /* of the clock; 0: it has not begun */
    bool shown;
};

/* Begins with number `place` of `count`, counted from 0: "claims: shan (2 of 4)". Nothing is shown
 * in the first second, and nothing at all where `to` is no terminal. */
void orr_waiting_at(struct orr_waiting *waiting, const char *what, const char *name, size_t place,
                    size_t count);
/* Clears the line. */
void orr_waiting_end(struct orr_waiting *waiting);

#endif
