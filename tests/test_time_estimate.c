/* SPDX-License-Identifier: MIT */
/* How long a run will take, by recorded journals: the reference results, and made-up ones. */
#include "device/device.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "run/time_estimate.h"
#include "tests/cases.h"

/* The quick preset's when the reference results were measured. */
static const struct orr_policy then = {10, 100, 0.01, 2, 2, false, false};

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

/* A record of such a cell: a step of 50 ms, ten samples, a second in all. */
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

/* The first round has them, if they are asked for; a like cell takes as long to be counted. */
TEST(energy_and_counters_take_their_time)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000), plain;
    cell.policy.joules = true;
    strcpy(cell.counters, "auto");
    plain = cell;
    plain.policy.joules = false;
    strcpy(plain.counters, "none");
    json_t *record = make_record(&cell, 4);
    json_object_set_new(record, "energy", json_pack("{s:f}", "window_s", 0.5));
    json_object_set_new(record, "counters_s", json_real(2));
    learn(&estimate, record);
    assert_true(orr_time_estimate_cell(&estimate, &cell, false) == 4);
    /* 0.636 s of it were neither steps nor these */
    assert_close(orr_time_estimate_cell(&estimate, &cell, true), 1.5 - 0.85 * 0.636, 1e-9);
    assert_true(orr_time_estimate_cell(&estimate, &plain, false) == 1.5);
    cell.id[0] = plain.id[0] = 'f';
    assert_true(fabs(orr_time_estimate_cell(&estimate, &cell, false) -
                     orr_time_estimate_cell(&estimate, &plain, false) - 2.5) < 1e-9);
}

TEST(a_cell_takes_what_it_took)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000);
    json_t *record = make_record(&cell, 3);
    json_object_set_new(record, "kernels",
                        json_pack("[{s:f, s:b}, {s:f, s:b}]", "build_s", 2.0, "cached", 0,
                                  "build_s", 0.1, "cached", 1));
    learn(&estimate, record);
    assert_true(orr_time_estimate_cell(&estimate, &cell, false) == 1); /* cached now */
    assert_close(orr_time_estimate_cell(&estimate, &cell, true), 1 - 0.85 * 0.136, 1e-9);
    record = make_record(&cell, 0.8);
    json_object_set_new(record, "round", json_integer(2));
    learn(&estimate, record);
    assert_true(orr_time_estimate_cell(&estimate, &cell, false) == 1);
    assert_true(orr_time_estimate_cell(&estimate, &cell, true) == 0.8);
    cell.timeout_s = 0.5;
    assert_true(orr_time_estimate_cell(&estimate, &cell, true) == 0.5);
}

/* Two kernels of one program, and one of another. The platform of a CPU takes its time for them in
 * each process. */
TEST(builds_count_once_and_those_of_a_cpu_each_time)
{
    for (int kind = ORR_DEVICE_CPU; kind <= ORR_DEVICE_GPU; kind++) {
        RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
        struct orr_cell cell = make_cell(1000), other = make_cell(1000);
        json_t *run = json_pack("{s:s, s:[{s:s, s:i}]}", "record", "run", "devices", "id",
                                cell.device, "kind", kind),
               *record = make_record(&cell, 9);
        orr_time_estimate_add(&estimate, run);
        json_decref(run);
        json_object_set_new(record, "kernels",
                            json_pack("[{s:f, s:b}, {s:f, s:b}, {s:f, s:b}]", "build_s", 2.0,
                                      "cached", 0, "build_s", 2.0, "cached", 0, "build_s", 1.0,
                                      "cached", 0));
        learn(&estimate, record);
        assert_true(orr_time_estimate_cell(&estimate, &cell, false) ==
                    (kind == ORR_DEVICE_CPU ? 9 : 6));
        other.id[0] = 'f';
        snprintf(other.variant, sizeof other.variant, "p/b");
        double first = orr_time_estimate_cell(&estimate, &other, false),
               later = orr_time_estimate_cell(&estimate, &other, true);
        assert_true(fabs(first - later - (kind == ORR_DEVICE_CPU ? 0 : 3)) < 1e-9);
    }
}

