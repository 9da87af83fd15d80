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
    struct orr_knobs knobs;
    struct orr_search_wish search;
};

/* The experiment that the variant is tuned in: the one that was asked for, else its telling or its
 * first one. ORR_EUSAGE. */
int orr_tune_choose_experiment(const struct orr_experiment **out, const struct orr_tune *tune);
/* Leaves of the plan the inputs to tune for: of each axis the first value and of the sizes the
 * largest, but all that --set names. */
int orr_tune_choose_inputs(struct orr_tune *tune);

/* --dry-run: what would be searched, on stdout. */
void orr_tune_print_plan(const struct orr_tune *tune);
/* What came of an input: the record `tuned`, as text or as JSON. */
void orr_tune_print(const struct orr_tune *tune, const json_t *record, const char *kept);

#endif
