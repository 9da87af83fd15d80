/* SPDX-License-Identifier: MIT */
/* Box per block (Shan & Lei 2012, section III B): one group works for one box. The first n threads
 * take its n bodies, one each; the box itself and then each neighbour is loaded to local memory,
 * one after another, and all of it acts on every thread's body. A box of more than BLOCK bodies is
 * worked off in chunks of BLOCK: as many rounds of threads, and as many tiles in local memory.
 *
 * Array and loop are those of shan_bpb_n3l.cl, so that the two differ in the third law alone;
 * shan_bpb_tuned.cl is the faster one. */
#ifndef BLOCK
#define BLOCK 512
#endif
#define NEIGHBOURS 8

struct own {
    float x, y, ax, ay;
};
typedef LOCAL_POINTER(const float) array_a;

#if ORRERY_COUNT
/* Lanes of the thread's warp among the first `active` threads. */
INLINE i32 lanes_of(i32 t, i32 active)
{
    return min(COUNT_WARP, active - t / COUNT_WARP * COUNT_WARP);
}
#endif

/* Bodies from..to of the array act on the thread's own. */
INLINE void meet(struct own *own, array_a x, array_a y, array_a m, i32 from, i32 to,
                 float eps2 COUNT_PARAMETER(counts))
{
    for (i32 j = from; j < to; j++) {
        COUNT(counts, ORR_SR, 3);
        PAIR2(own->ax, own->ay, own->x, own->y, x[j], y[j], m[j], eps2);
        COUNT(counts, ORR_CP, 1);
        COUNT(counts, ORR_RW, 2);
    }
}

KERNEL GROUP_SIZE(BLOCK)
    shan_box_per_block(GLOBAL const float4 *RESTRICT body, GLOBAL const i32 *RESTRICT start,
                       GLOBAL const i32 *RESTRICT list, GLOBAL float2 *RESTRICT acc, i32 first_box,
                       float eps2 COUNT_ARGUMENT(totals))
{
    LOCAL float x[BLOCK], y[BLOCK], m[BLOCK];
    const i32 box = first_box + (i32)get_group_id(0), t = get_local_id(0);
    COUNT_STATE(counts);
    COUNT_IN(counts, ORR_FATHER_BOX);
    COUNT_WAIT(counts, ORR_NG, t, 1);
    COUNT_WAIT(counts, ORR_DG, t, 1);
    const i32 first = COUNTED(counts, ORR_IR, 1, start[box]),
              last = COUNTED(counts, ORR_IR, 1, start[box + 1]);

    for (i32 chunk = first; chunk < last; chunk += BLOCK) {
        const i32 i = chunk + t, active = i < last;
        float4 mine = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        COUNT_IN(counts, ORR_FATHER_BOX);
        COUNT_WAIT(counts, ORR_DG, t, 1);
        if (active)
            mine = COUNTED(counts, ORR_GR, 3, body[i]);
        struct own own = {mine.x, mine.y, 0.0f, 0.0f};

        /* The box itself, then its neighbours. */
        for (i32 k = -1; k < NEIGHBOURS; k++) {
            COUNT_IN(counts, k < 0 ? ORR_FATHER_BOX : ORR_NEIGHBOUR_BOX);
            const i32 other =
                k < 0 ? box : COUNTED(counts, ORR_IR, 1, list[NEIGHBOURS * box + k]);
            COUNT_WAIT(counts, ORR_DG, t, (k >= 0) + (other >= 0));
            const i32 from = other < 0 ? 0 : COUNTED(counts, ORR_IR, 1, start[other]);
            const i32 to = other < 0 ? 0 : COUNTED(counts, ORR_IR, 1, start[other + 1]);
            for (i32 tile = from; tile < to; tile += BLOCK) {
                const i32 count = min(BLOCK, to - tile);
                COUNT_WAIT(counts, ORR_BA, t, 2);
                COUNT_WAIT(counts, ORR_DG, t, tile != chunk);
                barrier(CLK_LOCAL_MEM_FENCE);
                if (t < count) {
                    float4 one = mine;
                    if (tile != chunk)
                        one = COUNTED(counts, ORR_GR, 3, body[tile + t]);
                    COUNTED(counts, ORR_SW, 1, x[t] = one.x);
                    COUNTED(counts, ORR_SW, 1, y[t] = one.y);
                    COUNTED(counts, ORR_SW, 1, m[t] = one.z);
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                if (active) {
                    /* A body is left out by index and not by distance: two bodies at one place do
                     * act on each other. */
                    const i32 self = tile == chunk ? t : count;
                    /* A warp goes on until the last of its lanes is done with either loop. */
#if ORRERY_COUNT
                    const i32 turns = tile == chunk
                                          ? count + lanes_of(t, min(BLOCK, last - chunk)) - 2
                                          : count;
                    COUNT_WARP_LANES(counts, t, turns);
                    COUNT_WAIT(counts, ORR_DP, t, turns);
#endif
                    meet(&own, x, y, m, 0, self, eps2 COUNT_PASS(counts));
                    meet(&own, x, y, m, self + 1, count, eps2 COUNT_PASS(counts));
                }
            }
        }
        COUNT_IN(counts, ORR_RETURN);
        COUNT(counts, ORR_RR, active ? 2 : 0);
        if (active)
            COUNTED(counts, ORR_GW, 2, acc[i] = MAKE_FLOAT2(own.ax, own.ay));
    }
    COUNT_FLUSH(counts, totals);
}
