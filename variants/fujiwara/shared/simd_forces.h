/* SPDX-License-Identifier: MIT */
/* The force loop over vectors and the physics of kernels/pair.h, once for every instruction set:
 * the template that cpu-simd.c gives to variants/common/simd.h. No include guard on purpose. */

/* Vectors of bodies i held in registers at once, which share what is loaded; a block may have
 * fewer.
 */
#define SIMD_VECTORS 2
#define SIMD_INTS SIMD(ints)
#define SIMD_WITHOUT SIMD(without)
#define SIMD_STRETCH SIMD(stretch)

typedef int32_t SIMD_INTS __attribute__((vector_size(4 * SIMD_LANES), may_alias));

/* `r` with lane `self` set to 0; any other `self` changes nothing. */
SIMD_INLINE real SIMD_WITHOUT(real r, int self)
{
    return (real)((SIMD_INTS)r & (*(const SIMD_INTS *)lane_numbers != self));
}

/* Bodies from..to act on `vectors` vectors of bodies starting at i; adds to sum[4][vectors] = ax ay
 * az phi. Constants where called: `vectors`; `own`, from..to holds some of the bodies i themselves,
 * which are left out by index; `pairs`, positions are pairs of floats. */
SIMD_INLINE void SIMD_STRETCH(const struct host_bodies *b, real sum[4][SIMD_VECTORS], size_t from,
                              size_t to, size_t i, int vectors, int own, int pairs, float eps)
{
    const float *px = b->pos[0], *py = b->pos[1], *pz = b->pos[2], *mass = b->mass;
    const float *lx = b->low[0], *ly = b->low[1], *lz = b->low[2];
    const real eps2 = REAL(eps * eps);
    real x[SIMD_VECTORS], y[SIMD_VECTORS], z[SIMD_VECTORS];
    real low_x[SIMD_VECTORS], low_y[SIMD_VECTORS], low_z[SIMD_VECTORS];
    real ax[SIMD_VECTORS], ay[SIMD_VECTORS], az[SIMD_VECTORS], phi[SIMD_VECTORS];

#pragma GCC unroll 8
    for (int k = 0; k < vectors; k++) {
        const size_t at = i + (size_t)k * SIMD_LANES;

        x[k] = SIMD_LOAD(px + at);
        y[k] = SIMD_LOAD(py + at);
        z[k] = SIMD_LOAD(pz + at);
        if (pairs) {
            low_x[k] = SIMD_LOAD(lx + at);
            low_y[k] = SIMD_LOAD(ly + at);
            low_z[k] = SIMD_LOAD(lz + at);
        }
        ax[k] = ay[k] = az[k] = phi[k] = REAL(0.0f);
    }
    for (size_t j = from; j < to; j++) {
        const real xj = REAL(px[j]), yj = REAL(py[j]), zj = REAL(pz[j]), mj = REAL(mass[j]);
#pragma GCC unroll 8
        for (int k = 0; k < vectors; k++) {
            const int self =
                own ? (int)(j - i) - k * SIMD_LANES : -1; /* the lane that is body j, if any */
            if (pairs)
                PAIR_LOW_WITH(ax[k], ay[k], az[k], phi[k], x[k], y[k], z[k], low_x[k], low_y[k],
                              low_z[k], xj, yj, zj, REAL(lx[j]), REAL(ly[j]), REAL(lz[j]), mj, eps2,
                              r2, own ? SIMD_WITHOUT(RSQRT(r2), self) : RSQRT(r2));
            else
                PAIR_WITH(ax[k], ay[k], az[k], phi[k], x[k], y[k], z[k], xj, yj, zj, mj, eps2, r2,
                          own ? SIMD_WITHOUT(RSQRT(r2), self) : RSQRT(r2));
        }
    }
#pragma GCC unroll 8
    for (int k = 0; k < vectors; k++) {
        sum[0][k] += ax[k];
        sum[1][k] += ay[k];
        sum[2][k] += az[k];
        sum[3][k] += phi[k];
    }
}

/* Bodies from..to act on the block at i. Sums run over short stretches of j first: a single fp32
 * sum over all j would lose digits with N. */
SIMD_INLINE void SIMD(others)(const struct host_bodies *b, real sum[4][SIMD_VECTORS], size_t from,
                              size_t to, size_t i, int vectors, int pairs, float eps)
{
    for (; from < to; from += STRETCH)
        SIMD_STRETCH(b, sum, from, from + STRETCH < to ? from + STRETCH : to, i, vectors, 0, pairs,
                     eps);
}

/* Accelerations and potential of the bodies i ... of one register block. */
SIMD_INLINE void SIMD(block_forces)(struct host_bodies *b, size_t i, int vectors, int pairs,
                                    float eps)
{
    const size_t end = i + (size_t)SIMD_LANES * (size_t)vectors, own_to = end < b->n ? end : b->n;
    real sum[4][SIMD_VECTORS];

    for (int a = 0; a < 4; a++)
        for (int k = 0; k < vectors; k++)
            sum[a][k] = REAL(0.0f);
    SIMD(others)(b, sum, 0, i, i, vectors, pairs, eps);
    SIMD_STRETCH(b, sum, i, own_to, i, vectors, 1, pairs, eps);
    SIMD(others)(b, sum, own_to, b->n, i, vectors, pairs, eps);
    for (int k = 0; k < vectors; k++) {
        const size_t at = i + (size_t)k * SIMD_LANES;

        SIMD_STORE(b->acc[0] + at, sum[0][k]);
        SIMD_STORE(b->acc[1] + at, sum[1][k]);
        SIMD_STORE(b->acc[2] + at, sum[2][k]);
        SIMD_STORE(b->phi + at, sum[3][k]);
    }
}

SIMD_FUNCTION void SIMD(forces)(struct host_bodies *b, float eps, int threads)
{
    const size_t most = (size_t)SIMD_LANES * SIMD_VECTORS;
    const int pairs = b->kind->pairs, few = b->n < most * BLOCKS_A_THREAD * (size_t)threads;

#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t i = 0; i < b->n; i += few ? SIMD_LANES : most) {
        if (few && pairs)
            SIMD(block_forces)(b, i, 1, 1, eps);
        else if (few)
            SIMD(block_forces)(b, i, 1, 0, eps);
        else if (pairs)
            SIMD(block_forces)(b, i, SIMD_VECTORS, 1, eps);
        else
            SIMD(block_forces)(b, i, SIMD_VECTORS, 0, eps);
    }
}

#undef SIMD_VECTORS
#undef SIMD_INTS
#undef SIMD_WITHOUT
#undef SIMD_STRETCH
