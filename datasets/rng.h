/* SPDX-License-Identifier: MIT */
/* Random numbers of the data sets: Philox4x32-10 (Salmon et al. 2011), counter-based. A value
 * depends only on the seed, the stream, the body and the index of the draw for that body: never on
 * other bodies, threads or the machine. */
#ifndef ORR_RNG_H
#define ORR_RNG_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <Random123/philox.h>

/* Data sets are the same bits everywhere only where double arithmetic is done in double (16 says so
 * where half precision is native). */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "data sets need double arithmetic without excess precision");

struct orr_rng {
    philox4x32_key_t key;
    philox4x32_ctr_t counter; /* body low, body high, next block, stream */
    philox4x32_ctr_t block;
    int left; /* unused doubles in `block`, 0 to 2 */
};

/* `stream` keeps components of one data set apart: each uses its own. */
static inline struct orr_rng orr_rng_make(uint64_t seed, uint32_t stream, uint64_t body)
{
    struct orr_rng rng = {.key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}},
                          .counter = {{(uint32_t)body, (uint32_t)(body >> 32), 0, stream}}};
    return rng;
}

/* Uniform in [0, 1), 53 random bits. */
static inline double orr_rng_uniform(struct orr_rng *rng)
{
    if (!rng->left) {
        rng->block = philox4x32(rng->counter, rng->key);
        rng->counter.v[2]++;
        rng->left = 2;
    }
    int k = 2 * --rng->left;
    uint64_t bits = (uint64_t)rng->block.v[k + 1] << 32 | rng->block.v[k];
    return (double)(bits >> 11) * 0x1p-53;
}

static inline double orr_rng_between(struct orr_rng *rng, double low, double high)
{
    return low + (high - low) * orr_rng_uniform(rng);
}

/* Mean 0, variance 1, within +-6: twelve uniforms summed, which needs no logarithm or cosine. */
static inline double orr_rng_normal(struct orr_rng *rng)
{
    double sum = -6;
    for (int k = 0; k < 12; k++)
        sum += orr_rng_uniform(rng);
    return sum;
}

/* A point of the unit circle, uniform: rejection in the disk. */
static inline void orr_rng_circle(struct orr_rng *rng, double out[2])
{
    double u, v, s;
    do {
        u = orr_rng_between(rng, -1, 1);
        v = orr_rng_between(rng, -1, 1);
        s = u * u + v * v;
    } while (s >= 1 || s < 1e-12);
    double scale = 1 / sqrt(s);
    out[0] = u * scale;
    out[1] = v * scale;
}

/* A point of the unit sphere, uniform (Marsaglia 1972). */
static inline void orr_rng_sphere(struct orr_rng *rng, double out[3])
{
    double u, v, s;
    do {
        u = orr_rng_between(rng, -1, 1);
        v = orr_rng_between(rng, -1, 1);
        s = u * u + v * v;
    } while (s >= 1);
    double scale = 2 * sqrt(1 - s);
    out[0] = u * scale;
    out[1] = v * scale;
    out[2] = 1 - 2 * s;
}

#endif
