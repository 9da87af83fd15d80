/* SPDX-License-Identifier: MIT */
/* What a referee keeps from one cell to the next: the latest data sets, references and
 * trajectories. */
#ifndef ORR_REFEREE_CACHE_H
#define ORR_REFEREE_CACHE_H

#include <stdbool.h>

#include "datasets/bodies.h"
#include "run/reference.h"
#include "run/trajectory.h"

/* A round meets every input of the plan in any order, and the next one meets them again. */
enum {
    ORR_REFEREE_CACHE_SETS =
        64, /* within an eighth of the memory, ORR_REFEREE_CACHE_BYTES at most */
    ORR_REFEREE_CACHE_REFERENCES = 64,
    ORR_REFEREE_CACHE_TRAJECTORIES = 16,
    ORR_REFEREE_CACHE_JUDGES = 64,
    ORR_REFEREE_CACHE_NEAR = 16
};
#define ORR_REFEREE_CACHE_BYTES 4e9

/* What every entry begins with: everything that makes a difference to it, in words, and when it was
 * last wanted. */
struct orr_cached {
    char of[256];
    unsigned long used; /* 0: empty */
};

struct orr_cached_set {
    struct orr_cached cached;
    struct orr_bodies bodies;
    char name[65], sha256[65];
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

/* fp64 results for bodies at the start, each computed on first use. */
struct orr_cached_reference {
    struct orr_cached cached;
    struct orr_reference reference;
    struct orr_totals totals;
    bool has_reference, has_totals;
};

struct orr_cached_trajectory {
    struct orr_cached cached;
    struct orr_trajectory trajectory;
};

struct orr_cached_judge {
    struct orr_cached cached;
    struct orr_trajectory_judge judge;
};

struct orr_cached_near {
    struct orr_cached cached;
    struct orr_reference_near near;
};

struct orr_referee_cache {
    struct orr_cached_set sets[ORR_REFEREE_CACHE_SETS];
    struct orr_cached_reference references[ORR_REFEREE_CACHE_REFERENCES];
    struct orr_cached_trajectory trajectories[ORR_REFEREE_CACHE_TRAJECTORIES];
    struct orr_cached_judge judges[ORR_REFEREE_CACHE_JUDGES];
    struct orr_cached_near near[ORR_REFEREE_CACHE_NEAR];
    unsigned long clock;
    char wanted[256]; /* what is looked for */
};

/* Each finds or makes. The cache owns the result, which lives until the next call of the same
 * function. */
/* `level` of the boxes that it is made of; -1 for data sets that are not. */
int orr_referee_cache_set(struct orr_referee_cache *cache, struct orr_cached_set **out,
                          const char *name, size_t n, int level, uint64_t seed);
/* Forces on a sample of the bodies where they are. */
int orr_referee_cache_reference(struct orr_referee_cache *cache, const struct orr_reference **out,
                                const struct orr_reference_of *of);
/* Which of the bodies are in which box of a level >= 0. */
int orr_referee_cache_near(struct orr_referee_cache *cache, const struct orr_reference_near **out,
                           const struct orr_reference_of *of);
/* Their energy and momentum, of all pairs; needs no reference. */
void orr_referee_cache_totals(struct orr_referee_cache *cache, struct orr_totals *out,
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
