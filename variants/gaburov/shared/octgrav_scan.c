/* SPDX-License-Identifier: MIT */
/* Offsets of the lists from their lengths: section 3.2.2, where the host adds them up. */
#include "octgrav.h"

/* Words of OCTGRAV_CHUNKS before the first groups of the chunks. */
enum { COUNT, LONGEST, FIRST };
enum { USUAL_WORDS = 64 }; /* that hold the chunks of most trees */

/* The lists of a group take whole elements of four entries. */
static uint64_t entries_of(const int32_t *length, size_t g)
{
    return ((uint64_t)(uint32_t)length[2 * g] + (uint32_t)length[2 * g + 1] + 3) / 4 * 4;
}

/* As octgrav_chunks of kernels/gaburov_octgrav_scan.cl. */
static void divide(const struct octgrav *s, const uint64_t *offset, uint32_t *chunks)
{
    uint64_t longest = 0;
    uint32_t count = 0;

    for (size_t first = 0, end; first < s->groups; first = end) {
        for (end = first + 1;
             end < s->groups && offset[end + 1] - offset[first] <= s->most_entries;)
            end++;
        longest = offset[end] - offset[first] > longest ? offset[end] - offset[first] : longest;
        chunks[FIRST + count++] = (uint32_t)first;
    }
    chunks[COUNT] = count;
    chunks[LONGEST] = (uint32_t)longest;
    chunks[FIRST + count] = (uint32_t)s->groups;
}

static int scan_on_host(struct orr_job *job)
{
    struct octgrav *s = job->state;
    int code = octgrav_reserve_host(job, OCTGRAV_LENGTH, s->groups * 2 * sizeof(int32_t));

    if (code ||
        (code = octgrav_reserve_host(job, OCTGRAV_OFFSET, (s->groups + 1) * sizeof(uint64_t))) ||
        (code = orr_download(job->device, s->array[OCTGRAV_LENGTH].host,
                             s->array[OCTGRAV_LENGTH].device, s->groups * 2 * sizeof(int32_t))))
        return code;
    const int32_t *length = s->array[OCTGRAV_LENGTH].host;
    uint64_t *offset = s->array[OCTGRAV_OFFSET].host;
    orr_stage(job, "scan");
    offset[0] = 0;
    for (size_t g = 0; g < s->groups; g++)
        offset[g + 1] = offset[g] + entries_of(length, g);
    divide(s, offset, s->array[OCTGRAV_CHUNKS].host);
    orr_stage(job, NULL);
    return orr_upload(job->device, s->array[OCTGRAV_OFFSET].device, offset,
                      (s->groups + 1) * sizeof *offset);
}

static int launch_scan(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const size_t tile = s->scan_block * s->scan_items, tiles = (s->groups + tile - 1) / tile;
    const struct orr_arg groups = ORR_I32((int32_t)s->groups);
    const struct orr_arg sums[] = {OCTGRAV_ARG(s, OCTGRAV_LENGTH), OCTGRAV_ARG(s, OCTGRAV_SUMS),
                                   groups};
    const struct orr_arg of_tiles[] = {OCTGRAV_ARG(s, OCTGRAV_SUMS), ORR_I32((int32_t)tiles)};
    const struct orr_arg offsets[] = {OCTGRAV_ARG(s, OCTGRAV_LENGTH), OCTGRAV_ARG(s, OCTGRAV_SUMS),
                                      OCTGRAV_ARG(s, OCTGRAV_OFFSET), groups};
    const struct orr_arg chunks[] = {OCTGRAV_ARG(s, OCTGRAV_OFFSET), OCTGRAV_ARG(s, OCTGRAV_CHUNKS),
                                     groups, ORR_I32((int32_t)s->most_entries)};
    int code = OCTGRAV_LAUNCH(job, s->scan, "octgrav_sums", tiles, s->scan_block, sums);

    if (code ||
        (code = OCTGRAV_LAUNCH(job, s->scan, "octgrav_tiles", 1, s->scan_block, of_tiles)) ||
        (code = OCTGRAV_LAUNCH(job, s->scan, "octgrav_offsets", tiles, s->scan_block, offsets)))
        return code;
    return OCTGRAV_LAUNCH(job, s->scan, "octgrav_chunks", 1, 1, chunks);
}

static int scan_on_device(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const size_t tile = s->scan_block * s->scan_items, words = FIRST + s->groups + 1;
    uint32_t *chunks = s->array[OCTGRAV_CHUNKS].host;
    size_t wanted = words < USUAL_WORDS ? words : USUAL_WORDS;
    int code =
        octgrav_reserve_device(job, OCTGRAV_SUMS, (s->groups + tile - 1) / tile * sizeof(uint64_t));

    if (code || (code = octgrav_reserve_device(job, OCTGRAV_CHUNKS, words * sizeof *chunks)) ||
        (code = launch_scan(job)) ||
        (code = orr_download(job->device, chunks, s->array[OCTGRAV_CHUNKS].device,
                             wanted * sizeof *chunks)))
        return code;
    if (FIRST + chunks[COUNT] + 1 <= wanted)
        return ORR_OK;
    return orr_download(job->device, chunks, s->array[OCTGRAV_CHUNKS].device,
                        (FIRST + (size_t)chunks[COUNT] + 1) * sizeof *chunks);
}

int octgrav_scan(struct orr_job *job)
{
    struct octgrav *s = job->state;
    const struct octgrav_params *p = job->params;
    int code = octgrav_reserve_device(job, OCTGRAV_OFFSET, (s->groups + 1) * sizeof(uint64_t));

    if (!code)
        code =
            octgrav_reserve_host(job, OCTGRAV_CHUNKS, (FIRST + s->groups + 1) * sizeof(uint32_t));
    if (!code)
        code = orr_phase(job->device, "scan");
    if (!code)
        code = p->scan == OCTGRAV_SCAN_HOST ? scan_on_host(job) : scan_on_device(job);
    if (code)
        return code;
    const uint32_t *chunks = s->array[OCTGRAV_CHUNKS].host;
    s->chunks = chunks[COUNT];
    return octgrav_reserve_device(job, OCTGRAV_LIST, (size_t)chunks[LONGEST] * sizeof(int32_t));
}
