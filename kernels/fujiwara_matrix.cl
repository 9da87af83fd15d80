/* SPDX-License-Identifier: MIT */
/* Direct summation on matrix units of half precision, each pair once, for both bodies.
 *
 * Bodies lie along a curve that fills space; BLOCK_I of them are a block, TILE_J a tile. Where
 * matrix_bound.h says that a block and a tile are far from each other, positions are taken from the
 * centre of the block, scaled by powers of two, and written as two halves each, so that
 *
 * 1. r^2 = x_i^2 - 2 x_i x_j + x_j^2 is a product of matrices: 16 numbers of i by 16 of j;
 * 2. w = r^-3 is taken by the lanes, less a constant near the mean, and written as two halves: cut
 *    from the bits of w, rounded where that loses too much, and as one half for coarse pairs;
 * 3. w times (m, m x, m y, m z, m x^2) of the bodies j, and its transpose times those of the bodies
 *    i, are products of matrices again, x from the centre of a tile. Of them, and of the constants
 *    times sums of moments, forces and potentials of both are made: sum w m_j (x_j - x_i),
 *    sum w m_j (x_j^2 - 2 x_i x_j + x_i^2 + eps^2).
 *
 * A mass is one half, t. What is missing, mu = m / t, is in r^2: nu = mu^-2/3 times the numbers of
 * either body makes mu_i mu_j r^-3 of w. Thus the 8 columns of a product hold all: t, t x^2, and
 * two halves of t x, t y and t z.
 *
 * Everything else, and a block with itself, is left to fujiwara_matrix_near.cl by a list. */
