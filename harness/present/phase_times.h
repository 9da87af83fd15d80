/* What the layouts phases, shares and growth show: the time of each phase, and of a whole
 * iteration, at every point of every curve. */
#ifndef ORR_PHASE_TIMES_H
#define ORR_PHASE_TIMES_H

#include "present/curves.h"
#include "present/document.h"
#include "present/phases.h"

struct orr_phase_times {
    const struct orr_scope *scope;
    const struct orr_results *results;
    struct orr_curves curves;
    struct orr_phases phases;
    double (*seconds)[ORR_MAX_SHOWN_PHASES]; /* of a point, by phase */
};

/* In place of a phase: the whole iteration, seconds / (steps + 1). */
enum { ORR_ITERATION = -1 };

enum orr_phase_measure { ORR_PHASE_SECONDS, ORR_PHASE_SHARE, ORR_PHASE_GROWTH };

int orr_phase_times_make(struct orr_phase_times *out, const struct orr_scope *scope,
                         const struct orr_results *results);
void orr_phase_times_release(struct orr_phase_times *times);
/* "BuildQuadTree"; "iteration" for ORR_ITERATION. */
const char *orr_phase_name(const struct orr_phase_times *times, int phase);
/* Seconds of an iteration; its share of the sum of all phases (of ORR_ITERATION: 1); or the factor
 * over the smallest size of the curve. NAN where it is not known. `point` is one of
 * times->curves.points. */
double orr_phase_value(const struct orr_phase_times *times, const struct orr_curve_point *point,
                       int phase, enum orr_phase_measure measure);
/* Whether the experiment's figure draws the phase; without a list only ORR_ITERATION. */
bool orr_phase_drawn(const struct orr_phase_times *times, int phase);
/* Colour of plots/common.gp: that of its place in the experiment's list, so that figures with and
 * without a phase agree. */
int orr_phase_style(const struct orr_phase_times *times, int phase);
/* Tables: one grid of the measure and every value for programs. */
int orr_phase_tables_add(struct orr_document *out, const struct orr_phase_times *times,
                         enum orr_phase_measure measure);

#endif
