/* SPDX-License-Identifier: MIT */
/* `run`, `eval` and `render` share clean shutdown on signals, a worker process and its devices. */
#ifndef ORR_CLI_WORKER_SESSION_H
#define ORR_CLI_WORKER_SESSION_H

#include <signal.h>

#include "cli/cli.h"
#include "device/device.h"
#include "run/child.h"

struct orr_worker_session {
    struct orr_child child;
    int signals;         /* signalfd of SIGINT, SIGTERM and SIGHUP */
    sigset_t child_mask; /* the mask before these were blocked */
    struct orr_device_probe devices;
    json_t *found; /* by orr_worker_session_describe: `devices`, `machine` */
};

#define ORR_WORKER_SESSION_INIT \
    ((struct orr_worker_session){.child = {.log = -1, .channel.fd = -1}, .signals = -1})

/* Blocks the signals, looks for devices and starts a worker; drivers that fail are left out with a
 * remark on stderr, and without any if `wanted` (none: all) is only the host. Release it whatever
 * is returned. */
int orr_worker_session_begin(struct orr_worker_session *out, const char *const *wanted,
                             int wanted_count);
/* The machine and its devices as the journal has them. */
void orr_worker_session_describe(struct orr_worker_session *session);
/* A request with `ask`, `variant`, `device` (NULL: the best that fits), `settings` from NAME=VALUE
 * words. *out is NULL on failure. ORR_EUSAGE. */
int orr_worker_session_request(json_t **out, const char *ask, const char *variant,
                               const char *device, const struct orr_words *set);
/* A session for one request, which is taken: begins it for the device (NULL: any), asks, with
 * `partial` as in orr_child_ask, and ends it. The answer keeps only its own members; the caller
 * frees it. ORR_EINTERRUPTED, ORR_EDEVICE beyond the time, or what failed there. */
int orr_worker_session_ask(json_t **answer, struct orr_worker_session *session, json_t *request,
                           const char *device, double timeout_s,
                           void (*partial)(json_t *message, void *context), void *context);
/* Ends the worker; kills a `busy` one. */
void orr_worker_session_release(struct orr_worker_session *session, bool busy);

#endif