#define BLOCK_I 256
#define TILE_J 128
#define THREADS 128
#define ROWS_W 4     /* of 16 bodies i in a warp */
#define DISTANCES 32 /* of blocks that a group takes */
#define PARTS (TILE_J / 16)
#define FIVE 5 /* sums of w m, w m x, w m y, w m z, w m x^2 */
#define WARPS (THREADS / 32)
#define MEANS (WARPS * PARTS) /* constants of a tile */
#define SLOTS (2 * WARPS)     /* tiles whose constants are at hand */
#define IMAGE (TILE_J / 16 * 32) /* uint2 of a tile's moments as lanes read them */
#ifndef EMULATED
#define EMULATED 1
#endif
/* Passes of the inner loop, of CHAIN parts each, that are unrolled. */
#ifndef UNROLL_PARTS
#define UNROLL_PARTS 1
#endif
/* Emulated units are functions enough for a compiler. */
#if EMULATED
#define UNROLL_UNITS
#define UNROLL_PASSES
#else
#define UNROLL_UNITS UNROLL
#define UNROLL_PASSES UNROLL_BY(UNROLL_PARTS)
#endif
#define CHAIN 2 /* parts whose sums of i follow each other */
#ifdef ORR_CUDA
typedef unsigned short half_bits;
#else
typedef ushort half_bits;
#endif
#define MATRIX_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MATRIX_BITS(x) as_uint(x)
#ifdef ORR_CUDA
INLINE float root_of(float x)
{
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

INLINE float inverse_of(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#define MATRIX_ROOT(x) root_of(x)
#define MATRIX_INVERSE(x) inverse_of(x)
#else
#define MATRIX_ROOT(x) sqrt(x)
#define MATRIX_INVERSE(x) (1.0f / (x))
#endif
#include "matrix_bound.h"
#include "matrix_units.h"

/* --- tiles --- */

/* What there is of a tile, in float4: its box, radii, units of masses and lengths, centres and
 * radii of its halves and its parts, sums of moments of the parts. */
#define RECORD 24
#define HALVES_AT 3
#define PARTS_AT 5
#define SUMS_AT 13   /* of the parts: t, t x, t y, t z, and t x^2 less a constant */
#define MIDDLE_AT 92 /* that constant, in floats */

INLINE struct matrix_box box_of(GLOBAL const float4 *box, i32 tile)
{
    const float4 centre = box[RECORD * tile], edges = box[RECORD * tile + 1],
                 radii = box[RECORD * tile + 2];
    struct matrix_box b;

    b.x = centre.x;
    b.y = centre.y;
    b.z = centre.z;
    b.mass = centre.w;
    b.hx = edges.x;
    b.hy = edges.y;
    b.hz = edges.z;
    b.sum = edges.w;
    b.half_radius = radii.x;
    b.part_radius = radii.y;
    b.tile_radius = matrix_radius(b);
    return b;
}

/* Middle and half the width, rounded up, of two intervals. */
INLINE void widen(float *middle, float *half_width, float middle_b, float half_b)
{
    const float low = min(*middle - *half_width, middle_b - half_b);
    const float high = max(*middle + *half_width, middle_b + half_b);

    *middle = 0.5f * low + 0.5f * high;
    *half_width = max(high - *middle, *middle - low) * 1.000001f;
}

INLINE struct matrix_box block_of(GLOBAL const float4 *box, i32 block)
{
    struct matrix_box a = box_of(box, 2 * block);
    const struct matrix_box b = box_of(box, 2 * block + 1);

    widen(&a.x, &a.hx, b.x, b.hx);
    widen(&a.y, &a.hy, b.y, b.hy);
    widen(&a.z, &a.hz, b.z, b.hz);
    a.mass = max(a.mass, b.mass);
    a.sum += b.sum;
    a.half_radius = max(a.half_radius, b.half_radius);
    a.part_radius = max(a.part_radius, b.part_radius);
    a.tile_radius = max(a.tile_radius, b.tile_radius);
    return a;
}

/* Units of a tile: exponents of its masses, which become at most 2^14, and of its radius. */
INLINE i32 mass_exponent(struct matrix_box b)
{
    return min(max(matrix_exponent(b.mass), -100), 100) - 14;
}

INLINE i32 length_exponent(struct matrix_box b)
{
    return min(max(matrix_exponent(matrix_radius(b)), -60), 60);
}

/* Centre and radius of `count` bodies from `first` on. */
INLINE float4 ball_of(LOCAL_POINTER(const float4) own, i32 first, i32 count)
{
    float4 low = own[first], high = low;
    float square = 0.0f;

    for (i32 k = 1; k < count; k++) {
        const float4 v = own[first + k];
        low = MAKE_FLOAT4(min(low.x, v.x), min(low.y, v.y), min(low.z, v.z), 0.0f);
        high = MAKE_FLOAT4(max(high.x, v.x), max(high.y, v.y), max(high.z, v.z), 0.0f);
    }
    const float x = 0.5f * low.x + 0.5f * high.x, y = 0.5f * low.y + 0.5f * high.y,
                z = 0.5f * low.z + 0.5f * high.z;
    for (i32 k = 0; k < count; k++) {
        const float4 v = own[first + k];
        square = max(square, matrix_square(v.x - x, v.y - y, v.z - z));
    }
    return MAKE_FLOAT4(x, y, z, MATRIX_ROOT(square) * 1.00001f);
}

/* Half the largest x^2 of a tile, which is taken off them, in units of length. */
INLINE float middle_of(struct matrix_box b, float unit)
{
    const float radius = matrix_radius(b) * unit;

    return 0.5f * radius * radius;
}

/* Sums of |m| and of a part's moments, radii: what follows the box in a tile's record. */
INLINE void put_record(GLOBAL float4 *record, LOCAL_POINTER(const float4) own,
                       LOCAL_POINTER(const float) moment, LOCAL_POINTER(float) radius,
                       struct matrix_box b, i32 t)
{
    if (t < 10) {
        const float4 ball = t < 8 ? ball_of(own, t * 16, 16) : ball_of(own, (t - 8) * 64, 64);
        record[t < 8 ? PARTS_AT + t : HALVES_AT + t - 8] = ball;
        radius[t] = ball.w;
    }
    if (t < PARTS * FIVE) {
        const i32 part = t / FIVE, c = t % FIVE;
        float sum = 0.0f;
        for (i32 k = 0; k < 16; k++)
            sum += moment[c * THREADS + part * 16 + k];
        ((GLOBAL float *)record)[SUMS_AT * 4 + c * PARTS + part] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        float part = 0.0f, sum = 0.0f;
        for (i32 k = 0; k < 8; k++)
            part = max(part, radius[k]);
        for (i32 k = 0; k < THREADS; k++)
            sum += own[k].w < 0.0f ? -own[k].w : own[k].w;
        record[0] = MAKE_FLOAT4(b.x, b.y, b.z, b.mass);
        record[1] = MAKE_FLOAT4(b.hx, b.hy, b.hz, sum);
        const float length = power_of_two(length_exponent(b));
        const float middle =
            middle_of(b, power_of_two(-length_exponent(b))) * length * length;
        record[2] = MAKE_FLOAT4(max(radius[8], radius[9]), part, power_of_two(mass_exponent(b)),
                                length);
        ((GLOBAL float *)record)[MIDDLE_AT] = middle;
    }
}

/* Body v of a tile: its moments into the tile's image and as floats; nu. */
INLINE float put_moments(LOCAL_POINTER(half_bits) image, LOCAL_POINTER(float) moment, i32 t,
                         float4 v, struct matrix_box b)
{
    const float unit = power_of_two(-length_exponent(b)), m = v.w * power_of_two(-mass_exponent(b));
    const float x[3] = {(v.x - b.x) * unit, (v.y - b.y) * unit, (v.z - b.z) * unit};
    const float near = low_half(halves(m, 0.0f)), square = matrix_square(x[0], x[1], x[2]);
    const float middle = middle_of(b, unit);
    const i32 pair = t % 16 / 2, place = t / 16 * 64 + 2 * (pair % 4) + pair / 4;

    image[place * 2 + t % 2] = (half_bits)halves(near, 0.0f);
    image[(place + 8) * 2 + t % 2] = (half_bits)halves(near * (square - middle), 0.0f);
    moment[t] = near;
    moment[4 * THREADS + t] = near * (square - middle);
    for (i32 c = 0; c < 3; c++) {
        const u32 high = halves(near * x[c], 0.0f);
        moment[(1 + c) * THREADS + t] = near * x[c];
        image[(place + (2 + 2 * c) * 8) * 2 + t % 2] = (half_bits)high;
        image[(place + (3 + 2 * c) * 8) * 2 + t % 2] =
            (half_bits)halves(near * x[c] - low_half(high), 0.0f);
    }
    /* A subnormal half is less than 2^-28 of the largest mass. */
    if ((near < 0.0f ? -near : near) < 6.2e-5f)
        return 1.0f;
    const float d = (m - near) / near;
    return 1.0f + d * (d * 0.5555556f - 0.6666667f);
}

/* Sorted bodies into whole blocks, massless ones at the place of the last one behind it; for far
 * pairs with nu in place of the mass, and their moments; the tiles' records; sums become 0. One
 * group a tile. */
KERNEL GROUP_SIZE(THREADS)
    matrix_tiles(GLOBAL const float4 *RESTRICT sorted, GLOBAL float4 *RESTRICT body,
                 GLOBAL float4 *RESTRICT place, GLOBAL uint2 *RESTRICT images,
                 GLOBAL float4 *RESTRICT box, GLOBAL float *RESTRICT sums, i32 n, i32 padded)
{
    const i32 t = get_local_id(0), tile = get_group_id(0);
    LOCAL float low[FIVE * THREADS], high[FIVE * THREADS];
    LOCAL float4 bodies[THREADS];
    LOCAL uint2 image[IMAGE];
    LOCAL float radius[10];
    const i32 i = tile * TILE_J + t;
    float4 own = sorted[min(i, n - 1)];
    float middle[3], width[3];
    struct matrix_box b;

    if (i >= n)
        own.w = 0.0f;
    body[i] = own;
    bodies[t] = own;
    for (i32 c = 0; c < 4; c++)
        sums[(i64)c * padded + i] = 0.0f;
    low[t] = high[t] = own.x;
    low[THREADS + t] = high[THREADS + t] = own.y;
    low[2 * THREADS + t] = high[2 * THREADS + t] = own.z;
    low[3 * THREADS + t] = high[3 * THREADS + t] = own.w < 0.0f ? -own.w : own.w;
    for (i32 reach = THREADS / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < reach)
            for (i32 c = 0; c < 4; c++) {
                const i32 at = c * THREADS + t;
                low[at] = min(low[at], low[at + reach]);
                high[at] = max(high[at], high[at + reach]);
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 c = 0; c < 3; c++) {
        const float from = low[c * THREADS], to = high[c * THREADS];
        middle[c] = 0.5f * from + 0.5f * to;
        width[c] = max(to - middle[c], middle[c] - from) * 1.000001f;
    }
    b.x = middle[0];
    b.y = middle[1];
    b.z = middle[2];
    b.mass = high[3 * THREADS];
    b.hx = width[0];
    b.hy = width[1];
    b.hz = width[2];
    b.sum = b.half_radius = b.part_radius = b.tile_radius = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    own.w = put_moments((LOCAL_POINTER(half_bits))image, low, t, own, b);
    place[i] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = t; k < IMAGE; k += THREADS)
        images[(i64)tile * IMAGE + k] = image[k];
    put_record(box + RECORD * (i64)tile, bodies, low, radius, b, t);
}

/* --- what is near, and what coarse --- */

/* The k-th tile that block `block` meets, of a ring of `blocks`; -1: the other one meets this. */
INLINE i32 tile_met(i32 block, i32 blocks, i32 k)
{
    const i32 d = 1 + k / 2, other = block + d < blocks ? block + d : block + d - blocks;

    return 2 * d > blocks || (2 * d == blocks && block >= d) ? -1 : 2 * other + k % 2;
}

/* The share of the bound that what is cut off w may take of a pair. */
#ifndef CUT_SHARE
#define CUT_SHARE 1.0f
#endif
/* Most errors of far tiles and most errors of coarse ones to choose from, for matrix_plan. */
#define FAR_STEPS 8
#define COARSE_STEPS 16
#define STEPS (FAR_STEPS + COARSE_STEPS)
INLINE float far_limit(i32 step, float bound)
{
    return bound * (step % 2 ? 1.4142135f : 1.0f) * power_of_two(step / 2 - 2);
}

/* What may be lost of all magnitudes; sums are rounded. Potentials may lose twice as much as
 * forces: to them x^2 has one half only. */
INLINE float share_of(float bound, i32 kind)
{
    return (kind ? 1.9999f : 0.9999f) * bound;
}

INLINE float coarse_limit(i32 step)
{
    const float quarter = step % 4 == 0   ? 1.0f
                          : step % 4 == 1 ? 0.8408964f
                          : step % 4 == 2 ? 0.7071068f
                                          : 0.5946036f;
    return 8e-4f * power_of_two(-(step / 4)) * quarter;
}

/* Magnitudes of a body in ball `a` of radius a.w with a mass anywhere in ball `b`: at most and at
 * least, of forces, or of potentials if `kind`. */
INLINE float2 between(float4 a, float4 b, i32 kind, float eps2)
{
    const float d = MATRIX_ROOT(matrix_square(b.x - a.x, b.y - a.y, b.z - a.z)), r = a.w + b.w;
    const float near = max(d * 0.99999f - r, 0.0f), far = (d + r) * 1.00001f;
    const float near2 = near * near + eps2, far2 = far * far + eps2;

    if (kind)
        return MAKE_FLOAT2(MATRIX_INVERSE(MATRIX_ROOT(near2)),
                           far2 > 0.0f ? MATRIX_INVERSE(MATRIX_ROOT(far2)) : 0.0f);
    return MAKE_FLOAT2(matrix_peak(near * near, far * far, eps2),
                       min(matrix_magnitude(far * far, eps2),
                           matrix_magnitude(near * near, eps2)));
}

/* Whether w of such pairs is cut, which the bound must afford. */
INLINE i32 is_cut(struct matrix_rates r, float bound)
{
    return max(r.cut[0], r.cut[1]) <= CUT_SHARE * bound;
}

/* What a tile may add to all errors, if these may be `share` of all magnitudes. Its own are between
 * `least` and `most`: magnitudes of which more than `share` is lost are worst at most. */
INLINE float error_of(float rate, float least, float most, float share)
{
    return rate <= share ? rate * least : rate * most - share * (most - least);
}

/* What the errors of a half tile come to by limits, and in [STEPS] the least sum of magnitudes, of
 * forces and then of potentials: over every 32nd block from `lane` on. The block of the half tile
 * meets two tiles of another one, or its own two tiles meet that. */
INLINE void add_errors(float (*sum)[STEPS + 1], GLOBAL const float4 *box, i32 block, i32 part,
                       i32 blocks, i32 lane, float eps2, float bound, float coarse)
{
    const i32 own_tile = 2 * block + part / 2;
    const struct matrix_box own = block_of(box, block), tile = box_of(box, own_tile);
    const float4 ball = box[RECORD * own_tile + HALVES_AT + part % 2];

    for (i32 at = lane; at < 2 * blocks; at += 32) {
        const i32 other = at / 2, d = other > block ? other - block : other - block + blocks;
        const i32 meets = 2 * d < blocks || (2 * d == blocks && block < other);
        GLOBAL const float4 *record = box + RECORD * at;
        const float mass = record[1].w;
        if (other == block)
            continue;
        const struct matrix_rates r = meets ? matrix_rates_of(own, box_of(box, at), eps2)
                                            : matrix_rates_of(block_of(box, other), tile, eps2);
        const i32 cut = is_cut(r, bound);
        UNROLL
        for (i32 kind = 0; kind < 2; kind++) {
            const float2 a = between(ball, record[HALVES_AT], kind, eps2),
                         b = between(ball, record[HALVES_AT + 1], kind, eps2);
            const float most = mass * min(max(a.x, b.x), r.most[kind]);
            const float least = mass * min(a.y, b.y);
            const float error = error_of(r.fine[kind] + (cut ? r.cut[kind] : 0.0f), least, most,
                                         share_of(bound, kind) * (1.0f - coarse)) +
                                (kind ? 0.0f : mass * r.loose);
            sum[kind][STEPS] += least;
            UNROLL
            for (i32 k = 0; k < FAR_STEPS; k++)
                sum[kind][k] += r.error <= far_limit(k, bound) ? error : 0.0f;
            UNROLL
            for (i32 k = 0; k < COARSE_STEPS; k++)
                sum[kind][FAR_STEPS + k] += r.coarse <= coarse_limit(k) ? r.coarse * most : 0.0f;
        }
    }
}

/* The largest errors of far and coarse tiles for one half tile, of totals of forces and potentials.
 * `coarse`: the share of the bound that far tiles leave to coarse ones. */
INLINE float2 limits_of(LOCAL_POINTER(const float) force, float bound, float coarse)
{
    LOCAL_POINTER(const float) potential = force + STEPS + 1;
    const float most = share_of(bound, 0) * force[STEPS];
    const float most_of_potentials = share_of(bound, 1) * potential[STEPS];
    const float left = 1.0f - coarse;
    i32 far = FAR_STEPS - 1, c = 0;

    while (far >= 0 &&
           !(force[far] <= left * most && potential[far] <= left * most_of_potentials))
        far--;
    if (far < 0)
        return MAKE_FLOAT2(0.0f, 0.0f);
    while (c < COARSE_STEPS &&
           !(force[far] + force[FAR_STEPS + c] <= most &&
             potential[far] + potential[FAR_STEPS + c] <= most_of_potentials))
        c++;
    return MAKE_FLOAT2(far_limit(far, bound),
                       coarse > 0.0f && c < COARSE_STEPS ? coarse_limit(c) : 0.0f);
}

/* limits: of each block the largest error of a tile that is far and of one that is coarse, so that
 * all errors together are below `bound` of the sum of magnitudes, twice that of potentials, for
 * each of its bodies. Pairs of blocks keep to those of both. */
KERNEL GROUP_SIZE(THREADS)
    matrix_plan(GLOBAL const float4 *RESTRICT box, GLOBAL float2 *RESTRICT limits, i32 blocks,
                float eps2, float bound, float coarse)
{
    const i32 t = get_local_id(0), block = get_group_id(0);
    LOCAL float all[(STEPS + 1) * (THREADS + 1)];
    LOCAL float total[4 * 2 * (STEPS + 1)]; /* of each half tile: forces, potentials */
    LOCAL float2 limit[4];
    float sum[2][STEPS + 1];

    for (i32 k = 0; k <= STEPS; k++)
        sum[0][k] = sum[1][k] = 0.0f;
    add_errors(sum, box, block, t / 32, blocks, t % 32, eps2, bound, coarse);
    UNROLL
    for (i32 kind = 0; kind < 2; kind++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 k = 0; k <= STEPS; k++)
            all[k * (THREADS + 1) + t] = sum[kind][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 k = t; k < 4 * (STEPS + 1); k += THREADS) {
            const i32 part = k / (STEPS + 1), step = k % (STEPS + 1);
            float it = 0.0f;
            for (i32 lane = 0; lane < 32; lane++)
                it += all[step * (THREADS + 1) + part * 32 + lane];
            total[(part * 2 + kind) * (STEPS + 1) + step] = it;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 4)
        limit[t] = limits_of(total + t * 2 * (STEPS + 1), bound, coarse);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        const float2 a = limit[0], b = limit[1], c = limit[2], d = limit[3];
        limits[block] =
            MAKE_FLOAT2(min(min(a.x, b.x), min(c.x, d.x)), min(min(a.y, b.y), min(c.y, d.y)));
    }
}

