/* Of what access each count of a variant is: variants/<paper>/costs.csv. Columns
 *
 *   variant,kind,access,degree,times,condition,note
 *
 * Each of the variant's counts of `kind` (kernels/count.h; "step" is 1) is `times` accesses of the
 * kind `access`, as `orrery run ceilings` measures them. "LS" follows from BA, LP and DP: the lanes
 * of a group's warps that have bodies, idle ones too, at each barrier. `degree`: how many lanes of
 * a warp share an address, a number, "" for 1 or where it means nothing, or "counted" for AD / AS
 * of the procedure. `condition`: "atomic=cas", the parameter with which the line holds, or "".
 *
 * What a group waits for, kinds "latency-...", adds up along the group. Two more rows stand in for
 * counts: "kernel", whose `access` is the kernel that these groups are of; and "left-out", whose
 * `access` is what the prediction is without it, "too short" or "too long", and whose `note` says
 * what. */
#ifndef ORR_COSTS_H
#define ORR_COSTS_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* Fills the table audit_cost with those of the paper; none where it has no such file. ORR_EINPUT
 * with file and line. */
int orr_costs_load(struct orr_ledger *ledger, const struct orr_paper *paper);

#endif
