/* SPDX-License-Identifier: MIT */
/* The ledger: which record counts, what the views say, and the published numbers digit for digit.
 */
#include <time.h>

#include "ledger/csv.h"
#include "ledger/journal.h"
#include "ledger/ledger_parts.h"
#include "ledger_for_tests.h"

static const char run_line[] =
    "{'record':'run','schema':1,'run':'r1','started':'2026-01-01T00:00:00Z',"
    "'orrery':{'commit':'c1'},'machine':{'name':'unit','cpu':'a'}}\n"
    "{'record':'ceiling','device':'d','interactions_per_second':400}\n";
static const char later_run[] =
    "{'record':'run','run':'r2','started':'2026-01-05T00:00:00Z','machine':{'name':'unit'}}\n";

/* A cell record; `extra` is more members with a leading comma. */
static const char *cell(const char *id, const char *variant, const char *started,
                        const char *outcome, double seconds, const char *extra)
{
    return filled(
        "{'record':'cell','id':'%s','experiment':'p/e','variant':'p/%s','device':'d',"
        "'dataset':{'name':'s','n':10},'parameters':{'steps':0},'outcome':'%s','started':'%s',"
        "'seconds':%.17g,'interval':[%.17g,%.17g],'interactions_per_second':%.17g,"
        "'flops_convention':3e9,'samples':{'step_s':[%.17g,%.17g,%.17g],'throttled':[1]}%s}\n",
        id, variant, outcome, started, seconds, seconds * 0.9, seconds * 1.1, 100 / seconds,
        seconds * 0.9, seconds, seconds * 1.1, extra);
}

static const char *ok_cell(const char *extra)
{
    return cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 2, extra);
}

/* What is said of a record that is not taken. */
static void assert_flaw(struct orr_ledger *ledger, const char *record, const char *why)
{
    ledger->damage = (struct orr_journal_damage){0};
    LOAD(ledger, run_line, record);
    if (!strstr(ledger->damage.text, why))
        fail_msg("%s: %s", record, ledger->damage.text);
}

static int keep_text(bool is_fault, const char *text, void *context)
{
    assert_false(is_fault);
    strcat(context, text);
    return 0;
}

TEST_AROUND(journals_of_a_later_schema_are_told, open_ledger, close_ledger)
{
    char told[1024] = "";
    LOAD(*state, run_line);
    assert_done(orr_ledger_campaign(*state, false, keep_text, told));
    assert_string_equal(told, "");
    json_auto_t *later =
        json_pack("{s:s, s:i, s:s, s:{s:s}}", "record", "run", "schema", ORR_JOURNAL_SCHEMA + 2,
                  "run", "later", "machine", "name", "unit");
    RELEASED_BY(free_text) char *line = orr_journal_line_make(later, true);
    LOAD(*state, line);
    assert_done(orr_ledger_campaign(*state, false, keep_text, told));
    HOLDS(told, "orrery-ledger-", " was written by a later Orrery (journals of schema 5, this one");
}

/* Counted, but not taken; what is wrong with them is said. */
TEST_AROUND(other_papers_can_be_left_out, open_ledger, close_ledger)
{
    struct orr_ledger *ledger = *state;
    const size_t before = ledger->cells;
    snprintf(ledger->only, sizeof ledger->only, "pp");
    LOAD(ledger, run_line, cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 9, ""), "{\n");
    FINDS("SELECT count(*) FROM cell", 0);
    assert_true(ledger->cells == before + 1 && ledger->damage.count == 1);
    snprintf(ledger->only, sizeof ledger->only, "p");
    LOAD(ledger, run_line, cell("i1", "v", "2026-01-01T00:00:02Z", "ok", 2, ""));
    FINDS("SELECT count(*) FROM latest", 1);
    *ledger->only = '\0';
}

/* Not what is told of the asked one, nor shards, whose cells are counted, nor lines that ran into
 * others. */
