/* SPDX-License-Identifier: MIT */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#include "datasets/boxes.h"

enum {
    MOST_RUNS = 9,
    SHARES = 16, /* a box is heavy when it is more than a thread's share of all work over this */
    TILE_BODIES = 256, /* in a tile, at least, on average */
    LEAST_PIECE = 64,  /* bodies of a heavy box that are worth a task */
    MOST_PIECES = 512, /* of a heavy box; a power of two */
    CLASSES = 16       /* of boxes, see class_of() */
};

struct maker {
    const struct shan_boxes *boxes;
    unsigned char *heavy;  /* by box */
    uint32_t *heavy_boxes; /* their indices */
    uint32_t heavy_count;
    uint32_t piece; /* bodies in a piece of a heavy box */
    uint32_t tiles;
    struct shan_tasks *out; /* its arrays are NULL while things are only counted */
    uint32_t runs, tasks, items, phases;
};

static uint32_t bodies_in(const struct shan_boxes *boxes, uint32_t b)
{
    return boxes->start[b + 1] - boxes->start[b];
}

/* --- what a task meets --- */

/* Adds the bodies of a box to `count` runs, to the last one if it ends where they begin; the new
 * number of runs. */
static uint32_t join(struct shan_run *runs, uint32_t count, const struct shan_boxes *boxes,
                     uint32_t b)
{
    const uint32_t first = boxes->start[b], bodies = bodies_in(boxes, b);

    if (!bodies)
        return count;
    if (count && runs[count - 1].first + runs[count - 1].count == first) {
        runs[count - 1].count += bodies;
        return count;
    }
    runs[count] = (struct shan_run){first, bodies};
    return count + 1;
}

/* The boxes around b that are heavy or not and have an index above `above`, after `count` runs; the
 * new number. */
static uint32_t join_around(struct shan_run *runs, uint32_t count, const struct maker *m,
                            uint32_t b, int heavy, int32_t above)
{
    const int32_t *list = m->boxes->list + (size_t)b * m->boxes->stride;

    for (uint32_t k = 0; k < m->boxes->stride; k++)
        if (list[k] > above && m->heavy[list[k]] == heavy)
            count = join(runs, count, m->boxes, (uint32_t)list[k]);
    return count;
}

/* --- writing down --- */

static void begin_phase(struct maker *m)
{
    if (m->out->phase_start)
        m->out->phase_start[m->phases] = m->items;
    m->phases++;
}

static void begin_item(struct maker *m)
{
    if (m->out->item_start)
        m->out->item_start[m->items] = m->tasks;
    m->items++;
}

/* A task without runs is none. */
static void add(struct maker *m, struct shan_task task, const struct shan_run *runs)
{
    if (!task.runs)
        return;
    task.first_run = m->runs;
    if (m->out->tasks) {
        m->out->tasks[m->tasks] = task;
        memcpy(m->out->runs + m->runs, runs, task.runs * sizeof *runs);
    }
    m->tasks++;
    m->runs += task.runs;
}

/* --- light boxes: whole, in tiles --- */

static void add_light(struct maker *m, uint32_t b)
{
    struct shan_run runs[MOST_RUNS];
    struct shan_task task = {
        .from = m->boxes->start[b], .to = m->boxes->start[b + 1], .own = 1, .both = 1};

    if (task.from == task.to)
        return;
    task.runs = (uint16_t)join_around(runs, join(runs, 0, m->boxes, b), m, b, 0, (int32_t)b);
    add(m, task, runs);
    task.own = task.both = 0;
    task.runs = (uint16_t)join_around(runs, 0, m, b, 1, -1);
    add(m, task, runs);
}

/* Tiles are squares of boxes that follow each other along the curve. Their tasks write into the
 * boxes around, so that a phase is every fourth tile, one of each square of four: a tile's width
 * apart. */
static void add_tiles(struct maker *m)
{
    const uint32_t boxes = m->boxes->count / m->tiles;

    for (uint32_t colour = 0; colour < 4; colour++) {
        begin_phase(m);
        for (uint32_t tile = colour; tile < m->tiles; tile += 4) {
            begin_item(m);
            for (uint32_t b = tile * boxes; b < (tile + 1) * boxes; b++)
                if (!m->heavy[b])
                    add_light(m, b);
        }
    }
}

/* Tiles large enough to be worth handing out, and many for every thread; but never one box, or they
 * would touch. */
static uint32_t choose_tiles(const struct shan_boxes *boxes, int threads)
{
    uint32_t tiles = boxes->count / 4 ? boxes->count / 4 : 1;

    while (tiles >= 64 && tiles / 16 >= 8 * (uint32_t)threads && boxes->n / tiles < TILE_BODIES)
        tiles /= 4;
    return tiles;
}

/* --- heavy boxes: in pieces --- */

/* A box with so much of all work is divided among threads. */
static int is_heavy(const struct shan_boxes *boxes, uint32_t b, int threads)
{
    const int32_t *list = boxes->list + (size_t)b * boxes->stride;
    double own = bodies_in(boxes, b), near = own - 1;

    for (uint32_t k = 0; k < boxes->stride && list[k] >= 0; k++)
        near += bodies_in(boxes, (uint32_t)list[k]);
    return threads > 1 && own * near * SHARES * threads > boxes->pairs;
}

static uint32_t pieces_of(const struct maker *m, uint32_t b)
{
    return (bodies_in(m->boxes, b) + m->piece - 1) / m->piece;
}

static struct shan_run piece_of(const struct maker *m, uint32_t b, uint32_t k)
{
    const uint32_t first = m->boxes->start[b] + k * m->piece, left = m->boxes->start[b + 1] - first;

