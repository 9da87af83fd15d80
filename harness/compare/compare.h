/* Compares two sets of results cell by cell: which cells of B are faster or slower than the same
 * work in A. docs/METHOD.md, "Comparing", defines a difference. */
#ifndef ORR_COMPARE_H
#define ORR_COMPARE_H

#include "compare/compare_operand.h"
#include "plan/cell.h"
#include "present/document.h"

/* The finding on a cell. The first six have rows, the others are only counted. */
enum orr_finding {
    ORR_FASTER, /* B takes less time, beyond interval and noise floor */
    ORR_SLOWER,
    ORR_SAME,
    ORR_UNCLEAR, /* too few samples for an interval */
    ORR_BROKEN,  /* ok in A, not in B */
    ORR_MENDED,
    ORR_FINDING_ROWS,
    ORR_FAILED = ORR_FINDING_ROWS, /* ok in neither */
    ORR_EXTRAPOLATED,              /* on either side: nothing was measured there */
    ORR_OTHER_DATA,                /* the data sets differ though they have the same name */
    ORR_ONLY_A,
    ORR_ONLY_B,
    ORR_FINDINGS
};
/* "faster", "only in A" ... and a sentence that says what it means. */
extern const char *const orr_compare_words[ORR_FINDINGS], *const orr_compare_meanings[ORR_FINDINGS];

/* A cell of A, one of B, or the same work in both. */
struct orr_pair {
    const struct orr_scope *scope; /* of A */
    const struct orr_result *a, *b;
    struct orr_ratio ratio; /* A seconds / B seconds: above 1 B is faster; NAN when not compared */
    double noise_floor;     /* the larger of the two; 0: unknown */
    enum orr_finding finding;
};

struct orr_comparison {
    const struct orr_compare_operand *a, *b;
    struct orr_part *parts; /* what the pairs point into: scopes and results by experiment */
    size_t part_count;
    struct orr_pair
        *pairs; /* by experiment, in the order of A's results; those only in B behind them */
    size_t count;
    size_t found[ORR_FINDINGS];
    size_t almost; /* of those only in A: one in B differs only by parameters that one of the two
                      lacks */
};

/* Compares two settled sides whose selections are of the same experiments. `globs` choose among the
 * cells, by the device of A. ORR_EUSAGE when no cell is in both, with the reason. Release it
 * whatever is returned; the sides stay the caller's and must outlive it. */
int orr_compare_make(struct orr_comparison *out, const struct orr_compare_operand *a,
                     const struct orr_compare_operand *b, const struct orr_cell_globs *globs);
void orr_compare_release(struct orr_comparison *comparison);
/* Whether each side names a device, so that the devices of a pair may differ. */
bool orr_compare_across(const struct orr_comparison *comparison);

/* Provenance of both, one row per cell, counts, and the ratios of each variant. Release it whatever
 * is returned. */
int orr_compare_document(struct orr_document *out, const struct orr_comparison *comparison);
/* One line on slower and broken cells, cut to `size`: "2 cells slower, 1 broken: ...". False when
 * there are none. */
bool orr_compare_worse(char *out, size_t size, const struct orr_comparison *comparison);

#endif
