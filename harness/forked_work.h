/* Independent pieces of work, shared among forked processes, one a core. */
#ifndef ORR_FORKED_WORK_H
#define ORR_FORKED_WORK_H

#include <stddef.h>
#include <sys/types.h>

struct orr_forked_work {
    size_t count;
    int (*work)(size_t k, void *context);
    void *context;
    struct orr_forked_state *shared;
    pid_t workers[16];
    int worker_count;
};

/* Begins work(k, context) for each k below `count`, in a process a core. A worker
 * sees all memory as it is now; of what it changes only files and shared memory last. Where no
 * process can be started, _end does it all.
 */
int orr_forked_work_start(struct orr_forked_work *out, size_t count,
                          int (*work)(size_t k, void *context), void *context);
/* Waits for all of it; calls at(place, context) with how many are done, several times a second. 0,
 * or the error of the piece that failed; nothing is begun after one did. */
int orr_forked_work_end(struct orr_forked_work *work, void (*at)(size_t done, void *context));

#endif
