/* SPDX-License-Identifier: MIT */
/* Writers: documents into the formats of `orrery table`. */
#ifndef ORR_WRITE_H
#define ORR_WRITE_H

#include <jansson.h>
#include <stdio.h>

#include "present/document.h"

/* Several documents: one experiment on several machines, or several experiments. */
struct orr_format {
    const char *name; /* of --format */
    int (*write)(FILE *to, const struct orr_document *documents, size_t count);
    bool one_experiment; /* cannot hold several experiments */
};

/* NULL with ORR_EUSAGE and the names there are. */
const struct orr_format *orr_format_find(const char *name);
extern const struct orr_format orr_format_md, orr_format_csv, orr_format_tex, orr_format_json;

/* The names of what is written: members of other meanings get another number. docs/schemas/ has a
 * JSON Schema of each. */
#define ORR_TABLE_SCHEMA "orrery/table/1"
#define ORR_COMPARE_SCHEMA "orrery/compare/1"
#define ORR_CLAIMS_SCHEMA "orrery/claims/1"
/* An array of the rows, one object each of what programs see. The caller owns it. */
json_t *orr_grid_json(const struct orr_grid *grid);

/* The body of one document as HTML, for the report; `brief`: without the cells that its tables
 * condense, and without its origin. */
void orr_html_document(FILE *to, const struct orr_document *document, bool brief);
/* Text with &, <, >, " and ' escaped. */
void orr_html_text(FILE *to, const char *text);
/* As fprintf, with the texts of %s escaped so; besides, it knows %d alone. */
void orr_html_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table in parts, one below the other, where a terminal is too narrow for all of its columns.
 * Each part begins with the columns that name the rows, as far as they fit, and what stands below
 * one head stays together. */
struct orr_write_fold {
    const struct orr_grid *grid;
    const int *rooms; /* characters that each column of the grid takes */
    size_t screen;    /* characters of a line */
    size_t *columns;  /* those that are seen, which changes; from `from` to `shown` is the part */
    size_t count, names, taken, from, shown;
    bool numbered; /* rows begin with their number, since not all their names fit */
    bool named;    /* a part had the names */
};

/* Characters of a row's number. */
enum { ORR_WRITE_FOLD_NUMBER = 3 };

/* `columns` has room for all columns of the grid; it and `rooms` stay the caller's. */
void orr_write_fold_begin(struct orr_write_fold *fold, const struct orr_grid *grid,
                          const int *rooms, size_t *columns, size_t screen);
/* The next part; false when there is none left. */
bool orr_write_fold_next(struct orr_write_fold *fold);

/* People see the text of a value, else its number, else "—". */
const char *orr_value_seen(const struct orr_value *value, char buffer[32]);

#endif
