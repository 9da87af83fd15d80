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
/* A kind of file whose lines become rows of the ledger: known by its header line, "a,b,c", and
 * taken over by `sql`, which finds its lines, for the paper ?1, in the table `csv`(line, a, b, c)
 * and puts what is wrong with one into `csv_fault`(line, text). */
struct orr_csv_kind {
    const char *header, *name, *sql; /* name: of the SQL, for messages */
};
/* Reads the file `path`, which messages call `shown` and whose header is that of one of the kinds;
 * otherwise `unknown` says so. ORR_EINPUT with file and line, ORR_EIO. */
struct orr_ledger;
int orr_csv_load(const struct orr_ledger *ledger, const char *paper, const char *path,
                 const char *shown, const struct orr_csv_kind *kinds, size_t count,
                 const char *unknown);

#endif
