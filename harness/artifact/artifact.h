/* An artifact: journals in a folder with what a stranger needs to judge them. README.md describes
 * it and says how to evaluate it, artifact.json is the same for programs, claims.json has the
 * verdicts that are expected, ro-crate-metadata.json is RO-Crate 1.1, and SHA256SUMS has a hash of
 * each file. */
#ifndef ORR_ARTIFACT_H
#define ORR_ARTIFACT_H

#include <jansson.h>

#define ORR_ARTIFACT_SCHEMA "orrery/artifact/1"

/* Writes all of it into `folder`, which holds the journals in results/ already. `about` is what
 * becomes artifact.json (docs/schemas), `verdicts` what becomes claims.json. ORR_EIO. */
int orr_artifact_write(const char *folder, const json_t *about, const json_t *verdicts);

/* Is there a list of hashes in the folder? */
int orr_artifact_is(const char *folder);
/* Calls `say` with a line for each file that is not the one that SHA256SUMS lists, is missing, or
 * is in no line of it. 0, what `say` returned, or a negative code. */
int orr_artifact_check(const char *folder, int (*say)(const char *text, void *context),
                       void *context);

#endif
