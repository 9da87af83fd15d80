/* SPDX-License-Identifier: MIT */
/* Cells of several machines, or of several sets of results, side by side: the tables of sides.sql,
 * which comparisons, tables across machines and generations begin with. */
#ifndef ORR_SIDES_H
#define ORR_SIDES_H

#include "plan/cell.h"
#include "present/layout.h"

/* Adds sides.sql to the queries of one of them. */
int orr_sides_queries(struct orr_queries *queries);
/* Adds the cells and printed numbers of an experiment, or with NULL of all of the selection. One
 * that shows another one's cells counts only where it alone was asked for: else they come twice. */
int orr_sides_collect(const struct orr_queries *queries, const struct orr_selection *selection,
                      const struct orr_target *only, const struct orr_scope_side *sides,
                      size_t count);
/* Offers SQL wanted(experiment, variant, dataset, device): whether --only and --exclude leave the
 * cell. `globs` must outlive the queries. */
int orr_sides_offer(const struct orr_ledger *ledger, const struct orr_cell_globs *globs);

/* A set of results in a table across machines. */
struct orr_across_side {
    const char *operand; /* of a comparison: "A", "B" ...; else "" */
    const char *machine;
    const char *device; /* "": all of them */
    const char *label;  /* what its columns are called */
    const char *word;   /* what they stand for; NULL: the label says it */
};

/* Machines and devices across, programs down, and the papers' own cards beside them: times and
 * ratios (across.sql; docs/METHOD.md, "Side by side"). Of an experiment, or with NULL of all of the
 * selection. `globs` NULL: every cell. ORR_EUSAGE where nothing of it was measured on any side.
 * Release it whatever is returned. */
int orr_sides_across(struct orr_document *out, const struct orr_selection *selection,
                     const struct orr_target *target, const struct orr_across_side *sides,
                     size_t count, const struct orr_cell_globs *globs);

/* From the papers' own cards to the devices measured here: each speedup taken apart into factors
 * that multiply to it, by what is published of the cards and measured of the devices, and whether
 * the order of the programs is kept (generations.sql; docs/METHOD.md, "Generations"). */
extern const struct orr_layout_overview orr_compare_generations;

#endif
