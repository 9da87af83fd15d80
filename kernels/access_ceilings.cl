/* SPDX-License-Identifier: MIT */
/* What each kind of access and operation costs: one kernel a kind, timed by
 * measure/access_kernels.c with all of the device's warps busy, so that the rate is of throughput
 * and not of latency; and kernels of one chain, access_lone_..., with one group a multiprocessor,
 * whose steps wait for each other.
 *
 * Work-items make `loops` passes, each of STEPS independent accesses or operations, and write what
 * came of them to `out`, where it is compared with what must have. Nothing can be left out or moved
 * out of the loop: `turn`, `shift` and `one` are known at run time only, and addresses or values
 * change with every pass. -DSKIP=k leaves out step k of every pass, to see that it is noticed. */
#ifndef SKIP
#define SKIP -1
#endif

#define GROUP 256
#define LANES 32 /* of a warp, or neighbouring work-items */
#define STEPS 8
#define LOADS 32  /* steps of a pass of loads */
#define SLOTS 8   /* independent chains of one work-item */
#define ROWS 9    /* STEPS, and one more since passes begin at row 0 and 1 in turn */
#define TILE 2048 /* words */

#define ARGUMENTS                                                                           \
    GLOBAL u32 *RESTRICT out, GLOBAL u32 *data, i32 loops, i32 shift, i32 turn, i32 blocks, \
        u32 one

/* --- operations --- */

INLINE float mean_of(real x)
{
    return REAL_SUM(x) / (float)VECTOR;
}

/* A chain of n additions of 1 is at n more than where it began, exactly up to 2^24. */
INLINE u32 add_chains(i32 loops, u32 one)
{
    const real d = REAL((float)one);
    real x[SLOTS], apart = REAL(0.0f);

    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        x[s] = REAL((float)s);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++) {
            UNROLL
            for (i32 s = 0; s < SLOTS; s++)
                if (j != SKIP)
                    x[s] = x[s] + d;
        }
    }
    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        apart += (x[s] - REAL((float)s) - x[0]) * (x[s] - REAL((float)s) - x[0]);
    return as_uint(mean_of(x[0] + apart));
}

KERNEL GROUP_SIZE(GROUP) access_add(ARGUMENTS)
{
    const i32 i = get_global_id(0);
    out[i] = add_chains(loops, one);
}
/* A warp by itself issues them no faster. */
KERNEL GROUP_SIZE(LANES) access_lone_issue(ARGUMENTS)
{
    const i32 i = get_global_id(0);
    out[i] = add_chains(loops, one);
}

/* x -> 1 x + 1 counts, too. */
KERNEL GROUP_SIZE(LANES) access_lone_fma(ARGUMENTS)
{
    const float c = (float)one, d = c;
    const i32 i = get_global_id(0);
    float x = 0.0f;

    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++)
            if (j != SKIP)
                x = FMA(x, c, d);
    }
    out[i] = as_uint(x);
}

KERNEL GROUP_SIZE(LANES) access_lone_rsqrt(ARGUMENTS)
{
    const float d = 0.5f * (float)one;
    const i32 i = get_global_id(0);
    float x = 1.0f;

    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++)
            x = j == SKIP ? x + d : RSQRT(x) + d;
    }
    out[i] = as_uint(x);
}

/* Doubled and halved in turn, with another sign after each pass: -1 times what it was after an odd
 * number of passes. */
KERNEL GROUP_SIZE(GROUP) access_mul(ARGUMENTS)
{
    const real c = REAL((float)(one + 1)), back = REAL(0.5f * (float)one);
    real x[SLOTS], apart = REAL(0.0f);

    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        x[s] = REAL(1.0f + 0.125f * (float)s);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++) {
            const real by = j == STEPS - 1 ? -back : j % 2 ? back : c;
            UNROLL
            for (i32 s = 0; s < SLOTS; s++)
                if (j != SKIP)
                    x[s] = x[s] * by;
        }
    }
    UNROLL
    for (i32 s = 0; s < SLOTS; s++) {
        const real off = x[s] + REAL(1.0f + 0.125f * (float)s);
        apart += off * off;
    }
    const i32 i = get_global_id(0);
    out[i] = as_uint(1.0f + mean_of(apart));
}

