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
    const struct orr_paper_variant *variant;
    bool variant_named; /* asked for as "paper/variant", not only through its paper or experiment */
    bool experiment_named; /* asked for as "paper/experiment" */
};

struct orr_picks {
    struct orr_paper **papers; /* owned */
    size_t paper_count;
    struct orr_pick *items; /* papers sorted; experiments and variants in the paper's order */
    size_t count;
};

/* Everything that a word of `what` names or matches as a glob: "paper", "paper/experiment",
 * "paper/variant". A variant means all its experiments. Each of `programs`, a command, becomes
 * another variant of all experiments of the papers. ORR_EUSAGE with the nearest name for a word
 * that matches nothing. Release it also then. */
int orr_plan_select(struct orr_picks *out, const struct orr_words *what,
                    const struct orr_words *programs);
void orr_plan_release_picks(struct orr_picks *picks);

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
    char names[ORR_MAX_SETTINGS][32];
    int width;               /* axes */
    struct orr_names values; /* row after row */
};
/* ORR_EUSAGE says what is wrong. Release it also then. */
int orr_axis_set_read(struct orr_axis_set *out, const char *text);
void orr_axis_set_release(struct orr_axis_set *set);
size_t orr_axis_set_rows(const struct orr_axis_set *set);

/* The state of planning. */
struct orr_planner {
    const struct orr_request *request;
    const struct orr_device_info *devices;
    int device_count;
    const struct orr_preset_policy *preset;
    struct orr_axis_set *sets; /* of the request */
    struct orr_picks picks;
    struct orr_inspection *metadata;
    size_t metadata_count;
    struct orr_cell *cells;
    size_t count, room;
    size_t filtered; /* cells that --only and --exclude took away */
    struct orr_names notes;
};

/* Inspects every picked variant; what cannot be loaded becomes a note. */
int orr_plan_inspect_variants(struct orr_planner *planner);
const struct orr_inspection *orr_plan_variant_metadata(const struct orr_planner *planner,
                                                       const char *paper, const char *variant);

/* Replaces the axis or adds it; n and per_box replace each other. */
int orr_axis_list_put(struct orr_axis_list *axes, const char *name, const char *values);
const char *const *orr_axis_list_get(const struct orr_axis_list *axes,
                                     const char *name); /* NULL: there is none */
void orr_axis_list_release(struct orr_axis_list *axes);
/* The same for each axis of a --set, with the values of one of its rows. */
int orr_axis_list_put_set(struct orr_axis_list *axes, const struct orr_axis_set *set, size_t row);
/* Each name of --set must choose the input or be a parameter of a picked variant; n and per_box
 * exclude each other. */
int orr_axis_check_set(const struct orr_planner *planner);

/* Each axis of the experiment must choose the input or be a parameter of one of its variants: a
 * misspelt one would silently change nothing. Checked only when all variants are among
 * `picks[0..count)` and loaded. */
int orr_axis_check_paper(const struct orr_planner *planner, const struct orr_pick *picks,
                         size_t count);

/* ORR_EUNSUPPORTED when a device that was asked for is not here. */
int orr_plan_check_devices(const struct orr_planner *planner);
enum { ORR_PLAN_MAX_DEVICES = 64 };
/* Ids of the devices the variant goes to; returns how many. */
int orr_plan_choose_devices(const struct orr_planner *planner,
                            const struct orr_inspection *metadata, bool named,
                            const char *out[ORR_PLAN_MAX_DEVICES]);
/* Is the device of kind "cpu" or "gpu"? */
bool orr_plan_device_is(const struct orr_planner *planner, const char *device, const char *kind);

/* Appends the cells of one experiment, whose picks are `picks[0..count)`, in the order they are to
 * run. */
int orr_plan_expand(struct orr_planner *planner, const struct orr_pick *picks, size_t count);
/* Marks cells from `first` on that exceed a limit of the preset and moves them to the end. */
void orr_plan_limit(struct orr_planner *planner, const struct orr_pick *pick, size_t first);

/* The experiment's entry for the preset in use; NULL: it has none. */
const struct orr_preset *orr_plan_preset(const struct orr_planner *planner,
                                         const struct orr_experiment *experiment);

#endif
