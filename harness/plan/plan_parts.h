/* SPDX-License-Identifier: MIT */
/* Parts of planning: selection of experiment x variant pairs, metadata of variants, devices,
 * axes. */
#ifndef ORR_PLAN_PARTS_H
#define ORR_PLAN_PARTS_H

#include "plugin/plugin.h"
#include "names.h"
#include "plan/plan.h"

/* One experiment x variant that was asked for. */
struct orr_pick {
    const struct orr_paper *paper;
    const struct orr_experiment *experiment;
    const struct orr_preset *preset; /* the experiment's entry for the preset in use, or NULL */
    const struct orr_paper_variant *variant;
    const struct orr_inspection *metadata; /* what the variant's plugin says */
    bool variant_named; /* asked for as "paper/variant", not only through its paper or experiment */
    bool experiment_named; /* asked for as "paper/experiment" */
};

struct orr_axis_list {
    struct {
        char name[32];
        char **values; /* owned */
    } items[ORR_MAX_SETTINGS];
    int count;
};

/* One --set. For one axis, "n=1000,2000", there is one row with all values; axes
 * that vary together, "n,theta=1000:0.5,2000:0.7", have a row for each tuple. */
struct orr_axis_set {
    struct orr_names axes, values; /* values row after row */
};

enum { ORR_PLAN_MAX_DEVICES = 64, ORR_PLAN_MAX_CELLS = 20000 };

/* The state of planning. */
struct orr_planner {
    const struct orr_request *request;
    const struct orr_device_info *devices;
    int device_count;
    const struct orr_preset_policy *preset;
    struct orr_paper **papers; /* owned */
    size_t paper_count;
    struct orr_pick *picks; /* papers sorted; experiments and variants in the paper's order */
    size_t pick_count;
    struct orr_inspection *metadata; /* of each variant that was picked */
    size_t metadata_count;
    struct orr_axis_set *sets; /* of the request */
    size_t rows;               /* combinations of their rows */
    struct orr_cell *cells;
    size_t count, room;
    size_t filtered; /* cells that --only and --exclude took away */
    struct orr_names notes;
};

/* Picks everything that a word of the request names or matches as a glob: "paper",
 * "paper/experiment", "paper/variant". A variant means all its experiments. Each program of the
 * request becomes another variant of all experiments of the papers. Inspects each picked variant;
 * what cannot be loaded becomes a note. ORR_EUSAGE with the nearest name for a word that matches
 * nothing, ORR_EUNSUPPORTED when a device that was asked for is not here. */
int orr_plan_select(struct orr_planner *planner);
/* Ids of the devices the variant goes to; returns how many. */
int orr_plan_choose_devices(const struct orr_planner *planner,
                            const struct orr_inspection *metadata, bool named,
                            const char *out[ORR_PLAN_MAX_DEVICES]);
/* Appends the cells of one experiment, whose picks are `picks[0..count)`, in the order they are to
 * run; those beyond a limit of the preset are extrapolated, and the last. */
int orr_plan_expand(struct orr_planner *planner, const struct orr_pick *picks, size_t count);

/* Each name of --set must choose the input or be a parameter of a picked variant; n, per_box and
 * per_rank exclude each other. */
int orr_axis_read_sets(struct orr_planner *planner);
/* Each axis of the experiment must choose the input or be a parameter of one of its variants: a
 * misspelt one would silently change nothing. Checked only when all variants are among
 * `picks[0..count)` and loaded. */
int orr_axis_check_paper(const struct orr_pick *picks, size_t count);
/* The experiment's axes, as the preset and then row `row` of all --set change them. */
int orr_axis_merge(struct orr_axis_list *out, const struct orr_planner *planner,
                   const struct orr_pick *pick, size_t row);
void orr_axis_list_release(struct orr_axis_list *axes);

#endif
