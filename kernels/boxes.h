/* SPDX-License-Identifier: MIT */
/* Corners of boxes; w is not used. */
INLINE float4 lowest(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, 0.0f);
}

INLINE float4 highest(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, 0.0f);
}

/* Corners of a box around nothing: the lowest of these, the highest of minus these. */
#define NOWHERE 3.4e38f

#ifdef BLOCK
/* low[0] and high[0] become the corners of the box around the group's BLOCK boxes. */
INLINE void around_group(LOCAL_POINTER(float4) low, LOCAL_POINTER(float4) high)
{
    const i32 t = get_local_id(0);

    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < reach) {
            low[t] = lowest(low[t], low[t + reach]);
            high[t] = highest(high[t], high[t + reach]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif
