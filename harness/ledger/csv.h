/* SPDX-License-Identifier: MIT */
/* Reader of RFC 4180 comma-separated values: quoted fields may hold commas, quotes and line
 * breaks. */
#ifndef ORR_CSV_H
#define ORR_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One record; zero it first. `line` is the last line read. */
struct orr_csv {
    char *text; /* what the fields point into */
    char **fields;
    size_t count, line;
};

/* Reads the next record, empty lines skipped: 1, at the end 0, or a negative code, also for a
 * record of over a megabyte. */
int orr_csv_next(struct orr_csv *csv, FILE *from);
void orr_csv_release(struct orr_csv *csv);
/* Calls `take` with each record of the file `path`, which messages call `shown`, and with one
 * without fields at the end, until it returns something else than 0. Errors get file and line. */
int orr_csv_each(const char *path, const char *shown,
                 int (*take)(const struct orr_csv *csv, void *context), void *context);
/* True where its fields are those of "a,b,c". */
bool orr_csv_is(const struct orr_csv *csv, const char *header);
/* ORR_EINPUT unless the record has so many fields. */
int orr_csv_check_count(const struct orr_csv *csv, size_t count);

#endif
