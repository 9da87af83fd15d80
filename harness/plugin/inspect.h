/* What a plugin says of itself, found out in a child process: a plugin that crashes costs nothing
 * but its answer. */
#ifndef ORR_INSPECT_H
#define ORR_INSPECT_H

#include <jansson.h>

#include "variant.h"

/* A copy of the plugin's table without functions and kernel texts. */
struct orr_inspection {
    struct orr_variant variant; /* name, summary, capabilities, dimensions, params, build_flags; the
                                   rest is zero */
    struct orr_param *params;   /* owned */
    json_t *about;              /* owned; the same as JSON, holds the strings */
};

/* Loads, validates and describes "paper/variant". Errors are those of orr_plugin_load; a crash says
 * so. */
int orr_plugin_inspect(struct orr_inspection *out, const char *name);
void orr_inspection_release(struct orr_inspection *inspection); /* safe on a zeroed one */

#endif
