/* Ends the process from its constructor. */
#include <unistd.h>

#include "base.h"

__attribute__((constructor)) static void leave(void)
{
    _exit(7);
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/exit_on_load",
                                        .step = do_nothing};
