/* An accident: each step leaves a buffer of the device behind. Right all the same: the cell stays
 * `ok`, and its record says so. */
#include "cheats.h"

static int step(struct orr_job *job)
{
    struct orr_buffer *lost;
    int code = orr_alloc(job->device, &lost, 65536);
    return code ? code : sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/leaks_buffer", .step = step};
