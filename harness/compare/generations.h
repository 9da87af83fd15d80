/* From the papers' own cards to the devices measured here: each speedup taken apart into factors
 * that multiply to it, by what is published of the cards and measured of the devices, and whether
 * the order of the programs is kept (generations.sql; docs/METHOD.md, "Generations"). */
#ifndef ORR_GENERATIONS_H
#define ORR_GENERATIONS_H

#include "present/document.h"
#include "present/plot.h"
#include "present/selection.h"

/* Of the targets of `paper`; `what` is how they were asked for, "shan" or "shan/table3". Release it
 * whatever is returned. */
int orr_generations_table(struct orr_document *out, const struct orr_selection *selection,
                          const struct orr_paper *paper, const char *what);
/* ORR_EUSAGE where nothing that is printed was measured. */
int orr_generations_plot(struct orr_plot *out, const struct orr_selection *selection,
                         const struct orr_paper *paper, const char *what);

#endif
