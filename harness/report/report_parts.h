/* What the files of the report share; nobody else includes it. */
#ifndef ORR_REPORT_PARTS_H
#define ORR_REPORT_PARTS_H

#include <stdio.h>

#include "ledger/ledger.h"
#include "report/report.h"

/* Machines in the one order of the whole page: those with a CUDA device first, then by name. */
#define ORR_REPORT_MACHINES                                                              \
    "SELECT machine FROM run LEFT JOIN device USING (run_key) GROUP BY machine ORDER BY" \
    " max(coalesce(device LIKE 'cuda%', 0)) DESC, machine"
#define ORR_REPORT_TURNS \
    "SELECT machine, row_number() OVER () AS turn FROM (" ORR_REPORT_MACHINES ")"

/* Sections that hold no experiment: above and below them. */
int orr_report_scoreboard(FILE *to, const struct orr_selection *selection);
int orr_report_top(FILE *to, const struct orr_selection *selection);
int orr_report_claims(FILE *to, const struct orr_selection *selection);
int orr_report_bottom(FILE *to, const struct orr_selection *selection);
/* The class of a verdict's colour, and a sign for those who see none. */
const char *orr_report_verdict_class(const char *verdict);
const char *orr_report_verdict_sign(const char *verdict);
/* A query as an HTML table, its heads between bars; `none` stands there when it has no rows (NULL:
 * nothing does). */
int orr_report_query(FILE *to, const struct orr_ledger *ledger, const char *heads, const char *sql,
                     const char *none);
/* A picture as an <img> that carries its own data. */
int orr_report_picture(FILE *to, const char *path, const char *type, const char *text);
/* gnuplot's SVG as a part of the page, which has many: its ids begin with `prefix`. */
int orr_report_drawing(FILE *to, const char *path, const char *prefix, const char *text);

#endif
