/* SPDX-License-Identifier: MIT */
/* Verification: a variant's output against the fp64 reference. docs/METHOD.md defines the
 * errors. */
#ifndef ORR_VERIFY_H
#define ORR_VERIFY_H

#include "plan/cell.h"
#include "verify/reference.h"
#include "variant.h"

/* The divisor of the error |a - a_ref|; S is the sum of the lengths of the terms of a_ref. */
enum orr_error_kind {
    ORR_ERROR_RELATIVE, /* max(|a_ref|, 0.001 S) */
    ORR_ERROR_BY_MEAN,  /* the mean of |a_ref| over all targets */
    ORR_ERROR_BY_TERMS, /* S */
    ORR_ERROR_KINDS
};
extern const char *const orr_verify_kinds[ORR_ERROR_KINDS]; /* "relative", "by_mean", "by_terms" */

/* Error distributions: the errors that these shares of the targets exceed, 0.999 to 0.001. */
enum { ORR_ERROR_SHARES = 14 };
extern const double orr_verify_shares[ORR_ERROR_SHARES];

struct orr_spread {
    double median, p99, max;
    double exceeded[ORR_ERROR_SHARES];
};

struct orr_errors {
    struct orr_spread of[ORR_ERROR_KINDS];
    double phi_max; /* largest relative error of the potential; 0 without potential */
    size_t targets;
};

/* From so many bodies on it pays to look at all of them by several threads. */
enum { ORR_VERIFY_MANY = 100000 };

/* The ten columns of the output: "ax", "ay", "az", "phi", "x" ... "vz". */
enum { ORR_VERIFY_COLUMNS = 10 };
extern const char *const orr_verify_columns[ORR_VERIFY_COLUMNS];

/* Arrays for n bodies, with positions and velocities where `integrates`. Release it whatever is
 * returned. */
int orr_verify_make_forces(struct orr_forces *out, size_t n, bool integrates);
/* Of which bodies results are: value (i + shift) mod n of a column is body i's, with another sign
 * along axes whose bit in `mirrored` is set. */
struct orr_verify_image {
    size_t n, shift;
    unsigned mirrored;
    int dimensions;
};
/* Copies the n values of each column that `from` has, as of bodies that are neither shifted nor
 * mirrored. Whether they are finite, as orr_verify_finite() judges it. */
bool orr_verify_take(struct orr_forces *to, const struct orr_forces *from,
                     const struct orr_verify_image *of);
/* Gives bodies the positions and velocities that results have. */
void orr_verify_place(struct orr_bodies *out, const struct orr_forces *from, int dimensions);
void orr_verify_release_forces(struct orr_forces *forces);
/* Fills every array with NAN, so that an incomplete fetch cannot pass. */
void orr_verify_poison_forces(struct orr_forces *forces, size_t n);

/* ORR_EWRONG naming the first body and column that is not finite, over all bodies. */
int orr_verify_finite(const struct orr_forces *forces, size_t n, int dimensions);
int orr_verify_errors(struct orr_errors *out, const struct orr_forces *forces,
                      const struct orr_reference *reference, int dimensions);
/* Of one reference's sums against another's, of the same targets. */
int orr_verify_reference_errors(struct orr_errors *out, const struct orr_reference *sums,
                                const struct orr_reference *reference);
/* Keeps the larger of each error in `worst`. */
void orr_verify_widen(struct orr_errors *worst, const struct orr_errors *now);
/* ORR_EWRONG with the first error that is above its bound. */
int orr_verify_judge(const struct orr_errors *errors, const struct orr_bound *bound);

#endif
