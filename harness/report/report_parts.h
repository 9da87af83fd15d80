/* SPDX-License-Identifier: MIT */
/* The report that is being written, for the files of this room alone. */
#ifndef ORR_REPORT_PARTS_H
#define ORR_REPORT_PARTS_H

#include <stdio.h>

#include "datasets/formats/output.h"
#include "ledger/ledger.h"
#include "names.h"
#include "present/layout.h"
#include "present/selection.h"
#include "report/report.h"
#include "terminal.h"

/* An experiment on a machine, or the roofline of the paper's programs there: a page of its own. */
struct orr_report_view {
    char machine[256], stem[256]; /* of its files, "fujiwara-table2-nvidia-h200" */
    char title[512];              /* of the page */
    struct orr_document document;
    struct orr_layout_figure figure;
};

/* The part of a paper's page that shows an experiment on its machines, or the paper's rooflines. */
struct orr_report_piece {
    const struct orr_paper *paper;
    const struct orr_experiment *experiment; /* NULL: the rooflines, which come last */
    struct orr_report_view *views;
    size_t view_count;
    const char *figure; /* file name of the first figure, without its ending; NULL: there is none */
};

struct orr_report_draft {
    struct orr_selection *selection;
    const char *folder;
    struct orr_names machines; /* those with a CUDA device first, then those with most cells */
    struct orr_report_piece *pieces;
    size_t piece_count;
    struct orr_layout_figure *drawn; /* that gnuplot draws now; NULL: none */
    char warning[512];               /* "", or why the first missing figure is missing */
};

/* --- pages --- */

/* Opens <folder>/<stem>.<ending>; orr_output_end closes it. */
int orr_report_open(struct orr_output *out, const char *folder, const char *stem,
                    const char *ending);
/* Begins <folder>/<stem>.html with links to the other pages. Whatever is returned,
 * orr_report_end_page ends it. */
int orr_report_begin_page(struct orr_output *out, const struct orr_report_draft *draft,
                          const char *stem, const char *title);
int orr_report_end_page(struct orr_output *page, int code);
/* The figure <stem>.svg as a picture that leads to <stem>.html. */
void orr_report_picture(FILE *to, const char *stem, const char *text);

/* --- sections --- */

/* Fills in the pieces, and has every figure drawn, by gnuplot while SQL goes on. Every temporary
 * table is dropped. */
int orr_report_gather(struct orr_report_draft *draft);
/* Writes the pages of a piece, and the piece to the page of its paper. */
int orr_report_piece(FILE *to, struct orr_report_draft *draft, struct orr_report_piece *piece);
void orr_report_release(struct orr_report_draft *draft);

/* Makes the tables that pages tell claims from, once all were judged. */
int orr_report_scores(const struct orr_selection *selection);
/* Writes the HTML that a layout of pages.sql has as its remarks, of a paper or (NULL) of all. */
int orr_report_text(FILE *to, const struct orr_ledger *ledger, const char *layout,
                    const char *paper);
/* Machines, trust and method. */
int orr_report_trust(FILE *to, const struct orr_selection *selection);
/* What is missing, what failed, and where everything comes from. Every temporary table is dropped.
 */
int orr_report_sources(FILE *to, const struct orr_selection *selection);

#endif
