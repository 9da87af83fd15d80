/* SPDX-License-Identifier: MIT */
/* How long a run will take, by recorded journals: the reference results, and made-up ones. */
#include "json_member.h"
#include "ledger/journal.h"
#include "run/time_estimate.h"
#include "tests/cases.h"

static struct orr_cell make_cell(uint64_t n)
{
    struct orr_cell cell = {.id = "00000000000000aa",
                            .variant = "p/a",
                            .device = "cuda:0",
                            .n = n,
                            .timeout_s = 300,
                            .policy = {5, 40, 0.01, 0.7, 1}};
    return cell;
}

/* A record of such a cell: a step of 50 ms, ten samples. */
static json_t *make_record(const struct orr_cell *cell, double wall_s)
{
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:{s:I}, s:{}, s:o, s:s, s:f, s:f, s:f, s:f, s:i, s:i, s:s}",
        "record", "cell", "id", cell->id, "variant", cell->variant, "device", cell->device,
        "dataset", "n", (json_int_t)cell->n, "parameters", "policy",
        orr_cell_policy_to_json(&cell->policy), "outcome", "ok", "interactions",
        orr_cell_pairs(cell), "seconds", 0.05, "end_to_end_seconds", 0.051, "wall_s", wall_s,
        "batch", 1, "warmups", 4, "stop", "converged");
    json_t *steps = json_array();
    for (int k = 0; k < 10; k++)
        json_array_append_new(steps, json_real(0.05));
    json_object_set_new(record, "samples", json_pack("{s:o}", "step_s", steps));
    return record;
}

static void learn(struct orr_time_estimate *estimate, json_t *record)
{
    orr_time_estimate_add(estimate, record);
    json_decref(record);
}

static double estimate_of(const struct orr_time_estimate *estimate, const struct orr_cell *cell,
                          bool later, enum orr_time_basis basis)
{
    const struct orr_time time = orr_time_estimate_cell(estimate, cell, later);
    assert_int_equal(time.basis, basis);
    return time.seconds;
}

/* 1 s less 14 samples of 0.101 s and 3 more steps is the rest, of which a later round takes 0.15;
 * a cell is sampled by what is asked of it now: 6 samples of warm-up, less with a fifth of the
 * limit, and at most 40 samples, of 50 ms. */
TEST(a_cell_takes_its_rest_and_its_samples)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000);
    learn(&estimate, make_record(&cell, 3));
    const double rest = 3 - 14 * 0.101 - 3 * 0.05;
    cell.policy.time_limit_s = 10;
    assert_close(estimate_of(&estimate, &cell, false, ORR_TIME_MEASURED), rest + 49 * 0.05, 1e-9);
    assert_close(estimate_of(&estimate, &cell, true, ORR_TIME_SCALED), 0.15 * rest + 49 * 0.05,
                 1e-9);
    cell.policy.time_limit_s = 0.2;
    assert_close(estimate_of(&estimate, &cell, false, ORR_TIME_MEASURED), rest + 4 * 0.05 + 0.2,
                 1e-9);
    cell.timeout_s = 0.5;
    assert_true(estimate_of(&estimate, &cell, false, ORR_TIME_MEASURED) == 0.5);
    cell.once = true;
    cell.timeout_s = 0;
    assert_close(estimate_of(&estimate, &cell, false, ORR_TIME_SCALED), rest + 3 * 0.05, 1e-9);
    json_t *record = make_record(&cell, 1.7);
    json_object_set_new(record, "round", json_integer(2));
    learn(&estimate, record);
    cell.once = false;
    assert_close(estimate_of(&estimate, &cell, true, ORR_TIME_MEASURED),
                 1.7 - 14 * 0.101 + 0.05 + 0.2, 1e-9);
}

/* By itself, or that of its variant which is nearest in work. */
TEST(steps_are_scaled_from_the_most_alike)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(3163), other = make_cell(1000); /* 1e7 and 1e6 pairs */
    json_t *record = make_record(&other, 1);
    cell.once = true;
    cell.id[0] = 'f';
    const double guess = 0.15 + 1 + 3 * 0.01;
    assert_close(estimate_of(&estimate, &cell, false, ORR_TIME_GUESSED), guess, 1e-4);
    json_object_set_new(record, "wall_s", json_real(0));
    json_object_set_new(record, "seconds", json_real(0.003));
    learn(&estimate, json_deep_copy(record));
    assert_close(estimate_of(&estimate, &cell, false, ORR_TIME_SCALED), 3 * 0.03, 1e-3);
    json_object_set_new(record, "interactions", json_real(1e7));
    json_object_set_new(record, "seconds", json_real(0.06));
    learn(&estimate, record);
    assert_close(estimate_of(&estimate, &cell, false, ORR_TIME_SCALED), 3 * 0.06, 1e-3);
    cell.n = 200000; /* from four thousand times less work */
    estimate_of(&estimate, &cell, false, ORR_TIME_GUESSED);
}

TEST(what_is_not_run_takes_nothing)
{
    struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000000);
    snprintf(cell.extrapolate_from, sizeof cell.extrapolate_from, "00000000000000ab");
    assert_true(estimate_of(&estimate, &cell, false, ORR_TIME_GUESSED) == 0);
    *cell.extrapolate_from = '\0';
    assert_true(estimate_of(&estimate, &cell, false, ORR_TIME_GUESSED) > 0);
    cell.refused = -1;
    assert_true(estimate_of(&estimate, &cell, false, ORR_TIME_GUESSED) == 0);
}

TEST(durations_are_rounded_up)
{
    char text[32];
    assert_string_equal(orr_time_left_duration(text, sizeof text, 44.2), "45s");
    assert_string_equal(orr_time_left_duration(text, sizeof text, 360), "6m");
    assert_string_equal(orr_time_left_duration(text, sizeof text, 7800), "2h10m");
}

RUN_TESTS(NULL, NULL)