/* x -> 1 / sqrt(x) + 1/2 goes to where both are equal. */
KERNEL GROUP_SIZE(GROUP) access_rsqrt(ARGUMENTS)
{
    const real d = REAL(0.5f * (float)one);
    real x[SLOTS], sum = REAL(0.0f);

    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        x[s] = REAL(1.0f + 0.125f * (float)s);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++) {
            UNROLL
            for (i32 s = 0; s < SLOTS; s++)
                if (j != SKIP)
                    x[s] = RSQRT(x[s]) + d;
                else
                    x[s] = x[s] + d;
        }
    }
    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        sum += x[s];
    const i32 i = get_global_id(0);
    out[i] = as_uint(mean_of(sum) / (float)SLOTS);
}

#if FP64
#if defined(ORR_OPENCL)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FMA64(a, b, c) FMA(a, b, c)
#else
#define FMA64(a, b, c) __fma_rn((a), (b), (c))
#endif
#if VECTOR == 1
typedef double wide;
#define WIDE_EQUAL(a, b) ((a) == (b))
#else
typedef ORR_JOIN(double, VECTOR) wide;
#define WIDE_EQUAL(a, b) all((a) == (b))
#endif

/* x -> 1 x + 1 counts, exactly up to 2^53. */
KERNEL GROUP_SIZE(GROUP) access_fma_fp64(ARGUMENTS)
{
    const wide c = (wide)((double)one), d = c;
    wide x[SLOTS];
    i32 same = 1;

    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        x[s] = (wide)((double)(s + 1));
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++) {
            UNROLL
            for (i32 s = 0; s < SLOTS; s++)
                if (j != SKIP)
                    x[s] = FMA64(x[s], c, d);
        }
    }
    const wide counted = (wide)((double)loops * (double)STEPS);
    UNROLL
    for (i32 s = 0; s < SLOTS; s++)
        same = same && WIDE_EQUAL(x[s], counted + (wide)((double)(s + 1)));
    const i32 i = get_global_id(0);
    out[i] = same ? (u32)loops : 0;
}
#endif

/* --- words that are loaded: value_of(place) of each, whose sum tells all of them --- */

INLINE u32 value_of(u32 place)
{
    return place * 2654435761u + 97u;
}

INLINE void fill_tile(LOCAL_POINTER(u32) tile)
{
    const i32 t = get_local_id(0);
    for (i32 k = t; k < TILE; k += GROUP)
        tile[k] = value_of(k);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* All work-items read one word after another. */
KERNEL GROUP_SIZE(GROUP) access_shared_broadcast(ARGUMENTS)
{
    LOCAL u32 tile[TILE];
    u32 sum[4] = {0, 0, 0, 0};
    i32 at = 0;

    fill_tile(tile);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < LOADS; j++)
            if (j != SKIP)
                sum[j % 4] += tile[at + j];
        at = (at + turn) & (TILE / 2 - 1);
    }
    const i32 i = get_global_id(0);
    out[i] = sum[0] + sum[1] + sum[2] + sum[3];
}

/* Neighbours read neighbouring words: no two lanes of a warp one bank. */
KERNEL GROUP_SIZE(GROUP) access_shared_load(ARGUMENTS)
{
    LOCAL u32 tile[TILE];
    u32 sum[4] = {0, 0, 0, 0};
    const i32 t = get_local_id(0);
    i32 at = t;

    fill_tile(tile);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < LOADS; j++)
            if (j != SKIP)
                sum[j % 4] += tile[at + LANES * j];
        at = (at + turn) & (TILE / 2 - 1);
    }
    const i32 i = get_global_id(0);
    out[i] = sum[0] + sum[1] + sum[2] + sum[3];
}

