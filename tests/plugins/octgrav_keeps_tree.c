/* SPDX-License-Identifier: MIT */
/* The product's octgrav with the tree of its first evaluation kept: which bodies are in which
 * cell, by their numbers. Where they are and what they weigh is read anew, so that its forces
 * are right. */
#include "variants/gaburov/shared/octree.h"

static int build_once(const struct orr_job *job, struct gaburov_octree *tree,
                      enum gaburov_build how, float *const pos[3], int32_t nleaf, int32_t ngroup,
                      int threads)
{
    return tree->cells ? 0 : gaburov_octree_build(job, tree, how, pos, nleaf, ngroup, threads);
}

#define gaburov_octree_build build_once
#include "variants/gaburov/octgrav.c"
