/* A referee or a worker seen from its parent: started, asked, reaped. */
#ifndef ORR_CHILD_H
#define ORR_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run/channel.h"

struct orr_child {
    pid_t pid; /* 0: there is none */
    struct orr_channel channel;
    int log;             /* memory file that holds its stderr */
    long long oom_kills; /* of the whole system when it was started */
};

enum { ORR_CHILD_LENT = 3 };
struct orr_child_plan {
    const char *program, *role; /* "__referee", "__worker" */
    const sigset_t *mask;       /* the signal mask it gets; NULL: as it is */
    const int *lent; /* descriptors that it inherits as ORR_CHILD_LENT and up, ended by -1; NULL:
                        none */
};
/* This program, even if its file was replaced. */
#define ORR_CHILD_PROGRAM "/proc/self/exe"
/* Starts `program role`. It dies with its parent. */
int orr_child_start(struct orr_child *out, const struct orr_child_plan *plan);
/* Sends `request` (takes the reference) with an `id` that answers repeat as `to`, and waits for the
 * answer or for the signalfd `signals` (-1: none); `partial` (may be NULL) gets every partial
 * message. With anything but ORR_HEARD_MESSAGE *answer is NULL and the child is of no more use. */
enum orr_heard orr_child_ask(struct orr_child *child, json_t *request, double timeout_s,
                             int signals, void (*partial)(json_t *message, void *context),
                             void *context, json_t **answer);
/* In the child: moves the socket off standard input, where drivers and plugins may read, to the
 * channel. `role` is for the message; ORR_EUSAGE when there is no socket to take. */
int orr_child_take_socket(struct orr_channel *out, const char *role);
/* Whether it says something although it is asked nothing, or is gone. */
bool orr_child_has_more(const struct orr_child *child);
/* Kills it unless it has ended, and says how it ended: "crashed: SIGSEGV; last words: ...". Returns
 * the outcome: "crashed" or "no memory". Safe without a child. */
const char *orr_child_reap(struct orr_child *child, char *reason, size_t size);
/* Asks it to quit and waits a little; a busy one is killed at once. Safe without a child. */
void orr_child_shutdown(struct orr_child *child, bool busy);

#endif
