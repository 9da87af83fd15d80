/* SPDX-License-Identifier: MIT */
/* The rounds of a cell made one: which record counts, what is joined, what is computed anew. */
#include "json_member.h"
#include "ledger/journal.h"
#include "measure/system_state.h"
#include "tests/ledger_for_tests.h"

static json_t *parse(const char *text)
{
    json_error_t error;
    char *quoted = strdup(text);
    for (char *at = quoted; (at = strchr(at, '\''));)
        *at = '"';
    json_t *value = json_loads(quoted, 0, &error);
    if (!value)
        fail_msg("%s: %s", error.text, text);
    free(quoted);
    return value;
}

static void put(json_t *rounds, const char *text)
{
    json_array_append_new(rounds, parse(text));
}

/* What a journal of these records, one after the other, has of the cell. */
static json_t *merged(const json_t *rounds)
{
    size_t k;
    json_t *record;
    RELEASED_BY(orr_journal_records_release) struct orr_journal_records records;
    orr_journal_records_make(&records);
    json_array_foreach (rounds, k, record) {
        json_auto_t *whole = json_pack("{s:s, s:s}", "record", "cell", "id", "a");
        json_object_update(whole, record);
        orr_journal_records_add(&records, whole);
    }
    return orr_cell_rounds_whole(&records, "a");
}

static double of_record(const json_t *record, const char *path)
{
    return json_number_value(orr_json_follow(record, path));
}

static const char first[] =
    "{'id':'a','round':1,'outcome':'ok','reason':'','seconds':2,"
    "'kernel_seconds':1,'interactions_per_second':100,'wall_s':5,'warmups':4,"
    "'counts':{'main':{'GR':7}},'remarks':['odd'],"
    "'samples':{'step_s':[1,2,3],'kernel_s':[1,1,1],'throttled':[1]},"
    "'phases':[{'name':'build','kernel_s':[1,1,1]}],"
    "'checks':[{'sample':2,'targets':9}],"
    "'sensors':{'clock_mhz_median':1000,'clock_mhz_min':900,'temperature_c_max':50,"
    "'throttle_reasons':['power']}}";
static const char second[] =
    "{'id':'a','round':2,'outcome':'ok','reason':'','seconds':5,"
    "'kernel_seconds':3,'interactions_per_second':40,'wall_s':6,'warmups':5,"
    "'remarks':['odd','other'],"
    "'samples':{'step_s':[4,6],'kernel_s':[3,3],'throttled':[0]},"
    "'phases':[{'name':'walk','kernel_s':[2,2]}],"
    "'checks':[{'sample':1,'targets':9}],"
    "'sensors':{'clock_mhz_median':1100,'clock_mhz_min':950,'temperature_c_max':60,"
    "'throttle_reasons':['heat']}}";
static const char third[] = "{'id':'a','round':3,'outcome':'ok','reason':'',"
                            "'seconds':10,'kernel_seconds':2,'interactions_per_second':20,"
                            "'wall_s':1,'warmups':1,'samples':{'step_s':[10],"
                            "'kernel_s':[2],'throttled':[]}}";

static json_t *three_rounds(void)
{
    json_t *rounds = json_array();
    put(rounds, second);
    put(rounds, third);
    put(rounds, first);
    return rounds;
}

TEST(times_are_medians_over_processes)
{
    json_auto_t *rounds = three_rounds(), *whole = merged(rounds);
    assert_int_equal(of_record(whole, "processes"), 3);
    assert_true(of_record(whole, "seconds") == 5); /* of 2, 5 and 10; that of all samples is 3.5 */
    assert_true(of_record(whole, "kernel_seconds") == 2);
    assert_true(fabs(of_record(whole, "interactions_per_second") - 40) < 1e-12);
    assert_true(of_record(whole, "wall_s") == 12);
    assert_int_equal(of_record(whole, "warmups"), 10);
    assert_null(json_object_get(whole, "round"));
    assert_int_equal(of_record(whole, "counts/main/GR"), 7);
}

