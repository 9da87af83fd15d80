/* "-" in the place of a file: standard input, kept in a file while it is read, or standard output.
 */
#ifndef ORR_CLI_PIPES_H
#define ORR_CLI_PIPES_H

#include <stdbool.h>
#include <stddef.h>

struct orr_pipes {
    char folder[64]; /* "" until a file is needed */
};

/* *path is a file with all of standard input where it was "-". 0 or a negative code. */
int orr_pipes_input(struct orr_pipes *pipes, const char **path, char out[96]);
/* *path is a file `name` to be written where it was "-". */
int orr_pipes_output(struct orr_pipes *pipes, const char **path, char out[96], const char *name);
/* Copies a file to standard output. */
int orr_pipes_send(const char *path);
/* Removes the files; safe on a zeroed one. */
void orr_pipes_release(struct orr_pipes *pipes);

#endif