TEST_AROUND(other_experiments_are_passed_over, open_ledger, close_ledger)
{
    struct orr_ledger *ledger = *state;
    static const char others[] = "{'record':'cell','id':'i2','experiment':'p/ee','what':1}\n",
                      own[] = "{'record':'cell','id':'i3','experiment':'p/e'}\n",
                      into[] = "{'record':'cell','id':'i2','experiment':'p/ee','seconds'"
                               "{'record':'end'}\n";
    const char *a = cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 9, "");
    const size_t before = ledger->cells;
    snprintf(ledger->only, sizeof ledger->only, "p/e");
    LOAD(ledger, run_line, others, own, into, a);
    FINDS("SELECT count(*) FROM cell", 1);
    assert_int_equal(ledger->cells, before + 2);
    assert_int_equal(ledger->damage.count, 2);
    assert_non_null(strstr(ledger->damage.text, ":4: a cell without"));
    assert_non_null(strstr(ledger->damage.text, ":5: "));
    const char *shard = filled("%.*s,'shard':{'number':1,'of':2}}\n",
                               (int)(strrchr(later_run, '}') - later_run), later_run);
    snprintf(ledger->only, sizeof ledger->only, "p/other");
    LOAD(ledger, shard, a);
    FINDS("SELECT count(*) FROM cell", 2);
    *ledger->only = '\0';
}

/* Within a journal the order of the lines counts, whatever the clock said; between runs their
 * dates, whatever the order of the files; an estimate hides no measurement. */
TEST_AROUND(which_record_of_a_cell_counts, open_ledger, close_ledger)
{
    static const struct {
        const char *started, *outcome, *extra; /* of the second record; the first is of January 2 */
        const char *run, *first, *counts;      /* NULL: in the same run */
    } cases[] = {
        {"2026-01-03T00:00:00Z", "ok", "", NULL, "failed", "ok 3.0 4"},
        {"2026-01-01T00:00:00Z", "ok", "", NULL, "failed", "ok 3.0 4"},
        {"2026-01-05T00:00:01Z", "wrong", "", later_run, "ok", "wrong 3.0 2"},
        {"2026-01-05T00:00:01Z", "ok", ",'extrapolated_from':'i0'", later_run, "ok", "ok 2.0 3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *first = cell("i1", "v", "2026-01-02T00:00:00Z", cases[k].first, 2, ""),
                   *then = cell("i1", "v", cases[k].started, cases[k].outcome, 3, cases[k].extra);
        if (cases[k].run)
            LOAD(*state, cases[k].run, then);
        LOAD(*state, run_line, first, cases[k].run ? "" : then);
        assert_text(*state, "SELECT outcome || ' ' || seconds || ' ' || line FROM latest",
                    cases[k].counts);
        FINDS("SELECT count(*) FROM latest", 1);
        FINDS("SELECT count(*) FROM rates", k != 2);
        close_ledger(state);
        assert_int_equal(open_ledger(state), 0);
    }
}

/* By a plugin: an older run of three rounds with `members`, and what a later run has of it. */
static void measured_again(struct orr_ledger *ledger, const char *members, const char *later,
                           const char *outcome, const char *extra)
{
    const char *first[5] = {run_line};
    for (int k = 0; k < 3; k++)
        first[k + 1] = cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 2,
                            filled(",'round':%d,'plugin_sha256':'x'%s", k + 1, members));
    const char *more = filled(",'plugin_sha256':'%s'%s", later, extra);
    LOAD(ledger, later_run, cell("i1", "v", "2026-01-05T00:00:01Z", outcome, 3, more));
    load_texts(ledger, first);
}

/* Of one look, with so many multiply-adds. */
#define COUNTED(fmas) ",'counters':[{'source':'cupti','values':{'fp32_fma':" fmas "}}]"

TEST_AROUND(a_look_does_not_hide_three_processes, open_ledger, close_ledger)
{
    measured_again(*state, "", "x", "ok", COUNTED("7"));
    FINDS("SELECT processes FROM latest", 3);
    FINDS("SELECT seconds FROM latest", 2);
    /* what the look counted stands beside them, and is said to be its own */
    FINDS("SELECT value FROM counter JOIN latest USING (cell_key)", 7);
    assert_text(*state, "SELECT run FROM cells JOIN counter c ON cells.cell_key = c.origin", "r2");
    FINDS("SELECT count(*) FROM counter", 2);
}

/* The newest look's stand beside those that took none; none are added to a cell's own. */
TEST_AROUND(counters_are_of_one_measurement, open_ledger, close_ledger)
{
    measured_again(*state, "", "x", "ok", COUNTED("7"));
    LOAD(*state,
         "{'record':'run','run':'r3','started':'2026-01-06T00:00:00Z','machine':{'name':'unit'}}\n",
         cell("i1", "v", "2026-01-06T00:00:01Z", "ok", 3, ",'plugin_sha256':'x'" COUNTED("9")));
    FINDS("SELECT processes FROM latest", 3);
    FINDS("SELECT value FROM counter JOIN latest USING (cell_key)", 9);
}

