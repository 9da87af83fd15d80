/* Forces from the tree of kernels/feng_modern.cl. A group takes BLOCK * BODIES * VECTOR bodies in a row by key and walks
 * the tree once for all of them: a cell is taken as one body when w < theta d, with d the distance of its centre of mass
 * from the smallest box around the group's bodies, so also for each of them.
 *
 * Cells to look at lie on a stack in local memory. Each thread takes one of the topmost; those that are taken go to a list,
 * those that are leaves to another, the children of the rest back to the stack. Votes say where: of the warp where a group
 * is one and the device has them, else by bits set in local memory. Then all threads meet what is in the lists. */
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
#include "lanes.h"

/* A round takes up to BLOCK cells off the stack and puts at most four times as many on; above HIGH only one at a time, which
 * goes depth first and needs three entries a level (FENG_MAX_DEPTH and one to spare). */
#define HIGH 256
#define STACK (HIGH + 3 * BLOCK + 3 * 31)

/* VOTE(k, yes) by every thread, then a barrier, then VOTED(k): bit t is set where thread t said yes. */
#define VOTES 6
#if ORR_VOTES && BLOCK == 32
#define VOTE_STATE u32 votes[VOTES]
#define VOTE(k, yes) (votes[k] = BALLOT(yes))
#define VOTED(k) votes[k]
#define VOTE_CLEAR()
#else
#define VOTE_STATE                                                                                                     \
    LOCAL u32 votes[VOTES];                                                                                            \
    VOTE_CLEAR()
#define VOTE(k, yes)                                                                                                   \
    if (yes)                                                                                                           \
    ATOMIC_OR_U32(&votes[k], 1u << LOCAL_ID(0))
#define VOTED(k) votes[k]
#define VOTE_CLEAR()                                                                                                   \
    BARRIER();                                                                                                         \
    for (i32 vote = LOCAL_ID(0); vote < VOTES; vote += BLOCK)                                                          \
        votes[vote] = 0;                                                                                               \
    BARRIER()
#endif

struct own {
    real x[BODIES], y[BODIES], ax[BODIES], ay[BODIES];
    lanes index[BODIES];
};

INLINE float4 around(float4 a, float4 b)
{
    return MAKE_FLOAT4(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z > b.z ? a.z : b.z, a.w > b.w ? a.w : b.w);
}

/* Bodies i ... i + VECTOR - 1 by key; behind the last one the last one again, whose sums nobody asks for. The box
 * around them and `box`. */
INLINE float4 load(struct own *b, i32 k, GLOBAL const float4 *body, i32 i, i32 n, float4 box)
{
    float x[VECTOR], y[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = body[min(i + lane, n - 1)];
        x[lane] = one.x;
        y[lane] = one.y;
        index[lane] = min(i + lane, n - 1);
        box = around(box, MAKE_FLOAT4(one.x, one.y, one.x, one.y));
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->index[k] = REAL_LOAD(index, 0);
    b->ax[k] = b->ay[k] = REAL(0.0f);
    return box;
}

/* A cell or body at x, y acts; `j` is the body's index by key where meets_itself, a constant where called. */
INLINE void interact(struct own *b, float x, float y, float mass, i32 j, i32 meets_itself, float eps2)
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        const lanes self = meets_itself ? b->index[k] == (lanes)(j) : (lanes)(0);
        PAIR2(b->ax[k], b->ay[k], b->x[k], b->y[k], x, y, mass, REAL(eps2));
    }
}

INLINE void meet(struct own *b, GLOBAL const float4 *body, i32 from, i32 to, i32 meets_itself, float eps2)
{
    UNROLL_BY(2)
    for (i32 j = from; j < to; j++) {
        const float4 other = body[j];
        interact(b, other.x, other.y, other.w, j, meets_itself, eps2);
    }
}

/* The box around the group's bodies. */
INLINE float4 around_group(LOCAL_POINTER(float4) boxes, float4 box)
{
    boxes[LOCAL_ID(0)] = box;
    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        BARRIER();
        if (LOCAL_ID(0) < reach)
            boxes[LOCAL_ID(0)] = around(boxes[LOCAL_ID(0)], boxes[LOCAL_ID(0) + reach]);
    }
    BARRIER();
    box = boxes[0];
    BARRIER();
    return box;
}

/* w < theta d */
INLINE i32 is_far(float4 cell, float4 box, float theta2)
{
    const float left = box.x - cell.x, right = cell.x - box.z, below = box.y - cell.y, above = cell.y - box.w;
    const float wide = left > right ? left : right, high = below > above ? below : above;
    const float dx = wide > 0.0f ? wide : 0.0f, dy = high > 0.0f ? high : 0.0f;

    return cell.w < theta2 * FMA(dx, dx, dy * dy);
}

