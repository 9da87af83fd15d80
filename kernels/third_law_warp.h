/* SPDX-License-Identifier: MIT */
/* What a warp does in kernels/third_law.cl and others: BODIES * LANES bodies i in registers meet
 * tiles of TILE bodies j, whose sums rotate through the lanes. Needs the build defines of that
 * file. */
#include "precision.h"
#include "low.h"

#if VECTOR > 1
#define LANES VECTOR
#define BLOCK 1
#define PARTS 1 /* that a group's warps leave sums of j in */
#else
#define LANES 32
#define BLOCK (LANES * WARPS)
#define PARTS WARPS
#endif
#define OWN (WARPS / PARTS) /* warps that a thread plays */
#define SPAN (WARPS * BODIES * LANES)

/* TURN: every lane gets the value of the next one. */
#if VECTOR == 2
#define TURN(v, lane) ((v).s10)
#elif VECTOR == 4
#define TURN(v, lane) ((v).s1230)
#elif VECTOR == 8
#define TURN(v, lane) ((v).s12345670)
#elif VECTOR == 16
#define TURN(v, lane) ((v).s123456789abcdef0)
#elif ORR_SHUFFLES && DOUBLE && defined(ORR_OPENCL)
INLINE double turn(double v, i32 lane)
{
    const float2 halves = as_float2(v);
    return as_double((float2)(SHUFFLE(halves.x, lane + 1, 32), SHUFFLE(halves.y, lane + 1, 32)));
}
#define TURN(v, lane) turn((v), (lane))
#elif ORR_SHUFFLES
#define TURN(v, lane) SHUFFLE((v), (lane) + 1, 32)
#endif

/* A tile of bodies j, each LANES of them twice in a row: lane l of step k reads l + k. Low parts
 * stand behind it. */
#if VECTOR > 1
#define TILE_WORDS ((PAIRS ? 14 : 8) * TILE)
typedef LOCAL_POINTER(SCALAR) tile_pointer;
#else
#define TILE_WORDS ((PAIRS ? 4 : 2) * TILE)
typedef LOCAL_POINTER(quad) tile_pointer;
#endif

struct own {
    real x[BODIES], y[BODIES], z[BODIES], m[BODIES];
    PAIRS_ONLY(struct low_part low[BODIES];)
};

struct sums {
    real x, y, z, phi;
};

/* Body i; beyond the last one a massless one PAIR_FAR away. */
INLINE float4 body_or_none(GLOBAL const float4 *body, i32 i, i32 n)
{
    return i < n ? body[i] : MAKE_FLOAT4(PAIR_FAR, PAIR_FAR, PAIR_FAR, 0.0f);
}

INLINE struct sums nothing(void)
{
    struct sums s;

    s.x = s.y = s.z = s.phi = REAL(0.0f);
    return s;
}

/* The bodies of a warp whose first one is `first`. */
INLINE void load(struct own *b, GLOBAL const float4 *body, i32 first, i32 lane, i32 n LOW_PARAM)
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        SCALAR x[VECTOR], y[VECTOR], z[VECTOR], m[VECTOR];
        UNROLL
        for (i32 l = 0; l < VECTOR; l++) {
            const float4 one = body_or_none(body, first + k * LANES + lane + l, n);
            x[l] = one.x;
            y[l] = one.y;
            z[l] = one.z;
            m[l] = one.w;
        }
        b->x[k] = REAL_LOAD(x, 0);
        b->y[k] = REAL_LOAD(y, 0);
        b->z[k] = REAL_LOAD(z, 0);
        b->m[k] = REAL_LOAD(m, 0);
        PAIRS_ONLY(b->low[k] = low_at(low, first + k * LANES + lane, 1, n - 1);)
    }
}

/* Body `at` of the tile becomes `one`, at both its places; of pairs `rest` are its low parts. */
INLINE void put(tile_pointer tile, i32 at, float4 one PAIRS_PARAM(float4, rest))
{
    const i32 place = at / LANES * 2 * LANES + at % LANES;

    UNROLL
    for (i32 twice = 0; twice < 2; twice++) {
        const i32 to = place + twice * LANES;
#if VECTOR > 1
        tile[to] = one.x;
        tile[to + 2 * TILE] = one.y;
        tile[to + 4 * TILE] = one.z;
        tile[to + 6 * TILE] = one.w;
        PAIRS_ONLY(tile[to + 8 * TILE] = rest.x;)
        PAIRS_ONLY(tile[to + 10 * TILE] = rest.y;)
        PAIRS_ONLY(tile[to + 12 * TILE] = rest.z;)
#else
        quad q;
        q.x = one.x;
        q.y = one.y;
        q.z = one.z;
        q.w = one.w;
        tile[to] = q;
        PAIRS_ONLY(tile[to + 2 * TILE] = rest;)
#endif
    }
}

