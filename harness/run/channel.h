/* The talk between two processes: one JSON object a line, over one socket.
 *
 * The program asks its referee, with `ask`: "round" (from now on another worker), "ceiling"
 * {device}, "access" {device, quick, kind, defines} (a kind's rates, or without one what the
 * sensors saw), "cell" {cell, seed, ceiling, kernels_s, bodies_file}, "eval" {...}, "frames" {...},
 * "quit". The referee asks its worker: "ceiling", "access", and for a variant, in this order,
 * "load" {variant}, "open" {device}, "configure" {bodies, settings}, "prepare", then "step" {times,
 * masses, queued, traced, idle, kernels}, "count", "cost", "sense" {stop},
 * "joules" {idle, seconds, queued} and "counters" {groups} as often as it likes, and
 * "let go".
 *
 * Answers repeat the request's `id` as `to`, so that nothing else passes for one. They have `say`:
 * "done" {...} or "failed" {code, text}; those of a worker also `own_s`, seconds spent in the
 * variant, and `lost`, true when the worker must be replaced. "frames" says "partial" for each
 * frame, and waits for "next" or "stop". */
#ifndef ORR_CHANNEL_H
#define ORR_CHANNEL_H

#include <jansson.h>
#include <stddef.h>

struct orr_channel {
    int fd;
    int peer;   /* with fd >= 0: readable once the other process has ended (orr_process_watch), for
                   others may keep its socket; -1: not known. Closed with the channel */
    char *text; /* received and not yet taken */
    size_t used, room;
};

enum orr_heard {
    ORR_HEARD_MESSAGE,
    ORR_HEARD_TIMEOUT,
    ORR_HEARD_SIGNAL, /* `signals` has one to tell */
    ORR_HEARD_END,    /* the other side is gone */
    ORR_HEARD_NOISE   /* a line that is no JSON object, or has no end */
};

void orr_channel_init(struct orr_channel *channel, int fd);
void orr_channel_close(struct orr_channel *channel);
/* What answers `request` with what serving it made: "done", or where that is NULL "failed" with the
 * error recorded. */
json_t *orr_channel_reply(json_t *made, const json_t *request);
/* Takes the reference to `message`. 0, or ORR_EIO when the other side is gone. */
int orr_channel_send(struct orr_channel *channel, json_t *message);
/* Waits until orr_clock_now() reaches `deadline` (INFINITY: for ever) or the signalfd `signals`
 * (-1: none) has something. */
enum orr_heard orr_channel_receive(struct orr_channel *channel, double deadline, int signals,
                                   json_t **out);

#endif
