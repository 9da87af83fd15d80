/* How a tree code of two walks uses its device (Gaburov, Bédorf & Portegies Zwart 2010,
 * section 3.3.3): from its figures ("node interactions" ...) and the times of its phases ("nodes",
 * "leaves", "walk 1", "walk 2"). */
#ifndef ORR_WORK_H
#define ORR_WORK_H

#include "present/time_split.h"

enum orr_work_kind {
    ORR_WORK_NODE_GFLOPS, /* by the paper's convention, 70 flops for a body and a cell */
    ORR_WORK_LEAF_GFLOPS, /* 38 for two bodies */
    ORR_WORK_BOTH_GFLOPS, /* all flops over the time of both; over that of the only phase "walk" of
                           * a code of one walk
                           */
    ORR_WORK_PEAK_SHARE, /* of two flops for each multiply-add that the device was measured to do */
    ORR_WORK_NODE_RATE,  /* interactions a second */
    ORR_WORK_LEAF_RATE,
    ORR_WORK_WALK_1, /* bytes a second that the walks' threads read and write */
    ORR_WORK_WALK_2,
    ORR_WORK_PER_GROUP, /* bodies in a group, mean */
    ORR_WORK_ACTIVE,    /* share of the threads that hold a body */
    ORR_WORK_KINDS
};

struct orr_work {
    double of[ORR_WORK_KINDS]; /* NAN: not known */
};

int orr_work_of(struct orr_work *out, const struct orr_time_splitter *splitter,
                const struct orr_result *result);

#endif
