/* SPDX-License-Identifier: MIT */
/* paper.yaml: a paper's variants and experiments, read with libcyaml (unknown keys are errors with
 * file and line). */
#ifndef ORR_PAPER_H
#define ORR_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/cell.h"

/* An axis of an experiment. `values` is "a,b,c", "lo:hi:*factor" or "lo:hi:+step", as in --set.
 * `dataset`, `n` and `seed` choose the input; for a data set of boxes `per_box`, the bodies in each
 * box, replaces `n`, and `level` is that of the boxes. `ranks` is
 * the number of devices that share a step (orr_request.ranks bounds it), and `per_rank`, the bodies
 * of each, replaces `n`, too. Every other name, and `level` too, is a
 * variant parameter. */
struct orr_axis {
    char *name;
    char *values;
    char *means; /* labels of values, "0=fitted,512=the paper's"; only on an experiment's own axis;
                    may be NULL */
};

/* Beyond `n` bodies the variant is extrapolated (orr_cell_pairs) from its largest measured size. */
struct orr_limit {
    char *variant; /* "cpu-only" */
    double n;
    char *on; /* "cpu" or "gpu": only on devices of this kind; NULL: on every device */
};

struct orr_preset {
    char *name;            /* smoke, quick, paper, beyond */
    struct orr_axis *axes; /* replace the experiment's axes of the same name */
    unsigned axes_count;
    struct orr_limit *limits;
    unsigned limits_count;
    double time_limit_s;   /* 0: the default of the preset (plan.h) */
    double timeout_s;      /* of a cell, 0 likewise */
    unsigned long_samples; /* 0: default */
    bool skip;             /* the preset leaves the experiment out */
};

/* A tree code's error may be, at opening angle theta and n bodies, floor + at theta^theta n^n,
 * where the floor is that of single-precision sums. */
struct orr_law {
    double floor, at, theta, n;
};

/* The bound of tree codes, by terms; the first that matches is a cell's. */
struct orr_tree_bound {
    char **variants; /* globs of their names */
    unsigned variants_count;
    char **settings; /* "multipole=monopole": only where all of them are set */
    unsigned settings_count;
    double up_to; /* the largest theta; 0: any */
    struct orr_law median, p99, max;
};

struct orr_experiment {
    char *name;  /* "table2" */
    char *shows; /* "Table II" */
    char *title;
    char *layout; /* how table and plot present it: "times", "rates", "sweep", "resources",
                   * "snapshots", "audit", "speedups", "phases", "shares", "growth", "cost",
                   * "distribution", "errors", "host-device" (over N), "host-device-over" (over a
                   * parameter), "utilisation", "integration" */
    char *note;   /* printed under the table: what differs from the paper; may be NULL */
    char *cells;  /* the experiment whose cells it shows: running it runs those of its own variants.
                   * It has no presets; its axes say what is drawn. NULL: it has its own cells */
    struct orr_axis *axes;
    unsigned axes_count;
    char **baselines; /* variants that speedups are relative to: "cpu-only", "cpu-simd" */
    unsigned baselines_count;
    char **phases; /* phases that the figure draws; none: the whole iteration */
    unsigned phases_count;
    struct orr_bound *bound; /* of relative errors; NULL where cells are another's */
    unsigned targets; /* size of the verified sample of bodies (reference.h); 0: the default */
    bool keep_bodies;
    bool counts; /* also run the counting build of variants that have one: accesses by procedure and
                    kind */
    bool trajectory;  /* also compare the trajectories with fp64 direct sums */
    bool error_curve; /* also keep the distribution of the errors */
    bool energy;      /* also compute the energy of many bodies from the variant's own potentials */
    bool telling;     /* its figure opens the report */
    struct orr_preset *presets;
    unsigned presets_count;
};

/* A parameter that tools/tune.sh may set, and the values to try, in the grammar of an axis: it says
 * how a variant computes, never what. */
struct orr_knob_range {
    char *name;
    char *values;
    char *on; /* "cpu" or "gpu": only on devices of this kind; NULL: on every device */
};

struct orr_paper_variant {
    char *name;     /* "optimised": the plugin is build/variants/<paper>/<name>.so */
    char *label;    /* the paper's own name for it, as in the published tables */
    char **program; /* the words of a command (plugin/program.c), files by their path from the
                       paper's folder; none: a plugin */
    unsigned program_count;
    char **in; /* experiments it takes part in */
    unsigned in_count;
    struct orr_knob_range *knobs;
    unsigned knobs_count;
};

/* A choice that the paper leaves unprinted, and the claims that hang on it: they are judged over
 * all values that were measured (claims/guesses.sql). */
struct orr_guess {
    char *name;    /* of what is not printed: "the bodies in a group with Nleaf = 8" */
    char *setting; /* "ngroup" */
    char *values;  /* in the grammar of an axis; the first is the one that was taken */
    char *where;   /* "nleaf=8": only cells with this setting; NULL: all of the paper */
    char **claims;
    unsigned claims_count;
};

