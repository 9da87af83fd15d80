/* SPDX-License-Identifier: MIT */
/* The plugin loader: opens a variant's shared object, or starts its program, and validates it in
 * one place. */
#ifndef ORR_PLUGIN_H
#define ORR_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "variant.h"

struct orr_program;
struct orr_plugin {
    void *handle;
    struct orr_program *program; /* of a variant that is a program; else NULL */
    const struct orr_variant *variant;
    char path[512];  /* of a program that of the last word that is a file (a script) */
    char sha256[65]; /* of the file; of a program that of the command and of each file in it */
    json_t *about;   /* of a program {command, sha256: {word: of that file}, gpu}, for the record */
};

/* Loads build/variants/<paper>/<variant>.so by its name "paper/variant". Clear messages for: not
 * built, no or more exported symbols, wrong ABI or size, invalid members. A plugin is never
 * unloaded once it ran on a GPU: the process ends instead. */
int orr_plugin_load(struct orr_plugin *out, const char *name);
void orr_plugin_release(struct orr_plugin *plugin);
/* Whether the variant runs on the device: backend and, if needed, double precision. */
bool orr_plugin_runs_on(const struct orr_variant *variant, const struct orr_device_info *device);
/* The only validation of a plugin's table: 0, or ORR_EINPUT with the reason. */
int orr_variant_validate(const struct orr_variant *variant);
/* What can be told of a plugin without running any of it: 0, or ORR_EINPUT where its file is not
 * there, is no shared object of this machine or exports other symbols. */
int orr_plugin_check_file(bool *there, const char *name);
/* SHA-256 of its file. ORR_EINPUT where that is not there. */
int orr_plugin_hash(char hex[65], const char *name);
/* Names "paper/variant" of all plugins built, sorted; NULL-terminated, free with orr_names_free. */
int orr_plugin_names(char ***out);

/* --- programs of any language as variants (program.c) --- */

/* From now on the variant `name` ("paper/variant") is this command. A word that names a file of
 * `folder` becomes that file's path. */
void orr_program_register(const char *name, char *const *words, size_t count, const char *folder);
bool orr_program_is(const char *name);
/* Adds what another process must know of the variant `name` to its request, which has a member
 * `variant`, too, and is returned; and takes it from there. */
json_t *orr_program_pass(json_t *request, const char *name);
void orr_program_receive(const json_t *request);
/* Fills in path, sha256 and about. ORR_EINPUT where the program is not there. */
int orr_program_identify(struct orr_plugin *out, const char *name);
/* Has it describe itself. Also ORR_EUNSUPPORTED in the sandbox and where the program says that it
 * cannot run here; ORR_EINTERNAL names what it did wrong. Release the plugin also then. */
int orr_program_load(struct orr_plugin *out, const char *name);
void orr_program_release(struct orr_program *program);
/* What the program says that a step took, the median of all since it was started, [s]; NULL of a
 * plugin and where it says nothing. Shown beside the referee's time and used for nothing. */
json_t *orr_program_own_seconds(const struct orr_plugin *plugin);

/* --- a plugin examined in a child process, which may crash --- */

/* A copy of the plugin's table without functions and kernel texts. */
struct orr_inspection {
    char name[64];              /* "paper/variant" */
    struct orr_variant variant; /* name, summary, capabilities, dimensions, params, build_flags; the
                                   rest is zero */
    struct orr_param *params;   /* owned */
    json_t *about;              /* owned; the same as JSON, holds the strings */
    int refused;                /* 0, or the error code of one that cannot be used, */
    char why[240];              /* and its message */
};

/* Loads, validates and describes "paper/variant". Errors are those of orr_plugin_load and
 * orr_forked_probe; a crash or a lack of time counts when it happens twice. */
int orr_plugin_inspect(struct orr_inspection *out, const char *name);
/* The same of many that have a name, in one child; errors of theirs are told in each. Release each,
 * whatever is returned. */
int orr_plugin_inspect_all(struct orr_inspection *items, size_t count);
void orr_inspect_release(struct orr_inspection *inspection); /* safe on a zeroed one */

#endif
