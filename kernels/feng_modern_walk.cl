/* Forces from the tree of kernels/feng_modern.cl. A group takes BLOCK * BODIES * VECTOR bodies in a
 * row by key and walks the tree once for all of them: a cell is taken as one body when w < theta d,
 * with d the distance of its centre of mass from the smallest box around the group's bodies, so
 * also for each of them.
 *
 * Cells to look at lie on a stack in local memory. Each thread takes one of the topmost; those that
 * are taken go to a list, those that are leaves to another, the children of the rest back to the
 * stack. Votes say where: of the warp where a team is one and the device has them, else by bits
 * set in local memory. Then all threads meet what is in the lists. A group is WARPS teams of BLOCK
 * threads, each of which holds all of its bodies and meets every WARPS-th entry of the lists; at
 * the end their sums are added up. */
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef WARPS
#define WARPS 1
#endif
#ifndef BODIES
#define BODIES 2
#endif
#define THREADS (BLOCK * WARPS)
#define GROUP_BODIES (BLOCK * BODIES * VECTOR)
#if BLOCK > 32 || WARPS > 16
#error "a vote has 32 bits, and counts are packed"
#endif
#include "feng_count.h"
#include "lanes.h"

/* A round takes up to THREADS cells off the stack and puts at most four times as many on; above
 * HIGH only one at a time, which goes depth first and needs three entries a level (FENG_MAX_DEPTH
 * and one to spare). */
#define HIGH 256
#define STACK (HIGH + 3 * THREADS + 3 * 31)
#if WARPS > 1
#define TEAMS_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define TEAMS_BARRIER() GROUP_BARRIER(BLOCK)
#endif

struct own {
    real x[BODIES], y[BODIES], ax[BODIES], ay[BODIES];
    lanes index[BODIES];
};

INLINE float4 around(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                       a.w > b.w ? a.w : b.w);
}

/* Bodies i ... i + VECTOR - 1 by key; beyond the last body the last one again, whose sums are
 * not stored. Returns the box around them and `box`. */
INLINE float4 load(struct own *b, i32 k, GLOBAL const float4 *body, i32 i, i32 n,
                   float4 box COUNT_PARAMETER(counts))
{
    float x[VECTOR], y[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[min(i + lane, n - 1)]);
        x[lane] = one.x;
        y[lane] = one.y;
        index[lane] = i + lane < n ? i + lane : LANE_OF_NOBODY(n - 1);
        box = around(box, MAKE_FLOAT4(one.x, one.y, one.x, one.y));
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->index[k] = REAL_LOAD(index, 0);
    b->ax[k] = b->ay[k] = REAL(0.0f);
    return box;
}

/* A cell or body at x, y acts; `j` is the body's index by key where meets_itself, a constant where
 * called. */
INLINE void interact(struct own *b, float x, float y, float mass, i32 j, i32 meets_itself,
                     float eps2)
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        const lanes self = meets_itself ? b->index[k] == (lanes)(j) : (lanes)(0);
        PAIR2_WITH(b->ax[k], b->ay[k], b->x[k], b->y[k], x, y, mass, REAL(eps2), r2,
                   PAIR_RSQRT_BUT(self, r2));
    }
}

INLINE void meet(struct own *b, GLOBAL const float4 *body, i32 from, i32 to, i32 meets_itself,
                 float eps2 COUNT_PARAMETER(counts))
{
    UNROLL_BY(2)
    for (i32 j = from; j < to; j++) {
        const float4 other = COUNTED(counts, ORR_GR, 4, body[j]);
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            COUNT_BODY(counts, b->index[k], j, 0x7fffffff);
        interact(b, other.x, other.y, other.w, j, meets_itself, eps2);
    }
}

/* The box around the boxes of a team, of which the caller is thread t. `boxes`: BLOCK. */
INLINE float4 around_team(LOCAL_POINTER(float4) boxes, i32 t, float4 box)
{
    boxes[t] = box;
    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        GROUP_BARRIER(BLOCK);
        if (t < reach)
            boxes[t] = around(boxes[t], boxes[t + reach]);
    }
    GROUP_BARRIER(BLOCK);
    box = boxes[0];
    GROUP_BARRIER(BLOCK);
    return box;
}

