/* SPDX-License-Identifier: MIT */
/* Near-field forces over vectors of bodies j, once for every instruction set: the template that
 * cpu-simd.c gives to variants/common/simd.h, with its struct batch and struct stream. No include
 * guard on purpose.
 *
 * A few bodies i are held in registers, in all lanes of one vector each; the bodies j of a batch
 * pass by, a vector of them at a time. What j does to i gathers in a register, lane by lane; with
 * Newton's third law what i does to j goes to the batch, one load and one store for all bodies i in
 * registers. */

#define BLOCK SIMD(block)
#define MEET SIMD(meet)
#define PASS SIMD(pass)
#define SERVE_BLOCK SIMD(serve_block)

/* Bodies i in registers. */
struct BLOCK {
    real x[BODIES], y[BODIES], mass[BODIES], ax[BODIES], ay[BODIES];
};

#include "variants/common/simd_cube.h"
#include "simd_columns.h"

/* One vector of the batch, from body `at` on. Constants where called: the number of bodies i;
 * `both`; whether there is a window, which leaves out those of the bodies j that do not act on the
 * first body i, and moved by k on body k. */
SIMD_INLINE void MEET(struct BLOCK *i, struct batch *b, uint32_t at, int bodies, int both,
                      const int32_t *window, real eps2)
{
    const real x = SIMD_LOAD(b->x + at), y = SIMD_LOAD(b->y + at), mass = SIMD_LOAD(b->mass + at);
    real bx = REAL(0.0f), by = bx;

    if (both) {
        bx = SIMD_LOAD(b->ax + at);
        by = SIMD_LOAD(b->ay + at);
    }
#pragma GCC unroll 8
    for (int k = 0; k < bodies; k++) {
        if (both)
            PAIR2_BOTH_CUBED(i->ax[k], i->ay[k], bx, by, i->x[k], i->y[k], i->mass[k], x, y, mass,
                             eps2, r2,
                             window ? SIMD_AND(SIMD(cube)(r2), window - k) : SIMD(cube)(r2));
        else
            PAIR2_CUBED(i->ax[k], i->ay[k], i->x[k], i->y[k], x, y, mass, eps2, r2,
                        window ? SIMD_AND(SIMD(cube)(r2), window - k) : SIMD(cube)(r2));
    }
    if (both) {
        SIMD_STORE(b->ax + at, bx);
        SIMD_STORE(b->ay + at, by);
    }
}

/* The whole batch passes. `self` is the place of the first body i in it, which makes all bodies i
 * part of one vector, or beyond its end, or before its begin. With `both` the earlier bodies of the
 * batch have met these already. */
SIMD_INLINE void PASS(struct BLOCK *i, struct batch *b, int64_t self, int bodies, int both,
                      real eps2)
{
    uint32_t at = 0;

    if (self >= 0 && self < b->count) {
        const uint32_t own = (uint32_t)self / SIMD_LANES * SIMD_LANES, lane = (uint32_t)self - own;

        for (; !both && at < own; at += SIMD_LANES)
            MEET(i, b, at, bodies, both, NULL, eps2);
        MEET(i, b, own, bodies, both, (both ? simd_from : simd_but) + 15 - lane, eps2);
        at = own + SIMD_LANES;
    }
    for (; at < b->count; at += SIMD_LANES)
        MEET(i, b, at, bodies, both, NULL, eps2);
}

/* Adds the forces of the batch on the bodies i, i + 1, ... to their accelerations. */
SIMD_INLINE void SERVE_BLOCK(struct shan_host *s, struct batch *b, uint32_t first, int64_t self,
                             int bodies, int both, float eps2)
{
    struct BLOCK i;

#pragma GCC unroll 8
    for (int k = 0; k < BODIES; k++) {
        const uint32_t from = first + (uint32_t)(k < bodies ? k : 0);

        i.x[k] = REAL(s->x[from]);
        i.y[k] = REAL(s->y[from]);
        i.mass[k] = REAL(s->mass[from]);
        i.ax[k] = i.ay[k] = REAL(0.0f);
    }
    PASS(&i, b, self, bodies, both, REAL(eps2));

    const simd_four ax = SIMD_SUMS(i.ax[0], i.ax[1], i.ax[2], i.ax[3]) * CUBE;
    const simd_four ay = SIMD_SUMS(i.ay[0], i.ay[1], i.ay[2], i.ay[3]) * CUBE;
    if (bodies == BODIES) {
        simd_four_add(s->ax + first, ax);
        simd_four_add(s->ay + first, ay);
    } else {
        for (int k = 0; k < bodies; k++) {
            s->ax[first + (uint32_t)k] += ax[k];
            s->ay[first + (uint32_t)k] += ay[k];
        }
    }
}

