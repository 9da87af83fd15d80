#include "present/phase_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

int orr_phase_times_make(struct orr_phase_times *out, const struct orr_scope *scope,
                         const struct orr_results *results)
{
    *out = (struct orr_phase_times){.scope = scope, .results = results};
    int code = orr_curves_make(&out->curves, scope, results);
    if (!code)
        code = orr_phases_load(&out->phases, scope);
    out->seconds = calloc(out->curves.point_count + 1, sizeof *out->seconds);
    if (!code && !out->seconds)
        code = orr_fail(ORR_EMEMORY, "no memory for the phases of %s", scope->name);
    for (size_t k = 0; k < out->curves.point_count && !code; k++) {
        int any = orr_phases_of(out->seconds[k], &out->phases, scope, out->curves.points[k].result);
        code = any < 0 ? any : 0;
    }
    return code;
}

void orr_phase_times_release(struct orr_phase_times *times)
{
    orr_curves_release(&times->curves);
    free(times->seconds);
    times->seconds = NULL;
}

const char *orr_phase_name(const struct orr_phase_times *times, int phase)
{
    return phase == ORR_ITERATION ? "iteration" : times->phases.names[phase];
}

static double seconds_of(const struct orr_phase_times *times, const struct orr_curve_point *point,
                         int phase)
{
    if (phase == ORR_ITERATION)
        return point->result->seconds / (point->result->steps + 1);
    return times->seconds[point - times->curves.points][phase];
}

static double sum_of(const struct orr_phase_times *times, const struct orr_curve_point *point)
{
    double sum = 0;
    for (int k = 0; k < (int)times->phases.count; k++) {
        double seconds = seconds_of(times, point, k);
        sum += isnan(seconds) ? 0 : seconds;
    }
    return sum;
}

double orr_phase_value(const struct orr_phase_times *times, const struct orr_curve_point *point,
                       int phase, enum orr_phase_measure measure)
{
    const struct orr_curve_point *start =
        &times->curves.points[times->curves.items[point->curve].first];
    double seconds = seconds_of(times, point, phase);
    if (measure == ORR_PHASE_SHARE)
        seconds = phase == ORR_ITERATION ? 1 : seconds / sum_of(times, point);
    if (measure == ORR_PHASE_GROWTH)
        seconds /= times->curves.parameter ? NAN : seconds_of(times, start, phase);
    return isfinite(seconds) ? seconds : NAN;
}

/* Place in the experiment's list; its length when it is not there. */
static unsigned place_of(const struct orr_phase_times *times, int phase)
{
    const struct orr_experiment *e = times->scope->experiment;
    unsigned place = 0;
    while (place < e->phases_count && strcmp(e->phases[place], times->phases.names[phase]) != 0)
        place++;
    return place;
}

bool orr_phase_drawn(const struct orr_phase_times *times, int phase)
{
    unsigned listed = times->scope->experiment->phases_count;
    return phase == ORR_ITERATION ? !listed : place_of(times, phase) < listed;
}

int orr_phase_style(const struct orr_phase_times *times, int phase)
{
    unsigned listed = times->scope->experiment->phases_count, place = place_of(times, phase);
    return 1 + (int)(place < listed ? place : listed + (unsigned)phase);
}
