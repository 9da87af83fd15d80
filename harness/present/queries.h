/* SPDX-License-Identifier: MIT */
/* Tables and figures are queries: files of SQL in sections, shared ones embedded in the program
 * (layout.c names them) and variants/<paper>/tables.sql for what only that paper shows.
 *
 * A line that begins with `--:` starts a section; the lines below it are one SQL statement (of
 * setup any number), with ordinary comments. Files and their order mean nothing, within a layout it
 * does:
 *
 *     --: layout NAME           what paper.yaml names; its tables up to `figure`, then its figure
 *     --: part NAME             sections that layouts share by `--: use NAME`
 *     --: set NAME VALUE        a column of the table `scope`
 *     --: fill NAME             tables that another room fills: audit; before `setup`
 *     --: setup                 temporary tables and views of the layout
 *     --: grid TITLE | KEY      a table: a row each; `grid?` leaves it out while it has no rows;
 *                               `data`, `data?`: the one grid that CSV carries, and JSON as "rows";
 *                               with a KEY, JSON carries it, too, under this name
 *     --: spread NAME           more columns of the grid above, where it selects "*NAME"
 *     --: column KEY | HEAD | UNIT | FORMAT | AUDIENCE | ABOVE    of the grid above; before the
 *                               first layout or part of a file: of every grid; ABOVE, which may be
 *                               left out, is a head that columns beside each other share in HTML
 *     --: columns FORMAT | AUDIENCE | KEY, KEY: HEAD, ...    several columns; without a HEAD the
 *                               key is it, with blanks for _
 *     --: programs KEY KEY ...  more columns, for programs alone: nobody reads their heads; *: all
 *                               that nothing else describes
 *     --: facts                 rows of name, text above the tables; `facts *`: a fact a column
 *     --: remark                texts below the tables
 *     --: figure SCRIPT         plots/SCRIPT.gp
 *     --: variables             rows of name, value: what the script takes
 *     --: panels COLUMNS        rows of title, x_label, y_label, tics, linear, least, most
 *     --: series                points of the curves
 *     --: nothing VERB | TEXT   the error where there is nothing to plot; in a layout without a
 *                               figure all of it is TEXT
 *
 * TITLE, HEAD, UNIT and TEXT may hold {column} of the table scope. Columns of a grid's query:
 * `row` (joins a spread's cells to their row), `cell_key` and names with _ in front are not shown;
 * `grid` is the title, a new grid where it changes; "X.text", "X.note", "X.about" say of column X
 * what people read instead of the number, a footnote, and whether it is extrapolated. A spread
 * selects row (NULL: declares a column only), key, head and value, and may select text, note,
 * about, unit, format, audience, above. FORMAT: left, yes (or no), right (numbers as they are),
 * count, number (three digits), seconds, si, percent, small. AUDIENCE: people, programs or all, and
 * `if NAME` or `if NOT NAME`: only where scope.NAME is not 0, or is. A series selects series,
 * label, style and the columns of its file, of points x, y, low, high and extrapolated; `cell_key`,
 * whose cell is told where a pointer rests on the point (`about`, the last column of the file);
 * "$dash", what the dash of its style means; `panel`, from 0; `plain`, 1 for points that are a line
 * without marks or ends, as those of style 0 are; "$name" becomes the element name_of[series] of an
 * array. With `file`, the path of a file of bodies (file_beside), the columns of a series are
 * copied from it: each is x, y or z. */
#ifndef ORR_QUERIES_H
#define ORR_QUERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"

enum orr_section_kind {
    ORR_SECTION_LAYOUT,
    ORR_SECTION_PART,
    ORR_SECTION_USE,
    ORR_SECTION_SET,
    ORR_SECTION_SETUP,
    ORR_SECTION_FILL,
    ORR_SECTION_GRID,
    ORR_SECTION_GRID_IF_ANY,
    ORR_SECTION_DATA_IF_ANY,
    ORR_SECTION_DATA,
    ORR_SECTION_SPREAD,
    ORR_SECTION_COLUMN,
    ORR_SECTION_COLUMNS, /* these two in a file; read as columns one by one */
    ORR_SECTION_PROGRAMS,
    ORR_SECTION_FACTS,
    ORR_SECTION_REMARK,
    ORR_SECTION_FIGURE,
    ORR_SECTION_VARIABLES,
    ORR_SECTION_PANELS,
    ORR_SECTION_SERIES,
    ORR_SECTION_NOTHING,
    ORR_SECTION_KINDS
};

