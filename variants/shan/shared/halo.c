/* SPDX-License-Identifier: MIT */
#include "halo.h"

#include <stdlib.h>
#include <string.h>

enum { BODY = 4 * sizeof(float), PACK_BLOCK = 64 };

/* Ordered pairs that a box's bodies take part in. */
static double weight_of(const struct shan_boxes *boxes, uint32_t b)
{
    const double own = boxes->start[b + 1] - boxes->start[b];
    double near = own;

    for (uint32_t k = 0; k < boxes->stride; k++) {
        const int32_t other = boxes->list[(size_t)b * boxes->stride + k];
        if (other >= 0)
            near += boxes->start[other + 1] - boxes->start[other];
    }
    return own * near;
}

/* bound[r] ... bound[r + 1] - 1 are the boxes of rank r: as much work for each. */
static void divide(uint32_t *bound, int size, const struct shan_boxes *boxes)
{
    double all = 0, before = 0;
    int rank = 1;

    for (uint32_t b = 0; b < boxes->count; b++)
        all += weight_of(boxes, b);
    bound[0] = 0;
    for (uint32_t b = 0; b < boxes->count; b++) {
        while (rank < size && before >= all * rank / size)
            bound[rank++] = b;
        before += weight_of(boxes, b);
    }
    while (rank <= size)
        bound[rank++] = boxes->count;
}

static int owner_of(const uint32_t *bound, int size, uint32_t box)
{
    int rank = 0;

    while (rank + 1 < size && box >= bound[rank + 1])
        rank++;
    return rank;
}

/* Ordered pairs of a box's bodies with those of neighbours that another rank owns. */
static double pairs_across(const struct shan_boxes *boxes, const uint32_t *bound, int size,
                           uint32_t b)
{
    const double own = boxes->start[b + 1] - boxes->start[b];
    double there = 0;

    for (uint32_t k = 0; k < boxes->stride; k++) {
        const int32_t other = boxes->list[(size_t)b * boxes->stride + k];
        if (other >= 0 && owner_of(bound, size, (uint32_t)other) != owner_of(bound, size, b))
            there += boxes->start[other + 1] - boxes->start[other];
    }
    return own * there;
}

/* Bits of the ranks that own neighbours of a box, its own rank not among them. */
static uint64_t ranks_beside(const struct shan_boxes *boxes, const uint32_t *bound, int size,
                             uint32_t b)
{
    uint64_t ranks = 0;

    for (uint32_t k = 0; k < boxes->stride; k++) {
        const int32_t other = boxes->list[(size_t)b * boxes->stride + k];
        if (other >= 0)
            ranks |= (uint64_t)1 << owner_of(bound, size, (uint32_t)other);
    }
    return ranks & ~((uint64_t)1 << owner_of(bound, size, b));
}

/* The bodies of rank `from` in boxes beside those of rank `to`, in the order of the curve; returns
 * how many. `list` NULL: only counts. */
static size_t list_border(uint32_t *list, const struct shan_boxes *boxes, const uint32_t *bound,
                          const uint64_t *beside, int from, int to)
{
    size_t count = 0;

    for (uint32_t b = bound[from]; b < bound[from + 1]; b++)
        for (uint32_t k = boxes->start[b]; beside[b] >> to & 1 && k < boxes->start[b + 1]; k++) {
            if (list)
                list[count] = k;
            count++;
        }
    return count;
}

static void count_messages(struct shan_halo *halo, const struct shan_boxes *boxes,
                           const uint32_t *bound, const uint64_t *beside, int own, int size)
{
    for (int peer = 0; peer < size; peer++) {
        const size_t sends = peer == own ? 0 : list_border(NULL, boxes, bound, beside, own, peer);
        const size_t receives =
            peer == own ? 0 : list_border(NULL, boxes, bound, beside, peer, own);
        if (!sends && !receives)
            continue;
        halo->with[halo->messages].peer = peer;
        halo->with[halo->messages].sends = sends;
        halo->with[halo->messages].receives = receives;
        halo->with[halo->messages].sent_at = halo->sends;
        halo->with[halo->messages++].received_at = halo->receives;
        halo->sends += sends;
        halo->receives += receives;
    }
}

static int make_buffers(struct orr_job *job, struct shan_halo *halo, const uint32_t *sent,
                        const uint32_t *received)
{
    const size_t word = sizeof(uint32_t);
    int code = 0;

    if ((code = orr_alloc(job->device, &halo->out, halo->sends * BODY)) ||
        (code = orr_alloc(job->device, &halo->in, halo->receives * BODY)) ||
        (code = orr_alloc(job->device, &halo->out_index, halo->sends * word)) ||
        (code = orr_alloc(job->device, &halo->in_index, halo->receives * word)))
        return code;
    if (halo->sends)
        code = orr_upload(job->device, halo->out_index, sent, halo->sends * word);
    if (!code && halo->receives)
        code = orr_upload(job->device, halo->in_index, received, halo->receives * word);
    return code;
}

