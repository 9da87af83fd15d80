/* How steadily a core computes: the same arithmetic again and again. What shares the core without
 * being in a list of processes, another virtual machine on its second thread, say, shows here, and
 * so do a clock that falls and programs beside this one. */
#ifndef ORR_STEADINESS_H
#define ORR_STEADINESS_H

#include <stddef.h>

/* Of all the time in `seconds`, the share in those that took above 1.25 times the quickest; 0
 * without any. */
double orr_steadiness_slow(const double *seconds, size_t count);
/* That share of so many seconds on the core that this thread is on. */
double orr_steadiness_measure(double seconds);

#endif
