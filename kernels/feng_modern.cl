/* The quadtree of feng/barnes-hut-modern without locks, levels or pointers: it follows from the sorted keys.
 *
 * A body's key is its place along a Hilbert curve through the 4^levels squares of the finest grid: two bits a level,
 * so a cell of depth d is a run of sorted bodies whose keys agree in their first d levels, and neighbours along the curve
 * are neighbours in the plane. A cell with more than LEAF bodies has children; one with at most LEAF, or of depth `levels`,
 * is a leaf. A body can tell from the keys around it how deep its leaf is and which cells begin with it. Numbered
 * by first body, then by depth, the cells stand in the order of a depth-first walk: a cell's first child follows it, and behind its
 * subtree comes the first cell that begins where the cell ends.
 *
 * Cells: at most n leaves and n / (LEAF + 1) others of each depth. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef LEAF
#define LEAF 8
#endif
/* Bodies in the pyramid's lowest blocks, blocks in each above. */
#ifndef FAN
#define FAN 16
#endif

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

/* The smallest box around both: low x, low y, high x, high y. */
INLINE float4 around(float4 a, float4 b)
{
    return MAKE_FLOAT4(SMALLER(a.x, b.x), SMALLER(a.y, b.y), LARGER(a.z, b.z), LARGER(a.w, b.w));
}

/* boxes[0] becomes the box around the group's BLOCK boxes. */
INLINE void around_group(LOCAL_POINTER(float4) boxes)
{
    const i32 t = LOCAL_ID(0);

    for (i32 reach = BLOCK / 2; reach > 0; reach /= 2) {
        BARRIER();
        if (t < reach)
            boxes[t] = around(boxes[t], boxes[t + reach]);
    }
    BARRIER();
}

/* A box for each group. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_bounds(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *RESTRICT bounds, i32 n)
{
    LOCAL float4 boxes[BLOCK];
    const float4 first = body[min(GLOBAL_ID(0), n - 1)];
    float4 box = MAKE_FLOAT4(first.x, first.y, first.x, first.y);

    for (i32 i = GLOBAL_ID(0); i < n; i += GLOBAL_SIZE(0)) {
        const float4 one = body[i];
        box = around(box, MAKE_FLOAT4(one.x, one.y, one.x, one.y));
    }
    boxes[LOCAL_ID(0)] = box;
    around_group(boxes);
    if (LOCAL_ID(0) == 0)
        bounds[GROUP_ID(0)] = boxes[0];
}

/* The root square: x and y of its lower-left corner and its side, a millionth longer than the bodies' extent, so that none
 * lies on the far edge. One group. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_root(GLOBAL const float4 *RESTRICT bounds, GLOBAL float4 *RESTRICT root, i32 count)
{
    LOCAL float4 boxes[BLOCK];
    float4 box = bounds[min(LOCAL_ID(0), count - 1)];

    for (i32 k = LOCAL_ID(0); k < count; k += BLOCK)
        box = around(box, bounds[k]);
    boxes[LOCAL_ID(0)] = box;
    around_group(boxes);
    if (LOCAL_ID(0) == 0) {
        const float width = boxes[0].z - boxes[0].x, height = boxes[0].w - boxes[0].y;
        root[0] = MAKE_FLOAT4(boxes[0].x, boxes[0].y, LARGER(width, height) * 1.000001f, 0.0f);
    }
}

/* The square of the grid that x lies in, counted from `low`. The rounding errors of difference and product are carried
 * along: single precision alone has 24 levels, fewer far from the origin. */
INLINE u32 place(float x, float low, float scale, i32 squares)
{
    const float far = x - low, back = far - x;
    const float far_error = (x - (far - back)) - (low + back);
    const float product = far * scale, product_error = FMA(far, scale, -product) + far_error * scale;
    const i32 whole = (i32)product;
    const float rest = (product - (float)whole) + product_error;
    const i32 at = whole + (i32)rest - (rest < 0.0f ? 1 : 0);

    return (u32)min(max(at, 0), squares - 1);
}

