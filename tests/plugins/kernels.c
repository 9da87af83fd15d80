/* Runs on devices only; has no `mode`. */
#include "base.h"

static const struct orr_source sources[] = {{"nothing", "__kernel void nothing(void) {}"}};

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI,
                                        .size = sizeof(struct orr_variant),
                                        .build_flags = ORR_BUILD_FLAGS,
                                        .name = "plugins/kernels",
                                        .summary = "a test of devices",
                                        .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA,
                                        .dimensions = 3,
                                        .params = params,
                                        .param_count = sizeof params / sizeof *params - 1,
                                        .params_size = sizeof(struct params),
                                        .sources = sources,
                                        .source_count = 1,
                                        .step = do_nothing,
                                        .fetch = fetch_zeros};
