/* SPDX-License-Identifier: MIT */
/* Records as docs/ARCHITECTURE.md describes them: measured ones are. */
#include "harness/ledger/journal.h"
#include "tests/cases.h"

static char why[200];

static bool misfits(const char *text)
{
    json_auto_t *record = json_loads(text, 0, NULL);
    assert_non_null(record);
    bool found = orr_journal_misfit(why, sizeof why, record);
    return found;
}

TEST(members_and_their_types)
{
    static const char *const cases[][2] = {
        {"{}", "it is no record"},
        {"{\"record\":\"sell\"}", "there is no record 'sell'"},
        {"{\"record\":\"end\"}", "end lacks finished"},
        {"{\"record\":\"end\",\"finished\":null}", "end lacks finished"},
        {"{\"record\":\"end\",\"finished\":\"x\",\"ok\":-1}", "end: ok is no count"},
        {"{\"record\":\"end\",\"finished\":\"x\",\"ok\":1.5}", "end: ok is no count"},
        {"{\"record\":\"resume\",\"started\":\"x\",\"orrery\":[]}", "resume: orrery is no object"},
        {"{\"record\":\"ceiling\",\"device\":\"d\",\"device_name\":\"n\","
         "\"interactions_per_second\":1,\"fma_per_second\":\"1\"}",
         "ceiling: fma_per_second is no number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(misfits(cases[k][0]));
        assert_string_equal(why, cases[k][1]);
    }
    assert_false(misfits("{\"record\":\"end\",\"finished\":\"x\",\"ok\":1,\"wrong\":0,\"failed\":0,"
                         "\"unsupported\":0,\"interrupted\":false,\"more\":1}"));
}

TEST(a_newer_schema)
{
    assert_true(misfits("{\"record\":\"run\",\"schema\":99,\"run\":\"r\",\"started\":\"s\","
                        "\"request\":{\"what\":[]},\"orrery\":{\"version\":\"1\",\"commit\":\"c\"},"
                        "\"machine\":{\"name\":\"m\",\"cpu\":\"c\"},\"devices\":[]}"));
    assert_string_equal(why, "its schema is 99 and this Orrery reads up to 3");
}

/* --- records that were measured --- */

struct reading {
    json_t *strangers;
    size_t records;
};

static int look(json_t *record, size_t line, void *context)
{
    struct reading *reading = context;
    reading->records++;
    orr_journal_strangers(reading->strangers, record);
    if (orr_journal_misfit(why, sizeof why, record))
        fail_msg("line %zu: %s", line, why);
    return 0;
}

TEST(measured_records_fit)
{
    struct reading reading = {.strangers = json_object()};
    assert_int_equal(orr_journal_read("tests/data/frozen-gpu.jsonl", look, &reading, NULL), 0);
    assert_true(reading.records > 200);
    assert_int_equal(json_object_size(reading.strangers), 0);
    json_decref(reading.strangers);
}

RUN_TESTS(NULL, NULL)
