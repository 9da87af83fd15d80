/* Forces from the tree of kernels/feng_modern.cl. A group takes BLOCK * BODIES * VECTOR bodies in a
 * row by key and walks the tree once for all of them: a cell is taken as one body when w < theta d,
 * with d the distance of its centre of mass from the smallest box around the group's bodies, so
 * also for each of them.
 *
 * Cells to look at lie on a stack in local memory. Each thread takes one of the topmost; those that
 * are taken go to a list, those that are leaves to another, the children of the rest back to the
 * stack. Votes say where: of the warp where a group is one and the device has them, else by bits
 * set in local memory. Then all threads meet what is in the lists. */
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef BODIES
#define BODIES 2
#endif
#define GROUP_BODIES (BLOCK * BODIES * VECTOR)
#if BLOCK > 32
#error "a vote has 32 bits"
#endif
#include "feng_count.h"
#include "lanes.h"

/* A round takes up to BLOCK cells off the stack and puts at most four times as many on; above HIGH
 * only one at a time, which goes depth first and needs three entries a level (FENG_MAX_DEPTH and
 * one to spare). */
#define HIGH 256
#define STACK (HIGH + 3 * BLOCK + 3 * 31)

/* VOTE(votes, k, yes) by every thread, then a barrier: bit t of votes[k] is set where thread t said
 * yes. */
#define VOTES 6
#if ORR_VOTES && BLOCK == 32
#define VOTE_STATE(votes) u32 votes[VOTES]
#define VOTE(votes, k, yes) ((votes)[k] = BALLOT(yes))
#define VOTE_CLEAR(votes)
#else
#define VOTE_STATE(votes)   \
    LOCAL u32 votes[VOTES]; \
    vote_clear(votes)
#define VOTE(votes, k, yes) \
    do { \
        if (yes) \
            atomic_or(&(votes)[k], 1u << get_local_id(0)); \
    } while (0)
#define VOTE_CLEAR(votes) vote_clear(votes)

INLINE void vote_clear(LOCAL_POINTER(u32) votes)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = get_local_id(0); k < VOTES; k += BLOCK)
        votes[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}
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

/* The box around the group's bodies. */
INLINE float4 around_group(LOCAL_POINTER(float4) boxes, float4 box)
{
    const i32 t = get_local_id(0);

    boxes[t] = box;
    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < reach)
            boxes[t] = around(boxes[t], boxes[t + reach]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    box = boxes[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return box;
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
KERNEL GROUP_SIZE(BLOCK)
    feng_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT cells,
              GLOBAL const int4 *RESTRICT links, GLOBAL const u32 *RESTRICT order,
              GLOBAL float4 *RESTRICT acc, GLOBAL u64 *RESTRICT work, float theta2, float eps2,
              i32 n COUNT_ARGUMENT(totals))
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL i32 stack[STACK];
    LOCAL float4 list[BLOCK];
    LOCAL i32 leaf_from[BLOCK], leaf_to[BLOCK];
    const i32 from = group * GROUP_BODIES, to = min(from + GROUP_BODIES, n);
    /* The thread's first body or vector; the k-th is BLOCK * VECTOR bodies further on. */
    const i32 i = from + t * VECTOR;
    const u32 below = (1u << t) - 1u;
    i32 evaluated = 0, selfs = 0, top = 1;
    struct own b;
    VOTE_STATE(votes);
    COUNT_STATE(counts);

    COUNT_IN(counts, FENG_COUNT_FORCES);
    const float4 one = COUNTED(counts, ORR_GR, 4, body[from]);
    float4 box = MAKE_FLOAT4(one.x, one.y, one.x, one.y);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        box = load(&b, k, body, i + k * BLOCK * VECTOR, n, box COUNT_PASS(counts));
    box = around_group(list, box);
    if (t == 0)
        stack[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (top > 0) {
        const i32 taken = top > HIGH ? 1 : min(top, BLOCK);
        i32 far = 0, first = -1, second = -1, third = -1, fourth = -1, leaf = 0;
        float4 cell = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        top -= taken;
        if (t < taken) {
            const i32 c = stack[top + t];
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
        VOTE(votes, 0, far);
        VOTE(votes, 1, leaf);
        VOTE(votes, 2, first >= 0);
        VOTE(votes, 3, !leaf && second >= 0);
        VOTE(votes, 4, !leaf && third >= 0);
        VOTE(votes, 5, fourth >= 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        const u32 far_ones = votes[0], leaves = votes[1];
        const u32 with_first = votes[2], with_second = votes[3], with_third = votes[4],
                  with_fourth = votes[5];
        if (far)
            list[popcount(far_ones & below)] = cell;
        COUNT(counts, ORR_SW, far ? 4 : 0);
        COUNT(counts, ORR_CL, leaf);
        COUNT(counts, ORR_CB, leaf ? third - second : 0);
        if (leaf) {
            leaf_from[popcount(leaves & below)] = second;
            leaf_to[popcount(leaves & below)] = third;
        }
        if (first >= 0)
            stack[top + popcount(with_first & below)] = first;
        top += popcount(with_first);
        if (!leaf && second >= 0)
            stack[top + popcount(with_second & below)] = second;
        top += popcount(with_second);
        if (!leaf && third >= 0)
            stack[top + popcount(with_third & below)] = third;
        top += popcount(with_third);
        if (fourth >= 0)
            stack[top + popcount(with_fourth & below)] = fourth;
        top += popcount(with_fourth);
        barrier(CLK_LOCAL_MEM_FENCE);
        VOTE_CLEAR(votes);
        const i32 far_count = popcount(far_ones), leaf_count = popcount(leaves);
        for (i32 q = 0; q < far_count; q++) {
            const float4 other = COUNTED(counts, ORR_SR, 4, list[q]);
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                COUNT_CELL(counts, b.index[k]);
            interact(&b, other.x, other.y, other.z, 0, 0, eps2);
        }
        evaluated += far_count;
        for (i32 q = 0; q < leaf_count; q++) {
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
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR];
        REAL_STORE(b.ax[k], ax, 0);
        REAL_STORE(b.ay[k], ay, 0);
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++)
            if (i + k * BLOCK * VECTOR + lane < n) {
                COUNT(counts, ORR_IR, 1);
                COUNT(counts, ORR_GW, 4);
                acc[order[i + k * BLOCK * VECTOR + lane]] =
                    MAKE_FLOAT4(ax[lane], ay[lane], 0.0f, 0.0f);
            }
    }
    if (t == 0)
        work[group] += (u64)evaluated * (u64)(to - from) - (u64)selfs;
    COUNT_FLUSH(counts, totals);
}
