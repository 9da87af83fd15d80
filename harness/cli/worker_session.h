/* What `run`, `eval` and `render` share: signals that interrupt in good order, a worker, and what
 * it finds on this machine. */
#ifndef ORR_CLI_WORKER_SESSION_H
#define ORR_CLI_WORKER_SESSION_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>

#include "run/child.h"
#include "device/device.h"

struct orr_attend {
    struct orr_child child;
    int signals; /* signalfd of SIGINT, SIGTERM and SIGHUP: they end a wait, not the process */
    sigset_t child_mask; /* as it was before us */
    struct orr_device_info *devices;
    int device_count;
    json_t *found; /* the answer to the probe: `devices`, `machine` */
};

#define ORR_ATTEND_INIT ((struct orr_attend){.child = {.log = -1, .channel.fd = -1}, .signals = -1})
/* The program that is running, also when its file was replaced meanwhile. */
#define ORR_THIS_PROGRAM "/proc/self/exe"

/* Blocks the signals and starts a worker. Release it whatever is returned. */
int orr_attend_begin(struct orr_attend *out);
/* Lets the worker look for devices. */
int orr_attend_probe(struct orr_attend *attend);
/* Ends the worker, by force when it is `busy`. */
void orr_attend_release(struct orr_attend *attend, bool busy);

#endif
