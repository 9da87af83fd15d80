/* SPDX-License-Identifier: MIT */
/* The run of one variant over one set of bodies, of a cell or the user's own, as the referee sees
 * it: the variant steps in the worker, everything that is judged is the referee's. */
#ifndef ORR_CELL_RUN_H
#define ORR_CELL_RUN_H

#include <jansson.h>

#include "plan/cell.h"
#include "worker/named_times.h"
#include "referee/referee.h"
#include "verify/verify.h"
#include "measure/sampler.h"

struct orr_cell_run {
    /* set by the caller */
    struct orr_referee *referee;
    const char *variant, *device; /* "paper/variant"; "" is the best device that it runs on */
    const struct orr_bodies *bodies;
    const char *sha256;                                /* of the bodies */
    struct orr_setting settings[ORR_MAX_SETTINGS + 3]; /* the last for orr_cell_run_set */
    int setting_count;
    double kernels_s; /* least time of the kernels of a single step that another round of the cell
                         traced; 0: none did */
    struct orr_bound bound;
    struct orr_targets targets; /* the bodies that are verified */
    int ranks;                  /* that share a step; 0 and 1: one device */
    bool oversubscribe;         /* they may share a device, too */
    bool joules;                /* what the device takes while it is idle is to be known */
    /* filled in by load and configure, `about` first */
    json_t *about;      /* the worker's answers to "load" and "open": build, device */
    json_t *parameters; /* all, typed */
    int dimensions;
    uint32_t capabilities;
    bool counts, costs; /* has these verbs */
    bool on_host;       /* the device is the host itself, which runs no kernels */
    double eps, dt, theta;
    int level;             /* of the boxes of a near field; -1: all bodies act on all */
    int steps;             /* of an integration; 0: the step leaves the bodies where they are */
    bool wrong_on_purpose; /* the parameters ask for wrong results (variant.h) */
    bool euler;            /* by Euler's scheme (variants/common/leapfrog.h) */
    /* of the latest step */
    struct orr_forces forces; /* the results, the referee's copy */
    double *masses;           /* they were computed with */
    uint64_t masses_seed;     /* of these; 0: the bodies' own */
    bool finite;              /* they all are */
    double *fresh[ORR_SHARED_MASSES];
    struct orr_forces first;       /* of the first step, of an integration that none can follow */
    struct orr_forces kept_forces; /* of the step that orr_cell_run_keep() kept */
    double *kept_masses;           /* it was computed with; NULL: the bodies' own */
    json_t *answer;                /* the worker's */
    double step_s;                 /* mean of the steps that count */
    int batch;                     /* how many these are */
    double device_s;               /* mean of their kernels' own durations; NAN unknown */
    double
        queued_s; /* mean of the steps back to back; NAN without, or if they launched otherwise */
    /* filled in on the way */
    struct orr_errors errors;     /* of the bodies with their own masses */
    bool conserved;               /* start and end are known */
    struct orr_totals start, end; /* of an integration */
    double potential;             /* at the end, by the variant; NAN without */
    json_t *stages;               /* of the host outside steps (named_times.h): a value for
                                     prepare, each upload, each fetch */
};

/* Loads the variant and opens its device: fills in about, dimensions, capabilities. `about` knows
 * the build also where the device cannot be opened. */
int orr_cell_run_load(struct orr_cell_run *run);
/* Gives a setting that value, whether or not there was one. */
void orr_cell_run_set(struct orr_cell_run *run, const char *name, const char *value);
/* A run of the same variant over the same bodies, judged alike, that has not begun. */
struct orr_cell_run orr_cell_run_again(const struct orr_cell_run *run);
/* Loads, configures and prepares it. */
int orr_cell_run_begin(struct orr_cell_run *run);
/* Finds or makes a data set (referee.h) as the bodies of a loaded run. ORR_EUSAGE when it has
 * more dimensions than the variant takes. */
int orr_cell_run_take_set(struct orr_cell_run *run, struct orr_cached_set **out, const char *name,
                          size_t n, int level, uint64_t seed);
/* ORR_EINPUT when two bodies coincide and nothing softens their force; an eps whose square vanishes
 * in single precision softens nothing. */
int orr_cell_run_check_softening(struct orr_cached_set *set, double eps);
/* Lends the bodies and sets the parameters: from the variant's table, the bodies, the settings. */
int orr_cell_run_configure(struct orr_cell_run *run);
/* The bound that its paper gives the variant for these settings and bodies; after configure. */
int orr_cell_run_bound(struct orr_cell_run *run);
/* Lends the bodies again, which stand elsewhere now. */
void orr_cell_run_share_bodies(struct orr_cell_run *run);
/* Lets the variant prepare. */
int orr_cell_run_prepare(struct orr_cell_run *run);

