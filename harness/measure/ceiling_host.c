#include "measure/ceiling.h"

#include <math.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { SLOTS = 4, BASELINE_LANES = 16 };

/* One pass over all slots; constant bounds of the loops over s keep every value in a register. */
#define RUN(vector, set, fma, root, add)                             \
    vector x[SLOTS], y[SLOTS], z[SLOTS];                             \
    const vector c = set(scale), d = set(shift);                     \
    for (int s = 0; s < SLOTS; s++) {                                \
        x[s] = set(1.0f + 0.125f * (float)s);                        \
        y[s] = set(2.0f + 0.125f * (float)s);                        \
        z[s] = set(3.0f + 0.125f * (float)s);                        \
    }                                                                \
    for (long k = 0; k < loops; k++) {                               \
        _Pragma("GCC unroll 4") for (int s = 0; s < SLOTS; s++)      \
        {                                                            \
            const vector r = root(x[s]);                             \
            x[s] = fma(fma(fma(fma(x[s], c, d), c, d), c, d), c, d); \
            y[s] = fma(fma(fma(fma(y[s], c, r), c, d), c, d), c, d); \
            z[s] = fma(fma(fma(fma(z[s], c, d), c, d), c, d), c, d); \
        }                                                            \
    }                                                                \
    vector sum = set(0.0f);                                          \
    for (int s = 0; s < SLOTS; s++)                                  \
    sum = add(sum, add(x[s], add(y[s], z[s])))

#define NO_ROOT(v) d

#if defined(__x86_64__)
#define AVX512 __attribute__((target("avx512f")))
AVX512 static inline __m512 root512(__m512 v)
{
    const __m512 y = _mm512_rsqrt14_ps(v), h = _mm512_mul_ps(v, y);
    const __m512 e = _mm512_fnmadd_ps(h, y, _mm512_set1_ps(1.0f));
    return _mm512_fmadd_ps(_mm512_mul_ps(_mm512_set1_ps(0.5f), y), e, y);
}

AVX512 static double mix512(long loops, float scale, float shift)
{
    RUN(__m512, _mm512_set1_ps, _mm512_fmadd_ps, root512, _mm512_add_ps);
    return (double)_mm512_reduce_add_ps(sum) / (16 * SLOTS);
}

AVX512 static double fma512(long loops, float scale, float shift)
{
    RUN(__m512, _mm512_set1_ps, _mm512_fmadd_ps, NO_ROOT, _mm512_add_ps);
    return (double)_mm512_reduce_add_ps(sum) / (16 * SLOTS);
}

#define AVX2 __attribute__((target("avx2,fma")))
AVX2 static inline __m256 root256(__m256 v)
{
    const __m256 y = _mm256_rsqrt_ps(v), h = _mm256_mul_ps(v, y);
    const __m256 e = _mm256_fnmadd_ps(h, y, _mm256_set1_ps(1.0f));
    return _mm256_fmadd_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), y), e, y);
}

AVX2 static double mean256(__m256 v)
{
    float lanes[8];
    double sum = 0;
    _mm256_storeu_ps(lanes, v);
    for (int k = 0; k < 8; k++)
        sum += (double)lanes[k];
    return sum / (8 * SLOTS);
}

AVX2 static double mix256(long loops, float scale, float shift)
{
    RUN(__m256, _mm256_set1_ps, _mm256_fmadd_ps, root256, _mm256_add_ps);
    return mean256(sum);
}

AVX2 static double fma256(long loops, float scale, float shift)
{
    RUN(__m256, _mm256_set1_ps, _mm256_fmadd_ps, NO_ROOT, _mm256_add_ps);
    return mean256(sum);
}
#endif

/* Any processor: lanes for whatever vectors the compiler's baseline has. */
static double baseline(long loops, float scale, float shift, int root)
{
    float x[BASELINE_LANES], y[BASELINE_LANES], z[BASELINE_LANES];
    double sum = 0;
    for (int k = 0; k < BASELINE_LANES; k++)
        x[k] = 1.0f + (float)k, y[k] = 2.0f + (float)k, z[k] = 3.0f + (float)k;
    for (long loop = 0; loop < loops; loop++)
        for (int k = 0; k < BASELINE_LANES; k++) {
            float r = root ? 1.0f / sqrtf(x[k]) : shift;
            for (int step = 0; step < 4; step++) {
                x[k] = x[k] * scale + shift;
                y[k] = y[k] * scale + (step ? shift : r);
                z[k] = z[k] * scale + shift;
            }
        }
    for (int k = 0; k < BASELINE_LANES; k++)
        sum += (double)(x[k] + y[k] + z[k]);
    return sum / BASELINE_LANES;
}

static double mix_baseline(long loops, float scale, float shift)
{
    return baseline(loops, scale, shift, 1);
}

static double fma_baseline(long loops, float scale, float shift)
{
    return baseline(loops, scale, shift, 0);
}

const struct orr_ceiling_host *orr_ceiling_host_best(void)
{
    static const struct orr_ceiling_host plain = {"baseline", BASELINE_LANES, mix_baseline,
                                                  fma_baseline};
#if defined(__x86_64__)
    static const struct orr_ceiling_host avx512 = {"avx512f", 16 * SLOTS, mix512, fma512};
    static const struct orr_ceiling_host avx2 = {"avx2+fma", 8 * SLOTS, mix256, fma256};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return &avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
#endif
    return &plain;
}
