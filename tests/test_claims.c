/* Claims: the rules, what stands where nothing was measured, and what claims.sql may do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "claims_for_tests.h"
#include "error_for_tests.h"
#include "home_for_tests.h"

static const struct orr_paper trial = {.key = (char *)"trial"};

/* --- claims.sql of a paper of its own --- */

static void write_claims(const char *sql)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/variants/trial/claims.sql", test_home);
    FILE *file = fopen(path, "w");
    if (!sql)
        unlink(path);
    assert_true(file && (!sql || fputs(sql, file) >= 0) && !fclose(file));
}

static int judge_trial(struct invented *in, const char *sql)
{
    write_claims(sql);
    return orr_claims_judge(&in->ledger, &trial);
}

static const char one_claim[] =
    "INSERT INTO claim VALUES ('T1', 'it is so', '1', 'orrery run trial/e --preset paper');\n";

/* One judgement whose `measured` is the value of an expression. */
static const char *value_of(struct invented *in, const char *expression)
{
    char sql[2048];
    snprintf(sql, sizeof sql,
             "%sINSERT INTO verdict SELECT 'T1', 'm', 'd', 'partly', (%s), 'because';", one_claim,
             expression);
    if (judge_trial(in, sql) != 1)
        fail_msg("%s", orr_error_text());
    const char *text = told(in, "T1", "d", "measured");
    assert_int_equal(sqlite3_exec(in->ledger.db, "DELETE FROM judgement", NULL, NULL, NULL),
                     SQLITE_OK);
    return text;
}

/* --- the rules --- */

static void parts_make_a_verdict(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    assert_string_equal(value_of(&in, "verdict_of(4, 4)"), ORR_REPRODUCED);
    assert_string_equal(value_of(&in, "verdict_of(3, 4)"), ORR_PARTLY);
    assert_string_equal(value_of(&in, "verdict_of(0, 4)"), ORR_NOT_REPRODUCED);
    assert_string_equal(value_of(&in, "verdict_of(NULL, 4)"), ORR_NOT_REPRODUCED);
    load(&in);
    orr_ledger_close(&in.ledger);
}

/* Values 1, 2 ... in the order of `order`, x = 2^k, each 10 % wide on either side of 10^value; in
 * any order of rows. */
static const char *series(struct invented *in, const char *call, const char *order)
{
    char sql[1536];
    size_t count = strlen(order), used = 0;
    size_t first = (size_t)random_below((long long)count);
    used += (size_t)snprintf(sql, sizeof sql, "SELECT %s FROM (", call);
    for (size_t k = 0; k < count; k++) {
        size_t at = (first + k) % count;
        int value = order[at] - '0';
        used += (size_t)snprintf(sql + used, sizeof sql - used,
                                 "%sSELECT %d AS x, 0.9e%d AS low, 1e%d AS value, 1.1e%d AS high",
                                 k ? " UNION ALL " : "", 1 << at, value, value, value);
    }
    snprintf(sql + used, sizeof sql - used, ")");
    return value_of(in, sql);
}

static void growth_is_every_step_up(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    static const char grows[] = "growth(x, low, value, high, 4)",
                      course[] = "course(x, low, value, high)";
    assert_string_equal(series(&in, grows, "1234"), ORR_REPRODUCED);
    assert_string_equal(series(&in, grows, "1324"), ORR_PARTLY);
    assert_string_equal(series(&in, grows, "1224"), ORR_PARTLY);
    assert_string_equal(series(&in, grows, "124"), ORR_PARTLY); /* a point is missing */
    assert_string_equal(series(&in, grows, "2341"), ORR_NOT_REPRODUCED);
    assert_string_equal(series(&in, grows, "2342"), ORR_NOT_REPRODUCED);
    assert_string_equal(series(&in, grows, "1"), "");
    assert_string_equal(series(&in, course, "1234"), "up from 1 to 8");
    assert_string_equal(series(&in, course, "12243"),
                        "up from 1 to 2, level to 4, up to 8, down to 16");
    assert_string_equal(series(&in, course, "1"), "only 1");
    load(&in);
    orr_ledger_close(&in.ledger);
}

