/* A layout shows experiments of one kind: their table and their figure. paper.yaml names it
 * (`layout: times`). Adding one is a file layout_<name>.c, a line in layout.c and, where none of
 * plots/ fits, a gnuplot script. */
#ifndef ORR_LAYOUT_H
#define ORR_LAYOUT_H

#include "present/document.h"
#include "present/lines.h"
#include "present/plot.h"
#include "present/results.h"

struct orr_layout {
    const char *name;
    const char *script; /* plots/<script>.gp */
    int (*table)(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results);
    /* Writes the CSV files that the script reads and the variables it takes. ORR_EUSAGE when there
     * is nothing to plot. */
    int (*plot)(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results);
};

extern const struct orr_layout orr_layout_audit, orr_layout_cost, orr_layout_distribution,
    orr_layout_host_device, orr_layout_host_device_over, orr_layout_integration, orr_layout_phases,
    orr_layout_growth, orr_layout_shares, orr_layout_utilisation;

/* The whole document of an experiment on a machine: facts, the layout's grids, failures and what is
 * missing. Release it whatever is returned. */
int orr_layout_table(struct orr_document *out, const struct orr_scope *scope);
/* The figure's data and variables; see plot.h. */
int orr_layout_plot(struct orr_plot *out, const struct orr_scope *scope);

/* --- for layouts --- */

/* What a cell grid shows beside the measured columns. */
struct orr_cell_grid {
    const char *published; /* quantity of the printed numbers: "seconds", "gflops" */
    bool speedups;         /* over the experiment's baselines */
};
/* The data grid of most layouts: one row a cell, and one for each published number without a cell.
 */
int orr_cell_grid_add(struct orr_document *document, const struct orr_scope *scope,
                      const struct orr_results *results, const struct orr_cell_grid *options);
/* Grids of times, speedups over the experiment's baselines and host stages: programs down, inputs
 * across. */
int orr_matrices_add(struct orr_document *document, const struct orr_scope *scope,
                     const struct orr_results *results, const struct orr_lines *lines);
/* The paper's name of a variant as it prints it, else the variant's own. */
const char *orr_layout_label(const struct orr_scope *scope, const char *variant);
/* Whether the variant belongs to the experiment by paper.yaml. */
bool orr_layout_takes(const struct orr_scope *scope, const struct orr_paper_variant *variant);
/* What a plot returns at its end: `code` or, where that is 0 but no series was made, ORR_EUSAGE
 * with "nothing to plot: <formatted>; `orrery run <experiment>` <verb>". */
int orr_layout_drawn(int code, const struct orr_plot *plot, const struct orr_scope *scope,
                     const char *verb, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* A column for people for each input, with the keys "0", "1" ... in the order of the results. */
void orr_layout_input_columns(struct orr_grid *grid, const struct orr_results *results);
/* The devices on which a variant was measured, in the order of the results; at most `capacity`. */
size_t orr_layout_devices(const char **out, size_t capacity, const struct orr_results *results,
                          const char *variant);

#endif
