/* Computes in upload, which is not part of the step. Caught by its clock: an upload that takes
 * longer than moving the bodies becomes part of the step's time. */
#include "cheats.h"

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/in_upload",
                                        .upload = sums_step, .step = do_nothing};
