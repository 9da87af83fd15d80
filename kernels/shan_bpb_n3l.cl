/* SPDX-License-Identifier: MIT */
/* Box per block with Newton's third law (Shan & Lei 2012, section III C): every pair of near bodies
 * is evaluated once, by the box with the lower index, for both. The steps of section III C 2:
 *
 *   1  array A (x y mass) and array B (counterforces) in local memory
 *   2  each of the first n threads loads a body of the box into A
 *   3  thread t reads the bodies t + 1 ... n - 1 from A; force to d_acc in registers, counterforce
 *      to B; B to acc
 *   4  the next neighbour of the half list is loaded into A; B is zeroed, in step 2, too
 *   5  each of the first n threads reads all of A; as in step 3; B to acc
 *   6  from step 4 until no neighbour is left
 *   7  d_acc to acc
 *
 * Threads meet in B, so that updates of B are atomic; groups meet in acc, so that those of acc are
 * too, which the paper does not say. acc is zeroed before. In step 5 as written all threads read
 * the same body at the same time and meet at one address; with STAGGERED thread t begins at body t.
 * A box of more than BLOCK bodies is worked off in chunks of BLOCK: the later chunks of a box are
 * to an earlier one what a neighbour is.
 *
 * FORCES: acc sums forces, as the paper says, and not accelerations: a counterforce is then the
 * force with another sign, and shan_bpb_n3l_convert divides by the masses.
 *
 * ATOMIC: how floats are added. ATOMIC_NONE adds as if nobody else did: threads that meet lose each
 * other's forces, and the results are wrong. It is there for the time that such a program takes.
 * ATOMIC_FIXED makes sums of 64 bits in fixed point, whose result
 * does not depend on the order of the additions, and shan_bpb_n3l_convert makes floats of them. */
#ifndef BLOCK
#define BLOCK 512
#endif
#ifndef STAGGERED
#define STAGGERED 0
#endif
#define ATOMIC_CAS 0
#define ATOMIC_NATIVE 1
#define ATOMIC_FIXED 2
#define ATOMIC_NONE 3
#ifndef ATOMIC
#define ATOMIC ATOMIC_CAS
#endif
#ifndef FORCES
#define FORCES 0
#endif
#if FORCES
#define MEET PAIR2_FORCES
#else
#define MEET PAIR2_BOTH
#endif
#define NEIGHBOURS 8

/* A sum of x and y is SUM_WORDS words, `stride` apart: BLOCK in B, so that neighbouring bodies are
 * in neighbouring words, and 1 in acc. */
#define X0(at, stride) (at)
#define Y0(at, stride) ((at) + (stride))
#if ATOMIC == ATOMIC_FIXED
/* Low words of x and y, high words of x and y. Every sum times `scale` is below 2^62. */
#define SUM_WORDS 4
typedef u32 sum_word;
#define X1(at, stride) ((at) + 2 * (stride))
#define Y1(at, stride) ((at) + 3 * (stride))
#define ADD_WIDE(at, stride, vx, vy)                           \
    do {                                                       \
        ATOMIC_ADD_WIDE(X0(at, stride), X1(at, stride), (vx)); \
        ATOMIC_ADD_WIDE(Y0(at, stride), Y1(at, stride), (vy)); \
    } while (0)
#define ADD_LOCAL(at, vx, vy, scale) \
    ADD_WIDE(at, BLOCK, (i64)((vx) * (scale)), (i64)((vy) * (scale)))
#define ADD_GLOBAL(at, vx, vy, scale) ADD_WIDE(at, 1, (i64)((vx) * (scale)), (i64)((vy) * (scale)))
#define FLUSH(to, from)                                          \
    ADD_WIDE(to, 1, WIDE_OF(*X0(from, BLOCK), *X1(from, BLOCK)), \
             WIDE_OF(*Y0(from, BLOCK), *Y1(from, BLOCK)))
