/* RAPL: the energy that processors and their memory count themselves, as Linux shows it in
 * /sys/class/powercap. */
#ifndef ORR_RAPL_H
#define ORR_RAPL_H

#include <stddef.h>

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
int orr_rapl_find(struct orr_rapl *out);
/* Joules since the zones were found; NAN where one cannot be read. Read it at least once while a
 * counter goes round: that takes minutes at the highest power. */
double orr_rapl_read(struct orr_rapl *rapl);

#endif