/* How a block and a tile meet: in single precision, or with w as two halves, as two that are cut
 * from its bits, or as one. */
#define NEAR 0
#define FINE 1
#define CUT 2
#define COARSE 3
#define MANNERS 4
/* Of such rates. Without a bound nothing is far. */
INLINE i32 manner_of(struct matrix_rates r, GLOBAL const float2 *limits, i32 block, i32 tile,
                     float bound)
{
    const float2 a = limits[block], b = limits[tile / 2];

    if (!(r.error <= min(a.x, b.x)))
        return NEAR;
    return r.coarse <= min(a.y, b.y) ? COARSE : is_cut(r, bound) ? CUT : FINE;
}

/* Blocks and tiles that are not far from each other; every block with its own two tiles too.
 * count[1]: coarse ones; count[2]: those whose w is cut. */
KERNEL GROUP_SIZE(THREADS)
    matrix_near_list(GLOBAL const float4 *RESTRICT box, GLOBAL const float2 *RESTRICT limits,
                     GLOBAL i32 *RESTRICT list, GLOBAL i32 *RESTRICT count, i32 blocks, float eps2,
                     float bound)
{
    const i32 t = get_local_id(0), block = get_group_id(0);
    const struct matrix_box own = block_of(box, block);
    i32 coarse = 0, cut = 0;

    for (i32 k = t - 2; k < blocks / 2 * 2; k += THREADS) {
        const i32 tile = k < 0 ? 2 * block + 2 + k : tile_met(block, blocks, k);
        if (tile < 0)
            continue;
        const i32 manner =
            k < 0 ? NEAR
                  : manner_of(matrix_rates_of(own, box_of(box, tile), eps2), limits, block, tile,
                              bound);
        coarse += manner == COARSE;
        cut += manner == CUT;
        if (manner == NEAR) {
            const i32 at = atomic_add(count, 1);
            list[2 * (i64)at] = block;
            list[2 * (i64)at + 1] = tile;
        }
    }
    if (coarse > 0)
        atomic_add(count + 1, coarse);
    if (cut > 0)
        atomic_add(count + 2, cut);
}

