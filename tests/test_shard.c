/* SPDX-License-Identifier: MIT */
/* Parts of a plan: together they are all of it, and everywhere the same. */
#include "harness/plan/plan.h"
#include "tests/cases.h"

enum { CELLS = 24, MEASURED = 20, SHARDS = 3 };

/* The last four are extrapolated from the first; every fifth takes a hundred times as long. */
static void make_plan(struct orr_plan *out, bool backwards)
{
    *out = (struct orr_plan){.cells = calloc(CELLS, sizeof *out->cells), .count = CELLS};
    assert_non_null(out->cells);
    for (int k = 0; k < CELLS; k++) {
        struct orr_cell *cell = &out->cells[backwards ? CELLS - 1 - k : k];
        snprintf(cell->id, sizeof cell->id, "%016x", k * 77 + 1);
        cell->n = k % 5 ? 10 : 1000;
        if (k >= MEASURED)
            strcpy(cell->extrapolate_from, "0000000000000001");
    }
}

static double seconds(const struct orr_cell *cell)
{
    return *cell->extrapolate_from ? 0 : (double)cell->n / 10;
}

static void take(struct orr_plan *out, int number, int of, bool backwards)
{
    const struct orr_shard shard = {number, of, ""};
    make_plan(out, backwards);
    assert_int_equal(orr_plan_shard_take(out, &shard, seconds), 0);
}

static const struct orr_cell *find(const struct orr_plan *plan, const char *id)
{
    for (size_t k = 0; k < plan->count; k++)
        if (!strcmp(plan->cells[k].id, id))
            return &plan->cells[k];
    return NULL;
}

TEST(shards_are_the_plan_once)
{
    struct orr_plan all, shards[SHARDS];
    make_plan(&all, false);
    for (int s = 0; s < SHARDS; s++)
        take(&shards[s], s + 1, SHARDS, false);
    for (size_t k = 0; k < CELLS; k++) {
        int in = 0;
        for (int s = 0; s < SHARDS; s++)
            in += find(&shards[s], all.cells[k].id) != NULL;
        assert_int_equal(in, 1);
    }
    for (int s = 0; s < SHARDS; s++) {
        assert_int_equal(shards[s].split.cells, CELLS);
        assert_string_equal(shards[s].split.plan, shards[0].split.plan);
    }
    for (int s = 0; s < SHARDS; s++)
        orr_plan_release(&shards[s]);
    orr_plan_release(&all);
}

TEST(what_is_extrapolated_stays_with_its_source)
{
    for (int s = 1; s <= SHARDS; s++) {
        RELEASED_BY(orr_plan_release) struct orr_plan shard;
        take(&shard, s, SHARDS, false);
        bool source = find(&shard, "0000000000000001");
        for (size_t k = 0; k < shard.count; k++)
            assert_true(!*shard.cells[k].extrapolate_from || source);
    }
}

/* Four cells of 100 s and sixteen of 1 s. */
TEST(shards_take_about_as_long)
{
    int dear = 0, cells = 0;
    for (int s = 1; s <= 2; s++) {
        RELEASED_BY(orr_plan_release) struct orr_plan shard;
        take(&shard, s, 2, false);
        int own = 0;
        for (size_t k = 0; k < shard.count; k++)
            own += shard.cells[k].n == 1000 && !*shard.cells[k].extrapolate_from;
        assert_int_equal(own, 2);
        dear += own, cells += (int)shard.count;
    }
    assert_int_equal(dear, 4);
    assert_int_equal(cells, CELLS);
}

TEST(the_order_of_the_plan_is_of_no_account)
{
    RELEASED_BY(orr_plan_release) struct orr_plan forwards, backwards;
    take(&forwards, 2, SHARDS, false);
    take(&backwards, 2, SHARDS, true);
    assert_int_equal(forwards.count, backwards.count);
    assert_string_equal(forwards.split.plan, backwards.split.plan);
    for (size_t k = 0; k < forwards.count; k++)
        assert_non_null(find(&backwards, forwards.cells[k].id));
}

TEST(another_plan_has_another_name)
{
    RELEASED_BY(orr_plan_release) struct orr_plan plan, other;
    const struct orr_shard whole = {1, 1, ""};
    take(&plan, 1, 1, false);
    make_plan(&other, false);
    strcpy(other.cells[3].id, "ffffffffffffffff");
    assert_int_equal(orr_plan_shard_take(&other, &whole, seconds), 0);
    assert_string_not_equal(plan.split.plan, other.split.plan);
}

TEST(bad_shards)
{
    static const char *const bad[] = {"0/0", "3/2", "0/4",   "-1/4",    "1/",   "/4",   "1",
                                      "",    "a/b", "1/2/3", "1/99999", "1 /2", "1/2 ", "+1/2"};
    struct orr_shard shard;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_fails(orr_plan_shard_read(&shard, bad[k]), ORR_EUSAGE, "--shard takes I/N");
    }
    assert_int_equal(orr_plan_shard_read(&shard, "2/4"), 0);
    assert_true(shard.number == 2 && shard.of == 4);
}

TEST(more_shards_than_cells)
{
    RELEASED_BY(orr_plan_release) struct orr_plan plan;
    const struct orr_shard shard = {1, MEASURED + 1, ""};
    make_plan(&plan, false);
    assert_fails(orr_plan_shard_take(&plan, &shard, seconds), ORR_EUSAGE,
                 "there are 20 cells to measure, too few for 21 shards");
}

RUN_TESTS(NULL, NULL)
