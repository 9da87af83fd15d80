/* SPDX-License-Identifier: MIT */
/* Parts of reading a paper.yaml: the places of its values, and the checks beyond its schema. */
#ifndef ORR_PAPER_PARTS_H
#define ORR_PAPER_PARTS_H

#include <cyaml/cyaml.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <yaml.h>

#include "plan/paper.h"

/* The YAML document with its line numbers; libcyaml's structs have none. */
struct orr_paper_places {
    const char *shown; /* path for messages: "variants/fujiwara/paper.yaml" */
    char path[PATH_MAX], *text;
    bool open;
    yaml_document_t document;
    struct orr_paper *paper; /* what libcyaml makes of it; the caller's */
};

/* The paper.yaml of a paper. ORR_EINPUT with file and line on a syntax error; close it also then.
 */
int orr_paper_places_open(struct orr_paper_places *out, size_t *size, const char *key);
void orr_paper_places_close(struct orr_paper_places *places);
/* Is there a node at `path`, such as "experiments[2].bound.p99"? */
bool orr_paper_places_has(const struct orr_paper_places *places, const char *path);
/* ORR_EINPUT "<file>:<line>: <message>" with the line of `path`, or of its nearest parent that
 * exists. */
int orr_paper_fail(const struct orr_paper_places *places, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* ORR_EINPUT with the line of the first unknown (with the nearest name), repeated or missing
 * key. */
int orr_paper_places_check_keys(const struct orr_paper_places *places,
                                const cyaml_schema_value_t *schema);

/* Checks beyond the schema: names that must exist or differ, values that must parse. */
int orr_paper_check(const struct orr_paper_places *places, const char *key);

#endif
