/* What the ledger knows of one experiment on one machine, in the order in which layouts show it. */
#ifndef ORR_RESULTS_H
#define ORR_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"
#include "plan/paper.h"

struct orr_scope {
    const struct orr_ledger *ledger;
    const struct orr_paper *paper;
    const struct orr_experiment *experiment;
    char name[128];      /* "fujiwara/table2" */
    const char *machine; /* "" when nothing was measured anywhere */
    bool measured;       /* there are cells of this experiment on this machine */
};

/* The latest record of one cell. Text is owned by the set. */
struct orr_result {
    long long key;    /* cell_key */
    char variant[64]; /* without the paper: "optimised" */
    char device[32], device_name[128];
    char dataset[64];
    char outcome[16];
    char started[40];
    char label[192]; /* variant, and the parameters in which it differs from its namesakes */
    char *parameters, *reason, *bodies_file, *path;
    double n, steps;
    bool ok, extrapolated;
    bool standard;             /* with the number of steps of the published numbers */
    double seconds, low, high; /* NAN unless ok */
    double interactions_per_second, gflops, ceiling_fraction;
    double error_median, error_p99, error_max;
    double energy_drift, momentum_drift;
    int samples, throttled;
};

/* An input that was published or measured. */
struct orr_input {
    char dataset[64];
    double n;
    bool published; /* by a number of this experiment */
};

struct orr_results {
    struct orr_result *items; /* by n, data set, variant in the paper's order, device, parameters */
    size_t count;
    struct orr_input *inputs; /* by n, data set in the order of the experiment's axis */
    size_t input_count;
};

/* A number printed in the paper. */
struct orr_published {
    double value, half_unit; /* NAN when there is none */
    char printed[32];
    char *erratum; /* "" or a text */
};

void orr_scope_set(struct orr_scope *out, const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const struct orr_experiment *experiment, const char *machine);
/* Place of a variant in the paper's list, from 0; one past the last when it is not there. */
size_t orr_scope_rank(const struct orr_scope *scope, const char *variant);
int orr_results_load(struct orr_results *out, const struct orr_scope *scope);
void orr_results_release(struct orr_results *results);
/* Fills in every label; part of loading. */
int orr_results_label(struct orr_results *results);

/* 1 when the paper prints `quantity` for this cell (a number given for any data set counts), else 0, or a negative
 * code. Release it either way. `reference`: of a ratio, NULL otherwise. */
int orr_published_find(struct orr_published *out, const struct orr_scope *scope, const char *variant,
                       const char *dataset, double n, const char *quantity, const char *reference);
void orr_published_release(struct orr_published *published);

/* The newest of the results of a variant for an input on a device ("" any), those with the published number of steps
 * first; NULL when there is none. */
const struct orr_result *orr_results_newest(const struct orr_results *results, const char *variant,
                                            const struct orr_input *input, const char *device);

/* baseline seconds / seconds of two results, with its bootstrap interval where both have samples (else NAN). */
struct orr_ratio {
    double value, low, high; /* value NAN: not known, or not the same work */
    bool extrapolated;
};
int orr_ratio_of(struct orr_ratio *out, const struct orr_scope *scope, const struct orr_result *result,
                 const struct orr_result *baseline);

#endif
