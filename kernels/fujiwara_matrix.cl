/* Direct summation on matrix units of half precision, each pair once, for both bodies.
 *
 * Bodies lie along a curve that fills space; BLOCK_I of them are a block, TILE_J a tile. Where
 * matrix_bound.h says that a block and a tile are far from each other, positions are taken from the
 * centre of the block, scaled by powers of two, and written as two halves each, so that
 *
 * 1. r^2 = x_i^2 - 2 x_i x_j + x_j^2 is a product of matrices: 16 numbers of i by 16 of j;
 * 2. w = r^-3 is taken by the lanes, and split into two halves;
 * 3. w times (m, m x, m y, m z, m x^2) of the bodies j, and its transpose times those of the bodies
 *    i, are products of matrices again. Of them forces and potentials of both are made in the end:
 *    sum w m_j (x_j - x_i), sum w m_j (x_j^2 - 2 x_i x_j + x_i^2 + eps^2).
 *
 * Everything else, and a block with itself, is left to fujiwara_matrix_near.cl by a list.
 *
 * Needs mma.sync.m16n8k16 and movmatrix, compute capability 8.0. EMULATED=1 does without, through
 * local memory, so that tests run these very kernels elsewhere; its sums cut off as pessimistically
 * as matrix_bound.h supposes. */
#define BLOCK_I 256
#define TILE_J 128
#define THREADS 128
#define ROWS_W 4    /* of 16 bodies i in a warp */
#define DISTANCES 32 /* of blocks that a group takes */
#define FIVE 5      /* sums of w m, w m x, w m y, w m z, w m x^2 */
#define STRIDE_I (BLOCK_I + 4)
#ifndef EMULATED
#define EMULATED 1
#endif
#ifndef RESIDENT
#define RESIDENT 0
#endif
#if defined(ORR_CUDA) && RESIDENT > 0
#define GROUP_BOUNDS __launch_bounds__(THREADS, RESIDENT)
#else
#define GROUP_BOUNDS GROUP_SIZE(THREADS)
#endif
#ifdef ORR_CUDA
typedef unsigned short half_bits;
#else
typedef ushort half_bits;
#endif
#define MATRIX_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MATRIX_BITS(x) as_uint(x)
#ifdef ORR_CUDA
#define MATRIX_ROOT(x) __fsqrt_rn(x)
#else
#define MATRIX_ROOT(x) sqrt(x)
#endif
#include "matrix_bound.h"

INLINE float power_of_two(i32 e)
{
    return as_float((e + 127) << 23);
}

/* Two halves of a word, `low` in the lower one; to nearest. */
INLINE u32 halves(float low, float high)
{
#if defined(ORR_CUDA)
    u32 word;
    asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
        : "=r"(word)
        : "f"(low), "f"(high));
    return word;
#else
    half_bits two[2];
    vstore_half_rte(low, 0, (half *)two);
    vstore_half_rte(high, 1, (half *)two);
    return (u32)two[0] | (u32)two[1] << 16;
#endif
}

INLINE float low_half(u32 word)
{
#if defined(ORR_CUDA)
    float x;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(x) : "r"(word));
    return x;
#else
    const half_bits bits = (half_bits)word;
    return vload_half(0, (const half *)&bits);
#endif
}

INLINE float high_half(u32 word)
{
#if defined(ORR_CUDA)
    float x;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(x) : "r"(word));
    return x;
#else
    return low_half(word >> 16);
#endif
}

/* What two halves leave of two numbers. */
INLINE u32 rests(u32 word, float low, float high)
{
    return halves(low - low_half(word), high - high_half(word));
}

#if EMULATED
#define SCRATCH (6 * THREADS)
/* The largest power of two not above x, times 2^-23; 0 for 0. */
INLINE float last_place(float x)
{
    return x > 0.0f ? power_of_two(max(matrix_exponent(x) - 24, -126)) : 0.0f;
}

