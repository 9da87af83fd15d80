/* SPDX-License-Identifier: MIT */
/* Work shared among processes: each piece once, the error of the one that failed, and a crash. */
#include <sys/mman.h>

#include "process.h"
#include "tests/cases.h"

enum { PIECES = 100, FAILING = 7, CRASHING = 8 };

struct seen {
    int times[PIECES];
    int way; /* FAILING, CRASHING or 0 */
};

static int work(size_t k, void *context)
{
    struct seen *seen = context;
    seen->times[k]++;
    if (seen->way == FAILING && k == 3)
        return orr_fail(ORR_EIO, "piece %zu failed", k);
    if (seen->way == CRASHING && k == 3)
        abort();
    return 0;
}

static void hear(size_t done, void *context)
{
    assert_true(done <= PIECES);
}

static struct seen *shared(int way)
{
    struct seen *seen =
        mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(seen, MAP_FAILED);
    seen->way = way;
    return seen;
}

static int do_all(struct seen *seen)
{
    struct orr_forked_work work_of;
    assert_int_equal(orr_forked_work_start(&work_of, PIECES, work, seen), 0);
    return orr_forked_work_end(&work_of, hear);
}

TEST(each_piece_is_done_once)
{
    struct seen *seen = shared(0);
    assert_int_equal(do_all(seen), 0);
    for (int k = 0; k < PIECES; k++)
        assert_int_equal(seen->times[k], 1);
    munmap(seen, sizeof *seen);
}

TEST(an_error_comes_back)
{
    struct seen *seen = shared(FAILING);
    orr_error_clear();
    assert_int_equal(do_all(seen), ORR_EIO);
    assert_non_null(strstr(orr_error_text(), "piece 3 failed"));
    munmap(seen, sizeof *seen);
}

TEST(a_crash_is_an_error)
{
    struct seen *seen = shared(CRASHING);
    orr_error_clear();
    assert_int_equal(do_all(seen), ORR_EINTERNAL);
    assert_non_null(strstr(orr_error_text(), "crashed"));
    munmap(seen, sizeof *seen);
}

RUN_TESTS(NULL, NULL)
