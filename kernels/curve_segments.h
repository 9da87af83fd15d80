/* SPDX-License-Identifier: MIT */
/* Runs of groups of bodies that a rank's part of the curve is described by, and how many of them in
 * a row have a box around them all besides (curve_ranks.cl). */
#ifndef SEGMENTS
#define SEGMENTS 256
#endif
#define BLOCK_SEGMENTS 16
#define BLOCKS (SEGMENTS / BLOCK_SEGMENTS)
