/* What the files of an artifact's writer share. */
#ifndef ORR_ARTIFACT_PARTS_H
#define ORR_ARTIFACT_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "names.h"

#define ORR_ARTIFACT_SUMS "SHA256SUMS"
#define ORR_ARTIFACT_CRATE "ro-crate-metadata.json"

/* The regular files below `folder`, as paths from there, sorted; free them with orr_names_free. */
int orr_artifact_files(char ***out, const char *folder);
/* README.md. */
int orr_artifact_describe(FILE *to, const json_t *about);
/* The metadata of the files that are there so far; NULL on failure. The caller owns it. */
json_t *orr_artifact_crate(const char *folder, const json_t *about);
/* Writes SHA256SUMS over all files. */
int orr_artifact_sum(const char *folder);

#endif