TEST_AROUND(counters_of_its_own_stay_alone, open_ledger, close_ledger)
{
    measured_again(*state, COUNTED("5"), "x", "ok", COUNTED("7"));
    FINDS("SELECT processes FROM latest", 3);
    FINDS("SELECT sum(value) FROM counter JOIN latest USING (cell_key)", 5);
}

/* Another build, a failure, and what more is known. */
TEST_AROUND(what_is_new_hides_three_processes, open_ledger, close_ledger)
{
    static const char *const later[][3] = {
        {"y", "ok", ""}, {"x", "wrong", ""}, {"x", "ok", ",'energy':{'joules_step':5}"}};
    for (size_t k = 0; k < 3; k++) {
        measured_again(*state, "", later[k][0], later[k][1], later[k][2]);
        assert_text(*state, "SELECT outcome || seconds FROM latest", k == 1 ? "wrong3.0" : "ok3.0");
        close_ledger(state);
        assert_int_equal(open_ledger(state), 0);
    }
}

TEST_AROUND(the_same_work_under_two_ids_is_one_cell, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         cell("with a default spelt out", "v", "2026-01-01T00:00:02Z", "ok", 2, ""),
         cell("without", "v", "2026-01-01T00:00:01Z", "ok", 3, ""),
         cell("of another", "w", "2026-01-01T00:00:01Z", "ok", 4, ""));
    FINDS("SELECT count(*) FROM latest", 2);
    FINDS("SELECT seconds FROM latest WHERE variant = 'p/v'", 2);
}

TEST_AROUND(cells_that_failed_without_parameters_stay_apart, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         "{'record':'cell','id':'i1','experiment':'p/e','variant':'p/v','outcome':'failed'}\n",
         "{'record':'cell','id':'i2','experiment':'p/e','variant':'p/v','outcome':'failed'}\n");
    FINDS("SELECT count(*) FROM latest", 2);
}

TEST_AROUND(machines_do_not_mix, open_ledger, close_ledger)
{
    const char *same = cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 2, "");
    LOAD(*state, run_line, same);
    LOAD(*state, "{'record':'run','run':'r','machine':{'name':'other'}}\n", same);
    FINDS("SELECT count(DISTINCT machine) FROM latest", 2);
}

TEST_AROUND(rates_and_speedups, open_ledger, close_ledger)
{
    LOAD(*state, run_line, cell("i1", "fast", "2026-01-01T00:00:01Z", "ok", 0.5, ""),
         cell("i2", "slow", "2026-01-01T00:00:02Z", "ok", 2, ""));
    FINDS("SELECT gflops FROM rates WHERE variant = 'p/fast'", 6);
    FINDS("SELECT ceiling_fraction FROM rates WHERE variant = 'p/fast'", 0.5);
    FINDS("SELECT ratio FROM speedups WHERE variant = 'p/fast'", 4);
    double low = number(*state, "SELECT ratio_low FROM speedups WHERE variant = 'p/fast'");
    double high = number(*state, "SELECT ratio_high FROM speedups WHERE variant = 'p/fast'");
    assert_true(low <= 4 && high >= 4 && low < high && low > 3 && high < 5);
    FINDS("SELECT count(*) FROM sample WHERE throttled", 2);
}

/* The same bodies in other boxes are other work. */
TEST_AROUND(speedups_compare_one_level, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         cell("i1", "near", "2026-01-01T00:00:01Z", "ok", 1, ",'parameters':{'steps':0,'level':3}"),
         cell("i2", "near", "2026-01-01T00:00:02Z", "ok", 2, ",'parameters':{'steps':0,'level':4}"),
         cell("i3", "other", "2026-01-01T00:00:02Z", "ok", 8,
              ",'parameters':{'steps':0,'level':4}"));
    FINDS("SELECT count(*) FROM speedups", 2); /* either way round */
    FINDS("SELECT ratio FROM speedups WHERE variant = 'p/near'", 4);
}

TEST_AROUND(boxes_stages_and_counts, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         ok_cell(
             ",'dataset':{'name':'uniform-boxes','n':80,'level':2,'per_box':5},"
             "'parameters':{'level':2},'stages':[{'name':'encode','seconds':0.25},{'name':'sort',"
             "'seconds':0.5}],'counts':{'Father box':{'GR':240,'CP':5000000000},'Return "
             "d_acc':{'AG':7}}"));
    FINDS("SELECT level FROM latest", 2);
    FINDS("SELECT per_box FROM latest", 5);
    FINDS("SELECT sum(stage.seconds) FROM stage JOIN latest USING (cell_key)", 0.75);
    FINDS("SELECT seconds FROM stage WHERE name = 'sort'", 0.5);
    FINDS("SELECT value FROM count JOIN latest USING (cell_key) WHERE "
          "procedure = 'Father box' AND"
          " kind = 'CP'",
          5e9);
    FINDS("SELECT count(*) FROM count", 3);
}

