/* SPDX-License-Identifier: MIT */
/* A referee or a worker seen from its parent: started, asked, reaped. */
#ifndef ORR_CHILD_H
#define ORR_CHILD_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The talk between two processes: one JSON object a line, over one socket.
 *
 * The program asks its referee, with `ask`: "round" (from now on another worker), "ceiling"
 * {device}, "access" {device, quick, kind, defines} (a kind's rates, or without one what the
 * sensors saw), "cell" {cell, seed, ceiling, kernels_s, bodies_file}, "compile" {cells: [{cell,
 * key}]} (for compile_ahead.c), "eval" {...}, "frames" {...}, "quit". The referee asks its worker:
 * "ceiling", "access", and for a variant, in this order, "load" {variant}, "open" {device},
 * "configure" {n, settings}, "prepare", then "step" {times, masses, order, orders, queued,
 * traced, idle, kernels}, "count", "cost", "sense" {stop}, "joules" {idle, seconds, queued} and
 * "counters" {groups} as often as it likes, and "close".
 *
 * Answers repeat the request's `id` as `to`, so that nothing else passes for one. They have `say`:
 * "done" {...} or "failed" {code, text}; those of a worker also `own_s`, seconds spent in the
 * variant, and `lost`, true when the worker must be replaced. "frames" says "partial" for each
 * frame, and waits for "next" or "stop". */
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

static inline void orr_child_channel_init(struct orr_channel *channel, int fd)
{
    *channel = (struct orr_channel){.fd = fd, .peer = -1};
}
void orr_child_channel_close(struct orr_channel *channel);
/* What answers `request` with what serving it made: "done", or where that is NULL "failed" with the
 * error recorded. */
json_t *orr_child_channel_reply(json_t *made, const json_t *request);
/* The code and text of an answer that says anything but "done". */
int orr_child_judge_answer(const json_t *answer);
/* Takes the reference to `message`. 0, or ORR_EIO when the other side is gone. */
int orr_child_channel_send(struct orr_channel *channel, json_t *message);
/* Waits until orr_clock_now() reaches `deadline` (INFINITY: for ever) or the signalfd `signals`
 * (-1: none) has something. */
enum orr_heard orr_child_channel_receive(struct orr_channel *channel, double deadline, int signals,
                                         json_t **out);

struct orr_child {
    pid_t pid; /* 0: there is none */
    struct orr_channel channel;
    const char *lost;    /* once it is gone: "crashed", "no memory" or "timed out"; else NULL */
    int log;             /* memory file that holds its stderr */
    int asked;           /* requests */
    long long oom_kills; /* of the whole system at the first of them */
};

enum { ORR_CHILD_INHERITED = 3 };
struct orr_child_plan {
    const char *program, *role; /* "__referee", "__worker" */
    const sigset_t *mask;       /* the signal mask it gets; NULL: as it is */
    const int *inherited; /* descriptors that it inherits as ORR_CHILD_INHERITED and up, ended by
                        -1; NULL: none */
};
/* This program, even if its file was replaced. */
#define ORR_CHILD_PROGRAM "/proc/self/exe"
/* Starts `program role`. It dies with its parent. */
int orr_child_start(struct orr_child *out, const struct orr_child_plan *plan);
struct orr_child_wait {
    double timeout_s; /* 0: for ever */
    double limit_s;   /* as a message calls it */
    int signals;      /* signalfd of those that interrupt; -1: none */
    void (*partial)(json_t *message, void *context); /* gets every partial message; may be NULL */
    void *context;
};
/* Sends `request` (takes the reference) with an `id` that answers repeat as `to`, and waits for the
 * answer. One that says "failed" gives its code and text. Without one *answer is NULL:
 * ORR_EINTERRUPTED, or the child is lost and reaped, and the text says how it ended: "crashed:
 * SIGSEGV; last words: ...". */
int orr_child_ask(struct orr_child *child, json_t *request, const struct orr_child_wait *wait,
                  json_t **answer);
/* A number that nobody can know beforehand. */
json_int_t orr_child_random(void);
/* In the child: moves the socket off standard input, where drivers and plugins may read, to the
 * channel. `role` is for the message; ORR_EUSAGE when there is no socket to take. */
int orr_child_take_socket(struct orr_channel *out, const char *role);
/* Whether it says something although it is asked nothing, or is gone. */
bool orr_child_has_more(const struct orr_child *child);
/* Asks it to quit and waits a little; a busy one is killed at once. Safe without a child. */
void orr_child_shutdown(struct orr_child *child, bool busy);

#endif
