/* SPDX-License-Identifier: MIT */
/* A layout shows experiments of one kind: their tables and their figure. paper.yaml names it
 * (`layout: times`); queries.h says how it is written. */
#ifndef ORR_LAYOUT_H
#define ORR_LAYOUT_H

#include "present/document.h"
#include "present/plot.h"
#include "present/selection.h"

/* The whole document of an experiment on a machine: facts, the layout's grids, failures and what is
 * missing; and its figure. One that is NULL is not wanted; where both are, a figure that cannot be
 * made costs no table. Release both whatever is returned. */
int orr_layout_show(struct orr_document *out, struct orr_plot *plot, const struct orr_scope *scope);
/* Adds a part to the document: set up for every experiment and machine of the selection, which is
 * of one paper, in turn, and shown once. */
int orr_layout_part(struct orr_document *out, const struct orr_selection *selection,
                    const char *name);

/* A table and a figure of several experiments and machines at once. */
struct orr_layout_overview {
    const char *name, *title; /* of the part with its tables and figure; "Roofline" */
    const char *subtitle;     /* of the figure */
    const char *file, *text;  /* its queries */
    /* Unless NULL, adds more of these, and fills what they read besides the tables
     * asked(experiment) and request(what, machine), whose machine is NULL for all. */
    int (*begin)(struct orr_queries *queries, const struct orr_selection *selection,
                 const struct orr_paper *paper);
};
/* Every device in a panel, the paper's own ones from what is published (roofline.sql). */
extern const struct orr_layout_overview orr_layout_roofline;
/* The same of the targets of `paper`; `what` is how they were asked for, "shan" or "shan/table3".
 * ORR_EUSAGE: nothing to draw. */
int orr_layout_overview(struct orr_document *out, struct orr_plot *plot,
                        const struct orr_layout_overview *overview,
                        const struct orr_selection *selection, const struct orr_paper *paper,
                        const char *what);

#endif
