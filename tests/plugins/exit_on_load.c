/* SPDX-License-Identifier: MIT */
/* Ends the process from its constructor. */
#include <unistd.h>

#include "base.h"

__attribute__((constructor)) static void leave(void)
{
    _exit(7);
}

PLUGIN(exit_on_load);
