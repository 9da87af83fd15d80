/* What a process has for itself and a plugin can change: a worker that was changed serves no other
 * cell, which might not run as it should. */
#ifndef ORR_RUN_PROCESS_STATE_H
#define ORR_RUN_PROCESS_STATE_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { ORR_PROCESS_LIMITS = 6 };

struct orr_process_state {
    char folder[PATH_MAX];
    uint64_t environment; /* a hash */
    struct rlimit limits[ORR_PROCESS_LIMITS];
    mode_t file_mask;
    sigset_t signal_mask; /* of the calling thread, like the next two */
    int rounding;
    unsigned control; /* of SSE, without the flags that computing sets; 0 elsewhere */
    bool children;
};

void orr_process_state_take(struct orr_process_state *out);
/* What is not as it was, in words that follow "changed its process's"; NULL: nothing. */
const char *orr_process_state_changed(const struct orr_process_state *before);

#endif
