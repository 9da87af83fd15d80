/* SPDX-License-Identifier: MIT */
#include "queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A team gets at most one of SHARES equal shares of what the device does at once, or what OVERFULL
 * boxes have on average: a shared box costs a row of sums for each of its teams, and an H200 took
 * 1.6 to 1.8 times as long where chance alone had made boxes unequal. */
enum { SHARES = 4, OVERFULL = 4, CLASSES = 256, CLASSES_AN_OCTAVE = 4 };
/* Boxes are even whose fullest has at most so many times the mean. */
static const double EVEN = 1.25;

static int are_even(const struct shan_boxes *boxes, uint32_t first, uint32_t last)
{
    uint32_t most = 0;

    for (uint32_t b = first; b < last; b++) {
        const uint32_t n = boxes->start[b + 1] - boxes->start[b];

        most = n > most ? n : most;
    }
    return (double)most * (last - first) <=
           EVEN * (double)(boxes->start[last] - boxes->start[first]);
}

/* As a power of two. */
static unsigned parts_of(double work, double share)
{
    unsigned more = 0;

    while ((1 << more) < SHAN_MOST_PARTS && work > share * (double)(1 << more))
        more++;
    return more;
}

/* Those of class 0 have most work. */
static int class_of(double work, double most)
{
    const double octaves = log2(most / work) * CLASSES_AN_OCTAVE;

    return octaves < CLASSES - 1 ? (int)octaves : CLASSES - 1;
}

/* Box k's entry, `work` for all its teams. */
struct entry {
    double work;
    unsigned more;
};

static struct entry entry_of(double work, double share)
{
    const unsigned more = parts_of(work, share);

    return (struct entry){work / (1 << more), more};
}

/* A counting sort by class; within one, boxes stay in their order. */
static void fill(struct shan_queue *out, uint32_t first, size_t count, const double *work,
                 double share)
{
    size_t next[CLASSES + 1] = {0};
    double most = 0;

    for (size_t k = 0; k < count; k++)
        most = fmax(most, entry_of(work[k], share).work);
    for (int placing = 0; placing < 2; placing++) {
        for (size_t k = 0; k < count; k++) {
            const struct entry e = entry_of(work[k], share);

            if (!(work[k] > 0))
                continue;
            size_t *at = &next[class_of(e.work, most) + !placing];
            for (unsigned part = 0; placing && part < 1u << e.more; part++)
                out->teams[*at + part] = SHAN_TEAM(first + (uint32_t)k, part, e.more);
            *at += (size_t)1 << e.more;
        }
        for (int c = 0; !placing && c < CLASSES; c++)
            next[c + 1] += next[c];
    }
}

int shan_queue_make(struct shan_queue *out, const struct orr_job *job,
                    const struct shan_boxes *boxes, uint32_t first, uint32_t last,
                    const double *work, double at_once)
{
    const size_t count = last - first;
    double all = 0;

    memset(out, 0, sizeof *out);
    out->parts = 1;
    if (are_even(boxes, first, last))
        return ORR_OK;
    size_t full = 0;
    for (size_t k = 0; k < count; k++) {
        all += work[k];
        full += work[k] > 0;
    }
    const double share = fmax(all / (at_once * SHARES), OVERFULL * all / (double)full);
    for (size_t k = 0; k < count; k++) {
        const unsigned parts = work[k] > 0 ? 1u << parts_of(work[k], share) : 0;

        out->count += parts;
        out->parts = parts > out->parts ? parts : out->parts;
    }
    /* Neighbours share what the caches hold: boxes in their order are as good. */
    if (out->parts == 1 && 2 * full > count)
        return ORR_OK;
    if (!(out->teams = malloc((out->count + 1) * sizeof *out->teams)))
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu teams", out->count);
    fill(out, first, count, work, share);
    return ORR_OK;
}

void shan_queue_release(struct shan_queue *queue)
{
    free(queue->teams);
    memset(queue, 0, sizeof *queue);
}
