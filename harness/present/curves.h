/* Curves: the results of a program on a device with one setting, over the number of bodies or over
 * a parameter. Only what was measured or extrapolated well is on a curve. */
#ifndef ORR_CURVES_H
#define ORR_CURVES_H

#include "present/lines.h"
#include "present/plot.h"

struct orr_curve_point {
    size_t curve;
    double x;
    const struct orr_result *result;
};

struct orr_curve {
    const char *variant, *device;
    char setting[160];    /* without the parameter along x */
    char difference[160]; /* of it what not all curves of the program have in common: for legends */
    const struct orr_input
        *input;          /* of a curve over a parameter; NULL: over the number of bodies */
    int style;           /* of plots/common.gp */
    size_t first, count; /* its points, rising in x */
};

struct orr_curves {
    const char *parameter; /* along x; NULL: the number of bodies */
    struct orr_curve *items;
    size_t count;
    struct orr_curve_point *points;
    size_t point_count;
    double *xs; /* all there are, and the sizes of published inputs; rising */
    size_t x_count;
};

/* Over the number of bodies or, where the experiment has one number of bodies, over its parameter
 * of several numbers.
 */
int orr_curves_make(struct orr_curves *out, const struct orr_scope *scope,
                    const struct orr_results *results);
/* Over `parameter`; NULL: over the number of bodies. */
int orr_curves_make_over(struct orr_curves *out, const char *parameter,
                         const struct orr_scope *scope, const struct orr_results *results);
/* The experiment's first parameter of several numbers ("theta"), or NULL. */
const char *orr_curves_parameter(const struct orr_experiment *experiment);
/* "theta=0.5, sort=on" without theta (NULL: without nothing). Returns `out`. */
char *orr_setting_without(char *out, size_t size, const char *setting, const char *without);
void orr_curves_release(struct orr_curves *curves);
/* "CUDA, sort=on, cuda:0". Returns `out`. */
char *orr_curves_label(char *out, size_t size, const struct orr_curves *curves, size_t curve,
                       const struct orr_scope *scope);
/* "0.2 0.3 0.5": the values along x, of a parameter. Returns `out`. */
char *orr_curves_tics(char *out, size_t size, const struct orr_curves *curves);
/* Variables of plots/curves.gp that all its figures take. */
void orr_curves_name_axes(const struct orr_curves *curves, struct orr_plot *plot,
                          const char *y_label, const char *y_format);

#endif
