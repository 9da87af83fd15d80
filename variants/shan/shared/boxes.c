/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "datasets/boxes.h"
#include "kernels/pair.h"
#include "shan.h"
#include "variants/common/host_bodies.h"

enum { MOST_BODIES = 1 << 30, FEW_BOXES = 1024 };

static const struct shan_common *common(const struct orr_job *job)
{
    return job->params;
}

/* Bodies are dealt out to shares, each of which counts and sorts its own. */
struct sorting {
    uint32_t *index;  /* of each body's box */
    uint32_t *counts; /* of each share's bodies in each box, then where the next of them goes */
    int shares;
};

static size_t first_of(const struct shan_boxes *out, const struct sorting *s, int share)
{
    return out->n * (size_t)share / (size_t)s->shares;
}

/* As many as threads, as long as each has more bodies than boxes. */
static int choose_shares(const struct shan_boxes *out, const struct orr_job *job)
{
    const size_t most = out->n / (out->count + (size_t)HOST_BODIES_A_THREAD) + 1;

    return (size_t)job->host->threads < most ? job->host->threads : (int)most;
}

static void encode(const struct shan_boxes *out, const struct orr_job *job, struct sorting *s)
{
    const struct orr_bodies *bodies = job->bodies;
    const struct orr_boxes boxes = orr_boxes_make(bodies, common(job)->level);

#pragma omp parallel for schedule(static, 1) num_threads(s->shares)
    for (int share = 0; share < s->shares; share++) {
        uint32_t *counts = s->counts + (size_t)share * out->count;

        for (size_t i = first_of(out, s, share); i < first_of(out, s, share + 1); i++) {
            s->index[i] = orr_boxes_encode(orr_boxes_place(&boxes, 0, bodies->pos[0][i]),
                                           orr_boxes_place(&boxes, 1, bodies->pos[1][i]));
            counts[s->index[i]]++;
        }
    }
}

/* Where the bodies of each box and share begin. */
static void place_shares(struct shan_boxes *out, struct sorting *s)
{
    uint32_t before = 0;

    for (uint32_t b = 0; b < out->count; b++) {
        out->start[b] = before;
        for (int share = 0; share < s->shares; share++) {
            uint32_t *count = &s->counts[(size_t)share * out->count + b];
            const uint32_t bodies = *count;

            *count = before;
            before += bodies;
        }
        if (before - out->start[b] > out->most)
            out->most = before - out->start[b];
    }
    out->start[out->count] = before;
}

/* Counting sort by box. */
static void sort(struct shan_boxes *out, struct sorting *s)
{
    place_shares(out, s);
#pragma omp parallel for schedule(static, 1) num_threads(s->shares)
    for (int share = 0; share < s->shares; share++) {
        uint32_t *next = s->counts + (size_t)share * out->count;

        for (size_t i = first_of(out, s, share); i < first_of(out, s, share + 1); i++)
            out->order[next[s->index[i]]++] = (uint32_t)i;
    }
}

/* The box `right` to the right and `up` above, or -1 outside the domain. */
static int32_t box_at(uint32_t side, uint32_t column, uint32_t row, int right, int up)
{
    int64_t x = (int64_t)column + right, y = (int64_t)row + up;

    if (x < 0 || y < 0 || x >= side || y >= side)
        return -1;
    return (int32_t)orr_boxes_encode((uint32_t)x, (uint32_t)y);
}

