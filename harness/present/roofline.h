/* The rooflines of one experiment or paper: every device in a panel, the paper's own ones from
 * what is published (roofline.sql). */
#ifndef ORR_ROOFLINE_H
#define ORR_ROOFLINE_H

#include "present/document.h"
#include "present/plot.h"
#include "present/selection.h"

/* Of the targets of `paper`; `what` is how they were asked for, "shan" or "shan/table3". Release it
 * whatever is returned. */
int orr_roofline_table(struct orr_document *out, const struct orr_selection *selection,
                       const struct orr_paper *paper, const char *what);
/* ORR_EUSAGE where no cell tells its work. */
int orr_roofline_plot(struct orr_plot *out, const struct orr_selection *selection,
                      const struct orr_paper *paper, const char *what);

#endif
