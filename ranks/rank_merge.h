/* SPDX-License-Identifier: MIT */
/* One answer of the answers of all ranks. */
#ifndef ORR_RANK_MERGE_H
#define ORR_RANK_MERGE_H

#include <jansson.h>

/* To the request `ask`, `size` answers of which none is NULL unless one says "failed". What rank 0
 * says, but: the time of a step is that of the slowest rank, and "ranks" lists what each took; what
 * went wrong is the first rank's that says so, with its number where not all say it. A new
 * reference, or NULL with the error recorded: the ranks differ where they may not. */
json_t *orr_rank_merge(const char *ask, json_t *const answers[], int size);

#endif
