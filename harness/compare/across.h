/* Machines and devices across, programs down, and the papers' own cards beside them: times and
 * ratios (across.sql; docs/METHOD.md, "Side by side"). */
#ifndef ORR_ACROSS_H
#define ORR_ACROSS_H

#include "plan/cell.h"
#include "present/document.h"
#include "present/selection.h"

/* A set of results. */
struct orr_across_side {
    const char *operand; /* of a comparison: "A", "B" ...; else "" */
    const char *machine;
    const char *device; /* "": all of them */
    const char *label;  /* what its columns are called */
    const char *word;   /* what they stand for; NULL: the label says it */
};

/* Of an experiment, or with NULL of all of the selection. `globs` NULL: every cell. ORR_EUSAGE
 * where nothing of it was measured on any side. Release it whatever is returned. */
int orr_across_table(struct orr_document *out, const struct orr_selection *selection,
                     const struct orr_target *target, const struct orr_across_side *sides,
                     size_t count, const struct orr_cell_globs *globs);

#endif