    return (struct shan_run){first, left < m->piece ? left : m->piece};
}

/* Two different boxes around a box, or the box and one around it, differ in this. */
static uint32_t class_of(uint32_t b)
{
    return b & (CLASSES - 1);
}

/* Forces of light boxes on a heavy one, without counterforces: all pieces would add to them. */
static void add_light_on_heavy(struct maker *m, uint32_t b)
{
    struct shan_run runs[MOST_RUNS];
    struct shan_task task = {.runs = (uint16_t)join_around(runs, 0, m, b, 0, -1)};

    for (uint32_t k = 0; k < pieces_of(m, b); k++) {
        const struct shan_run piece = piece_of(m, b, k);

        begin_item(m);
        task.from = piece.first;
        task.to = piece.first + piece.count;
        add(m, task, runs);
    }
}

/* Piece i of box a meets piece i ^ turn of box b, which is a itself or has a larger index. */
static void add_turn(struct maker *m, uint32_t a, uint32_t b, uint32_t turn)
{
    for (uint32_t i = 0; i < pieces_of(m, a); i++) {
        const uint32_t j = i ^ turn;

        if (j >= pieces_of(m, b) || (a == b && j < i))
            continue;
        const struct shan_run piece = piece_of(m, a, i), other = piece_of(m, b, j);
        const uint8_t own = a == b && i == j;
        begin_item(m);
        add(m, (struct shan_task){piece.first, piece.first + piece.count, 0, 1, own, 1}, &other);
    }
}

/* Each pair of pieces of heavy boxes meets in the phase that is the exclusive or of their classes
 * and numbers: there no piece meets two others. */
static void add_heavy(struct maker *m)
{
    begin_phase(m);
    for (uint32_t h = 0; h < m->heavy_count; h++)
        add_light_on_heavy(m, m->heavy_boxes[h]);
    for (uint32_t phase = 0; m->heavy_count && phase < CLASSES * MOST_PIECES; phase++) {
        const uint32_t classes = phase / MOST_PIECES, turn = phase % MOST_PIECES, before = m->items;

        begin_phase(m);
        for (uint32_t h = 0; h < m->heavy_count; h++) {
            const uint32_t a = m->heavy_boxes[h];
            const int32_t *list = m->boxes->list + (size_t)a * m->boxes->stride;

            if (!classes)
                add_turn(m, a, a, turn);
            for (uint32_t k = 0; k < m->boxes->stride; k++)
                if (list[k] > (int32_t)a && m->heavy[list[k]] &&
                    (class_of(a) ^ class_of((uint32_t)list[k])) == classes)
                    add_turn(m, a, (uint32_t)list[k], turn);
        }
        m->phases -= m->items == before;
    }
}

/* --- together --- */

static void add_all(struct maker *m)
{
    m->runs = m->tasks = m->items = m->phases = 0;
    add_tiles(m);
    add_heavy(m);
    begin_phase(m);
    begin_item(m);
    m->out->phases = m->phases - 1;
}

static void find_heavy(struct maker *m, int threads, uint32_t block)
{
    const uint32_t pieces =
        16 * (uint32_t)threads < MOST_PIECES ? 16 * (uint32_t)threads : MOST_PIECES;
    uint32_t most = 0;

    for (uint32_t b = 0; b < m->boxes->count; b++) {
        m->heavy[b] = (unsigned char)is_heavy(m->boxes, b, threads);
        if (!m->heavy[b])
            continue;
        m->heavy_boxes[m->heavy_count++] = b;
        most = bodies_in(m->boxes, b) > most ? bodies_in(m->boxes, b) : most;
    }
    m->piece = most / pieces < LEAST_PIECE ? LEAST_PIECE : most / pieces + 1;
    m->piece = (m->piece + block - 1) / block * block;
}

static int make(struct maker *m, const struct orr_job *job, uint32_t block)
{
    struct shan_tasks *out = m->out;

    find_heavy(m, job->host->threads, block);
    m->tiles = choose_tiles(m->boxes, job->host->threads);
    add_all(m);
    out->runs = malloc(((size_t)m->runs + 1) * sizeof *out->runs);
    out->tasks = malloc(((size_t)m->tasks + 1) * sizeof *out->tasks);
    out->item_start = malloc(((size_t)m->items + 1) * sizeof *out->item_start);
    out->phase_start = malloc(((size_t)m->phases + 1) * sizeof *out->phase_start);
    if (!out->runs || !out->tasks || !out->item_start || !out->phase_start)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %u tasks", m->tasks);
    add_all(m);
    return ORR_OK;
}

int shan_tasks_make(struct shan_tasks *out, const struct orr_job *job,
                    const struct shan_boxes *boxes, uint32_t block)
{
    struct maker maker = {.boxes = boxes, .out = out};
    int code;

    *out = (struct shan_tasks){0};
    maker.heavy = malloc(boxes->count);
    maker.heavy_boxes = malloc(boxes->count * sizeof *maker.heavy_boxes);
    orr_stage(job, "lists");
    code = maker.heavy && maker.heavy_boxes
               ? make(&maker, job, block)
               : ORR_FAIL(job, ORR_EMEMORY, "no memory for %u boxes", boxes->count);
    orr_stage(job, NULL);
    free(maker.heavy);
    free(maker.heavy_boxes);
    return code;
}

void shan_tasks_release(struct shan_tasks *tasks)
{
    free(tasks->runs);
    free(tasks->tasks);
    free(tasks->item_start);
    free(tasks->phase_start);
    memset(tasks, 0, sizeof *tasks);
}
