/* SPDX-License-Identifier: MIT */
/* Few bodies have no tree: a tree code takes longer to build one than to sum all pairs directly
 * (decision 0108). A variant has the parameter `all_pairs`, and beside its tree a struct one_sided.
 */
#ifndef VARIANTS_COMMON_TREE_OR_DIRECT_H
#define VARIANTS_COMMON_TREE_OR_DIRECT_H

#include "variants/common/one_sided.h"

enum direct_use { DIRECT_AUTO, DIRECT_ON, DIRECT_OFF };

#define DIRECT_PARAM(type, place)                                                               \
    {                                                                                           \
        "all_pairs", ORR_PARAM_CHOICE, offsetof(type, place), DIRECT_AUTO, 0, 0, "auto|on|off", \
            "all pairs, without a tree; auto: for so few bodies that a GPU is faster so"        \
    }

/* Whether all pairs are summed. `use`: enum direct_use. By the device one GPU does so for up to
 * `pairs` pairs a multiprocessor, n^2 in all: what it evaluates while a tree of so few bodies is
 * built and walked. ORR_EUNSUPPORTED where several ranks are asked to. */
int tree_or_direct_choose(struct orr_job *job, bool *direct, int32_t use, double pairs);

enum share_use { SHARE_AUTO, SHARE_ON, SHARE_OFF };

#define SHARE_PARAM(type, place)                                                             \
    {                                                                                        \
        "share", ORR_PARAM_CHOICE, offsetof(type, place), SHARE_AUTO, 0, 0, "auto|on|off",   \
            "several ranks share the bodies; auto: not so few that GPUs are slower than one" \
    }

/* Whether one of several ranks has all bodies: rank 0, for which the job is alone then; the others
 * are idle. `use`: enum share_use. By the device GPUs share what is more than `bodies` a
 * multiprocessor of one, and nothing through the host. */
bool tree_or_direct_lone(struct orr_job *job, int32_t use, double bodies);

/* Interactions of a step of so many time steps, one more evaluation. */
double tree_or_direct_pairs(const struct orr_job *job, int32_t steps);

/* count() of the plugin contract, where all pairs are summed; `step` is the variant's. */
int tree_or_direct_count(struct orr_job *job, struct one_sided *sum, struct counting *counting,
                         int (*step)(struct orr_job *job), struct orr_counts *out);

#endif
