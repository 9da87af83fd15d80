/* SPDX-License-Identifier: MIT */
/* Child processes and what they leave behind.
 *
 * A plugin or a driver may start processes of its own. They would outlive the child that ran them
 * and keep its sockets open, so whoever starts children here adopts such orphans (as the kernel's
 * "child subreaper") and ends them with the child, even those with a session of their own. It may
 * have no children but those of orr_process_fork while it reaps one.
 *
 * When a process that was itself started here loses its parent, its children and their orphans are
 * ended, too. One limit is left: what a plugin started survives when every process above it is
 * killed at the same moment. */
#ifndef ORR_PROCESS_H
#define ORR_PROCESS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* fork() into a session of its own, out of reach of the terminal's signals, that is killed when the
 * calling thread ends. 0 in the child, -1 with errno set. */
pid_t orr_process_fork(void);
/* A descriptor that is readable once the child has ended, whoever keeps its sockets; -1 where the
 * kernel has none (before Linux 5.3). */
int orr_process_watch(pid_t child);
/* Waits until the child has ended; its status stays for orr_process_reap. False after `limit_s`. */
bool orr_process_wait(pid_t child, double limit_s);
/* Ends the child, unless it has ended, and all that it left. False if it cannot be killed: it may
 * be stuck in a driver; it is abandoned then. */
bool orr_process_reap(pid_t child, int *status);
/* The last line that a child wrote into the file `log`, to be shown; "" where there is none.
 * Returns `out`. */
char *orr_process_last_words(int log, char *out, size_t size);
/* Ends what others left to this process while their own parent goes on, with `all` also children
 * that were started here. Only async-signal-safe calls. */
void orr_process_end_orphans(bool all);

/* --- work that may crash or hang (foreign constructors, device drivers), in a forked child --- */

/* Runs work(&result, context) in a child whose output is thrown away, and hands its JSON over. The
 * child's own error comes back as it is; a crash is ORR_EINTERNAL "crashed: Segmentation fault",
 * more than `seconds` ORR_ETIMEOUT. A signal that waits because it is blocked here ends it with
 * ORR_EINTERRUPTED. Nothing that the child started is left. The caller adds the context. */
int orr_forked_probe(json_t **out, int (*work)(json_t **out, void *context), void *context,
                     double seconds);
/* The same in three steps, for several at a time. One that stays is asked again and again for work
 * that begins with something slow, until it is ended or the calling thread ends. */
struct orr_probe {
    pid_t child; /* 0: there is none */
    int answer, socket;
    double began; /* seconds are counted from here on */
};
int orr_probe_start(struct orr_probe *out, bool stays, int (*work)(json_t **out, void *context),
                    void *context);
/* Has it ended? Waits for it until `seconds` have passed, or the program is interrupted. */
bool orr_probe_wait(const struct orr_probe *probe, double seconds);
/* Of one that stays. ORR_EINTERNAL once it has crashed or been silent for too long; then there is
 * none. */
int orr_probe_ask(struct orr_probe *probe, json_t **out, double seconds);
/* Ends one that is not done after `seconds`; with NULL at once, for no answer. */
int orr_probe_end(struct orr_probe *probe, json_t **out, double seconds);
/* Seconds that a plugin or driver may take to load: ORRERY_LOAD_SECONDS, or else `otherwise`. */
double orr_forked_probe_limit(double otherwise);

#endif
