/* Reader of RFC 4180 comma-separated values: quoted fields may hold commas, quotes and line
 * breaks. */
#ifndef ORR_CSV_H
#define ORR_CSV_H

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

#endif