/* Half `k` of a word. */
INLINE float half_of(u32 word, i32 k)
{
    return k ? high_half(word) : low_half(word);
}

/* One element of a 16 x 8 product: `a` points to a lane's four words per row, `b` to two. */
INLINE float product_of(LOCAL_POINTER(const u32) warp, i32 row, i32 column, float c)
{
    float term[16], most = c < 0.0f ? -c : c;
    i64 sum = 0;

    for (i32 k = 0; k < 16; k++) {
        const i32 lane_a = row % 8 * 4 + k % 8 / 2, lane_b = column * 4 + k % 8 / 2;
        term[k] = half_of(warp[(k / 8 * 2 + row / 8) * THREADS + lane_a], k % 2) *
                  half_of(warp[(4 + k / 8) * THREADS + lane_b], k % 2);
        most = MATRIX_MAX(most, term[k] < 0.0f ? -term[k] : term[k]);
    }
    const float last = last_place(most);
    if (!(last > 0.0f))
        return 0.0f;
    for (i32 k = 0; k < 16; k++)
        sum += (i64)(term[k] / last);
    return (float)(sum + (i64)(c / last)) * last;
}

/* d += a b, of a warp: a 16 x 16, b 16 x 8. */
INLINE void multiply(float *d, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1,
                     LOCAL_POINTER(u32) scratch)
{
    const i32 t = get_local_id(0), lane = t % 32, g = lane / 4, q = lane % 4;

    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[t] = a0;
    scratch[THREADS + t] = a1;
    scratch[2 * THREADS + t] = a2;
    scratch[3 * THREADS + t] = a3;
    scratch[4 * THREADS + t] = b0;
    scratch[5 * THREADS + t] = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = 0; k < 4; k++)
        d[k] = product_of(scratch + (t - lane), g + k / 2 * 8, 2 * q + k % 2, d[k]);
}

/* The transpose of 8 x 8 halves of a warp. */
INLINE u32 transpose(u32 word, LOCAL_POINTER(u32) scratch)
{
    const i32 t = get_local_id(0), lane = t % 32, g = lane / 4, q = lane % 4;

    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[t] = word;
    barrier(CLK_LOCAL_MEM_FENCE);
    LOCAL_POINTER(const u32) warp = scratch + (t - lane);
    const u32 first = warp[2 * q * 4 + g / 2], second = warp[(2 * q + 1) * 4 + g / 2];
    const i32 shift = g % 2 * 16;
    return (first >> shift & 0xffffu) | (second >> shift & 0xffffu) << 16;
}
#else
#define SCRATCH 1
INLINE void multiply(float *d, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1,
                     LOCAL_POINTER(u32) scratch)
{
    (void)scratch;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

INLINE u32 transpose(u32 word, LOCAL_POINTER(u32) scratch)
{
    u32 y;
    (void)scratch;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(word));
    return y;
}
#endif

/* --- tiles --- */

INLINE struct matrix_box box_of(GLOBAL const float4 *box, i32 tile)
{
    const float4 centre = box[2 * tile], edges = box[2 * tile + 1];
    struct matrix_box b;

    b.x = centre.x;
    b.y = centre.y;
    b.z = centre.z;
    b.mass = centre.w;
    b.hx = edges.x;
    b.hy = edges.y;
    b.hz = edges.z;
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
    return a;
}

/* Sorted bodies into whole blocks, massless ones at the place of the last one behind it; boxes of
 * the tiles, two float4 each; sums become 0. One group a tile. */
