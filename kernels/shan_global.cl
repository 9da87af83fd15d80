/* SPDX-License-Identifier: MIT */
/* The two mappings that Shan & Lei 2012, section I, name beside the box per block: box per thread
 * (BPT) and particle per thread (PPT). The paper does not describe them; read here as their names
 * say, without local memory: every thread takes the bodies it meets straight from global memory
 * through the caches, and keeps the sum of the body it works for in registers. Neither needs an
 * array beyond the paper's four: a thread of PPT finds its body's box by bisection. */
#ifndef BLOCK
#define BLOCK 64
#endif
#define NEIGHBOURS 8

struct own {
    float x, y, ax, ay;
};

/* Bodies from..to act on the thread's own. */
INLINE void meet(struct own *b, GLOBAL const float4 *body, i32 from, i32 to,
                 float eps2 COUNT_PARAMETER(counts))
{
    UNROLL_BY(4)
    for (i32 j = from; j < to; j++) {
        const float4 other = COUNTED(counts, ORR_GR, 3, body[j]);
        PAIR2(b->ax, b->ay, b->x, b->y, other.x, other.y, other.z, eps2);
        COUNT(counts, ORR_CP, 1);
        COUNT(counts, ORR_RW, 2);
    }
}

/* The near-field force on body i of box `box`. */
INLINE float2 near_field(GLOBAL const float4 *body, GLOBAL const i32 *start, GLOBAL const i32 *list,
                         i32 box, i32 i, float eps2 COUNT_PARAMETER(counts))
{
    COUNT_IN(counts, ORR_FATHER_BOX);
    const float4 one = COUNTED(counts, ORR_GR, 3, body[i]);
    struct own b = {one.x, one.y, 0.0f, 0.0f};

    COUNT(counts, ORR_IR, 2);
    COUNT_WAIT(counts, ORR_DG, get_local_id(0), 3);
    COUNT_WAIT(counts, ORR_DP, get_local_id(0), start[box + 1] - start[box] - 1);
    meet(&b, body, start[box], i, eps2 COUNT_PASS(counts));
    meet(&b, body, i + 1, start[box + 1], eps2 COUNT_PASS(counts));
    COUNT_IN(counts, ORR_NEIGHBOUR_BOX);
    for (i32 k = 0; k < NEIGHBOURS; k++) {
        const i32 other = COUNTED(counts, ORR_IR, 1, list[NEIGHBOURS * box + k]);
        COUNT_WAIT(counts, ORR_DG, get_local_id(0), 1);
        if (other < 0)
            break;
        COUNT(counts, ORR_IR, 2);
        COUNT_WAIT(counts, ORR_DG, get_local_id(0), 2);
        COUNT_WAIT(counts, ORR_DP, get_local_id(0), start[other + 1] - start[other]);
        meet(&b, body, start[other], start[other + 1], eps2 COUNT_PASS(counts));
    }
    COUNT_IN(counts, ORR_RETURN);
    COUNT(counts, ORR_RR, 2);
    return MAKE_FLOAT2(b.ax, b.ay);
}

/* One thread a box: 4^level threads, as uneven as the boxes are. */
KERNEL GROUP_SIZE(BLOCK)
    shan_bpt(GLOBAL const float4 *RESTRICT body, GLOBAL const i32 *RESTRICT start,
             GLOBAL const i32 *RESTRICT list, GLOBAL float2 *RESTRICT acc, float eps2,
             i32 boxes COUNT_ARGUMENT(totals))
{
    COUNT_STATE(counts);
    const i32 box = get_global_id(0);

    if (box < boxes) {
        const i32 first = COUNTED(counts, ORR_IR, 1, start[box]),
                  last = COUNTED(counts, ORR_IR, 1, start[box + 1]);
        for (i32 i = first; i < last; i++) {
            const float2 sum = near_field(body, start, list, box, i, eps2 COUNT_PASS(counts));
            COUNT_IN(counts, ORR_RETURN);
            COUNTED(counts, ORR_GW, 2, acc[i] = sum);
        }
    }
    COUNT_FLUSH(counts, totals);
}

/* The box of body i: the last one that starts at or before it. */
INLINE i32 box_of(GLOBAL const i32 *start, i32 boxes, i32 i COUNT_PARAMETER(counts))
{
    i32 low = 0, high = boxes;

    while (high - low > 1) {
        const i32 middle = (low + high) / 2;
        COUNT_WAIT(counts, ORR_DG, get_local_id(0), 1);
        if (COUNTED(counts, ORR_IR, 1, start[middle]) <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* One thread a body. */
KERNEL GROUP_SIZE(BLOCK)
    shan_ppt(GLOBAL const float4 *RESTRICT body, GLOBAL const i32 *RESTRICT start,
             GLOBAL const i32 *RESTRICT list, GLOBAL float2 *RESTRICT acc, float eps2,
             i32 boxes COUNT_ARGUMENT(totals))
{
    COUNT_STATE(counts);
    const i32 i = get_global_id(0);

    COUNT_WAIT(counts, ORR_NG, get_local_id(0), 1);
    COUNT_WAIT(counts, ORR_DG, get_local_id(0), 1);
    if (i < COUNTED(counts, ORR_IR, 1, start[boxes])) {
        const i32 box = box_of(start, boxes, i COUNT_PASS(counts));
        const float2 sum = near_field(body, start, list, box, i, eps2 COUNT_PASS(counts));
        COUNT_IN(counts, ORR_RETURN);
        COUNTED(counts, ORR_GW, 2, acc[i] = sum);
    }
    COUNT_FLUSH(counts, totals);
}
