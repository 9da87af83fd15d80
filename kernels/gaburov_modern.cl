/* SPDX-License-Identifier: MIT */
/* The octree of gaburov/octgrav-modern: the cells of kernels/sorted_tree.cl numbered so that the
 * children of a cell stand side by side, and their moments.
 *
 * Cells with one child, which has the same bodies, are left out. A cell is a link, a pair of i32:
 * its first child and how many there are, or the first body of a leaf and minus how many.
 *
 * Moments come from a pyramid: its lowest row are the bodies by key, an entry of each row above
 * sums FAN of the one below. A cell sums whole entries and what its run of bodies has besides, so
 * that none waits for its children.
 *
 * With LOW=1 positions are pairs of floats, and so are centres of mass; boxes are those of the high
 * parts. */
#ifndef BLOCK
#define BLOCK 64
#endif
/* Entries of a row of the pyramid that one of the next sums. */
#ifndef FAN
#define FAN 16
#endif
#ifndef OPENING
#define OPENING 3 /* as gaburov_opening.h has it */
#endif
#ifndef QUADRUPOLE
#define QUADRUPOLE 1
#endif
#include "boxes.h"
#include "gaburov_expansion.h"
#include "gaburov_opening.h"
#include "low.h"

/* --- families --- */

/* The cell that has more than one child, or none, and the same bodies as c. */
INLINE i32 branching(GLOBAL const i32 *after, i32 c)
{
    const i32 end = after[c];

    while (end > c + 1 && after[c + 1] == end)
        c++;
    return c;
}

/* Children of cell c; 0 of a leaf and of cells that are left out. */
INLINE i32 children_of(GLOBAL const i32 *after, i32 c)
{
    const i32 end = after[c];
    i32 count = 0;

    for (i32 child = c + 1; child < end; child = after[child])
        count++;
    return count > 1 ? count : 0;
}

/* Each group looks at a slice of all cells. */
INLINE i32 slice_length(i32 cells)
{
    const i32 groups = get_num_groups(0);

    return (cells + groups - 1) / groups;
}

/* family[c]: children of the cells of the group's slice before c; totals: of the slice. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_families(GLOBAL const i32 *RESTRICT offset, GLOBAL const i32 *RESTRICT after,
                     GLOBAL i32 *RESTRICT family, GLOBAL i32 *RESTRICT totals, i32 n)
{
    const i32 t = get_local_id(0), group = get_group_id(0);
    LOCAL u32 words[BLOCK];
    const i32 cells = offset[n], length = slice_length(cells);
    u32 sum = 0;

    for (i32 at = 0; at < length; at += BLOCK) {
        const i32 k = at + t, c = group * length + k, mine = k < length && c < cells;
        const u32 before = SUM_BEFORE(words, BLOCK, mine ? (u32)children_of(after, c) : 0, &sum);
        if (mine)
            family[c] = (i32)before;
    }
    if (t == 0)
        totals[group] = (i32)sum;
}

/* family[c]: where the children of c, if any, begin among all cells, the root being cell 0. As many
 * groups as before. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_places(GLOBAL const i32 *RESTRICT offset, GLOBAL const i32 *RESTRICT totals,
                   GLOBAL i32 *RESTRICT family, i32 n)
{
    const i32 group = get_group_id(0);
    const i32 cells = offset[n], length = slice_length(cells);

    for (i32 k = get_local_id(0); k < length && group * length + k < cells; k += BLOCK)
        family[group * length + k] += totals[group] + 1;
}

INLINE void write_link(GLOBAL int2 *links, GLOBAL int2 *spans, i32 at, i32 c,
                       GLOBAL const int2 *ranges, GLOBAL const i32 *after, GLOBAL const i32 *family)
{
    const i32 own = branching(after, c), leaf = after[own] == own + 1;
    const int2 range = ranges[own];
    int2 link;

    link.x = leaf ? range.x : family[own];
    link.y = leaf ? range.x - range.y : children_of(after, own);
    links[at] = link;
    spans[at] = range;
}

/* spans: first body of each cell and the one behind its last. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_links(GLOBAL const i32 *RESTRICT offset, GLOBAL const i32 *RESTRICT after,
                  GLOBAL const int2 *RESTRICT ranges, GLOBAL const i32 *RESTRICT family,
                  GLOBAL int2 *RESTRICT links, GLOBAL int2 *RESTRICT spans, i32 n)
{
    const i32 cells = offset[n];

    if (get_global_id(0) == 0)
        write_link(links, spans, 0, 0, ranges, after, family);
    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        const i32 end = after[c];
        i32 child = c + 1, at = family[c];
        if (child < end && after[child] < end)
            for (; child < end; child = after[child])
                write_link(links, spans, at++, child, ranges, after, family);
    }
}

/* --- properties --- */