/* Two bits a level, from the coarsest on; x and y turn with the curve. */
INLINE u64 hilbert(u32 x, u32 y, i32 levels)
{
    u64 key = 0;

    for (i32 level = levels - 1; level >= 0; level--) {
        const u32 right = x >> level & 1, up = y >> level & 1;
        key = key << 2 | ((3 * right) ^ up);
        if (!up) {
            const u32 turn = right ? ~0u : 0u, old = x;
            x = y ^ turn;
            y = old ^ turn;
        }
    }
    return key;
}

/* All keys are 0 where the root's side is 0 or out of range for single precision: one leaf holds all bodies. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_keys(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT root,
                                        GLOBAL u64 *RESTRICT key, GLOBAL u32 *RESTRICT order, i32 n, i32 levels)
{
    const i32 i = GLOBAL_ID(0);

    if (i < n) {
        const float4 one = body[i], square = root[0];
        const i32 squares = 1 << levels;
        const float scale = (float)squares / square.z;
        const i32 usable = square.z > 0.0f && square.z < 1e38f && scale > 0.0f && scale < 1e38f;
        key[i] = usable ? hilbert(place(one.x, square.x, scale, squares), place(one.y, square.y, scale, squares), levels) : 0;
        order[i] = (u32)i;
    }
}

/* Levels in which two keys agree. */
INLINE i32 common(u64 a, u64 b, i32 levels)
{
    const i32 same = (LEADING_ZEROS_U64(a ^ b) - (64 - 2 * levels)) / 2;

    return SMALLER(same, levels);
}

/* deepest[0], 0 before: the depth of the deepest leaf, were there `levels` of them. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_deepest(GLOBAL const u64 *RESTRICT key, GLOBAL i32 *RESTRICT deepest, i32 n, i32 levels)
{
    LOCAL i32 most;
    const i32 i = GLOBAL_ID(0);

    if (LOCAL_ID(0) == 0)
        most = 0;
    BARRIER();
    if (i + LEAF < n)
        ATOMIC_MAX_I32(&most, SMALLER(common(key[i], key[i + LEAF], levels) + 1, levels));
    BARRIER();
    if (LOCAL_ID(0) == 0)
        ATOMIC_MAX_I32(deepest, most);
}

/* The pyramid's lowest row: x, y, mass of the bodies by key. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_gather(GLOBAL const float4 *RESTRICT body, GLOBAL const u32 *RESTRICT order,
                                          GLOBAL float4 *RESTRICT pyramid, i32 n)
{
    const i32 i = GLOBAL_ID(0);

    if (i < n) {
        const float4 one = body[order[i]];
        pyramid[i] = MAKE_FLOAT4(one.x, one.y, one.w, 0.0f);
    }
}

/* Depths of the first and the last (a leaf) of the cells that begin with a body; none if first > last. */
#define FIRST_OF(depths) ((depths) & 255)
#define LAST_OF(depths) ((depths) >> 8)

/* depths[i] as above; offset[i]: cells that begin with the bodies of the group before i; totals: cells of each group.
 * LEAF + 1 neighbouring bodies that agree in d levels are too many for a leaf of depth d: the leaf of body i is one
 * deeper than the best agreement of any such run that i is in. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_depths(GLOBAL const u64 *RESTRICT key, GLOBAL i32 *RESTRICT depths, GLOBAL i32 *RESTRICT offset,
                GLOBAL i32 *RESTRICT totals, i32 n, i32 levels)
{
    LOCAL i32 runs[BLOCK + LEAF]; /* agreement of the runs that begin LEAF bodies before the group, or later */
    LOCAL u32 words[BLOCK];
    const i32 t = LOCAL_ID(0), i = GLOBAL_ID(0);
    i32 first = 0, last = -1;
    u32 total = 0;

    for (i32 k = t; k < BLOCK + LEAF; k += BLOCK) {
        const i32 from = GROUP_ID(0) * BLOCK - LEAF + k;
        runs[k] = from >= 0 && from + LEAF < n ? common(key[from], key[from + LEAF], levels) : -1;
    }
    BARRIER();
    if (i < n) {
        for (i32 k = t; k <= t + LEAF; k++)
            last = LARGER(last, runs[k]);
        last = SMALLER(last + 1, levels);
        first = i ? common(key[i - 1], key[i], levels) + 1 : 0;
        depths[i] = first | last << 8;
    }
    const u32 before = SUM_BEFORE(words, BLOCK, (u32)LARGER(last - first + 1, 0), &total);
    if (i < n)
        offset[i] = (i32)before;
    if (t == 0)
        totals[GROUP_ID(0)] = (i32)total;
}