KERNEL GROUP_SIZE(THREADS)
    matrix_tiles(GLOBAL const float4 *RESTRICT sorted, GLOBAL float4 *RESTRICT body,
                 GLOBAL float4 *RESTRICT box, GLOBAL float *RESTRICT sums, i32 n, i32 padded)
{
    const i32 t = get_local_id(0), tile = get_group_id(0);
    LOCAL float low[4 * THREADS], high[4 * THREADS];
    const i32 i = tile * TILE_J + t;
    float4 own = sorted[min(i, n - 1)];

    if (i >= n)
        own.w = 0.0f;
    body[i] = own;
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
    if (t == 0) {
        float middle[3], width[3];
        for (i32 c = 0; c < 3; c++) {
            const float from = low[c * THREADS], to = high[c * THREADS];
            middle[c] = 0.5f * from + 0.5f * to;
            width[c] = max(to - middle[c], middle[c] - from) * 1.000001f;
        }
        box[2 * tile] = MAKE_FLOAT4(middle[0], middle[1], middle[2], high[3 * THREADS]);
        box[2 * tile + 1] = MAKE_FLOAT4(width[0], width[1], width[2], 0.0f);
    }
}

/* The k-th tile that block `block` meets, of a ring of `blocks`; -1: the other one meets this. */
INLINE i32 tile_met(i32 block, i32 blocks, i32 k)
{
    const i32 d = 1 + k / 2, other = block + d < blocks ? block + d : block + d - blocks;

    return 2 * d > blocks || (2 * d == blocks && block >= d) ? -1 : 2 * other + k % 2;
}

/* Blocks and tiles that are not far from each other; every block with its own two tiles too. */
KERNEL GROUP_SIZE(THREADS)
    matrix_near_list(GLOBAL const float4 *RESTRICT box, GLOBAL i32 *RESTRICT list,
                     GLOBAL i32 *RESTRICT count, i32 blocks, float eps2, float bound)
{
    const i32 t = get_local_id(0), block = get_group_id(0);
    const struct matrix_box own = block_of(box, block);

    for (i32 k = t - 2; k < blocks / 2 * 2; k += THREADS) {
        const i32 tile = k < 0 ? 2 * block + 2 + k : tile_met(block, blocks, k);
        if (tile >= 0 && (k < 0 || !matrix_is_far(own, box_of(box, tile), eps2, bound))) {
            const i32 at = atomic_add(count, 1);
            list[2 * (i64)at] = block;
            list[2 * (i64)at + 1] = tile;
        }
    }
}

/* --- far tiles --- */

struct rows {
    u32 place[ROWS_W][4];                             /* of r^2: 16 bodies i by 16 numbers */
    u32 moment[ROWS_W][2], rest[ROWS_W][2]; /* 16 bodies i by FIVE sums, and what halves leave */
};

/* Moment c of a body: m, m x, m y, m z, m x^2. */
INLINE float moment_of(float4 v, i32 c, float square)
{
    const float times = c == 1 ? v.x : c == 2 ? v.y : c == 3 ? v.z : c == 4 ? square : 0.0f;

    return v.w * (c == 0 ? 1.0f : times);
}

/* Body i from the centre, in units that make positions and masses at most 1. */
INLINE float4 scaled(float4 v, struct matrix_box own, float length, float mass)
{
    return MAKE_FLOAT4((v.x - own.x) * length, (v.y - own.y) * length, (v.z - own.z) * length,
                       v.w * mass);
}

INLINE void load_rows(struct rows *r, GLOBAL const float4 *body, i32 first, i32 g, i32 q,
                      struct matrix_box own, float length, float mass)
{
    UNROLL
    for (i32 m = 0; m < ROWS_W; m++)
        UNROLL
        for (i32 h = 0; h < 2; h++) {
            const float4 v = scaled(body[first + m * 16 + g + 8 * h], own, length, mass);
            const float square = matrix_square(v.x, v.y, v.z);
            const u32 xy = halves(v.x, v.y), z1 = halves(v.z, 1.0f);
            const float square_high = low_half(halves(square, 0.0f));
            float two[2];
            r->place[m][h] = q % 2 ? z1 : xy;
            r->place[m][2 + h] =
                q % 2 ? halves(v.z - low_half(z1), q == 1 ? square_high : square - square_high)
                      : rests(xy, v.x, v.y);
            UNROLL
            for (i32 e = 0; e < 2; e++) {
                const i32 at = first + m * 16 + 2 * q + e + 8 * h;
                const float4 u = scaled(body[at], own, length, mass);
                two[e] = moment_of(u, g, matrix_square(u.x, u.y, u.z));
            }
            r->moment[m][h] = halves(two[0], two[1]);
            r->rest[m][h] = rests(r->moment[m][h], two[0], two[1]);
        }
}