/* The same by four words at a time. */
KERNEL GROUP_SIZE(GROUP) access_shared_load_128(ARGUMENTS)
{
    LOCAL uint4 quads[TILE / 4];
    u32 sum[4] = {0, 0, 0, 0};
    const i32 t = get_local_id(0);
    i32 at = t;

    for (i32 k = t; k < TILE / 4; k += GROUP) {
        quads[k].x = value_of(4 * k);
        quads[k].y = value_of(4 * k + 1);
        quads[k].z = value_of(4 * k + 2);
        quads[k].w = value_of(4 * k + 3);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++)
            if (j != SKIP) {
                const uint4 quad = quads[at + LANES * j];
                sum[0] += quad.x;
                sum[1] += quad.y;
                sum[2] += quad.z;
                sum[3] += quad.w;
            }
        at = (at + turn) & (TILE / 8 - 1);
    }
    const i32 i = get_global_id(0);
    out[i] = sum[0] + sum[1] + sum[2] + sum[3];
}

/* Before loads of global memory: `blocks` of `turn` words. */
KERNEL GROUP_SIZE(GROUP) access_fill(ARGUMENTS)
{
    const i32 i = get_global_id(0), all = get_global_size(0);
    for (i64 k = i; k < (i64)blocks * turn; k += all)
        data[k] = value_of((u32)k);
}

/* Where a work-item reads in a block of STEPS words (or quads) for each: beside its neighbours, but
 * on a processor, which runs one after another, all of its own in a row. */
#if ORR_CPU
#define PLACE(t, j) (STEPS * (t) + (j))
#else
#define PLACE(t, j) ((t) + GROUP * (j))
#endif

/* Groups read one block after another, `turn` further each time, so that none is read twice through
 * the same first-level cache soon. */
#define NEXT_BLOCK() (block + turn - (block + turn >= blocks ? blocks : 0))

KERNEL GROUP_SIZE(GROUP) access_global_load(ARGUMENTS)
{
    u32 sum[4] = {0, 0, 0, 0};
    const i32 t = get_local_id(0), group = get_group_id(0);
    i32 block = group % blocks;

    for (i32 k = 0; k < loops; k++) {
        GLOBAL const u32 *at = data + (size_t)block * (GROUP * STEPS);
        UNROLL
        for (i32 j = 0; j < STEPS; j++)
            if (j != SKIP)
                sum[j % 4] += at[PLACE(t, j)];
        block = NEXT_BLOCK();
    }
    const i32 i = get_global_id(0);
    out[i] = sum[0] + sum[1] + sum[2] + sum[3];
}

KERNEL GROUP_SIZE(GROUP) access_global_load_128(GLOBAL u32 *RESTRICT out, GLOBAL const uint4 *data,
                                                i32 loops, i32 shift, i32 turn, i32 blocks, u32 one)
{
    u32 sum[4] = {0, 0, 0, 0};
    const i32 t = get_local_id(0), group = get_group_id(0);
    i32 block = group % blocks;

    for (i32 k = 0; k < loops; k++) {
        GLOBAL const uint4 *at = data + (size_t)block * (GROUP * STEPS);
        UNROLL
        for (i32 j = 0; j < STEPS; j++) {
#if ORR_CPU /* which makes vectors of words itself */
            GLOBAL const u32 *words = (GLOBAL const u32 *)(at + PLACE(t, j));
            UNROLL
            for (i32 c = 0; c < 4; c++)
                if (j != SKIP)
                    sum[c] += words[c];
#else
            if (j != SKIP) {
                const uint4 quad = at[PLACE(t, j)];
                sum[0] += quad.x;
                sum[1] += quad.y;
                sum[2] += quad.z;
                sum[3] += quad.w;
            }
#endif
        }
        block = NEXT_BLOCK();
    }
    const i32 i = get_global_id(0);
    out[i] = sum[0] + sum[1] + sum[2] + sum[3];
}

/* --- words that are stored: each work-item's own, whose last values tell --- */

