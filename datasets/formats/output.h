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
    FILE *
        file; /* NULL until orr_output_open; writers that need no FILE write to `path` themselves */
};

/* Are both names those of one file that exists? */
bool orr_output_is_same(const char *a, const char *b);
/* Can `path` be written? Asked before long work; leaves nothing behind. */
int orr_output_try(const char *path);
/* Chooses the names. ORR_EIO when the target is a folder or the path is too long. */
int orr_output_begin(struct orr_output *out, const char *path);
int orr_output_open(struct orr_output *out);
int orr_output_write(struct orr_output *out, const void *data, size_t size);
/* Flushes to disk and renames. On failure the temporary file is gone and an older target is as it
 * was. */
int orr_output_commit(struct orr_output *out);
/* Gives up: removes the temporary file. Safe after orr_output_begin at any time, also after a
 * failed commit. */
void orr_output_abandon(struct orr_output *out);
/* Commits where `code` is 0, else gives up; the code of whatever failed. */
int orr_output_end(struct orr_output *out, int code);

#endif