/* Body j of a tile into the columns of r^2 and the rows of moments. `length`: of the block's unit;
 * `unit`: 2^-f of the tile. */
INLINE void put_column(LOCAL_POINTER(uint4) columns, LOCAL_POINTER(u32) moments, i32 t, float4 v,
                       struct matrix_box own, float length, float unit, float mass, float eps2)
{
    const i32 part = t / 16, g = t % 8, side = t % 16 / 8;
    const float4 p = scaled(v, own, unit, mass);
    const float square = matrix_square(p.x, p.y, p.z) + eps2 * unit * unit;
    const float k = -2.0f * (unit * length), c = unit * length * (unit * length);
    const float x = p.x * k, y = p.y * k, z = p.z * k;
    const u32 xy = halves(x, y), zs = halves(z, square), one = halves(c, c);
    const u32 xy_rest = rests(xy, x, y), zs_rest = rests(zs, z, square);
    LOCAL_POINTER(u32) words = (LOCAL_POINTER(u32))(columns + part * 32);
    LOCAL_POINTER(half_bits) halves_of = (LOCAL_POINTER(half_bits))moments;
    const i32 pair = t % 16 / 2, place = part * 8 + 2 * (pair % 4) + pair / 4;

    UNROLL
    for (i32 q = 0; q < 4; q++) {
        const i32 to = 4 * ((g * 4 + q) ^ (g >> 1)) + 2 * side;
        const u32 word = q == 0 ? xy : q == 1 ? zs : q == 2 ? xy_rest : zs_rest;
        words[to] = word;
        words[to + 1] = q % 2 ? (word & 0xffffu) | (one & 0xffff0000u) : word;
    }
    UNROLL
    for (i32 e = 0; e < FIVE; e++) {
        const float moment = moment_of(p, e, square);
        const u32 high = halves(moment, 0.0f);
        halves_of[(e * 72 + place) * 2 + t % 2] = (half_bits)high;
        halves_of[((FIVE + e) * 72 + place) * 2 + t % 2] =
            (half_bits)halves(moment - low_half(high), 0.0f);
    }
}

/* 16 bodies i and 16 bodies j: adds to the sums of i and to those of j. */
INLINE void meet(float *of_i, float *of_j, const struct rows *r, i32 m, uint4 column, uint2 moment,
                 uint2 rest, LOCAL_POINTER(u32) scratch)
{
    float w[8];
    u32 high[4], low[4];

    UNROLL
    for (i32 e = 0; e < 8; e++)
        w[e] = 0.0f;
    multiply(w, r->place[m][0], r->place[m][1], r->place[m][2], r->place[m][3], column.x, column.y,
             scratch);
    multiply(w + 4, r->place[m][0], r->place[m][1], r->place[m][2], r->place[m][3], column.z,
             column.w, scratch);
    UNROLL
    for (i32 e = 0; e < 8; e++) {
        const float root = RSQRT(w[e]);
        w[e] = root * root * root;
    }
    UNROLL
    for (i32 e = 0; e < 4; e++) {
        high[e] = halves(w[2 * e], w[2 * e + 1]);
        low[e] = rests(high[e], w[2 * e], w[2 * e + 1]);
    }
    multiply(of_i, high[0], high[1], high[2], high[3], rest.x, rest.y, scratch);
    multiply(of_i, low[0], low[1], low[2], low[3], moment.x, moment.y, scratch);
    multiply(of_i, high[0], high[1], high[2], high[3], moment.x, moment.y, scratch);
    UNROLL
    for (i32 e = 0; e < 4; e++) {
        high[e] = transpose(high[e], scratch);
        low[e] = transpose(low[e], scratch);
    }
    multiply(of_j, high[0], high[2], high[1], high[3], r->rest[m][0], r->rest[m][1], scratch);
    multiply(of_j, low[0], low[2], low[1], low[3], r->moment[m][0], r->moment[m][1], scratch);
    multiply(of_j, high[0], high[2], high[1], high[3], r->moment[m][0], r->moment[m][1], scratch);
}

