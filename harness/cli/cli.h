/* SPDX-License-Identifier: MIT */
/* One entry per subcommand. Each takes argv from its own name on and returns an exit code
 * (error.h). */
#ifndef ORR_CLI_H
#define ORR_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "datasets/dataset.h"
#include "ledger/ledger.h"

struct orr_command {
    const char *name; /* of commands.txt */
    int (*run)(int argc, char **argv);
};

int orr_cli_list(int argc, char **argv);
int orr_cli_describe(int argc, char **argv);
int orr_cli_doctor(int argc, char **argv);
int orr_cli_run(int argc, char **argv);
/* The same, and the path of its journal; "" where there is none. */
int orr_cli_run_journal(int argc, char **argv, char *journal, size_t size);
int orr_cli_reproduce(int argc, char **argv);
int orr_cli_eval(int argc, char **argv);
int orr_cli_render(int argc, char **argv);
int orr_cli_table(int argc, char **argv);
int orr_cli_compare(int argc, char **argv);
int orr_cli_generations(int argc, char **argv);
int orr_cli_audit(int argc, char **argv);
int orr_cli_plot(int argc, char **argv);
int orr_cli_claims(int argc, char **argv);
int orr_cli_query(int argc, char **argv);
int orr_cli_report(int argc, char **argv);
int orr_cli_check(int argc, char **argv);
int orr_cli_dataset(int argc, char **argv);
/* orrery help: of all commands, or of one. */
int orr_cli_help(const struct orr_command *commands, size_t count, int argc, char **argv);
int orr_cli_worker(int argc,
                   char **argv); /* hidden: serves cells over stdin/stdout for the scheduler */

/* "unknown command 'word'; did you mean ...?" on stderr; the exit code. */
int orr_cli_unknown_command(const char *word);
/* Prints the recorded error as "orrery: <message>" on stderr and returns its exit code. */
int orr_cli_report_error(void);
/* The exit code of 0, ORR_OPTIONS_HELPED or a negative code, whose error it prints. */
int orr_cli_status(int code);
/* The same rows, each with a member `schema`. */
json_t *orr_cli_with_schema(json_t *rows, const char *schema);
/* A value as one line of JSON. */
void orr_cli_print_line(FILE *to, const json_t *value);
/* "800 bodies: median 1.0e-07, 99 % below 2.0e-07, largest 3.0e-07" of an object {targets, median,
 * p99, max}; `of` is " bodies". */
void orr_cli_print_error(FILE *to, const json_t *error, const char *of);
/* A data set as one JSON object, for `dataset list`, `list` and `describe`; NULL on no memory.
 * `multiple` is null for one that is made of boxes, `default_level` for every other. */
json_t *orr_cli_dataset_to_json(const struct orr_dataset *set);

struct orr_paper;
/* Opens a ledger of every paper and no results, and calls each(ledger, paper, context) for each of
 * them, unless it is NULL. One that is malformed is left out; the first error is returned when the
 * others are there. Close the ledger whatever is returned. */
int orr_cli_papers(struct orr_ledger *out,
                   int (*each)(struct orr_ledger *ledger, const struct orr_paper *paper,
                               void *context),
                   void *context);

struct orr_device_probe;
/* orr_device_probe; what is left out is told on stderr. */
int orr_cli_probe_devices(struct orr_device_probe *out, bool host_only);

/* --- JSON arrays of objects as aligned text --- */

/* `columns` names a member of the objects for each column, and behind a blank its heading where
 * that is another: "name experiment|shows|title". Every line begins with `indent` blanks; the last
 * column is not padded. */
void orr_cli_table_print(FILE *to, json_t *rows, const char *columns, int indent);
/* One value as text into `out`; "" for null. */
char *orr_cli_table_value(char *out, size_t size, const json_t *value);
/* The whole value on stdout, indented; takes the reference. Returns an exit code. */
int orr_cli_table_json(json_t *value);

/* Adds an object of paper, id, text, short and `needs`, the command that decides it, for each
 * claim. */
int orr_cli_claims_list(json_t *rows);

/* --- the rows of a query as JSON objects --- */

/* Appends an object a row, its members named by the columns; NULL is null, and the text of a column
 * that `json` names, several with blanks between, is read as JSON. Finalises the statement. */
int orr_cli_query_rows(json_t *rows, const struct orr_ledger *ledger, sqlite3_stmt *statement,
                       const char *json);

/* --- "-" in the place of a file: standard input, kept in a file while it is read, or standard
 * output --- */

struct orr_cli_pipes {
    char folder[128]; /* "" until a file is needed; orr_paths_remove_temporary ends it */
    char files[2][160];
    int count;
};

/* *path is a file with all of standard input where it was "-". 0 or a negative code. */
int orr_cli_pipes_input(struct orr_cli_pipes *pipes, const char **path);
/* *path is a file `name` to be written where it was "-". */
int orr_cli_pipes_output(struct orr_cli_pipes *pipes, const char **path, const char *name);
/* Copies a file to standard output. */
int orr_cli_pipes_send(const char *path);

#endif
