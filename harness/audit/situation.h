/* The optimisation model of Shan & Lei 2012, section V: computation traded for data access, or the
 * reverse. From variant A to variant B
 *
 *   1  computation falls, data access rises               better
 *   2  computation falls, data access stays or falls      better
 *   3  computation rises, data access falls               better
 *   4  computation rises, data access stays or rises      worse
 *
 * Situation 1 from A to B is situation 3 from B to A, so that the model calls both directions an
 * improvement; unchanged computation is none of the four. The paper does not say which accesses are
 * "data access" when the levels of memory disagree: every reading is judged. */
#ifndef ORR_AUDIT_SITUATION_H
#define ORR_AUDIT_SITUATION_H

#include "audit/counted.h"

enum orr_memory {
    ORR_MEMORY_REGISTER,
    ORR_MEMORY_SHARED,
    ORR_MEMORY_GLOBAL,
    ORR_MEMORY_TOTAL,
    ORR_MEMORIES
};
extern const char *const orr_situation_memory_names[ORR_MEMORIES];
extern const unsigned orr_situation_memory_kinds[ORR_MEMORIES]; /* bits of enum orr_access */

struct orr_judgement {
    int64_t before, after; /* accesses of A and B */
    int situation;         /* 1 to 4; 0: none of them */
};

struct orr_situation {
    const struct orr_counted *a, *b;
    int64_t pairs_before, pairs_after; /* CP */
    struct orr_judgement by[ORR_ATOMIC_CONVENTIONS][ORR_MEMORIES];
    int situation; /* of the total with an atomic update as one write, which is how the paper counts
                      and sums */
    bool one;      /* every memory and reading gives this situation */
    int predicts;  /* 1: better, -1: worse, 0: nothing */
    bool certain;  /* every memory and reading predicts this */
    double ratio, low,
        high;     /* seconds of A / seconds of B with the 95 % interval, NAN where there is none */
    int measured; /* 1: B is faster, -1: slower, 0: neither beyond the interval */
};

/* 1 to 4, or 0, from the signs of two changes. */
int orr_situation_number(int64_t computation, int64_t access);
/* What the model predicts: 1 better, -1 worse, 0 nothing. */
int orr_situation_predicts(int situation);
int orr_situation_judge(struct orr_situation *out, const struct orr_ledger *ledger,
                        const struct orr_counted *a, const struct orr_counted *b);
/* Whether the prediction came true: 1, 0, or -1 when there is no prediction or no measured
 * difference. */
int orr_situation_agrees(const struct orr_situation *situation);

#endif