/* From sums about the centre to what acts on a body at p, from there: adds to the sums of all.
 * eps2: 0 where the sum of w m x^2 has it already. */
INLINE void act(GLOBAL float *sums, i32 i, i32 padded, float4 p, const float *five, float eps2)
{
    const float s = matrix_square(p.x, p.y, p.z) + eps2;
    const float cross = p.x * five[1] + p.y * five[2] + p.z * five[3];

    ATOMIC_ADD_GLOBAL_F32(&sums[i], five[1] - p.x * five[0]);
    ATOMIC_ADD_GLOBAL_F32(&sums[padded + i], five[2] - p.y * five[0]);
    ATOMIC_ADD_GLOBAL_F32(&sums[2 * padded + i], five[3] - p.z * five[0]);
    ATOMIC_ADD_GLOBAL_F32(&sums[3 * padded + i], 2.0f * cross - five[4] - s * five[0]);
}

/* Body t of the tile gets what the warps' sums come to. */
INLINE void act_on_tile(GLOBAL float *sums, i32 i, i32 padded, LOCAL_POINTER(const float) of_j,
                        i32 t, float4 p, float own_unit, float unit, float mass, float eps2)
{
    float five[FIVE];

    UNROLL
    for (i32 c = 0; c < FIVE; c++) {
        five[c] = 0.0f;
        UNROLL
        for (i32 w = 0; w < THREADS / 32; w++)
            five[c] += of_j[(w * TILE_J + t) * 8 + c];
        five[c] *= unit * unit * unit * (c == 0 ? 1.0f : c == 4 ? own_unit * own_unit : own_unit);
        five[c] *= mass;
    }
    act(sums, i, padded, p, five, eps2);
}