/* --- far tiles --- */

struct rows {
    u32 place[ROWS_W][4];  /* of r^2: 16 bodies i by 16 numbers */
    u32 moment[ROWS_W][2]; /* 16 bodies i by 8 columns */
};

/* A warp's bodies i: x y z nu | x y z nu | rests | both halves of nu x^2. */
INLINE void load_rows(struct rows *r, GLOBAL const float4 *place, GLOBAL const uint2 *image,
                      i32 first, u32 lane, struct matrix_box own, float length)
{
    const u32 g = lane / 4, q = lane % 4;

    UNROLL_UNITS
    for (i32 m = 0; m < ROWS_W; m++) {
        const uint2 moment = image[(first / 16 + m) * 32 + lane];
        r->moment[m][0] = moment.x;
        r->moment[m][1] = moment.y;
        UNROLL_UNITS
        for (i32 h = 0; h < 2; h++) {
            const float4 v = place[first + m * 16 + g + 8 * h];
            const float x = (v.x - own.x) * length, y = (v.y - own.y) * length,
                        z = (v.z - own.z) * length, nu = v.w;
            const float square = matrix_square(x, y, z) * nu;
            const u32 xy = halves(x * nu, y * nu), z_nu = halves(z * nu, nu);
            const u32 both = halves(square, square);
            r->place[m][h] = q % 2 ? z_nu : xy;
            r->place[m][2 + h] = q == 0   ? rests(xy, x * nu, y * nu)
                                 : q == 1 ? rests(z_nu, z * nu, nu)
                                 : q == 2 ? both
                                          : halves(square - low_half(both), 0.0f);
        }
    }
}

