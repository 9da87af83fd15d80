/* How far the parts of a device overlap: its warps as customers of a closed network of queues. */
#ifndef ORR_AUDIT_OVERLAP_H
#define ORR_AUDIT_OVERLAP_H

#include "ledger/ledger.h"

/* Offers the aggregate of SQL over the parts of a device
 *
 *     overlap_seconds(seconds, units, warps, waiting)
 *
 * seconds: for which the part is busy in a step. units: of the part in a multiprocessor; a warp
 * belongs to one of them. warps: that a multiprocessor holds at once. waiting: seconds that a step
 * takes when no warp ever stands in another's way; NULL: not known, and the busiest part is all. */
int orr_overlap_offer(const struct orr_ledger *ledger);

#endif
