/* Tuning of one variant on one device over one input: searches the configurations of its knobs,
 * each verified like any cell, measures the best ones again, and at last the best and the default
 * anew, side by side (docs/METHOD.md, "Tuning"). Everything goes to the journal. */
#ifndef ORR_TUNING_H
#define ORR_TUNING_H

#include <jansson.h>

#include "run/schedule.h"
#include "tune/search.h"

enum {
    ORR_TUNING_SHOWN = 10 /* configurations that are measured by as many processes as an interval
                             takes, and shown */
};

struct orr_tuning_wish {
    struct orr_cell base; /* the cell; its settings of knobs are replaced */
    const struct orr_device_info *device;
    struct orr_search_wish search;
    int repeats;      /* processes of the comparison at the end */
    double budget_s;  /* no measurement of the search begins behind it; 0: it has no end */
    double margin;    /* a smaller gain is none, 0.02 for 2 % */
    bool own_timeout; /* that of the base; else a configuration is given up that takes far longer
                         than the default */
};

struct orr_tuning_calls {
    /* Before cells are measured together. */
    int (*batch)(void *context, const char *what, const struct orr_schedule *schedule);
    void *context;
};

/* Measures with the schedule, whose cells and rounds it sets; what its records hold already is not
 * measured again. *out is a record `tuned` for the journal (docs/ARCHITECTURE.md), a new reference,
 * NULL when a signal interrupted it. ORR_EWRONG, ORR_EUNSUPPORTED or another code when the default
 * has no result. */
int orr_tuning_run(json_t **out, const struct orr_tuning_wish *wish,
                   const struct orr_schedule *schedule, const struct orr_tuning_calls *calls);

#endif