/* Body j of a tile into the columns of r^2: x y z x^2 | rests | x y z x^2 | nu, its rest, nu.
 * `length`: of the block's unit; `unit`: 2^-f of the tile. */
INLINE void put_column(LOCAL_POINTER(uint4) columns, u32 t, float4 v, struct matrix_box own,
                       float length, float unit, float eps2)
{
    const u32 part = t / 16, g = t % 8, side = t % 16 / 8;
    const float px = (v.x - own.x) * unit, py = (v.y - own.y) * unit, pz = (v.z - own.z) * unit;
    const float square = (matrix_square(px, py, pz) + eps2 * unit * unit) * v.w;
    const float k = -2.0f * (unit * length) * v.w, c = unit * length * (unit * length) * v.w;
    const float x = px * k, y = py * k, z = pz * k;
    const u32 xy = halves(x, y), zs = halves(z, square), one = halves(c, 0.0f);
    /* Lane q of column g reads uint4 (4 g + q) ^ (g / 2), which lets no banks meet. */
    LOCAL_POINTER(uint2) words = (LOCAL_POINTER(uint2))columns;
    const u32 first = part * 64 + 8 * g + 2 * (g >> 1) + side;

    UNROLL_UNITS
    for (u32 q = 0; q < 4; q++) {
        uint2 two;
        two.x = q == 0 ? xy : q == 1 ? zs : q == 2 ? rests(xy, x, y) : rests(zs, z, square);
        two.y = q == 0 ? xy : q == 1 ? zs : q == 2 ? halves(c, c - low_half(one)) : one;
        words[first ^ 2 * q] = two;
    }
}

/* w less its constant as halves: of 16 bodies i and 16 bodies j, in the places of lanes. Those that
 * are cut from the bits are in units of 1 / CUT_UNIT. */
INLINE void powers(u32 *high, u32 *low, const struct rows *r, i32 m, uint4 column, u32 centre,
                   i32 manner, LOCAL_POINTER(u32) scratch)
{
    float w[8];

    UNROLL_UNITS
    for (i32 e = 0; e < 8; e++)
        w[e] = 0.0f;
    multiply(w, r->place[m][0], r->place[m][1], r->place[m][2], r->place[m][3], column.x, column.y,
             scratch);
    multiply(w + 4, r->place[m][0], r->place[m][1], r->place[m][2], r->place[m][3], column.z,
             column.w, scratch);
    UNROLL_UNITS
    for (i32 e = 0; e < 8; e++) {
        const float root = RSQRT(w[e]);
        w[e] = FMA(root * root, root, manner == CUT ? CUT_AT : -as_float(centre));
    }
    UNROLL_UNITS
    for (i32 e = 0; e < 4; e++) {
        high[e] = manner == CUT ? add_halves(first_halves(w[2 * e], w[2 * e + 1]), centre)
                                : halves(w[2 * e], w[2 * e + 1]);
        low[e] = manner == CUT    ? second_halves(w[2 * e], w[2 * e + 1])
                 : manner == FINE ? rests(high[e], w[2 * e], w[2 * e + 1])
                                  : 0;
    }
}

/* 16 bodies i and 16 bodies j: adds to the sums of i and to those of j, of second halves to
 * low_of_j. `manner` is a constant where called. */
INLINE void meet(float *of_i, float *of_j, float *low_of_j, const struct rows *r, i32 m,
                 uint4 column, uint2 moment, u32 centre, i32 manner, LOCAL_POINTER(u32) scratch)
{
    u32 high[4], low[4];

    powers(high, low, r, m, column, centre, manner, scratch);
    if (manner != COARSE)
        multiply(of_i, low[0], low[1], low[2], low[3], moment.x, moment.y, scratch);
    multiply(of_i, high[0], high[1], high[2], high[3], moment.x, moment.y, scratch);
    UNROLL_UNITS
    for (i32 e = 0; e < 4; e++) {
        high[e] = transpose(high[e], scratch);
        low[e] = manner == COARSE ? 0 : transpose(low[e], scratch);
    }
    if (manner != COARSE)
        multiply(low_of_j, low[0], low[2], low[1], low[3], r->moment[m][0], r->moment[m][1],
                 scratch);
    multiply(of_j, high[0], high[2], high[1], high[3], r->moment[m][0], r->moment[m][1], scratch);
}

/* A warp and a tile: sums of j, eight a body, of which the last four come first where j & 4, so
 * that no banks meet where a thread reads those of one body; and the tile's columns, moments and,
 * of its parts, constants as powers() takes them. */
struct meeting {
    LOCAL_POINTER(float) of_j;
    LOCAL_POINTER(const uint4) columns;
    LOCAL_POINTER(const uint2) image;
    LOCAL_POINTER(const u32) centres;
};

/* Sums of i are added to `acted`. */
INLINE void meet_tile(float (*acted)[4], struct meeting it, const struct rows *r, u32 lane,
                      i32 manner, LOCAL_POINTER(u32) scratch)
{
    const u32 g = lane / 4, q = lane % 4;
    LOCAL_POINTER(const uint4) column = it.columns + ((g * 4 + q) ^ (g >> 1));
    LOCAL_POINTER(const uint2) moment = it.image + lane;
    LOCAL_POINTER(const u32) centre = it.centres;
    LOCAL_POINTER(float) of_j = it.of_j + 8 * g + ((2 * q) ^ (g & 4));

    UNROLL_PASSES
    for (i32 part = 0; part < PARTS; part += CHAIN) {
        float back[CHAIN][4], low[CHAIN][4];
        UNROLL_UNITS
        for (i32 s = 0; s < CHAIN * 4; s++)
            back[s / 4][s % 4] = low[s / 4][s % 4] = 0.0f;
        UNROLL_UNITS
        for (i32 m = 0; m < ROWS_W; m++) {
            float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
            UNROLL_UNITS
            for (i32 s = 0; s < CHAIN; s++)
                meet(sum, back[s], low[s], r, m, column[s * 32], moment[s * 32], centre[s], manner,
                     scratch);
            UNROLL_UNITS
            for (i32 c = 0; c < 4; c++)
                acted[m][c] += sum[c];
        }
        UNROLL_UNITS
        for (i32 c = 0; c < CHAIN * 4; c++)
            of_j[c / 4 * 128 + c % 4 / 2 * 64 + c % 2] =
                manner == COARSE ? back[c / 4][c % 4] : back[c / 4][c % 4] + low[c / 4][c % 4];
        column += CHAIN * 32;
        moment += CHAIN * 32;
        centre += CHAIN;
        of_j += CHAIN * 128;
    }
}

