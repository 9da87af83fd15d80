/* SPDX-License-Identifier: MIT */
/* Boxes: the cells of one level of a quadtree over a square domain, numbered along the Z-order
 * curve (Shan & Lei 2012, section II A). References, data sets and variants all place bodies by
 * these functions. Header only: plugins link nothing of the harness. */
#ifndef ORR_BOXES_H
#define ORR_BOXES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/bodies.h"

enum { ORR_MAX_LEVEL = 12, ORR_MAX_NEIGHBOURS = 8 };

struct orr_boxes {
    double corner[2];  /* lower left of the domain, [length] */
    double per_length; /* boxes in a unit of length; 0 when all bodies are at one place */
    uint32_t side;     /* boxes along an edge, 2^level */
};

/* The bodies' own domain where they have one, else the smallest square that holds them all. */
static inline struct orr_boxes orr_boxes_make(const struct orr_bodies *bodies, int level)
{
    struct orr_boxes boxes = {{bodies->corner[0], bodies->corner[1]}, 0, 1u << level};
    double edge = bodies->edge;
    if (!(edge > 0)) {
        edge = 0;
        for (int d = 0; d < 2; d++) {
            double low = INFINITY, high = -INFINITY;
            for (size_t i = 0; i < bodies->n; i++) {
                low = fmin(low, bodies->pos[d][i]);
                high = fmax(high, bodies->pos[d][i]);
            }
            boxes.corner[d] = bodies->n ? low : 0;
            edge = bodies->n ? fmax(edge, high - low) : 0;
        }
    }
    if (edge > 0)
        boxes.per_length = (double)boxes.side / edge;
    return boxes;
}

/* Column (axis 0) or row (axis 1) of the box that holds coordinate x, counted from the lower left.
 * Bodies on the far edge or outside belong to the outermost box. */
static inline uint32_t orr_boxes_place(const struct orr_boxes *boxes, int axis, double x)
{
    double at = (x - boxes->corner[axis]) * boxes->per_length;
    if (!(at > 0))
        return 0;
    return at < (double)boxes->side ? (uint32_t)at : boxes->side - 1;
}

/* Spreads the low 16 bits over the even bits. */
static inline uint32_t orr_boxes_spread(uint32_t x)
{
    x &= 0xffff;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

/* The reverse: gathers the even bits. */
static inline uint32_t orr_boxes_gather(uint32_t x)
{
    x &= 0x55555555;
    x = (x | x >> 1) & 0x33333333;
    x = (x | x >> 2) & 0x0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff;
    return (x | x >> 8) & 0xffff;
}

/* Index on the Z-order curve: the coordinates' bits interlaced, the row's bits the higher ones
 * (Fig. 2: box 3 is (1, 1)). */
static inline uint32_t orr_boxes_encode(uint32_t column, uint32_t row)
{
    return orr_boxes_spread(column) | orr_boxes_spread(row) << 1;
}

static inline void orr_boxes_decode(uint32_t index, uint32_t *column, uint32_t *row)
{
    *column = orr_boxes_gather(index);
    *row = orr_boxes_gather(index >> 1);
}

/* All boxes' neighbours at a level, the paper's B: a box has 8, less at the edges. 129540 at level
 * 7. */
static inline double orr_boxes_neighbours(int level)
{
    double side = ldexp(1, level);
    return (3 * side - 2) * (3 * side - 2) - side * side;
}

#endif
