/* Parts of a tuning: its state, and what is told of it. */
#ifndef ORR_TUNING_PARTS_H
#define ORR_TUNING_PARTS_H

#include "tune/tuning.h"

enum orr_tuning_stage {
    ORR_TUNING_SEARCH, /* every configuration by one process, briefly */
    ORR_TUNING_CHOICE, /* the best by more; the same cells, in later rounds */
    ORR_TUNING_FINAL   /* the default and the best, cells of their own */
};

struct orr_configuration {
    uint64_t code;
    char id[17];    /* of its cell */
    double seconds; /* median over its processes; INFINITY without */
    bool enough;    /* measured by as many of these as an interval takes */
};

struct orr_tuning {
    const struct orr_tuning_wish *wish;
    const struct orr_schedule *schedule;
    const struct orr_tuning_calls *calls;
    struct orr_search search;
    json_t *tunings;                 /* that cells point to */
    struct orr_configuration *items; /* what was measured */
    size_t count;
    uint64_t usual, best;
    struct orr_cell last[2]; /* of the comparison: the default, the best */
    int round;               /* of the search so far */
    double started, timeout_s;
    char plugin_sha256[65];
    bool interrupted, out_of_time;
};

/* 0 where the default has a time, else the code that its outcome means, with the reason. */
int orr_tuning_check_default(const struct orr_tuning *tuning);
/* The record `tuned`. */
int orr_tuning_to_json(json_t **out, const struct orr_tuning *tuning);

#endif
