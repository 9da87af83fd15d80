/* SPDX-License-Identifier: MIT */
/* The bodies that a thread works on and the lists of what acts on them, laid out for vectors. */
#ifndef GABUROV_SIMD_CROWD_H
#define GABUROV_SIMD_CROWD_H

#include <stddef.h>
#include <stdint.h>

enum {
    CROWD = 1024,    /* bodies at hand, at most */
    ENTRIES = 512,   /* cells of a list, at most; bodies: twice as many. Together they stay in the
                        first-level cache */
    TAIL = 16,       /* lanes of the widest vector */
    AHEAD = 16,      /* cells that are fetched ahead */
    NODE_PARTS = 10, /* x y z mass xx yy zz xy xz yz */
    BODY_PARTS = 4,  /* x y z mass */
    PAIR_PARTS = 7   /* the same, and what x y z leave out where positions are pairs of floats */
};
enum { NODE_STRIDE = ENTRIES + TAIL, BODY_STRIDE = 2 * ENTRIES + TAIL };

/* How many bodies a crowd has at most: enough crowds for the threads of a large machine, whatever
 * it has here, since sums must not depend on it. */
static inline int32_t crowd_size(size_t n, int32_t ngroup)
{
    const size_t share = n / 64 < CROWD ? n / 64 : CROWD;

    return share > (size_t)ngroup ? (int32_t)share : ngroup;
}

/* Bodies of one cell of the tree, first ... first + count - 1 by key. */
struct crowd {
    float part[PAIR_PARTS][CROWD + TAIL];
    float sum[CROWD + TAIL][4]; /* ax ay az phi */
    int32_t first, count;
} __attribute__((aligned(64)));

/* Cells and bodies that wait to act: indices and, once the list is full, their data, part after
 * part. */
struct lists {
    float node[NODE_PARTS * NODE_STRIDE], body[PAIR_PARTS * BODY_STRIDE];
    int32_t cell[ENTRIES + AHEAD + 4];
    struct some_bodies {
        int32_t first, count;
    } leaf[2 * ENTRIES];
    uint32_t nodes, leaves, bodies; /* in the lists */
    uint32_t entries;               /* cells that fit, half the bodies */
} __attribute__((aligned(64)));

/* Pads `count` elements of each part to a multiple of `lanes` with massless copies of the last
 * one. */
static inline uint32_t fill_up(float *part, size_t stride, int parts, uint32_t count,
                               uint32_t lanes)
{
    const uint32_t whole = (count + lanes - 1) / lanes * lanes;

    for (int k = 0; k < parts; k++, part += stride)
        for (uint32_t j = count; j < whole; j++)
            part[j] = k < 3 ? part[count - 1] : 0;
    return whole;
}

#endif
