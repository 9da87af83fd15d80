#include "present/cell_row.h"

#include <math.h>

void orr_cell_columns(struct orr_grid *grid, enum orr_audience steps)
{
    orr_grid_column(grid, "machine", "machine", ORR_PROGRAMS, false);
    orr_grid_column(grid, "dataset", "data set", ORR_ALL, false);
    orr_grid_column(grid, "n", "N", ORR_ALL, true);
    orr_grid_column(grid, "steps", "steps", steps, true);
    orr_grid_column(grid, "variant", "variant", ORR_PROGRAMS, false);
    orr_grid_column(grid, "label", "variant", ORR_PEOPLE, false);
    orr_grid_column(grid, "device", "device", ORR_ALL, false);
    orr_grid_column(grid, "device_name", "device name", ORR_PROGRAMS, false);
    orr_grid_column(grid, "parameters", "parameters", ORR_PROGRAMS, false);
    orr_grid_column(grid, "outcome", "outcome", ORR_PROGRAMS, false);
}

void orr_cell_row(struct orr_grid *grid, const struct orr_scope *scope,
                  const struct orr_result *result)
{
    orr_grid_row(grid);
    orr_grid_text(grid, "machine", "%s", scope->machine);
    orr_grid_text(grid, "dataset", "%s", result->input.dataset);
    orr_grid_text(grid, "n", "%.0f", result->input.n);
    orr_grid_number(grid, "n", result->input.n);
    orr_grid_number(grid, "steps", result->steps);
    orr_grid_text(grid, "variant", "%s", result->variant);
    orr_grid_text(grid, "label", "%s", result->label);
    orr_grid_text(grid, "device", "%s", result->device);
    orr_grid_text(grid, "device_name", "%s", result->device_name);
    orr_grid_text(grid, "parameters", "%s", result->parameters);
    orr_grid_text(grid, "outcome", "%s", result->outcome);
}

void orr_cell_small(struct orr_grid *grid, const char *key, double value)
{
    if (!isnan(value))
        orr_grid_text(grid, key, "%.3g", value);
    orr_grid_number(grid, key, value);
}

static const struct {
    const char *key, *head;
    size_t member;
} errors[] = {{"error_median", "error median", offsetof(struct orr_result, error_median)},
              {"error_p99", "error p99", offsetof(struct orr_result, error_p99)},
              {"error_max", "error max", offsetof(struct orr_result, error_max)}};
enum { ERRORS = sizeof errors / sizeof *errors };

static double error_of(const struct orr_result *result, size_t error)
{
    return *(const double *)((const char *)result + errors[error].member);
}

static void add_error_columns(struct orr_grid *grid, enum orr_audience audience)
{
    for (size_t k = 0; k < ERRORS; k++)
        orr_grid_column(grid, errors[k].key, errors[k].head, audience, true);
}

void orr_cell_error_columns(struct orr_grid *grid)
{
    add_error_columns(grid, ORR_ALL);
}

void orr_cell_errors(struct orr_grid *grid, const struct orr_result *result)
{
    for (size_t k = 0; k < ERRORS; k++)
        orr_cell_small(grid, errors[k].key, error_of(result, k));
}

void orr_cell_joined_error_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "error", "error median / p99 / max", ORR_PEOPLE, true);
    add_error_columns(grid, ORR_PROGRAMS);
}

void orr_cell_joined_errors(struct orr_grid *grid, const struct orr_result *result)
{
    if (isnan(result->error_median))
        return;
    orr_grid_text(grid, "error", "%.1e / %.1e / %.1e", result->error_median, result->error_p99,
                  result->error_max);
    for (size_t k = 0; k < ERRORS; k++)
        orr_grid_number(grid, errors[k].key, error_of(result, k));
}
