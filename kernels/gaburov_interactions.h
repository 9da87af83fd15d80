/* SPDX-License-Identifier: MIT */
/* How the threads of a block evaluate the interaction lists of a group of bodies (Gaburov et al.
 * 2010, section 3.2.3). */
#ifndef BLOCK
#define BLOCK 64 /* threads: BLOCK * BODIES * VECTOR are at least as many as a group has bodies */
#endif
#ifndef BODIES
#define BODIES 1 /* bodies, or vectors of them, of a thread */
#endif
#ifndef TILE
/* Nodes or bodies in local memory at once; with SHARE at least BLOCK * VECTOR. */
#define TILE (BLOCK * VECTOR)
#endif
#ifndef MULTIPOLE
#define MULTIPOLE 0 /* enum gaburov_multipole */
#endif
#ifndef SHARE
#define SHARE 0 /* 1: threads without a body take part of another's work */
#endif
#define OWN (BODIES * VECTOR)
#include "gaburov_count.h"
#include "lanes.h"
#include "low.h"

/* With LOW=1 positions are pairs of floats, and so are centres of mass, whose low parts are in
 * com_low. Bodies meet bodies by these; cells act in single precision, seen from a body of the
 * group. */
#if PAIRS
#define COM_LOW_PARAM , GLOBAL const float4 *RESTRICT com_low
#else
#define COM_LOW_PARAM
#endif

/* The bodies of a thread, and what part of every list it meets: each parts-th entry from `part` on.
 * The threads of a part are `columns`; thread `column` has those of the group's vectors of bodies
 * whose number modulo columns is its own. */
struct own {
    real x[BODIES], y[BODIES], z[BODIES], ax[BODIES], ay[BODIES], az[BODIES], phi[BODIES];
    PAIRS_ONLY(struct low_part low[BODIES];)
    lanes index[BODIES];
    i32 columns, column, part, parts;
};

#define NOTHING 0x3fffffff /* a part that no list has */

/* The place of the thread's body q among the group's. */
INLINE i32 place_of(i32 columns, i32 column, i32 q)
{
    return (q / VECTOR * columns + column) * VECTOR + q % VECTOR;
}

/* The bodies of group g. Its first warps have work and the others may have none: which these are
 * goes round from group to group, since a multiprocessor deals warps out to its schedulers by their
 * place in the block. Lanes too many stand where the group's first body is; nobody asks for what
 * they get. */
INLINE void set_own(struct own *b, GLOBAL const float4 *body, int2 range,
                    i32 g LOW_PARAM COUNT_PARAMETER(counts))
{
    const i32 thread = get_local_id(0);
#if BLOCK % ORR_WARP == 0
    const i32 t = (thread + g % (BLOCK / ORR_WARP) * ORR_WARP) % BLOCK;
#else
    const i32 t = thread;
#endif
    const i32 columns = (range.y + OWN - 1) / OWN;

    b->columns = columns;
    b->parts = SHARE ? BLOCK / columns : 1;
    b->column = t % columns;
    b->part = t < columns * b->parts ? t / columns : NOTHING;
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float x[VECTOR], y[VECTOR], z[VECTOR];
        i32 index[VECTOR];
        for (i32 lane = 0; lane < VECTOR; lane++) {
            const i32 place = place_of(columns, b->column, k * VECTOR + lane),
                      there = place < range.y;
            const float4 at = COUNTED(counts, ORR_GR, 4, body[range.x + (there ? place : 0)]);
            x[lane] = at.x;
            y[lane] = at.y;
            z[lane] = at.z;
            index[lane] = there ? range.x + place : -1;
        }
        b->x[k] = REAL_LOAD(x, 0);
        b->y[k] = REAL_LOAD(y, 0);
        b->z[k] = REAL_LOAD(z, 0);
        PAIRS_ONLY(b->low[k] = COUNTED(counts, ORR_GR, 4 * VECTOR,
                                       low_at(low,
                                              range.x + place_of(columns, b->column, k * VECTOR),
                                              1, range.x + range.y - 1));)
        b->index[k] = REAL_LOAD(index, 0);
        b->ax[k] = b->ay[k] = b->az[k] = b->phi[k] = REAL(0.0f);
    }
}

