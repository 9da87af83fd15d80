/* The reference: fp64 direct sums on the host, for all bodies or a seeded sample of them. */
#ifndef ORR_REFERENCE_H
#define ORR_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum {
    ORR_REFERENCE_ALL = 2048,    /* up to here every body is a target */
    ORR_REFERENCE_TARGETS = 1024 /* beyond, so many distinct ones drawn by the seed */
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
    double *scale;   /* sum of the lengths of the terms of acc: what could cancel */
};

/* Chooses the targets and sums. Release it whatever is returned. */
int orr_reference_make(struct orr_reference *out, const struct orr_sources *sources, uint64_t seed);
void orr_reference_release(struct orr_reference *reference);

struct orr_totals {
    double energy; /* kinetic plus potential; NAN beyond ORR_ENERGY_LIMIT bodies, whose pairs are too many */
    double momentum[3];
    double momentum_scale; /* sum of m |v|: what the momentum is small against */
};
enum { ORR_ENERGY_LIMIT = 20000 };
/* Energy of all pairs and momentum, fp64. */
void orr_reference_totals(struct orr_totals *out, const struct orr_sources *sources, const double *const vel[3]);

#endif
