/* SPDX-License-Identifier: MIT */
/* Reader of RFC 4180 comma-separated values: quoted fields may hold commas, quotes and line
 * breaks. */
#ifndef ORR_CSV_H
#define ORR_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* One record of a text, which is changed: the fields point into it. Free `fields`. */
struct orr_csv {
    char *at; /* where the next record begins */
    char **fields;
    size_t count, line; /* the last line of the record, from 1 */
};

/* Reads the next record, empty lines skipped; false: there is none. */
bool orr_csv_next(struct orr_csv *csv);
/* A kind of file whose lines become rows of the ledger: known by its header line, "a,b,c", and
 * taken over by `sql`, which finds its lines, for the paper ?1, in the table `csv`(line, a, b, c)
 * and puts what is wrong with one into `csv_fault`(line, text). */
struct orr_csv_kind {
    const char *header, *name, *sql; /* name: of the SQL, for messages */
};
/* Reads the file `path`, which messages call `shown` and whose header is that of one of the kinds;
 * otherwise `unknown` says so. ORR_EINPUT with file and line. */
struct orr_ledger;
int orr_csv_load(const struct orr_ledger *ledger, const char *paper, const char *path,
                 const char *shown, const struct orr_csv_kind *kinds, size_t count,
                 const char *unknown);

#endif
