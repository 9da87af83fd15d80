/* SPDX-License-Identifier: MIT */
/* Every operation of variants/common/simd.h on numbers whose results are known: the template that
 * simd.c gives to it. No include guard on purpose. */
SIMD_FUNCTION int SIMD(arithmetic)(const float *a, const float *b)
{
    float sum[SIMD_LANES], root[SIMD_LANES], estimate[SIMD_LANES], most[SIMD_LANES];
    const real x = SIMD_LOAD_ANY(a), y = SIMD_LOAD_ANY(b);
    const uint32_t above = SIMD_ABOVE(x, y);
    int wrong = 0;

    SIMD_STORE_ANY(sum, FMA(x, y, REAL(0.5f)));
    SIMD_STORE_ANY(root, RSQRT(x));
    SIMD_STORE_ANY(estimate, ESTIMATE(x));
    SIMD_STORE_ANY(most, SIMD_MAX(x, y));
    for (int k = 0; k < SIMD_LANES; k++) {
        const double exact = 1 / sqrt((double)a[k]);
        wrong += !near(sum[k], (double)a[k] * (double)b[k] + 0.5, 2e-7);
        wrong += !near(root[k], exact, 3e-7) + !near(estimate[k], exact, 5e-4);
        wrong += most[k] != (a[k] > b[k] ? a[k] : b[k]);
        wrong += (above >> k & 1) != (a[k] > b[k]);
    }
    return wrong + (above >> SIMD_LANES != 0);
}

SIMD_FUNCTION int SIMD(places)(const float *a)
{
    float to[SIMD_LANES + 1] __attribute__((aligned(64)));
    int wrong = 0;

    for (uint32_t count = 0; count <= SIMD_LANES + 1; count++) {
        memset(to, 0, sizeof to);
        SIMD_STORE_SOME(to + 1, SIMD_LOAD_ANY(a + 1), count);
        for (uint32_t k = 0; k < SIMD_LANES; k++)
            wrong += to[1 + k] != (k < count ? a[1 + k] : 0);
    }
    for (int lane = -1; lane < SIMD_LANES; lane++) {
        SIMD_STORE(to, SIMD_AND(SIMD_LOAD_ANY(a), simd_but + 15 - lane));
        for (int k = 0; k < SIMD_LANES; k++)
            wrong += to[k] != (k == lane ? 0 : a[k]);
    }
    return wrong;
}

SIMD_FUNCTION int SIMD(sums)(const float *a)
{
    const real x = SIMD_LOAD_ANY(a);
    const simd_four sums = SIMD_SUMS(x, x + x, x * REAL(4.0f), x * REAL(-8.0f));
    double sum = 0;

    for (int k = 0; k < SIMD_LANES; k++)
        sum += (double)a[k];
    return !near(sums[0], sum, 1e-6) + !near(sums[1], 2 * sum, 1e-6) +
           !near(sums[2], 4 * sum, 1e-6) + !near(sums[3], -8 * sum, 1e-6);
}

SIMD_FUNCTION int SIMD(operations)(const float *a, const float *b)
{
    return SIMD(arithmetic)(a, b) + SIMD(places)(a) + SIMD(sums)(a);
}
