/* SPDX-License-Identifier: MIT */
/* Elementary functions out of + - * / alone, so that data sets which need them are the same bits on
 * every IEEE machine and with every library. Accurate to some units in the last place. */
#ifndef ORR_GALAXY_MATH_H
#define ORR_GALAXY_MATH_H

#include <stdint.h>
#include <string.h>

#define ORR_GALAXY_PI 3.14159265358979323846

/* 2^k for -1022 <= k <= 1023. */
static inline double orr_galaxy_power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* e^x; 0 below -700. x at most 700. */
static inline double orr_galaxy_exp(double x)
{
    static const double log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;
    static const double series[] = {1.0 / 87178291200,
                                    1.0 / 6227020800,
                                    1.0 / 479001600,
                                    1.0 / 39916800,
                                    1.0 / 3628800,
                                    1.0 / 362880,
                                    1.0 / 40320,
                                    1.0 / 5040,
                                    1.0 / 720,
                                    1.0 / 120,
                                    1.0 / 24,
                                    1.0 / 6,
                                    0.5,
                                    1,
                                    1};
    if (x < -700)
        return 0;
    int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * log2_high) - k * log2_low, sum = series[0];
    for (int term = 1; term < 15; term++) /* |r| < 0.35: the next term is below 1e-18 */
        sum = sum * r + series[term];
    return sum * orr_galaxy_power_of_two(k);
}

/* Natural logarithm of a positive normal x. */
static inline double orr_galaxy_log(double x)
{
    static const double series[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                    1.0 / 9,  1.0 / 7,  0.2,      1.0 / 3,  1};
    uint64_t bits;
    double m; /* x = m 2^k */
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffff) | (uint64_t)1023 << 52;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k++;
    }
    /* 2 artanh s; |s| < 0.172, so the first term that is left out is below 1e-18. */
    double s = (m - 1) / (m + 1), s2 = s * s, sum = series[0];
    for (int term = 1; term < 11; term++)
        sum = sum * s2 + series[term];
    return 2 * s * sum + k * 0.6931471805599453;
}

/* tanh x for x >= 0. */
static inline double orr_galaxy_tanh(double x)
{
    double e = orr_galaxy_exp(-2 * x);
    return (1 - e) / (1 + e);
}

/* 1 - erf x with an absolute error of some 1e-16. */
static inline double orr_galaxy_erfc(double x)
{
    double size = x < 0 ? -x : x, term = size, sum = size;
    if (size > 6)
        return x < 0 ? 2 : 0;
    for (int k = 1; k <= 150;
         k++) { /* erf x = 2 / sqrt(pi) e^(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ...) */
        term *= 2 * size * size / (2 * k + 1);
        sum += term;
    }
    double erf = 1.1283791670955126 * orr_galaxy_exp(-size * size) * sum;
    return x < 0 ? 1 + erf : 1 - erf;
}

#endif
