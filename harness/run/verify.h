/* Verification: a variant's output against the fp64 reference. docs/METHOD.md defines the errors. */
#ifndef ORR_VERIFY_H
#define ORR_VERIFY_H

#include "plan/cell.h"
#include "run/reference.h"
#include "variant.h"

struct orr_errors {
    double median, p99, max; /* of the relative error of the acceleration vector */
    double phi_max;          /* largest relative error of the potential; 0 without potential */
    size_t targets;
};

/* Arrays for n bodies, with positions and velocities where `integrates`. Release it whatever is returned. */
int orr_forces_make(struct orr_forces *out, size_t n, bool integrates);
void orr_forces_release(struct orr_forces *forces);
/* Fills every array with NAN, so that what a fetch does not write cannot pass. */
void orr_forces_poison(struct orr_forces *forces, size_t n);

/* ORR_EWRONG naming the first body and column that is not finite, over all bodies. */
int orr_verify_finite(const struct orr_forces *forces, size_t n, int dimensions);
int orr_verify_errors(struct orr_errors *out, const struct orr_forces *forces, const struct orr_reference *reference,
                      int dimensions);
/* ORR_EWRONG with the first error that is above its bound. */
int orr_verify_judge(const struct orr_errors *errors, const struct orr_bound *bound);

#endif
