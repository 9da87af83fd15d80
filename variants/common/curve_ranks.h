/* SPDX-License-Identifier: MIT */
/* Bodies divided among ranks along the curve of a sorted tree, kernels/curve_ranks.cl. At home each
 * rank has its share of the input (device_bodies.h); for each evaluation it gets the bodies of its
 * part of the curve, its own, and gives back their accelerations.
 *
 * The parts are chosen to cost the same, by what the walk before counted and, where devices tell,
 * how long each rank took for that and its tree; the first ones hold about as many bodies each.
 * While no body moves, the parts of the third evaluation stay, and what it has learned of their
 * sizes: later ones wait for nothing on the host, so that they can be recorded. */
#ifndef VARIANTS_COMMON_CURVE_RANKS_H
#define VARIANTS_COMMON_CURVE_RANKS_H

#include "variants/common/sorted_tree.h"

enum {
    CURVE_RANKS_SEGMENTS = 256, /* that describe a rank's part */
    CURVE_RANKS_MOST_COUNTS = 5,
    CURVE_RANKS_MOST_BODIES = 1 << 28 /* of a part: their cells have 31 bits */
};

struct curve_ranks {
    int size, rank;
    size_t home, own; /* bodies of the rank: by input and by the curve */
    size_t room;      /* most own bodies that there is memory for */
    size_t block;
    /* Bodies from sent_at[r] on, of those at home in the order of `sort`, go to rank r; own ones
     * from got_at[r] on come from it. */
    size_t sent_at[ORR_MAX_RANKS + 1], got_at[ORR_MAX_RANKS + 1];
    size_t held[ORR_MAX_RANKS]; /* own bodies of each rank */
    uint64_t split[ORR_MAX_RANKS];
    int marked;      /* `marks` are of a walk since `split` was chosen */
    bool moves;      /* bodies do, between evaluations: for the caller to say */
    int evaluations; /* since the upload */
    bool settled;    /* this one has the parts, and sizes, of the one before */
    double received; /* bytes that reached this rank since the step began */
    struct orr_program *program;
    struct radix_sort sort;    /* home bodies by owner */
    struct orr_buffer *boxes;  /* 2 float4 a rank: around its home bodies */
    struct orr_buffer *splits; /* u64: first keys of ranks 1 ... */
    struct orr_buffer *starts; /* i32, size + 1 a rank: bodies that it sends to ranks before each */
    struct orr_buffer *out;    /* float4: home bodies by owner, then their accelerations */
    struct orr_buffer *body;   /* float4: own bodies as they came */
    struct orr_buffer *acc;    /* float4: their accelerations, likewise */
    struct orr_buffer *marks;  /* 2 u64 a segment of each rank: key, cost; then times */
    struct orr_buffer *clock;  /* 3 u64: of curve_ranks.cl */
    struct orr_buffer *segments; /* 2 float4, likewise: around its bodies */
    struct orr_buffer *blocks;   /* 2 float4 for 16 segments in a row: around them all */
    struct orr_buffer *tally;    /* u64: what the walks of a step counted, for each segment */
};

/* For `home` bodies at home; nothing where the job is alone. Release it whatever is returned. */
int curve_ranks_prepare(struct orr_job *job, struct curve_ranks *c, size_t home);

/* Bodies that a tree needs room for at first; alone as many as there are. */
size_t curve_ranks_room(const struct curve_ranks *c);

/* Launches of `program`, which was built with -DBLOCK=c->block. No groups: none. */
int curve_ranks_launch(struct orr_job *job, const struct curve_ranks *c,
                       struct orr_program *program, const char *kernel, size_t groups,
                       const struct orr_arg *args, int count);
#define CURVE_RANKS_LAUNCH(job, ranks, program, kernel, groups, ...)                          \
    curve_ranks_launch(                                                                       \
        (job), (ranks), (program), (kernel), (groups), (const struct orr_arg[]){__VA_ARGS__}, \
        (int)(sizeof((const struct orr_arg[]){__VA_ARGS__}) / sizeof(struct orr_arg)))

/* After each upload of the bodies at home: c->moves is known, and this chooses first parts by a
 * sample and, where `levels` is 0, the tree's levels, deep enough for all bodies. `room(job, n)`
 * makes room for n bodies in the tree and in what hangs on it; what they held is lost. */
int curve_ranks_begin(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                      struct orr_buffer *home, int32_t levels,
                      int (*room)(struct orr_job *job, size_t n));

/* Brings the own bodies to c->body. The tree has its root then, and holds as many. */
int curve_ranks_divide(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                       struct orr_buffer *home, int (*room)(struct orr_job *job, size_t n));

/* The segments of all ranks, from the bodies by key, in groups of `group`, of which each lies in
 * one segment. */
int curve_ranks_describe(struct orr_job *job, struct curve_ranks *c, const struct sorted_tree *tree,
                         size_t group);

/* Before the walk. */
int curve_ranks_begin_walk(struct orr_job *job, struct curve_ranks *c);
/* What the groups' walk cost: `counts` u64 each in `work`, the first `price` times as dear as the
 * second, the last `last` times. */
int curve_ranks_tally(struct orr_job *job, struct curve_ranks *c, const struct sorted_tree *tree,
                      size_t group, struct orr_buffer *work, int counts, int price, int last);

/* Gives the accelerations in c->acc back, to where the bodies are at home. */
int curve_ranks_return(struct orr_job *job, struct curve_ranks *c, struct orr_buffer *acc);

/* Zeroes what is counted in a step. */
int curve_ranks_begin_step(struct orr_job *job, struct curve_ranks *c);
/* Each number becomes its sum over all ranks. */
int curve_ranks_sum(const struct orr_job *job, double *numbers, int count);
/* The sums of all ranks' tallies; and the largest number of bytes that a rank received. */
int curve_ranks_count(const struct orr_job *job, const struct curve_ranks *c, int counts,
                      double sums[CURVE_RANKS_MOST_COUNTS], double *received);

void curve_ranks_release(struct orr_job *job, struct curve_ranks *c);

/* A buffer gets room for `bytes`, and keeps the first `used`. */
int curve_ranks_grow(struct orr_job *job, struct orr_buffer **buffer, size_t used, size_t bytes);

#endif
