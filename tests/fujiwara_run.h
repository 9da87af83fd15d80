/* The variants of fujiwara, for the tests of their forces and of their integration. */
#ifndef ORR_TEST_FUJIWARA_RUN_H
#define ORR_TEST_FUJIWARA_RUN_H

#include "space_run.h"

static const char *const names[] = {"fujiwara/cpu-only",         "fujiwara/cpu-simd",
                                    "fujiwara/no-unrolling",     "fujiwara/simple-unrolling",
                                    "fujiwara/double-unrolling", "fujiwara/optimised"};

static inline int load(void **state)
{
    (void)state;
    return load_variants(names, sizeof names / sizeof *names);
}

#endif
