/* SPDX-License-Identifier: MIT */
/* Plan: from what the user asked for to the list of cells. Touches no device. */
#ifndef ORR_PLAN_H
#define ORR_PLAN_H

#include <jansson.h>

#include "plan/cell.h"
#include "device/device.h"
#include "plan/paper.h"

enum { ORR_MAX_REPEATS = 1000, ORR_MAX_SAMPLES = 1000000 };

/* The user may ask for other sampling (docs/METHOD.md) than preset and experiment say. Zeroed it
 * asks for nothing. */
struct orr_sampling {
    double min_samples;  /* a whole number; 0: not asked for */
    double precision;    /* a fraction; 0 */
    double time_limit_s; /* 0 */
    bool once;
};

/* One of several parts of a plan, each for a run of its own. */
struct orr_shard {
    int number, of;    /* from 1; {0, 0}: the whole plan */
    char campaign[64]; /* tells this splitting of the plan from others; "": it has no name */
};

/* The request of `orrery run`: enough to make the same plan again; kept in the journal. */
struct orr_request {
    struct orr_words what;     /* papers "fujiwara", experiments "fujiwara/table2", variants
                                  "fujiwara/optimised" */
    struct orr_words devices;  /* --device; empty: the best one */
    struct orr_words set;      /* "axis=values" */
    struct orr_words programs; /* commands, each a further variant of what is asked for */
    struct orr_cell_globs globs;
    const char *preset;   /* NULL: quick */
    double timeout_s;     /* 0: the preset's */
    int repeats;          /* processes that measure each cell, a round each; 0: the preset's */
    uint64_t seed;        /* order of the cells and choice of targets; 0: 1 */
    bool sandbox;         /* plugins are run in it (sandbox.h) */
    int energy;           /* policy.joules of all cells: 1 yes, -1 no, 0 as the preset has it */
    const char *counters; /* of all cells (cell.h), "none"; NULL: as the preset has it */
    struct orr_sampling sampling;
    int ranks; /* experiments with an axis `ranks` take its values up to that many, the others that
                  many; 0: 1 */
    bool oversubscribe;     /* ranks may share a device */
    struct orr_shard shard; /* of the plan */
};

/* A preset's defaults. */
struct orr_preset_policy {
    const char *name; /* "smoke", "quick", "paper", "beyond" */
    struct orr_policy policy;
    double timeout_s;     /* of one cell */
    int repeats;          /* processes that measure each cell */
    const char *counters; /* of a cell (cell.h) */
};
/* The preset `name`, or NULL with ORR_EUSAGE and the nearest name. */
const struct orr_preset_policy *orr_plan_preset_policy(const char *name);

struct orr_plan {
    struct orr_cell *cells; /* in the order of papers and their experiments */
    size_t count;
    int rounds; /* in which all of them are measured */
    struct {
        size_t cells;  /* of the whole plan; 0: this is it */
        char plan[17]; /* hash of their ids, and of the campaign's name */
    } split;           /* of which this is a shard (orr_plan_shard_take) */
    char **notes;      /* warnings, one line each; NULL-terminated */
};

/* `devices` are those present (from a probing worker). Host-only variants go to "host", the others
 * to each device asked for that they can run on. ORR_EUSAGE on unknown names or axes,
 * ORR_EUNSUPPORTED on an absent device. */
int orr_plan_make(struct orr_plan *out, const struct orr_request *request,
                  const struct orr_device_info *devices, int device_count);
void orr_plan_release(struct orr_plan *plan);
/* The devices that a request names, without any the best; as many as `devices` at most.
 * ORR_EUNSUPPORTED on an absent one. */
int orr_plan_devices(const struct orr_device_info *out[], size_t *count,
                     const struct orr_request *request, const struct orr_device_info *devices,
                     int device_count);

json_t *orr_request_to_json(const struct orr_request *request);
/* Strings are owned by `out`. ORR_EUSAGE where it asks for sampling that is gone. */
int orr_request_from_json(struct orr_request *out, json_t *object);
void orr_request_release(struct orr_request *request); /* only after orr_request_from_json */

/* Reads "2/4". ORR_EUSAGE. */
int orr_plan_shard_read(struct orr_shard *out, const char *text);
/* Leaves the cells of the shard in the plan and notes in plan->split what it was part of. The same
 * plan is split in the same way on every machine: by costs that know nothing of the machine, and at
 * random where they are alike. A cell stays whole, and with it those that are extrapolated from it.
 * ORR_EUSAGE when there are fewer cells to measure than shards. */
int orr_plan_shard_take(struct orr_plan *plan, const struct orr_shard *shard,
                        double (*seconds)(const struct orr_cell *cell));

#endif
