/* GPU clocks held still while a run measures, by NVML. The clocks of a card outlive the process
 * that locked them, so a process of their own does it, which sets them free again as soon as the
 * one that asked lets go, ends or crashes. */
#ifndef ORR_CLOCK_LOCK_H
#define ORR_CLOCK_LOCK_H

#include <sys/types.h>

#include "device/device.h"

struct orr_clock_lock {
    pid_t keeper; /* 0: nothing is locked */
    int life;     /* as long as it is open the clocks stay locked */
};

/* Locks the clocks of the GPUs among `devices` at `mhz`, or with 0 at their base clock; all or
 * none. ORR_EUNSUPPORTED, with what to do, where one cannot be locked or none is a GPU of
 * NVIDIA's. */
int orr_clock_lock_take(struct orr_clock_lock *out, const struct orr_device_info *devices,
                        int count, int mhz);
/* Resets the clocks and waits for that. Accepts a zeroed lock. */
void orr_clock_lock_release(struct orr_clock_lock *lock);

#endif