TEST(another_policy_takes_other_samples)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000);
    learn(&estimate, make_record(&cell, 1));
    /* 1 s less 14 samples of 51 ms and 3 more steps; 6 samples of warm-up, less with a fifth of the
     * limit, and 10 samples. */
    const double rest = 1 - 14 * 0.051 - 3 * 0.05, sampled = 10 * 0.051;
    cell.policy.time_limit_s = 10;
    double took = orr_time_estimate_cell(&estimate, &cell, false);
    assert_true(fabs(took - (rest + 3 * 0.05 + 6 * 0.051 + sampled)) < 1e-9);
    cell.policy.time_limit_s = 0.2;
    took = orr_time_estimate_cell(&estimate, &cell, false);
    assert_true(fabs(took - (rest + 3 * 0.05 + 0.051 + 0.2)) < 1e-9);
    cell.once = true;
    took = orr_time_estimate_cell(&estimate, &cell, false);
    assert_true(fabs(took - (rest + 3 * 0.05)) < 1e-9);
}

/* A thousand bodies leave a GPU idle, and their cell had to wait for it: neither grows with them.
 */
TEST(small_cells_do_not_frighten)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell small = make_cell(1000), large = make_cell(1000000);
    double gpu, other;
    for (int kind = ORR_DEVICE_CPU; kind <= ORR_DEVICE_GPU; kind++) {
        learn(&estimate,
              json_pack("{s:s, s:s, s:[{s:s, s:i}]}", "record", "run", "started",
                        "2026-01-01T00:00:00Z", "devices", "id", "cuda:0", "kind", kind));
        json_t *record = make_record(&small, 2);
        json_object_set_new(record, "seconds", json_real(2e-5));
        json_object_set_new(record, "end_to_end_seconds", json_real(3e-5));
        learn(&estimate, record);
        orr_time_estimate_step(kind == ORR_DEVICE_GPU ? &gpu : &other, &estimate, &large);
    }
    assert_true(other > 15 && other < 25); /* 2e-5 s of 1e6 pairs, a million times */
    assert_true(gpu > other / 100 && gpu < other / 40);
    snprintf(large.id, sizeof large.id, "another");
    double all = orr_time_estimate_cell(&estimate, &large, true);
    assert_true(all > 2 &&
                all < 30); /* 1.9 s beside the steps of the small one, not a thousandfold */
}

TEST(what_is_not_run_takes_nothing)
{
    struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000000);
    snprintf(cell.extrapolate_from, sizeof cell.extrapolate_from, "00000000000000ab");
    assert_true(orr_time_estimate_cell(&estimate, &cell, false) == 0);
    *cell.extrapolate_from = '\0';
    assert_true(orr_time_estimate_cell(&estimate, &cell, false) > 0);
    cell.refused = -1;
    assert_true(orr_time_estimate_cell(&estimate, &cell, false) == 0);
}

/* Compiling is counted where nothing of the kind was compiled yet, and in the first round only. */
TEST(new_kernels_are_compiled_once)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000), other = make_cell(1000);
    json_t *record = make_record(&cell, 9);
    json_object_set_new(record, "kernels", json_pack("[{s:f, s:b}]", "build_s", 7.0, "cached", 0));
    learn(&estimate, record);
    other.id[0] = 'f';
    snprintf(other.variant, sizeof other.variant, "p/b");
    double first = orr_time_estimate_cell(&estimate, &other, false),
           later = orr_time_estimate_cell(&estimate, &other, true);
    assert_true(fabs(first - later - 7) < 1e-9);
    snprintf(other.device, sizeof other.device, "host");
    assert_true(orr_time_estimate_cell(&estimate, &other, false) ==
                orr_time_estimate_cell(&estimate, &other, true));
}

