/* Fujiwara & Nakasato 2009, Figs. 2, 3 and 4: the exact force loop with the i-loop unrolled in
 * UNROLL_I stages and the j-loop in UNROLL_J stages. 1 x 1 is the paper's gpu-no-unrolling, 4 x 1
 * its simple-unrolling, 4 x 4 its double-unrolling. As there, bodies j come from global memory
 * through the caches: no local memory.
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

struct stages {
    float x[UNROLL_I], y[UNROLL_I], z[UNROLL_I];
    float ax[UNROLL_I], ay[UNROLL_I], az[UNROLL_I], phi[UNROLL_I];
};

/* The loop over j of Fig. 4. `own` (a constant where called): bodies from..to hold the group's own
 * bodies. Eq. 1 sums over j != i, so there the pair of a body with itself counts nothing. By index
 * and not by distance: two bodies at one place do act on each other. */
INLINE void interact(struct stages *b, GLOBAL const float4 *body, i32 from, i32 to, i32 i, i32 own,
                     float eps2 COUNT_PARAMETER(counts))
{
    UNROLL_BY(1)
    for (i32 j = from; j < to; j += UNROLL_J) {
        COUNT(counts, ORR_PJ, 1);
        UNROLL
        for (i32 k = 0; k < UNROLL_J; k++) {
            const float4 other = COUNTED(counts, ORR_GR, 4, body[j + k]);
            UNROLL
            for (i32 s = 0; s < UNROLL_I; s++) {
                const i32 self = own && j + k == i + s;
                COUNT(counts, COUNT_MEETS(i + s, j + k) ? ORR_CP : ORR_CX, 1);
                PAIR_WITH(b->ax[s], b->ay[s], b->az[s], b->phi[s], b->x[s], b->y[s], b->z[s],
                          other.x, other.y, other.z, other.w, eps2, r2, self ? 0.0f : RSQRT(r2));
            }
        }
    }
}

/* One thread takes UNROLL_I neighbouring bodies i. n_j: bodies rounded up to whole stages of j. */
KERNEL GROUP_SIZE(BLOCK) fujiwara_unrolled(GLOBAL const float4 *RESTRICT body,
                                           GLOBAL float4 *RESTRICT acc, float eps2,
                                           i32 n_j COUNT_ARGUMENT(totals))
{
    const i32 group_index = get_group_id(0), thread = get_global_id(0);
    const i32 i = thread * UNROLL_I;
    /* The group's own bodies: the same for all its threads, so that they stay in step and share
     * what the cache holds. */
    const i32 own_from = min(group_index * BLOCK * UNROLL_I, n_j);
    const i32 own_to = min(own_from + BLOCK * UNROLL_I, n_j);
    struct stages b;
    COUNT_STATE(counts);

    COUNT_IN(counts, FUJI_LOADS);
    UNROLL
    for (i32 s = 0; s < UNROLL_I; s++) {
        const float4 one = COUNTED(counts, ORR_GR, 4, body[i + s]);
        b.x[s] = one.x;
        b.y[s] = one.y;
        b.z[s] = one.z;
        b.ax[s] = b.ay[s] = b.az[s] = b.phi[s] = 0.0f;
    }
    COUNT_IN(counts, FUJI_PAIRS);
    interact(&b, body, 0, own_from, i, 0, eps2 COUNT_PASS(counts));
    interact(&b, body, own_from, own_to, i, 1, eps2 COUNT_PASS(counts));
    interact(&b, body, own_to, n_j, i, 0, eps2 COUNT_PASS(counts));
    COUNT_IN(counts, FUJI_SUMS);
    UNROLL
    for (i32 s = 0; s < UNROLL_I; s++)
        COUNTED(counts, ORR_GW, 4,
                acc[i + s] = MAKE_FLOAT4(b.ax[s], b.ay[s], b.az[s], b.phi[s]));
    COUNT_FLUSH(counts, totals);
}
