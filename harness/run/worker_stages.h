/* Stages of the host: what a variant says it does there besides (orr_stage in variant.h), clocked
 * apart. A worker runs one variant at a time, and the contract gives the mark no context: the
 * stages that run now are the process's. */
#ifndef ORR_WORKER_STAGES_H
#define ORR_WORKER_STAGES_H

#include "run/named_times.h"

/* For orr_host.stage. */
void orr_named_times_mark_stage(const char *name);
/* After each call of the variant: ends what runs, adds the seconds of each stage of this call to
 * `to` (NULL: drops them). 0 or ORR_EMEMORY. */
int orr_named_times_take_stages(struct orr_named_times_set *to);

#endif