/* The bodies i of the batch's task. */
SIMD_INLINE void SIMD(serve_batch)(struct shan_host *s, struct batch *b, int both, float eps2)
{
    uint32_t i = b->task->from, to = b->task->to;

    if (both && b->self + to > b->count) /* those at the end have met all of this batch */
        to = i > b->count - b->self ? i : (uint32_t)(b->count - b->self);
    for (; i + 4 <= to; i += 4)
        SERVE_BLOCK(s, b, i, b->self + i, 4, both, eps2);
    if (to - i >= 2) {
        SERVE_BLOCK(s, b, i, b->self + i, 2, both, eps2);
        i += 2;
    }
    if (i < to)
        SERVE_BLOCK(s, b, i, b->self + i, 1, both, eps2);
}

/* Fills a batch with the next bodies j of the stream and one vector of padding. */
SIMD_INLINE void SIMD(gather)(struct batch *b, const struct shan_host *s, struct stream *from)
{
    struct shan_run part;

    begin_batch(b, from);
    while (next_part(&part, &from->cursor, BATCH - b->count)) {
        for (uint32_t k = 0; k < part.count; k += SIMD_LANES) {
            SIMD_STORE_ANY(b->x + b->count + k, SIMD_LOAD_ANY(s->x + part.first + k));
            SIMD_STORE_ANY(b->y + b->count + k, SIMD_LOAD_ANY(s->y + part.first + k));
            SIMD_STORE_ANY(b->mass + b->count + k, SIMD_LOAD_ANY(s->mass + part.first + k));
        }
        b->count += part.count;
        from->passed += part.count;
    }
    SIMD_STORE_ANY(b->x + b->count, REAL(s->away));
    SIMD_STORE_ANY(b->y + b->count, REAL(s->away));
    SIMD_STORE_ANY(b->mass + b->count, REAL(0.0f));
    for (uint32_t k = 0; k < b->count; k += SIMD_LANES) {
        SIMD_STORE(b->ax + k, REAL(0.0f));
        SIMD_STORE(b->ay + k, REAL(0.0f));
    }
}

/* The counterforces of a batch join the accelerations of its bodies. */
SIMD_INLINE void SIMD(scatter)(struct shan_host *s, const struct batch *b)
{
    struct cursor from = b->from;
    struct shan_run part;
    uint32_t at = 0;

    while (next_part(&part, &from, BATCH - at)) {
        for (uint32_t k = 0; k < part.count; k += SIMD_LANES) {
            float *ax = s->ax + part.first + k, *ay = s->ay + part.first + k;
            const real x = FMA(REAL(CUBE), SIMD_LOAD_ANY(b->ax + at + k), SIMD_LOAD_ANY(ax));
            const real y = FMA(REAL(CUBE), SIMD_LOAD_ANY(b->ay + at + k), SIMD_LOAD_ANY(ay));

            SIMD_STORE_SOME(ax, x, part.count - k);
            SIMD_STORE_SOME(ay, y, part.count - k);
        }
        at += part.count;
    }
}

/* All tasks of a stream. A vector that was stored in parts cannot be loaded as a whole before these
 * have left the store buffer. So there is work between filling a batch and reading it, and between
 * summing up counterforces and reading these: one batch is gathered, another worked on, a third
 * scattered. */
SIMD_FUNCTION void SIMD(serve)(struct shan_host *s, struct batch batches[3], struct stream stream,
                               float eps2)
{
    struct batch *now = &batches[0], *next = &batches[1], *last = &batches[2];

    last->count = 0;
    SIMD(gather)(now, s, &stream);
    while (now->count || last->count) {
        SIMD(gather)(next, s, &stream);
        if (now->count && now->task->both)
            SIMD(serve_batch)(s, now, 1, eps2);
        else if (now->count)
            SIMD(serve_batch)(s, now, 0, eps2);
        if (last->count && last->task->both)
            SIMD(scatter)(s, last);

        struct batch *rest = last;
        last = now;
        now = next;
        next = rest;
    }
}

#undef BLOCK
#undef MEET
#undef PASS
#undef SERVE_BLOCK
