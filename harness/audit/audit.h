/* SPDX-License-Identifier: MIT */
/* The audit: what a paper says its algorithms cost, what follows from that, what was counted and
 * what the model makes of it. Everything it finds is a row of SQL, for tables to be made of and
 * claims to be judged by: audit.sql has each table and view. */
#ifndef ORR_AUDIT_AUDIT_H
#define ORR_AUDIT_AUDIT_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* Makes the tables anew, for one paper, and offers the functions of audit_parts.h. */
int orr_audit_fill(const struct orr_ledger *ledger, const struct orr_paper *paper);
/* The same, but for a paper that was filled last and of which nothing more was loaded. ORR_EINPUT
 * when the paper's formulas say nothing of `experiment`, "shan/table1" (NULL: of no matter which).
 */
int orr_audit_have(const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment);
/* Makes the tables that follow from formulas alone, those of the file `path`, for tests; NULL: the
 * paper's. */
int orr_audit_formulas(const struct orr_ledger *ledger, const struct orr_paper *paper,
                       const char *path);

#endif
