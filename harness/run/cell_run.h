/* The run of one variant over one set of bodies, of a cell or the user's own: set up, step, verify,
 * clean up. Keeps the variant's time apart from the harness's. */
#ifndef ORR_CELL_RUN_H
#define ORR_CELL_RUN_H

#include <jansson.h>

#include "plan/cell.h"
#include "run/verify.h"
#include "run/named_times.h"
#include "run/worker_cache.h"
#include "measure/sampler.h"

enum { ORR_CELL_RUN_KERNELS = ORR_MAX_KERNELS };

struct orr_cell_run {
    /* set by the caller */
    struct orr_worker_cache *cache;
    const struct orr_variant *variant;
    struct orr_device *device;
    const struct orr_bodies *bodies;
    const char *sha256; /* of the bodies */
    const struct orr_setting *settings;
    int setting_count;
    struct orr_bound bound;
    struct orr_targets targets; /* the bodies that are verified */
    /* filled in */
    struct orr_host host;
    struct orr_job job;
    void *params;
    double eps, dt, theta; /* theta: of a tree code */
    int level;             /* of the boxes of a near field; -1: all bodies act on all */
    int steps;             /* of an integration; 0: the step leaves the bodies where they are */
    bool prepared;
    struct orr_forces forces;
    struct orr_errors errors;         /* the worst of all verifications so far */
    bool conserved;                   /* start and end are known */
    struct orr_totals start, end;     /* of an integration */
    double own_s;                     /* spent in the variant and waiting for its device */
    double upload_s, step_s, fetch_s; /* of the latest of each */
    struct orr_times times;           /* of the latest step */
    struct orr_named_times_set
        stages; /* of the host outside steps: one value for prepare, each upload, each fetch */
    struct orr_named_times_set step_stages; /* of the host within steps: one value a step */
};

/* Parameters, from the variant's table, the bodies and the settings; needs variant, bodies,
 * settings. */
int orr_cell_run_configure(struct orr_cell_run *run);
/* The bound of a configured run that is no cell's, from the variant's paper. */
int orr_cell_run_bound(struct orr_cell_run *run);
/* Allocates and lets the variant prepare. */
int orr_cell_run_prepare(struct orr_cell_run *run);
/* Upload (untimed), then one timed step. */
int orr_cell_run_step(struct orr_cell_run *run);
/* Poisons the output, then fetches it. */
int orr_cell_run_fetch(struct orr_cell_run *run);
/* Verifies the fetched output against the fp64 reference; ORR_EWRONG with the reason. Fills in
 * `errors` either way. */
int orr_cell_run_verify(struct orr_cell_run *run);
/* Distance from the fp64 trajectory; integrations only. */
int orr_cell_run_trajectory_error(struct orr_cell_run *run, struct orr_trajectory_error *out);
/* Runs the counting build, then fetches and verifies what it computed; the variant has a count
 * verb. */
int orr_cell_run_count(struct orr_cell_run *run, struct orr_counts *out);
void orr_cell_run_release(struct orr_cell_run *run);

/* sum m phi / 2, phi as the variant computed it. */
double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces);
/* Fills in the energies of the run's totals from the variant's own potentials: at the end from the
 * fetched output, at the start from a verified evaluation with steps = 0. Needs a measured and
 * verified run, whose variant it shuts down first, so that two never share a device's memory. Does
 * nothing when all pairs gave the energy, nothing moves, or the variant has no potential. */
int orr_cell_run_energy(struct orr_cell_run *run);

enum { ORR_END_TO_END_SAMPLES = 5 };

struct orr_measured {
    struct orr_samples samples;
    struct orr_named_times_set phases; /* device seconds, one value a sample */
    struct orr_named_times_set stages; /* host seconds within the step, one value a sample */
    double *end_to_end_s;
    int end_to_end_count;
    json_t *sensors, *counters;
};

/* Samples under `policy`, after the first step. Leaves the output of the last end-to-end sample in
 * run->forces. Release it whatever is returned. */
int orr_cell_run_measure(struct orr_measured *out, struct orr_cell_run *run,
                         const struct orr_policy *policy);
void orr_cell_run_release_measured(struct orr_measured *measured);

#endif
