/* Reading files that others may have made. Opening never waits and refuses all but regular files
 * and /dev/null, for a pipe or a device has no end; lines have a largest length. */
#ifndef ORR_PLAIN_FILE_H
#define ORR_PLAIN_FILE_H

#include <stddef.h>
#include <stdio.h>

/* NULL with the reason in *why. */
FILE *orr_plain_file_open(const char *path, const char **why);
/* The next line with its newline, if it has one, and a NUL into *line, which grows; free it. 1, at
 * the end or after a read error 0, or ORR_EINPUT beyond `limit` bytes. */
int orr_plain_file_line(char **line, size_t *room, size_t *length, FILE *from, size_t limit);

#endif
