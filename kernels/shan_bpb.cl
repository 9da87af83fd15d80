/* Box per block (Shan & Lei 2012, section III B): one group works for one box. The first n threads take its n bodies, one
 * each; the box itself and then each neighbour is loaded to local memory, one after another, and all of it acts on every
 * thread's body. A box of more than BLOCK bodies is worked off in chunks of BLOCK: as many rounds of threads, and as many
 * tiles in local memory. */
#ifndef BLOCK
#define BLOCK 512
#endif
#ifndef UNROLL_J
#define UNROLL_J 2
#endif
#define NEIGHBOURS 8
/* A tile's bodies, four to a read. */
#define FOURS ((BLOCK + 3) / 4)

struct own {
    float x, y, ax, ay;
};
typedef LOCAL_POINTER(const float4) fours;
typedef LOCAL_POINTER(const float) singles;

#define MEET(xj, yj, mj)                                                                                               \
    do {                                                                                                               \
        PAIR2(b->ax, b->ay, b->x, b->y, (xj), (yj), (mj), eps2);                                                       \
        COUNT(ORR_CP, 1);                                                                                              \
        COUNT(ORR_RW, 2);                                                                                              \
    } while (0)

/* All `count` bodies of a tile act on the thread's own, which is not among them. */
INLINE void meet_all(struct own *b, fours x, fours y, fours m, i32 count, float eps2 COUNT_PARAMETER)
{
    UNROLL_BY(UNROLL_J)
    for (i32 q = 0; q < count / 4; q++) {
        const float4 xs = COUNTED(ORR_SR, 4, x[q]), ys = COUNTED(ORR_SR, 4, y[q]), ms = COUNTED(ORR_SR, 4, m[q]);
        MEET(xs.x, ys.x, ms.x);
        MEET(xs.y, ys.y, ms.y);
        MEET(xs.z, ys.z, ms.z);
        MEET(xs.w, ys.w, ms.w);
    }
    for (i32 j = count / 4 * 4; j < count; j++) {
        COUNT(ORR_SR, 3);
        MEET(((singles)x)[j], ((singles)y)[j], ((singles)m)[j]);
    }
}

/* The same for the tile that holds the thread's own body at `self`: by index and not by distance, since two bodies at one
 * place do act on each other. */
INLINE void meet_others(struct own *b, singles x, singles y, singles m, i32 count, i32 self, float eps2 COUNT_PARAMETER)
{
    UNROLL_BY(4 * UNROLL_J)
    for (i32 k = 0; k < count - 1; k++) {
        const i32 j = k + (k >= self ? 1 : 0);
        COUNT(ORR_SR, 3);
        MEET(x[j], y[j], m[j]);
    }
}

KERNEL GROUP_SIZE_HINT(BLOCK)
    shan_bpb(GLOBAL const float4 *RESTRICT body, GLOBAL const i32 *RESTRICT start, GLOBAL const i32 *RESTRICT list,
             GLOBAL float2 *RESTRICT acc, float eps2 COUNT_ARGUMENT)
{
    LOCAL float4 x[FOURS], y[FOURS], m[FOURS];
    const i32 box = GROUP_ID(0), t = LOCAL_ID(0);
    const i32 first = start[box], last = start[box + 1];
    COUNT_STATE;

    for (i32 chunk = first; chunk < last; chunk += BLOCK) {
        const i32 i = chunk + t, active = i < last;
        float4 mine = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        COUNT_IN(ORR_FATHER_BOX);
        if (active)
            mine = COUNTED(ORR_GR, 3, body[i]);
        struct own b = {mine.x, mine.y, 0.0f, 0.0f};

        for (i32 k = -1, other = box; other >= 0; k++, other = k < NEIGHBOURS ? list[NEIGHBOURS * box + k] : -1) {
            const i32 to = start[other + 1];
            COUNT_IN(k < 0 ? ORR_FATHER_BOX : ORR_NEIGHBOUR_BOX);
            for (i32 tile = start[other]; tile < to; tile += BLOCK) {
                const i32 count = min(BLOCK, to - tile);
                float4 one = mine;
                if (tile != chunk && t < count)
                    one = COUNTED(ORR_GR, 3, body[tile + t]);
                BARRIER();
                if (t < count) {
                    COUNTED(ORR_SW, 1, ((LOCAL_POINTER(float))x)[t] = one.x);
                    COUNTED(ORR_SW, 1, ((LOCAL_POINTER(float))y)[t] = one.y);
                    COUNTED(ORR_SW, 1, ((LOCAL_POINTER(float))m)[t] = one.z);
                }
                BARRIER();
                if (active && tile == chunk)
                    meet_others(&b, (singles)x, (singles)y, (singles)m, count, t, eps2 COUNT_PASS);
                else if (active)
                    meet_all(&b, x, y, m, count, eps2 COUNT_PASS);
            }
        }
        COUNT_IN(ORR_RETURN);
        COUNT(ORR_RR, active ? 2 : 0);
        if (active)
            COUNTED(ORR_GW, 2, acc[i] = MAKE_FLOAT2(b.ax, b.ay));
    }
    COUNT_FLUSH();
}