/* Adds the sums of all teams to those of the first. `words`: 2 BLOCK VECTOR. */
INLINE void add_teams(struct own *b, LOCAL_POINTER(float) words, i32 team, i32 t)
{
    UNROLL_BY(1)
    for (i32 other = 1; other < WARPS; other++) {
        UNROLL
        for (i32 k = 0; k < BODIES; k++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (team == other) {
                REAL_STORE(b->ax[k], words, 2 * t);
                REAL_STORE(b->ay[k], words, 2 * t + 1);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (team == 0) {
                b->ax[k] += REAL_LOAD(words, 2 * t);
                b->ay[k] += REAL_LOAD(words, 2 * t + 1);
            }
        }
    }
}

/* w < theta d */
INLINE i32 is_far(float4 cell, float4 box, float theta2)
{
    const float left = box.x - cell.x, right = cell.x - box.z, below = box.y - cell.y,
                above = cell.y - box.w;
    const float wide = left > right ? left : right, high = below > above ? below : above;
    const float dx = wide > 0.0f ? wide : 0.0f, dy = high > 0.0f ? high : 0.0f;

    return cell.w < theta2 * FMA(dx, dx, dy * dy);
}

/* work: interactions of each group, added to what is there. */
KERNEL GROUP_SIZE(THREADS)
    feng_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT cells,
              GLOBAL const int4 *RESTRICT links, GLOBAL const u32 *RESTRICT order,
              GLOBAL float4 *RESTRICT acc, GLOBAL u64 *RESTRICT work, float theta2, float eps2,
              i32 n COUNT_ARGUMENT(totals))
{
    const i32 id = get_local_id(0), t = id % BLOCK, team = id / BLOCK, group = get_group_id(0);
    LOCAL i32 stack[STACK];
    LOCAL float4 list[THREADS * (VECTOR > 8 ? 4 : VECTOR > 4 ? 2 : 1)]; /* and sums of teams */
    LOCAL i32 leaf_from[THREADS], leaf_to[THREADS];
    LOCAL u32 words[WARPS], tally[WARPS], children[WARPS];
    const i32 from = group * GROUP_BODIES, to = min(from + GROUP_BODIES, n);
    /* The thread's first body or vector; the k-th is BLOCK * VECTOR bodies further on. */
    const i32 i = from + t * VECTOR;
    const u32 below = (1u << t) - 1u;
    i32 evaluated = 0, selfs = 0, top = 1;
    struct own b;
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_FORCES);
    const float4 one = COUNTED(counts, ORR_GR, 4, body[from]);
    float4 box = MAKE_FLOAT4(one.x, one.y, one.x, one.y);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        box = load(&b, k, body, i + k * BLOCK * VECTOR, n, box COUNT_PASS(counts));
    box = around_team(list + team * BLOCK, t, box);
    if (id == 0)
        stack[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (top > 0) {
        const i32 taken = top > HIGH ? 1 : min(top, THREADS);
        i32 far = 0, first = -1, second = -1, third = -1, fourth = -1, leaf = 0;
        float4 cell = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        top -= taken;
        if (id < taken) {
            const i32 c = stack[top + id];
            cell = COUNTED(counts, ORR_GR, 4, cells[c]);
            far = is_far(cell, box, theta2);
            COUNT(counts, ORR_CT, 1);
            COUNT(counts, ORR_CA, far);
            if (!far) {
                const int4 link = COUNTED(counts, ORR_IR, 4, links[c]);
                leaf = link.x < 0;
                first = link.x;
                second = link.y;
                third = link.z;
                fourth = leaf ? -1 : link.w;
            }
        }
        const u32 far_ones = GROUP_VOTE(words + team, BLOCK, far),
                  leaves = GROUP_VOTE(words + team, BLOCK, leaf);
        const u32 with_first = GROUP_VOTE(words + team, BLOCK, first >= 0),
                  with_second = GROUP_VOTE(words + team, BLOCK, !leaf && second >= 0),
                  with_third = GROUP_VOTE(words + team, BLOCK, !leaf && third >= 0),
                  with_fourth = GROUP_VOTE(words + team, BLOCK, fourth >= 0);
        i32 far_count = (i32)popcount(far_ones), leaf_count = (i32)popcount(leaves);
        i32 pushed = (i32)(popcount(with_first) + popcount(with_second) + popcount(with_third) +
                           popcount(with_fourth));
        i32 far_at = 0, leaf_at = 0, at = top;
#if WARPS > 1
        if (t == 0) {
            tally[team] = (u32)far_count | (u32)leaf_count << 16;
            children[team] = (u32)pushed;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        far_count = leaf_count = pushed = 0;
        UNROLL
        for (i32 other = 0; other < WARPS; other++) {
            const i32 fars = (i32)(tally[other] & 0xffff), leafs = (i32)(tally[other] >> 16),
                      more = (i32)children[other];
            far_at += other < team ? fars : 0;
            leaf_at += other < team ? leafs : 0;
            at += other < team ? more : 0;
            far_count += fars;
            leaf_count += leafs;
            pushed += more;
        }
#else
        GROUP_BARRIER(BLOCK);
#endif
        if (far)
            list[far_at + (i32)popcount(far_ones & below)] = cell;
        COUNT(counts, ORR_SW, far ? 4 : 0);
        COUNT(counts, ORR_CL, leaf);
        COUNT(counts, ORR_CB, leaf ? third - second : 0);
        if (leaf) {
            leaf_from[leaf_at + (i32)popcount(leaves & below)] = second;
            leaf_to[leaf_at + (i32)popcount(leaves & below)] = third;
        }
        if (first >= 0)
            stack[at + (i32)popcount(with_first & below)] = first;
        at += (i32)popcount(with_first);
        if (!leaf && second >= 0)
            stack[at + (i32)popcount(with_second & below)] = second;
        at += (i32)popcount(with_second);
        if (!leaf && third >= 0)
            stack[at + (i32)popcount(with_third & below)] = third;
        at += (i32)popcount(with_third);
        if (fourth >= 0)
            stack[at + (i32)popcount(with_fourth & below)] = fourth;
        top += pushed;
        TEAMS_BARRIER();
        for (i32 q = team; q < far_count; q += WARPS) {
            const float4 other = COUNTED(counts, ORR_SR, 4, list[q]);
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                COUNT_CELL(counts, b.index[k]);
            interact(&b, other.x, other.y, other.z, 0, 0, eps2);
            evaluated++;
        }
        for (i32 q = team; q < leaf_count; q += WARPS) {
            const i32 leaf_begin = leaf_from[q], leaf_end = leaf_to[q];
            const i32 overlap = max(min(leaf_end, to) - max(leaf_begin, from), 0);
            if (overlap)
                meet(&b, body, leaf_begin, leaf_end, 1, eps2 COUNT_PASS(counts));
            else
                meet(&b, body, leaf_begin, leaf_end, 0, eps2 COUNT_PASS(counts));
            evaluated += leaf_end - leaf_begin;
            selfs += overlap;
        }
    }
    TEAMS_BARRIER();
    if (t == 0) {
        tally[team] = (u32)evaluated;
        children[team] = (u32)selfs;
    }
    add_teams(&b, (LOCAL_POINTER(float))list, team, t);
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR];
        REAL_STORE(b.ax[k], ax, 0);
        REAL_STORE(b.ay[k], ay, 0);
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++)
            if (team == 0 && i + k * BLOCK * VECTOR + lane < n) {
                COUNT(counts, ORR_IR, 1);
                COUNT(counts, ORR_GW, 4);
                acc[order[i + k * BLOCK * VECTOR + lane]] =
                    MAKE_FLOAT4(ax[lane], ay[lane], 0.0f, 0.0f);
            }
    }
    TEAMS_BARRIER();
    for (i32 other = 0; other < WARPS && id == 0; other++)
        work[group] += (u64)tally[other] * (u64)(to - from) - (u64)children[other];
    COUNT_FLUSH(counts, totals);
}
