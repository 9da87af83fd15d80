/* SPDX-License-Identifier: MIT */
/* The report that is being written, for the files of this room alone. */
#ifndef ORR_REPORT_PARTS_H
#define ORR_REPORT_PARTS_H

#include <stdio.h>

#include "ledger/ledger.h"
#include "names.h"
#include "present/layout.h"
#include "present/selection.h"
#include "report/report.h"

/* An experiment on a machine, or the roofline of the paper's programs there: a page of its own, and
 * a part of the paper's page. */
struct orr_report_view {
    const struct orr_paper *paper;
    const struct orr_experiment *experiment; /* NULL: the roofline, which comes last */
    char machine[256], stem[256];            /* of its files, "fujiwara-table2-nvidia-h200" */
    char title[512];                         /* of the page */
    struct orr_document document;
    struct orr_layout_figure figure;
};

struct orr_report_draft {
    struct orr_selection *selection;
    const char *folder;
    struct orr_names machines; /* those with a CUDA device first, then those with most cells */
    struct orr_report_view *views;
    size_t view_count;
    struct orr_gnuplot gnuplot; /* draws their figures while SQL goes on */
};

/* --- files --- */

/* Writes <folder>/<stem>.<ending>. */
int orr_report_file(const char *folder, const char *stem, const char *ending, const char *text);
/* Writes <folder>/<stem>.html with links to the other pages. */
int orr_report_page(const struct orr_report_draft *draft, const char *stem, const char *title,
                    const char *body);
/* The figure <stem>.svg as a picture that leads to <stem>.html. */
void orr_report_picture(FILE *to, const char *stem, const char *text);

/* --- views --- */

/* Fills in the views, and has every figure drawn, by gnuplot while SQL goes on. Every temporary
 * table is dropped. */
int orr_report_gather(struct orr_report_draft *draft);
/* True where the view is the first of its experiment. */
bool orr_report_is_first(const struct orr_report_draft *draft, const struct orr_report_view *view);
/* Writes the page and tables of a view, and it in short to the page of its paper. */
int orr_report_view(FILE *to, const struct orr_report_draft *draft,
                    const struct orr_report_view *view);
void orr_report_release(struct orr_report_draft *draft);

/* --- sections --- */

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