/* What events around a launch hold beside its kernel, of half their time at most. */
#define ORR_LAUNCHING_S 5e-6

struct orr_cell_steps {
    int batch;    /* steps that count, each after an upload */
    bool cold;    /* one that does not count comes first */
    bool fresh;   /* with new masses */
    bool idle;    /* nothing may go on after them */
    bool kernels; /* say what was compiled */
    bool traced;  /* with what tells the kernels' own times */
    int queued;   /* more of them at the end, back to back, over the same input */
};
/* Poisons the results, lets the variant step, fetches, and checks that it stayed within what it was
 * lent. ORR_EWRONG. */
int orr_cell_run_step(struct orr_cell_run *run, const struct orr_cell_steps *how);

/* The mean of the latest batch's steps. */
double orr_cell_run_mean(const json_t *seconds, int batch);
/* Adds the means over the latest batch of the device's "phases", or of the host's stages "within"
 * the step. */
void orr_cell_run_add_means(json_t **to, const struct orr_cell_run *run, const char *what);

/* Verifies the results of a step with the bodies' own masses against the fp64 reference; ORR_EWRONG
 * with the reason. Fills in `errors` either way. */
int orr_cell_run_verify(struct orr_cell_run *run);
/* The reference of `of` by itself, kept for nobody: of run->bodies, or of what these were rounded
 * from, whose boxes are theirs. Release it whatever is returned. */
int orr_cell_run_reference(struct orr_reference *out, const struct orr_cell_run *run,
                           const struct orr_bodies *of);
/* What a step with these masses left. */
struct orr_cell_result {
    const struct orr_forces *forces;
    double *masses;
};
/* Judges nothing. */
int orr_cell_run_errors(struct orr_errors *out, const struct orr_cell_run *run,
                        const struct orr_cell_result *result, const struct orr_targets *targets);
/* Verifies the latest step, on a few targets that nobody could know while it ran, held to the
 * bound of the maximum; and that all results are finite. */
int orr_cell_run_check_sample(const struct orr_cell_run *run);
/* Keeps the results of the latest step, with its masses if they were new, whatever steps come next,
 * also of other runs; forgets those kept before. */
int orr_cell_run_keep(struct orr_cell_run *run);
/* A seed that nobody can know beforehand. */
uint64_t orr_cell_run_seed(void);

/* Distance from the fp64 trajectory of a step with the bodies' own masses, sums over all bodies and
 * means; integrations only. */
int orr_cell_run_trajectory_error(struct orr_cell_run *run, json_t **out);
/* Runs the counting build with the bodies' own masses and verifies what it computed; the variant
 * has a count verb. *out is the worker's object of procedures. */
int orr_cell_run_count(struct orr_cell_run *run, json_t **out);
/* Steps for at least `seconds` under the device's energy counter, over one upload of new masses,
 * `queued` back to back at a time. *out is the worker's answer, {counter, steps, busy_s, window_s,
 * joules, integrated} or {reason}, and {idle_w}. Fills in the results of the last step. */
int orr_cell_run_joules(struct orr_cell_run *run, double seconds, int queued, json_t **out);
/* Steps, with the bodies' own masses, under the counters of `groups`. *out is the list of their
 * sources (counters.h). Fills in the results of the last step. */
int orr_cell_run_counters(struct orr_cell_run *run, const char *groups, json_t **out);
/* Lets the variant go. Negative when that went wrong; safe to repeat. */
int orr_cell_run_close(struct orr_cell_run *run, json_t **answer);
void orr_cell_run_release(struct orr_cell_run *run);

/* sum m phi / 2, phi as the variant computed it. */
double orr_cell_run_potential(const struct orr_bodies *bodies, const struct orr_forces *forces);
/* Fills in the energies of the run's totals from the variant's own potentials: at the end from the
 * first step, at the start from a verified evaluation with steps = 0. Needs a measured and
 * verified run, whose variant it lets go first, so that two never share a device's memory. Does
 * nothing when all pairs gave the energy, nothing moves, or the variant has no potential. */