/* Sum `c` of a part's moments. */
INLINE float part_sum(GLOBAL const float4 *record, i32 part, i32 c)
{
    return ((GLOBAL const float *)record)[SUMS_AT * 4 + c * PARTS + part];
}

/* What lane q of a row makes of its two sums over a tile, a and b: w m and w m x^2, or halves of
 * w m times a coordinate. x: of a and of b if that is a half; y: of b if not; z: of what the
 * potential takes of their first; w: how far the centre of the tile is from the block's. */
INLINE float4 factors_of(GLOBAL const float4 *record, struct matrix_box own, u32 q, float scale,
                         float eps2)
{
    const float4 centre = record[0];
    const float x = centre.x - own.x, y = centre.y - own.y, z = centre.z - own.z;
    const float length = record[2].w, d = q == 1 ? x : q == 2 ? y : z;

    if (q == 0)
        return MAKE_FLOAT4(scale, scale * length * length,
                           matrix_square(x, y, z) + eps2 +
                               ((GLOBAL const float *)record)[MIDDLE_AT],
                           0.0f);
    return MAKE_FLOAT4(scale * length, 0.0f, 2.0f * d, d);
}

/* Adds what a warp's bodies i get of a tile. kept: of 2 rows each, THREADS apart: x y: sums of w m,
 * or of w m times a coordinate from the block's centre; z w: of this lane's share of w m times its
 * softened square. */
INLINE void act_on_rows(LOCAL_POINTER(float4) kept, float (*acted)[4], float4 factor, u32 q,
                        LOCAL_POINTER(u32) scratch)
{
    const float second = q > 0 ? factor.x : 0.0f;

    UNROLL_UNITS
    for (i32 m = 0; m < ROWS_W; m++) {
        float4 sum = kept[m * THREADS];
        const float a = FMA(acted[m][1], second, acted[m][0] * factor.x);
        const float b = FMA(acted[m][3], second, acted[m][2] * factor.x);
        sum.x += FMA(of_first(a, scratch), factor.w, a);
        sum.y += FMA(of_first(b, scratch), factor.w, b);
        sum.z = FMA(a, factor.z, FMA(acted[m][1], factor.y, sum.z));
        sum.w = FMA(b, factor.z, FMA(acted[m][3], factor.y, sum.w));
        kept[m * THREADS] = sum;
    }
}

/* What body t of a tile gets of the bodies i, whose two tiles have a centre each. */
INLINE float4 act_on_body(LOCAL_POINTER(const float4) of_j, LOCAL_POINTER(const float) means,
                          LOCAL_POINTER(const float) moments, LOCAL_POINTER(const float4) records,
                          u32 t, float4 v, float cube)
{
    float4 all = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);

    UNROLL_UNITS
    for (i32 h = 0; h < 2; h++) {
        const float4 centre = records[2 * h], units = records[2 * h + 1];
        const float scale = cube * units.x;
        float s[8], five[FIVE];
        UNROLL_UNITS
        for (i32 c = 0; c < 8; c += 4) {
            const u32 at = 4 * h * TILE_J + 2 * t + (c / 4 ^ (t >> 2 & 1));
            const float4 a = of_j[at], b = of_j[at + 2 * TILE_J];
            s[c] = a.x + b.x;
            s[c + 1] = a.y + b.y;
            s[c + 2] = a.z + b.z;
            s[c + 3] = a.w + b.w;
        }
        five[0] = s[0];
        five[1] = s[2] + s[3];
        five[2] = s[4] + s[5];
        five[3] = s[6] + s[7];
        five[4] = s[1];
        UNROLL_UNITS
        for (i32 w = 2 * h; w < 2 * h + 2; w++) {
            const float mean = means[w * PARTS + t / 16];
            UNROLL_UNITS
            for (i32 c = 0; c < FIVE; c++)
                five[c] = FMA(mean, moments[w * 8 + c], five[c]);
        }
        const float x = (centre.x - v.x) * centre.w, y = (centre.y - v.y) * centre.w,
                    z = (centre.z - v.z) * centre.w;
        const float fx = FMA(x, five[0], five[1]), fy = FMA(y, five[0], five[2]),
                    fz = FMA(z, five[0], five[3]);
        const float square =
            FMA(x, five[1] + fx, FMA(y, five[2] + fy, FMA(z, five[3] + fz, five[4])));
        all.x = FMA(fx, scale * units.y, all.x);
        all.y = FMA(fy, scale * units.y, all.y);
        all.z = FMA(fz, scale * units.y, all.z);
        all.w = FMA(-scale, FMA(units.y * units.y, square, units.z * five[0]), all.w);
    }
    return all;
}

/* 1 / mu of a body: what its own w has too much. */
INLINE float rest_of(float nu)
{
    return nu * nu * RSQRT(nu);
}

/* c of the bodies of a warp and of a part. */
INLINE float mean_of(float4 a, float4 b, float unit, float eps2)
{
    const float square = matrix_square(b.x - a.x, b.y - a.y, b.z - a.z) + eps2;

    const float root = RSQRT(square * unit * unit), x = (a.w + b.w) * unit * root;
    const float share = RSQRT(FMA(3.0f * x, x, 1.0f));
    return root * root * root * (share * share);
}

