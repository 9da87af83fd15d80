/* SPDX-License-Identifier: MIT */
/* Input and output that table, plot, report, claims and audit share, and what `describe`, `check`
 * and `reproduce` need of claims. */
#ifndef ORR_CLI_TABLE_IO_H
#define ORR_CLI_TABLE_IO_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/options.h"
#include "present/plot.h"
#include "present/selection.h"

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

struct orr_document;
struct orr_documents {
    struct orr_document *items;
    size_t count;
};
/* One more, empty. */
struct orr_document *orr_cli_new_document(struct orr_documents *all);
/* Appends the tables of a target of the selection, one a machine. Release them whatever is
 * returned. */
int orr_cli_add_documents(struct orr_documents *all, const struct orr_selection *selection,
                          const struct orr_target *target);
void orr_cli_release_documents(struct orr_documents *all);
struct orr_format;
/* Writes the file `path` whole or not at all; NULL is standard output. */
int orr_cli_write_documents(const struct orr_documents *all, const struct orr_format *format,
                            const char *path);

/* Writes the file `path` whole or not at all: a test case for each object of `cases`, with its
 * class and name, unique together, perhaps seconds, and one of `failure` and `skipped`, both
 * sentences, or neither; `said` is the text below them. */
int orr_cli_junit(const char *path, const char *suite, const json_t *cases);

/* --- claims --- */

/* Judges the papers of the selection; a paper without claims is an error where it is `named`. */
int orr_cli_claims_judge(struct orr_selection *selection, bool named);
/* One object per verdict, as --json shows them. */
int orr_cli_claims_gather(json_t *rows, const struct orr_selection *selection);

/* The scoreboard: a line of at most 80 columns a claim, its verdict on each machine. */
int orr_cli_claims_print_board(const struct orr_ledger *ledger, const json_t *rows);

/* Holds the verdicts `rows` against those of a file of --json: makes the table temp.expectation of
 * paper, id, machine, device, reading, was and is (expected.sql). */
int orr_cli_claims_expect(const struct orr_selection *selection, const json_t *rows,
                          const char *path);
/* Adds its rows of which `where` is true, those that changed first. */
int orr_cli_claims_expected(json_t *out, const struct orr_selection *selection, const char *where);
void orr_cli_claims_print_expected(const json_t *rows);
/* Lists the claims there are into `rows`, as orr_cli_claims_list. Is there one "S3" or "shan/S3"?
 * Then *claim is its row; ORR_EUSAGE where several papers have one. 1, 0 or a negative code. */
int orr_cli_claims_find(const json_t **claim, json_t *rows, const char *name);
/* Words of a request that are claims become the experiments that decide them. */
int orr_cli_claims_expand(struct orr_words *what);
/* The claim in full: an exit code. */
int orr_cli_describe_claim(const struct orr_result_source *source, const char *paper,
                           const char *id, bool as_json);

#endif
