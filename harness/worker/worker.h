/* SPDX-License-Identifier: MIT */
/* The worker: the process that opens devices and runs variants, as a referee asks (child.h). It
 * judges nothing; the memory of bodies and results is the referee's (shared_buffer.h). */
#ifndef ORR_WORKER_H
#define ORR_WORKER_H

#include <jansson.h>
#include <stdbool.h>

#include "measure/sensors.h"
#include "plugin/plugin.h"
#include "worker/shared_buffer.h"
#include "worker/rank_library.h"

enum { ORR_WORKER_DEVICES = 32 };

/* What a worker holds: its one plugin, open devices, and the variant as it runs now. */
struct orr_worker {
    struct orr_plugin plugin; /* none of another name is ever opened beside it */
    struct orr_device *devices[ORR_WORKER_DEVICES];
    struct orr_device_info infos[ORR_WORKER_DEVICES]; /* theirs, which a plugin could write to */
    int device_count;
    double opening_s; /* seconds spent opening devices since it was zeroed */
    int printed;      /* memory file that standard output goes to */
    struct orr_sensors *sensors;
    struct orr_access_meter *access; /* of `accessed`; NULL: none is being measured */
    struct orr_device *accessed;
    struct orr_rank *rank;   /* NULL: the worker is alone */
    struct orr_ranks *ranks; /* connects it with the others; NULL: nothing does yet */
    /* the variant of now */
    const struct orr_variant *variant;
    struct orr_device *device;
    struct orr_shared_buffer shared;
    struct orr_bodies bodies; /* columns of `shared` */
    struct orr_forces forces; /* the same; without positions and velocities if nothing moves */
    struct orr_host host;
    struct orr_job job;
    void *params;
    int steps;     /* of an integration */
    bool prepared; /* to be released */
    double own_s;  /* of the request: spent in the variant and waiting for its device */
};

/* Serves requests on standard input, a socket, until told to quit, the other side is gone or a
 * device is lost. Returns an exit code. `rank_of`: as a rank of several, for the referee that
 * listens at that name (rank_library.h); NULL: alone. */
int orr_worker_serve(const char *rank_of);

/* Finds or opens; the worker keeps it. */
int orr_worker_device(struct orr_worker *worker, struct orr_device **out, const char *id);

/* What is asked for a variant (child.h), ended by NULL. Each gives the answer, or NULL with the
 * error recorded. */
struct orr_worker_verb {
    const char *ask;
    json_t *(*answer)(struct orr_worker *worker, json_t *request);
};
extern const struct orr_worker_verb orr_worker_verbs[];

/* A device info as the journal has it. */
json_t *orr_worker_device_to_json(const struct orr_device_info *info);

#endif
