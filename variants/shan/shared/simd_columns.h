/* SPDX-License-Identifier: MIT */
/* Near-field forces over vectors of boxes (columns.h), each pair once: part of the template
 * simd_near.h; no include guard on purpose.
 *
 * A few bodies of each box are held in registers. The others of these boxes pass by, then those of
 * the boxes to the right and of the three above, with a load and a store for all that are held. */

/* The bodies that are held act on each other. */
SIMD_INLINE void SIMD(columns_own)(struct BLOCK *i, int bodies, real eps2)
{
#pragma GCC unroll 8
    for (int a = 0; a < bodies; a++)
#pragma GCC unroll 8
        for (int b = a + 1; b < bodies; b++)
            PAIR2_BOTH_CUBED(i->ax[a], i->ay[a], i->ax[b], i->ay[b], i->x[a], i->y[a], i->mass[a],
                             i->x[b], i->y[b], i->mass[b], eps2, r2, SIMD(cube)(r2));
}

/* Bodies from..most of the boxes at `at` pass by. */
SIMD_INLINE void SIMD(columns_pass)(const struct shan_columns *s, struct BLOCK *i, size_t at,
                                    uint32_t from, int bodies, real eps2)
{
    at += (size_t)from * s->width;
    for (uint32_t j = from; j < s->most; j++, at += s->width) {
        const real x = SIMD_LOAD_ANY(s->x + at), y = SIMD_LOAD_ANY(s->y + at),
                   mass = SIMD_LOAD_ANY(s->mass + at);
        real bx = SIMD_LOAD_ANY(s->ax + at), by = SIMD_LOAD_ANY(s->ay + at);

#pragma GCC unroll 8
        for (int k = 0; k < bodies; k++)
            PAIR2_BOTH_CUBED(i->ax[k], i->ay[k], bx, by, i->x[k], i->y[k], i->mass[k], x, y, mass,
                             eps2, r2, SIMD(cube)(r2));
        SIMD_STORE_ANY(s->ax + at, bx);
        SIMD_STORE_ANY(s->ay + at, by);
    }
}

/* Bodies first, first + 1, ... of a vector of boxes. `bodies` is a constant where called. */
SIMD_INLINE void SIMD(columns_block)(const struct shan_columns *s, uint32_t row, uint32_t column,
                                     uint32_t first, int bodies, real eps2)
{
    const size_t here = shan_columns_at(s, row, 0) + column,
                 above = shan_columns_at(s, row + 1, 0) + column,
                 at = here + (size_t)first * s->width;
    struct BLOCK i;

#pragma GCC unroll 8
    for (int k = 0; k < bodies; k++) {
        const size_t from = at + (size_t)k * s->width;

        i.x[k] = SIMD_LOAD(s->x + from);
        i.y[k] = SIMD_LOAD(s->y + from);
        i.mass[k] = SIMD_LOAD(s->mass + from);
        i.ax[k] = i.ay[k] = REAL(0.0f);
    }
    SIMD(columns_own)(&i, bodies, eps2);
    SIMD(columns_pass)(s, &i, here, first + (uint32_t)bodies, bodies, eps2);
    SIMD(columns_pass)(s, &i, here + 1, 0, bodies, eps2);
    if (row + 1 < s->side)
        for (size_t k = 0; k < 3; k++)
            SIMD(columns_pass)(s, &i, above - 1 + k, 0, bodies, eps2);
            /* Bodies that are held pass by, too: those to the right of others. */
#pragma GCC unroll 8
    for (int k = 0; k < bodies; k++) {
        float *const ax = s->ax + at + (size_t)k * s->width, *const ay =
                                                                 s->ay + at + (size_t)k * s->width;
        SIMD_STORE(ax, SIMD_LOAD(ax) + i.ax[k]);
        SIMD_STORE(ay, SIMD_LOAD(ay) + i.ay[k]);
    }
}

/* A row, with counterforces on itself and the one above. */
SIMD_FUNCTION void SIMD(columns_row)(const struct shan_columns *s, uint32_t row, float softening2)
{
    const real eps2 = REAL(softening2);

    for (uint32_t column = 0; column < s->side; column += SIMD_LANES) {
        uint32_t first = 0;
        for (; first + BODIES <= s->most; first += BODIES)
            SIMD(columns_block)(s, row, column, first, BODIES, eps2);
        if (s->most - first >= 2) {
            SIMD(columns_block)(s, row, column, first, 2, eps2);
            first += 2;
        }
        if (first < s->most)
            SIMD(columns_block)(s, row, column, first, 1, eps2);
    }
}
