/* SPDX-License-Identifier: MIT */
/* Leap-frog (kick, drift, kick), Fujiwara & Nakasato 2009, section III:
 *
 *     v_{i+1/2} = v_i + a_i dt/2                                         (1)
 *     x_{i+1}   = x_i + v_i dt + a_i dt^2/2 = x_i + v_{i+1/2} dt         (2)
 *     v_{i+1}   = v_{i+1/2} + a_{i+1} dt/2                               (3)
 *
 * Between two force evaluations (3) of one step and (1) and (2) of the next are one launch.
 *
 * With EULER positions move by the velocities from before the kicks: x_{i+1} = x_i + v_i dt,
 * v_{i+1} = v_i + a_i dt. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef EULER
#define EULER 0
#endif

/* Moves the n bodies from `first` on, whose velocities and accelerations are counted from there.
 * `closing`: dt/2 for (3), 0 before the first step; `opening`: dt/2 for (1), 0 after the last;
 * `dt`: for (2), 0 likewise. */
KERNEL GROUP_SIZE(BLOCK)
    leapfrog(GLOBAL float4 *RESTRICT body, GLOBAL float4 *RESTRICT velocity,
             GLOBAL const float4 *RESTRICT acc, i32 first, i32 n, float closing, float opening,
             float dt)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        const float4 a = acc[i];
        const float4 old = velocity[i];
        float4 v = old, x = body[first + i];
        v.x = FMA(a.x, opening, FMA(a.x, closing, v.x));
        v.y = FMA(a.y, opening, FMA(a.y, closing, v.y));
        v.z = FMA(a.z, opening, FMA(a.z, closing, v.z));
        x.x = FMA(EULER ? old.x : v.x, dt, x.x);
        x.y = FMA(EULER ? old.y : v.y, dt, x.y);
        x.z = FMA(EULER ? old.z : v.z, dt, x.z);
        velocity[i] = v;
        body[first + i] = x;
    }
}
