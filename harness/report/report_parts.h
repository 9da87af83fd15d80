/* What the files of the report share; nobody else includes it. */
#ifndef ORR_REPORT_PARTS_H
#define ORR_REPORT_PARTS_H

#include <stdio.h>

#include "ledger/ledger.h"
#include "report/report.h"

/* Sections that hold no experiment: above and below them. */
int orr_report_top(FILE *to, const struct orr_selection *selection);
int orr_report_claims(FILE *to, const struct orr_selection *selection);
int orr_report_bottom(FILE *to, const struct orr_selection *selection);
/* A picture as an <img> that carries its own data. */
int orr_report_picture(FILE *to, const char *path, const char *type, const char *text);
/* Style sheet of the page. */
extern const char orr_report_style[];

#endif
