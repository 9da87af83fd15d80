/* SPDX-License-Identifier: MIT */
#include "octgrav.h"

#include <stdlib.h>
#include <string.h>

/* A little more than asked for: the next tree is about as large. */
static size_t with_slack(size_t bytes)
{
    return bytes + bytes / 8;
}

int octgrav_reserve_device(struct orr_job *job, enum octgrav_array which, size_t bytes)
{
    struct octgrav *s = job->state;
    struct octgrav_memory *memory = &s->array[which];

    if (memory->device && memory->device_bytes >= bytes)
        return ORR_OK;
    orr_free(job->device, memory->device);
    memory->device = NULL;
    memory->device_bytes = with_slack(bytes);
    return orr_alloc(job->device, &memory->device, memory->device_bytes);
}

int octgrav_reserve_host(struct orr_job *job, enum octgrav_array which, size_t bytes)
{
    struct octgrav *s = job->state;
    struct octgrav_memory *memory = &s->array[which];

    if (memory->host && memory->host_bytes >= bytes)
        return ORR_OK;
    free(memory->host);
    memory->host_bytes = with_slack(bytes);
    memory->host = malloc(memory->host_bytes);
    return memory->host
               ? ORR_OK
               : ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bytes of a tree", bytes);
}

void octgrav_memory_release(struct orr_job *job)
{
    struct octgrav *s = job->state;

    for (int k = 0; k < OCTGRAV_ARRAYS; k++) {
        orr_free(job->device, s->array[k].device);
        free(s->array[k].host);
    }
    memset(s->array, 0, sizeof s->array);
}
