/* SPDX-License-Identifier: MIT */
/* Dies in its constructor. */
#include <signal.h>

#include "base.h"

__attribute__((constructor)) static void die(void)
{
    raise(SIGSEGV);
}

PLUGIN(crash_on_load);
