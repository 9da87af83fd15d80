/* A run as others see it, by its journal: how far it is, and whether somebody still writes it.
 * Nothing is written, and no device is touched. */
#ifndef ORR_WATCHED_H
#define ORR_WATCHED_H

#include <jansson.h>
#include <stdbool.h>

#include "ledger/journal.h"
#include "plan/plan.h"
#include "run/progress.h"
#include "run/schedule.h"

enum orr_watched_state {
    ORR_WATCHED_RUNNING,
    ORR_WATCHED_OVER,
    ORR_WATCHED_INTERRUPTED, /* ended in order before its end */
    ORR_WATCHED_STOPPED,     /* its process is gone and wrote no end */
    ORR_WATCHED_UNKNOWN      /* no end yet, and nobody can tell whether its process lives */
};

struct orr_watched {
    char path[1024], folder[1024];      /* of the journal */
    const char *run;                    /* its name; "" before its first line */
    struct orr_journal_records records; /* so far */
    json_t *session, *end;              /* the newest run or resume record; NULL: no end yet */
    int sessions;
    struct orr_journal_place place;
    int written;    /* as orr_journal_is_written says */
    double changed; /* seconds since 1970 */
    struct orr_request request;
    struct orr_plan plan;         /* made again here from the request */
    char unplanned[512];          /* why there is none, ""; then nothing is known of what is left */
    struct orr_progress progress; /* of the plan */
    struct {
        double seconds; /* that were left behind so many lines */
        size_t lines;
    } left;
    int order_round;
    size_t *order; /* of that round */
};

/* What came to the journal: of a cell or of access ceilings. `cell`: NULL without a plan; `place`
 * in its round, from 1. */
struct orr_watched_event {
    const struct orr_watched *watched;
    json_t *record;
    const struct orr_cell *cell;
    int round;
    size_t place;
};
struct orr_watched_listener {
    int (*hear)(void *context, const struct orr_watched_event *event);
    void *context;
};

/* Of the cells: measured in all rounds, or failed. `measured` and `measurements` are rounds of
 * cells; of a run of ceilings rounds of devices. Without a plan `cells` and `measurements` are 0.
 */
struct orr_watched_counts {
    struct orr_tally tally;
    size_t cells, done, measurements, measured;
    int round, rounds;
};

/* Nothing is read yet. Release it whatever is returned later. */
void orr_watched_begin(struct orr_watched *out, const char *path);
void orr_watched_release(struct orr_watched *watched);
/* Reads on; the listener hears of what came, in its order. */
int orr_watched_look(struct orr_watched *watched, const struct orr_watched_listener *listener);
enum orr_watched_state orr_watched_state(const struct orr_watched *watched);
void orr_watched_count(struct orr_watched_counts *out, const struct orr_watched *watched);
/* What the end record counted. */
void orr_watched_end(struct orr_tally *out, const struct orr_watched *watched);
/* The measurement that is under way, if its order is that of the plan. False where none is left or
 * none is known. */
bool orr_watched_now(struct orr_watched_event *out, struct orr_watched *watched);
/* Seconds that are left; `at`: now, since 1970. NAN: not known. */
double orr_watched_left(struct orr_watched *watched, double at);
/* The process that runs it; 0: not known. */
int orr_watched_pid(const struct orr_watched *watched);
/* The record of the round in which the cell of these records failed, or else the last one. */
json_t *orr_watched_telling(const json_t *rounds);
/* Does the run measure on the cores of its machine, which whatever else is at work there disturbs?
 */
bool orr_watched_is_on_cores(const struct orr_watched *watched);

#endif
