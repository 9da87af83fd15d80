/* Fresh random numbers in every run of a test; the seed is printed, and ORRERY_TEST_SEED=that
 * repeats the run. */
#ifndef ORR_RANDOM_FOR_TESTS_H
#define ORR_RANDOM_FOR_TESTS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned long long seed;

static inline void print_seed(void)
{
    const char *repeated = getenv("ORRERY_TEST_SEED");
    seed = repeated ? strtoull(repeated, NULL, 10) : (unsigned long long)time(NULL);
    printf("seed %llu\n", seed);
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
