/* SPDX-License-Identifier: MIT */
#include "variants/common/simd.h"

#include <stdio.h>

#if defined(SIMD_X86)
#define BASELINE "sse2"
#elif defined(SIMD_ARM)
#define BASELINE "neon"
#else
#define BASELINE "baseline"
#endif
const char *const simd_names[4] = {"auto", "avx512f", "avx2+fma", BASELINE};

static int simd_present(enum simd simd)
{
#if defined(SIMD_X86)
    if (simd == SIMD_AVX512F)
        return __builtin_cpu_supports("avx512f");
    if (simd == SIMD_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return simd == SIMD_BASELINE;
}

enum simd simd_chosen(enum simd simd)
{
    if (simd == SIMD_AUTO)
        for (simd = SIMD_AVX512F; !simd_present(simd);)
            simd++;
    return simd;
}

int simd_check(struct orr_job *job, enum simd simd, int threads)
{
    simd = simd_chosen(simd);
    if (!simd_present(simd))
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "this CPU has no %s; choose another simd",
                        simd_names[simd]);
    snprintf(job->note, sizeof job->note, "%s, %d thread%s", simd_names[simd], threads,
             threads == 1 ? "" : "s");
    return ORR_OK;
}
