/* Forces from the octree of kernels/gaburov_modern.cl. A group takes BLOCK * BODIES * VECTOR bodies
 * in a row by key and walks the tree once for all of them: a cell acts as a whole where it is far
 * from the smallest box around the group's bodies.
 *
 * Cells to look at lie on a stack in local memory; each thread takes one of the topmost. Those that
 * are far go to one list, those that are leaves to another, the children of the rest back to the
 * stack; votes say where. A list with LIST entries is worked off: its cells, or the bodies of its
 * leaves, LIST at a time, are brought to local memory, and all threads meet each of them. */
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
#include "gaburov_count.h"
#include "gaburov_opening.h"
#include "boxes.h"
#include "lanes.h"
#ifndef QUADRUPOLE
#define QUADRUPOLE 1
#endif

#define LIST 64
/* Children go to the stack while there is room below HIGH for eight of each cell taken; above, one
 * cell at a time is taken, which goes depth first and needs seven entries a level. */
#define LEVELS 21
#define HIGH 1024
#define STACK (HIGH + 7 * LEVELS + 1)

struct own {
    real x[BODIES], y[BODIES], z[BODIES], ax[BODIES], ay[BODIES], az[BODIES], phi[BODIES];
    lanes index[BODIES];
};

/* A box, and, for the opening test of the 2010 code, mass and mass times position from where the
 * box began. */
struct box {
    float4 low, high, moment;
};

INLINE void reach(struct box *b, float4 low, float4 high)
{
    b->low = lowest(b->low, low);
    b->high = highest(b->high, high);
}

/* Bodies i ... i + VECTOR - 1 by key; beyond the last body the last one again, whose sums are
 * not stored. */
INLINE void load(struct own *b, i32 k, struct box *box, GLOBAL const float4 *body, i32 i, i32 n,
                 float4 about COUNT_PARAMETER(counts))
{
    float x[VECTOR], y[VECTOR], z[VECTOR];
    i32 index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[min(i + lane, n - 1)]);
        const float mass = i + lane < n ? one.w : 0.0f;
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
        index[lane] = i + lane < n ? i + lane : LANE_OF_NOBODY(n - 1);
        reach(box, one, one);
        box->moment.x = FMA(mass, one.x - about.x, box->moment.x);
        box->moment.y = FMA(mass, one.y - about.y, box->moment.y);
        box->moment.z = FMA(mass, one.z - about.z, box->moment.z);
        box->moment.w += mass;
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->z[k] = REAL_LOAD(z, 0);
    b->index[k] = REAL_LOAD(index, 0);
    b->ax[k] = b->ay[k] = b->az[k] = b->phi[k] = REAL(0.0f);
}

