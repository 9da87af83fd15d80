/* What rows of a data grid say of a cell before and after the numbers of their own. */
#ifndef ORR_CELL_ROW_H
#define ORR_CELL_ROW_H

#include "present/document.h"
#include "present/results.h"

/* Columns machine, dataset, n, steps, variant, label, device, device_name, parameters, outcome;
 * `steps` says who sees how many steps there were. */
void orr_cell_columns(struct orr_grid *grid, enum orr_audience steps);
/* A new row with these filled in. */
void orr_cell_row(struct orr_grid *grid, const struct orr_scope *scope,
                  const struct orr_result *result);
/* A number of small size, 1.23e-05; nothing for NAN. */
void orr_cell_small(struct orr_grid *grid, const char *key, double value);

/* Relative errors of accelerations: error_median, error_p99 and error_max, a column each, */
void orr_cell_error_columns(struct orr_grid *grid);
void orr_cell_errors(struct orr_grid *grid, const struct orr_result *result);
/* or joined in one column `error` for people and those three for programs; nothing where no error
 * is known. */
void orr_cell_joined_error_columns(struct orr_grid *grid);
void orr_cell_joined_errors(struct orr_grid *grid, const struct orr_result *result);

#endif
