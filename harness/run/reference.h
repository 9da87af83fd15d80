/* The reference: fp64 direct sums on the host over all or all near bodies, for every body or a
 * seeded sample of them. */
#ifndef ORR_REFERENCE_H
#define ORR_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"
#include "run/reference_pairs.h"

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
/* One for each of up to two `sources` that differ by their masses, over the same targets: little
 * more than the first alone. Release each whatever is returned. */
int orr_reference_make_each(struct orr_reference *out, const struct orr_sources *sources, int sets,
                            const struct orr_targets *targets);
void orr_reference_release(struct orr_reference *reference);

/* What references are made of: the targets alone, with sums of zero. Release it whatever is
 * returned. */
int orr_reference_choose(struct orr_reference *out, size_t n, const struct orr_targets *targets);
/* The same `sets` times, each with memory of its own. */
int orr_reference_choose_each(struct orr_reference *out, int sets, size_t n,
                              const struct orr_targets *targets);

/* Adds to target k. */
void orr_reference_add(struct orr_reference *to, size_t k, const struct orr_reference_sums *sums);

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
