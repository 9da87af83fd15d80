/* SPDX-License-Identifier: MIT */
/* The cost of a paper's variants as it is known before anything is counted: two files of
 * variants/<paper>/, read into tables of audit.sql. None where the paper has no such file;
 * ORR_EINPUT with file, line, and column of a formula.
 *
 * formulas.csv: what the paper prints, exactly as printed, errors and all. Columns
 *
 *   experiment,says,variant,over,item,kinds,formula,printed,note
 *
 * `formula` is read by algebra.h; `printed` is what the paper prints where that differs; `note` is
 * for the reader. What a line says of its experiment's table:
 *
 *   count   `variant` makes `formula` accesses of the one kind `kinds` (GR ... CP) in the procedure
 *           `item`
 *   atomic  so many of the writes `kinds` (SW or GW) in the procedure `item` are atomic updates,
 *           counted as one write
 *   flops   the operations of one pair of bodies; `item` is its name in kernels/pair.h
 *   change  from `over` to `variant` the sum of all `kinds` ("SR+SW") changes by `formula`; `item`
 *           names the entry
 *   where   under which the numbers hold: N, B or P, the `item`, is `formula`; `item` "level" is
 *           the quadtree's
 *   from    the numbers are claimed for `item` >= `formula`
 *   number  the same as `change` with the symbols of `where` put in
 *
 * costs.csv: of what access each count of a variant is. Columns
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
#ifndef ORR_COST_FILES_H
#define ORR_COST_FILES_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* Fills audit_formula, and audit_pair_flops, which it makes. `path` names another file, for tests;
 * NULL: the paper's. */
int orr_cost_files_formulas(struct orr_ledger *ledger, const struct orr_paper *paper,
                            const char *path);
/* Fills audit_cost. */
int orr_cost_files_costs(struct orr_ledger *ledger, const struct orr_paper *paper);

#endif
