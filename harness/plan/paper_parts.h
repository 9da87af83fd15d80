/* SPDX-License-Identifier: MIT */
/* A paper.yaml as it is written, by which its faults are named with their lines; libcyaml's structs
 * have none. */
#ifndef ORR_PAPER_PARTS_H
#define ORR_PAPER_PARTS_H

#include <cyaml/cyaml.h>
#include <limits.h>
#include <sqlite3.h>

struct orr_paper_file {
    const char *shown; /* path for messages: "variants/fujiwara/paper.yaml" */
    char path[PATH_MAX], *text;
    size_t size;
    sqlite3 *nodes; /* the table `node` of paper_check.sql */
};

/* ORR_EINPUT with file and line on a syntax error; close it also then. */
int orr_paper_file_open(struct orr_paper_file *out, const char *key);
void orr_paper_file_close(struct orr_paper_file *file);
/* ORR_EINPUT with file and line of the first fault: a key that the schema does not know, a repeated
 * or missing one, a name that does not exist, a value that does not parse. */
int orr_paper_file_check(const struct orr_paper_file *file, const cyaml_schema_value_t *schema);

#endif