/* Adds the sums of the other parts to those of part 0. */
INLINE void gather(struct own *b, LOCAL_POINTER(float4) tile COUNT_PARAMETER(counts))
{
#if SHARE
    LOCAL_POINTER(float) sums = (LOCAL_POINTER(float))tile;

    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        if (b->part < b->parts) {
            const i32 at = 4 * (b->part * b->columns + b->column);
            COUNT(counts, ORR_SW, 4 * VECTOR);
            REAL_STORE(b->ax[k], sums, at);
            REAL_STORE(b->ay[k], sums, at + 1);
            REAL_STORE(b->az[k], sums, at + 2);
            REAL_STORE(b->phi[k], sums, at + 3);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 part = 1; part < b->parts && b->part == 0; part++) {
            const i32 at = 4 * (part * b->columns + b->column);
            COUNT(counts, ORR_SR, 4 * VECTOR);
            b->ax[k] += REAL_LOAD(sums, at);
            b->ay[k] += REAL_LOAD(sums, at + 1);
            b->az[k] += REAL_LOAD(sums, at + 2);
            b->phi[k] += REAL_LOAD(sums, at + 3);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}

/* Writes the sums of all parts to acc, or adds them where `adds`, a constant. */
INLINE void put(GLOBAL float4 *acc, struct own *b, int2 range, LOCAL_POINTER(float4) tile,
                i32 adds COUNT_PARAMETER(counts))
{
    gather(b, tile COUNT_PASS(counts));
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR], az[VECTOR], phi[VECTOR];
        REAL_STORE(b->ax[k], ax, 0);
        REAL_STORE(b->ay[k], ay, 0);
        REAL_STORE(b->az[k], az, 0);
        REAL_STORE(b->phi[k], phi, 0);
        for (i32 lane = 0; lane < VECTOR; lane++) {
            const i32 place = place_of(b->columns, b->column, k * VECTOR + lane);
            if (b->part == 0 && place < range.y) {
                const float4 old =
                    adds ? acc[range.x + place] : MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
                COUNT(counts, ORR_GR, adds ? 4 : 0);
                COUNT(counts, ORR_GW, 4);
                acc[range.x + place] = MAKE_FLOAT4(old.x + ax[lane], old.y + ay[lane],
                                                   old.z + az[lane], old.w + phi[lane]);
            }
        }
    }
}

/* --- nodes: List 3.3 --- */

/* float4 of a node in local memory: centre of mass and mass, the quadrupole. A body there is
 * one. */
#define NODE_WORDS (MULTIPOLE == 0 ? 3 : 1)

/* The node of a slot becomes the j-th of the tile (lines 2 and 3), of pairs seen from `point`. */
INLINE void fetch_node(LOCAL_POINTER(float4) tile, i32 j, GLOBAL const float4 *com,
                       GLOBAL const float4 *quad_a, GLOBAL const float2 *quad_b,
                       i32 slot PAIRS_PARAM(GLOBAL const float4 *, com_low)
                           PAIRS_PARAM(float4, point) COUNT_PARAMETER(counts))
{
    COUNT(counts, ORR_GR, (NODE_WORDS == 3 ? 10 : 4) + 3 * PAIRS);
    COUNT(counts, ORR_SW, 4 * NODE_WORDS);
    tile[NODE_WORDS * j] = com[slot];
    PAIRS_ONLY(tile[NODE_WORDS * j] = seen_from(point, com[slot], com_low[slot]);)
#if MULTIPOLE == 0
    tile[NODE_WORDS * j + 1] = quad_a[slot];
    tile[NODE_WORDS * j + 2] = MAKE_FLOAT4(quad_b[slot].x, quad_b[slot].y, 0.0f, 0.0f);
#endif
}