static void texts_stand_in_order(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    assert_string_equal(
        value_of(
            &in,
            "SELECT listing(x, t) FROM (SELECT 10 AS x, 'b' AS t UNION ALL SELECT 9, 'a' UNION ALL"
            " SELECT 11, NULL)"),
        "a, b");
    assert_string_equal(
        value_of(&in, "shown(30821.4) || ' ' || shown(1.0352) || ' ' || shown(0.04512)"),
        "30821 1.04 0.0451");
    load(&in);
    orr_ledger_close(&in.ledger);
}

/* The ends of the ratio of two cells, as compared has them. */
static double end_of(struct orr_ledger *ledger, const char *end)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "%sINSERT INTO verdict SELECT 'T1', 'm', 'd', 'partly', printf('%%.4f', %s), '' FROM "
             "compared WHERE variant ="
             " 'trial/fast';",
             one_claim, end);
    write_claims(sql);
    assert_int_equal(orr_claims_judge(ledger, &trial), 1);
    sqlite3_stmt *row;
    assert_int_equal(orr_ledger_query(&row, ledger, "SELECT measured FROM judgement", ""), 0);
    double value = orr_ledger_next(row, ledger) > 0 ? orr_ledger_number(row, 0) : 0;
    sqlite3_finalize(row);
    assert_int_equal(sqlite3_exec(ledger->db, "DELETE FROM judgement", NULL, NULL, NULL),
                     SQLITE_OK);
    return value;
}

static void assert_ends(const char *fast, const char *slow, double low, double high)
{
    struct invented in;
    start(&in, "m");
    add(&in, "trial/e", "trial/fast", "d", 8, 1, "", fast);
    add(&in, "trial/e", "trial/slow", "d", 8, 2, "", slow);
    load(&in);
    assert_float_equal(end_of(&in.ledger, "low"), low, 0.006);
    assert_float_equal(end_of(&in.ledger, "high"), high, 0.006);
    orr_ledger_close(&in.ledger);
}

static void intervals_are_never_too_narrow(void **state)
{
    (void)state;
    assert_ends("", "", 2 * 0.998, 2 * 1.002);
    assert_ends("", ",\"noise_floor\":0.05", 2 * 0.95, 2 * 1.05);
    assert_ends("", ",\"samples\":{\"step_s\":[2]}", 1.8, 2.2);
    assert_ends("", ",\"samples\":{},\"extrapolated_from\":\"c9\"", 1.8, 2.2);
    assert_ends(",\"extrapolated_from\":\"c8\"", ",\"extrapolated_from\":\"c9\"", 0,
                0); /* not judged */
    assert_ends(",\"extrapolated_from\":\"c8\"", "", 0, 0);
    assert_ends(",\"outcome\":\"wrong\"", "", 0, 0);
}

/* --- what was not measured --- */

static void without_results_a_claim_names_its_command(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    load(&in);
    assert_int_equal(judge_trial(&in, one_claim), 1);
    assert_string_equal(told(&in, "T1", "", "verdict"), ORR_NOT_MEASURABLE);
    assert_string_equal(told(&in, "T1", "", "why"), "needs `orrery run trial/e --preset paper`");
    orr_ledger_close(&in.ledger);
}