/* Adds to, or begins, the sums of one place per lane; arrays of them lie `stride` apart. */
INLINE void keep(LOCAL_POINTER(SCALAR) to, i32 stride, struct sums s, i32 begin)
{
    if (!begin) {
        s.x += REAL_LOAD(to, 0);
        s.y += REAL_LOAD(to + stride, 0);
        s.z += REAL_LOAD(to + 2 * stride, 0);
        s.phi += REAL_LOAD(to + 3 * stride, 0);
    }
    REAL_STORE(s.x, to, 0);
    REAL_STORE(s.y, to + stride, 0);
    REAL_STORE(s.z, to + 2 * stride, 0);
    REAL_STORE(s.phi, to + 3 * stride, 0);
}

/* The warp's bodies and LANES bodies j of the tile, whose first place is `from`: adds to `s`, and
 * leaves the sums of j at `to`, unless only one side counts. `both` and `begin` are constants where
 * called. `self`: the k whose bodies are these very ones, -1 if none; in step 0 each lane meets
 * itself. */
INLINE void meet(struct sums *s, const struct own *b, tile_pointer tile, i32 from, i32 lane,
                 LOCAL_POINTER(SCALAR) to, i32 both, i32 begin, i32 self, real eps2)
{
    struct sums other = nothing();

    UNROLL_BY(UNROLL_J)
    for (i32 step = 0; step < LANES; step++) {
        const i32 at = from + lane + step;
#if VECTOR > 1
        const real xj = REAL_LOAD(tile + at, 0), yj = REAL_LOAD(tile + at + 2 * TILE, 0),
                   zj = REAL_LOAD(tile + at + 4 * TILE, 0), mj = REAL_LOAD(tile + at + 6 * TILE, 0);
        PAIRS_ONLY(struct low_part rest;)
        PAIRS_ONLY(rest.x = REAL_LOAD(tile + at + 8 * TILE, 0);)
        PAIRS_ONLY(rest.y = REAL_LOAD(tile + at + 10 * TILE, 0);)
        PAIRS_ONLY(rest.z = REAL_LOAD(tile + at + 12 * TILE, 0);)
#else
        const quad q = tile[at];
        const real xj = q.x, yj = q.y, zj = q.z, mj = q.w;
        PAIRS_ONLY(const float4 rest = tile[at + 2 * TILE];)
#endif
        UNROLL
        for (i32 k = 0; k < BODIES; k++) {
            const i32 itself = step == 0 && k == self;
            if (both)
                PAIR_BOTH_PARTS_WITH(s[k].x, s[k].y, s[k].z, s[k].phi, other.x, other.y, other.z,
                                     other.phi, b->x[k], b->y[k], b->z[k], b->low[k], b->m[k], xj,
                                     yj, zj, rest, mj, eps2, r2,
                                     itself ? REAL(0.0f) : PAIR_RSQRT(r2));
            else
                PAIR_PARTS_WITH(s[k].x, s[k].y, s[k].z, s[k].phi, b->x[k], b->y[k], b->z[k],
                                b->low[k], xj, yj, zj, rest, mj, eps2, r2,
                                itself ? REAL(0.0f) : PAIR_RSQRT(r2));
        }
#ifdef TURN
        if (both) {
            other.x = TURN(other.x, lane);
            other.y = TURN(other.y, lane);
            other.z = TURN(other.z, lane);
            other.phi = TURN(other.phi, lane);
        }
#else
        keep(to + (lane + step) % LANES, PARTS * TILE, other, step == 0);
        other = nothing();
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
#ifdef TURN
    if (both)
        keep(to + lane, PARTS * TILE, other, begin);
#endif
}

/* A warp and a tile. `places`: of the warp's sums of i. `own`, a constant where called: the tile
 * may hold the warp's own bodies, and its first LANES are those `chunk` of the warp. */
INLINE void meet_tile(const struct own *b, tile_pointer tile, i32 lane, LOCAL_POINTER(SCALAR) to,
                      LOCAL_POINTER(SCALAR) places, i32 both, i32 begin, i32 own, i32 chunk,
                      real eps2)
{
    struct sums s[BODIES];

    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        s[k] = nothing();
    for (i32 c = 0; c < TILE / LANES; c++)
        meet(s, b, tile, c * 2 * LANES, lane, to + c * LANES, both, begin, own ? chunk + c : -1,
             eps2);
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        keep(places + k * LANES + lane, SPAN, s[k], 0);
}