/* The first `count` of the tile act on the thread's bodies (line 5). */
INLINE void meet_nodes(struct own *b, LOCAL_POINTER(float4) tile, i32 count,
                       float eps2 PAIRS_PARAM(float4, point) COUNT_PARAMETER(counts))
{
    /* In registers: what b points to may be memory where a CPU keeps a thread over barriers. */
    struct own o = *b;

    UNROLL_BY(1)
    for (i32 j = o.part; j < count; j += o.parts) {
        const float4 node = tile[NODE_WORDS * j];
        COUNT(counts, ORR_SR, 4 * NODE_WORDS);
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            COUNT_CELL(counts, o.index[k]);
#if MULTIPOLE == 0
        const float4 qa = tile[NODE_WORDS * j + 1], qb = tile[NODE_WORDS * j + 2];
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            PAIR_NODE(o.ax[k], o.ay[k], o.az[k], o.phi[k], PAIRS_SEEN(x, &o, k, point),
                      PAIRS_SEEN(y, &o, k, point), PAIRS_SEEN(z, &o, k, point), node.x, node.y,
                      node.z, REAL(node.w), REAL(qa.x), REAL(qa.y), REAL(qa.z), REAL(qa.w),
                      REAL(qb.x), REAL(qb.y), REAL(eps2));
#else
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            PAIR(o.ax[k], o.ay[k], o.az[k], o.phi[k], PAIRS_SEEN(x, &o, k, point),
                 PAIRS_SEEN(y, &o, k, point), PAIRS_SEEN(z, &o, k, point), node.x, node.y, node.z,
                 node.w, REAL(eps2));
#endif
    }
    *b = o;
}

/* --- leaves: List 3.4 --- */

/* The first `count` of a tile of bodies; meets_itself, a constant: the thread's own may be among
 * them. */
INLINE void meet_bodies(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index,
                        i32 count, i32 meets_itself,
                        float eps2 PAIRS_PARAM(LOCAL_POINTER(float4), low_tile)
                            COUNT_PARAMETER(counts))
{
    struct own o = *b;

    UNROLL_BY(2)
    for (i32 j = o.part; j < count; j += o.parts) {
        const float4 other = COUNTED(counts, ORR_SR, 4, tile[j]);
        PAIRS_ONLY(const float4 rest = COUNTED(counts, ORR_SR, 4, low_tile[j]);)
        UNROLL
        for (i32 k = 0; k < BODIES; k++) {
            COUNT_BODY(counts, o.index[k], index[j], 0x7fffffff);
            const lanes self = meets_itself ? o.index[k] == (lanes)(index[j]) : (lanes)(0);
            PAIR_PARTS_WITH(o.ax[k], o.ay[k], o.az[k], o.phi[k], o.x[k], o.y[k], o.z[k], o.low[k],
                            other.x, other.y, other.z, rest, other.w, REAL(eps2), r2,
                            PAIR_RSQRT_BUT(self, r2));
        }
    }
    *b = o;
}

/* The same where `among` says whether the thread's own may be there. Two loops, one of them empty:
 * PoCL 5 does not take a branch between these barriers. */
INLINE void meet_tile(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index,
                      i32 count, i32 among,
                      float eps2 PAIRS_PARAM(LOCAL_POINTER(float4), low_tile)
                          COUNT_PARAMETER(counts))
{
    meet_bodies(b, tile, index, among ? count : 0, 1,
                eps2 PAIRS_ARG(low_tile) COUNT_PASS(counts));
    meet_bodies(b, tile, index, among ? 0 : count, 0,
                eps2 PAIRS_ARG(low_tile) COUNT_PASS(counts));
}

/* Bodies that are both in the leaf and in the group. */
INLINE i32 common(int2 leaf, int2 range)
{
    return max(min(leaf.x + leaf.y, range.x + range.y) - max(leaf.x, range.x), 0);
}

/* All bodies of the first `count` of the `leaves`, at most TILE. */
#if SHARE
/* Neighbouring threads that fetch a leaf, and leaves that are added up at once. */
#define TEAM (BLOCK < 32 ? 1 : 8)
#define SPAN 16
#define LEAF_TILE(index, starts, spans, among)                       \
    LOCAL i32 index[TILE], starts[TILE + 1], spans[TILE / SPAN + 1]; \
    LOCAL u32 among[2]
#define LEAF_TILES(tile, index, starts, spans, among) tile, index, starts, spans, among

/* starts[k]: bodies of the leaves before the k-th. */
INLINE void add_up(LOCAL_POINTER(i32) starts, LOCAL_POINTER(i32) spans, LOCAL_POINTER(int2) leaves,
                   i32 count)
{
    for (i32 k = get_local_id(0); k * SPAN < count; k += BLOCK) {
        i32 sum = 0;
        for (i32 leaf = k * SPAN; leaf < min(k * SPAN + SPAN, count); leaf++)
            sum += leaves[leaf].y;
        spans[k] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = get_local_id(0); k <= count; k += BLOCK) {
        i32 sum = 0;
        for (i32 span = 0; span < k / SPAN; span++)
            sum += spans[span];
        for (i32 leaf = k / SPAN * SPAN; leaf < k; leaf++)
            sum += leaves[leaf].y;
        starts[k] = sum;
    }
}

