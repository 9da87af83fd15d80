/* SPDX-License-Identifier: MIT */
/* The sort of keys on the host's threads, against a plain one: keys of every kind of clustering,
 * any number of threads. */
#include "error.h"
#include "random_for_tests.h"
#include "tests/cases.h"
#include "variants/common/host_sort.h"

static const struct orr_host host = {.fail = orr_error_set};
static const struct orr_job job = {.host = &host};

static uint64_t bits(void)
{
    return (uint64_t)random_below(1LL << 31) << 33 ^ (uint64_t)random_below(1LL << 31) << 11 ^
           (uint64_t)random_below(1 << 11);
}

/* Keys that are random, few, in a cluster with some outliers, all the same, in order, in reverse,
 * of the lowest bit alone, nested: each of the next is nearer to 0; or nearly in order: with a few
 * that are anywhere, with many that are off by little, in two rows with equal keys. */
static uint64_t key_of(int kind, size_t k, size_t n)
{
    switch (kind) {
    case 0:
        return bits();
    case 1:
        return (uint64_t)random_below(5) << 60;
    case 2:
        return k % 1000 ? 77 + bits() % 100000 : bits();
    case 3:
        return 12345;
    case 4:
        return (uint64_t)k;
    case 5:
        return UINT64_MAX - (uint64_t)k * (UINT64_MAX / n);
    case 6:
        return bits() & 1;
    case 7:
        return k % 50 ? (uint64_t)k * 1000 : bits() % (1000 * n);
    case 8:
        return (uint64_t)k * 100 + bits() % 150;
    case 9:
        return k % 100 < 97 ? (uint64_t)k / 8 : (uint64_t)k / 8 + bits() % 9 - (k > 40 ? 4 : 0);
    case 10:
        return k < n / 2 ? (uint64_t)k / 3 : (uint64_t)(k - n / 2) / 3;
    default:
        return bits() >> random_below(64);
    }
}
enum { KINDS = 12 };

/* By key, then by place in the input: what a stable sort makes. */
static int by_key(const void *a, const void *b)
{
    const struct host_place *p = a, *q = b;

    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->body < q->body ? -1 : p->body > q->body;
}

static void check(size_t n, int kind)
{
    struct host_place *input = calloc(n, sizeof *input), *expected = calloc(n, sizeof *input);
    struct host_sort sort = {0};
    const size_t room = n + (size_t)(random_below(2) * random_below(20000));

    for (size_t k = 0; k < n; k++)
        input[k] = expected[k] =
            (struct host_place){.key = key_of(kind, k, n), .body = (uint32_t)k};
    qsort(expected, n, sizeof *expected, by_key);
    for (int threads = 1; threads <= 3; threads++) {
        assert_int_equal(host_sort_prepare(&job, &sort, room, threads), 0);
        memcpy(sort.places, input, n * sizeof *input);
        host_sort_run(&sort, n, threads);
        for (size_t k = 0; k < n; k++)
            if (by_key(&sort.places[k], &expected[k]))
                fail_msg("%zu keys of kind %d on %d threads: place %zu is wrong", n, kind, threads,
                         k);
    }
    host_sort_release(&sort);
    host_sort_release(&sort);
    free(input);
    free(expected);
}

TEST(test_all_kinds)
{
    static const size_t sizes[] = {1, 2, 3, 24, 25, 31, 64, 65, 1003, 4095, 4096, 70001};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int kind = 0; kind < KINDS; kind++)
            check(sizes[k], kind);
}

RUN_TESTS(NULL, NULL)
