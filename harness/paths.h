/* Paths of Orrery's folders. The home folder holds variants/, plots/, datasets/ and build/; it is
 * ORRERY_HOME, else found from the program's own path (<home>/build/orrery). */
#ifndef ORR_PATHS_H
#define ORR_PATHS_H

#include <stddef.h>

/* Writes "<home>/<relative>" (printf-style relative). Returns 0 or ORR_EINTERNAL when it does not
 * fit. */
int orr_paths_home(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Folder of the plugins: <home>/build/variants or ORRERY_PLUGINS. */
int orr_paths_plugins(char *out, size_t size);
/* Folder of the kernel cache: ORRERY_CACHE, else $XDG_CACHE_HOME/orrery, else $HOME/.cache/orrery,
 * else /tmp/orrery-<uid>. */
int orr_paths_cache(char *out, size_t size);
/* Path of the running program. */
int orr_paths_program(char *out, size_t size);

#endif
