/* The grids of an audit; for layout_audit.c and audit_situation.c. */
#ifndef ORR_AUDIT_GRIDS_H
#define ORR_AUDIT_GRIDS_H

#include "audit/counted.h"
#include "audit/findings.h"
#include "present/document.h"
#include "present/results.h"

/* One experiment of one paper on one machine. */
struct orr_audit_view {
    struct orr_document *document;
    const struct orr_scope *scope;
    const struct orr_results *results;
    struct orr_formulas formulas;
    struct orr_findings findings; /* of the whole paper */
    struct orr_counted_set cells; /* of the experiment, on the machine */
};

/* Every count beside its formula. The data grid. */
int orr_audit_counts_add(const struct orr_audit_view *view);
/* From where on each change is a fall, with both ways to count an atomic update. */
int orr_audit_break_even_add(const struct orr_audit_view *view);
/* The changes as counted, beside those that follow and those that are printed. */
int orr_audit_changes_add(const struct orr_audit_view *view);

/* "yes", "no" or nothing. */
void orr_audit_put_agrees(struct orr_grid *grid, int agrees);
/* Every digit, for people and programs. */
void orr_audit_put_count(struct orr_grid *grid, const char *key, int64_t count);
/* Variant and setting of a counted cell. */
const char *orr_audit_label(const struct orr_results *results, const struct orr_counted *cell);

#endif
