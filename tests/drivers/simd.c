/* SPDX-License-Identifier: MIT */
/* Checks what variants/common/simd.h promises, with each instruction set of the processor it runs
 * on, an emulated one too. Prints the sets; 1 if one of them is wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static int near(float found, double expected, double within)
{
    return fabs((double)found - expected) <= within * fabs(expected);
}

#define SIMD_TEMPLATE "tests/drivers/simd_operations.h"
#include "variants/common/simd.h"

int main(void)
{
    typedef int operations(const float *a, const float *b);
    static operations *const operations_by[] = SIMD_ROW(operations);
    int failed = 0;

    for (enum simd simd = simd_chosen(SIMD_AUTO); simd <= SIMD_BASELINE; simd++) {
        int wrong = 0;
        for (int turn = 0; turn < 100; turn++) {
            float a[32], b[32];
            for (int k = 0; k < 32; k++) {
                a[k] = ldexpf(1 + (float)((k * 7 + turn * 13) % 31) / 31, turn % 40 - 20);
                b[k] = a[(k * 5 + turn) % (k + 1)];
            }
            wrong += operations_by[simd](a, b);
        }
        printf("%s: %d wrong\n", simd_names[simd], wrong);
        failed |= wrong != 0;
    }
    return failed;
}