/* totals become exclusive sums; offset[n] is the number of all cells. One group. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_offsets(GLOBAL i32 *RESTRICT totals, GLOBAL i32 *RESTRICT offset, i32 groups, i32 n)
{
    LOCAL u32 words[BLOCK];
    const i32 t = LOCAL_ID(0);
    u32 before = 0;

    for (i32 from = 0; from < groups; from += BLOCK) {
        const u32 sum = SUM_BEFORE(words, BLOCK, from + t < groups ? (u32)totals[from + t] : 0, &before);
        if (from + t < groups)
            totals[from + t] = (i32)sum;
    }
    if (t == 0)
        offset[n] = (i32)before;
}

/* begins: first body and depth of each cell. offset[i] counts all cells before body i from now on. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_begin(GLOBAL const i32 *RESTRICT depths, GLOBAL i32 *RESTRICT offset, GLOBAL const i32 *RESTRICT totals,
               GLOBAL int2 *RESTRICT begins, i32 n)
{
    const i32 i = GLOBAL_ID(0);

    if (i < n) {
        const i32 first = FIRST_OF(depths[i]), last = LAST_OF(depths[i]), at = offset[i] + totals[GROUP_ID(0)];
        offset[i] = at;
        for (i32 depth = first; depth <= last; depth++) {
            int2 cell;
            cell.x = i;
            cell.y = depth;
            begins[at + depth - first] = cell;
        }
    }
}

/* The body behind the last one that agrees with body i in `depth` levels: doubling steps, then bisection. */
INLINE i32 end_of(GLOBAL const u64 *key, i32 i, i32 depth, i32 n, i32 levels)
{
    const i32 shift = 2 * (levels - depth);
    const u64 prefix = key[i] >> shift;
    i32 reach = 1;

    while (reach < n - i && key[i + reach] >> shift == prefix)
        reach *= 2;
    i32 inside = i + reach / 2, outside = min(reach, n - i) + i;
    while (outside - inside > 1) {
        const i32 middle = inside + (outside - inside) / 2;
        if (key[middle] >> shift == prefix)
            inside = middle;
        else
            outside = middle;
    }
    return outside;
}

