/* SPDX-License-Identifier: MIT */
/* What the files of the report share; nobody else includes it. */
#ifndef ORR_REPORT_PARTS_H
#define ORR_REPORT_PARTS_H

#include <stdio.h>

#include "datasets/formats/output.h"
#include "process.h"
#include "ledger/ledger.h"
#include "present/selection.h"
#include "report/report.h"
#include "terminal.h"

/* Machines in the one order of the whole page, `turn`: those with a CUDA device first, then those
 * with most cells. report.c makes it. */
#define ORR_REPORT_TURNS "machine_turn"

/* --- pages --- */

/* A page that is being written, with the way to the others at its top. */
struct orr_report_page {
    struct orr_output output;
    FILE *to;
};
/* Opens <folder>/<stem>.<ending>; orr_output_end ends it. */
int orr_report_open(struct orr_output *out, const char *folder, const char *stem,
                    const char *ending);
/* Begins <folder>/<stem>.html. Whatever is returned, orr_report_end_page ends it. */
int orr_report_begin_page(struct orr_report_page *out, const struct orr_selection *selection,
                          const char *folder, const char *stem, const char *title);
int orr_report_end_page(struct orr_report_page *page, int code);
/* The figure <stem>.svg as a picture that leads to <stem>.html. */
void orr_report_picture(FILE *to, const char *stem, const char *text);

/* --- experiments --- */

/* An experiment on its machines, or (without scopes) a paper's rooflines, which come last. */
struct orr_report_piece {
    const struct orr_paper *paper;
    struct orr_scopes scopes;
    size_t held; /* in scopes, of which `count` have results */
    FILE *html;  /* its part of the paper's page: a memory file that its process writes */
};
/* What that process says of it, in shared memory. */
struct orr_report_shown {
    char warning[512];
    char figure[256]; /* stem of the first one drawn */
};
struct orr_report_pieces {
    const struct orr_selection *selection;
    const char *folder;
    char *const *machines; /* in the report's order */
    size_t machine_count;
    struct orr_report_piece *items;
    struct orr_report_shown *shown;
    size_t count;
    struct orr_forked_work work;
    struct orr_waiting waiting;
};
/* Lists what has results and has it written by processes of their own, with a page for each
 * experiment and machine. Release whatever is returned. */
int orr_report_begin_pieces(struct orr_report_pieces *out, const struct orr_selection *selection,
                            const char *folder, char *const *machines, size_t machine_count);
/* Waits for them, and says on standard error how far they are. */
int orr_report_end_pieces(struct orr_report_pieces *pieces);
int orr_report_copy_piece(FILE *to, const struct orr_report_piece *piece);
void orr_report_release_pieces(struct orr_report_pieces *pieces);

/* --- sections that hold no experiment --- */

/* What was found of a paper: its sentence with today's numbers, and how many claims hold. */
int orr_report_found(FILE *to, const struct orr_selection *selection,
                     const struct orr_paper *paper);
int orr_report_scoreboard(FILE *to, const struct orr_selection *selection);
int orr_report_claims(FILE *to, const struct orr_selection *selection, const char *paper);
/* Machines, trust and method; what is missing, failed, and where everything comes from. */
int orr_report_trust(FILE *to, const struct orr_selection *selection);
int orr_report_sources(FILE *to, const struct orr_selection *selection);

#endif
