/* Dies in its constructor. */
#include <signal.h>

#include "base.h"

__attribute__((constructor)) static void die(void)
{
    raise(SIGSEGV);
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/crash_on_load",
                                        .step = do_nothing};
