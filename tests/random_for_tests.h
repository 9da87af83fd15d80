/* SPDX-License-Identifier: MIT */
/* Random numbers for tests: the same in every run, so that a test that fails is not a matter of
 * luck. ORRERY_TEST_SEED=N takes others, `make test-random` fresh ones; the seed is printed. */
#ifndef ORR_RANDOM_FOR_TESTS_H
#define ORR_RANDOM_FOR_TESTS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed = 20070809;

/* Before main. */
__attribute__((constructor)) static void take_seed(void)
{
    const char *given = getenv("ORRERY_TEST_SEED");
    if (given)
        seed = strtoull(given, NULL, 10);
    printf("ORRERY_TEST_SEED=%llu\n", (unsigned long long)seed);
}

static inline double uniform(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static inline long long random_below(long long limit)
{
    return (long long)(uniform() * (double)limit);
}

#endif