struct orr_paper {
    char *key; /* "fujiwara" */
    char *title;
    char *authors;
    char *venue;
    char *says;  /* what the paper says, in a sentence; NULL: none */
    char *found; /* what was found, with {CLAIM:PART} for the numbers of a claim's part; or NULL */
    bool figures_lost;            /* the scan at hand has no pictures: their curves are not known */
    unsigned year;                /* 0: the paper prints none */
    double flops_per_interaction; /* the paper's convention */
    struct orr_paper_variant *variants;
    unsigned variants_count;
    struct orr_tree_bound *tree_bounds;
    unsigned tree_bounds_count;
    struct orr_guess *guess;
    unsigned guess_count;
    struct orr_experiment *experiments;
    unsigned experiments_count;
};

/* Reads the paper.yaml of a paper (orr_paths_paper). ORR_EINPUT with file and line when
 * malformed. */
int orr_paper_load(struct orr_paper **out, const char *key);
void orr_paper_free(struct orr_paper *paper); /* accepts NULL */
/* Fails with `format` after file and line of `path`, such as "experiments[2].axes[0].name". */
int orr_paper_blame(const char *key, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The text of a paper.yaml in which no fault is found; free it also on failure. */
struct orr_paper_text {
    const char *shown; /* path for messages: "variants/fujiwara/paper.yaml" */
    char path[4096], *text;
    size_t size;
};
/* ORR_EINPUT with file and line of the first fault: what is no YAML, a key that the schema does not
 * know, a repeated or missing one, a name that does not exist, a value that does not parse. */
int orr_paper_read(struct orr_paper_text *out, const char *key);
extern const struct cyaml_schema_value orr_paper_schema; /* the shape of a paper.yaml */
/* Keys of all papers that have a paper.yaml, sorted; NULL-terminated, free with orr_names_free. */
int orr_paper_keys(char ***out);
/* Members by name; NULL with ORR_EUSAGE and the nearest name when there is none. */
const struct orr_experiment *orr_paper_experiment(const struct orr_paper *paper, const char *name);
const struct orr_paper_variant *orr_paper_variant(const struct orr_paper *paper, const char *name);
/* The experiment whose cells `experiment` shows: itself, or the one it names. */
const struct orr_experiment *orr_paper_cells(const struct orr_paper *paper,
                                             const struct orr_experiment *experiment);
/* True if the variant takes part in the experiment. */
static inline bool orr_paper_takes_part(const struct orr_paper_variant *variant,
                                        const char *experiment)
{
    return orr_names_find(experiment, variant->in, variant->in_count, sizeof *variant->in);
}

/* --- the bound of a cell --- */

/* A bound follows from the experiment and from these. */
struct orr_bound_at {
    const char *variant; /* "feng/barnes-hut" */
    bool tree;           /* a tree code (ORR_TREE_CODE) */
    const struct orr_setting *settings;
    int setting_count;
    double theta, n;
};

/* The experiment's, or for a tree code that of the paper's tree_bounds. ORR_EINPUT where those have
 * none for this theta. */
int orr_bound_of_cell(struct orr_bound *out, const struct orr_paper *paper,
                      const struct orr_experiment *experiment, const struct orr_bound_at *at);
/* The same without an experiment: the loosest that the variant takes part in. A plugin without a
 * paper is bound as exact sums are; a tree code without a paper is ORR_EUSAGE. */
int orr_bound_of_variant(struct orr_bound *out, const struct orr_bound_at *at);
/* Errors may be so many times as large. */
static inline void orr_bound_widen(struct orr_bound *bound, double times)
{
    bound->median *= times;
    bound->p99 *= times;
    bound->max *= times;
}

/* --- values of axes, one grammar for paper.yaml and --set ---
 *
 *   list  := item {"," item}
 *   item  := word | low ":" high ":*" factor | low ":" high ":+" step
 *
 * A range holds low, every next value up to high, and high itself: "1000:5000:*2" is 1000, 2000,
 * 4000, 5000. Repeated values count once. */

/* NULL-terminated in the given order; free with orr_names_free. With `integers` the values of a
 * range are rounded. ORR_EUSAGE says what is wrong with which item. */
int orr_axis_values(char ***out, const char *text, bool integers);
/* Do the values of this axis count something? True for sizes, level, seed and ranks. */
bool orr_axis_is_count(const char *name);
/* A whole number from 0 on. ORR_EUSAGE names the axis. */
int orr_axis_count(uint64_t *out, const char *name, const char *text);

/* --- what there is to ask for: papers with their experiments and variants, and plugins built
 * without a paper; a malformed paper.yaml is skipped, its own commands report it --- */

/* Papers, experiments and variants, as `run` and `describe` accept them: "paper", "paper/name".
 * Sorted; free with orr_names_free. */
int orr_plan_names(char ***out);
/* 0 for a variant of a paper or a plugin, built or not; else ORR_EUSAGE with the nearest name. */
int orr_plan_check_variant(const char *name);

#endif
