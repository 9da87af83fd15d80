/* SPDX-License-Identifier: MIT */
/* The report: HTML pages of one folder, with nothing loaded from outside it. */
#ifndef ORR_REPORT_H
#define ORR_REPORT_H

#include <stdbool.h>

#include "present/document.h"
#include "present/selection.h"

struct orr_report {
    char page[1024];   /* path of index.html */
    char warning[512]; /* "" or why figures are missing */
};

/* Judges the claims and writes <folder>/index.html, which opens at once, and beside it a page a
 * paper, one each experiment and machine, every table as markdown and CSV and every figure as SVG.
 * The folder is made; the one it lies in must be there. */
int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder);

/* The cost of each access, by the newest run of each machine (NULL: of all) and device.
 * ORR_EUSAGE where there is none. Release the document whatever is returned. */
int orr_report_ceilings(struct orr_document *out, const struct orr_ledger *ledger,
                        const char *machine);

/* One cell in full (cell.sql): the newest record of that whose id begins with `id`, on `machine`
 * (NULL: any). ORR_EUSAGE where there is none, and with the candidates where several cells begin
 * so. Release the document whatever is returned. */
int orr_report_cell(struct orr_document *out, const struct orr_ledger *ledger, const char *id,
                    const char *machine);

#endif
