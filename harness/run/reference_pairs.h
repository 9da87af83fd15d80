/* What bodies do to a point, fp64, in the widest vectors that this processor has: the loop that
 * references spend their time in. */
#ifndef ORR_REFERENCE_PAIRS_H
#define ORR_REFERENCE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

/* Bodies that act, with one or two sets of masses: what a pair's distance costs is spent once. */
enum { ORR_REFERENCE_SETS = 2 };
struct orr_reference_pairs {
    const double *pos[3];
    const double *mass[ORR_REFERENCE_SETS];
    int sets;
    double eps;
    bool flat; /* all, and the points they act on, have z = 0, which saves a tenth */
};

struct orr_reference_sums {
    double acc[3]; /* sum m_j d / (d^2 + eps^2)^1.5 */
    double phi;    /* - sum m_j / (d^2 + eps^2)^0.5 */
    double scale;  /* sum of the lengths of the terms of acc */
};

/* Adds the action of the bodies [from, to) on the point `at`, for each set of masses. */
void orr_reference_pairs_add(struct orr_reference_sums sums[ORR_REFERENCE_SETS],
                             const struct orr_reference_pairs *pairs, const double at[3],
                             size_t from, size_t to);
/* - m_i sum m_j / (d^2 + eps^2)^0.5 over the bodies i < j < n, of the first masses. */
double orr_reference_pairs_energy(const struct orr_reference_pairs *pairs, size_t i, size_t n);

#endif