/* The bodies of block get_group_id(0) and tiles up to DISTANCES blocks further on. */
KERNEL GROUP_BOUNDS matrix_far(GLOBAL const float4 *RESTRICT body,
                               GLOBAL const float4 *RESTRICT box, GLOBAL float *RESTRICT sums,
                               i32 blocks, i32 padded, float eps2, float bound)
{
    const i32 t = get_local_id(0), block = get_group_id(0), slice = get_group_id(1);
    LOCAL uint4 columns[2 * TILE_J / 16 * 32];
    LOCAL uint2 moments[2 * 2 * FIVE * 36];
    LOCAL float of_j[THREADS / 32 * TILE_J * 8];
    LOCAL float of_i[FIVE * STRIDE_I];
    LOCAL i32 list[2 * DISTANCES];
    LOCAL i32 found;
    LOCAL u32 scratch[SCRATCH];
    const i32 lane = t % 32, warp = t / 32, g = lane / 4, q = lane % 4;
    const struct matrix_box own = block_of(box, block);
    const i32 e_own = max(matrix_exponent(matrix_radius(own)), -60);
    const i32 e_mass = max(matrix_exponent(own.mass), -100);
    const i32 row = warp * ROWS_W * 16 + g; /* the lane's first body i */
    struct rows r;

    if (t == 0)
        found = 0;
    for (i32 k = t; k < FIVE * STRIDE_I; k += THREADS)
        of_i[k] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 2 * DISTANCES) {
        const i32 tile = tile_met(block, blocks, 2 * DISTANCES * slice + t);
        if (tile >= 0 && matrix_is_far(own, box_of(box, tile), eps2, bound))
            list[atomic_add(&found, 1)] = tile;
    }
    load_rows(&r, body, block * BLOCK_I + warp * ROWS_W * 16, g, q, own, power_of_two(-e_own),
              power_of_two(-e_mass));
    barrier(CLK_LOCAL_MEM_FENCE);
    const i32 tiles = found;
    /* Pass k prepares tile k and, but for the first pass, meets tile k - 1. */
    float unit = 1.0f, mass = 1.0f;
    float4 p = MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f);
    for (i32 k = 0; k <= tiles; k++) {
        const float unit_met = unit, mass_met = mass;
        const float4 p_met = p;
        LOCAL_POINTER(uint4) columns_met = columns + (k + 1) % 2 * (TILE_J / 16 * 32);
        LOCAL_POINTER(uint2) moments_met = moments + (k + 1) % 2 * (2 * FIVE * 36);

        if (k < tiles) {
            const struct matrix_box b = box_of(box, list[k]);
            const float4 v = body[list[k] * TILE_J + t];
            const i32 e = max(matrix_exponent(b.mass), -100);
            unit = power_of_two(-matrix_scale(matrix_range(own, b), eps2));
            mass = power_of_two(e);
            p = MAKE_FLOAT4(v.x - own.x, v.y - own.y, v.z - own.z, v.w);
            put_column(columns + k % 2 * (TILE_J / 16 * 32),
                       (LOCAL_POINTER(u32))(moments + k % 2 * (2 * FIVE * 36)), t, v, own,
                       power_of_two(e_own), unit, power_of_two(-e), eps2);
        }
        float acted[ROWS_W][4];
        UNROLL
        for (i32 m = 0; m < ROWS_W; m++)
            acted[m][0] = acted[m][1] = acted[m][2] = acted[m][3] = 0.0f;
        for (i32 part = 0; part < (k > 0 ? TILE_J / 16 : 0); part++) {
            const uint4 column = columns_met[part * 32 + ((g * 4 + q) ^ (g >> 1))];
            const i32 e = (g < FIVE ? g : 0) * 36 + part * 4 + q;
            uint2 moment = moments_met[e], rest = moments_met[FIVE * 36 + e];
            float back[4];
            if (g >= FIVE)
                moment.x = moment.y = rest.x = rest.y = 0;
            back[0] = back[1] = back[2] = back[3] = 0.0f;
            UNROLL
            for (i32 m = 0; m < ROWS_W; m++)
                meet(acted[m], back, &r, m, column, moment, rest, scratch);
            UNROLL
            for (i32 c = 0; c < 4; c++)
                of_j[(warp * TILE_J + part * 16 + g + c / 2 * 8) * 8 + 2 * q + c % 2] = back[c];
        }
        /* The lane's columns are 2 q and 2 q + 1 of w m, w m x, ... */
        const float cube = unit_met * unit_met * unit_met, one = unit_met * unit_met;
        const float even = q == 0 ? cube : q == 1 ? one : unit_met;
        if (k > 0 && q < 3) {
            UNROLL
            for (i32 m = 0; m < ROWS_W; m++)
                UNROLL
                for (i32 c = 0; c < 4; c++)
                    if (2 * q + c % 2 < FIVE)
                        of_i[(2 * q + c % 2) * STRIDE_I + row + m * 16 + c / 2 * 8] +=
                            acted[m][c] * (c % 2 ? one : even) * mass_met;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k > 0)
            act_on_tile(sums, list[k - 1] * TILE_J + t, padded, of_j, t, p_met,
                        power_of_two(e_own), unit_met, power_of_two(e_mass), eps2);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (i32 i = t; i < BLOCK_I; i += THREADS) {
        const float4 v = body[block * BLOCK_I + i];
        float five[FIVE];
        UNROLL
        for (i32 c = 0; c < FIVE; c++)
            five[c] = of_i[c * STRIDE_I + i];
        act(sums, block * BLOCK_I + i, padded,
            MAKE_FLOAT4(v.x - own.x, v.y - own.y, v.z - own.z, v.w), five, 0.0f);
    }
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
