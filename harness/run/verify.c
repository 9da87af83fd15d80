#include "run/verify.h"

#include <math.h>
#include <stdlib.h>

#include "measure/stats.h"

/* Where the terms of a sum cancel, the sum is no measure of what a correct code loses: errors are taken relative to at
 * least this share of the terms' lengths. */
static const double CANCELLATION = 1e-3;
/* Stands for an error relative to zero; JSON knows no infinity. */
static const double WRONG_ZERO = 1e30;

/* The ten columns of the output; those a variant has not got are NULL. */
enum { COLUMNS = 10 };
static void columns(const struct orr_forces *f, float *out[COLUMNS])
{
    float *all[COLUMNS] = {f->acc[0], f->acc[1], f->acc[2], f->phi,    f->pos[0],
                           f->pos[1], f->pos[2], f->vel[0], f->vel[1], f->vel[2]};
    for (int k = 0; k < COLUMNS; k++)
        out[k] = all[k];
}

int orr_forces_make(struct orr_forces *out, size_t n, bool integrates)
{
    *out = (struct orr_forces){0};
    float **arrays[COLUMNS] = {&out->acc[0], &out->acc[1], &out->acc[2], &out->phi,    &out->pos[0],
                               &out->pos[1], &out->pos[2], &out->vel[0], &out->vel[1], &out->vel[2]};
    for (int k = 0; k < (integrates ? COLUMNS : 4); k++)
        if (!(*arrays[k] = malloc(n * sizeof **arrays[k])))
            return orr_fail(ORR_EMEMORY, "no memory for the results of %zu bodies", n);
    return 0;
}

void orr_forces_release(struct orr_forces *forces)
{
    float *all[COLUMNS];
    columns(forces, all);
    for (int k = 0; k < COLUMNS; k++)
        free(all[k]);
    *forces = (struct orr_forces){0};
}

void orr_forces_poison(struct orr_forces *forces, size_t n)
{
    float *all[COLUMNS];
    columns(forces, all);
    for (int k = 0; k < COLUMNS; k++)
        for (size_t i = 0; all[k] && i < n; i++)
            all[k][i] = NAN;
    forces->has_phi = 1;
}

int orr_verify_finite(const struct orr_forces *forces, size_t n, int dimensions)
{
    static const char *const names[COLUMNS] = {"ax", "ay", "az", "phi", "x", "y", "z", "vx", "vy", "vz"};
    float *all[COLUMNS];
    columns(forces, all);
    if (!forces->has_phi)
        all[3] = NULL;
    if (dimensions == 2)
        all[2] = all[6] = all[9] = NULL;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < COLUMNS; k++)
            if (all[k] && !isfinite(all[k][i]))
                return orr_fail(ORR_EWRONG, "%s of body %zu is %s", names[k], i,
                                isnan(all[k][i]) ? "not a number, or was never written" : "infinite");
    return 0;
}

static double relative(double error, double size)
{
    if (error == 0)
        return 0;
    return size > 0 ? fmin(error / size, WRONG_ZERO) : WRONG_ZERO;
}

static double acceleration_error(const struct orr_forces *f, const struct orr_reference *r, size_t k, int dimensions)
{
    double error2 = 0, size2 = 0;
    for (int d = 0; d < 3; d++) {
        double expected = r->acc[d][k], got = d < dimensions ? f->acc[d][r->targets[k]] : 0;
        error2 += (got - expected) * (got - expected);
        size2 += expected * expected;
    }
    return relative(sqrt(error2), fmax(sqrt(size2), CANCELLATION * r->scale[k]));
}

int orr_verify_errors(struct orr_errors *out, const struct orr_forces *forces, const struct orr_reference *reference,
                      int dimensions)
{
    *out = (struct orr_errors){.targets = reference->count};
    double *errors = malloc(reference->count * sizeof *errors);
    if (!errors)
        return orr_fail(ORR_EMEMORY, "no memory to compare %zu targets", reference->count);
    for (size_t k = 0; k < reference->count; k++) {
        errors[k] = acceleration_error(forces, reference, k, dimensions);
        out->max = fmax(out->max, errors[k]);
        double expected = reference->phi[k];
        if (forces->has_phi)
            out->phi_max = fmax(out->phi_max, relative(fabs(forces->phi[reference->targets[k]] - expected), -expected));
    }
    out->median = orr_stats_median(errors, reference->count);
    out->p99 = orr_stats_quantile(errors, reference->count, 0.99);
    free(errors);
    return 0;
}

int orr_verify_judge(const struct orr_errors *errors, const struct orr_bound *bound)
{
    const struct {
        const char *name;
        double error, bound;
    } checks[] = {{"median", errors->median, bound->median},
                  {"p99", errors->p99, bound->p99},
                  {"largest", errors->max, bound->max},
                  {"largest potential", errors->phi_max, bound->max}};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
        if (checks[k].bound > 0 && !(checks[k].error <= checks[k].bound))
            return orr_fail(ORR_EWRONG, "%s error %.2g above the bound %.2g", checks[k].name, checks[k].error,
                            checks[k].bound);
    return 0;
}
