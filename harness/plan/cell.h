/* SPDX-License-Identifier: MIT */
/* A cell: one experiment x variant x data set x parameters x device. Plan makes it, a worker runs
 * it. */
#ifndef ORR_CELL_H
#define ORR_CELL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/sampler.h"
#include "names.h"
#include "plugin/params.h"

/* The largest errors of the accelerations that a cell may have, all of one kind; beyond any of them
 * it is `wrong`. The relative error of the potential is held to `max`. Set all of them: an error
 * above 0 is above a bound of 0. */
struct orr_bound {
    double median, p99, max;
    bool by_terms; /* of |a - a_ref| / S, as a tree code's; false: relative errors */
};

struct orr_cell {
    char id[17];         /* 16 hex digits: hash of everything that identifies the cell, several
                            ranks among it */
    char experiment[64]; /* "fujiwara/table2" */
    char variant[64];    /* "fujiwara/optimised" */
    char device[32];     /* "cuda:0"; of several ranks that of the first */
    char dataset[64];    /* "random-3d" */
    uint64_t n;          /* bodies; never 0: the data set's default is filled in */
    uint64_t seed;       /* of the data set */
    int setting_count;   /* parameters set by axes or by --set; the rest take the variant's defaults
                          */
    struct orr_setting settings[ORR_MAX_SETTINGS];
    struct orr_policy policy;
    struct orr_bound bound;
    double timeout_s; /* the worker is killed after this; covers the whole cell */
    /* truth values are of the type that jansson reads */
    int keep_bodies;   /* write the bodies after the step beside the journal, for pictures */
    unsigned targets;  /* size of the verified sample of bodies; 0: ORR_REFERENCE_TARGETS */
    int counts;        /* also run the counting build and keep its counts */
    int trajectory;    /* also compare the trajectories with fp64 direct sums */
    int error_curve;   /* also keep the distribution of the errors */
    char counters[96]; /* groups of counters to take once more steps for, "fp32,shared"; "auto": all
                          that the device has; "none" (counters.h) */
    int energy; /* also compute the energy of many bodies from the variant's own potentials */
    int ranks;  /* processes with a device each that share its steps; 1: as ever */
    int oversubscribe; /* ranks may share a device */
    int once;          /* one verified step and no samples, for profilers */
    int refused; /* error code of a variant that cannot be inspected: recorded, never run; 0 */
    char refusal[240];         /* and why */
    char extrapolate_from[17]; /* "", or the id of the cell whose time is scaled (orr_cell_pairs)
                                  instead of measuring this one */
};

/* Fills cell->id from the identifying members (experiment, variant, device, dataset, n, seed,
 * sorted settings). */
void orr_cell_identify(struct orr_cell *cell);
/* Level of the boxes that the cell's data set is made of: the setting `level`, else the data set's
 * default. -1 when it is not made of boxes. */
int orr_cell_level(const struct orr_cell *cell);
/* Bodies in each box of such a data set; 0 when it is not made of boxes. */
uint64_t orr_cell_per_box(const struct orr_cell *cell);
/* The setting `theta`, the opening angle of a tree code; 0, the direct sum, when it is not set. */
double orr_cell_theta(const struct orr_cell *cell);
/* The work of one step, by which times are scaled: ordered pairs times steps + 1, the evaluations
 * of the forces. The pairs are n (n - 1); with `theta` > 0 n log2 n; with the setting `level` those
 * of near boxes, N (P - 1) + B P^2 over a boxed data set (Shan & Lei 2012, Table I), otherwise
 * those of evenly spread bodies. */
double orr_cell_pairs(const struct orr_cell *cell);
json_t *orr_cell_policy_to_json(const struct orr_policy *policy);
json_t *orr_bound_to_json(const struct orr_bound *bound);
/* JSON for the worker protocol. The caller owns the result. */
json_t *orr_cell_to_json(const struct orr_cell *cell);
/* ORR_EINPUT when a member is missing or the bound bounds nothing. */
int orr_cell_from_json(struct orr_cell *out, json_t *object);

struct orr_cell_globs {
    struct orr_words only, exclude; /* shell-style; without any `only` every cell is wanted */
};

/* "fujiwara/optimised random-3d n=18000 steps=100 ranks=2 cuda:0" */
char *orr_cell_label(char *out, size_t size, const struct orr_cell *cell);

/* True if the cell matches one of `only` and none of `exclude`. Globs are tried on the experiment,
 * the variant ("fujiwara/table2", "fujiwara/optimised"), both without their paper, the data set,
 * the device, on "experiment variant dataset device" and on "experiment label", the line that
 * `run --dry-run` prints. label: of orr_cell_label; NULL: none. */
bool orr_cell_is_wanted(const struct orr_cell_globs *globs, const char *experiment,
                        const char *variant, const char *dataset, const char *device,
                        const char *label);

#endif
