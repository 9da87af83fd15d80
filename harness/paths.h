/* SPDX-License-Identifier: MIT */
/* Paths of Orrery's folders. The home folder holds variants/, plots/, datasets/ and results/; it is
 * ORRERY_HOME, else found from the program's own path: <home>/build/orrery as built, or
 * <prefix>/bin/orrery, <prefix>/share/orrery and <prefix>/lib/orrery as installed. Papers may lie
 * elsewhere, where ORRERY_PAPERS says. */
#ifndef ORR_PATHS_H
#define ORR_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes "<home>/<relative>" (printf-style relative). 0, ORR_EINTERNAL when it does not fit, or
 * ORR_EINPUT when there is no home. */
int orr_paths_home(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The folders that hold papers, each a folder of its own, for orr_names_free: <home>/variants, then
 * those of ORRERY_PAPERS, with colons between. ORR_EUSAGE when there is no such folder. */
int orr_paths_papers(char ***out);
/* A file of the paper `key`, there or not, of the one folder that holds the paper; of
 * <home>/variants when none does. *shown is what messages call it, within `out`:
 * "variants/<key>/<file>", but the whole path outside the home folder. ORR_EINPUT when two folders
 * hold a paper of this key. */
int orr_paths_paper(char *out, size_t size, const char **shown, const char *key, const char *file);
/* Folder of the plugins: ORRERY_PLUGINS, else the program's own variants/ as built, or
 * <prefix>/lib/orrery/variants as installed. */
int orr_paths_plugins(char *out, size_t size);
/* A library of the program's own, beside the folder of its plugins. */
int orr_paths_library(char *out, size_t size, const char *name);
/* Folder of the kernel cache: ORRERY_CACHE, else $XDG_CACHE_HOME/orrery, else $HOME/.cache/orrery,
 * else /tmp/orrery-<uid>; ORR_EIO when that is not this user's alone. */
int orr_paths_cache(char *out, size_t size);
/* The first executable of that name in PATH; false without one. */
bool orr_paths_find_tool(char *out, size_t size, const char *name);
/* Path of the running program. */
int orr_paths_program(char *out, size_t size);
/* Makes a folder <TMPDIR>/orrery-<what>XXXXXX of its own, in /tmp without TMPDIR or where that does
 * not fit. ORR_EIO, then `out` is "". */
int orr_paths_make_temporary(char *out, size_t size, const char *what);
/* Removes such a folder with all that is in it, and makes `folder` ""; nothing for "". */
void orr_paths_remove_temporary(char *folder);

#endif
