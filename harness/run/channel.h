/* The talk between scheduler and worker: one JSON object a line, over one socket.
 *
 * Requests have `ask`: "ceiling" {device}, "cell" {cell, seed, bodies_file}, "eval" {...},
 * "frames" {...}, "quit". Answers have `say`: "partial" {record} any number of times, then "done"
 * {...} or "failed" {code, text}; `lost` is true when the worker must be replaced. Each partial of
 * "frames" waits for "next" or "stop". */
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
    ORR_HEARD_NOISE   /* a line that is no JSON object */
};

void orr_channel_init(struct orr_channel *channel, int fd);
void orr_channel_close(struct orr_channel *channel);
/* Takes the reference to `message` (NULL: no memory). 0, or ORR_EIO when the other side is gone. */
int orr_channel_send(struct orr_channel *channel, json_t *message);
/* Waits until orr_clock_now() reaches `deadline` (INFINITY: for ever) or the signalfd `signals`
 * (-1: none) has something. */
enum orr_heard orr_channel_receive(struct orr_channel *channel, double deadline, int signals,
                                   json_t **out);

#endif