static int ascending(const void *a, const void *b)
{
    const int32_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* Puts the neighbours of box b with an index above `above` into the list, in ascending order. */
static uint32_t list_ascending(int32_t *list, uint32_t side, uint32_t b, int32_t above)
{
    uint32_t column, row, count = 0;

    orr_boxes_decode(b, &column, &row);
    for (int up = -1; up <= 1; up++)
        for (int right = -1; right <= 1; right++) {
            int32_t other = box_at(side, column, row, right, up);

            if ((right || up) && other > above)
                list[count++] = other;
        }
    qsort(list, count, sizeof *list, ascending);
    return count;
}

/* The first `most` directions: four, then the opposite ones. */
static uint32_t list_directions(int32_t *list, uint32_t side, uint32_t b, uint32_t most)
{
    static const int steps[8][2] = {{1, 0},  {-1, 1}, {0, 1},  {1, 1},
                                    {-1, 0}, {1, -1}, {0, -1}, {-1, -1}};
    uint32_t column, row, count = 0;

    orr_boxes_decode(b, &column, &row);
    for (uint32_t k = 0; k < most; k++)
        count += (list[k] = box_at(side, column, row, steps[k][0], steps[k][1])) >= 0;
    return count;
}

static void make_lists(struct shan_boxes *out, int level, enum shan_list kind, int threads)
{
    uint32_t side = 1u << level;
    uint64_t listed = 0;

#pragma omp parallel for schedule(static) reduction(+ : listed) \
    num_threads(threads) if (out->count > FEW_BOXES)
    for (uint32_t b = 0; b < out->count; b++) {
        int32_t *list = out->list + (size_t)b * out->stride;

        for (uint32_t k = 0; k < out->stride; k++)
            list[k] = -1;
        listed += kind >= SHAN_LIST_FORWARD
                      ? list_directions(list, side, b, out->stride)
                      : list_ascending(list, side, b, kind == SHAN_LIST_HALF ? (int32_t)b : -1);
    }
    out->listed = listed;
}

/* Every neighbour of a whole list is met from both sides, of the others from one. */
static void count_pairs(struct shan_boxes *out, enum shan_list kind)
{
    double weight = kind == SHAN_LIST_FULL || kind == SHAN_LIST_AROUND ? 1 : 2;

    for (uint32_t b = 0; b < out->count; b++) {
        double own = out->start[b + 1] - out->start[b], near = 0;

        for (uint32_t k = 0; k < out->stride; k++) {
            int32_t other = out->list[(size_t)b * out->stride + k];

            if (other >= 0)
                near += out->start[other + 1] - out->start[other];
        }
        out->pairs += own * (own - 1) + weight * own * near;
    }
}

int shan_boxes_make(struct shan_boxes *out, const struct orr_job *job, enum shan_list list)
{
    *out = (struct shan_boxes){.n = job->bodies->n,
                               .count = 1u << 2 * common(job)->level,
                               .stride = list == SHAN_LIST_FORWARD ? 4 : 8};
    if (out->n > MOST_BODIES)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%zu bodies are more than the %d these variants index", out->n,
                        MOST_BODIES);
    struct sorting sorting = {.shares = choose_shares(out, job)};
    sorting.index = malloc((out->n + 1) * sizeof *sorting.index);
    sorting.counts = calloc((size_t)out->count * (size_t)sorting.shares, sizeof *sorting.counts);
    out->order = malloc((out->n + 1) * sizeof *out->order);
    out->start = malloc(((size_t)out->count + 1) * sizeof *out->start);
    out->list = malloc((size_t)out->count * out->stride * sizeof *out->list);
    if (!sorting.index || !sorting.counts || !out->order || !out->start || !out->list) {
        free(sorting.index);
        free(sorting.counts);
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies in %u boxes", out->n,
                        out->count);
    }
    orr_stage(job, "encode");
    encode(out, job, &sorting);
    orr_stage(job, "sort");
    sort(out, &sorting);
    orr_stage(job, "lists");
    make_lists(out, common(job)->level, list, job->host->threads);
    orr_stage(job, NULL);
    count_pairs(out, list);
    free(sorting.index);
    free(sorting.counts);
    return ORR_OK;
}

void shan_boxes_release(struct shan_boxes *boxes)
{
    free(boxes->order);
    free(boxes->start);
    free(boxes->list);
    memset(boxes, 0, sizeof *boxes);
}

void shan_cost(struct orr_cost *out, const struct shan_boxes *boxes, double flops_true)
{
    *out = (struct orr_cost){.interactions = boxes->pairs,
                             .flops_convention = boxes->pairs * PAIR2_FLOPS_CONVENTION,
                             .flops_true = boxes->pairs * flops_true,
                             /* x y m read, ax ay written */
                             .bytes_min = (double)boxes->n * 5 * sizeof(float)};
}