/* A lot of bodies: masses times offsets from a point, mass, masses times products of offsets,
 * corners of the tight box. */
struct lot {
    float x, y, z, mass, xx, yy, zz, xy, xz, yz;
    float4 low, high;
};

INLINE void lot_clear(struct lot *s, float4 somewhere)
{
    s->x = s->y = s->z = s->mass = s->xx = s->yy = s->zz = s->xy = s->xz = s->yz = 0.0f;
    s->low = s->high = somewhere;
}

/* Of pairs `low` are the low parts of `about`, and `rest` those of the point. */
INLINE void lot_add_point(struct lot *s, float4 about,
                          float4 point PAIRS_PARAM(float4, low) PAIRS_PARAM(float4, rest))
{
    const float dx = (point.x - about.x) PAIRS_PLUS(rest.x - low.x);
    const float dy = (point.y - about.y) PAIRS_PLUS(rest.y - low.y);
    const float dz = (point.z - about.z) PAIRS_PLUS(rest.z - low.z);
    const float mx = point.w * dx, my = point.w * dy, mz = point.w * dz;

    s->x += mx;
    s->y += my;
    s->z += mz;
    s->mass += point.w;
    s->xx = FMA(mx, dx, s->xx);
    s->yy = FMA(my, dy, s->yy);
    s->zz = FMA(mz, dz, s->zz);
    s->xy = FMA(mx, dy, s->xy);
    s->xz = FMA(mx, dz, s->xz);
    s->yz = FMA(my, dz, s->yz);
}

INLINE void lot_reach(struct lot *s, float4 low, float4 high)
{
    s->low = lowest(s->low, low);
    s->high = highest(s->high, high);
}

INLINE void lot_add_bodies(struct lot *s, float4 about, GLOBAL const float4 *body, i32 from,
                           i32 to PAIRS_PARAM(float4, about_low) LOW_PARAM)
{
    for (i32 i = from; i < to; i++) {
        const float4 one = body[i];
        lot_add_point(s, about, one PAIRS_ARG(about_low) PAIRS_ARG(low[i]));
        lot_reach(s, one, one);
    }
}

/* An entry of the pyramid is four float4: centre of mass and mass; xx yy zz xy about it; low x y z,
 * xz; high x y z, yz; and of pairs the low parts of the centre of mass. */
#define ENTRY (4 + PAIRS)

INLINE void lot_add_entries(struct lot *s, float4 about, GLOBAL const float4 *row, i32 from,
                            i32 to PAIRS_PARAM(float4, about_low))
{
    for (i32 k = from; k < to; k++) {
        const float4 centre = row[ENTRY * k], squares = row[ENTRY * k + 1];
        const float4 low = row[ENTRY * k + 2], high = row[ENTRY * k + 3];
        lot_add_point(s, about, centre PAIRS_ARG(about_low) PAIRS_ARG(row[ENTRY * k + 4]));
        lot_reach(s, low, high);
        s->xx += squares.x;
        s->yy += squares.y;
        s->zz += squares.z;
        s->xy += squares.w;
        s->xz += low.w;
        s->yz += high.w;
    }
}

/* Makes offsets and products those from the centre of mass, which it returns with the mass. Without
 * mass: the box's centre. Of pairs `rest` are its low parts. */
