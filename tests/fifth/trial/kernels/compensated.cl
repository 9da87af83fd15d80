/* SPDX-License-Identifier: MIT */
/* The direct sum with compensated or (COMPENSATED=0) plain additions, a thread a body. Arrays are
 * padded to whole groups. */
#include "kahan.h"

#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef COMPENSATED
#define COMPENSATED 1
#endif

KERNEL GROUP_SIZE(BLOCK) compensated(GLOBAL const float4 *RESTRICT body,
                                     GLOBAL float4 *RESTRICT acc, float eps2, i32 n)
{
    const i32 i = get_global_id(0);
    const float4 own = body[i];
    float x = 0.0f, y = 0.0f, z = 0.0f, phi = 0.0f;
#if COMPENSATED
    float lost_x = 0.0f, lost_y = 0.0f, lost_z = 0.0f, lost_phi = 0.0f;
#endif

    for (i32 j = 0; j < n; j++) {
        const float4 other = body[j];

        if (j == i)
            continue;
#if COMPENSATED
        float one_x = 0.0f, one_y = 0.0f, one_z = 0.0f, one_phi = 0.0f;
        PAIR(one_x, one_y, one_z, one_phi, own.x, own.y, own.z, other.x, other.y, other.z, other.w,
             eps2);
        KAHAN_ADD(x, lost_x, one_x);
        KAHAN_ADD(y, lost_y, one_y);
        KAHAN_ADD(z, lost_z, one_z);
        KAHAN_ADD(phi, lost_phi, one_phi);
#else
        PAIR(x, y, z, phi, own.x, own.y, own.z, other.x, other.y, other.z, other.w, eps2);
#endif
    }
    acc[i] = MAKE_FLOAT4(x, y, z, phi);
}
