/* Exports a helper that should be static. */
#include "base.h"

__attribute__((visibility("default"))) int forgotten_helper(void);
int forgotten_helper(void)
{
    return 1;
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/exports_two",
                                        .step = do_nothing};