TEST_AROUND(without_samples_a_ratio_has_no_interval, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         cell("i1", "fast", "2026-01-01T00:00:01Z", "ok", 0.5,
              ",'samples':{},'extrapolated_from':'i0'"),
         cell("i2", "slow", "2026-01-01T00:00:02Z", "ok", 2, ""));
    FINDS("SELECT ratio FROM speedups WHERE variant = 'p/fast'", 4);
    assert_true(isnan(number(*state, "SELECT ratio_low FROM speedups WHERE variant = 'p/fast'")));
}

/* Twenty cells of three processes each; the last one takes twice as long as the first. */
static const char processes_sql[] =
    "WITH RECURSIVE cell(k) AS (SELECT 1001 UNION ALL SELECT k + 1 FROM cell WHERE k < 1020),"
    " one(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM one WHERE i < 8) "
    "INSERT INTO sample SELECT k, 'step_s', i, iif(k = 1020, 2, 1) * (1 + 0.001 * (i % 3)"
    " + 0.002 * (i / 3 * k % 7)), 0, i / 3 FROM cell, one";

TEST_AROUND(ratios_of_several_processes, open_ledger, close_ledger)
{
    const struct orr_ledger *ledger = *state;
    assert_int_equal(orr_ledger_run(*state, processes_sql, ""), 0);
    assert_int_equal(
        orr_ledger_run(*state, "UPDATE sample SET process = 0 WHERE cell_key = 1002", ""), 0);
    double plain = number(ledger, "SELECT ratio_p(1020, 1001)");
    assert_true(plain > 0 && plain < 1e-3);
    assert_true(number(ledger, "SELECT ratio_within(1020, 1001, 0.02)") > 0.99);
    assert_true(number(ledger, "SELECT ratio_within(1020, 1001, 1.5)") < 0.01);
    assert_true(number(ledger, "SELECT ratio_bound(1020, 1001, 0)") < 0.5 &&
                number(ledger, "SELECT ratio_bound(1020, 1001, 1)") > 0.49);
    /* What the table has in common makes the test stronger and the interval narrower. */
    static const char prior[] = "WITH common(prior) AS (SELECT ratio_prior(cell_key, 1001) FROM "
                                "(SELECT DISTINCT cell_key FROM sample WHERE cell_key > 1001)) ";
    assert_true(number(ledger, filled("%sSELECT ratio_p(1020, 1001, prior) FROM common", prior)) <
                plain);
    FINDS(filled(
              "%sSELECT ratio_bound(1020, 1001, 0, prior) > ratio_bound(1020, 1001, 0) FROM common",
              prior),
          1);
    FINDS("SELECT ratio_p(1020, 1001, NULL)", plain);
    FINDS("SELECT ratio_prior(1020, 1001) IS NULL", 1); /* one is no table */
    FINDS("SELECT ratio_p(1002, 1001) IS NULL AND "
          "ratio_within(1002, 1001, 0.02) IS NULL AND "
          "ratio_bound(1002, 1001, 0) > 0",
          1);
    /* Cells whose estimates are remembered in one place, one in place of the other. */
    assert_int_equal(orr_ledger_run(*state,
                                    "INSERT INTO sample SELECT cell_key + 4096, kind, idx, "
                                    "2 * value, throttled, process FROM sample "
                                    "WHERE cell_key = 1001",
                                    ""),
                     0);
    FINDS("SELECT abs(ratio_bound(5097, 1001, 1) - 0.5) < 0.01", 1);
    FINDS("SELECT abs(ratio_bound(1001, 5097, 0) - 2) < 0.04", 1);
    /* Whole calls, here twice as long as their steps. */
    FINDS("SELECT ratio_bound(-1020, -1001, 0) IS NULL AND median_bound(-1020, 0) IS NULL", 1);
    assert_int_equal(orr_ledger_run(*state,
                                    "INSERT INTO sample SELECT cell_key, 'end_to_end_s', idx, "
                                    "2 * value, throttled, process FROM sample "
                                    "WHERE kind = 'step_s' AND cell_key IN (1001, 1019)",
                                    ""),
                     0);
    FINDS("SELECT abs(ratio_bound(-1019, -1001, 0) / ratio_bound(1019, 1001, 0) - 1) < 1e-9 AND "
          "abs(median_bound(-1019, 1) / median_bound(1019, 1) - 2) < 1e-9 AND "
          "median_bound(1019, 0) < median_bound(1019, 1)",
          1);
}

