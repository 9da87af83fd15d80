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
    char name[128];  /* "fujiwara/table2" */
    char cells[128]; /* the experiment that has the cells which it shows: name, if not another's */
    const char *machine; /* "" when nothing was measured anywhere */
    bool measured;       /* there are cells of this experiment on this machine */
};

/* What is computed: the bodies, and the level of the boxes they interact in. */
struct orr_input {
    char dataset[64];
    double n;
    double level;   /* NAN where there are no boxes */
    double per_box; /* bodies in a box; NAN unless every box has as many */
    bool published; /* by a number of this experiment */
};
bool orr_input_same(const struct orr_input *a, const struct orr_input *b);
/* The paper's measure of it: bodies in a box where all have as many, else bodies. */
double orr_input_size(const struct orr_input *input);

/* The latest record of one cell. Text is owned by the set. */
struct orr_result {
    long long key;    /* cell_key */
    char id[24];      /* of what was asked for: the same in every journal */
    char variant[64]; /* without the paper: "optimised" */
    char device[32], device_name[128];
    struct orr_input input;
    long long seed;          /* of the data set */
    char dataset_sha256[65]; /* "" when it was not made or not measured */
    char outcome[16];
    char started[40];
    char setting[160]; /* "block=512": results_setting.c says which parameters stand in it; "" when
                          none does */
    char order[64];    /* settings in the order of the experiment's axes, as text that sorts */
    char label[256];   /* variant and setting */
    char *parameters, *reason, *bodies_file, *path;
    struct json_t *values; /* the parameters, parsed; NULL when there are none */
    double steps;
    bool ok, extrapolated;
    bool standard; /* with the number of steps of the published numbers */
    bool faithful; /* with the first value of every axis: the setting of the published numbers */
    double seconds, low, high; /* NAN unless ok */
    double noise_floor; /* smallest relative difference that is called one; NAN when not known */
    double kernel_seconds, end_to_end_seconds;
    double interactions_per_second, gflops, ceiling_fraction;
    double error_median, error_p99, error_max;
    /* The same errors of accelerations by their mean and by the sum of the lengths of the terms
     * (run/verify.h). */
    double by_mean_median, by_mean_p99, by_terms_median, by_terms_p99;
    double bodies_per_second; /* of variants that integrate; NAN where they do not */
    double energy_drift, momentum_drift;
    /* Over all bodies, against direct sums: squared distances of positions, squared differences of
     * speeds and of velocities; their sums and means. NAN where the experiment asks for none. */
    double position_sum, position_mean, speed_sum, speed_mean, velocity_sum, velocity_mean;
    int samples, throttled;
};

struct orr_results {
    struct orr_result *items; /* by input, variant in the paper's order, device, setting */
    size_t count;
    struct orr_input *inputs; /* by level (the published one first), bodies in a box, n, data set in
                                 its axis' order */
    size_t input_count;
    bool boxed; /* inputs are told apart by the bodies in a box */
};

/* A number printed in the paper. Times are in seconds whatever unit they are printed in. */
struct orr_published {
    double value, half_unit; /* NAN when there is none */
    char printed[32], unit[16], device[64];
    char *erratum; /* "" or a text */
};

void orr_scope_set(struct orr_scope *out, const struct orr_ledger *ledger,
                   const struct orr_paper *paper, const struct orr_experiment *experiment,
                   const char *machine);
/* Place of a variant in the paper's list, from 0; one past the last when it is not there. */
size_t orr_scope_rank(const struct orr_scope *scope, const char *variant);
/* Whether an axis chooses what is computed (data set, n, level ...) and not how. */
bool orr_axis_chooses_input(const char *axis);
/* Place of a value in an experiment's axis "a,b,c", from 0; past every place when it is not there.
 */
size_t orr_axis_rank(const struct orr_scope *scope, const char *axis, const char *value);
/* The level of the published numbers; NAN where the experiment has no boxes. */
double orr_scope_level(const struct orr_scope *scope);
int orr_results_load(struct orr_results *out, const struct orr_scope *scope);
/* Fills in `setting` and `label`, of several sets that are shown together by what differs among all
 * of them. Loading does so for one. */
int orr_results_label(struct orr_results *sets, size_t count, const struct orr_scope *scope);
void orr_results_release(struct orr_results *results);
/* Whether some time is extrapolated and must be marked. */
bool orr_results_estimated(const struct orr_results *results);

/* baseline seconds / seconds of two results, with its bootstrap interval where both have samples
 * (else NAN). */
struct orr_ratio {
    double value, low, high; /* value NAN: not known, or not the same work */
    bool extrapolated;
};

#endif