/* What the means add to sum t % FIVE of warp t / FIVE over a tile. */
INLINE float constant_of(GLOBAL const float4 *record, LOCAL_POINTER(const float) means, u32 t)
{
    GLOBAL const float4 *of = record + SUMS_AT + t % FIVE * 2;
    LOCAL_POINTER(const float) mean = means + t / FIVE * PARTS;
    const float4 a = of[0], b = of[1];

    return FMA(mean[0], a.x, FMA(mean[1], a.y, FMA(mean[2], a.z, mean[3] * a.w))) +
           FMA(mean[4], b.x, FMA(mean[5], b.y, FMA(mean[6], b.z, mean[7] * b.w)));
}

/* The constant c of w as powers() takes it, and *mean, what that leaves to add, in the unit of its
 * sums. */
INLINE u32 centre_of(float *mean, float c, i32 manner)
{
    const float whole = (float)(i32)FMA(c, CUT_UNIT, 0.5f);

    *mean = manner == CUT ? whole - 4.0f : c;
    return manner == CUT ? halves(-1024.0f - whole, -1024.0f - whole) : as_uint(c);
}

/* Units of sums of w m: of those of a tile, and of the bodies i. */
INLINE float cube_of(float unit, i32 manner)
{
    return unit * unit * unit * (manner == CUT ? 1.0f / CUT_UNIT : 1.0f);
}

/* Far tiles of a block, and what is at hand of SLOTS of them. */
struct far {
    LOCAL_POINTER(float4) balls; /* centres and radii of the block's warps */
    LOCAL_POINTER(u32) list;    /* MANNERS times the tile, and its manner */
    LOCAL_POINTER(float) units; /* of lengths */
    LOCAL_POINTER(float) means;
    LOCAL_POINTER(u32) centres;
    LOCAL_POINTER(float) constants; /* 2 a lane q of a warp: what the means add to its sums */
    LOCAL_POINTER(float4) factors;  /* 4 a tile: of lanes q */
};

/* Tile k of the list, by a warp: all but the constants, which are made of the means. */
INLINE void put_slot(struct far f, GLOBAL const float4 *box, struct matrix_box own, i32 k, u32 lane,
                     float eps2)
{
    const u32 slot = (u32)k % SLOTS, manner = f.list[k] % MANNERS;
    GLOBAL const float4 *record = box + RECORD * (i64)(f.list[k] / MANNERS);
    float mean = mean_of(f.balls[lane / PARTS], record[PARTS_AT + lane % PARTS], f.units[k], eps2);

    f.centres[slot * MEANS + lane] = centre_of(&mean, mean, manner);
    f.means[slot * MEANS + lane] = mean;
    if (lane < 4)
        f.factors[slot * 4 + lane] =
            factors_of(record, own, lane, cube_of(f.units[k], manner) * record[2].z, eps2);
}

INLINE void put_constants(struct far f, GLOBAL const float4 *box, i32 k, u32 lane)
{
    const u32 slot = (u32)k % SLOTS, w = lane / FIVE, c = lane % FIVE;

    if (w < WARPS)
        f.constants[(slot * WARPS + w) * 8 + c % 4 * 2 + c / 4] = constant_of(
            box + RECORD * (i64)(f.list[k] / MANNERS), f.means + slot * MEANS, lane);
}

/* The far ones of the tiles that this slice of the block meets: their number. */
INLINE void put_list(struct far f, LOCAL_POINTER(i32) found, GLOBAL const float4 *box,
                     GLOBAL const float2 *limits, struct matrix_box own, i32 block, i32 blocks,
                     i32 met, float eps2, float bound)
{
    const i32 tile = tile_met(block, blocks, met);

    if (tile < 0)
        return;
    const struct matrix_rates r = matrix_rates_of(own, box_of(box, tile), eps2);
    const i32 manner = manner_of(r, limits, block, tile, bound);
    if (manner == NEAR)
        return;
    const i32 at = atomic_add(found, 1);
    f.list[at] = MANNERS * tile + manner;
    f.units[at] = r.unit;
}

/* What is needed of block `records`, whose unit is `span`: of its two tiles, and of its warps. */
INLINE void put_block(LOCAL_POINTER(float4) of_block, LOCAL_POINTER(float4) balls,
                      LOCAL_POINTER(float) moments, float span,
                      GLOBAL const float4 *records, u32 t, float eps2)
{
    if (t < 2) {
        GLOBAL const float4 *record = records + t * RECORD;
        const float4 centre = record[0];
        const float length = record[2].w;
        of_block[2 * t] = MAKE_FLOAT4(centre.x, centre.y, centre.z, 1.0f / length);
        of_block[2 * t + 1] =
            MAKE_FLOAT4(record[2].z, length,
                        eps2 + ((GLOBAL const float *)record)[MIDDLE_AT], span);
    }
    if (t < WARPS)
        balls[t] = records[t / 2 * RECORD + HALVES_AT + t % 2];
    if (t < WARPS * FIVE) {
        const u32 w = t / FIVE;
        float sum = 0.0f;
        for (i32 part = 0; part < 4; part++)
            sum += part_sum(records + w / 2 * RECORD, w % 2 * 4 + part, t % FIVE);
        moments[w * 8 + t % FIVE] = sum;
    }
}

/* The sums of a warp's bodies i, of which `place` are the first. */
INLINE void add_rows(GLOBAL float *sums, i32 padded, GLOBAL const float4 *place, i32 first,
                     LOCAL_POINTER(const float4) kept, struct matrix_box own, u32 lane,
                     LOCAL_POINTER(u32) scratch)
{
    const u32 q = lane % 4;

    UNROLL_UNITS
    for (i32 k = 0; k < 2 * ROWS_W; k++) {
        const i32 i = first + k / 2 * 16 + lane / 4 + k % 2 * 8;
        const float4 v = place[i], sum = kept[k / 2 * THREADS];
        const float y = q == 1 ? v.x - own.x : q == 2 ? v.y - own.y : q == 3 ? v.z - own.z : 0.0f;
        const float one = k % 2 ? sum.y : sum.x, two = k % 2 ? sum.w : sum.z;
        const float all = of_first(one, scratch), share = rest_of(v.w);
        if (q > 0)
            ATOMIC_ADD_GLOBAL_F32(&sums[(q - 1) * padded + i], FMA(-y, all, one) * share);
        ATOMIC_ADD_GLOBAL_F32(&sums[3 * padded + i],
                              FMA(-y, FMA(y, all, -2.0f * one), -two) * share);
    }
}

