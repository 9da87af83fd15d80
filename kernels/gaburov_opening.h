/* SPDX-License-Identifier: MIT */
/* When a group of bodies opens a cell: the tests of enum gaburov_opening
 * (variants/gaburov/shared/gaburov.h).
 *
 * A cell is a point from which distances are taken and its reach: its centre of mass with l /
 * theta, to which the improved test adds that point's distance from the centre of the cell's box;
 * by minimum distance the box's centre with l / theta, and the box's half-edges. A group is the
 * centre of its box with how far its centre of mass is from there (0 in all but the first test),
 * and the half-edges of the box, by the first test the longest for all three. */
#ifndef OPENING
#define OPENING 0 /* enum gaburov_opening and one more: EQUAL_ERROR */
#endif
#define IMPROVED 1
#define MINIMUM_DISTANCE 2
#define EQUAL_ERROR 3
/* 0: a cell whose bodies are all at one place may act as a whole, on its own bodies too. For a test
 * of why it may not. */
#ifndef OPEN_POINTS
#define OPEN_POINTS 1
#endif

/* The least reach of a cell that may act as a whole: what is further has a distance whose square is
 * a normal number. */
#define NEAREST_FAR 1e-18f

INLINE float beyond(float x, float width)
{
    return max(fabs(x) - width, 0.0f);
}

/* A cell of reach 0 is a point: one body, or several at one place. Taken as a whole it would act on
 * its own bodies: a potential without meaning, and were its centre of mass a rounding error away
 * from them, a force without bounds. */
INLINE i32 opens(float4 cell, float4 edges, float4 centre, float4 group_edges)
{
    const float dx = beyond(cell.x - centre.x, edges.x + group_edges.x);
    const float dy = beyond(cell.y - centre.y, edges.y + group_edges.y);
    const float dz = beyond(cell.z - centre.z, edges.z + group_edges.z);
    const float ds2 = FMA(dx, dx, FMA(dy, dy, dz * dz)), reach = cell.w + centre.w;

    return (OPENING ? ds2 <= reach * reach : ds2 < reach * reach) ||
           (OPEN_POINTS && cell.w == 0.0f);
}

/* Half-edges of a cell where the test looks at them. */
#if OPENING == MINIMUM_DISTANCE
#define EDGES_OF(edges, cell) (edges)[cell]
#define EDGE_WORDS 4
#else
#define EDGE_WORDS 0
#define EDGES_OF(edges, cell) MAKE_FLOAT4(0.0f, 0.0f, 0.0f, 0.0f)
#endif

/* Bodies in a row by key that have one pull. */
#define PULLED 256

/* By equal error a cell's reach is that for bodies which have the system's mean acceleration, and
 * for others `pull` times that (gaburov_pulls.cl), but no less than `nearest`. */
INLINE float4 pulled(float4 cell, float nearest, float pull)
{
    if (OPENING == EQUAL_ERROR)
        cell.w = max(nearest, pull * cell.w);
    return cell;
}
