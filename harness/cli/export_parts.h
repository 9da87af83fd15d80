/* Parts of `orrery export`. */
#ifndef ORR_CLI_EXPORT_PARTS_H
#define ORR_CLI_EXPORT_PARTS_H

#include <jansson.h>

#include "cli/options.h"
#include "present/selection.h"

struct orr_export {
    const struct orr_selection *selection; /* of the copied journals */
    const char *results;                   /* the folder that holds them, <artifact>/results */
    const struct orr_words *authors;
    const char *licence;
    json_t *verdicts; /* what `orrery claims --json` writes of them */
};

/* The object of artifact.json; *out is NULL on failure. */
int orr_export_about(json_t **out, const struct orr_export *export);
/* Adds `commands`, each with machine, device, seconds and whether these are a guess, and `totals`
 * of each device, and gives the verdicts of `claims` the command of theirs. */
int orr_export_commands(json_t *about, const struct orr_export *export);

#endif