TEST_AROUND(p_values_of_a_table, open_ledger, close_ledger)
{
#define OF(columns, p) "WITH one(p) AS (VALUES " p ") SELECT " columns " FROM one"
#define OF_ALL "p_adjusted(p, (SELECT p_values(p) FROM one))"
    FINDS(OF("max(" OF_ALL ")", "(0.04), (NULL), (0.01), (0.03)"), 0.04);
    FINDS(OF("min(" OF_ALL ")", "(0.04), (NULL), (0.01), (0.03)"), 0.03);
    FINDS(OF("count(" OF_ALL ")", "(0.04), (NULL), (0.01)"), 2);
    FINDS(OF("p_values(p) IS NULL", "(NULL)"), 1);
    FINDS("SELECT p_adjusted(0.04, 'no table') IS NULL", 1);
#undef OF_ALL
#undef OF
}

TEST_AROUND(damaged_lines_are_counted, open_ledger, close_ledger)
{
    struct orr_ledger *ledger = *state;
    LOAD(ledger, run_line, "{'record':'cell','id':'no experiment'}\n", "garbage\n",
         cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 2, ""), "{'record':'cell','id':'cut o");
    assert_int_equal(ledger->damage.count, 3);
    assert_int_equal(ledger->cells, 1);
    assert_int_equal(ledger->journals, 1);
    assert_non_null(strstr(ledger->damage.text, ":3: a cell without experiment; "));
    assert_non_null(strstr(ledger->damage.text, ":4: it is no JSON object; "));
    assert_non_null(strstr(ledger->damage.text, ":6: it is unfinished"));
}

/* What no run can have measured, in lines that parse. */
TEST_AROUND(impossible_cells_are_named, open_ledger, close_ledger)
{
    static const struct {
        const char *extra, *why; /* a later member of the same name counts */
    } flaws[] = {
        {",'seconds':-2", "seconds is no positive number"},
        {",'seconds':'2'", "seconds is no positive number"},
        {",'seconds':0", "seconds is no positive number"},
        {",'seconds':null", "it is ok and has no seconds"},
        {",'seconds':2.0000000001", "seconds is not the median of its samples"},
        {",'kernel_seconds':1,'samples':{'step_s':[2],'kernel_s':[1,2,3]}",
         "kernel_seconds is not the median"},
        {",'samples':{'step_s':[1,2,-3]}", "samples/step_s is no positive number"},
        {",'samples':{'step_s':[2,2,null]}", "samples/step_s is no positive number"},
        {",'samples':{'step_s':{}}", "samples/step_s is no positive number"},
        {",'samples':{}", "it is ok and has no samples"},
        {",'interval':[2.1,3]", "interval does not enclose seconds"},
        {",'interval':[3,1]", "interval does not enclose seconds"},
        {",'interval':[-1,3]", "interval does not enclose seconds"},
        {",'interval':7", "interval does not enclose seconds"},
        {",'dataset':{'name':'s','n':-5}", "dataset/n is no count"},
        {",'dataset':{'name':'s','n':0}", "dataset/n is no positive number"},
        {",'dataset':{'name':'s','n':1.5}", "dataset/n is no count"},
        {",'dataset':7", "dataset/n is no positive number"},
        {",'warmups':-1", "warmups is no count"},
        {",'error':{'max':-1e-3}", "error/max is negative"},
        {",'error':{'targets':2.5}", "error/targets is no count"},
        {",'wall_s':-1", "wall_s is negative"},
        {",'interactions':-90", "interactions is no positive number"},
        {",'interactions':101", "interactions_per_second is not interactions by seconds"},
        {",'flops_true':'1'", "flops_true is no positive number"},
        {",'counts':{'walk':{'GR':-1}}", "counts: GR of walk is no count"},
        {",'counts':{'walk':{'GR':1.5}}", "counts: GR of walk is no count"},
        {",'phases':[{'name':'walk','kernel_s':[1,-1]}]", "kernel_s is negative"},
        {",'stages':[{'name':'sort','seconds':-1}]", "seconds is negative"},
    };
    struct orr_ledger *ledger = *state;
    for (size_t k = 0; k < sizeof flaws / sizeof *flaws; k++)
        assert_flaw(ledger, ok_cell(flaws[k].extra), flaws[k].why);
    const char *ceiling[] = {run_line, "{'record':'ceiling','interactions_per_second':-1}\n",
                             "{'record':'ceiling','pairs':{'3d-both':0}}\n", NULL};
    load_texts(ledger, ceiling);
    assert_int_equal(ledger->damage.count, 3);
    assert_int_equal(ledger->cells, 0);
}

