/* What the threads of a block do to evaluate the interaction lists of a group of bodies (Gaburov et al. 2010, section 3.2.3). */
#ifndef BLOCK
#define BLOCK 64 /* threads, at least as many as a group has bodies */
#endif
#ifndef MULTIPOLE
#define MULTIPOLE 0 /* enum gaburov_multipole */
#endif
#ifndef SHARE
#define SHARE 0 /* 1: threads without a body take part of another's work */
#endif

/* A body does not act on itself, by index: two bodies at one place do act on each other. `self` counts nothing. */
#undef PAIR_RSQRT
#if SOFTENED
#define PAIR_RSQRT(x) (self ? 0.0f : RSQRT(x))
#else
#define PAIR_RSQRT(x) (self ? 0.0f : RSQRT_OR_ZERO(x))
#endif

/* The body of a thread, and what part of every list it meets on it: each parts-th from `part` on. */
struct own {
    float x, y, z, ax, ay, az, phi;
    i32 index; /* -1: no body */
    i32 part, parts;
};

#define NOTHING 0x3fffffff /* a part that no list has */

INLINE struct own own_of(GLOBAL const float4 *body, int2 range)
{
    const i32 t = LOCAL_ID(0);
    struct own b = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, -1, NOTHING, 1};
    i32 k = t;

#if SHARE
    b.parts = BLOCK / range.y;
    k = t < b.parts * range.y ? t % range.y : range.y;
#endif
    if (k < range.y) {
        const float4 at = body[range.x + k];
        b.x = at.x;
        b.y = at.y;
        b.z = at.z;
        b.index = range.x + k;
        b.part = t / range.y;
    }
    return b;
}

/* The sums of all parts, to the thread that has part 0. */
INLINE void gather(struct own *b, LOCAL_POINTER(float4) sums, i32 bodies)
{
#if SHARE
    const i32 t = LOCAL_ID(0);

    sums[t] = MAKE_FLOAT4(b->ax, b->ay, b->az, b->phi);
    BARRIER();
    if (t < bodies)
        for (i32 part = 1; part < b->parts; part++) {
            const float4 sum = sums[part * bodies + t];
            b->ax += sum.x;
            b->ay += sum.y;
            b->az += sum.z;
            b->phi += sum.w;
        }
    BARRIER();
#endif
}

/* What a thread fetches for its block. */
#if MULTIPOLE == 0
#define NODE_TILE LOCAL float4 tile[BLOCK], tile_a[BLOCK]; LOCAL float2 tile_b[BLOCK]
#define NODE_TILES tile, tile_a, tile_b
#else
#define NODE_TILE LOCAL float4 tile[BLOCK]; LOCAL float2 tile_b[1]
#define NODE_TILES tile, tile, tile_b
#endif

/* List 3.3, lines 2 to 6: the block's threads fetch a node each, the first `count`, and all meet them. */
INLINE void meet_nodes(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(float4) tile_a, LOCAL_POINTER(float2) tile_b,
                       GLOBAL const float4 *com, GLOBAL const float4 *quad_a, GLOBAL const float2 *quad_b, i32 slot, i32 count,
                       float eps2)
{
    const i32 t = LOCAL_ID(0), self = 0;

    if (t < count) {
        tile[t] = com[slot];
#if MULTIPOLE == 0
        tile_a[t] = quad_a[slot];
        tile_b[t] = quad_b[slot];
#endif
    }
    BARRIER();
    struct own o = *b; /* in registers: what b points to may be memory where a CPU keeps a thread over barriers */
    UNROLL_BY(2)
    for (i32 j = o.part; j < count; j += o.parts) {
        const float4 node = tile[j];
#if MULTIPOLE == 0
        const float4 qa = tile_a[j];
        const float2 qb = tile_b[j];
        PAIR_NODE(o.ax, o.ay, o.az, o.phi, o.x, o.y, o.z, node.x, node.y, node.z, node.w, qa.x, qa.y, qa.z, qa.w, qb.x,
                  qb.y, eps2);
#else
        PAIR(o.ax, o.ay, o.az, o.phi, o.x, o.y, o.z, node.x, node.y, node.z, node.w, eps2);
#endif
    }
    *b = o;
    BARRIER();
}

/* The first `count` of a tile of bodies; meets_itself, a constant: the body may be among them. */
INLINE void meet_bodies(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index, i32 count, i32 meets_itself,
                        float eps2)
{
    struct own o = *b;

    UNROLL_BY(4)
    for (i32 j = o.part; j < count; j += o.parts) {
        const float4 other = tile[j];
        const i32 self = meets_itself && index[j] == o.index;
        PAIR(o.ax, o.ay, o.az, o.phi, o.x, o.y, o.z, other.x, other.y, other.z, other.w, eps2);
    }
    *b = o;
}

