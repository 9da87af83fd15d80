/* SPDX-License-Identifier: MIT */
/* Numbers of cells along Hilbert's curve, for many bodies at once. Part of the template
 * simd_walk.h; no include guard on purpose.
 *
 * The curve enters a cell in one of four directions: as it is, with x and y swapped (s), from the
 * opposite corner (c), or both. In quarter (x, y) its digit is 2 h + a with a = x ^ y and
 * h = x ^ s a ^ c; it swaps on in digits 0 and 3, and turns in digit 3. With n = 1 - y and in the
 * field of two numbers, the next direction is linear in the one before:
 *
 *     a = 0:  s' = s + c + n,  c' = c
 *     a = 1:  s' = c + n,      c' = s + n
 *
 * Linear maps can be composed in any grouping. So all directions follow from the bits of x and y by
 * a scan over 1, 2, 4 ... levels, whose words have a level a bit: u and v are what becomes of s = c
 * = 0. Matrices of two levels and more are f 1 + g W with W = (0 1; 1 1), W W = 1 + W. */

/* Composes 2 k levels from the k of each bit and the k above. */
#define HILBERT_SCAN(k)                               \
    do {                                              \
        const uint32_t fk = f >> (k), gk = g >> (k);  \
        const uint32_t uk = u >> (k), vk = v >> (k);  \
        u ^= (f & uk) ^ (g & vk);                     \
        v ^= (g & uk) ^ ((f ^ g) & vk);               \
        const uint32_t product = (f & fk) ^ (g & gk); \
        g = (f & gk) ^ (g & (fk ^ gk));               \
        f = product;                                  \
    } while (0)

/* Puts 0 between any two bits of x, of which the lower half may be set. */
#define SPREAD(x)                                     \
    do {                                              \
        (x) = ((x) | (x) << 16) & 0x0000ffff0000ffff; \
        (x) = ((x) | (x) << 8) & 0x00ff00ff00ff00ff;  \
        (x) = ((x) | (x) << 4) & 0x0f0f0f0f0f0f0f0f;  \
        (x) = ((x) | (x) << 2) & 0x3333333333333333;  \
        (x) = ((x) | (x) << 1) & 0x5555555555555555;  \
    } while (0)

/* Keys of `count` bodies at px, py. They have 2 FENG_MAX_DEPTH bits. */
SIMD_FUNCTION void SIMD(keys)(uint64_t *keys, const float *px, const float *py, uint32_t count,
                              const struct feng_square *square)
{
    const double left = square->corner[0], low = square->corner[1],
                 scale = square->width > 0 ? (double)(1u << FENG_MAX_DEPTH) / square->width : 0;
    const uint32_t mask = (1u << FENG_MAX_DEPTH) - 1;

#pragma omp simd
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t x = (uint32_t)(int32_t)(((double)px[k] - left) * scale);
        const uint32_t y = (uint32_t)(int32_t)(((double)py[k] - low) * scale);
        const uint32_t a = x ^ y, n = ~y & mask, a2 = a >> 1, u2 = n >> 1, v2 = (n & a) >> 1;
        uint32_t u = (u2 & ~a) ^ v2 ^ n, v = (u2 & a) ^ (v2 & ~a) ^ (n & a), f = ~a | a2,
                 g = a ^ a2;
        HILBERT_SCAN(2);
        HILBERT_SCAN(4);
        HILBERT_SCAN(8);
        HILBERT_SCAN(16);
        uint64_t high = x ^ (u >> 1 & a) ^ v >> 1, odd = a;
        SPREAD(high);
        SPREAD(odd);
        keys[k] = high << 1 | odd;
    }
}

#undef HILBERT_SCAN
#undef SPREAD
