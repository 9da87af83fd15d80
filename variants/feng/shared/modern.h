/* State of feng/barnes-hut-modern, for the variant and for the tests that look into its tree. */
#ifndef FENG_MODERN_H
#define FENG_MODERN_H

#include "device.h"
#include "sorted_tree.h"
#include "variants/common/counting.h"

struct feng_modern {
    struct device_bodies device;
    struct feng_sorted_tree tree;
    struct orr_program *walk;
    struct counting counting;
    struct orr_buffer *work; /* u64 per group of the walk: interactions since the step began */
    /* Of the walk: teams in a group, threads in one, those that hold a group's bodies, bodies (or
     * vectors) of each, lanes of a vector. */
    size_t warps, block, lanes, bodies, vector;
    size_t groups;
};

#endif
