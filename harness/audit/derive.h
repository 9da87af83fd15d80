/* What follows from a paper's counts: counts that it does not print, sums, changes from one variant
 * to another, their values and their signs. */
#ifndef ORR_AUDIT_DERIVE_H
#define ORR_AUDIT_DERIVE_H

#include "audit/formulas.h"

/* How an atomic update of memory counts: as the one write that Shan & Lei's Table I makes of it, or
 * as the read and the write that it is. */
enum orr_atomic_convention { ORR_ATOMIC_WRITES, ORR_ATOMIC_READS_AND_WRITES };

/* Adds the counts that a change needs of one variant and that only the other one of the two has.
 * They follow where another kind stands in one proportion to theirs in every procedure of that
 * other variant, as two writes to the sums in registers belong to every pair evaluated. */
int orr_derive_missing(struct orr_formulas *formulas);

/* Sum of a variant's accesses of the kinds (bits) over all procedures. 0 or ORR_EINPUT. */
int orr_derive_sum(struct orr_polynomial *out, const struct orr_formulas *formulas,
                   const char *variant, unsigned kinds, enum orr_atomic_convention atomics);
/* What a row that says `change` or `number` would have to print: sum after less sum before. */
int orr_derive_change(struct orr_polynomial *out, const struct orr_formulas *formulas,
                      const struct orr_formula *entry, enum orr_atomic_convention atomics);
/* Whether one of the two variants of the change has atomic updates among its kinds. */
bool orr_derive_has_atomics(const struct orr_formulas *formulas, const struct orr_formula *entry);
/* Kinds of the change (bits) that are counted for one of its two variants only. */
unsigned orr_derive_gaps(const struct orr_formulas *formulas, const struct orr_formula *entry);

/* Puts in what the experiment's rows `where` say. */
int orr_derive_where(struct orr_polynomial *out, const struct orr_polynomial *a,
                     const struct orr_formulas *formulas, const char *experiment);
/* Puts in what a level of the quadtree says of N and B: N = 4^level P, B = all boxes' neighbours
 * (boxes.h). */
int orr_derive_level(struct orr_polynomial *out, const struct orr_polynomial *a, int level);

/* The symbols that an input gives a value. */
struct orr_place {
    int64_t n;       /* N, bodies */
    int64_t per_box; /* P, bodies in each box */
    int level;       /* gives B */
};
/* The value there. */
int orr_derive_value(struct orr_rational *out, const struct orr_polynomial *a,
                     const struct orr_place *place);

/* The sign of a change in one symbol over whole values from `from` on. */
struct orr_sign_change {
    char symbol;                 /* '\0': the change is a number */
    double roots[ORR_MAX_ROOTS]; /* break-evens */
    int root_count;
    int end;                   /* sign for large values: -1 a fall, 1 a rise, 0 the change is 0 */
    int64_t from, steady;      /* from `steady` >= `from` on every whole value has the sign `end` */
    struct orr_rational first; /* the change at `from` */
};
int orr_derive_sign_change(struct orr_sign_change *out, const struct orr_polynomial *change,
                           int64_t from);
/* "falls from P = 2 on, break-even P = 1.898; at P = 1 it rises by 65536". Returns `out`. */
char *orr_derive_sign_change_text(char *out, size_t size, const struct orr_sign_change *s);
/* Whether every whole value has this sign: -1 a fall, 1 a rise. */
static inline bool orr_sign_change_throughout(const struct orr_sign_change *s, int sign)
{
    return s->end == sign && s->steady == s->from;
}

#endif
