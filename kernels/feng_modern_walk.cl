/* Forces from the tree of kernels/feng_modern.cl. A group takes BLOCK * BODIES * VECTOR bodies in a row by key and walks
 * the tree once for all of them: a cell is taken as one body when w < theta d, with d the distance of its centre of mass
 * from the smallest box around the group's bodies, so also for each of them. All threads come to the same decision
 * without asking each other, and read the same cell at the same time. */
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef BODIES
#define BODIES 2
#endif
#define GROUP_BODIES (BLOCK * BODIES * VECTOR)

/* A body does not act on itself, by index: two bodies at one place do act on each other. `self` counts nothing. */
#undef PAIR_RSQRT
#if SOFTENED
#define PAIR_RSQRT(x) (self ? REAL(0.0f) : RSQRT(x))
#else
#define PAIR_RSQRT(x) (self ? REAL(0.0f) : RSQRT_OR_ZERO(x))
#endif

#if VECTOR == 1
typedef i32 lanes;
#define LANES_LOAD(from) ((from)[0])
#else
typedef ORR_JOIN(int, VECTOR) lanes;
#define LANES_LOAD(from) ORR_JOIN(vload, VECTOR)(0, (from))
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
    b->index[k] = LANES_LOAD(index);
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
        interact(b, other.x, other.y, other.z, j, meets_itself, eps2);
    }
}

/* work: interactions of each group, added to what is there. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_walk(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT cells, GLOBAL const int2 *RESTRICT links,
              GLOBAL const i32 *RESTRICT offset, GLOBAL const u32 *RESTRICT order, GLOBAL float4 *RESTRICT acc,
              GLOBAL u64 *RESTRICT work, float theta2, float eps2, i32 n)
{
    LOCAL float4 boxes[BLOCK];
    const i32 from = GROUP_ID(0) * GROUP_BODIES, to = min(from + GROUP_BODIES, n), count = offset[n];
    const i32 i = from + LOCAL_ID(0) * VECTOR; /* k-th body or vector: BLOCK * VECTOR bodies further on */
    i32 evaluated = 0, selfs = 0, c = 0;
    struct own b;

    const float4 one = body[from];
    float4 box = MAKE_FLOAT4(one.x, one.y, one.x, one.y);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        box = load(&b, k, body, i + k * BLOCK * VECTOR, n, box);
    boxes[LOCAL_ID(0)] = box;
    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        BARRIER();
        if (LOCAL_ID(0) < reach)
            boxes[LOCAL_ID(0)] = around(boxes[LOCAL_ID(0)], boxes[LOCAL_ID(0) + reach]);
    }
    BARRIER();
    box = boxes[0];
    while (c < count) {
        const float4 cell = cells[c];
        const int2 link = links[c];
        const float left = box.x - cell.x, right = cell.x - box.z, below = box.y - cell.y, above = cell.y - box.w;
        const float wide = left > right ? left : right, high = below > above ? below : above;
        const float dx = wide > 0.0f ? wide : 0.0f, dy = high > 0.0f ? high : 0.0f;
        const i32 leaf = link.y >= 0;
        if (cell.w < theta2 * FMA(dx, dx, dy * dy)) {
            interact(&b, cell.x, cell.y, cell.z, 0, 0, eps2);
            evaluated++;
            c = leaf ? c + 1 : link.x;
        } else {
            if (leaf) {
                const i32 overlap = min(link.x, to) - max(link.y, from);
                if (overlap > 0)
                    meet(&b, body, link.y, link.x, 1, eps2);
                else
                    meet(&b, body, link.y, link.x, 0, eps2);
                evaluated += link.x - link.y;
                selfs += max(overlap, 0);
            }
            c++;
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
