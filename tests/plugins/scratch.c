/* Honest: takes memory and buffers in each step and gives them back; what the first step keeps is
 * kept once. The twin of leaks_host and leaks_buffer. */
#include <string.h>

#include "cheats.h"

static void *volatile kept;

static int step(struct orr_job *job)
{
    struct orr_buffer *buffer;
    int code = orr_alloc(job->device, &buffer, 65536);
    char *memory = malloc(65536);
    if (memory)
        memset(memory, 1, 65536);
    if (!kept)
        kept = memory;
    else
        free(memory);
    orr_free(job->device, buffer);
    return code ? code : sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/scratch", .step = step};
