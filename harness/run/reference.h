/* The reference: fp64 direct sums on the host over all or all near bodies, for every body or a
 * seeded sample of them. */
#ifndef ORR_REFERENCE_H
#define ORR_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"

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
};

struct orr_reference {
    size_t count;
    size_t *targets; /* ascending body indices */
    double *acc[3];  /* sum m_j d / (d^2 + eps^2)^1.5 */
    double *phi;     /* - sum m_j / (d^2 + eps^2)^0.5 */
    double *scale;   /* S, the sum of the lengths of the terms of acc */
};

/* Chooses the targets and sums over all others. Release it whatever is returned. */
int orr_reference_make(struct orr_reference *out, const struct orr_sources *sources,
                       const struct orr_targets *targets);
/* The same over the other bodies in the body's own box and the up to 8 adjacent ones of the 2^level
 * x 2^level boxes (boxes.h; Shan & Lei 2012, section II A), for bodies in the plane.
 * ORR_EMEMORY. */
int orr_reference_make_near(struct orr_reference *out, const struct orr_bodies *bodies, double eps,
                            int level, const struct orr_targets *targets);
/* Ordered pairs of bodies that are near in that sense, self pairs left out. ORR_EMEMORY. */
int orr_reference_near_pairs(double *out, const struct orr_bodies *bodies, int level);
void orr_reference_release(struct orr_reference *reference);

/* The sources that act on a body, as ranges, for references over a part of them. The sources may be
 * reordered: *body is the number of the body, and becomes its place among them. That place is left
 * out of its range. Returns the number of ranges. Called by several threads. */
enum { ORR_REFERENCE_RANGES = 3 };
struct orr_range {
    size_t from, to; /* to is the first one beyond */
};
typedef int orr_reference_acting(const void *context, size_t *body,
                                 struct orr_range out[ORR_REFERENCE_RANGES]);
int orr_reference_sum(struct orr_reference *out, const struct orr_sources *sources,
                      orr_reference_acting *acting, const void *context,
                      const struct orr_targets *targets);

/* What a reference over few targets is made of: chooses them; adds to target k the action of
 * `count` bodies by their numbers. */
int orr_reference_choose(struct orr_reference *out, size_t n, const struct orr_targets *targets);
void orr_reference_add(struct orr_reference *out, size_t k, const struct orr_bodies *bodies,
                       double eps, const size_t *numbers, size_t count);

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

#endif
