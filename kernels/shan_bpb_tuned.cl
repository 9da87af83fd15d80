/* SPDX-License-Identifier: MIT */
/* Box per block as in shan_bpb.cl, tuned: tiles are read four bodies at a time, the inner loop is
 * unrolled, and only a stretch of a group's own tile is met body by body. */
#ifndef BLOCK
#define BLOCK 512
#endif
/* Reads in a pass of the inner loop. Two compilers, two optima: on an H200 at 512 bodies a box
 * NVRTC reaches 2.47e12 interactions/s with 2 and 2.45e12 with 4, NVIDIA's OpenCL 2.45e12
 * and 2.51e12. */
#ifndef UNROLL_J
#ifdef ORR_CUDA
#define UNROLL_J 2
#else
#define UNROLL_J 4
#endif
#endif
#define NEIGHBOURS 8
/* A tile's bodies, four to a read. */
#define FOURS ((BLOCK + 3) / 4)

/* Of the tile that holds a thread's own body, the stretch of so many bodies in which it lies is met
 * one by one: the same for all threads of a warp, so that they stay in step. */
#define STRETCH 32

struct own {
    float x, y, ax, ay;
};
/* x, y and mass of a tile's bodies, FOURS apart. */
typedef LOCAL_POINTER(const float4) fours;
typedef LOCAL_POINTER(const float) singles;
#define X(at) (at)
#define Y(at) ((at) + FOURS)
#define M(at) ((at) + 2 * FOURS)
#define SINGLE(array, j) (((singles)(array))[j])

#define MEET(b, xj, yj, mj, eps2) \
    PAIR2((b)->ax, (b)->ay, (b)->x, (b)->y, (xj), (yj), (mj), eps2)

/* Bodies from..to of a tile act on the thread's own, which is not among them. `from` is a multiple
 * of 4, or `to`. */
INLINE void meet_all(struct own *b, fours tile, i32 from, i32 to, float eps2)
{
    UNROLL_BY(UNROLL_J)
    for (i32 q = from / 4; q < to / 4; q++) {
        const float4 x = X(tile)[q];
        const float4 y = Y(tile)[q];
        const float4 m = M(tile)[q];
        MEET(b, x.x, y.x, m.x, eps2);
        MEET(b, x.y, y.y, m.y, eps2);
        MEET(b, x.z, y.z, m.z, eps2);
        MEET(b, x.w, y.w, m.w, eps2);
    }
    UNROLL_BY(1)
    for (i32 j = max(from, to / 4 * 4); j < to; j++)
        MEET(b, SINGLE(X(tile), j), SINGLE(Y(tile), j), SINGLE(M(tile), j), eps2);
}

/* The same where the thread's own body is number `self`, by index and not by distance: two bodies
 * at one place do act on each other. */
INLINE void meet_others(struct own *b, fours tile, i32 from, i32 to, i32 self, float eps2)
{
    UNROLL_BY(4)
    for (i32 k = from; k < to - 1; k++) {
        const i32 j = k + (k >= self ? 1 : 0);
        MEET(b, SINGLE(X(tile), j), SINGLE(Y(tile), j), SINGLE(M(tile), j), eps2);
    }
}

KERNEL GROUP_SIZE(BLOCK)
    shan_bpb_tuned(GLOBAL const float4 *RESTRICT body, GLOBAL const i32 *RESTRICT start,
                   GLOBAL const i32 *RESTRICT list, GLOBAL float2 *RESTRICT acc, i32 first_box,
                   float eps2)
{
    LOCAL float4 bodies[3 * FOURS];
    const i32 box = first_box + (i32)get_group_id(0), t = get_local_id(0);
    const i32 first = start[box], last = start[box + 1];

    for (i32 chunk = first; chunk < last; chunk += BLOCK) {
        const i32 i = chunk + t, active = i < last;
        float4 mine = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        if (active)
            mine = body[i];
        struct own b = {mine.x, mine.y, 0.0f, 0.0f};

        for (i32 k = -1; k < NEIGHBOURS; k++) { /* the box itself, then its neighbours */
            const i32 other = k < 0 ? box : list[NEIGHBOURS * box + k];
            const i32 from = other < 0 ? 0 : start[other], to = other < 0 ? 0 : start[other + 1];
            for (i32 tile = from; tile < to; tile += BLOCK) {
                const i32 count = min(BLOCK, to - tile);
                float4 one = mine;
                if (tile != chunk && t < count)
                    one = body[tile + t];
                barrier(CLK_LOCAL_MEM_FENCE);
                if (t < count) {
                    ((LOCAL_POINTER(float))X(bodies))[t] = one.x;
                    ((LOCAL_POINTER(float))Y(bodies))[t] = one.y;
                    ((LOCAL_POINTER(float))M(bodies))[t] = one.z;
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                if (active) {
                    const i32 near = tile == chunk ? t / STRETCH * STRETCH : count;
                    const i32 past = min(near + STRETCH, count);
                    meet_all(&b, bodies, 0, near, eps2);
                    meet_others(&b, bodies, near, past, t, eps2);
                    meet_all(&b, bodies, past, count, eps2);
                }
            }
        }
        if (active)
            acc[i] = MAKE_FLOAT2(b.ax, b.ay);
    }
}
