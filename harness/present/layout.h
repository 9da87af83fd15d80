/* A layout shows experiments of one kind: their table and their figure. paper.yaml names it
 * (`layout: times`). Nearly all are sections of SQL (present/queries.h); the audit is C. */
#ifndef ORR_LAYOUT_H
#define ORR_LAYOUT_H

#include "present/document.h"
#include "present/plot.h"
#include "present/results.h"

struct orr_layout {
    const char *name;
    const char *script; /* plots/<script>.gp */
    int (*table)(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results);
    /* Writes the CSV files that the script reads and the variables it takes. ORR_EUSAGE when there
     * is nothing to plot. */
    int (*plot)(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results);
};

extern const struct orr_layout orr_layout_audit;

/* The whole document of an experiment on a machine: facts, the layout's grids, failures and what is
 * missing. Release it whatever is returned. */
int orr_layout_table(struct orr_document *out, const struct orr_scope *scope);
/* The figure's data and variables; see plot.h. */
int orr_layout_plot(struct orr_plot *out, const struct orr_scope *scope);

/* --- for layouts --- */

/* Whether the variant belongs to the experiment by paper.yaml. */
bool orr_layout_takes(const struct orr_scope *scope, const struct orr_paper_variant *variant);

#endif
