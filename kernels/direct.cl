/* SPDX-License-Identifier: MIT */
/* Direct summation: every body acts on every other, in the plane (DIMENSIONS=2, no potential) or in
 * space. A thread keeps BODIES bodies i in registers, as vectors of VECTOR lanes on a CPU; a group
 * shares tiles of TILE bodies j in local memory.
 *
 * Sums are made in four stages, since a single fp32 sum over a million terms would lose digits:
 * over a tile, over the tiles of a share, over the launches, each of which takes the bodies j
 * from...to - 1, and over the shares. A launch's shares are the second dimension of its grid, so
 * that a small system fills a big device. DOUBLE=1 evaluates and sums in double precision.
 *
 * With LOW=1, in space, positions and in double precision masses are in two parts (low.h). */
#ifndef DIMENSIONS
#define DIMENSIONS 3
#endif
#ifndef DOUBLE
#define DOUBLE 0
#endif
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef BODIES
#define BODIES 2
#endif
#ifndef TILE
#define TILE 64
#endif
#ifndef UNROLL_J
#define UNROLL_J 4
#endif
/* Threads in a group of direct_sum, whatever BLOCK is. */
#ifndef SUM_BLOCK
#define SUM_BLOCK 64
#endif
#define GROUP_BODIES (BLOCK * BODIES * VECTOR)

#include "precision.h"
#include "lanes.h"
#include "low.h"

struct own {
    real x[BODIES], y[BODIES], z[BODIES];
    PAIRS_ONLY(struct low_part low[BODIES];)
    lanes index[BODIES];
};

struct sums {
    real x[BODIES], y[BODIES], z[BODIES], phi[BODIES];
};

/* Bodies i ... i + VECTOR - 1; beyond the last body the last one again, whose sums are not
 * stored. */
INLINE void load(struct own *b, i32 k, GLOBAL const float4 *body, i32 i, i32 n LOW_PARAM)
{
    SCALAR x[VECTOR], y[VECTOR], z[VECTOR];
    LANE index[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = body[min(i + lane, n - 1)];
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
#if LOW && DOUBLE
        const quad rest = low[min(i + lane, n - 1)];
        x[lane] += rest.x;
        y[lane] += rest.y;
        z[lane] += rest.z;
#endif
        index[lane] = min(i + lane, n - 1);
    }
    b->x[k] = REAL_LOAD(x, 0);
    b->y[k] = REAL_LOAD(y, 0);
    b->z[k] = REAL_LOAD(z, 0);
    PAIRS_ONLY(b->low[k] = low_at(low, i, 1, n - 1);)
    b->index[k] = REAL_LOAD(index, 0);
}

/* Body j; from `end` on a massless one PAIR_FAR away. */
INLINE quad source(GLOBAL const float4 *body, i32 j, i32 end LOW_PARAM)
{
    const float4 one = body[min(j, end - 1)];
    quad q;

    q.x = j < end ? one.x : PAIR_FAR;
    q.y = j < end ? one.y : PAIR_FAR;
    q.z = j < end ? one.z : PAIR_FAR;
    q.w = j < end ? one.w : 0.0f;
#if LOW && DOUBLE
    const quad rest = low[min(j, end - 1)];
    q.x += j < end ? rest.x : 0.0;
    q.y += j < end ? rest.y : 0.0;
    q.z += j < end ? rest.z : 0.0;
    q.w += j < end ? rest.w : 0.0;
#endif
    return q;
}

INLINE void clear(struct sums *s)
{
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        s->x[k] = s->y[k] = s->z[k] = s->phi[k] = REAL(0.0f);
}

