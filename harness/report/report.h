/* The report: one HTML page that holds everything, with nothing loaded from outside. */
#ifndef ORR_REPORT_H
#define ORR_REPORT_H

#include "present/selection.h"

struct orr_report {
    char page[1024];    /* path of index.html */
    char warning[512];  /* "" or why figures are missing */
    size_t experiments; /* with results */
};

/* Writes <folder>/index.html, and beside it every table as markdown and CSV and every figure as SVG
 * and PNG. The folder is made; the one it lies in must be there. */
int orr_report_write(struct orr_report *out, const struct orr_selection *selection,
                     const char *folder);

#endif