static void each_device_without_a_verdict_is_named(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    add(&in, "trial/e", "trial/v", "cuda:0", 8, 1, "", "");
    add(&in, "trial/e", "trial/v", "cuda:1", 8, 1, "",
        ",\"outcome\":\"crashed\",\"reason\":\"signal 11\"");
    add(&in, "trial/e", "trial/v", "host", 8, 1, "", "");
    add(&in, "other/e", "other/v", "opencl:0.0", 8, 1, "", "");
    load(&in);
    char sql[512];
    snprintf(sql, sizeof sql,
             "%sINSERT INTO verdict VALUES ('T1', 'm', 'cuda:0', 'reproduced', '2', 'because');",
             one_claim);
    assert_int_equal(judge_trial(&in, sql), 1);
    assert_string_equal(told(&in, "T1", "cuda:0", "verdict"), ORR_REPRODUCED);
    assert_string_equal(told(&in, "T1", "cuda:1", "why"),
                        "needs `orrery run trial/e --preset paper --device cuda:1`; 1 of"
                        " its cells did not end well, such as trial/v: crashed: signal 11");
    assert_string_equal(told(&in, "T1", "host", "why"), "");
    assert_string_equal(told(&in, "T1", "opencl:0.0", "why"), "");
    orr_ledger_close(&in.ledger);
}

static void a_reason_stands_as_it_is(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    add(&in, "trial/e", "trial/v", "host", 8, 1, "", "");
    load(&in);
    assert_int_equal(
        judge_trial(&in, "INSERT INTO claim VALUES ('T1', 'a', 'b', 'no device can');"), 1);
    assert_string_equal(told(&in, "T1", "host", "why"), "no device can");
    orr_ledger_close(&in.ledger);
}

static void a_paper_may_have_no_claims(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    load(&in);
    assert_int_equal(judge_trial(&in, NULL), 0);
    assert_string_equal(told(&in, "T1", "", "verdict"), "");
    orr_ledger_close(&in.ledger);
}

/* --- mistakes and mischief --- */

static void assert_refused(struct invented *in, const char *sql, const char *says)
{
    if (judge_trial(in, sql) != ORR_EINPUT)
        fail_msg("not refused: %s", sql);
    assert_says(says);
    assert_int_equal(judge_trial(in, one_claim), 1); /* nothing is left behind */
    assert_int_equal(sqlite3_exec(in->ledger.db, "DELETE FROM judgement", NULL, NULL, NULL),
                     SQLITE_OK);
}

static void mistakes_have_a_line(void **state)
{
    (void)state;
    struct invented in;
    start(&in, "m");
    load(&in);
    assert_refused(&in, "-- one\n\nINSERT INTO claim\n  SELECT 'T1', 'x', y, 'z';\n",
                   "variants/trial/claims.sql:4: no such column: y");
    assert_refused(&in,
                   "/* two\nlines */ INSERT INTO claim VALUES ('T1', 'x', 'y', 'z');\nSELEC 1;\n",
                   "claims.sql:3: near \"SELEC\": syntax error");
    assert_refused(&in, "INSERT INTO claim VALUES ('T1', 'x', 'y');",
                   "claims.sql:1: table claim has 4 columns");
    assert_refused(&in,
                   "INSERT INTO claim VALUES ('T1', 'x', 'y', 'z');\n\n-- again\nINSERT INTO claim "
                   "VALUES ('T1', 'x',\n'y',"
                   " 'z');",
                   "claims.sql:4: UNIQUE constraint failed: claim.id");
    assert_refused(&in, "INSERT INTO verdict VALUES ('T1', 'm', 'd', 'maybe', '1', 'w');",
                   "claims.sql:1: CHECK constraint failed: verdicts are reproduced, partly");
    assert_refused(&in, "INSERT INTO verdict VALUES ('T1', 'm', 'd', 'partly', '1', NULL);",
                   "claims.sql:1: NOT NULL");
    assert_refused(&in, "INSERT INTO verdict VALUES ('T9', 'm', 'd', 'partly', '1', 'w');",
                   "claims.sql: a verdict on 'T9', which is none of its claims");
    assert_refused(
        &in,
        "CREATE TEMP VIEW v AS SELECT 1;\nINSERT INTO claim VALUES ('T1', 'x', 'y', 'unfinished",
        "claims.sql:2");
    orr_ledger_close(&in.ledger);
}

