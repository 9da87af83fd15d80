/* Software-defined events, written through libsde and read back through PAPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "forked_probe.h"
#include "measure/papi.h"
#include "measure/sde.h"

/* libsde is not there while this is set. */
static int hidden;

void *__real_dlopen(const char *file, int mode);
void *__wrap_dlopen(const char *file, int mode);
void *__wrap_dlopen(const char *file, int mode)
{
    return hidden && file && !strncmp(file, "libsde", 6) ? NULL : __real_dlopen(file, mode);
}

static json_t *counted(json_t *numbers)
{
    json_t *answer = orr_sde_count(numbers);
    assert_string_equal(json_string_value(json_object_get(answer, "source")), "sde");
    assert_int_equal(orr_error_code(), 0);
    json_decref(numbers);
    return answer;
}

static json_int_t value(const json_t *answer, const char *name)
{
    const json_t *found = json_object_get(json_object_get(answer, "values"), name);
    return found ? json_integer_value(found) : -1;
}

static void skip_without_sde(void)
{
    int code = orr_sde_try();
    bool absent = code && (strstr(orr_error_text(), "no PAPI") ||
                           strstr(orr_error_text(), "is not installed"));
    if (code && !absent)
        fail_msg("%s", orr_error_text());
    if (absent)
        print_message("skipped: %s\n", orr_error_text());
    orr_error_clear();
    if (absent)
        skip();
}

static void what_is_counted_is_read_back(void **state)
{
    (void)state;
    skip_without_sde();
    json_t *answer =
        counted(json_pack("{s:I, s:f, s:i, s:f, s:i}", "SR", (json_int_t)1 << 53 | 1,
                          "interactions", 1e15, "AG", 0, "odd", -1.0, "node interactions", 7));
    assert_int_equal(value(answer, "SR"), (json_int_t)1 << 53 | 1);
    assert_int_equal(value(answer, "interactions"), 1000000000000000);
    assert_int_equal(value(answer, "AG"), 0);
    assert_int_equal(value(answer, "odd"), -1); /* no event counts backwards */
    assert_int_equal(value(answer, "node_interactions"), 7);
    json_decref(answer);
    answer = counted(json_pack("{s:i}", "SR", 5)); /* of this time alone */
    assert_int_equal(value(answer, "SR"), 5);
    json_decref(answer);
}

/* As another reader of PAPI in this process: events only grow. */
static void others_see_the_events(void **state)
{
    (void)state;
    struct orr_papi_set set;
    long long seen = 0;
    skip_without_sde();
    json_decref(counted(json_pack("{s:i}", "visits", 10)));
    assert_int_equal(orr_papi_open(&set), 0);
    assert_int_equal(orr_papi_add(&set, "sde:::orrery::visits"), 0);
    assert_int_equal(orr_papi_start(&set), 0);
    json_t *answer = counted(json_pack("{s:i}", "visits", 32));
    assert_non_null(json_object_get(answer, "reason")); /* PAPI reads one set a thread */
    json_decref(answer);
    assert_int_equal(orr_papi_stop(&set, &seen), 0);
    assert_true(seen == 32);
    orr_papi_close(&set);
}

/* More than PAPI counts at a time. */
static void many_events_are_read_in_turn(void **state)
{
    (void)state;
    enum { MANY = 90 };
    json_t *numbers = json_object();
    char name[16];
    skip_without_sde();
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "many%d", k);
        json_object_set_new(numbers, name, json_integer(k));
    }
    json_t *answer = counted(numbers);
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "many%d", k);
        assert_int_equal(value(answer, name), k);
    }
    json_decref(answer);
}

static int count_without_library(json_t **out, void *context)
{
    (void)context;
    hidden = 1;
    *out = counted(json_pack("{s:i}", "SR", 1));
    return 0;
}

static void without_the_library_there_is_a_reason(void **state)
{
    (void)state;
    json_t *answer = NULL;
    assert_int_equal(orr_forked_probe(&answer, count_without_library, NULL, 30), 0);
    const char *reason = json_string_value(json_object_get(answer, "reason"));
    if (!reason || !strstr(reason, "libsde.so.1 is not installed; install libsde1"))
        fail_msg("%s", reason ? reason : "no reason");
    assert_null(json_object_get(answer, "values"));
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_library_there_is_a_reason), /* before PAPI starts */
        cmocka_unit_test(what_is_counted_is_read_back),
        cmocka_unit_test(others_see_the_events),
        cmocka_unit_test(many_events_are_read_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
