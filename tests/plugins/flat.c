/* In the plane, but knows nothing of boxes. */
#include "base.h"

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI,
                                        .size = sizeof(struct orr_variant),
                                        .build_flags = ORR_BUILD_FLAGS,
                                        .name = "plugins/flat",
                                        .summary = "a test of two dimensions",
                                        .capabilities = ORR_RUNS_HOST,
                                        .dimensions = 2,
                                        .params = params,
                                        .param_count = 1, /* eps */
                                        .params_size = sizeof(struct params),
                                        .step = do_nothing,
                                        .fetch = fetch_zeros};
