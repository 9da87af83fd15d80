/* The audit: what a paper says its algorithms cost, what follows from that, what was counted and
 * what the model makes of it. Everything it finds is a row of SQL for claims to be judged by. */
#ifndef ORR_AUDIT_AUDIT_H
#define ORR_AUDIT_AUDIT_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* Fills, for one paper, the tables audit_finding (findings.h) and audit_situation (situation.h),
 * which it makes when they are not there. The latter has every ordered pair of variants counted on
 * one input: situation '1' to '4' or 'none', of all accesses together with an atomic update as one
 * write; predicts 'better', 'worse' or NULL; ratio = seconds of a / seconds of b; agrees NULL
 * without a prediction or a measured difference. */
int orr_audit_fill(struct orr_ledger *ledger, const struct orr_paper *paper);

#endif