/* Leaves are short: a tile takes the bodies of several. among: are the group's own there, in this
 * tile and in the next? */
INLINE void meet_leaves(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index,
                        LOCAL_POINTER(i32) starts, LOCAL_POINTER(i32) spans,
                        LOCAL_POINTER(u32) among, GLOBAL const float4 *body,
                        LOCAL_POINTER(int2) leaves, i32 count, int2 range,
                        float eps2 PAIRS_PARAM(LOCAL_POINTER(float4), low_tile)
                            LOW_PARAM COUNT_PARAMETER(counts))
{
    const i32 t = get_local_id(0);
    i32 now = 0, leaf = t / TEAM < BLOCK / TEAM ? t / TEAM : count;

    add_up(starts, spans, leaves, count);
    if (t == 0)
        among[0] = among[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const i32 bodies = starts[count];
    for (i32 from = 0; from < bodies; from += TILE) {
        const i32 here = min(TILE, bodies - from);
        while (leaf < count && starts[leaf] < from + here) {
            const int2 one = leaves[leaf];
            /* Negative where its first bodies were in the tile before. */
            const i32 at = starts[leaf] - from;
            for (i32 k = max(-at, 0) + t % TEAM; k < min(one.y, here - at); k += TEAM) {
                COUNTED(counts, ORR_SW, 4,
                        tile[at + k] = COUNTED(counts, ORR_GR, 4, body[one.x + k]));
                PAIRS_ONLY(COUNTED(counts, ORR_SW, 4,
                                   low_tile[at + k] = COUNTED(counts, ORR_GR, 4, low[one.x + k]));)
                index[at + k] = one.x + k;
            }
            if (t % TEAM == 0 && common(one, range))
                atomic_or(&among[now], 1u);
            if (at + one.y > here)
                break;
            leaf += BLOCK / TEAM;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        meet_tile(b, tile, index, here, among[now] != 0,
                  eps2 PAIRS_ARG(low_tile) COUNT_PASS(counts));
        now = 1 - now;
        if (t == 0)
            among[now] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#else
#define LEAF_TILE(index, starts, spans, among) LOCAL i32 index[TILE]
#define LEAF_TILES(tile, index, starts, spans, among) tile, index

/* Lines 5 to 9. A leaf with more bodies than a tile comes in pieces. */
INLINE void meet_leaves(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index,
                        GLOBAL const float4 *body, LOCAL_POINTER(int2) leaves, i32 count,
                        int2 range,
                        float eps2 PAIRS_PARAM(LOCAL_POINTER(float4), low_tile)
                            LOW_PARAM COUNT_PARAMETER(counts))
{
    for (i32 leaf = 0; leaf < count; leaf++) {
        const i32 first = leaves[leaf].x, bodies = leaves[leaf].y,
                  among = common(leaves[leaf], range);
        for (i32 from = 0; from < bodies; from += TILE) {
            const i32 here = min(TILE, bodies - from);
            for (i32 k = get_local_id(0); k < here; k += BLOCK) {
                COUNTED(counts, ORR_SW, 4,
                        tile[k] = COUNTED(counts, ORR_GR, 4, body[first + from + k]));
                PAIRS_ONLY(
                    COUNTED(counts, ORR_SW, 4,
                            low_tile[k] = COUNTED(counts, ORR_GR, 4, low[first + from + k]));)
                index[k] = first + from + k;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            meet_tile(b, tile, index, here, among,
                      eps2 PAIRS_ARG(low_tile) COUNT_PASS(counts));
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}
#endif

/* Pairs of a body of the group and another body of the leaf. */
INLINE u64 pairs_of(int2 leaf, int2 range)
{
    return (u64)leaf.y * (u64)range.y - (u64)common(leaf, range);
}

/* Sums `own` over all threads; thread 0 gets the sum. */
INLINE u64 sum_of_all(LOCAL_POINTER(u64) words, u64 own)
{
    const i32 me = get_local_id(0);
    u64 sum = 0;

    words[me] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 t = 0; t < BLOCK && me == 0; t++)
        sum += words[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}
