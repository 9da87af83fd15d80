/* SPDX-License-Identifier: MIT */
/* A document: what `orrery table` shows of one experiment on one machine, free of any format.
 * Layouts fill it in, writers turn it into markdown, CSV, TeX, JSON or HTML. Texts
 * may come from others' journals and are tamed (text.h); writers escape what their format reads as
 * markup. */
#ifndef ORR_DOCUMENT_H
#define ORR_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Who sees a column: people (markdown, TeX, HTML), programs (CSV, JSON) or both. */
enum orr_audience { ORR_PEOPLE = 1, ORR_PROGRAMS = 2, ORR_ALL = 3 };

struct orr_value {
    char *text;    /* NULL: people see the number, programs see the number or nothing */
    double number; /* NAN: none */
    int note;      /* footnote, from 1; 0: none */
};

struct orr_column {
    char *key;   /* name for programs */
    char *head;  /* heading for people */
    char *above; /* one head in HTML over columns beside each other that share it; or NULL */
    enum orr_audience audience;
    bool right; /* aligned right */
};

struct orr_grid {
    struct orr_document *document;
    char *title;
    bool data; /* the one grid that CSV carries, and JSON as "rows" */
    bool seen; /* people see at least one of its columns */
    char *key; /* JSON carries this grid, too, under this name; NULL: it does not */
    struct orr_column *columns;
    size_t column_count;
    struct orr_value *values; /* rows x columns; all columns are made before the first row */
    size_t row_count;
};

struct orr_fact {
    char *name, *text;
};

struct orr_document {
    char *experiment; /* "fujiwara/table2" */
    char *title;
    struct orr_fact *facts; /* machine, device, commit ...: what lets the table stand alone */
    size_t fact_count;
    struct orr_grid **grids;
    size_t grid_count;
    const struct orr_grid *data; /* the data grid or NULL */
    char **notes;                /* footnotes: errata */
    size_t note_count;
    char **remarks; /* closing lines */
    size_t remark_count;
    char **texts; /* all of these, those of the grids too */
    size_t text_count;
};

void orr_document_release(struct orr_document *document);
void orr_document_name(struct orr_document *document, const char *experiment, const char *title);
void orr_document_fact(struct orr_document *document, const char *name, const char *text);
/* Tames a text, which the document frees from now on, and returns it. */
char *orr_document_keep(struct orr_document *document, char *text);
/* Footnote number of a text; the same text is listed once. 0 for "". */
int orr_document_note(struct orr_document *document, const char *text);
void orr_document_remark(struct orr_document *document, const char *text);
/* `key`: its name in JSON, or "". */
struct orr_grid *orr_document_grid(struct orr_document *document, bool data, const char *title,
                                   const char *key);

/* `above`: a head that it shares with those beside it of the same, or "". */
void orr_grid_column(struct orr_grid *grid, const char *key, const char *head, const char *above,
                     enum orr_audience audience, bool right);
void orr_grid_row(struct orr_grid *grid);
/* In a column of the newest row; the text becomes the document's. Its marks (text.h,
 * queries.h) are explained by a remark. */
void orr_grid_put(struct orr_grid *grid, size_t column, struct orr_value value);
static inline const struct orr_value *orr_grid_at(const struct orr_grid *grid, size_t row,
                                                  size_t column)
{
    return &grid->values[row * grid->column_count + column];
}

/* --- writers: documents into the formats of `orrery table` --- */

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
/* As fprintf, with &, <, >, " and ' of the texts of %s escaped; besides, it knows %d alone. */
void orr_html_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A grid as markdown on a screen of so many columns: in parts, one below the other, where that is
 * too narrow for all of its columns. */
void orr_write_grid(FILE *to, const struct orr_grid *grid, size_t screen);
/* People see the text of a value, else its number, else "—". */
const char *orr_value_seen(const struct orr_value *value, char buffer[32]);

#endif