/* Unites the boxes of the group's threads. `words`: 3 BLOCK. */
INLINE void gather(LOCAL_POINTER(float4) words, struct box *box)
{
    const i32 t = get_local_id(0);

    words[t] = box->low;
    words[BLOCK + t] = box->high;
    words[2 * BLOCK + t] = box->moment;
    for (i32 distance = BLOCK / 2; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < distance) {
            struct box both;
            both.low = words[t];
            both.high = words[BLOCK + t];
            reach(&both, words[t + distance], words[BLOCK + t + distance]);
            const float4 a = words[2 * BLOCK + t], b = words[2 * BLOCK + t + distance];
            words[t] = both.low;
            words[BLOCK + t] = both.high;
            words[2 * BLOCK + t] = MAKE_FLOAT4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    box->low = words[0];
    box->high = words[BLOCK];
    box->moment = words[2 * BLOCK];
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The group as gaburov_opening.h describes it. */
INLINE void target(float4 *centre, float4 *edges, const struct box *box, float4 about)
{
    const float x = 0.5f * box->low.x + 0.5f * box->high.x,
                y = 0.5f * box->low.y + 0.5f * box->high.y;
    const float z = 0.5f * box->low.z + 0.5f * box->high.z;
    const float hx = max(box->high.x - x, x - box->low.x),
                hy = max(box->high.y - y, y - box->low.y);
    const float hz = max(box->high.z - z, z - box->low.z), widest = max(hx, max(hy, hz));
    const float4 sum = box->moment;
    float off_centre = 0.0f;

    if (OPENING == 0 && sum.w > 0.0f) {
        const float dx = about.x + sum.x / sum.w - x, dy = about.y + sum.y / sum.w - y,
                    dz = about.z + sum.z / sum.w - z;
        const float square = FMA(dx, dx, FMA(dy, dy, dz * dz));
        off_centre = square > 1.2e-38f ? square * RSQRT(square) : 0.0f;
    }
    *centre = MAKE_FLOAT4(x, y, z, off_centre);
    *edges = OPENING ? MAKE_FLOAT4(hx, hy, hz, 0.0f) : MAKE_FLOAT4(widest, widest, widest, 0.0f);
}

#define CELL_WORDS (QUADRUPOLE ? 12 : 4)

/* The far cells in list[0 ... count - 1] act. `stage`: 3 LIST. */
INLINE void meet_cells(struct own *b, LOCAL_POINTER(float4) stage, LOCAL_POINTER(i32) list,
                       i32 count, GLOBAL const float4 *moments, float eps2 COUNT_PARAMETER(counts))
{
    for (i32 k = get_local_id(0); k < count; k += BLOCK) {
        const i32 c = list[k];
        COUNT(counts, ORR_GR, CELL_WORDS);
        COUNT(counts, ORR_SW, CELL_WORDS);
        stage[3 * k] = moments[3 * c];
        if (QUADRUPOLE) {
            stage[3 * k + 1] = moments[3 * c + 1];
            stage[3 * k + 2] = moments[3 * c + 2];
        }
    }
    GROUP_BARRIER(BLOCK);
    UNROLL_BY(4)
    for (i32 q = 0; q < count; q++) {
        const float4 com = COUNTED(counts, ORR_SR, CELL_WORDS, stage[3 * q]);
        UNROLL
        for (i32 k = 0; k < BODIES; k++)
            COUNT_CELL(counts, b->index[k]);
        if (QUADRUPOLE) {
            const float4 u = stage[3 * q + 1], v = stage[3 * q + 2];
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                PAIR_NODE(b->ax[k], b->ay[k], b->az[k], b->phi[k], b->x[k], b->y[k], b->z[k], com.x,
                          com.y, com.z, REAL(com.w), REAL(u.x), REAL(u.y), REAL(u.z), REAL(u.w),
                          REAL(v.x), REAL(v.y), REAL(eps2));
        } else {
            UNROLL
            for (i32 k = 0; k < BODIES; k++)
                PAIR(b->ax[k], b->ay[k], b->az[k], b->phi[k], b->x[k], b->y[k], b->z[k], com.x,
                     com.y, com.z, com.w, REAL(eps2));
        }
    }
    GROUP_BARRIER(BLOCK);
}

/* The `count` bodies in stage[] act, whose indices are in `index` where meets_itself, a constant
 * where called. */
#define AT_ONCE 8
INLINE void meet_bodies(struct own *b, LOCAL_POINTER(float4) stage, LOCAL_POINTER(i32) index,
                        i32 count, i32 meets_itself, float eps2 COUNT_PARAMETER(counts))
{
    for (i32 q = 0; q < count; q += AT_ONCE) {
        UNROLL
        for (i32 r = 0; r < AT_ONCE; r++) {
            const float4 other = COUNTED(counts, ORR_SR, 4, stage[q + r]);
            UNROLL
            for (i32 k = 0; k < BODIES; k++) {
                COUNT_BODY(counts, b->index[k], index[q + r], 0x7fffffff);
                const lanes self = meets_itself ? b->index[k] == (lanes)(index[q + r]) : (lanes)(0);
                PAIR_WITH(b->ax[k], b->ay[k], b->az[k], b->phi[k], b->x[k], b->y[k], b->z[k],
                          other.x, other.y, other.z, other.w, REAL(eps2), r2,
                          PAIR_RSQRT_BUT(self, r2));
            }
        }
    }
}

/* The body at `place` among those of `count` leaves: starts[e] of them come before leaf e. */
INLINE i32 body_at(LOCAL_POINTER(u32) starts, LOCAL_POINTER(i32) first, i32 count, i32 place)
{
    i32 leaf = 0;

    UNROLL
    for (i32 further = LIST / 2; further > 0; further /= 2)
        if (leaf + further < count && (i32)starts[leaf + further] <= place)
            leaf += further;
    return first[leaf] + place - (i32)starts[leaf];
}

/* The bodies of the `count` leaves that begin with body first[] and have held[] act; first[] and
 * held[] are of the list. Returns how many they are. `words`: BLOCK; `stage`: LIST and `index` as
 * many. */
INLINE i32 meet_leaves(struct own *b, LOCAL_POINTER(float4) stage, LOCAL_POINTER(i32) index,
                       LOCAL_POINTER(u32) starts, LOCAL_POINTER(u32) words,
                       LOCAL_POINTER(i32) first, LOCAL_POINTER(i32) held, i32 count,
                       GLOBAL const float4 *body, i32 from, i32 to,
                       float eps2 COUNT_PARAMETER(counts))
{
    const i32 t = get_local_id(0);
    u32 total = 0;

    for (i32 tile = 0; tile < count; tile += BLOCK) {
        const i32 k = tile + t;
        const u32 before = GROUP_SUM_BEFORE(words, BLOCK, k < count ? (u32)held[k] : 0, &total);
        if (k < count)
            starts[k] = before;
    }
    COUNT(counts, ORR_CB, t == 0 ? total : 0);
    GROUP_BARRIER(BLOCK);
    for (i32 at = 0; at < (i32)total; at += LIST) {
        const i32 here = min(LIST, (i32)total - at),
                  whole = (here + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
        i32 own = 0;
        for (i32 k = t; k < whole; k += BLOCK) {
            const i32 j = body_at(starts, first, count, at + min(k, here - 1));
            float4 other = COUNTED(counts, ORR_GR, 4, body[j]);
            if (k >= here)
                other.w = 0.0f;
            own |= j >= from && j < to;
            COUNTED(counts, ORR_SW, 4, stage[k] = other);
            index[k] = k < here ? j : LANE_OF_NOBODY(j);
        }
        GROUP_BARRIER(BLOCK);
        /* Not if and else: between barriers PoCL 5 does not compile loops in both. */
        const i32 meets_itself = SOFTENED && GROUP_VOTE(words, BLOCK, own);
        meet_bodies(b, stage, index, meets_itself ? whole : 0, 1, eps2 COUNT_PASS(counts));
        meet_bodies(b, stage, index, meets_itself ? 0 : whole, 0, eps2 COUNT_PASS(counts));
        GROUP_BARRIER(BLOCK);
    }
    return (i32)total;
}

/* The sums, to where the bodies are in the input. */
INLINE void store(const struct own *b, GLOBAL float4 *acc, GLOBAL const u32 *order, i32 i,
                  i32 n COUNT_PARAMETER(counts))
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        float ax[VECTOR], ay[VECTOR], az[VECTOR], phi[VECTOR];
        REAL_STORE(b->ax[k], ax, 0);
        REAL_STORE(b->ay[k], ay, 0);
        REAL_STORE(b->az[k], az, 0);
        REAL_STORE(b->phi[k], phi, 0);
        UNROLL
        for (i32 lane = 0; lane < VECTOR; lane++)
            if (i + k * BLOCK * VECTOR + lane < n) {
                COUNT(counts, ORR_IR, 1);
                COUNT(counts, ORR_GW, 4);
                acc[order[i + k * BLOCK * VECTOR + lane]] =
                    MAKE_FLOAT4(ax[lane], ay[lane], az[lane], phi[lane]);
            }
    }
}

/* The sum, over the threads in `mask`, of numbers whose binary digits are the bits of four
 * votes. */
INLINE i32 sum_of(const u32 votes[4], u32 mask)
{
    return popcount(votes[0] & mask) + 2 * popcount(votes[1] & mask) +
           4 * popcount(votes[2] & mask) + 8 * popcount(votes[3] & mask);
}

/* work, four for each group: pairs with cells and with bodies, cells and leaves met, added to what
 * is there. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT tests,
                 GLOBAL const float4 *RESTRICT halves, GLOBAL const int2 *RESTRICT links,
                 GLOBAL const float4 *RESTRICT moments, GLOBAL const u32 *RESTRICT order,
                 GLOBAL float4 *RESTRICT acc, GLOBAL u64 *RESTRICT work, float eps2,
                 i32 n COUNT_ARGUMENT(totals))
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL float4 stage[3 * LIST];
    LOCAL i32 stack[STACK];
    LOCAL i32 far_list[LIST + BLOCK], leaf_first[LIST + BLOCK], leaf_held[LIST + BLOCK],
        index[LIST];
    LOCAL u32 starts[LIST], words[BLOCK];
    const i32 from = group * GROUP_BODIES, to = min(from + GROUP_BODIES, n);
    /* The thread's first body or vector; the k-th is BLOCK * VECTOR bodies further on. */
    const i32 i = from + t * VECTOR;
    const u32 below = (1u << t) - 1u;
    i32 top = 1, far_count = 0, leaf_count = 0, cells = 0, leaves = 0;
    i64 bodies = 0;
    struct own b;
    struct box box;
    COUNT_STATE(counts);

    COUNT_IN(counts, GABUROV_WALK);
    const float4 about = COUNTED(counts, ORR_GR, 4, body[from]);
    box.low = box.high = about;
    box.moment = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        load(&b, k, &box, body, i + k * BLOCK * VECTOR, n, about COUNT_PASS(counts));
    gather(stage, &box);
    float4 centre, edges;
    target(&centre, &edges, &box, about);
    if (t == 0)
        stack[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (top > 0) {
        const i32 room = (HIGH - top) / 7, taken = min(top, min(BLOCK, max(room, 1)));
        i32 c = 0, far = 0, leaf = 0, children = 0;
        int2 link;
        top -= taken;
        link.x = link.y = 0;
        if (t < taken) {
            c = stack[top + t];
            link = COUNTED(counts, ORR_IR, 2, links[c]);
            COUNT(counts, ORR_GR, 4 + EDGE_WORDS);
            far = !opens(tests[c], EDGES_OF(halves, c), centre, edges);
            leaf = !far && link.y < 0;
            children = far || leaf ? 0 : link.y;
            COUNT(counts, ORR_CT, 1);
            COUNT(counts, ORR_CA, far);
            COUNT(counts, ORR_CL, leaf);
        }
        const u32 far_ones = GROUP_VOTE(words, BLOCK, far),
                  leaf_ones = GROUP_VOTE(words, BLOCK, leaf);
        u32 digits[4];
        UNROLL
        for (i32 digit = 0; digit < 4; digit++)
            digits[digit] = GROUP_VOTE(words, BLOCK, children >> digit & 1);
        GROUP_BARRIER(BLOCK);
        if (far)
            far_list[far_count + popcount(far_ones & below)] = c;
        if (leaf) {
            leaf_first[leaf_count + popcount(leaf_ones & below)] = link.x;
            leaf_held[leaf_count + popcount(leaf_ones & below)] = -link.y;
        }
        const i32 at = top + sum_of(digits, below);
        for (i32 child = 0; child < children; child++)
            stack[at + child] = link.x + child;
        top += sum_of(digits, ~0u);
        far_count += popcount(far_ones);
        leaf_count += popcount(leaf_ones);
        GROUP_BARRIER(BLOCK);
        const i32 enough = top > 0 ? LIST : 1;
        while (far_count >= enough) {
            const i32 count = min(far_count, LIST);
            far_count -= count;
            COUNT_IN(counts, GABUROV_NODES);
            meet_cells(&b, stage, far_list + far_count, count, moments, eps2 COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
            cells += count;
        }
        while (leaf_count >= enough) {
            const i32 count = min(leaf_count, LIST);
            leaf_count -= count;
            COUNT_IN(counts, GABUROV_LEAVES);
            bodies += meet_leaves(&b, stage, index, starts, words, leaf_first + leaf_count,
                                  leaf_held + leaf_count, count, body, from, to,
                                  eps2 COUNT_PASS(counts));
            COUNT_IN(counts, GABUROV_WALK);
            leaves += count;
        }
    }
    COUNT_IN(counts, GABUROV_LEAVES);
    store(&b, acc, order, i, n COUNT_PASS(counts));
    if (t == 0) {
        GLOBAL u64 *const own = work + 4 * group;
        own[0] += (u64)cells * (u64)(to - from);
        own[1] += (u64)(bodies - 1) * (u64)(to - from);
        own[2] += (u64)cells;
        own[3] += (u64)leaves;
    }
    COUNT_FLUSH(counts, totals);
}
