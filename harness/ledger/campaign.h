/* Runs that are put together: are they of one configuration, is every shard there? */
#ifndef ORR_CAMPAIGN_H
#define ORR_CAMPAIGN_H

#include <stdbool.h>

#include "ledger/ledger.h"

/* Calls `each` with what is to be said of the runs in the ledger, one line a finding, by kind: of
 * all of them, or of those with shards, each campaign by itself. A fault: bodies of one name
 * differ. */
int orr_campaign_each(const struct orr_ledger *ledger, bool all,
                      int (*each)(bool is_fault, const char *text, void *context), void *context);

#endif
