/* SPDX-License-Identifier: MIT */
/* A program of any language as a variant. It is told what to do by lines and finds bodies and
 * results in shared memory; docs/PROGRAMS.md is the protocol. Whoever loads the variant gets a
 * struct orr_variant of the host, and treats it as any other.
 *
 * A program runs within `step` alone: between steps its process group is stopped, so that it can
 * neither compute before it is timed nor go on afterwards. */
#ifndef ORR_PROGRAM_H
#define ORR_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "plugin/plugin.h"

/* From now on the variant `name` ("paper/variant") is this command. A word that names a file of
 * `folder` becomes that file's path. */
void orr_program_register(const char *name, char *const *words, size_t count, const char *folder);
bool orr_program_is(const char *name);
/* Adds what another process must know of the variant `name` to its request, which has a member
 * `variant`, too, and is returned; and takes it from there. */
json_t *orr_program_pass(json_t *request, const char *name);
void orr_program_receive(const json_t *request);
/* Splits a command as a shell does, with ' and ", but nothing else of a shell's. The words, to be
 * freed by orr_names_free; ORR_EUSAGE where there is none, or a quote has no end. */
int orr_program_split(char ***out, const char *command);

/* What orr_plugin_find, _hash, _load and _release are for a shared object. The file is the last
 * word that is one (a script), else the program itself; the hash is that of the command and of
 * each file in it. ORR_EINPUT where the program is not there, ORR_EUNSUPPORTED in the sandbox and
 * where the program says that it cannot run here; ORR_EINTERNAL names what it did wrong. */
int orr_program_find(char *path, size_t size, const char *name);
int orr_program_hash(char hex[65], const char *name);
int orr_program_load(struct orr_plugin *out, const char *name);
void orr_program_release(struct orr_plugin *plugin);

/* For the record, NULL of a plugin: {command, sha256: {word: of that file}, gpu}. */
json_t *orr_program_about(const struct orr_plugin *plugin);
/* What the program says that a step took, the median of all since it was started, [s]; NULL of a
 * plugin and where it says nothing. Shown beside the referee's time and used for nothing. */
json_t *orr_program_own_seconds(const struct orr_plugin *plugin);

#endif
