/* Figures that a variant knows of its own work ("node interactions", "groups" ...: struct
 * orr_cost). */
#ifndef ORR_FIGURES_H
#define ORR_FIGURES_H

#include "present/results.h"

/* Of one step of the cell; NAN where the variant does not give it. 0 or a negative code. */
int orr_figure_of(double *out, const struct orr_scope *scope, const struct orr_result *result,
                  const char *name);

#endif
