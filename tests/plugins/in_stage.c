/* Computes in upload and declares it as a stage, which is timed apart. Caught by the ceiling: the
 * step that is left is faster than the device can be. */
#include "cheats.h"

static int upload(struct orr_job *job)
{
    orr_stage(job, "encode");
    int code = sums_step(job);
    orr_stage(job, NULL);
    return code;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/in_stage", .upload = upload,
                                        .step = do_nothing};
