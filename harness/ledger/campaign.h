/* Runs that are put together: are they of one configuration, is every shard there? */
#ifndef ORR_CAMPAIGN_H
#define ORR_CAMPAIGN_H

#include <stdbool.h>

#include "ledger/ledger.h"

enum orr_campaign_kind {
    ORR_CAMPAIGN_INPUT,  /* bodies of one name differ */
    ORR_CAMPAIGN_MIXED,  /* versions of Orrery, machines of one name, drivers or builds differ */
    ORR_CAMPAIGN_PLANS,  /* shards of one request are of different plans */
    ORR_CAMPAIGN_SHARDS, /* a shard or some of its cells are missing */
    ORR_CAMPAIGN_TWICE,  /* cells were measured in several runs */
    ORR_CAMPAIGN_KINDS
};
extern const char *const orr_campaign_names[ORR_CAMPAIGN_KINDS]; /* "input", "mixed" ... */

/* Calls `each` with what is to be said of the runs in the ledger, one line a finding, by kind: of
 * all of them, or of those with shards, each campaign by itself. */
int orr_campaign_each(const struct orr_ledger *ledger, bool all,
                      int (*each)(enum orr_campaign_kind kind, const char *text, void *context),
                      void *context);

#endif
