/* Whether the kernel gives this process hardware events, by opening one; and if not, why, and what
 * to do about it. */
#ifndef ORR_PERF_EVENTS_H
#define ORR_PERF_EVENTS_H

#include <stdbool.h>

/* 0, or ORR_EUNSUPPORTED with reason and remedy. */
int orr_perf_events_try(void);

/* Where the process stands: `paranoid` is kernel.perf_event_paranoid, "" where there is none. */
struct orr_perf_events_state {
    const char *paranoid;
    bool virtual; /* a virtual machine */
};
/* The failure of a perf_event_open that ended with `error`, an errno, as orr_perf_events_try
 * records it. */
int orr_perf_events_fail(int error, const struct orr_perf_events_state *state);

#endif