/* --- access ceilings --- */

/* A record of one rate of an atomic update and one that was refused. */
static const char *access_round(const char *device, int round, double rate)
{
    return filled("{'record':'access_ceilings','device':'%s','device_name':'D','round':%d,"
                  "'clock_mhz':1500,'rates':[{'kind':'shared-atomic-int','degree':32,"
                  "'unit':'update','rate':%.17g,'check':'ok','clock_mhz':1500},"
                  "{'kind':'shuffle','degree':1,'unit':'shuffle','reason':'none'}]}\n",
                  device, round, rate);
}

TEST_AROUND(access_ceilings_are_medians_over_rounds, open_ledger, close_ledger)
{
    LOAD(*state, run_line, access_round("d", 1, 1e9), access_round("d", 2, 4e9),
         access_round("d", 3, 2e9), later_run, access_round("d", 1, 8e9),
         access_round("e", 1, 3e9));
    assert_int_equal(((struct orr_ledger *)*state)->damage.count, 0);
    const char *first = "SELECT rate FROM access_ceiling JOIN run USING (run_key) WHERE run = 'r1'";
    FINDS(first, 2e9);
    FINDS("SELECT rate_low < 1.9e9 AND rate_high > 2.1e9 AND rounds = 3 FROM "
          "access_ceiling JOIN run USING (run_key) WHERE run = 'r1'",
          1);
    /* one round knows no interval; the newest run of a device says what an access costs */
    FINDS("SELECT count(*) FROM access_ceiling WHERE rate_low IS NULL", 2);
    FINDS("SELECT count(*) FROM access_cost", 2);
    FINDS("SELECT seconds FROM access_cost WHERE machine = 'unit' AND "
          "device = 'd' AND kind = 'shared-atomic-int' AND degree = 32 AND "
          "unit = 'update'",
          1 / 8e9);
    FINDS("SELECT count(*) FROM access_rate WHERE reason = 'none' AND rate IS "
          "NULL AND kind = 'shuffle'",
          5);
}

TEST_AROUND(damaged_access_ceilings_are_refused, open_ledger, close_ledger)
{
    static const struct {
        const char *members, *why;
    } flaws[] = {
        {"'rates':[]", "without a device"},
        {"'device':'d'", "or a list of rates"},
        {"'device':'d','round':1.5,'rates':[]", "round is no count"},
        {"'device':'d','rates':[{'degree':1,'unit':'byte','rate':1}]", "has no kind"},
        {"'device':'d','rates':[{'kind':'l2','unit':'byte','rate':1}]",
         "rate 1 (l2) has no degree"},
        {"'device':'d','rates':[{'kind':'l2','degree':1,'rate':1}]", "has no unit"},
        {"'device':'d','rates':[{'kind':'l2','degree':1,'unit':'byte','rate':0}]",
         "is no positive number"},
        {"'device':'d','rates':[{'kind':'l2','degree':1,'unit':'byte'}]",
         "neither a value nor a reason"},
        {"'device':'d','rates':[{'kind':'l2','degree':1,'unit':'byte','rate':1,"
         "'reason':'too fast'}]",
         "or both"},
    };
    for (size_t k = 0; k < sizeof flaws / sizeof *flaws; k++)
        assert_flaw(*state, filled("{'record':'access_ceilings',%s}\n", flaws[k].members),
                    flaws[k].why);
    FINDS("SELECT count(*) FROM access_rate", 0);
}

TEST_AROUND(an_unknown_place_is_a_usage_error, open_ledger, close_ledger)
{
    assert_fails(orr_ledger_add(*state, "no-such-machine"), ORR_EUSAGE, "no-such-machine");
}

TEST_AROUND(half_units_follow_the_printed_digits, open_ledger, close_ledger)
{
    FINDS("SELECT half_unit('119') = 0.5 AND half_unit('1900') = 0.5 AND half_unit('~990') = 5"
          " AND half_unit('~2') = 0.5 AND abs(half_unit('0.50') - 0.005) < 1e-15"
          " AND abs(half_unit('5.6') - 0.05) < 1e-15 AND abs(half_unit('2.1e-7') - 0.5e-8) < 1e-20"
          " AND half_unit('fast') IS NULL",
          1);
}

