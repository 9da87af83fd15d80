/* The report: one HTML page that holds everything, with nothing loaded from outside. */
#ifndef ORR_REPORT_H
#define ORR_REPORT_H

#include <jansson.h>

#include "present/selection.h"

struct orr_report {
    char page[1024];   /* path of index.html */
    char warning[512]; /* "" or why figures are missing */
    struct orr_report_page *being_written;
};

/* Begins <folder>/index.html, and beside it every table as markdown and CSV and every figure as
 * SVG, which other processes write from now on: the claims can be judged meanwhile. The folder is
 * made; the one it lies in must be there. */
int orr_report_begin(struct orr_report *out, struct orr_selection *selection, const char *folder);
/* Writes the page once the rest is there. To be called where _begin gave 0. */
int orr_report_end(struct orr_report *report);
#endif
