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

#include <stdbool.h>
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
/* Ends what others left to this process while their own parent goes on. */
void orr_process_end_orphans(void);

#endif
