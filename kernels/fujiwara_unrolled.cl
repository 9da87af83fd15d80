/* SPDX-License-Identifier: MIT */
/* Fujiwara & Nakasato 2009, Figs. 2, 3 and 4: the exact force loop with the i-loop unrolled in
 * UNROLL_I stages and the j-loop in UNROLL_J stages. 1 x 1 is the paper's gpu-no-unrolling, 4 x 1
 * its simple-unrolling, 4 x 4 its double-unrolling. As there, bodies j come from global memory
 * through the caches: no local memory.
 *
 * On a CPU the lanes of a vector are threads: a work-item is VECTOR threads of the group's BLOCK.
 *
 * Arrays are padded to whole groups with massless bodies far away, so no load or store needs a
 * guard. */
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef UNROLL_I
#define UNROLL_I 4
#endif
#ifndef UNROLL_J
#define UNROLL_J 4
#endif
#include "fujiwara_count.h"
#include "lanes.h"
#include "low.h"

struct stages {
    real x[UNROLL_I], y[UNROLL_I], z[UNROLL_I];
    PAIRS_ONLY(struct low_part low[UNROLL_I];)
    real ax[UNROLL_I], ay[UNROLL_I], az[UNROLL_I], phi[UNROLL_I];
};

/* The loop over j of Fig. 4. `own` (a constant where called): bodies from..to hold the group's own
 * bodies. Eq. 1 sums over j != i, so there the pair of a body with itself counts nothing. By index
 * and not by distance: two bodies at one place do act on each other. */
INLINE void interact(struct stages *b, GLOBAL const float4 *body, i32 from, i32 to, lanes i,
                     i32 own, float eps2 LOW_PARAM COUNT_PARAMETER(counts))
{
    UNROLL_BY(1)
    for (i32 j = from; j < to; j += UNROLL_J) {
        COUNT(counts, ORR_PJ, 1);
        UNROLL
        for (i32 k = 0; k < UNROLL_J; k++) {
            const float4 other = COUNTED(counts, ORR_GR, 4, body[j + k]);
            PAIRS_ONLY(const float4 rest = COUNTED(counts, ORR_GR, 4, low[j + k]);)
            UNROLL
            for (i32 s = 0; s < UNROLL_I; s++) {
                const lanes self = own ? i + s == (lanes)(j + k) : (lanes)(0);
                COUNT(counts, COUNT_MEETS(i + s, j + k) ? ORR_CP : ORR_CX, 1);
                PAIR_PARTS_WITH(b->ax[s], b->ay[s], b->az[s], b->phi[s], b->x[s], b->y[s], b->z[s],
                                b->low[s], other.x, other.y, other.z, rest, other.w, REAL(eps2),
                                r2, self ? REAL(0.0f) : RSQRT(r2));
            }
        }
    }
}

/* A stage of all lanes, from body i on: those of neighbouring threads are UNROLL_I apart. */
INLINE void load(struct stages *b, i32 s, GLOBAL const float4 *body,
                 i32 i LOW_PARAM COUNT_PARAMETER(counts))
{
    float x[VECTOR], y[VECTOR], z[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[i + lane * UNROLL_I]);
        x[lane] = one.x;
        y[lane] = one.y;
        z[lane] = one.z;
    }
    b->x[s] = REAL_LOAD(x, 0);
    b->y[s] = REAL_LOAD(y, 0);
    b->z[s] = REAL_LOAD(z, 0);
    PAIRS_ONLY(b->low[s] = COUNTED(counts, ORR_GR, 4 * VECTOR,
                                   low_at(low, i, UNROLL_I, i + VECTOR * UNROLL_I));)
    b->ax[s] = b->ay[s] = b->az[s] = b->phi[s] = REAL(0.0f);
}

INLINE void store(GLOBAL float4 *acc, const struct stages *b, i32 s, i32 i COUNT_PARAMETER(counts))
{
    float ax[VECTOR], ay[VECTOR], az[VECTOR], phi[VECTOR];

    REAL_STORE(b->ax[s], ax, 0);
    REAL_STORE(b->ay[s], ay, 0);
    REAL_STORE(b->az[s], az, 0);
    REAL_STORE(b->phi[s], phi, 0);
    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++)
        COUNTED(counts, ORR_GW, 4,
                acc[i + lane * UNROLL_I] = MAKE_FLOAT4(ax[lane], ay[lane], az[lane], phi[lane]));
}

/* The first body of each lane. */
INLINE lanes first_bodies(i32 i)
{
    i32 first[VECTOR];

    UNROLL
    for (i32 lane = 0; lane < VECTOR; lane++)
        first[lane] = i + lane * UNROLL_I;
    return REAL_LOAD(first, 0);
}

/* One thread takes UNROLL_I neighbouring bodies i. n_j: bodies rounded up to whole stages of j. */
KERNEL GROUP_SIZE(BLOCK / VECTOR) fujiwara_unrolled(GLOBAL const float4 *RESTRICT body,
                                                    GLOBAL float4 *RESTRICT acc, float eps2,
                                                    i32 n_j LOW_PARAM COUNT_ARGUMENT(totals))
{
    const i32 group_index = get_group_id(0), item = get_global_id(0);
    const i32 i = item * VECTOR * UNROLL_I;
    const lanes bodies = first_bodies(i);
    /* The group's own bodies: the same for all its threads, so that they stay in step and share
     * what the cache holds. */
    const i32 own_from = min(group_index * BLOCK * UNROLL_I, n_j);
    const i32 own_to = min(own_from + BLOCK * UNROLL_I, n_j);
    struct stages b;
    COUNT_STATE(counts);

    COUNT_IN(counts, FUJI_LOADS);
    UNROLL
    for (i32 s = 0; s < UNROLL_I; s++)
        load(&b, s, body, i + s LOW_ARG COUNT_PASS(counts));
    COUNT_IN(counts, FUJI_PAIRS);
    interact(&b, body, 0, own_from, bodies, 0, eps2 LOW_ARG COUNT_PASS(counts));
    interact(&b, body, own_from, own_to, bodies, 1, eps2 LOW_ARG COUNT_PASS(counts));
    interact(&b, body, own_to, n_j, bodies, 0, eps2 LOW_ARG COUNT_PASS(counts));
    COUNT_IN(counts, FUJI_SUMS);
    UNROLL
    for (i32 s = 0; s < UNROLL_I; s++)
        store(acc, &b, s, i + s COUNT_PASS(counts));
    COUNT_FLUSH(counts, totals);
}