#else
#define SUM_WORDS 2
typedef float sum_word;
#if ATOMIC == ATOMIC_NATIVE
#define ADD_WORD_LOCAL ATOMIC_ADD_LOCAL_F32
#define ADD_WORD_GLOBAL ATOMIC_ADD_GLOBAL_F32
#elif ATOMIC == ATOMIC_NONE
/* A load, an addition and a store each: no compiler may join two of them. */
#define ADD_WORD_LOCAL(at, value) (*(volatile LOCAL_POINTER(float))(at) += (value))
#define ADD_WORD_GLOBAL(at, value) (*(volatile GLOBAL float *)(at) += (value))
#else
#define ADD_WORD_LOCAL ATOMIC_CAS_ADD_LOCAL_F32
#define ADD_WORD_GLOBAL ATOMIC_CAS_ADD_GLOBAL_F32
#endif
#define ADD_LOCAL(at, vx, vy, scale)         \
    do {                                     \
        ADD_WORD_LOCAL(X0(at, BLOCK), (vx)); \
        ADD_WORD_LOCAL(Y0(at, BLOCK), (vy)); \
    } while (0)
#define ADD_GLOBAL(at, vx, vy, scale)     \
    do {                                  \
        ADD_WORD_GLOBAL(X0(at, 1), (vx)); \
        ADD_WORD_GLOBAL(Y0(at, 1), (vy)); \
    } while (0)
#define FLUSH(to, from) ADD_GLOBAL(to, *X0(from, BLOCK), *Y0(from, BLOCK), 1.0f)
#endif

struct own {
    float x, y, m, ax, ay; /* ax, ay: d_acc */
};
typedef LOCAL_POINTER(const float) array_a;
typedef LOCAL_POINTER(sum_word) array_b;

/* Steps 3 and 5: the thread's body and the bodies from.. of the tile act on each other, beginning
 * `shift` further on. One loop for both steps, since PoCL 5.0 fails where different ones stand
 * between two barriers. */
INLINE void meet(struct own *own, array_a x, array_a y, array_a m, array_b b, i32 from, i32 count,
                 i32 shift, float eps2, float scale COUNT_PARAMETER(counts))
{
    for (i32 k = from; k < count; k++) {
        const i32 j = k + shift < count ? k + shift : k + shift - count;
        float bx = 0.0f, by = 0.0f;
        COUNT(counts, ORR_SR, 3);
        MEET(own->ax, own->ay, bx, by, own->x, own->y, own->m, x[j], y[j], m[j], eps2);
        COUNT(counts, ORR_CP, 1);
        COUNT(counts, ORR_RW, 2);
        COUNT(counts, ORR_AS, 2);
        ADD_LOCAL(b + j, bx, by, scale);
    }
}

#if ORRERY_COUNT
/* Lanes of the thread's warp among the first `active` threads that begin at the same body as it
 * does; in the own tile each begins at another one, and all go on in step. */
INLINE i32 lanes_at_its_body(i32 t, i32 active, i32 count)
{
    const i32 first = t / COUNT_WARP * COUNT_WARP, past = min(first + COUNT_WARP, active);
    i32 same = 0;

    for (i32 u = first; u < past; u++)
        same += !STAGGERED || u % count == t % count;
    return same;
}
#endif

/* acc: SUM_WORDS of a body each. list: the half list. scale: fixed-point units in a unit of
 * acceleration. */