/* Rows begin at 0 and `turn` in turn, `blocks` being twice that. A compiler that knew so would
 * store only what no later pass overwrites. */
#define NEXT_ROW() (lead + turn - (lead + turn >= blocks ? blocks : 0))

/* Pass k writes x + k to STEPS of ROWS rows, from the first or the second on. */
#define STORES(rows, stride)                                 \
    do {                                                     \
        i32 lead = 0;                                        \
        u32 x = value_of(i), sum = 0;                        \
        for (i32 k = 0; k < loops; k++) {                    \
            UNROLL                                           \
            for (i32 j = 0; j < STEPS; j++)                  \
                if (j != SKIP)                               \
                    (rows)[at + lead + (stride) * j] = x;    \
            lead = NEXT_ROW();                               \
            x += one;                                        \
        }                                                    \
        UNROLL                                               \
        for (i32 r = 0; r < ROWS; r++)                       \
            sum += (u32)(r + 1) * (rows)[at + (stride) * r]; \
        out[i] = sum;                                        \
    } while (0)

KERNEL GROUP_SIZE(GROUP) access_shared_store(ARGUMENTS)
{
    LOCAL u32 tile[GROUP * ROWS];
    const i32 i = get_global_id(0), at = get_local_id(0);

    UNROLL
    for (i32 r = 0; r < ROWS; r++)
        tile[at + GROUP * r] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    STORES(tile, GROUP);
}

/* A group's rows follow each other, so that `turn` is the same as there. */
KERNEL GROUP_SIZE(GROUP) access_global_store(ARGUMENTS)
{
    const i32 i = get_global_id(0), t = get_local_id(0), group = get_group_id(0);
    const i32 at = group * (GROUP * ROWS) + t;

    STORES(data, GROUP);
}

/* --- words that several lanes update --- */

/* In the end each work-item adds up the words below it, of its warp's rows from `own` on. */
#define TELL_SUM(rows, own)                                          \
    do {                                                             \
        u32 sum = 0;                                                 \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);         \
        UNROLL                                                       \
        for (i32 r = 0; r < ROWS; r++)                               \
            sum += (u32)(rows)[(own) + t % LANES + LANES * r];       \
        out[i] = sum;                                                \
    } while (0)

/* `1 << shift` neighbouring lanes add to one word, the others of the warp to the next ones in their
 * row, which lie in other banks; a warp has rows of its own. `own` is the first. */
#define UPDATES(rows, own, ADD, value)                       \
    do {                                                     \
        const i32 at = (own) + ((t % LANES) >> shift);       \
        i32 lead = 0;                                        \
        for (i32 k = 0; k < loops; k++) {                    \
            UNROLL                                           \
            for (i32 j = 0; j < STEPS; j++)                  \
                if (j != SKIP)                               \
                    ADD(&(rows)[at + lead + LANES * j], value); \
            lead = NEXT_ROW();                               \
        }                                                    \
        TELL_SUM(rows, own);                                 \
    } while (0)

/* The same by loops over a compare-and-swap, which programs have in loops, from one word to the
 * next: lanes that are done early go on while others still try, each at a word of its own, and meet
 * less. So rows are only as wide as the words that lanes update in them, and as many more: lanes in
 * different rows are in different banks, too, and come round to each other late. One loop, since
 * lanes would wait for each other behind an inner one. */
#define WALKS(rows, own, ADD, value)                                              \
    do {                                                                          \
        const i32 wide = LANES >> shift, all = ROWS << shift;                     \
        const i32 at = (own) + ((t % LANES) >> shift);                            \
        i32 row = 0;                                                              \
        UNROLL_BY(1)                                                              \
        for (i32 step = 0; step < loops * STEPS; step++) {                        \
            if (step % STEPS != SKIP)                                             \
                ADD(&(rows)[at + wide * row], value);                             \
            row = row + 1 < all ? row + 1 : 0;                                    \
        }                                                                         \
        TELL_SUM(rows, own);                                                      \
    } while (0)

