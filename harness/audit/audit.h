/* SPDX-License-Identifier: MIT */
/* The audit: what a paper says its algorithms cost, what follows from that, what was counted and
 * what the model makes of it. Everything it finds is a row of SQL, for tables to be made of and
 * claims to be judged by: audit.sql has each table and view. */
#ifndef ORR_AUDIT_AUDIT_H
#define ORR_AUDIT_AUDIT_H

#include "ledger/ledger.h"
#include "plan/paper.h"

/* Makes the tables anew, for one paper, and offers the functions below. */
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

/* --- formulas and costs of a paper, as the files of the audit read them --- */

/* The formulas of a paper's cost model as text that SQL computes with: exact polynomials in B, N
 * and P, by FLINT.
 *
 * As text: "3N(P-1)/2+2N". Products may leave out the `*`, only whole numbers divide, and `^` takes
 * a digit up to 7. Printed in a fixed order, so that equal formulas are equal texts; terms that
 * differ only in the last symbol are taken together, "N(P - 9)/2 + BP(P - 1)/2"; of one symbol
 * only, whole coefficients stay inside the brackets as papers print them, "P(72962P - 138498)".
 *
 *   formula(text)                        the text as it is printed: SQL adds, multiplies and puts
 *                                        values in as text, and has the sum of it here
 *   formula_fault(text)                  what is wrong with a text that is no formula
 *   formula_value(f, n, per_box, level)  with N, P and a quadtree's B put in: an integer or a real
 *   formula_ratio(f, g)                  '1/2' where f = 1/2 x g; NULL where no number does that
 *   box_neighbours(level)                B of a level of the quadtree (boxes.h) */

/* Offers the functions above to the ledger's SQL. */
int orr_algebra_offer(const struct orr_ledger *ledger);
/* The cost of a paper's variants as it is known before anything is counted: two files of
 * variants/<paper>/, read into tables of audit.sql. None where the paper has no such file;
 * ORR_EINPUT with file and line.
 *
 * formulas.csv: what the paper prints, exactly as printed, errors and all. Columns
 *
 *   experiment,says,variant,over,item,kinds,formula,printed,note
 *
 * `formula` is read as above; `printed` is what the paper prints where that differs; `note` is
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
 * kind `access`, as `orrery run ceilings` measures them. `degree`: how many lanes of a
 * warp share an address, a number, "" for 1 or where it means nothing, or "counted" for AD / AS of
 * the procedure. `condition`: "atomic=cas", the parameter with which the line holds, or "".
 *
 * What a group waits for, kinds "latency-...", adds up along the group. Two more rows stand in for
 * counts: "kernel", whose `access` is the kernel that these groups are of; and "left-out", whose
 * `access` is what the prediction is without it, "too short" or "too long", and whose `note` says
 * what. */

#endif
