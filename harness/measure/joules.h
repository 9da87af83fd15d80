/* The energy a device takes over a window of time, by its own counter: NVML's total of a GPU,
 * RAPL's of the processors. */
#ifndef ORR_JOULES_H
#define ORR_JOULES_H

#include <stddef.h>

#include "device/device.h"

enum { ORR_RAPL_ZONES = 32 };

struct orr_rapl {
    struct {
        char path[96];      /* of the counter */
        double last, range; /* microjoules; it starts again at 0 beyond the range */
    } zones[ORR_RAPL_ZONES];
    int count;
    double joules; /* of all zones since they were found */
};

/* The packages and their memory. Without any that can be read: ORR_EUNSUPPORTED with the reason;
 * `out` has no zones then. */
int orr_joules_find_rapl(struct orr_rapl *out);
/* Joules since the zones were found; NAN where one cannot be read. Read it at least once while a
 * counter goes round: that takes minutes at the highest power. */
double orr_joules_read_rapl(struct orr_rapl *rapl);

struct orr_joules;

struct orr_joules_window {
    double seconds;
    double joules;     /* by the counter */
    double integrated; /* by readings of power; NAN where the device tells none of its own */
};

/* ORR_EUNSUPPORTED with the reason where the device has no counter that can be read. */
int orr_joules_open(struct orr_joules **out, const struct orr_device_info *info);
/* "nvml", "rapl" */
const char *orr_joules_counter(const struct orr_joules *joules);
/* A window begins; power is read meanwhile by a thread. */
void orr_joules_begin(struct orr_joules *joules);
/* Ends it. ORR_EDEVICE when the counter could not be read. */
int orr_joules_end(struct orr_joules *joules, struct orr_joules_window *out);
/* Accepts NULL. */
void orr_joules_close(struct orr_joules *joules);

#endif
