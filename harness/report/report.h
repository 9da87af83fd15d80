/* The report: one HTML page that holds everything, with nothing loaded from outside. */
#ifndef ORR_REPORT_H
#define ORR_REPORT_H

#include <jansson.h>

#include "present/selection.h"

struct orr_report {
    char page[1024];   /* path of index.html */
    char warning[512]; /* "" or why figures are missing */
};

/* Judges the claims and writes <folder>/index.html, and beside it every table as markdown and CSV
 * and every figure as SVG. The folder is made; the one it lies in must be there. */
int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder);

#endif
