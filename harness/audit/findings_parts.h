/* What the files that make findings share; nobody else includes it. */
#ifndef ORR_AUDIT_FINDINGS_PARTS_H
#define ORR_AUDIT_FINDINGS_PARTS_H

#include "audit/findings.h"

/* One more, with its item; NULL with ORR_EMEMORY. */
struct orr_finding *orr_findings_add(struct orr_findings *findings, const char *experiment,
                                     bool agrees, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

int orr_findings_changes(struct orr_findings *out, const struct orr_formulas *formulas);
int orr_findings_counts(struct orr_findings *out, const struct orr_formulas *formulas);
int orr_findings_ratios(struct orr_findings *out, const struct orr_ledger *ledger,
                        const struct orr_paper *paper);
int orr_findings_measured(struct orr_findings *out, const struct orr_formulas *formulas,
                          const struct orr_ledger *ledger, const struct orr_paper *paper);

#endif