TEST(runs_tell_what_is_beside_cells)
{
    RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
    struct orr_cell cell = make_cell(1000);
    assert_true(orr_time_estimate_beside(&estimate) > 0);
    learn(&estimate, json_pack("{s:s, s:s}", "record", "run", "started", "2026-01-01T23:59:50Z"));
    for (int round = 1; round <= 2; round++) {
        json_t *record = make_record(&cell, 3);
        json_object_set_new(record, "round", json_integer(round));
        learn(&estimate, record);
    }
    learn(&estimate, json_pack("{s:s, s:s}", "record", "end", "finished", "2026-01-02T00:00:00Z"));
    assert_true(fabs(orr_time_estimate_beside(&estimate) - 2) < 1e-9);
    learn(&estimate, json_pack("{s:s, s:s}", "record", "run", "started", "2026-01-01T00:00:00Z"));
    learn(&estimate, json_pack("{s:s}", "record", "resume"));
    learn(&estimate, json_pack("{s:s, s:s}", "record", "end", "finished", "2026-01-03T00:00:00Z"));
    assert_true(fabs(orr_time_estimate_beside(&estimate) - 2) < 1e-9);
}

/* --- the reference journals --- */

struct journal {
    struct orr_time_estimate *known; /* by the journals before; NULL: only count */
    double actual, estimated;
};

static struct orr_cell cell_of(json_t *record)
{
    json_t *set = json_object_get(record, "dataset"), *value;
    struct orr_cell cell = {.n = (uint64_t)orr_json_integer(set, "n"), .policy = then};
    const char *name;
    json_t *samples = json_object_get(record, "samples"), *all;
    all = json_object_get(samples, "end_to_end_s");
    if (!strcmp(orr_json_text(record, "stop"), "time limit")) /* which an experiment may set */
        cell.policy.time_limit_s = (double)json_array_size(all) *
                                   fmax(orr_json_number(record, "batch"), 1) *
                                   orr_json_number(record, "end_to_end_seconds");
    snprintf(cell.id, sizeof cell.id, "%s", orr_json_text(record, "id"));
    snprintf(cell.variant, sizeof cell.variant, "%s", orr_json_text(record, "variant"));
    snprintf(cell.device, sizeof cell.device, "%s", orr_json_text(record, "device"));
    snprintf(cell.dataset, sizeof cell.dataset, "%s", orr_json_text(set, "name"));
    json_object_foreach (json_object_get(record, "parameters"), name, value) {
        struct orr_setting *to = &cell.settings[cell.setting_count++];
        snprintf(to->name, sizeof to->name, "%s", name);
        if (json_is_string(value))
            snprintf(to->value, sizeof to->value, "%s", json_string_value(value));
        else
            snprintf(to->value, sizeof to->value, "%.17g", json_number_value(value));
    }
    return cell;
}

static int learn_line(json_t *record, size_t line, void *context)
{
    (void)line;
    orr_time_estimate_add(context, record);
    return 0;
}

static int guess_line(json_t *record, size_t line, void *context)
{
    struct journal *journal = context;
    (void)line;
    const char *kind = orr_json_text(record, "record");
    if (!kind || strcmp(kind, "cell") || json_object_get(record, "extrapolated_from") ||
        strcmp(orr_json_text(record, "outcome"), "ok"))
        return 0;
    struct orr_cell cell = cell_of(record);
    journal->actual += orr_json_number(record, "wall_s");
    journal->estimated += orr_time_estimate_cell(journal->known, &cell, false);
    return 0;
}

TEST(recorded_runs_are_estimated)
{
    static const char *const names[] = {"20261120T160029Z-13bc", "20261122T012552Z-f829",
                                        "20261122T045900Z-a97c"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        RELEASED_BY(orr_time_estimate_release) struct orr_time_estimate estimate = {0};
        struct journal journal = {.known = &estimate};
        const char *path = filled("tests/data/intel-xeon-2-cores/%s.jsonl", names[k]);
        assert_int_equal(orr_journal_read(path, learn_line, &estimate, NULL), 0);
        assert_int_equal(orr_journal_read(path, guess_line, &journal, NULL), 0);
        double factor = journal.estimated / journal.actual;
        print_message("%s: %.0f s were %.0f s, by a factor of %.2f\n", names[k], journal.estimated,
                      journal.actual, factor);
        assert_true(factor > 1 / 1.5 && factor < 1.5);
    }
}

RUN_TESTS(NULL, NULL)
