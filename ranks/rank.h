/* SPDX-License-Identifier: MIT */
/* One of several ranks, seen from itself: the verbs of the library (worker/rank_library.h). */
#ifndef ORR_RANK_H
#define ORR_RANK_H

#include "worker/rank_library.h"

int orr_rank_join(struct orr_rank **out, struct orr_channel *channel, const char *name);
int orr_rank_own_device(char out[32], const struct orr_rank *rank, const char *first,
                        bool oversubscribe);
int orr_rank_connect(struct orr_ranks **out, struct orr_rank *rank, struct orr_device *device,
                     void (*stage)(const char *name));
void orr_rank_leave(struct orr_rank *rank);

/* What ranks took, in the record of a cell. */
void orr_rank_record_keep(json_t **times, const json_t *ranks, int batch);
void orr_rank_record(json_t *record, json_t *times, const json_t *devices);

#endif
