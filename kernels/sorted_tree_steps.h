/* SPDX-License-Identifier: MIT */
/* What the kernels of sorted_tree.cl and of sorted_tree_small.cl share. */
#include "sorted_keys.h"
#include "boxes.h"

/* The root cube: its lowest corner and its side, a millionth longer than the bodies' extent, so
 * that none lies on the far edge. */
INLINE float4 root_of(float4 low, float4 high)
{
    const float x = high.x - low.x, y = high.y - low.y, z = DIMENSIONS > 2 ? high.z - low.z : 0.0f;
    const float widest = max(x, max(y, z));

    return MAKE_FLOAT4(low.x, low.y, low.z, widest * 1.000001f);
}

/* The cube of the grid that x lies in, counted from `low`. The rounding errors of difference and
 * product are carried along: single precision alone has 24 levels, fewer far from the origin. */
INLINE u32 place(float x, float low, float scale, i32 cubes)
{
    const float far = x - low, back = far - x;
    const float far_error = (x - (far - back)) - (low + back);
    const float product = far * scale,
                product_error = FMA(far, scale, -product) + far_error * scale;
    const i32 whole = (i32)product;
    const float rest = (product - (float)whole) + product_error;
    const i32 at = whole + (i32)rest - (rest < 0.0f ? 1 : 0);

    return (u32)min(max(at, 0), cubes - 1);
}

/* Bit k of x becomes bit DIMENSIONS k. */
INLINE u64 spread(u32 x)
{
    u64 bits = x;

#if DIMENSIONS == 2
    bits = (bits | bits << 16) & 0x0000ffff0000fffful;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00fful;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0ful;
    bits = (bits | bits << 2) & 0x3333333333333333ul;
    return (bits | bits << 1) & 0x5555555555555555ul;
#else
    bits = (bits | bits << 32) & 0x001f00000000fffful;
    bits = (bits | bits << 16) & 0x001f0000ff0000fful;
    bits = (bits | bits << 8) & 0x100f00f00f00f00ful;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3ul;
    return (bits | bits << 2) & 0x1249249249249249ul;
#endif
}

/* Skilling 2004 ("Programming the Hilbert curve"): DIMENSIONS bits a level, from the coarsest
 * on. `at` is used up. The turns of the last axis add up to a running exclusive or: five steps
 * instead of one a level. */
INLINE u64 hilbert(u32 at[3], i32 levels)
{
    u64 key = 0;

    for (i32 level = levels - 1; level > 0; level--) {
        const u32 below = (1u << level) - 1u;
        UNROLL
        for (i32 d = 0; d < DIMENSIONS; d++) {
            const u32 differ = (at[0] ^ at[d]) & below, here = at[d] >> level & 1;
            at[0] ^= here ? below : differ;
            at[d] ^= here ? 0u : differ;
        }
    }
    UNROLL
    for (i32 d = 1; d < DIMENSIONS; d++)
        at[d] ^= at[d - 1];
    u32 turned = at[DIMENSIONS - 1] >> 1;
    UNROLL
    for (i32 by = 1; by < 32; by *= 2)
        turned ^= turned >> by;
    UNROLL
    for (i32 d = 0; d < DIMENSIONS; d++)
        key = key << 1 | spread(at[d] ^ turned);
    return key;
}

/* All keys are 0 where the root's side is 0 or out of range for single precision: one leaf holds
 * all bodies. */
INLINE u64 key_of(float4 one, float4 cube, i32 levels)
{
    const i32 cubes = 1 << levels;
    const float scale = (float)cubes / cube.w;
    const i32 usable = cube.w > 0.0f && cube.w < 1e38f && scale > 0.0f && scale < 1e38f;
    u32 at[3];

    at[0] = place(one.x, cube.x, scale, cubes);
    at[1] = place(one.y, cube.y, scale, cubes);
    at[2] = place(one.z, cube.z, scale, cubes);
    return usable ? hilbert(at, levels) : 0;
}

/* Depths of the first and the last (a leaf) of the cells that begin with a body; none if first >
 * last. */
#define FIRST_OF(depths) ((depths) & 255)
#define LAST_OF(depths) ((depths) >> 8)

/* A function, for keys in one kind of memory: the body behind the last one that agrees with body i
 * in `depth` levels, by doubling steps, then bisection. */
#define TREE_END_OF(name, space)                                                   \
    INLINE i32 name(space const u64 *key, i32 i, i32 depth, i32 n, i32 levels)     \
    {                                                                              \
        const i32 shift = DIMENSIONS * (levels - depth);                           \
        const u64 prefix = key[i] >> shift;                                        \
        i32 reach = 1;                                                             \
                                                                                   \
        while (reach < n - i && key[i + reach] >> shift == prefix)                 \
            reach *= 2;                                                            \
        i32 inside = i + reach / 2, outside = min(reach, n - i) + i;               \
        while (outside - inside > 1) {                                             \
            const i32 middle = inside + (outside - inside) / 2;                    \
            if (key[middle] >> shift == prefix)                                    \
                inside = middle;                                                   \
            else                                                                   \
                outside = middle;                                                  \
        }                                                                          \
        return outside;                                                            \
    }