static void joins_without_end_are_ended(void **state)
{
    (void)state;
    char sql[512];
    struct invented in;
    start(&in, "m");
    load(&in);
    orr_ledger_limit(&in.ledger, 0.05, NULL);
    snprintf(sql, sizeof sql,
             "%s\n\nWITH d(x) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9))\n"
             "INSERT INTO verdict SELECT 'T1', count(*), '', 'partly', '1', 'w'\n"
             "FROM d a, d b, d c, d e, d f, d g, d h, d i, d j, d k, d l, d m, d n, d o;",
             one_claim);
    assert_refused(&in, sql, "claims.sql:4: not done after 0.05 s; --timeout gives it more");
    orr_ledger_close(&in.ledger);
}

static void the_ledger_is_protected(void **state)
{
    (void)state;
    static const char *const mischief[] = {
        "DELETE FROM cell;",
        "UPDATE cell SET seconds = 1;",
        "INSERT INTO published SELECT * FROM published;",
        "DROP TABLE cell;",
        "DROP VIEW latest;",
        "ALTER TABLE cell RENAME TO mine;",
        "CREATE TABLE mine(x);",
        "CREATE TEMP TABLE mine(x);",
        "CREATE VIEW mine AS SELECT 1;",
        "CREATE TEMP TRIGGER mine AFTER INSERT ON claim BEGIN DELETE FROM main.cell; END;",
        "CREATE INDEX mine ON cell(n);",
        "ATTACH DATABASE '/tmp/orrery-claims-mine.db' AS mine;",
        "DETACH DATABASE main;",
        "PRAGMA writable_schema = 1;",
        "VACUUM INTO '/tmp/orrery-claims-mine.db';",
        "BEGIN;",
        "COMMIT;",
        "SAVEPOINT mine;",
        "REINDEX;",
        "ANALYZE;",
        "INSERT INTO sqlite_temp_master VALUES ('view', 'mine', 'mine', 0, 'CREATE VIEW mine AS "
        "SELECT 1');",
        "DELETE FROM judgement;",
        "DROP TABLE claim;",
        "SELECT load_extension('mine');",
        "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x FROM endless) SELECT count(*) "
        "FROM endless;",
    };
    struct invented in;
    start(&in, "m");
    add(&in, "trial/e", "trial/v", "cuda:0", 8, 1, "", "");
    load(&in);
    for (size_t k = 0; k < sizeof mischief / sizeof *mischief; k++) {
        char sql[512];
        snprintf(sql, sizeof sql, "%s\n%s", one_claim, mischief[k]);
        assert_refused(&in, sql, "claims.sql:3: ");
        assert_true(number(&in.ledger, "SELECT sum(seconds) FROM latest") == 1);
    }
    assert_int_equal(access("/tmp/orrery-claims-mine.db", F_OK), -1);
    orr_ledger_close(&in.ledger);
}

static int set_up(void **state)
{
    print_seed();
    make_test_home();
    write_paper("trial", "");
    return begin(state);
}

static int tear_down(void **state)
{
    (void)state;
    write_claims(NULL);
    remove_paper("trial");
    remove_test_home();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_make_a_verdict),
        cmocka_unit_test(growth_is_every_step_up),
        cmocka_unit_test(texts_stand_in_order),
        cmocka_unit_test(intervals_are_never_too_narrow),
        cmocka_unit_test(without_results_a_claim_names_its_command),
        cmocka_unit_test(each_device_without_a_verdict_is_named),
        cmocka_unit_test(a_reason_stands_as_it_is),
        cmocka_unit_test(a_paper_may_have_no_claims),
        cmocka_unit_test(mistakes_have_a_line),
        cmocka_unit_test(joins_without_end_are_ended),
        cmocka_unit_test(the_ledger_is_protected),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