/* The busiest round is shown; what most had decides. */
TEST(others_are_of_the_busiest_and_of_most)
{
    static const struct {
        double cores;
        int gpu;
    } of[] = {{0.01, 0}, {1.5, 1}, {0.4, 1}};
    json_auto_t *rounds = json_array();
    for (int k = 0; k < 3; k++) {
        const char *text =
            filled("{'id':'a','round':%d,'outcome':'ok','seconds':1,'samples':"
                   "{'step_s':[1]},'surroundings':{'seconds':1,'cpus':4,'others_cores':%g,"
                   "'gpu_processes':[0,%d]}%s}",
                   k + 1, of[k].cores, of[k].gpu,
                   k == 1   ? ",'beside':'much'"
                   : k == 2 ? ",'beside':'some'"
                            : "");
        put(rounds, text);
    }
    json_auto_t *whole = merged(rounds);
    assert_string_equal(json_string_value(json_object_get(whole, "beside")), "much");
    assert_true(of_record(whole, "surroundings/others_cores") == 1.5);
    assert_int_equal(of_record(whole, "others/marked"), 2);
    assert_true(of_record(whole, "others/cores") == 0.4);
    assert_true(of_record(whole, "others/gpu_processes") == 1);
    assert_true(fabs(of_record(whole, "others/unsure_cores") * sqrt(3) -
                     orr_system_state_unsure(4, 1)) < 1e-12);
}

/* The rounds as a journal of schema 1, which has no checksums. */
static void load_rounds(struct orr_ledger *ledger, const json_t *rounds)
{
    static const char run[] =
        "{'record':'run','schema':1,'run':'r','started':'s','request':{},'orrery':{},"
        "'machine':{'name':'m'},'devices':[]}\n";
    const char *texts[8] = {run};
    size_t k;
    json_t *record;
    json_array_foreach (rounds, k, record) {
        json_auto_t *whole = parse("{'record':'cell','experiment':'p/e','variant':'p/v',"
                                   "'device':'host','dataset':{'name':'d','n':9}}");
        json_object_update(whole, record);
        RELEASED_BY(free_text) char *line = json_dumps(whole, JSON_COMPACT);
        texts[k + 1] = filled("%s\n", line);
    }
    assert_int_equal(orr_ledger_open(ledger), 0);
    load_texts(ledger, texts);
    assert_int_equal(ledger->damage.count, 0);
}

TEST(samples_follow_one_another)
{
    static const char listing[] = "SELECT group_concat(process || ' ' || idx || ' ' || %s || "
                                  "iif(throttled, '!', ''), ', ') FROM "
                                  "(SELECT * FROM sample WHERE kind = '%s' ORDER BY idx)";
    json_auto_t *rounds = three_rounds(), *whole = merged(rounds),
                *expected = parse("[1,2,3,4,6,10]");
    RELEASED_BY(orr_ledger_close) struct orr_ledger ledger;
    assert_true(json_equal(orr_json_follow(whole, "samples/step_s"), expected));
    /* The rounds themselves stay as they were. */
    assert_int_equal(json_array_size(orr_json_follow(json_array_get(rounds, 0), "samples/step_s")),
                     2);
    load_rounds(&ledger, rounds);
    assert_text(&ledger, filled(listing, "value", "step_s"),
                "0 0 1.0, 0 1 2.0!, 0 2 3.0, 1 3 4.0!, 1 4 6.0, 2 5 10.0");
    assert_text(&ledger, filled(listing, "value", "kernel_s"),
                "0 0 1.0, 0 1 1.0!, 0 2 1.0, 1 3 3.0!, 1 4 3.0, 2 5 2.0");
    assert_text(
        &ledger,
        "SELECT group_concat(process || name || idx, ' ') FROM (SELECT * FROM phase ORDER BY idx)",
        "0build0 0build1 0build2 1walk3 1walk4");
    assert_text(&ledger, "SELECT value FROM count", "7");
}