/* The bodies of a tile act on the thread's own. `meets_itself` is a constant where called. */
INLINE void interact(struct sums *total, const struct own *b, LOCAL_POINTER(const quad) tile,
                     i32 first_j, i32 meets_itself,
                     real eps2 PAIRS_PARAM(LOCAL_POINTER(const quad), low_tile))
{
    struct sums s;

    clear(&s);
    UNROLL_BY(UNROLL_J)
    for (i32 q = 0; q < TILE; q++) {
        const quad other = tile[q];
        const real xj = REAL(other.x), yj = REAL(other.y), zj = REAL(other.z), mj = REAL(other.w);
        PAIRS_ONLY(const quad rest = low_tile[q];)
        UNROLL
        for (i32 k = 0; k < BODIES; k++) {
            const lanes self = meets_itself ? b->index[k] == (lanes)(first_j + q) : (lanes)(0);
#if DIMENSIONS == 2
            PAIR2_WITH(s.x[k], s.y[k], b->x[k], b->y[k], xj, yj, mj, eps2, r2,
                       PAIR_RSQRT_BUT(self, r2));
#else
            PAIR_PARTS_WITH(s.x[k], s.y[k], s.z[k], s.phi[k], b->x[k], b->y[k], b->z[k], b->low[k],
                            xj, yj, zj, rest, mj, eps2, r2, PAIR_RSQRT_BUT(self, r2));
#endif
        }
    }
    UNROLL
    for (i32 k = 0; k < BODIES; k++) {
        total->x[k] += s.x[k];
        total->y[k] += s.y[k];
        total->z[k] += s.z[k];
        total->phi[k] += s.phi[k];
    }
}

/* To the bodies i ... of a row of sums, of which n are there. */
INLINE void store(GLOBAL quad *row, const struct sums *s, i32 k, i32 i, i32 n, i32 add)
{
    SCALAR x[VECTOR], y[VECTOR], z[VECTOR], phi[VECTOR];

    REAL_STORE(s->x[k], x, 0);
    REAL_STORE(s->y[k], y, 0);
    REAL_STORE(s->z[k], z, 0);
    REAL_STORE(s->phi[k], phi, 0);
    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++)
        if (i + lane < n) {
            quad q;
            q.x = x[lane];
            q.y = y[lane];
            q.z = z[lane];
            q.w = phi[lane];
            if (add) {
                const quad before = row[i + lane];
                q.x += before.x;
                q.y += before.y;
                q.z += before.z;
                q.w += before.w;
            }
            row[i + lane] = q;
        }
}

/* sums: a row of n for each share; `add`: of launches before this one. `share` is whole tiles. */
KERNEL GROUP_BOUNDS(BLOCK) direct(GLOBAL const float4 *RESTRICT body, GLOBAL quad *RESTRICT sums,
                           float eps, i32 n, i32 from, i32 to, i32 share, i32 add LOW_PARAM)
{
    RESIDENT_BOUND();
    const i32 t = get_local_id(0), group = get_group_id(0), slice = get_group_id(1);
    LOCAL quad tile[TILE];
    PAIRS_ONLY(LOCAL quad low_tile[TILE];)
    const i32 group_from = group * GROUP_BODIES;
    /* The thread's first body or vector; the k-th is BLOCK * VECTOR bodies further on. */
    const i32 i = group_from + t * VECTOR;
    const i32 first = from + slice * share, end = min(first + share, to);
    const real eps2 = REAL(eps) * REAL(eps);
    struct own b;
    struct sums total;

    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        load(&b, k, body, i + k * BLOCK * VECTOR, n LOW_ARG);
    clear(&total);
    for (i32 j = first; j < end; j += TILE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i32 q = t; q < TILE; q += BLOCK) {
            tile[q] = source(body, j + q, end LOW_ARG);
            PAIRS_ONLY(low_tile[q] = low[min(j + q, end - 1)];)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j < group_from + GROUP_BODIES && j + TILE > group_from)
            interact(&total, &b, tile, j, 1, eps2 PAIRS_ARG(low_tile));
        else
            interact(&total, &b, tile, j, 0, eps2 PAIRS_ARG(low_tile));
    }
    UNROLL
    for (i32 k = 0; k < BODIES; k++)
        store(sums + (i64)slice * n, &total, k, i + k * BLOCK * VECTOR, n, add);
}

/* The rows of all shares, in single precision. */
KERNEL GROUP_SIZE(SUM_BLOCK)
    direct_sum(GLOBAL const quad *RESTRICT sums, GLOBAL float4 *RESTRICT acc, i32 n, i32 rows)
{
    const i32 i = get_global_id(0);

    if (i < n) {
        const quad total = sum_of_rows(sums + i, n, rows);
        acc[i] = MAKE_FLOAT4((float)total.x, (float)total.y, (float)total.z, (float)total.w);
    }
}
