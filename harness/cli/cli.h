/* SPDX-License-Identifier: MIT */
/* The command line: one entry a subcommand, and what commands share: options, rows as text and
 * JSON, results and claims. */
#ifndef ORR_CLI_H
#define ORR_CLI_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/dataset.h"
#include "device/device.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "names.h"
#include "present/selection.h"
#include "present/document.h"
#include "worker/child.h"
#include "text.h"

struct orr_command {
    const char *name; /* of commands.txt */
    int (*run)(int argc, char **argv);
};

/* Each takes argv from its own name on and returns an exit code, ORR_OPTIONS_HELPED, or a negative
 * code (error.h) whose message is still to be printed. */
int orr_cli_list(int argc, char **argv);
int orr_cli_describe(int argc, char **argv);
int orr_cli_doctor(int argc, char **argv);
int orr_cli_run(int argc, char **argv);
/* The same, and the path of its journal; "" where there is none. */
int orr_cli_run_journal(int argc, char **argv, char *journal, size_t size);
int orr_cli_reproduce(int argc, char **argv);
int orr_cli_eval(int argc, char **argv);
int orr_cli_render(int argc, char **argv);
int orr_cli_table(int argc, char **argv); /* `plot` and `generations`, too */
int orr_cli_compare(int argc, char **argv);
int orr_cli_audit(int argc, char **argv);
int orr_cli_claims(int argc, char **argv);
int orr_cli_query(int argc, char **argv);
int orr_cli_report(int argc, char **argv);
int orr_cli_check(int argc, char **argv);
int orr_cli_dataset(int argc, char **argv);
/* The command that argv[1] names, or `help`, of all commands or of one. Returns what they do. */
int orr_cli_command(const struct orr_command *commands, size_t count, int argc, char **argv);

/* Prints the recorded error as "orrery: <message>" on stderr and returns its exit code. */
int orr_cli_report_error(void);

/* --- options, which commands.txt describes: parsing, --help, completion and "did you mean" follow
 * from it --- */

/* Where an option's value goes, by its kind in commands.txt: a flag to bool *; text to const char
 * **; number, whole, count and seconds to double *; list, repeat and settings to struct orr_words
 * *. */
struct orr_option {
    const char *name; /* "device" for --device */
    void *to;
};
/* Both of a table. */
#define ORR_OPTIONS(table) (table), sizeof(table) / sizeof *(table)

enum { ORR_OPTIONS_HELPED = 256 }; /* no exit code */

/* Parses argv[1..] as commands.txt says of `command` ("run", "dataset make"), each of whose options
 * has a place; words that are no options go to `rest` (NULL: there may be none). 0;
 * ORR_OPTIONS_HELPED after --help was printed on stdout; or ORR_EUSAGE. "--" ends the options. */
int orr_options_parse(const char *command, const struct orr_option *options, size_t count, int argc,
                      char **argv, struct orr_words *rest);
/* One more word. It stays as long as the process does, as those of the command line do. */
void orr_options_add_word(struct orr_words *words, const char *text);
/* True if the command line that was parsed last has other options than these, named with blanks
 * between. */
bool orr_options_beyond(const char *names);
/* The text of a row of a topic of commands.txt, NULL without one. */
const char *orr_options_row(const char *topic, const char *name);
/* Adds the variables that the program reads. */
void orr_options_variables(struct orr_names *out);

/* --- rows: JSON arrays of objects --- */

/* Appends an object a row of the query, its members named by the columns; NULL is null, and the
 * text of a column that `json` names, several with blanks between, is read as JSON. Finalises the
 * statement. */
int orr_cli_query_rows(json_t *rows, const struct orr_ledger *ledger, sqlite3_stmt *statement,
                       const char *json);
/* Prints them as aligned text. `columns` names a member of the objects for each column, and behind
 * a blank its heading where that is another: "name experiment|shows|title". Every line begins with
 * `indent` blanks; the last column is not padded. */
void orr_cli_table_print(FILE *to, json_t *rows, const char *columns, int indent);
/* One value as text into `out`; "" for null. */
char *orr_cli_table_value(char *out, size_t size, const json_t *value);
/* Prints what the query makes of an object, ?1: lines of a head and a text that wraps behind it,
 * or, where `list` is not NULL, a table of its rows: head, text, list, columns, indent. */
int orr_cli_print_lines(const struct orr_ledger *ledger, const char *sql, const json_t *about);
/* The whole value on stdout, indented. */
int orr_cli_table_json(const json_t *value);
/* The same rows, each with a member `schema`. */
json_t *orr_cli_with_schema(json_t *rows, const char *schema);
/* A value as one line of JSON. */
void orr_cli_print_line(FILE *to, const json_t *value);
/* A data set as one object, for `dataset list` and `describe`. `multiple` is null for one that is
 * made of boxes, `default_level` for every other. */
json_t *orr_cli_dataset_to_json(const struct orr_dataset *set);

/* --- "-" in the place of a file: standard input, kept in a file while it is read, or standard
 * output. The files lie in `folder`, "" until one is needed; orr_paths_remove_temporary ends it. */

/* *path is a file with all of standard input where it was "-". 0 or a negative code. */
int orr_cli_pipe_input(char folder[128], const char **path);
/* *path is a file `name` to be written where it was "-". */
int orr_cli_pipe_output(char folder[128], const char **path, const char *name);
/* Copies a file to standard output. */
int orr_cli_pipe_send(const char *path);

