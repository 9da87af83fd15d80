/* Parts of `orrery tune`. */
#ifndef ORR_CLI_TUNE_PARTS_H
#define ORR_CLI_TUNE_PARTS_H

#include "cli/run_parts.h"
#include "plan/knobs.h"
#include "plugin/plugin.h"
#include "tune/tuning.h"

struct orr_tune {
    struct orr_run run; /* its plan: the inputs to tune for */
    const char *experiment, *strategy;
    double configurations, budget_s;
    bool json;
    struct orr_words given; /* --knob */
    struct orr_paper *paper;
    const struct orr_paper_variant *variant;
    struct orr_inspection inspection;
    struct orr_search_wish search; /* but for its knobs, which are those of a device */
};

/* Those of the device that the cell is on. */
int orr_tune_make_knobs(struct orr_knobs *out, const struct orr_tune *tune,
                        const struct orr_cell *cell);
const struct orr_device_info *orr_tune_device(const struct orr_tune *tune,
                                              const struct orr_cell *cell);
/* Does --set say the values of this axis? Then all of them are tuned for. */
bool orr_tune_sets(const struct orr_tune *tune, const char *name);
/* Is it the name of a knob, on any device? */
bool orr_tune_is_knob(const struct orr_tune *tune, const char *name);

/* The experiment that the variant is tuned in: the one that was asked for, else its telling or its
 * first one. ORR_EUSAGE. */
int orr_tune_choose_experiment(const struct orr_experiment **out, const struct orr_tune *tune);
/* Leaves of the plan the inputs to tune for: of each axis the first value and of the sizes the
 * largest, but all that --set names. */
int orr_tune_choose_inputs(struct orr_tune *tune);

/* --dry-run: what would be searched, on stdout. */
int orr_tune_print_plan(const struct orr_tune *tune);
/* What came of an input: the record `tuned`, as text or as JSON. */
void orr_tune_print(const struct orr_tune *tune, const json_t *record);

#endif
