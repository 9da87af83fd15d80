/* The plugin loader: opens a variant's shared object and validates it in one place. */
#ifndef ORR_PLUGIN_H
#define ORR_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "variant.h"

struct orr_plugin {
    void *handle;
    const struct orr_variant *variant;
    char path[512];
    char sha256[65]; /* of the file */
};

/* Loads build/variants/<paper>/<variant>.so by its name "paper/variant". Clear messages for:
 * missing (nearest name), no or more exported symbols, wrong ABI or size, invalid members. A plugin
 * is never unloaded once it ran on a GPU: the process ends instead. */
int orr_plugin_load(struct orr_plugin *out, const char *name);
/* The same for a file, for tests. */
int orr_plugin_load_file(struct orr_plugin *out, const char *path);
void orr_plugin_release(struct orr_plugin *plugin);
/* Can the variant run on the device: by its backend, and by double precision where it needs that?
 */
bool orr_variant_runs_on(const struct orr_variant *variant, const struct orr_device_info *device);
/* The one validating function: 0, or ORR_EINPUT with what is wrong. */
int orr_variant_validate(const struct orr_variant *variant);
/* Names "paper/variant" of all plugins built, sorted; NULL-terminated, free with orr_names_free
 * (plan/paper.h). */
int orr_plugin_names(char ***out);

#endif
