/* SPDX-License-Identifier: MIT */
/* Bodies from the order of the input to the Z-order, and accelerations back: order[k - first] is
 * the body of the input that is the k-th along the curve. A device does this faster than bytes
 * arrive. And bodies that ranks send each other, packed: index[k] is the place of the k-th along
 * the curve. */
#ifndef BLOCK
#define BLOCK 64
#endif

KERNEL GROUP_SIZE(BLOCK)
    shan_order(GLOBAL const float *RESTRICT x, GLOBAL const float *RESTRICT y,
               GLOBAL const float *RESTRICT mass, GLOBAL const u32 *RESTRICT order,
               GLOBAL float4 *RESTRICT body, i32 first, i32 last)
{
    const i32 k = first + (i32)get_global_id(0);

    if (k < last) {
        const u32 i = order[k - first];
        body[k] = MAKE_FLOAT4(x[i], y[i], mass[i], 0.0f);
    }
}

KERNEL GROUP_SIZE(BLOCK)
    shan_order_back(GLOBAL const float2 *RESTRICT acc, GLOBAL const u32 *RESTRICT order,
                    GLOBAL float *RESTRICT ax, GLOBAL float *RESTRICT ay, i32 first, i32 last)
{
    const i32 k = first + (i32)get_global_id(0);

    if (k < last) {
        const u32 i = order[k - first];
        const float2 a = acc[k];
        ax[i] = a.x;
        ay[i] = a.y;
    }
}

KERNEL GROUP_SIZE(BLOCK)
    shan_pack(GLOBAL const float4 *RESTRICT body, GLOBAL const u32 *RESTRICT index,
              GLOBAL float4 *RESTRICT out, i32 count)
{
    const i32 k = get_global_id(0);

    if (k < count)
        out[k] = body[index[k]];
}

KERNEL GROUP_SIZE(BLOCK)
    shan_unpack(GLOBAL const float4 *RESTRICT in, GLOBAL const u32 *RESTRICT index,
                GLOBAL float4 *RESTRICT body, i32 count)
{
    const i32 k = get_global_id(0);

    if (k < count)
        body[index[k]] = in[k];
}
