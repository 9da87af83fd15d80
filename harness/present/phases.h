/* Times of the phases that a variant marks on its device ("BuildQuadTree", "ComputeForces" ...). */
#ifndef ORR_PHASES_H
#define ORR_PHASES_H

#include "present/results.h"

enum { ORR_MAX_SHOWN_PHASES = 16 };

/* The names of all phases of an experiment on a machine, in the order of a step. */
struct orr_phases {
    char names[ORR_MAX_SHOWN_PHASES][32];
    size_t count;
};
int orr_phases_load(struct orr_phases *out, const struct orr_scope *scope);
/* Median seconds of each phase of one cell, NAN for those it does not have (an extrapolated cell
 * has none). They are of one iteration: an evaluation of the forces, of which a step of `steps`
 * time steps has steps + 1. 1 when it has any, 0, or a negative code. */
int orr_phases_of(double out[ORR_MAX_SHOWN_PHASES], const struct orr_phases *phases,
                  const struct orr_scope *scope, const struct orr_result *result);

#endif
