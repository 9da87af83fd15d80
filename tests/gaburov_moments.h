/* SPDX-License-Identifier: MIT */
/* What a tree's cell or group should say of its bodies, summed directly. */
#ifndef ORR_TEST_GABUROV_MOMENTS_H
#define ORR_TEST_GABUROV_MOMENTS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct sums {
    double low[3], high[3], mass, com[3], quad[6];
    double spread, far; /* sum of m r^2 about com; largest coordinate */
};

/* Of the bodies [first, end) of x y z m. */
static inline struct sums sum_directly(const float *body, int32_t first, int32_t end)
{
    struct sums s = {.low = {INFINITY, INFINITY, INFINITY},
                     .high = {-INFINITY, -INFINITY, -INFINITY}};
    long double moment[3] = {0, 0, 0}, mass = 0;

    for (int32_t k = first; k < end; k++) {
        const float *b = body + 4 * (size_t)k;
        mass += (long double)b[3];
        for (int d = 0; d < 3; d++) {
            s.low[d] = fmin(s.low[d], (double)b[d]);
            s.high[d] = fmax(s.high[d], (double)b[d]);
            s.far = fmax(s.far, fabs((double)b[d]));
            moment[d] += (long double)b[3] * (long double)b[d];
        }
    }
    s.mass = (double)mass;
    for (int d = 0; d < 3; d++)
        s.com[d] = mass > 0 ? (double)(moment[d] / mass) : 0.5 * (s.low[d] + s.high[d]);
    for (int32_t k = first; k < end; k++) {
        const float *b = body + 4 * (size_t)k;
        const double x = (double)b[0] - s.com[0], y = (double)b[1] - s.com[1],
                     z = (double)b[2] - s.com[2];
        const double m = (double)b[3], r2 = x * x + y * y + z * z;
        const double q[6] = {3 * x * x - r2, 3 * y * y - r2, 3 * z * z - r2,
                             3 * x * y,      3 * x * z,      3 * y * z};
        for (int ab = 0; ab < 6; ab++)
            s.quad[ab] += m * q[ab];
        s.spread += m * r2;
    }
    return s;
}

#endif
