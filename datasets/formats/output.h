/* SPDX-License-Identifier: MIT */
/* A file being written: under a temporary name until it is whole, then renamed onto its target. */
#ifndef ORR_OUTPUT_H
#define ORR_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct orr_output {
    char target[4096];    /* what the user named, links followed */
    char path[4096 + 32]; /* where to write: the temporary name, or the target itself when it is a
                             device or pipe */
    bool in_place;
    bool derived; /* the caller says: it can be made again in seconds, so that nobody waits until it
                     is on disk */
    FILE *file; /* NULL until orr_output_open; writers that need none write to `path` themselves */
};

/* Are both names those of one file that exists? */
bool orr_output_is_same(const char *a, const char *b);
/* Can `path` be written? Asked before long work; leaves nothing behind. */
int orr_output_try(const char *path);
/* Chooses the names. ORR_EIO when the target is a folder or the path is too long. */
int orr_output_begin(struct orr_output *out, const char *path);
int orr_output_open(struct orr_output *out);
int orr_output_write(struct orr_output *out, const void *data, size_t size);
/* Where `code` is 0 flushes to disk and renames, else gives up; the code of whatever failed. Then
 * the temporary file is gone and an older target is as it was. */
int orr_output_end(struct orr_output *out, int code);

#endif