#define ADD_PLAIN(at, value) (*(at) += (value))

#define CAS_ADD(name, pointer)                                 \
    INLINE void name(pointer at, u32 value)                    \
    {                                                          \
        u32 seen = ORR_ATOMIC_GUESS(at), expected;             \
        do {                                                   \
            expected = seen;                                   \
            seen = atomic_cmpxchg(at, expected, expected + value); \
        } while (seen != expected);                            \
    }
CAS_ADD(cas_add_local, LOCAL_POINTER(u32))

/* size: of the group. WAY: UPDATES or WALKS. */
#define SHARED_UPDATES(name, size, type, ADD, WAY)                           \
    KERNEL GROUP_SIZE(size) name(ARGUMENTS)                                  \
    {                                                                        \
        LOCAL type tile[(size)*ROWS];                                        \
        const i32 i = get_global_id(0), t = get_local_id(0);                 \
        u32 waited = 0;                                                      \
        for (i32 k = t; k < (size)*ROWS; k += (size))                        \
            tile[k] = (type)0;                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                        \
        WAY(tile, t / LANES * (LANES * ROWS), ADD, (type)one);               \
        out[i] += waited;                                                    \
    }
SHARED_UPDATES(access_shared_plain, GROUP, float, ADD_PLAIN, UPDATES)
SHARED_UPDATES(access_shared_float, GROUP, float, ATOMIC_ADD_LOCAL_F32, UPDATES)
SHARED_UPDATES(access_shared_float_cas, GROUP, float, ATOMIC_CAS_ADD_LOCAL_F32, WALKS)
SHARED_UPDATES(access_shared_int, GROUP, u32, atomic_add, UPDATES)
SHARED_UPDATES(access_shared_int_cas, GROUP, u32, cas_add_local, WALKS)

/* Where the next update is depends on what this one found; it never finds 2^31. */
#define ADD_INT_WAITING(at, value) (waited += (u32)atomic_add((at) + waited, (value)) >> 31)
#define ADD_PLAIN_WAITING(at, value) (*(volatile LOCAL_POINTER(float))(at) += (value))
SHARED_UPDATES(access_lone_plain, LANES, float, ADD_PLAIN_WAITING, UPDATES)
SHARED_UPDATES(access_lone_float, LANES, float, ATOMIC_ADD_LOCAL_F32, UPDATES)
SHARED_UPDATES(access_lone_float_cas, LANES, float, ATOMIC_CAS_ADD_LOCAL_F32, WALKS)
SHARED_UPDATES(access_lone_int, LANES, u32, ADD_INT_WAITING, UPDATES)

#define GLOBAL_UPDATES(name, size, type, ADD, WAY)                                           \
    KERNEL GROUP_SIZE(size)                                                                  \
        name(GLOBAL u32 *RESTRICT out, GLOBAL type *data, i32 loops, i32 shift, i32 turn,    \
             i32 blocks, u32 one)                                                            \
    {                                                                                        \
        const i32 i = get_global_id(0), t = get_local_id(0), group = get_group_id(0);        \
        const i32 own = group * ((size)*ROWS) + t / LANES * (LANES * ROWS);                  \
        u32 waited = 0;                                                                      \
        WAY(data, own, ADD, (type)one);                                                      \
        out[i] += waited;                                                                    \
    }
GLOBAL_UPDATES(access_global_float, GROUP, float, ATOMIC_ADD_GLOBAL_F32, UPDATES)
GLOBAL_UPDATES(access_global_float_cas, GROUP, float, ATOMIC_CAS_ADD_GLOBAL_F32, WALKS)
GLOBAL_UPDATES(access_global_int, GROUP, u32, atomic_add, UPDATES)
GLOBAL_UPDATES(access_lone_global_float_cas, LANES, float, ATOMIC_CAS_ADD_GLOBAL_F32, WALKS)
GLOBAL_UPDATES(access_lone_global_int, LANES, u32, ADD_INT_WAITING, UPDATES)

