/* A shard: one of several parts of a plan, each for a run of its own. */
#ifndef ORR_SHARD_H
#define ORR_SHARD_H

#include <stddef.h>

struct orr_cell;
struct orr_plan;

struct orr_shard {
    int number, of; /* from 1; {0, 0}: the whole plan */
};

/* Reads "2/4". ORR_EUSAGE. */
int orr_shard_read(struct orr_shard *out, const char *text);
/* Leaves the cells of the shard in the plan and notes in plan->split what it was part of. The same
 * plan is split in the same way on every machine: by costs that know nothing of the machine, and at
 * random where they are alike. A cell stays whole, and with it those that are extrapolated from it.
 * ORR_EUSAGE when there are fewer cells to measure than shards. */
int orr_shard_take(struct orr_plan *plan, const struct orr_shard *shard,
                   double (*seconds)(const struct orr_cell *cell));

#endif
