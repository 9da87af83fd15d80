/* SPDX-License-Identifier: MIT */
/* The referee: the process between the program and its worker. It makes the bodies, lends them to
 * the worker's variant, asks for steps, verifies what comes back against its own references, and
 * writes the record. Foreign code runs in the worker only, so a crash or a hang there costs one
 * cell and no reference. */
#ifndef ORR_REFEREE_H
#define ORR_REFEREE_H

#include <jansson.h>
#include <stdbool.h>

#include "worker/child.h"
#include "worker/shared_buffer.h"
#include "worker/rank_library.h"
#include "datasets/bodies.h"
#include "verify/reference.h"
#include "verify/trajectory.h"

/* So many times a GPU's ceiling a step may reach, since it may have been measured at a lower clock;
 * and a processor's, since it may have been measured beside other programs. */
#define ORR_CEILING_CLOCKS 1.2
#define ORR_CEILING_COMPANY 3.0

/* --- what it keeps from one cell to the next: the latest data sets, references and trajectories
 * (referee_cache.c) --- */

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

/* --- the referee --- */

struct orr_referee {
    struct orr_referee_cache cache;
    const char *program; /* that workers are started from */
    int ranks;           /* workers that a request goes to, from the next orr_referee_ready on; 1 */
    struct orr_child worker;  /* with 1 */
    struct orr_child former;  /* the one before, which was killed and may not have ended yet: what
                                 it held is free after orr_child_shutdown */
    struct orr_rank_set *set; /* with more */
    int set_size;
    struct orr_shared_buffer shared;
    double deadline,
        limit_s;         /* orr_clock_now() at which a worker is given up; the limit it is of */
    const char *outcome; /* of a request that lost its worker: "crashed" ...; else NULL */
    json_t *unfinished;  /* what a worker was given up at: {ask, steps, seconds}; else NULL */
    bool replace;        /* the worker must not serve another cell */
    char plugin[64];     /* the only one that the worker opens; "": none yet */
    json_t *small_n;     /* that were right: a member for each (cell_small_n.c) */
    json_t *idle; /* {device: watt of it with a context that does nothing; null: not to be told} */
    json_t *refusals;     /* of counters, by device */
    double own_s;         /* of the request: spent in the variant */
    double unexplained_s; /* of the latest question to a worker: until its answer came, less what
                             the variant's calls took by the worker's clock */
    double explained_s;   /* the latter */
};

/* Serves requests on standard input, a socket, until told to quit or the other side is gone.
 * Returns an exit code. */
int orr_referee_serve(void);

/* A referee without a worker yet. ORR_EIO. */
int orr_referee_begin(struct orr_referee *out, const char *program);
void orr_referee_end(struct orr_referee *referee);
/* Before each request: forgets the last one's fate, replaces a worker that must go. No deadline
 * with limit_s = 0. */
void orr_referee_ready(struct orr_referee *referee, double limit_s);
/* Another worker from now on, for what is no part of the cell: at most so many seconds, within the
 * cell's own limit. */
void orr_referee_afresh(struct orr_referee *referee, double limit_s);
/* Asks the worker, which is started first if there is none (takes the reference to `request`);
 * `answer` may be NULL. The worker's own error comes back as it is. A worker that dies or exceeds
 * the deadline is an error with its reason, and `outcome` says its kind; until the next
 * orr_referee_ready there is no other. */
int orr_referee_ask(struct orr_referee *referee, json_t *request, json_t **answer);

/* One request each. The answer, or NULL with the error recorded. */
json_t *orr_referee_cell(struct orr_referee *referee, json_t *request);
json_t *orr_referee_compile(struct orr_referee *referee, json_t *request);
json_t *orr_referee_eval(struct orr_referee *referee, json_t *request);
json_t *orr_referee_frames(struct orr_referee *referee, json_t *request,
                           struct orr_channel *channel);

#endif