static int list_messages(struct orr_job *job, struct shan_halo *halo,
                         const struct shan_boxes *boxes, const uint32_t *bound,
                         const uint64_t *beside)
{
    const int own = orr_ranks_own(job->ranks);
    uint32_t *sent, *received;
    int code;

    count_messages(halo, boxes, bound, beside, own, orr_ranks_size(job->ranks));
    sent = malloc((halo->sends + 1) * sizeof *sent);
    received = malloc((halo->receives + 1) * sizeof *received);
    for (int k = 0; sent && received && k < halo->messages; k++) {
        list_border(sent + halo->with[k].sent_at, boxes, bound, beside, own, halo->with[k].peer);
        list_border(received + halo->with[k].received_at, boxes, bound, beside, halo->with[k].peer,
                    own);
    }
    code = sent && received ? make_buffers(job, halo, sent, received)
                            : ORR_FAIL(job, ORR_EMEMORY, "no memory for a halo");
    free(sent);
    free(received);
    return code;
}

int shan_halo_make(struct orr_job *job, struct shan_halo *halo, const struct shan_boxes *boxes)
{
    uint32_t bound[ORR_MAX_RANKS + 1];
    const int size = orr_ranks_size(job->ranks), own = orr_ranks_own(job->ranks);

    halo->last_box = boxes->count;
    halo->last = boxes->n;
    if (size == 1)
        return ORR_OK;
    divide(bound, size, boxes);
    halo->first_box = bound[own];
    halo->last_box = bound[own + 1];
    halo->first = boxes->start[halo->first_box];
    halo->last = boxes->start[halo->last_box];
    for (int rank = 0; rank < size; rank++)
        if (boxes->start[bound[rank]] == boxes->start[bound[rank + 1]])
            return ORR_FAIL(job, ORR_EUNSUPPORTED,
                            "%zu bodies in %u boxes are too few for %d ranks", boxes->n,
                            boxes->count, size);
    uint64_t *beside = malloc(boxes->count * sizeof *beside);
    for (uint32_t b = 0; beside && b < boxes->count; b++) {
        beside[b] = ranks_beside(boxes, bound, size, b);
        halo->across += beside[b] ? pairs_across(boxes, bound, size, b) : 0;
    }
    int code = beside ? list_messages(job, halo, boxes, bound, beside)
                      : ORR_FAIL(job, ORR_EMEMORY, "no memory for a halo");
    free(beside);
    return code;
}

void shan_halo_list_across(const struct shan_halo *halo, struct shan_boxes *boxes)
{
    enum { OPPOSITE = 4, ALL = 8 };

    for (uint32_t b = halo->first_box; b < halo->last_box; b++) {
        int32_t *list = boxes->list + (size_t)b * ALL;
        int count = OPPOSITE;
        for (int k = OPPOSITE; k < ALL; k++) {
            const int32_t other = list[k];
            const int foreign = other >= 0 && ((uint32_t)other < halo->first_box ||
                                               (uint32_t)other >= halo->last_box);
            list[k] = -1;
            if (foreign && boxes->start[other + 1] > boxes->start[other])
                list[count++] = other;
        }
    }
}

/* Packs `from` by the index, or unpacks to where it says. */
static int launch(struct orr_job *job, struct orr_program *program, const char *kernel,
                  struct orr_buffer *from, struct orr_buffer *index, struct orr_buffer *to,
                  size_t count)
{
    const struct orr_arg args[] = {ORR_BUF(from), ORR_BUF(index), ORR_BUF(to),
                                   ORR_I32((int32_t)count)};
    const struct orr_launch launch = {.kernel = kernel,
                                      .groups = {(count + PACK_BLOCK - 1) / PACK_BLOCK},
                                      .group = {PACK_BLOCK},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};

    return count ? orr_launch(job->device, program, &launch) : ORR_OK;
}

int shan_halo_exchange(struct orr_job *job, const struct shan_halo *halo, struct orr_buffer *body,
                       struct orr_program *program)
{
    struct orr_ranks_part parts[2 * ORR_MAX_RANKS];
    int count = 0, code;

    if (orr_ranks_size(job->ranks) == 1)
        return ORR_OK;
    for (int k = 0; k < halo->messages; k++) {
        parts[count++] =
            (struct orr_ranks_part){halo->with[k].peer, true, halo->out,
                                    halo->with[k].sent_at * BODY, halo->with[k].sends * BODY};
        parts[count++] = (struct orr_ranks_part){halo->with[k].peer, false, halo->in,
                                                 halo->with[k].received_at * BODY,
                                                 halo->with[k].receives * BODY};
    }
    if ((code = orr_phase(job->device, "halo")) ||
        (code = launch(job, program, "shan_pack", body, halo->out_index, halo->out, halo->sends)) ||
        (code = orr_ranks_exchange(job->ranks, parts, count)) ||
        (code = orr_phase(job->device, "halo")))
        return code;
    return launch(job, program, "shan_unpack", halo->in, halo->in_index, body, halo->receives);
}

void shan_halo_release(struct orr_job *job, struct shan_halo *halo)
{
    orr_free(job->device, halo->out);
    orr_free(job->device, halo->in);
    orr_free(job->device, halo->out_index);
    orr_free(job->device, halo->in_index);
    memset(halo, 0, sizeof *halo);
}
