/* SPDX-License-Identifier: MIT */
/* Keys of bodies along a space-filling curve: DIMENSIONS bits a level, from the coarsest of
 * `levels` on (sorted_tree.cl). */
#ifndef DIMENSIONS
#define DIMENSIONS 3
#endif

/* Levels in which two keys agree: the depth of the smallest cell that both bodies are in. */
INLINE i32 common(u64 a, u64 b, i32 levels)
{
    const i32 same = ((i32)clz(a ^ b) - (64 - DIMENSIONS * levels)) / DIMENSIONS;

    return same < levels ? same : levels;
}
