/* A parameter that lies outside the parameter struct. */
#include "base.h"

static const struct orr_param broken[] = {
    {"far", ORR_PARAM_INT, sizeof(struct params), 0, 0, 1, NULL, "beyond the end"}};

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI,
                                        .size = sizeof(struct orr_variant),
                                        .build_flags = ORR_BUILD_FLAGS,
                                        .name = "plugins/bad_parameter",
                                        .summary = "a test",
                                        .capabilities = ORR_RUNS_HOST,
                                        .dimensions = 3,
                                        .params = broken,
                                        .param_count = 1,
                                        .params_size = sizeof(struct params),
                                        .step = do_nothing,
                                        .fetch = fetch_zeros};
