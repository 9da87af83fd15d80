/* SPDX-License-Identifier: MIT */
/* What error the groups of kernels/gaburov_modern_walk.cl may make: a share of their bodies'
 * acceleration, as in Springel 2005 (MNRAS 364, 1105) and Dehnen 2014 (Comput. Astrophys. Cosmol.
 * 1, 1). One error for all, as gaburov_modern.cl gives to cells, is more than needed where bodies
 * fall fast, and too much where they do not.
 *
 * Since distances go with its fifth root, a factor of two in the acceleration does not matter: it
 * is that in the middle of a box by the masses of runs of bodies along the curve, at their centres,
 * as if spread over their boxes. */
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef QUADRUPOLE
#define QUADRUPOLE 1
#endif
#ifndef ENTRY
#define ENTRY 4 /* float4 of an entry of the pyramid (gaburov_modern.cl) */
#endif
#include "gaburov_expansion.h"

/* So much of the sum of all terms' magnitudes is the acceleration at least, even where terms
 * cancel. */
#define LEAST_PULL 0.05f
/* The acceleration, in terms of M / r^2 for all bodies M at their root mean square distance r, at
 * which theta means what it does without pulls. */
#define MEAN_PULL 1.5f
#define MOST_RATIO 1e5f

/* Adds the acceleration at (x, y, z) by an entry of the pyramid; in w its magnitude. */
INLINE float4 add_pull(float4 sum, GLOBAL const float4 *entry, float x, float y, float z,
                       float eps2)
{
    const float4 com = entry[0], low = entry[2], high = entry[3];
    const float dx = com.x - x, dy = com.y - y, dz = com.z - z;
    const float reach = 0.5f * max(high.x - low.x, max(high.y - low.y, high.z - low.z));
    const float square = FMA(dx, dx, FMA(dy, dy, FMA(dz, dz, FMA(reach, reach, eps2))));
    const float u = RSQRT_OR_ZERO(square), g = com.w * u * u;

    return MAKE_FLOAT4(FMA(g * u, dx, sum.x), FMA(g * u, dy, sum.y), FMA(g * u, dz, sum.z),
                       sum.w + g);
}

/* The factors, of cells' reaches and of the distances from which they act by a field, for an
 * acceleration: the 1 / (p + 2) and 2 / 7 powers of how much less it is than the system's, whose
 * entry of the pyramid `whole` is. */
INLINE float2 factors(float4 sum, GLOBAL const float4 *whole)
{
    const float square = FMA(sum.x, sum.x, FMA(sum.y, sum.y, sum.z * sum.z));
    const float pull = max(square * RSQRT_OR_ZERO(square), LEAST_PULL * sum.w);
    const float mass = whole[0].w, spread = whole[1].x + whole[1].y + whole[1].z;
    const float ratio =
        pull > 0.0f && spread > 0.0f ? MEAN_PULL * mass / pull * mass / spread : 1.0f;
    const float x = ratio > 1.0f / MOST_RATIO ? min(ratio, MOST_RATIO) : 1.0f / MOST_RATIO;

    return MAKE_FLOAT2(expansion_power(x, QUADRUPOLE ? 0.2f : 0.25f),
                       expansion_power(x, 2.0f / 7.0f));
}

/* pulls: the factors for each of the boxes whose low corners are boxes[first],
 * boxes[first + stride] and so on, the high ones behind them, by `count` entries of the pyramid
 * from `from` on, of which one is left out after each `run`. Entry `top` of `whole` is of all
 * bodies. A group a box. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_pulls(GLOBAL const float4 *RESTRICT boxes, GLOBAL const float4 *RESTRICT sources,
                  GLOBAL const float4 *RESTRICT whole, GLOBAL float2 *RESTRICT pulls, i32 first,
                  i32 stride, i32 from, i32 count, i32 run, i32 top, float eps2)
{
    const i32 t = get_local_id(0), box = get_group_id(0);
    LOCAL float4 sums[BLOCK];
    const float4 low = boxes[first + stride * box], high = boxes[first + stride * box + 1];
    const float x = 0.5f * low.x + 0.5f * high.x, y = 0.5f * low.y + 0.5f * high.y,
                z = 0.5f * low.z + 0.5f * high.z;
    float4 sum = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);

    for (i32 k = t; k < count; k += BLOCK)
        sum = add_pull(sum, sources + ENTRY * (from + k + k / run), x, y, z, eps2);
    sums[t] = sum;
    for (i32 step = BLOCK / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < step) {
            const float4 a = sums[t], b = sums[t + step];
            sums[t] = MAKE_FLOAT4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        pulls[box] = factors(sums[0], whole + ENTRY * top);
}
