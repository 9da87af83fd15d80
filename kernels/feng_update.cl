/* SPDX-License-Identifier: MIT */
/* Update: the schemes of leapfrog.cl in the plane, with an array for each coordinate. */
#ifndef UPDATE_BLOCK
#define UPDATE_BLOCK 256
#endif
#ifndef EULER
#define EULER 0
#endif

/* v += a closing; v += a opening; x += v dt, with EULER by the v from before. */
INLINE void advance(GLOBAL float *x, GLOBAL float *v, float a, float closing, float opening,
                    float dt)
{
    const float speed = FMA(a, opening, FMA(a, closing, *v));
    *x = FMA(EULER ? *v : speed, dt, *x);
    *v = speed;
}

KERNEL GROUP_SIZE(UPDATE_BLOCK)
    feng_update(GLOBAL float *RESTRICT x, GLOBAL float *RESTRICT y, GLOBAL float *RESTRICT vel_x,
                GLOBAL float *RESTRICT vel_y, GLOBAL const float *RESTRICT acc_x,
                GLOBAL const float *RESTRICT acc_y, i32 n, float closing, float opening, float dt)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        advance(&x[i], &vel_x[i], acc_x[i], closing, opening, dt);
        advance(&y[i], &vel_y[i], acc_y[i], closing, opening, dt);
    }
}