/* What a published file of these lines is loaded as. */
static int add_published(struct orr_ledger *ledger, const char *header, const char *row)
{
    char path[] = "/tmp/orrery-published-XXXXXX";
    close(mkstemp(path));
    write_text(path, filled("%s\n%s\n", header, row));
    int code = orr_ledger_add_published(ledger, "p", path);
    unlink(path);
    return code;
}

TEST_AROUND(a_malformed_published_file_names_its_line, open_ledger, close_ledger)
{
    assert_fails(
        add_published(*state,
                      "experiment,variant,dataset,n,quantity,value,unit,device,includes,erratum",
                      "p/e,v,s,1,seconds,1.0.0,s,d,,"),
        ORR_EINPUT, ":2: '1.0.0'");
}

TEST_AROUND(figures_of_a_device_say_where_they_are_from, open_ledger, close_ledger)
{
    static const struct {
        const char *row, *why; /* NULL: taken */
    } rows[] = {
        {"card,peak,622,Gflop/s,printed,,x", ":2: where 'peak' of 'card' is from is not said"},
        {"card,peak,622,Gflop/s,vendor,data sheet,",
         ":2: the origin of 'peak' of 'card' is printed, derived or external, not 'vendor'"},
        {"card,peak,fast,Gflop/s,printed,section II,", ":2: 'fast' is no number"},
        {"card,year,0,1,external,release,", ":2: year of 'card' must be above 0, not 0"},
        {"card,,,,,,x", NULL},
        {"card,peak,622,Gflop/s,printed,section II,x", NULL},
        {"card,clock,1e9,Hz,external,data sheet,", NULL},
        {"card,slots/fast,20,1,derived,section VI,", NULL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int code =
            add_published(*state, "device,quantity,value,unit,origin,source,erratum", rows[k].row);
        assert_int_equal(code, rows[k].why ? ORR_EINPUT : 0);
        assert_done(rows[k].why && !strstr(orr_error_text(), rows[k].why));
        orr_error_clear();
    }
    assert_text(*state, "SELECT source || '|' || external || '|' || erratum FROM published_device",
                "peak: section II|clock|x x");
    assert_text(*state, "SELECT reference FROM published_fact WHERE quantity = 'slots'", "fast");
}

TEST_AROUND(csv_fields_are_unquoted, open_ledger, close_ledger)
{
    char text[] = "a,\"b,\"\"c\"\"\nd\",,e\r\n\n\"\",x";
    struct orr_csv csv = {.at = text};
    assert_true(orr_csv_next(&csv));
    assert_int_equal(csv.count, 4);
    assert_int_equal(csv.line, 2);
    assert_string_equal(csv.fields[1], "b,\"c\"\nd");
    assert_string_equal(csv.fields[2], "");
    assert_string_equal(csv.fields[3], "e");
    assert_true(orr_csv_next(&csv));
    assert_int_equal(csv.count, 2);
    assert_int_equal(csv.line, 4);
    assert_string_equal(csv.fields[0], "");
    assert_false(orr_csv_next(&csv));
    free(csv.fields);
}

TEST_AROUND(stages_within_a_step_have_samples, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         ok_cell(",'stages':[{'name':'lists','seconds':5},{'name':'build','seconds':2,"
                 "'in_step':true,'host_s':[1,2,3]}],'conservation':{'energy_source':'pairs'}"));
    FINDS("SELECT count(*) FROM stage_sample", 3);
    FINDS("SELECT seconds FROM stage_sample WHERE name = 'build' AND idx = 2", 3);
    FINDS("SELECT seconds FROM stage WHERE in_step", 2);
    FINDS("SELECT seconds FROM stage WHERE in_step IS NULL", 5);
    assert_text(*state, "SELECT energy_source FROM latest", "pairs");
}

