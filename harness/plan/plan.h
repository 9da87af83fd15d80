/* Plan: from what the user asked for to the list of cells. Touches no device. */
#ifndef ORR_PLAN_H
#define ORR_PLAN_H

#include <jansson.h>

#include "plan/cell.h"
#include "device/device.h"
#include "plan/paper.h"
#include "plan/sampling.h"
#include "plan/shard.h"

enum { ORR_MAX_REPEATS = 1000 };

/* The request of `orrery run`: enough to make the same plan again; kept in the journal. */
struct orr_request {
    char *
        *what; /* papers "fujiwara", experiments "fujiwara/table2", variants "fujiwara/optimised" */
    int what_count;
    char **devices; /* --device; empty: the best one */
    int device_count;
    const char *preset; /* NULL: quick */
    char **set;         /* "axis=values" */
    int set_count;
    char **only, **exclude; /* globs over cells (orr_cell_is_wanted) */
    int only_count, exclude_count;
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
        char plan[17]; /* hash of their ids */
    } split;           /* of which this is a shard (shard.h) */
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
int orr_request_from_json(struct orr_request *out, json_t *object); /* strings are owned by `out` */
void orr_request_release(struct orr_request *request); /* only after orr_request_from_json */

#endif
