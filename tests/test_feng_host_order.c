/* SPDX-License-Identifier: MIT */
/* Numbers of cells along Hilbert's curve by every instruction set of this CPU, against the curve
 * drawn level by level. */
#include "random_for_tests.h"
#include "tests/cases.h"
#include "variants/feng/shared/host_order.h"

#define SIMD_TEMPLATE "variants/feng/shared/simd_order.h"
#include "variants/common/simd.h"

static feng_keys_of *const keys_by[] = SIMD_ROW(keys);

static bool runs(enum simd simd)
{
#if defined(SIMD_X86)
    if (simd == SIMD_AVX512F)
        return __builtin_cpu_supports("avx512f");
    if (simd == SIMD_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return keys_by[simd] != NULL;
}

/* Digit and next direction in one cell's quarter (x, y): two bits a row 4 direction + 2 x + y
 * (Warren, Hacker's Delight, 16-2). */
static uint32_t entry(uint32_t rows, uint32_t direction, uint32_t x, uint32_t y)
{
    return rows >> 2 * (4 * direction + 2 * x + y) & 3;
}

static uint64_t key_by_levels(uint32_t x, uint32_t y)
{
    uint32_t direction = 0;
    uint64_t key = 0;

    for (int level = FENG_MAX_DEPTH - 1; level >= 0; level--) {
        const uint32_t right = x >> level & 1, up = y >> level & 1;
        key = key << 2 | entry(0x361E9CB4u, direction, right, up);
        direction = entry(0x8FE65831u, direction, right, up);
    }
    return key;
}

static uint32_t cell_of(float at, double corner, double width)
{
    const double cells = (double)(1u << FENG_MAX_DEPTH);

    return (uint32_t)(((double)at - corner) * (cells / width));
}

/* Bodies in a square from `corner` on, `small` times as wide as high; the lowest are on its edges.
 */
static void check(uint32_t count, const double corner[2], double width, double small)
{
    struct feng_square square = {{INFINITY, INFINITY}, width};
    float at[2][300];
    uint64_t found[300];

    for (int d = 0; d < 2; d++)
        for (uint32_t k = 0; k < count; k++) {
            at[d][k] = (float)(corner[d] + uniform() * width * 0.99 * (d ? 1 : small));
            square.corner[d] = fmin(square.corner[d], (double)at[d][k]);
        }
    for (int simd = 0; simd < 4; simd++) {
        if (!runs((enum simd)simd) || simd == SIMD_AUTO)
            continue;
        keys_by[simd](found, at[0], at[1], count, &square);
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t expected = key_by_levels(cell_of(at[0][k], square.corner[0], width),
                                                    cell_of(at[1][k], square.corner[1], width));
            if (found[k] != expected)
                fail_msg("by %s, body %u of %u at %g, %g: %llx and not %llx", simd_names[simd], k,
                         count, (double)at[0][k], (double)at[1][k], (unsigned long long)found[k],
                         (unsigned long long)expected);
        }
    }
}

TEST(test_keys_follow_the_curve)
{
    for (int k = 0; k < 300; k++) {
        const double corner[2] = {uniform() - 0.5, 100 * uniform()};
        check(1 + (uint32_t)random_below(300), corner, k % 2 ? 1 : 1000 * uniform() + 1,
              k % 3 ? 1 : 1e-5);
    }
}

/* All bodies at one place. */
TEST(test_no_width)
{
    const struct feng_square square = {{3, 4}, 0};
    const float x[2] = {3, 3}, y[2] = {4, 4};

    for (int simd = 1; simd < 4; simd++) {
        uint64_t found[2] = {1, 1};
        if (!runs((enum simd)simd))
            continue;
        keys_by[simd](found, x, y, 2, &square);
        assert_true(found[0] == key_by_levels(0, 0) && found[1] == found[0]);
    }
}

RUN_TESTS(NULL, NULL)
