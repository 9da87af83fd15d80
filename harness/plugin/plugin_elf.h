/* Exported symbols of a shared object, read from its file without loading it: no constructor runs.
 */
#ifndef ORR_PLUGIN_ELF_H
#define ORR_PLUGIN_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* What `wanted` is among the exported symbols, and the first other one. */
struct orr_exports {
    bool wanted;
    char other[128]; /* "" when there is no other */
};

/* ORR_EINPUT when the file is no shared object of this machine. */
int orr_exports_read(struct orr_exports *out, const char *path, const char *wanted);

#endif
