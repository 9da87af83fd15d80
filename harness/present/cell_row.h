/* What rows of a data grid say of a cell before its own numbers. */
#ifndef ORR_CELL_ROW_H
#define ORR_CELL_ROW_H

#include "present/document.h"
#include "present/results.h"

/* Columns machine, dataset, n, steps, variant, label, device, device_name, parameters, outcome. */
void orr_cell_columns(struct orr_grid *grid);
/* A new row with these filled in. */
void orr_cell_row(struct orr_grid *grid, const struct orr_scope *scope, const struct orr_result *result);
/* A number of small size, 1.23e-05; nothing for NAN. */
void orr_cell_small(struct orr_grid *grid, const char *key, double value);

#endif