/* --- results --- */

/* Where the results come from; ORR_RESULT_OPTIONS(source) are those of its options. */
struct orr_result_source {
    struct orr_words from, machines;
    bool several; /* the command takes results of several machines side by side */
    bool alone;   /* it shows cells of an experiment and nothing that others say of them */
    bool reference;
    double timeout_s; /* 0: not given */
};

#define ORR_RESULT_OPTIONS(source)                                \
    {"results", &(source).from}, {"machine", &(source).machines}, \
        {"reference", &(source).reference},                       \
    {                                                             \
        "timeout", &(source).timeout_s                            \
    }

/* orr_selection_make for the source; warns on stderr about damaged lines and missing journals. */
int orr_cli_select(struct orr_selection *out, const struct orr_result_source *source,
                   const char *what);
/* Warns on stderr about damaged lines of journals. */
void orr_cli_warn_damaged(const struct orr_journal_damage *damage);
/* Opens a ledger of every paper and no results; `judge`: with their claims judged over none. A
 * paper that is malformed is left out; the first error is returned when the others are there. Close
 * the ledger whatever is returned. */
int orr_cli_papers(struct orr_ledger *out, bool judge);
/* orr_device_probe; what is left out is told on stderr. */
int orr_cli_probe_devices(struct orr_device_probe *out, bool host_only);

struct orr_documents {
    struct orr_document *items;
    size_t count;
};
/* One more, empty. */
static inline struct orr_document *orr_cli_new_document(struct orr_documents *all)
{
    return orr_memory_add(&all->items, &all->count, sizeof *all->items);
}
/* Appends the tables of a target of the selection, one a machine. Release them whatever is
 * returned. */
int orr_cli_add_documents(struct orr_documents *all, const struct orr_selection *selection,
                          const struct orr_target *target);
void orr_cli_release_documents(struct orr_documents *all);
/* Writes the file `path` whole or not at all; NULL is standard output. */
int orr_cli_write_documents(const struct orr_documents *all, const struct orr_format *format,
                            const char *path);

/* Writes the file `path` whole or not at all: a test case for each object of `cases`, with its
 * class and name, unique together, perhaps seconds, and one of `failure` and `skipped`, both
 * sentences, or neither; `said` is the text below them. */
int orr_cli_junit(const char *path, const char *suite, const json_t *cases);

/* --- a worker: `run`, `eval` and `render` share clean shutdown on signals, the worker and its
 * devices --- */

struct orr_worker_session {
    struct orr_child child;
    int signals;         /* signalfd of SIGINT, SIGTERM and SIGHUP */
    sigset_t child_mask; /* the mask before these were blocked */
    struct orr_device_probe devices;
};

#define ORR_WORKER_SESSION_INIT \
    ((struct orr_worker_session){.child = {.log = -1, .channel.fd = -1}, .signals = -1})

/* Blocks the signals, looks for devices and starts a worker; drivers that fail are left out with a
 * remark on stderr, and without any if `wanted` (none: all) is only the host. Release it whatever
 * is returned. */
int orr_worker_session_begin(struct orr_worker_session *out, const char *const *wanted,
                             int wanted_count);
struct orr_worker_question {
    const char *ask, *variant, *device; /* NULL: the best device that fits */
    const struct orr_words *set;        /* NAME=VALUE */
    json_t *members;                    /* more of the request */
    double timeout_s;
    void (*partial)(json_t *message, void *context); /* as in orr_child_ask */
    void *context;
};
/* A session for one question. The answer keeps only its own members; the caller frees it.
 * ORR_EUSAGE, ORR_EINTERRUPTED, ORR_EDEVICE beyond the time, or what failed there. */
int orr_worker_session_ask(json_t **answer, struct orr_worker_session *session,
                           const struct orr_worker_question *question);
/* Ends the worker; kills a `busy` one. */
void orr_worker_session_release(struct orr_worker_session *session, bool busy);

/* --- claims --- */

/* Judges the papers of the selection; a paper without claims is an error where it is `named`. One
 * object per verdict into `rows`, as --json shows them. */
int orr_cli_claims_judge(json_t *rows, struct orr_selection *selection, bool named);
/* Holds the verdicts `rows` against those of a file of --json (NULL: none): makes the table
 * temp.expectation (expected.sql). */
int orr_cli_claims_expect(const struct orr_selection *selection, const json_t *rows,
                          const char *path);
#define ORR_EXPECTED "paper, id, machine, device, reading, was, \"is\""
/* Appends these columns of its rows of which `where` is true, those that changed first. With all of
 * them a row is a test case for orr_cli_junit; `line` says what was expected. */
int orr_cli_claims_expected(json_t *out, const struct orr_ledger *ledger, const char *columns,
                            const char *where);
/* Adds an object of paper, id, text, short and `needs`, the command that decides it, for each
 * claim. */
int orr_cli_claims_list(json_t *rows);
/* Lists the claims there are into `rows`, as above. Is there one "S3" or "shan/S3"? Then *claim is
 * its row; ORR_EUSAGE where several papers have one. 1, 0 or a negative code. */
int orr_cli_claims_find(const json_t **claim, json_t *rows, const char *name);
/* Words of a request that are claims become the experiments that decide them. */
int orr_cli_claims_expand(struct orr_words *what);
/* The claim, a row of the list, in full: an exit code. */
int orr_cli_describe_claim(const struct orr_result_source *source, const json_t *claim,
                           bool as_json);

#endif
