/* Nothing is wrong with this one. */
#include "base.h"

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/good", .step = do_nothing};