enum { ORR_SECTION_FIELDS = 6 };
struct orr_section {
    enum orr_section_kind kind;
    const char *file;                       /* as shown in errors */
    size_t line;                            /* of the directive */
    const char *argument;                   /* behind the keyword */
    const char *fields[ORR_SECTION_FIELDS]; /* the same between bars; "" behind the last one */
    bool shared;                            /* a column of every grid */
    const char *sql;                        /* up to the next section */
    const struct orr_ledger *ledger;        /* that it reads */
};

/* Sections of several files, in their order. */
struct orr_queries {
    const struct orr_ledger *ledger; /* that they read */
    struct orr_section *items;
    size_t count;
    char **texts; /* of the files; sections point into them */
    size_t text_count;
};

void orr_queries_release(struct orr_queries *queries);
/* Adds a file's sections. ORR_EINPUT with file and line for a keyword there is not. */
int orr_queries_add(struct orr_queries *queries, const char *file, const char *text);
/* The section that begins a layout or part, or NULL. Of several the last one: what a paper defines
 * takes the place of what it shares. */
const struct orr_section *orr_queries_find(const struct orr_queries *queries,
                                           enum orr_section_kind kind, const char *name);

/* Goes through what stands behind at[0], that of a part where the part is used. */
enum { ORR_DEEPEST_USE = 8 };
struct orr_section_walk {
    const struct orr_section *at[ORR_DEEPEST_USE + 1];
    int depth;
};
/* The next section; false where there is none left and where *code is not 0: ORR_EINPUT for a part
 * that there is not, or that uses itself. */
bool orr_queries_next(int *code, const struct orr_section **out, struct orr_section_walk *walk,
                      const struct orr_queries *queries);

/* The section's statement. ORR_EINPUT with file, line and the nearest name of a column or table
 * that there is not. Finalise it. */
int orr_section_query(sqlite3_stmt **out, const struct orr_section *section);
/* True with a row, as orr_ledger_row; ORR_EINPUT as above. */
bool orr_section_row(int *code, sqlite3_stmt *row, const struct orr_section *section);
/* Fails with ORR_EINPUT and "file:line: ...", the line of the directive. */
int orr_section_blame(const struct orr_section *section, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `text` with each {column} replaced by that column of the table scope; free it. */
int orr_section_fill(char **out, const struct orr_section *section, const char *text);
/* Text of a column of the row; `otherwise` where it is NULL or there is no such column. */
const char *orr_section_text(sqlite3_stmt *row, const char *name, const char *otherwise);
/* Number of a column of the row, or -1. */
int orr_section_column(sqlite3_stmt *row, const char *name);

/* --- how values look to people --- */

/* Marks an extrapolated number wherever people see it. */
#define ORR_ABOUT " ≈"
/* Marks a median whose samples have two peaks. */
#define ORR_TWO_PEAKS_MARK "‡"

/* Offers SQL the texts of this room:
 *     number_text(x), seconds_text(x), seconds_text(x, unit), si_text(x, unit)
 *     ratio_text(value, low, high, extrapolated), with processes if the interval is of samples:
 *     the fewest of both sides
 *     time_text(outcome, seconds, extrapolated), with low, high, samples, processes and two_peaks
 *     for ± behind it
 *     errors_text(error, ...): "1.2e-05 / 3.4e-04"
 *     html(text), with what HTML reads as markup escaped
 * NULL where the value is NULL; file_beside(path, name): the path of the file `name` in the folder
 * of `path`, or NULL where the name has a slash or there is no regular file of it to read, links
 * are none; and the collation `by_number`, numbers within texts by their value.
 */
int orr_column_format_offer(const struct orr_ledger *ledger);

/* --- what queries make --- */

struct orr_document;
struct orr_plot;
/* Makes the grids, facts and remarks of a layout or part, up to its figure. */
int orr_query_table(struct orr_document *out, const struct orr_queries *queries,
                    const struct orr_section *first);
/* Runs the sections `set` and `setup` of the layout or part of that name, which there is, and adds
 * its tables (NULL: none). */
int orr_query_part(struct orr_document *out, const struct orr_queries *queries,
                   enum orr_section_kind kind, const char *name);
/* The same of the layout of that name of a file of its own. */
int orr_query_layout(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                     const char *text, const char *layout);
/* Fills in an open plot from the sections behind `figure`: files of points and the variables of a
 * gnuplot script. ORR_EUSAGE where its section `nothing` says that there is nothing to plot. */
int orr_query_figure(struct orr_plot *out, const struct orr_queries *queries,
                     const struct orr_section *figure);

#endif