INLINE float4 lot_finish(struct lot *s,
                         float4 about PAIRS_PARAM(float4, about_low) PAIRS_PARAM(float4 *, rest))
{
    const float share = s->mass > 0.0f ? 1.0f / s->mass : 0.0f;
    const float x = s->x * share, y = s->y * share, z = s->z * share;

    s->xx = FMA(-s->x, x, s->xx);
    s->yy = FMA(-s->y, y, s->yy);
    s->zz = FMA(-s->z, z, s->zz);
    s->xy = FMA(-s->x, y, s->xy);
    s->xz = FMA(-s->x, z, s->xz);
    s->yz = FMA(-s->y, z, s->yz);
#if PAIRS
    const i32 weighs = s->mass > 0.0f;
    rest->x = weighs ? (x - ((about.x + x) - about.x)) + about_low.x : 0.0f;
    rest->y = weighs ? (y - ((about.y + y) - about.y)) + about_low.y : 0.0f;
    rest->z = weighs ? (z - ((about.z + z) - about.z)) + about_low.z : 0.0f;
    rest->w = 0.0f;
#endif
    if (s->mass > 0.0f)
        return MAKE_FLOAT4(about.x + x, about.y + y, about.z + z, s->mass);
    return MAKE_FLOAT4(0.5f * s->low.x + 0.5f * s->high.x, 0.5f * s->low.y + 0.5f * s->high.y,
                       0.5f * s->low.z + 0.5f * s->high.z, 0.0f);
}

/* Entries at `to` of the pyramid's row above that which begins at `from`, or, from < 0, above the
 * bodies; `count` below. */
KERNEL GROUP_SIZE(BLOCK) gaburov_pyramid(GLOBAL const float4 *RESTRICT body, GLOBAL float4 *pyramid,
                                         i32 from, i32 to, i32 count LOW_PARAM)
{
    const i32 k = get_global_id(0), first = k * FAN, end = min(first + FAN, count);

    if (first < count) {
        GLOBAL const float4 *const row = pyramid + ENTRY * (from < 0 ? 0 : from);
        GLOBAL float4 *const entry = pyramid + ENTRY * (to + k);
        const float4 about = from < 0 ? body[first] : row[ENTRY * first];
        PAIRS_ONLY(const float4 about_low = from < 0 ? low[first] : row[ENTRY * first + 4];)
        struct lot s;
        lot_clear(&s, from < 0 ? about : row[ENTRY * first + 2]);
        if (from < 0)
            lot_add_bodies(&s, about, body, first, end PAIRS_ARG(about_low) LOW_ARG);
        else
            lot_add_entries(&s, about, row, first, end PAIRS_ARG(about_low));
        PAIRS_ONLY(float4 rest;)
        entry[0] = lot_finish(&s, about PAIRS_ARG(about_low) PAIRS_ARG(&rest));
        entry[1] = MAKE_FLOAT4(s.xx, s.yy, s.zz, s.xy);
        entry[2] = MAKE_FLOAT4(s.low.x, s.low.y, s.low.z, s.xz);
        entry[3] = MAKE_FLOAT4(s.high.x, s.high.y, s.high.z, s.yz);
        PAIRS_ONLY(entry[4] = rest;)
    }
}

#if !PAIRS
/* whole: the entry of all bodies, from those of several ranks, which are 0 where one has none, each
 * the first of `stride` entries. */
KERNEL GROUP_SIZE(BLOCK) gaburov_whole(GLOBAL const float4 *RESTRICT tops,
                                       GLOBAL float4 *RESTRICT whole, i32 ranks,
                                       i32 stride)
{
    float4 about = tops[0];
    struct lot s;

    for (i32 r = 1; r < ranks; r++)
        if (tops[ENTRY * stride * r].w > about.w)
            about = tops[ENTRY * stride * r];
    lot_clear(&s, about);
    for (i32 r = 0; r < ranks; r++)
        lot_add_entries(&s, about, tops, stride * r, stride * r + 1);
    if (get_global_id(0) == 0) {
        whole[0] = lot_finish(&s, about);
        whole[1] = MAKE_FLOAT4(s.xx, s.yy, s.zz, s.xy);
    }
}
#endif