int orr_cell_run_energy(struct orr_cell_run *run);
/* Of an integration whose trajectory nobody can follow: keeps what the latest step left. */
int orr_cell_run_keep_first(struct orr_cell_run *run);
/* Then: ORR_ESUSPECT when its steps took less time than as many evaluations take; ORR_EWRONG when
 * steps that are halted at one drawn now, and go on from there, end elsewhere, or when one step
 * from the start is none of the scheme. Needs a measured and verified run, whose variant it lets
 * go. */
int orr_cell_run_check_pace(struct orr_cell_run *run, double seconds);

/* One value a sample, the warm-up left out. */
struct orr_measured {
    /* set by the caller; what is no time goes to the record at once */
    struct orr_cell_run *run;
    const struct orr_policy *policy;
    json_t *record;
    /* while it samples */
    int takes;          /* since the warm-up */
    int kept;           /* the one whose result the run keeps, counted from 1 */
    uint64_t kept_seed; /* of its masses */
    bool warm, queues;
    double single_s, queued_s; /* the least time of a step in a sample so far */
    uint64_t chance;
    /* filled in */
    struct orr_samples samples;
    /* named_times.h */
    json_t *phases;    /* device seconds */
    json_t *stages;    /* host seconds within the step */
    json_t *clocks;    /* all numbers of a worker's answers, and "cold", "single", "queued",
                          "device": seconds */
    int batch;         /* steps a sample that count */
    bool cold;         /* another one comes first */
    int queue;         /* steps back to back a sample; 0: none */
    bool recorded;     /* these were one recording, replayed */
    bool refused;      /* they were not, although NCCL can be recorded */
    bool back_to_back; /* these are samples.step_s, else single steps are */
    bool counts_upload, counts_fetch; /* the step's time includes them: work is done there */
    /* What the times of kernels come from; NULL: another round of the cell has them, by their
     * timestamps, and the events of this one would be a second clock. */
    const char *kernel_clock;
    char odd[160]; /* why steps back to back do not count, or "" */
    json_t *ranks; /* of several: [{step_s: [], kernel_s: [], exchange_s: [], wait_s: []}] */
    /* of steps that several ranks replayed, likewise, and their phases; NULL and none: no such */
    json_t *replayed_ranks;
    json_t *replayed_phases;
    json_t *readings; /* of the sensors: {name: [one a sample]} */
    json_t *joules;   /* the answer to a window of steps; NULL: not asked for */
};

/* Samples after the first step, and verifies. Release it whatever is returned. */
int orr_cell_run_measure(struct orr_measured *measured);
void orr_cell_run_release_measured(struct orr_measured *measured);

/* --- whether the bodies of an integration went where its steps lead (trajectory.h) --- */

/* What was found of a trajectory, for the record. */
struct orr_cell_motion {
    size_t n; /* bodies of the trajectory that was judged; 0: none was */
    bool blind;
    double share; /* of its limit, of the value that comes nearest to it */
    const char *nearest;
};

/* Judges what the variant returned with those masses: at any number of bodies that they moved, the
 * whole trajectory where they are few and the variant is a direct sum. Nothing unless it
 * integrates. ORR_EWRONG. */
int orr_cell_motion_check(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_cell_result *result);
/* Judges the whole trajectory from `start`, as of a direct sum. */
int orr_cell_motion_judge(struct orr_cell_motion *out, const struct orr_cell_run *run,
                          const struct orr_forces *forces, const struct orr_bodies *start);

/* Of what kind every interaction of such a variant is, "3d" ..., whose ceiling it is measured by;
 * "other": of none that has a ceiling. */
const char *orr_cell_work_pair(uint32_t capabilities, int dimensions);

/* --- small-N checks --- */

/* Runs those that the cell needs; `motion` says what is judged of it already, and afterwards of its
 * small-N cell. Lets the run's variant go. ORR_EWRONG with the reason. */
int orr_cell_small_n_check(struct orr_cell_motion *motion, struct orr_cell_run *run,
                           const struct orr_cell *cell);
/* Of an evaluation of the user's own bodies by a tree code: over a data set that the bound is made
 * for, with `wide` at the angle of the run, too; and over a part of the bodies, with errors of so
 * many `times` the bound. Lets the run's variant go and overwrites its results. */
int orr_cell_small_n_check_eval(const struct orr_cell_run *run, bool wide, double times);

/* --- counters --- */

/* Writes `counters` for a cell that is ok: values, or the reason for each source of the groups
 * asked for. `run` has let its variant go. */
void orr_referee_cell_counters(json_t *record, const struct orr_cell_run *run,
                               const struct orr_cell *cell);

#endif
