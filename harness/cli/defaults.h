/* Defaults of options: variables of the environment, orrery.yaml of the current folder, and the
 * user's own file. The first of them that names an option counts. */
#ifndef ORR_CLI_DEFAULTS_H
#define ORR_CLI_DEFAULTS_H

#include <stdbool.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "names.h"

/* Reads the files and checks that each member is an option of these commands. */
void orr_defaults_load(const struct orr_command *commands, size_t count);
/* The mistake in a file: ORR_EINPUT with file and line. None for doctor, which tells of it, and for
 * help. */
int orr_defaults_check(const char *command);
/* From now on there are no defaults: what is gone on with keeps its own. */
void orr_defaults_forget(void);

struct orr_default {
    char *const *values; /* NULL-terminated; several only from a list of YAML */
    char from[1100];     /* "orrery.yaml:3", or the name of the variable */
};
/* The default of an option of the command "run" or "dataset make"; false where there is none. It is
 * valid until the next one is asked for. */
bool orr_defaults_find(struct orr_default *out, const char *command,
                       const struct orr_option *option);

struct orr_defaults_file {
    char path[1024];
    bool found;
    int members;
};
/* The files that are looked for, the first wins; and the mistake in one of them, or "". */
const struct orr_defaults_file *orr_defaults_files(size_t *count, const char **mistake);
/* The names of all variables that are defaults, for orr_names_free. */
int orr_defaults_variables(char ***out);

#endif