/* Bodies that are both in the leaf and in the group. */
INLINE i32 common(int2 leaf, int2 range)
{
    return max(min(leaf.x + leaf.y, range.x + range.y) - max(leaf.x, range.x), 0);
}

/* All bodies of the first `count` of the `leaves`, at most BLOCK. */
#if SHARE
#define LEAF_TILE                                                                                                      \
    LOCAL i32 index[BLOCK], starts[BLOCK + 1];                                                                         \
    LOCAL u32 among[2]
#define LEAF_TILES tile, index, starts, among

/* starts[k]: bodies of the leaves before the k-th. */
INLINE void add_up(LOCAL_POINTER(i32) starts, LOCAL_POINTER(int2) leaves, i32 count)
{
    for (i32 k = LOCAL_ID(0); k <= count; k += BLOCK) {
        i32 before = 0;
        for (i32 leaf = 0; leaf < k; leaf++)
            before += leaves[leaf].y;
        starts[k] = before;
    }
}

/* The body at `place` among those of the leaves. */
INLINE i32 body_at(LOCAL_POINTER(i32) starts, LOCAL_POINTER(int2) leaves, i32 count, i32 place)
{
    i32 low = 0, high = count - 1; /* starts[low] <= place < starts[high + 1] */

    while (low < high) {
        const i32 middle = (low + high + 1) / 2;
        if (starts[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return leaves[low].x + place - starts[low];
}

/* Leaves are short: a tile takes the bodies of several. among: are the group's own there, in this tile and in the next? */
INLINE void meet_leaves(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index, LOCAL_POINTER(i32) starts,
                        LOCAL_POINTER(u32) among, GLOBAL const float4 *body, LOCAL_POINTER(int2) leaves, i32 count, int2 range,
                        float eps2)
{
    const i32 t = LOCAL_ID(0);
    i32 now = 0;

    add_up(starts, leaves, count);
    if (t == 0)
        among[0] = among[1] = 0;
    BARRIER();
    const i32 bodies = starts[count];
    for (i32 from = 0; from < bodies; from += BLOCK) {
        if (from + t < bodies) {
            const i32 j = body_at(starts, leaves, count, from + t);
            tile[t] = body[j];
            index[t] = j;
            if (j >= range.x && j < range.x + range.y)
                ATOMIC_OR_U32(&among[now], 1u);
        }
        BARRIER();
        if (among[now])
            meet_bodies(b, tile, index, min(BLOCK, bodies - from), 1, eps2);
        else
            meet_bodies(b, tile, index, min(BLOCK, bodies - from), 0, eps2);
        now = 1 - now;
        if (t == 0)
            among[now] = 0;
        BARRIER();
    }
}
#else
#define LEAF_TILE LOCAL i32 index[BLOCK]
#define LEAF_TILES tile, index

/* List 3.4, lines 5 to 9. A leaf with more bodies than the block has threads comes in pieces. */
INLINE void meet_leaves(struct own *b, LOCAL_POINTER(float4) tile, LOCAL_POINTER(i32) index, GLOBAL const float4 *body,
                        LOCAL_POINTER(int2) leaves, i32 count, int2 range, float eps2)
{
    const i32 t = LOCAL_ID(0);

    for (i32 k = 0; k < count; k++) {
        const int2 leaf = leaves[k];
        for (i32 from = 0; from < leaf.y; from += BLOCK) {
            if (from + t < leaf.y) {
                tile[t] = body[leaf.x + from + t];
                index[t] = leaf.x + from + t;
            }
            BARRIER();
            if (common(leaf, range))
                meet_bodies(b, tile, index, min(BLOCK, leaf.y - from), 1, eps2);
            else
                meet_bodies(b, tile, index, min(BLOCK, leaf.y - from), 0, eps2);
            BARRIER();
        }
    }
}
#endif

/* Pairs of a body of the group and another body of the leaf. */
INLINE u64 pairs_of(int2 leaf, int2 range)
{
    return (u64)leaf.y * (u64)range.y - (u64)common(leaf, range);
}

/* The sum of what all threads give, to thread 0. */
INLINE u64 sum_of_all(LOCAL_POINTER(u64) words, u64 own)
{
    u64 sum = 0;

    words[LOCAL_ID(0)] = own;
    BARRIER();
    for (i32 t = 0; t < BLOCK && LOCAL_ID(0) == 0; t++)
        sum += words[t];
    BARRIER();
    return sum;
}
