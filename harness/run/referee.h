/* The referee: the process between the program and its worker. It makes the bodies, lends them to
 * the worker's variant, asks for steps, verifies what comes back against its own references, and
 * writes the record. Foreign code runs in the worker only, so a crash or a hang there costs one
 * cell and no reference. */
#ifndef ORR_REFEREE_H
#define ORR_REFEREE_H

#include <jansson.h>
#include <stdbool.h>

#include "run/child.h"
#include "run/lent.h"
#include "run/rank_set.h"
#include "run/referee_cache.h"

enum { ORR_REFEREE_COMPANIONS = 64, ORR_REFEREE_DEVICES = 32 };
/* Power of a device with a context that does nothing. */
struct orr_idle {
    char device[32]; /* "" for no device */
    double watt;     /* NAN: it cannot be told; below 0: not measured */
};

struct orr_referee {
    struct orr_referee_cache cache;
    const char *program; /* that workers are started from */
    int ranks;           /* workers that a request goes to, from the next orr_referee_ready on; 1 */
    struct orr_child worker; /* with 1 */
    struct orr_rank_set set; /* with more */
    struct orr_lent lent;
    double deadline,
        limit_s;         /* orr_clock_now() at which a worker is given up; the limit it is of */
    const char *outcome; /* of a request that lost its worker: "crashed" ...; else NULL */
    json_t *unfinished;  /* what a worker was given up at: {ask, steps, seconds}; else NULL */
    bool replace;        /* the worker must not serve another cell */
    uint64_t companions[ORR_REFEREE_COMPANIONS]; /* that were right (cell_companion.h) */
    int companion_count;
    struct orr_idle idle[ORR_REFEREE_DEVICES];
    json_t *refusals; /* of counters, by device (cell_counters.h); NULL: none */
    double own_s;     /* of the request: spent in the variant */
};

/* Serves requests on standard input, a socket, until told to quit or the other side is gone.
 * Returns an exit code. */
int orr_referee_serve(void);

/* A referee without a worker yet. ORR_EIO. */
int orr_referee_begin(struct orr_referee *out, const char *program);
void orr_referee_end(struct orr_referee *referee);
/* Before each request: forgets the last one's fate, replaces a worker that must go. No deadline
 * with limit_s = 0. */
void orr_referee_ready(struct orr_referee *referee, double limit_s);
/* Another worker from now on, for what is no part of the cell: at most so many seconds, within the
 * cell's own limit. */
void orr_referee_afresh(struct orr_referee *referee, double limit_s);
/* Asks the worker, which is started first if there is none (takes the reference to `request`). The
 * worker's own error comes back as it is. A worker that dies or exceeds the deadline is an error
 * with its reason, and `outcome` says its kind; until the next orr_referee_ready there is no
 * other. */
int orr_referee_ask(struct orr_referee *referee, json_t *request, json_t **answer);

/* One request each. The answer, or NULL with the error recorded. */
json_t *orr_referee_cell(struct orr_referee *referee, json_t *request);
json_t *orr_referee_eval(struct orr_referee *referee, json_t *request);
json_t *orr_referee_frames(struct orr_referee *referee, json_t *request,
                           struct orr_channel *channel);

#endif
