/* SPDX-License-Identifier: MIT */
/* A compensated addition (Kahan 1965), for host and device: `lost` is what rounding added to `sum`
 * too much. */
#ifndef TRIAL_KAHAN_H
#define TRIAL_KAHAN_H

#define KAHAN_ADD(sum, lost, term) \
    do { \
        const float kahan_term = (term) - (lost); \
        const float kahan_sum = (sum) + kahan_term; \
        (lost) = (kahan_sum - (sum)) - kahan_term; \
        (sum) = kahan_sum; \
    } while (0)

#endif
