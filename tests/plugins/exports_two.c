/* SPDX-License-Identifier: MIT */
/* Exports a helper that should be static. */
#include "base.h"

__attribute__((visibility("default"))) int forgotten_helper(void);
int forgotten_helper(void)
{
    return 1;
}

PLUGIN(exports_two);
