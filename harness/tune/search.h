/* The search for the best configuration of a variant's knobs (plan/knobs.h): which of them are
 * measured next. It measures nothing itself, and with the same seed and the same times it asks for
 * the same. */
#ifndef ORR_SEARCH_H
#define ORR_SEARCH_H

#include "plan/knobs.h"

enum orr_search_strategy {
    ORR_SEARCH_AUTO,   /* full up to ORR_SEARCH_SMALL configurations, else staged */
    ORR_SEARCH_FULL,   /* all of them */
    ORR_SEARCH_STAGED, /* some at random, then from the best of these one knob after another */
    ORR_SEARCH_RANDOM  /* some at random */
};
enum {
    ORR_SEARCH_SMALL = 64,
    ORR_SEARCH_MOST = 10000, /* configurations of a full search */
    ORR_SEARCH_SAMPLE = 32,  /* configurations that are drawn, if nobody says how many */
    ORR_SEARCH_BATCH = ORR_MOST_KNOB_VALUES /* most that are measured together */
};

/* "auto", "full", "staged", "random". ORR_EUSAGE for another word. */
int orr_search_read_strategy(enum orr_search_strategy *out, const char *word);
const char *orr_search_strategy_name(enum orr_search_strategy strategy);

struct orr_search_wish {
    const struct orr_knobs *knobs;
    enum orr_search_strategy strategy;
    size_t sample; /* configurations that are drawn and give a result; 0: ORR_SEARCH_SAMPLE */
    uint64_t seed;
};

/* What is known of one configuration: its latest time. */
struct orr_search_known {
    uint64_t code;
    double seconds; /* INFINITY: not measured, or no result */
};

struct orr_search {
    struct orr_search_wish wish; /* with the strategy that was chosen */
    uint64_t random;
    uint64_t *drawn; /* the default, then others in the order in which they are measured */
    size_t drawn_count, given;
    struct orr_search_known *known;
    size_t known_count;
    /* of the descent */
    bool descends;
    uint64_t at;                      /* the best so far */
    size_t knob, unchanged, descents; /* the next knob; how many in a row left `at` where it is */
    uint64_t batch[ORR_SEARCH_BATCH]; /* measured together */
    size_t batch_count;
};

/* ORR_EUSAGE for a full search of more than ORR_SEARCH_MOST. Release it whatever is returned. */
int orr_search_begin(struct orr_search *out, const struct orr_search_wish *wish);
void orr_search_release(struct orr_search *search);
/* What is to be measured together; how many, 0 at the end. The first is the default alone. */
size_t orr_search_next(struct orr_search *search, uint64_t out[ORR_SEARCH_BATCH]);
/* What came of one of them; INFINITY: it is no result. */
int orr_search_tell(struct orr_search *search, uint64_t code, double seconds);
/* The latest time of a configuration; NAN where it was never told. */
double orr_search_seconds(const struct orr_search *search, uint64_t code);

#endif
