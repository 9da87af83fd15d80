/* What the files that read formulas share; nobody else includes it. */
#ifndef ORR_AUDIT_FORMULAS_PARTS_H
#define ORR_AUDIT_FORMULAS_PARTS_H

#include "audit/formulas.h"

/* One more row, zeroed; NULL with ORR_EMEMORY. Rows may move. */
struct orr_formula *orr_formulas_add(struct orr_formulas *formulas);
/* Adds the counts that a change needs of one variant, that only the other one of the two has. */
int orr_formulas_infer(struct orr_formulas *formulas);

#endif