/* Sums bodies range.x ... range.y - 1, from as few entries as can be. */
INLINE void lot_of_range(struct lot *s, float4 about, GLOBAL const float4 *body,
                         GLOBAL const float4 *pyramid, int2 range, i32 n,
                         i32 rows PAIRS_PARAM(float4, about_low) LOW_PARAM)
{
    i32 from = (range.x + FAN - 1) / FAN, to = range.y / FAN, length = (n + FAN - 1) / FAN;
    GLOBAL const float4 *row = pyramid;

    lot_clear(s, about);
    if (from >= to) {
        lot_add_bodies(s, about, body, range.x, range.y PAIRS_ARG(about_low) LOW_ARG);
    } else {
        lot_add_bodies(s, about, body, range.x, from * FAN PAIRS_ARG(about_low) LOW_ARG);
        lot_add_bodies(s, about, body, to * FAN, range.y PAIRS_ARG(about_low) LOW_ARG);
        for (i32 r = 1; r < rows && (from + FAN - 1) / FAN < to / FAN; r++) {
            const i32 whole = (from + FAN - 1) / FAN, end = to / FAN;
            lot_add_entries(s, about, row, from, whole * FAN PAIRS_ARG(about_low));
            lot_add_entries(s, about, row, end * FAN, to PAIRS_ARG(about_low));
            row += ENTRY * length;
            length = (length + FAN - 1) / FAN;
            from = whole;
            to = end;
        }
        lot_add_entries(s, about, row, from, to PAIRS_ARG(about_low));
    }
}

/* x^(1/5) by Newton's iteration, x >= 0. */
INLINE float fifth_root(float x)
{
    float y = as_float(as_uint(x) / 5u + 0x32cd0000u);

    UNROLL
    for (i32 k = 0; k < 3; k++) {
        const float y2 = y * y;
        y = FMA(0.2f, x / (y2 * y2) - y, y);
    }
    return x > 1e-30f ? y : 0.0f;
}

/* How much nearer than l / theta a cell may be that weighs less than the system's share, or more.
 * Let all cells have the same error M l^p / r^(p + 2) at their r, that of the first moment left
 * out: p = 3 behind quadrupoles, 2 behind masses. Then r is proportional to l ((M / M_all) (R /
 * l)^2)^(1 / (p + 2)). R: REACH root mean square distances of the system's bodies from its centre
 * of mass, which makes theta mean about what it does to the other tests. What error bodies may have
 * depends on their acceleration, gaburov_pulls.cl. */
#define REACH 6.0f
#define NEAREST 0.7f

INLINE float lightness(float mass, float side, GLOBAL const float4 *whole)
{
    const float all = whole[0].w, squares = whole[1].x + whole[1].y + whole[1].z;
    const float reach = REACH * REACH * (all > 0.0f ? squares / all : 0.0f);
    const float share = all > 0.0f ? mass / all * (reach / side) / side : 0.0f;
    const float x = share < 1e30f ? share : 1e30f; /* infinite, or no number, where side is 0 */

    if (QUADRUPOLE)
        return fifth_root(x);
    return x > 1e-30f ? RSQRT(RSQRT(x)) : 0.0f;
}

/* The cell's reach, gaburov_opening.h. */
INLINE float opening_distance(float mass, float side, float off_centre, float theta,
                              GLOBAL const float4 *whole)
{
    const float radius = side > 0.0f ? side / theta : 0.0f;

    if (OPENING == EQUAL_ERROR)
        return radius * lightness(mass, side, whole) + off_centre;
    return OPENING == IMPROVED ? radius + off_centre : radius;
}

/* A leaf of so few bodies costs no more than its cell as a whole. */
#define FEW 2
#define NEVER 3e38f

INLINE float length_of(float x, float y, float z)
{
    const float square = FMA(x, x, FMA(y, y, z * z));

    return square * RSQRT_OR_ZERO(square);
}

/* The field of a group (gaburov_expansion.h) errs by about M d^5 / r^7 where it takes a cell M at r
 * for a body d from the group's centre. That is `share` of the cells' own error, M_all theta^(p +
 * 2) / R^2 as above, where r^2 = d^(10/7) times this number. share = 0: nowhere. */