/* work: interactions of each group, added to what is there. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT cells, GLOBAL const int4 *RESTRICT links,
              GLOBAL const u32 *RESTRICT order, GLOBAL float4 *RESTRICT acc, GLOBAL u64 *RESTRICT work, float theta2,
              float eps2, i32 n)
{
    LOCAL i32 stack[STACK];
    LOCAL float4 list[BLOCK];
    LOCAL i32 leaf_from[BLOCK], leaf_to[BLOCK];
    const i32 from = GROUP_ID(0) * GROUP_BODIES, to = min(from + GROUP_BODIES, n);
    const i32 i = from + LOCAL_ID(0) * VECTOR; /* k-th body or vector: BLOCK * VECTOR bodies further on */
    const u32 below = (1u << LOCAL_ID(0)) - 1u;
    i32 evaluated = 0, selfs = 0, top = 1;
    struct own b;
    VOTE_STATE;

    const float4 one = body[from];
    float4 box = MAKE_FLOAT4(one.x, one.y, one.x, one.y);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        box = load(&b, k, body, i + k * BLOCK * VECTOR, n, box);
    box = around_group(list, box);
    if (LOCAL_ID(0) == 0)
        stack[0] = 0;
    BARRIER();
    while (top > 0) {
        const i32 taken = top > HIGH ? 1 : min(top, BLOCK);
        i32 far = 0, first = -1, second = -1, third = -1, fourth = -1, leaf = 0;
        float4 cell = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        top -= taken;
        if (LOCAL_ID(0) < taken) {
            const i32 c = stack[top + LOCAL_ID(0)];
            cell = cells[c];
            far = is_far(cell, box, theta2);
            if (!far) {
                const int4 link = links[c];
                leaf = link.x < 0;
                first = link.x;
                second = link.y;
                third = link.z;
                fourth = leaf ? -1 : link.w;
            }
        }
        VOTE(0, far);
        VOTE(1, leaf);
        VOTE(2, first >= 0);
        VOTE(3, !leaf && second >= 0);
        VOTE(4, !leaf && third >= 0);
        VOTE(5, fourth >= 0);
        BARRIER();
        const u32 far_ones = VOTED(0), leaves = VOTED(1);
        const u32 with_first = VOTED(2), with_second = VOTED(3), with_third = VOTED(4), with_fourth = VOTED(5);
        if (far)
            list[COUNT_BITS(far_ones & below)] = cell;
        if (leaf) {
            leaf_from[COUNT_BITS(leaves & below)] = second;
            leaf_to[COUNT_BITS(leaves & below)] = third;
        }
        if (first >= 0)
            stack[top + COUNT_BITS(with_first & below)] = first;
        top += COUNT_BITS(with_first);
        if (!leaf && second >= 0)
            stack[top + COUNT_BITS(with_second & below)] = second;
        top += COUNT_BITS(with_second);
        if (!leaf && third >= 0)
            stack[top + COUNT_BITS(with_third & below)] = third;
        top += COUNT_BITS(with_third);
        if (fourth >= 0)
            stack[top + COUNT_BITS(with_fourth & below)] = fourth;
        top += COUNT_BITS(with_fourth);
        BARRIER();
        VOTE_CLEAR();
        for (i32 q = 0; q < COUNT_BITS(far_ones); q++) {
            const float4 other = list[q];
            interact(&b, other.x, other.y, other.z, 0, 0, eps2);
        }
        evaluated += COUNT_BITS(far_ones);
        for (i32 q = 0; q < COUNT_BITS(leaves); q++) {
            const i32 leaf_begin = leaf_from[q], leaf_end = leaf_to[q];
            const i32 overlap = max(min(leaf_end, to) - max(leaf_begin, from), 0);
            if (overlap)
                meet(&b, body, leaf_begin, leaf_end, 1, eps2);
            else
                meet(&b, body, leaf_begin, leaf_end, 0, eps2);
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
            if (i + k * BLOCK * VECTOR + lane < n)
                acc[order[i + k * BLOCK * VECTOR + lane]] = MAKE_FLOAT4(ax[lane], ay[lane], 0.0f, 0.0f);
    }
    if (LOCAL_ID(0) == 0)
        work[GROUP_ID(0)] += (u64)evaluated * (u64)(to - from) - (u64)selfs;
}
