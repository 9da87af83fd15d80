/* SPDX-License-Identifier: MIT */
/* Bodies for vectors whose lanes are neighbouring boxes of a row: body k of all boxes of a row is
 * one stretch. So no vector has lanes without a body where boxes hold equally many, and none is
 * summed up. */
#ifndef SHAN_COLUMNS_H
#define SHAN_COLUMNS_H

#include "shan.h"

/* Lanes of the widest vector; as many boxes at the end of each stretch are empty. */
enum { SHAN_COLUMNS_PADDING = 16 };

struct shan_columns {
    uint32_t side;  /* boxes of a row */
    uint32_t most;  /* bodies of each box; those that it lacks are massless, away from all others */
    uint32_t width; /* of a stretch */
    float *memory;  /* the one allocation behind all arrays; NULL: the boxes do not suit */
    float *x, *y, *mass, *ax, *ay;
};

/* Where body k of the boxes of a row begins. */
static inline size_t shan_columns_at(const struct shan_columns *s, uint32_t row, uint32_t k)
{
    return ((size_t)row * s->most + k) * s->width;
}

/* Makes room where boxes are many and hold about equally many bodies, few enough that those of
 * neighbouring boxes stay in the caches. Release it whatever is returned. */
int shan_columns_prepare(struct shan_columns *s, const struct orr_job *job,
                         const struct shan_boxes *boxes);
/* Masses are multiplied by `scale`. */
void shan_columns_upload(struct shan_columns *s, const struct orr_job *job,
                         const struct shan_boxes *boxes, float scale);
void shan_columns_fetch(const struct shan_columns *s, const struct orr_job *job,
                        const struct shan_boxes *boxes, struct orr_forces *out);
/* Safe on zeroed columns; leaves them zeroed. */
void shan_columns_release(struct shan_columns *s);

#endif
