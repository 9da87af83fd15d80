/* What the user asks of sampling (docs/METHOD.md), over what preset and experiment say. */
#ifndef ORR_SAMPLING_H
#define ORR_SAMPLING_H

#include <jansson.h>
#include <stdbool.h>

#include "measure/sampler.h"

/* Zeroed it asks for nothing. */
struct orr_sampling {
    int min_samples;     /* 0: not asked for */
    double precision;    /* a fraction; 0 */
    double time_limit_s; /* 0 */
    bool once;
};

/* The words of the command line; NULL: not said. */
struct orr_sampling_words {
    const char *min_samples, *precision, *time_limit;
    bool once;
};

/* ORR_EUSAGE with one line that names the option. */
int orr_sampling_read(struct orr_sampling *out, const struct orr_sampling_words *words);
bool orr_sampling_is_asked(const struct orr_sampling *asked);
/* A policy as it was asked for. */
void orr_sampling_apply(struct orr_policy *policy, const struct orr_sampling *asked);
/* The request's member; NULL when nothing is asked for, or on no memory. */
json_t *orr_sampling_to_json(const struct orr_sampling *asked);
/* `object` may be NULL: nothing was asked for. ORR_EUSAGE where it asks for what is gone. */
int orr_sampling_from_json(struct orr_sampling *out, json_t *object);

#endif
