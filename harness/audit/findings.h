/* Findings: what a paper's tables say, each beside what follows from them. findings.sql has those
 * that follow from printed times and from counts. */
#ifndef ORR_AUDIT_FINDINGS_H
#define ORR_AUDIT_FINDINGS_H

#include "audit/formulas.h"

struct orr_finding {
    char experiment[64]; /* whose table says it, "shan/table2" */
    char item[192];      /* "shared memory at level 7" */
    bool agrees;
    char printed[160]; /* "" when the paper prints nothing */
    char derived[256]; /* the right expression or number */
    char why[320];     /* "" or how it is known, or how the printed one may have come about */
};

struct orr_findings {
    struct orr_finding *items;
    size_t count;
};

/* Everything that the tables alone say: counts that are left out, operations of a pair and changes
 * from one variant to another. `formulas` hold the inferred counts (orr_derive_missing). Release it
 * whatever is returned. */
int orr_findings_make(struct orr_findings *out, const struct orr_formulas *formulas);
void orr_findings_release(struct orr_findings *findings);

#endif