/* Of two processes, one of which has fewer sensors; and what is no reading is NULL. */
TEST_AROUND(sensors_speak_for_each_sample, open_ledger, close_ledger)
{
    static const char record[] = "{'record':'cell','id':'i1','experiment':'p/e','variant':'p/v',"
                                 "'device':'d','dataset':{'name':'s','n':10},'outcome':'ok',"
                                 "'round':%d,'seconds':2,'interval':[1,3],"
                                 "'samples':{'step_s':[1,2,3]%s}%s}\n";
    const char *a =
        filled(record, 1,
               ",'clock_mhz':[1980,1965,1980],'memory_clock_mhz':[3201,3201,3201],'power_w':[300.5,"
               "null,310],'temperature_c':[40,41,42],'throttle':['','power cap',null]",
               ",'energy':{'counter':'nvml','window_s':0.5,'steps':100,'joules_step':2,'idle_w':80,"
               "'joules_idle_step':0.5,'joules_interaction':1e-9,'error':0.02}");
    LOAD(*state, run_line, a, filled(record, 2, ",'power_w':[320,330,340,350]", ""));
    FINDS("SELECT count(*) FROM sensor", 6);
    FINDS("SELECT clock_mhz FROM sensor WHERE idx = 1", 1965);
    FINDS("SELECT count(*) FROM sensor WHERE power_w IS NULL", 1);
    assert_text(*state, "SELECT throttle FROM sensor WHERE throttle <> ''", "power cap");
    FINDS("SELECT power_w FROM sensor WHERE process = 1 AND idx = 4", 330);
    FINDS("SELECT count(*) FROM sensor JOIN sample USING (cell_key, idx)"
          " WHERE kind = 'step_s' AND sensor.process = sample.process",
          6);
    FINDS("SELECT joules_step - joules_idle_step FROM latest", 1.5);
    FINDS("SELECT joules_error FROM latest", 0.02);
    assert_text(*state, "SELECT joules_counter FROM latest", "nvml");
}

/* A list of sources, as runs write it, or one of them; what is no number that can be counted is
 * left out. */
TEST_AROUND(counters_have_tables, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 2,
              ",'counters':[{'source':'cupti','groups':['fp32'],'values':"
              "{'fp32_fma':12e9,'fp32_add':-1,'fp32_mul':'x'},'raw':{'m.sum':7}},"
              "{'source':'gpm','groups':[],'reason':'no NVML'},{'values':{}},3]"),
         cell("i2", "w", "2026-01-01T00:00:02Z", "ok", 2,
              ",'counters':{'source':'papi','values':{'cycles':5}}"));
    assert_text(*state,
                "SELECT group_concat(id || ' ' || source || ' ' || name || ' ' || value)"
                " FROM counter JOIN cell USING (cell_key)",
                "i1 cupti fp32_fma 12000000000.0,i2 papi cycles 5.0");
    assert_text(*state, "SELECT group_concat(source || ' ' || reason) FROM counter_reason",
                "gpm no NVML");
}

/* 4 additions, 3 multiplications, 6 fused ones and a root are the 20 flops of a pair. */
TEST_AROUND(executed_operations_stand_beside_declared_ones, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         cell("i1", "v", "2026-01-01T00:00:01Z", "ok", 2,
              ",'flops_true':2000,'counters':[{'source':'cupti','values':{'fp32_add':400,"
              "'fp32_mul':300,'fp32_fma':600}},{'source':'cupti','values':{'special':100}}]"),
         cell("i2", "w", "2026-01-01T00:00:02Z", "ok", 2,
              ",'flops_true':2000,'counters':[{'source':'cupti','values':{'fp32_add':4}}]"));
    assert_text(*state,
                "SELECT group_concat(id || ' ' || flops || ' ' || share) FROM executed"
                " JOIN cell USING (cell_key)",
                "i1 2000.0 1.0");
}

TEST_AROUND(figures_and_error_curves_have_tables, open_ledger, close_ledger)
{
    LOAD(*state, run_line,
         ok_cell(
             ",'figures':{'groups':12,'node interactions':3.5e9,'odd':null},"
             "'error':{'median':1e-5,'by_mean':{'median':2e-5,'p99':3e-5},"
             "'by_terms':{'median':4e-5,'p99':5e-5},'curve':{'fractions':[0.5,0.1],'relative':[1,"
             "2],'by_mean':[3,4],'by_terms':[5,6]}}"));
    FINDS("SELECT count(*) FROM figure", 2);
    FINDS("SELECT value FROM figure JOIN latest USING (cell_key) WHERE name = 'groups'", 12);
    FINDS("SELECT count(*) FROM error_curve", 6);
    FINDS("SELECT error FROM error_curve WHERE normalisation = 'by_mean' AND fraction = 0.1", 4);
    FINDS("SELECT error_by_mean_median FROM latest", 2e-5);
    FINDS("SELECT error_by_mean_p99 FROM latest", 3e-5);
    FINDS("SELECT error_by_terms_median FROM latest", 4e-5);
    FINDS("SELECT error_by_terms_p99 FROM latest", 5e-5);
}

RUN_TESTS(NULL, NULL)
