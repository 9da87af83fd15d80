/* What is counted beside the counters of a device: the window that a witness watches, in a worker,
 * and what of that and of the variant's own numbers comes into a record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "error.h"
#include "json_member.h"
#include "run/cell_counters.h"
#include "tests/home_for_tests.h"
#include "tests/random_for_tests.h"
#include "tests/referee_for_tests.h"
#include "tests/verify_for_tests.h"

/* --- the window --- */

/* On the host nothing watches: the window is taken all the same, and the witness says why. */
static void a_window_without_energy(void **state)
{
    (void)state;
    char sha[65];
    json_t *answer = NULL;
    struct orr_bodies bodies = cloud(64, seed);
    bodies.eps = 0.1;
    orr_bodies_sha256(&bodies, sha);
    struct orr_cell_run run = {.referee = make_referee(),
                               .variant = "plugins/spring",
                               .device = "host",
                               .bodies = &bodies,
                               .sha256 = sha,
                               .bound = {1e30, 1e30, 1e30, false},
                               .targets = {.count = 16, .seed = seed},
                               .witness = true};
    assert_int_equal(set_out(&run), 0);
    assert_int_equal(orr_cell_run_joules(&run, false, 0.05, 8, &answer), 0);
    assert_true(orr_json_integer(answer, "steps") >= 8);
    assert_null(json_object_get(answer, "reason"));
    assert_null(json_object_get(answer, "joules"));
    const char *reason = orr_json_text(json_object_get(answer, "gpm"), "reason");
    assert_non_null(strstr(reason, "no GPU"));
    json_decref(answer);
    run.witness = false;
    assert_int_equal(orr_cell_run_joules(&run, true, 0.05, 8, &answer), 0);
    assert_null(json_object_get(answer, "gpm"));
    assert_true(orr_json_text(answer, "reason") || json_object_get(answer, "joules"));
    json_decref(answer);
    struct orr_referee *referee = run.referee;
    orr_cell_run_release(&run);
    end_referee(referee);
    orr_bodies_release(&bodies);
}

/* --- the record --- */

static json_t *source_of(const json_t *record, const char *name)
{
    size_t k;
    json_t *one;
    json_array_foreach(json_object_get(record, "counters"), k, one)
    {
        if (!strcmp(orr_json_text(one, "source"), name))
            return one;
    }
    return NULL;
}

/* Of a cell that asks for `groups` on a device of that kind; nothing that needs a worker. */
static json_t *take(json_t *record, const char *groups, const char *kind, json_t *witness)
{
    struct orr_referee referee = {.worker = {.pid = 0}};
    struct orr_cell cell = {.id = "a"};
    struct orr_cell_run run = {
        .referee = &referee,
        .about = json_pack("{s:s, s:s}", "device", "cuda:0", "device_kind", kind)};
    snprintf(cell.counters, sizeof cell.counters, "%s", groups);
    run.witness = orr_cell_counters_witness(&run, &cell);
    assert_int_equal(orr_cell_counters_take(record, &run, &cell, witness), 0);
    json_decref(run.about);
    json_decref(witness);
    return record;
}

static void the_witness_comes_into_the_record(void **state)
{
    (void)state;
    json_t *record = take(json_object(), "activity", "gpu",
                          json_pack("{s:s, s:{s:f}, s:{s:f}}", "source", "gpm", "values",
                                    "sm_active", 0.5, "raw", "SM_UTIL", 50.0)),
           *gpm = source_of(record, "gpm");
    assert_true(orr_json_number(json_object_get(gpm, "values"), "sm_active") == 0.5);
    assert_int_equal(json_array_size(json_object_get(record, "counters")), 1);
    json_decref(record);
    record = take(json_object(), "activity", "gpu", NULL);
    assert_non_null(strstr(orr_json_text(source_of(record, "gpm"), "reason"), "nearly over"));
    json_decref(record);
    record = take(json_object(), "activity", "host", NULL);
    assert_non_null(strstr(orr_json_text(source_of(record, "none"), "reason"), "activity"));
    json_decref(record);
    record = take(json_object(), "none", "gpu", NULL);
    assert_null(json_object_get(record, "counters"));
    json_decref(record);
}

/* Sums over the procedures, interactions, figures; or why none could be read back. */
static void work_comes_into_the_record(void **state)
{
    (void)state;
    json_t *record = json_pack("{s:{s:{s:i, s:i}, s:{s:i}}, s:f, s:{s:i}}", "counts", "Father box",
                               "SR", 3, "CP", 2, "Neighbor box", "SR", 4, "interactions", 12.0,
                               "figures", "node interactions", 6),
           *sde = source_of(take(record, "work", "gpu", NULL), "sde"),
           *values = json_object_get(sde, "values");
    const char *reason = orr_json_text(sde, "reason");
    if (reason) {
        assert_true(strstr(reason, "no PAPI") || strstr(reason, "is not installed"));
        print_message("skipped: %s\n", reason);
        json_decref(record);
        skip();
    }
    assert_int_equal(orr_json_integer(values, "SR"), 7);
    assert_int_equal(orr_json_integer(values, "CP"), 2);
    assert_int_equal(orr_json_integer(values, "interactions"), 12);
    assert_int_equal(orr_json_integer(values, "node_interactions"), 6);
    json_decref(record);
    record = take(json_object(), "work", "gpu", NULL);
    assert_non_null(strstr(orr_json_text(source_of(record, "sde"), "reason"), "nothing of its"));
    json_decref(record);
}

int main(void)
{
    print_seed();
    use_test_plugins();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_without_energy),
        cmocka_unit_test(the_witness_comes_into_the_record),
        cmocka_unit_test(work_comes_into_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
