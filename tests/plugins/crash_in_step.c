/* Loads well, then dies in the timed step. */
#include <signal.h>

#include "base.h"

static int step(struct orr_job *job)
{
    raise(SIGSEGV);
    return 0;
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/crash_in_step",
                                        .step = step};