/* --- words that say where the next one is --- */

/* Lanes side by side, `turn` lines of LANES words further with each step, round `lines`. */
#define NEXT_PLACE(at, lines) (((at) + (u32)turn * LANES) % ((u32)(lines) * LANES))
#define CHAIN(words, first)                 \
    do {                                    \
        u32 at = (first);                   \
        for (i32 k = 0; k < loops; k++) {   \
            UNROLL                          \
            for (i32 j = 0; j < STEPS; j++) \
                if (j != SKIP)              \
                    at = (words)[at];       \
        }                                   \
        out[i] = at;                        \
    } while (0)

KERNEL GROUP_SIZE(LANES) access_lone_shared_load(ARGUMENTS)
{
    LOCAL u32 tile[TILE];
    const i32 i = get_global_id(0), t = get_local_id(0);

    for (i32 k = t; k < TILE; k += LANES)
        tile[k] = NEXT_PLACE((u32)k, TILE / LANES);
    barrier(CLK_LOCAL_MEM_FENCE);
    CHAIN(tile, (u32)t);
}

KERNEL GROUP_SIZE(GROUP) access_link(ARGUMENTS)
{
    const u32 words = (u32)blocks * LANES, all = (u32)get_global_size(0);
    u32 k = (u32)get_global_id(0);

    for (; k < words; k += all)
        data[k] = NEXT_PLACE(k, blocks);
}

/* Of `blocks` lines; groups begin `shift` of them apart. */
KERNEL GROUP_SIZE(LANES) access_lone_global_load(ARGUMENTS)
{
    const i32 i = get_global_id(0), t = get_local_id(0), group = get_group_id(0);

    CHAIN(data, (u32)((i64)group * shift % blocks) * LANES + (u32)t);
}

/* --- work-items together --- */

#if ORR_SHUFFLES
/* Each lane's value wanders to its left neighbour. */
KERNEL GROUP_SIZE(GROUP) access_shuffle(ARGUMENTS)
{
    const i32 i = get_global_id(0), t = get_local_id(0), from = (t + (i32)one) % LANES;
    float x[4];

    UNROLL
    for (i32 s = 0; s < 4; s++)
        x[s] = (float)(4 * t + s);
    for (i32 k = 0; k < loops; k++) {
        UNROLL
        for (i32 j = 0; j < STEPS; j++) {
            UNROLL
            for (i32 s = 0; s < 4; s++)
                if (j != SKIP)
                    x[s] = SHUFFLE(x[s], from, LANES);
        }
    }
    out[i] = (u32)(x[0] + x[1] + x[2] + x[3]);
}
#endif

/* Each pass counts its barriers and hands the count on to the neighbour, by one of two buffers. */
KERNEL GROUP_SIZE(GROUP) access_barrier(ARGUMENTS)
{
    LOCAL u32 tile[2 * GROUP];
    const i32 i = get_global_id(0), t = get_local_id(0), next = (t + 1) % GROUP;
    i32 lead = 0;
    u32 x = (u32)t;

    for (i32 k = 0; k < loops; k++) {
        u32 met = 0;
        tile[lead + t] = x;
        UNROLL
        for (i32 j = 0; j < STEPS; j++)
            if (j != SKIP) {
                barrier(CLK_LOCAL_MEM_FENCE);
                met += one;
            }
        x = tile[lead + next] + met;
        lead ^= turn;
    }
    out[i] = x;
}

/* Groups are counted: each by the last one that came to a word of `blocks`. */
KERNEL GROUP_SIZE(LANES) access_group(ARGUMENTS)
{
    const i32 group = get_group_id(0);
    if (get_local_id(0) == 0 && group % STEPS != SKIP)
        out[group % blocks] = (u32)group + one;
}

/* Launches are counted, so that none is lost; else there is nothing to do. */
KERNEL GROUP_SIZE(LANES) access_empty(ARGUMENTS)
{
    if (get_global_id(0) == 0 && SKIP < 0)
        out[0] += one;
}