TEST(sensors_are_summed_up)
{
    json_auto_t *rounds = three_rounds(), *whole = merged(rounds);
    RELEASED_BY(orr_ledger_close) struct orr_ledger ledger;
    assert_true(of_record(whole, "sensors/clock_mhz_median") == 1050);
    assert_true(of_record(whole, "sensors/temperature_c_max") == 60);
    assert_int_equal(json_array_size(orr_json_follow(whole, "sensors/throttle_reasons")), 2);
    load_rounds(&ledger, rounds);
    assert_text(&ledger, "SELECT clock_mhz_median || throttle_reasons FROM cell",
                "1050.0[\"power\",\"heat\"]");
}

TEST(the_last_record_of_a_round_counts)
{
    json_auto_t *rounds = three_rounds();
    put(rounds, "{'id':'a','round':2,'outcome':'wrong','reason':'off'}");
    json_auto_t *whole = merged(rounds);
    assert_int_equal(of_record(whole, "processes"), 3);
    assert_string_equal(orr_json_text(whole, "outcome"), "wrong");
    assert_string_equal(orr_json_text(whole, "reason"), "round 2: off");
    assert_null(json_object_get(whole, "seconds"));
    json_decref(whole);
    put(rounds, second);
    whole = merged(rounds);
    assert_string_equal(orr_json_text(whole, "outcome"), "ok");
}

TEST(a_measured_cell_replaces_an_estimate)
{
    static const char estimate[] = "{'id':'a','round':3,'outcome':'ok','seconds':9,"
                                   "'processes':5,'extrapolated_from':'b'}";
    json_auto_t *rounds = json_array();
    put(rounds, estimate);
    json_auto_t *whole = merged(rounds);
    assert_int_equal(of_record(whole, "processes"), 5);
    json_decref(whole);
    put(rounds, first);
    put(rounds, estimate);
    whole = merged(rounds);
    assert_int_equal(of_record(whole, "processes"), 1);
    assert_true(of_record(whole, "seconds") == 2);
}

/* 1 ms back to back is 2 ms by single steps. */
TEST(rounds_of_two_modes_are_compared_by_single_steps)
{
    json_auto_t *rounds = json_array();
    put(rounds, "{'round':1,'outcome':'ok','mode':'back to back','seconds':1,"
                "'single_seconds':2,'interactions_per_second':60,"
                "'samples':{'step_s':[1,1,1],'single_s':[2,2,2]}}");
    json_auto_t *whole = merged(rounds);
    assert_true(of_record(whole, "seconds") == 1 && of_record(whole, "single_seconds") == 2);
    json_decref(whole);
    put(rounds, "{'round':2,'outcome':'ok','mode':'single','seconds':4,"
                "'interactions_per_second':15,'samples':{'step_s':[4,4]}}");
    whole = merged(rounds);
    assert_string_equal(orr_json_text(whole, "mode"), "single");
    assert_true(of_record(whole, "seconds") == 3 &&
                of_record(whole, "interactions_per_second") == 20);
    assert_null(json_object_get(whole, "single_seconds"));
}

/* A fetch near the limit counts in one process and not in the others. */
TEST(rounds_that_timed_more_are_left_out)
{
    json_auto_t *rounds = json_array();
    put(rounds, "{'round':1,'outcome':'ok','timed':'step and fetch','seconds':9,"
                "'samples':{'step_s':[9]}}");
    put(rounds, "{'round':2,'outcome':'ok','timed':'step','seconds':2,"
                "'samples':{'step_s':[2]}}");
    json_auto_t *whole = merged(rounds); /* who knows which is right: what holds more */
    assert_true(of_record(whole, "seconds") == 9);
    json_decref(whole);
    put(rounds, "{'round':3,'outcome':'ok','timed':'step','seconds':4,"
                "'remarks':['odd'],'samples':{'step_s':[4]}}");
    whole = merged(rounds);
    assert_true(of_record(whole, "seconds") == 3 && of_record(whole, "processes") == 2);
    assert_string_equal(orr_json_text(whole, "timed"), "step");
}

RUN_TESTS(NULL, NULL)