/* ranges: first body of each cell and the one behind its last. after: the cell behind its subtree, so of a leaf the next. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_ranges(GLOBAL const u64 *RESTRICT key, GLOBAL const i32 *RESTRICT offset, GLOBAL int2 *RESTRICT ranges,
                GLOBAL i32 *RESTRICT after, i32 n, i32 levels)
{
    const i32 cells = offset[n];

    for (i32 c = GLOBAL_ID(0); c < cells; c += GLOBAL_SIZE(0)) {
        int2 range = ranges[c];
        range.y = end_of(key, range.x, range.y, n, levels);
        ranges[c] = range;
        after[c] = offset[range.y];
    }
}

/* links: of a cell with children these, at most four, then -1; of a leaf -1, its first body and the one behind its last. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_links(GLOBAL const i32 *RESTRICT offset, GLOBAL const int2 *RESTRICT ranges,
                                         GLOBAL const i32 *RESTRICT after, GLOBAL int4 *RESTRICT links, i32 n)
{
    const i32 cells = offset[n];

    for (i32 c = GLOBAL_ID(0); c < cells; c += GLOBAL_SIZE(0)) {
        const i32 end = after[c];
        int4 link;
        if (end == c + 1) {
            const int2 range = ranges[c];
            link.x = -1;
            link.y = range.x;
            link.z = range.y;
            link.w = -1;
        } else {
            i32 child = c + 1;
            link.x = child;
            child = after[child];
            link.y = child < end ? child : -1;
            child = child < end ? after[child] : end;
            link.z = child < end ? child : -1;
            child = child < end ? after[child] : end;
            link.w = child < end ? child : -1;
        }
        links[c] = link;
    }
}

/* Mass and centre of mass of rows from..to of a row of the pyramid, about a point: sums of mass times offset. */
INLINE float4 add_rows(float4 sum, float4 about, GLOBAL const float4 *row, i32 from, i32 to)
{
    for (i32 k = from; k < to; k++) {
        const float4 one = row[k];
        sum.x = FMA(one.z, one.x - about.x, sum.x);
        sum.y = FMA(one.z, one.y - about.y, sum.y);
        sum.z += one.z;
    }
    return sum;
}

/* Centre of mass and mass from such sums. A massless lot is where `about` is. */
INLINE float4 centre(float4 sum, float4 about)
{
    const float share = sum.z > 0.0f ? 1.0f / sum.z : 0.0f;

    return MAKE_FLOAT4(FMA(sum.x, share, about.x), FMA(sum.y, share, about.y), sum.z, 0.0f);
}

/* One row of the pyramid, from the `count` entries at `below`: each entry of the one above sums FAN of them. */
KERNEL GROUP_SIZE_HINT(BLOCK) feng_pyramid(GLOBAL float4 *pyramid, i32 below, i32 count)
{
    const i32 k = GLOBAL_ID(0), from = k * FAN;

    if (from < count) {
        GLOBAL const float4 *const row = pyramid + below;
        const float4 about = row[from], none = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        pyramid[below + count + k] = centre(add_rows(none, about, row, from, min(from + FAN, count)), about);
    }
}

/* x and y of each cell's centre of mass, its mass, the square of its width: that of the smallest square of the tree
 * that holds its bodies. A chain of cells with one child each thus has one width, the last one's. */
KERNEL GROUP_SIZE_HINT(BLOCK)
    feng_moments(GLOBAL const u64 *RESTRICT key, GLOBAL const float4 *RESTRICT pyramid, GLOBAL const i32 *RESTRICT offset,
                 GLOBAL const int2 *RESTRICT ranges, GLOBAL const float4 *RESTRICT root, GLOBAL float4 *RESTRICT cells, i32 n,
                 i32 levels, i32 rows)
{
    const i32 count = offset[n];

    for (i32 c = GLOBAL_ID(0); c < count; c += GLOBAL_SIZE(0)) {
        const int2 range = ranges[c];
        const i32 depth = common(key[range.x], key[range.y - 1], levels);
        const float width = root[0].z * AS_F32((u32)(127 - depth) << 23);
        const float4 about = pyramid[range.x];
        float4 sum = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
        GLOBAL const float4 *row = pyramid;
        i32 from = range.x, to = range.y, length = n;
        for (i32 r = 1; r < rows && (from + FAN - 1) / FAN < to / FAN; r++) {
            const i32 whole = (from + FAN - 1) / FAN, end = to / FAN;
            sum = add_rows(sum, about, row, from, whole * FAN);
            sum = add_rows(sum, about, row, end * FAN, to);
            row += length;
            length = (length + FAN - 1) / FAN;
            from = whole;
            to = end;
        }
        const float4 all = centre(add_rows(sum, about, row, from, to), about);
        cells[c] = MAKE_FLOAT4(all.x, all.y, all.z, width * width);
    }
}