INLINE float spread_of(float mass, float theta, float share, GLOBAL const float4 *whole)
{
    const float all = whole[0].w, squares = whole[1].x + whole[1].y + whole[1].z;
    const float theta2 = theta * theta, power = theta2 * theta2 * (QUADRUPOLE ? theta : 1.0f);

    if (!(share * power > 1e-30f) || !(all > 0.0f))
        return NEVER;
    return expansion_power(mass / all * (REACH * REACH * (squares / all)) / (share * power),
                           2.0f / 7.0f);
}

/* tests and halves: the cell and the half-edges of its box as gaburov_opening.h has them; moments,
 * three float4: centre of mass and mass; qxx qyy qzz qxy; qxz qyz and the trace of the
 * second moments; and of pairs a fourth, the low parts of the centre of mass; limits:
 * the spread as above and the nearest reach. Entry `top` of `whole`: of all bodies. */
KERNEL GROUP_SIZE(BLOCK)
    gaburov_properties(GLOBAL const float4 *RESTRICT body, GLOBAL const float4 *RESTRICT pyramid,
                       GLOBAL const i32 *RESTRICT count, GLOBAL const int2 *RESTRICT spans,
                       GLOBAL const int2 *RESTRICT links, GLOBAL float4 *RESTRICT tests,
                       GLOBAL float4 *RESTRICT halves, GLOBAL float4 *RESTRICT moments,
                       GLOBAL float2 *RESTRICT limits, GLOBAL const float4 *RESTRICT whole, i32 n,
                       i32 rows, i32 top, float theta, float share LOW_PARAM)
{
    const i32 cells = count[0] + 1;

    for (i32 c = get_global_id(0); c < cells; c += get_global_size(0)) {
        const int2 span = spans[c];
        const float4 about = body[span.x];
        struct lot s;
        PAIRS_ONLY(const float4 about_low = low[span.x];)
        PAIRS_ONLY(float4 rest;)
        lot_of_range(&s, about, body, pyramid, span, n, rows PAIRS_ARG(about_low) LOW_ARG);
        const float4 com = lot_finish(&s, about PAIRS_ARG(about_low) PAIRS_ARG(&rest));
        const float bx = 0.5f * s.low.x + 0.5f * s.high.x, by = 0.5f * s.low.y + 0.5f * s.high.y;
        const float bz = 0.5f * s.low.z + 0.5f * s.high.z;
        const float hx = max(s.high.x - bx, bx - s.low.x), hy = max(s.high.y - by, by - s.low.y);
        const float hz = max(s.high.z - bz, bz - s.low.z);
        const float side = 2.0f * max(hx, max(hy, hz)), trace = s.xx + s.yy + s.zz;
        const float off = length_of(com.x - bx, com.y - by, com.z - bz);
        const i32 never = theta <= 0.0f || (links[c].y < 0 && links[c].y >= -FEW);
        const float far = opening_distance(com.w, side, off, theta, whole + ENTRY * top),
                    reach = never ? NEVER : far > 0.0f ? max(far, NEAREST_FAR) : 0.0f;
        const float near = NEAREST * side + off;
        if (OPENING == MINIMUM_DISTANCE)
            tests[c] = MAKE_FLOAT4(bx, by, bz, reach);
        else
            tests[c] = MAKE_FLOAT4(com.x, com.y, com.z, reach);
        halves[c] = MAKE_FLOAT4(hx, hy, hz, side);
        limits[c] = MAKE_FLOAT2(spread_of(com.w, theta, share, whole + ENTRY * top),
                                never ? NEVER : near > 0.0f ? max(near, NEAREST_FAR) : 0.0f);
        GLOBAL float4 *const moment = moments + (3 + PAIRS) * c;
        moment[0] = com;
        PAIRS_ONLY(moment[3] = rest;)
        moment[1] = MAKE_FLOAT4(FMA(3.0f, s.xx, -trace), FMA(3.0f, s.yy, -trace),
                                         FMA(3.0f, s.zz, -trace), 3.0f * s.xy);
        moment[2] = MAKE_FLOAT4(3.0f * s.xz, 3.0f * s.yz, trace, 0.0f);
    }
}
