/* SPDX-License-Identifier: MIT */
/* The reference: fp64 direct sums on the host over all or all near bodies, for every body or a
 * seeded sample of them. */
#ifndef ORR_REFERENCE_H
#define ORR_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"
#include "datasets/boxes.h"

enum {
    ORR_REFERENCE_ALL = 2048,    /* up to here every body is a target */
    ORR_REFERENCE_TARGETS = 1024 /* beyond, so many unless an experiment says another number */
};

/* The sample of bodies that are targets where not all are; distinct ones. */
struct orr_targets {
    size_t count; /* so many, or all where there are fewer; 0: ORR_REFERENCE_TARGETS */
    uint64_t seed;
    bool few; /* no more than `count`, also where all would be taken */
};

/* What exerts the forces: positions [length], masses, n each. */
struct orr_sources {
    size_t n;
    const double *pos[3];
    const double *mass;
    double eps;
    const double *boxed[3]; /* of a near field: where bodies are as far as boxes go, which are made
                               of rounded positions; NULL: at pos */
};

/* Bodies with these masses; they outlive it. */
static inline struct orr_sources orr_reference_sources(const struct orr_bodies *at,
                                                       const double *masses, double eps)
{
    return (struct orr_sources){at->n, {at->pos[0], at->pos[1], at->pos[2]}, masses, eps, {NULL}};
}

struct orr_reference_sums {
    double acc[3]; /* sum m_j d / (d^2 + eps^2)^1.5 */
    double phi;    /* - sum m_j / (d^2 + eps^2)^0.5 */
    double scale;  /* sum of the lengths of the terms of acc */
};

/* Adds the action of the bodies [from, to) on the point `at`; with `only` of the accelerations
 * alone: phi and scale may stay as they are. */
void orr_reference_pairs_add(struct orr_reference_sums *sums, const struct orr_sources *sources,
                             bool only, const double at[3], size_t from, size_t to);

struct orr_reference {
    size_t count;
    size_t *targets; /* ascending body indices */
    double *acc[3];  /* sum m_j d / (d^2 + eps^2)^1.5 */
    double *phi;     /* - sum m_j / (d^2 + eps^2)^0.5 */
    double *scale;   /* S, the sum of the lengths of the terms of acc */
};

struct orr_reference_near;
/* Chooses the targets and sums over all others, or those that `near` says are near; NULL: all.
 * Release it whatever is returned. */
int orr_reference_make(struct orr_reference *out, const struct orr_sources *sources,
                       const struct orr_reference_near *near, const struct orr_targets *targets);
void orr_reference_release(struct orr_reference *reference);

/* Accelerations of all bodies by all others, into arrays of sources->n. */
void orr_reference_accelerate(double *const acc[3], const struct orr_sources *sources);

struct orr_totals {
    double kinetic;
    double energy; /* kinetic plus potential; NAN beyond ORR_ENERGY_LIMIT bodies, whose pairs are
                      too many */
    double momentum[3];
    double momentum_scale; /* sum of m |v|: the scale of the momentum */
};
enum { ORR_ENERGY_LIMIT = 20000 };
/* Energy of all pairs and momentum, fp64. */
void orr_reference_totals(struct orr_totals *out, const struct orr_sources *sources,
                          const double *const vel[3]);

/* --- a near field: the other bodies in a body's own box and the up to 8 adjacent ones of the
 * 2^level x 2^level boxes (boxes.h; Shan & Lei 2012, section II A), in the plane --- */

/* Which bodies are in which box: found once for bodies that stay where they are. */
struct orr_reference_near {
    struct orr_boxes boxes;
    size_t n;
    uint32_t *order; /* the bodies, box by box, row by row of boxes; ascending in a box */
    size_t *start;   /* side * side + 1: box b has order[start[b]] to order[start[b + 1] - 1] */
};

/* Release it whatever is returned. ORR_EMEMORY. */
int orr_reference_near_make(struct orr_reference_near *out, const struct orr_bodies *bodies,
                            int level);
void orr_reference_near_release(struct orr_reference_near *near);
/* Ordered pairs of bodies that are near, self pairs left out. */
double orr_reference_near_pairs(const struct orr_reference_near *near);

#endif
