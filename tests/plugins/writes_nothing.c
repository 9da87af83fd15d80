/* Runs without a complaint and returns nothing. */
#include "base.h"

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    return 0;
}

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .build_flags = ORR_BUILD_FLAGS,
    .name = "plugins/writes_nothing",
    .summary = "a test",
    .capabilities = ORR_RUNS_HOST,
    .dimensions = 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .step = do_nothing,
    .fetch = fetch,
};
