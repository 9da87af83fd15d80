/* Lies about its name. */
#include "base.h"

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/another",
                                        .step = do_nothing};
