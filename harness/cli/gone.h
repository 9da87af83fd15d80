/* Commands and options that earlier releases had. One line says what takes the place of each; rows
 * leave with the next release. */
#ifndef ORR_CLI_GONE_H
#define ORR_CLI_GONE_H

#include <stddef.h>

/* What takes the place of a command, or NULL where there never was one of that name. */
const char *orr_gone_command(const char *name);
/* The same of an option, whose name is the first `length` characters, of a command such as "run" or
 * "dataset make". */
const char *orr_gone_option(const char *command, const char *name, size_t length);

#endif
