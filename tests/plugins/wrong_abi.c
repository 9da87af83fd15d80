/* Built for another version of the contract. */
#include "base.h"

const struct orr_variant orr_variant = {.abi = ORR_VARIANT_ABI + 1,
                                        .size = sizeof(struct orr_variant),
                                        .name = "plugins/wrong_abi",
                                        .step = do_nothing};
