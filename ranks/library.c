/* SPDX-License-Identifier: MIT */
/* What the program is given of ranks (worker/rank_library.h). */
#include "ranks/nccl.h"
#include "ranks/rank.h"
#include "ranks/rank_launch.h"
#include "ranks/rank_set.h"
#include "ranks/world.h"

extern const struct orr_rank_library orr_ranks_verbs;
const struct orr_rank_library orr_ranks_verbs = {.check = orr_rank_launch_check,
                                                 .nccl = orr_nccl_describe,
                                                 .device = orr_ranks_device,
                                                 .start = orr_rank_set_start,
                                                 .ask = orr_rank_set_ask,
                                                 .has_more = orr_rank_set_has_more,
                                                 .reap = orr_rank_set_reap,
                                                 .shutdown = orr_rank_set_shutdown,
                                                 .keep_times = orr_rank_record_keep,
                                                 .record = orr_rank_record,
                                                 .join = orr_rank_join,
                                                 .own_device = orr_rank_own_device,
                                                 .connect = orr_rank_connect,
                                                 .transport = orr_ranks_transport,
                                                 .leave = orr_rank_leave};
