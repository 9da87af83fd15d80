/* SPDX-License-Identifier: MIT */
/* What a referee keeps from one cell to the next: the latest data sets, references and
 * trajectories. */
#ifndef ORR_REFEREE_CACHE_H
#define ORR_REFEREE_CACHE_H

#include <stdbool.h>

#include "datasets/bodies.h"
#include "verify/reference.h"
#include "verify/trajectory.h"

struct orr_cached_set {
    struct orr_bodies bodies;
    char sha256[65];
    bool checked; /* for coincident bodies */
    bool coincident;
    size_t first, second; /* those two */
};

/* Everything that a reference depends on. */
struct orr_reference_of {
    const struct orr_bodies *bodies;
    const char *sha256; /* of the bodies */
    double eps;
    int level; /* of the boxes of a near field; -1: every body acts on every other */
    struct orr_targets targets;
};

enum orr_cached_kind {
    ORR_CACHED_NOTHING,
    ORR_CACHED_SET,
    ORR_CACHED_REFERENCE,
    ORR_CACHED_NEAR,
    ORR_CACHED_TOTALS,
    ORR_CACHED_TRAJECTORY,
    ORR_CACHED_JUDGE
};

struct orr_cached {
    enum orr_cached_kind kind;
    char of[256];       /* everything that makes a difference to it, in words */
    unsigned long used; /* when it was last wanted */
    double bytes;
    union {
        struct orr_cached_set set;
        struct orr_reference reference;
        struct orr_reference_near near;
        struct orr_totals totals;
        struct orr_trajectory trajectory;
        struct orr_trajectory_judge judge;
    };
};

/* A round meets every input of the plan in any order, and the next one meets them again. */
enum { ORR_REFEREE_CACHE_ENTRIES = 256 };
struct orr_referee_cache {
    struct orr_cached entries[ORR_REFEREE_CACHE_ENTRIES];
    unsigned long clock, begun; /* what was wanted since `begun` stays */
};

/* Each of these finds or makes. The cache owns the result, which lives until the next request. */
/* `level` of the boxes that it is made of; -1 for data sets that are not. */
int orr_referee_cache_set(struct orr_referee_cache *cache, struct orr_cached_set **out,
                          const char *name, size_t n, int level, uint64_t seed);
/* Forces on a sample of the bodies where they are. */
int orr_referee_cache_reference(struct orr_referee_cache *cache, const struct orr_reference **out,
                                const struct orr_reference_of *of);
/* Which of the bodies are in which box of a level >= 0. */
int orr_referee_cache_near(struct orr_referee_cache *cache, const struct orr_reference_near **out,
                           const struct orr_reference_of *of);
/* Their energy and momentum, of all pairs. */
struct orr_totals orr_referee_cache_totals(struct orr_referee_cache *cache,
                                           const struct orr_reference_of *of);
/* Their trajectory by direct sums. */
int orr_referee_cache_trajectory(struct orr_referee_cache *cache, const struct orr_trajectory **out,
                                 const struct orr_trajectory_of *of);
/* What results of these steps over the bodies are held to. */
int orr_referee_cache_judge(struct orr_referee_cache *cache,
                            const struct orr_trajectory_judge **out,
                            const struct orr_trajectory_of *of, double force_error);

void orr_referee_cache_release(struct orr_referee_cache *cache);

#endif
