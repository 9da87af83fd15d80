/* What a worker keeps from one cell to the next: open plugins and devices, the latest data sets and
 * references. */
#ifndef ORR_WORKER_CACHE_H
#define ORR_WORKER_CACHE_H

#include <stdbool.h>

#include "datasets/bodies.h"
#include "device/device.h"
#include "plugin/plugin.h"
#include "run/trajectory.h"

enum {
    ORR_WORKER_CACHE_PLUGINS = 64,
    ORR_WORKER_CACHE_DEVICES = 32,
    ORR_WORKER_CACHE_SETS = 4,
    ORR_WORKER_CACHE_REFERENCES = 8,
    ORR_WORKER_CACHE_TRAJECTORIES = 8
};

struct orr_cached_set {
    struct orr_bodies bodies;
    char name[64];
    int level; /* of the boxes it is made of; -1 when it is not */
    uint64_t seed;
    char sha256[65];
    unsigned long used; /* when it was last wanted; 0: empty */
    bool checked;       /* for coincident bodies */
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
    struct orr_reference reference;
    struct orr_totals totals;
    bool has_reference, has_totals;
    char sha256[65]; /* of the bodies */
    double eps, corner[2], edge;
    int level;
    struct orr_targets targets;
    unsigned long used;
};

struct orr_cached_trajectory {
    struct orr_trajectory trajectory;
    char sha256[65]; /* of the bodies where they start */
    double eps, dt;
    int steps;
    unsigned long used; /* 0: empty */
};

struct orr_worker_cache {
    struct orr_plugin plugins[ORR_WORKER_CACHE_PLUGINS];
    char plugin_names[ORR_WORKER_CACHE_PLUGINS][64];
    int plugin_count;
    struct orr_device *devices[ORR_WORKER_CACHE_DEVICES];
    int device_count;
    struct orr_cached_set sets[ORR_WORKER_CACHE_SETS];
    struct orr_cached_reference references[ORR_WORKER_CACHE_REFERENCES];
    struct orr_cached_trajectory trajectories[ORR_WORKER_CACHE_TRAJECTORIES];
    unsigned long clock;
    double device_s; /* seconds spent opening devices since it was zeroed */
    bool changed;    /* a plugin has changed the process (process_state.h) */
};

/* Each finds or makes. The cache owns the result, which lives until the next call of the same
 * function. */
int orr_worker_cache_plugin(struct orr_worker_cache *cache, const struct orr_plugin **out,
                            const char *name);
int orr_worker_cache_device(struct orr_worker_cache *cache, struct orr_device **out,
                            const char *id);
/* `level` of the boxes that it is made of; -1 for data sets that are not. */
int orr_worker_cache_set(struct orr_worker_cache *cache, struct orr_cached_set **out,
                         const char *name, size_t n, int level, uint64_t seed);
/* Forces on a sample of the bodies where they are. */
int orr_worker_cache_reference(struct orr_worker_cache *cache, const struct orr_reference **out,
                               const struct orr_reference_of *of);
/* Their energy and momentum, of all pairs; needs no reference. */
void orr_worker_cache_totals(struct orr_worker_cache *cache, struct orr_totals *out,
                             const struct orr_reference_of *of);
/* Their trajectory by direct sums. */
int orr_worker_cache_trajectory(struct orr_worker_cache *cache, const struct orr_trajectory **out,
                                const struct orr_trajectory_of *of);

#endif