/* The bodies of block get_group_id(0) and tiles up to DISTANCES blocks further on. */
KERNEL GROUP_BOUNDS(THREADS) matrix_far(GLOBAL const float4 *place,
                               GLOBAL const uint2 *RESTRICT images,
                               GLOBAL const float4 *RESTRICT box,
                               GLOBAL const float2 *RESTRICT limits, GLOBAL float *RESTRICT sums,
                               i32 blocks, i32 padded, float eps2, float bound)
{
    RESIDENT_BOUND();
    const u32 t = get_local_id(0);
    const i32 block = get_group_id(0), slice = get_group_id(1);
    LOCAL uint4 columns[2 * PARTS * 32];
    LOCAL uint2 image[2 * IMAGE];
    LOCAL float4 of_j[WARPS * TILE_J * 2];
    LOCAL float4 kept[ROWS_W * THREADS], factors[SLOTS * 4], of_block[4], bodies[2 * TILE_J];
    LOCAL float4 balls[WARPS];
    LOCAL float means[SLOTS * MEANS], constants[SLOTS * WARPS * 8], moments[WARPS * 8];
    LOCAL u32 centres[SLOTS * MEANS];
    LOCAL float units[2 * DISTANCES];
    LOCAL u32 list[2 * DISTANCES];
    LOCAL i32 found;
    LOCAL u32 scratch[SCRATCH];
    const struct far f = {balls, list, units, means, centres, constants, factors};
    const u32 lane = t % 32, warp = t / 32, q = lane % 4;
    const struct matrix_box own = block_of(box, block);
    const i32 e_own = min(max(matrix_exponent(matrix_radius(own)), -60), 60);
    const i32 first = block * BLOCK_I + warp * ROWS_W * 16;
    struct rows r;

    if (t == 0)
        found = 0;
    for (i32 m = 0; m < ROWS_W; m++)
        kept[m * THREADS + t] = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
    for (u32 k = t; k < SLOTS * WARPS * 8; k += THREADS)
        constants[k] = 0.0f;
    put_block(of_block, balls, moments, power_of_two(e_own), box + 2 * RECORD * (i64)block, t,
              eps2);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 2 * DISTANCES)
        put_list(f, &found, box, limits, own, block, blocks, 2 * DISTANCES * slice + t, eps2,
                 bound);
    load_rows(&r, place, images, first, lane, own, power_of_two(-e_own));
    barrier(CLK_LOCAL_MEM_FENCE);
    const i32 tiles = found;
    /* Pass k prepares tile k and, but for the first pass, meets tile k - 1. Each warp prepares the
     * constants of one of the next tiles. */
    for (i32 k = 0; k <= tiles; k++) {
        const u32 even = k & 1, odd = 1 - even, met = (u32)(k + SLOTS - 1) % SLOTS;
        const i32 ahead = (u32)k % WARPS == 0 && k + (i32)warp < tiles ? k + (i32)warp : -1;

        if (ahead >= 0)
            put_slot(f, box, own, ahead, lane, eps2);
        if (k < tiles) {
            const u32 tile = list[k] / MANNERS;
            const float4 v = place[tile * TILE_J + t];
            bodies[even * TILE_J + t] = v;
            put_column(columns + even * (PARTS * 32), t, v, own, of_block[1].w, units[k],
                       eps2);
            image[even * IMAGE + t] = images[(i64)tile * IMAGE + t];
            image[even * IMAGE + THREADS + t] = images[(i64)tile * IMAGE + THREADS + t];
        }
        if (k > 0) {
            LOCAL_POINTER(float) back = (LOCAL_POINTER(float))(of_j + warp * TILE_J * 2);
            LOCAL_POINTER(const float) added = constants + (met * WARPS + warp) * 8 + 2 * q;
            float acted[ROWS_W][4];
            UNROLL_UNITS
            for (i32 m = 0; m < ROWS_W; m++) {
                acted[m][0] = acted[m][2] = added[0];
                acted[m][1] = acted[m][3] = added[1];
            }
            const struct meeting it = {
                back, columns + odd * (PARTS * 32), image + odd * IMAGE,
                centres + met * MEANS + warp * PARTS};
            const u32 manner = list[k - 1] % MANNERS;
            if (EMULATED)
                meet_tile(acted, it, &r, lane, manner, scratch);
            else if (manner == CUT)
                meet_tile(acted, it, &r, lane, CUT, scratch);
            else if (manner == COARSE)
                meet_tile(acted, it, &r, lane, COARSE, scratch);
            else
                meet_tile(acted, it, &r, lane, FINE, scratch);
            act_on_rows(kept + t, acted, factors[met * 4 + q], q, scratch);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ahead >= 0)
            put_constants(f, box, ahead, lane);
        if (k > 0) {
            const u32 i = list[k - 1] / MANNERS * TILE_J + t;
            const float4 v = bodies[odd * TILE_J + t];
            const float4 got = act_on_body(of_j, means + met * MEANS, moments, of_block, t, v,
                                           cube_of(units[k - 1], list[k - 1] % MANNERS));
            const float share = rest_of(v.w);
            ATOMIC_ADD_GLOBAL_F32(&sums[i], got.x * share);
            ATOMIC_ADD_GLOBAL_F32(&sums[padded + i], got.y * share);
            ATOMIC_ADD_GLOBAL_F32(&sums[2 * padded + i], got.z * share);
            ATOMIC_ADD_GLOBAL_F32(&sums[3 * padded + i], got.w * share);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tiles > 0)
        add_rows(sums, padded, place, first, kept + t, own, lane, scratch);
}

/* Back into the order of the input: order[k] is the body at place k. */
KERNEL GROUP_SIZE(THREADS)
    matrix_finish(GLOBAL const float *RESTRICT sums, GLOBAL const u32 *RESTRICT order,
                  GLOBAL float4 *RESTRICT acc, i32 n, i32 padded)
{
    const i32 i = get_global_id(0);

    if (i < n)
        acc[order[i]] = MAKE_FLOAT4(sums[i], sums[padded + i], sums[2 * padded + i],
                                    sums[3 * padded + i]);
}