KERNEL GROUP_SIZE(BLOCK)
    shan_bpb_n3l(GLOBAL const float4 *RESTRICT body, GLOBAL const i32 *RESTRICT start,
                 GLOBAL const i32 *RESTRICT list, GLOBAL sum_word *acc, float eps2,
                 float scale COUNT_ARGUMENT(totals))
{
    LOCAL float x[BLOCK], y[BLOCK], m[BLOCK];
    LOCAL sum_word b[SUM_WORDS * BLOCK];
    const i32 box = get_group_id(0), t = get_local_id(0);
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
        struct own own = {mine.x, mine.y, mine.z, 0.0f, 0.0f};

        /* The rest of the box itself, then its neighbours. */
        for (i32 k = -1; k < NEIGHBOURS; k++) {
            COUNT_IN(counts, k < 0 ? ORR_FATHER_BOX : ORR_NEIGHBOUR_BOX);
            const i32 other =
                k < 0 ? box : COUNTED(counts, ORR_IR, 1, list[NEIGHBOURS * box + k]);
            COUNT_WAIT(counts, ORR_DG, t, (k >= 0) + (other >= 0));
            const i32 from = k < 0       ? chunk
                             : other < 0 ? 0
                                         : COUNTED(counts, ORR_IR, 1, start[other]);
            const i32 to = other < 0 ? 0 : COUNTED(counts, ORR_IR, 1, start[other + 1]);
            for (i32 tile = from; tile < to; tile += BLOCK) {
                const i32 count = min(BLOCK, to - tile);
                COUNT_WAIT(counts, ORR_BA, t, 3);
                COUNT_WAIT(counts, ORR_DG, t, tile != chunk);
                COUNT_WAIT(counts, ORR_DF, t, 2);
                if (t < count) { /* steps 2 and 4 */
                    float4 one = mine;
                    if (tile != chunk)
                        one = COUNTED(counts, ORR_GR, 3, body[tile + t]);
                    COUNTED(counts, ORR_SW, 1, x[t] = one.x);
                    COUNTED(counts, ORR_SW, 1, y[t] = one.y);
                    COUNTED(counts, ORR_SW, 1, m[t] = one.z);
                    for (i32 w = 0; w < SUM_WORDS; w++)
                        b[w * BLOCK + t] = 0;
                    COUNT(counts, ORR_SW, 2);
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                if (active) {
                    const i32 own_tile = tile == chunk;
                    COUNT_WARP_LANES(counts, t, own_tile ? count - t - 1 : count);
                    COUNT_WAIT(counts, ORR_DP, t, own_tile ? count - 1 : count);
                    COUNT(counts, ORR_AD,
                          2 * (own_tile ? count - t - 1
                                        : count * lanes_at_its_body(t, min(BLOCK, last - chunk),
                                                                    count)));
                    meet(&own, x, y, m, b, own_tile ? t + 1 : 0, count,
                         STAGGERED && !own_tile ? t % count : 0, eps2, scale COUNT_PASS(counts));
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                if (t < count) {
                    COUNT(counts, ORR_SR, 2);
                    COUNT(counts, ORR_AG, 2);
                    FLUSH(acc + (i64)SUM_WORDS * (tile + t), b + t);
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
        COUNT_IN(counts, ORR_RETURN);
        COUNT_WAIT(counts, ORR_DF, t, 2);
        if (active) { /* step 7 */
            COUNT(counts, ORR_RR, 2);
            COUNT(counts, ORR_AG, 2);
            ADD_GLOBAL(acc + (i64)SUM_WORDS * i, own.ax, own.ay, scale);
        }
    }
    COUNT_FLUSH(counts, totals);
}

/* Accelerations of the sums, which with floats are acc itself. unit: of acceleration in a
 * fixed-point unit, else 1. */
KERNEL GROUP_SIZE(BLOCK)
    shan_bpb_n3l_convert(GLOBAL const sum_word *sums, GLOBAL const float4 *RESTRICT body,
                         GLOBAL float2 *acc, float unit, i32 n)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        GLOBAL const sum_word *const sum = sums + (i64)SUM_WORDS * i;
        const float factor = FORCES ? unit / body[i].z : unit;
#if ATOMIC == ATOMIC_FIXED
        acc[i] = MAKE_FLOAT2((float)WIDE_OF(sum[0], sum[2]) * factor,
                             (float)WIDE_OF(sum[1], sum[3]) * factor);
#else
        acc[i] = MAKE_FLOAT2(sum[0] * factor, sum[1] * factor);
#endif
    }
}
