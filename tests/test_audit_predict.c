/* SPDX-License-Identifier: MIT */
/* Times that an audit predicts, on an imaginary device whose times follow from its rates, and on
 * one whose times do not; what it makes of printed times; results that are wrong on purpose. */
#include "claims_for_tests.h"

#include "audit/audit.h"
#include "plan/paper.h"

#define DEVICE "cuda:0"
#define IN_BOXES "'name':'uniform-boxes','n':8388608,'level':7,'per_box':512"

struct rate {
    const char *kind, *unit;
    int degree;
    double rate;
};

static const struct rate rates[] = {
    {"2d", "pair", 1, 1e12},
    {"2d-both", "pair", 1, 1.6e12},
    {"add", "operation", 1, 8e13},
    {"shared-load-broadcast", "word", 1, 4e12},
    {"shared-load", "word", 1, 2e12},
    {"shared-atomic-float-cas", "update", 1, 1e12},
    {"shared-atomic-float-cas", "update", 8, 1e11},
    {"shared-atomic-float-cas", "update", 16, 4e10},
    {"shared-atomic-float-cas", "update", 32, 1e10},
    {"shared-update-plain", "update", 1, 2e12},
    {"shared-update-plain", "update", 32, 2e12},
    {"launch", "launch", 1, 1e5},
};

static void put_rates(void)
{
    fprintf(in.file, "{'record':'access_ceilings','device':'" DEVICE "','device_name':'Imaginary"
                     "','round':1,'rates':[");
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
        fprintf(in.file, "%s{'kind':'%s','degree':%d,'unit':'%s','rate':%.17g}", k ? "," : "",
                rates[k].kind, rates[k].degree, rates[k].unit, rates[k].rate);
    fprintf(in.file, "]}\n");
}

/* More of them follow, and then what ends them. */
static void more_rates(void)
{
    fseek(in.file, -3, SEEK_CUR); /* ]} and the newline */
}

static void start_with_rates(void)
{
    start("imaginary");
    put_rates();
}

static void put_counted(const char *variant, const char *parameters, double seconds,
                        const char *counts)
{
    const char *extra = filled(",'counts':{'Neighbor box':{%s}}", counts);
    put_of("shan", "updates", variant, DEVICE, IN_BOXES, parameters, seconds, extra);
}

/* The last cell becomes one that is wrong on purpose: three rounds of it, `seconds` long. */
static void put_wrong(const char *parameters, double seconds)
{
    for (int round = 1; round <= 3; round++)
        fprintf(in.file,
                "{'record':'cell','id':'c%d','round':%d,'experiment':'shan/updates',"
                "'variant':'shan/bpb-n3l','device':'" DEVICE "','dataset':{" IN_BOXES
                "},'parameters':{%s},'outcome':'wrong on purpose','seconds':%.17g,"
                "'interval':[%.17g,%.17g],'samples':{'step_s':[%.17g,%.17g,%.17g]},"
                "'error':{'median':0.75},'counts':{'Neighbor box':{'CP':500000000,'LP':500000000,"
                "'AS':1000000000,'AD':32000000000}}}\n",
                in.cells, round, parameters, seconds, seconds * 0.999, seconds * 1.001, seconds,
                seconds, seconds);
    in.cells++;
}

static void fill(void)
{
    load();
    assert_int_equal(orr_ledger_add_paper(&in.ledger, paper), 0);
    assert_done(orr_audit_fill(&in.ledger, paper));
}

/* What is found. */
static double of(const char *sql)
{
    return number(&in.ledger, sql);
}

static double predicted(const char *column, const char *where)
{
    return of(filled("SELECT p.%s FROM prediction p JOIN cell c USING (cell_key) WHERE %s", column,
                     where));
}

#define BPB_COUNTS "'CP':1000000000,'LP':1000000000"
#define N3L_COUNTS(degrees) "'CP':500000000,'LP':500000000,'AS':1000000000,'AD':" degrees
#define UPDATE(atomic, order) "'level':7,'block':512,'atomic':'" atomic "','order':'" order "'"
/* Of bpb's 1e9 pairs: arithmetic and loop take turns at the issuing unit; loads from shared memory
 * go on beside them, or do not. */
static const double bpb_s = 1e9 / 1e12 + 0.5e9 / 8e13 + 1 / 1e5, bpb_loads_s = 0.75e9 / 4e12;

static void is_near(double value, double expected)
{
    assert_relative(value, expected, 1e-9);
}

/* A prediction is as many times longer than its lower bound as it is shorter than its upper one. */
TEST(test_times_that_follow)
{
    start_with_rates();
    put_counted("bpb", "'level':7,'block':512", bpb_s, BPB_COUNTS);
    put_counted("bpb-n3l", UPDATE("cas", "same"), 0.1 + 1.5e9 / 4e12 + 2e-5,
                N3L_COUNTS("32000000000"));
    put_counted("bpb-n3l", UPDATE("cas", "staggered"), 1e-3 + 1.5e9 / 2e12 + 2e-5,
                N3L_COUNTS("1000000000"));
    fill();
    is_near(predicted("slowest_s", "variant = 'shan/bpb'"), bpb_s);
    is_near(predicted("sum_s", "variant = 'shan/bpb'"), bpb_s + bpb_loads_s);
    is_near(predicted("predicted_s", "variant = 'shan/bpb'"), sqrt(bpb_s * (bpb_s + bpb_loads_s)));
    is_near(of("SELECT max(predicted_s * predicted_s / slowest_s / sum_s) FROM prediction"), 1);
    reads(
        "SELECT slowest_pipe FROM prediction JOIN cell USING (cell_key) WHERE variant = 'shan/bpb'",
        "issue");
    reads("SELECT slowest_kind FROM prediction JOIN cell USING (cell_key) WHERE parameters LIKE "
          "'%same%'",
          "shared-atomic-float-cas");
    finds("SELECT min(agrees) FROM audit_finding WHERE item LIKE 'time of %imaginary%'", 1);
}

/* What each update and each pair costs, by costs.csv: on this device shared memory is so slow that
 * only a wrong mapping makes another part the busiest. */
TEST(test_each_mode)
{
    start_with_rates();
    more_rates();
    fprintf(in.file, ",{'kind':'shared-atomic-float','degree':32,'unit':'update','rate':3e9},"
                     "{'kind':'shared-atomic-int','degree':32,'unit':'update','rate':7e9},"
                     "{'kind':'rsqrt','degree':1,'unit':'operation','rate':1e12}]}\n");
    put_counted("ppt", "'level':7", 1, "'CP':1000000000");
    put_counted("bpb-n3l", UPDATE("native", "same"), 1, N3L_COUNTS("32000000000"));
    put_counted("bpb-n3l", UPDATE("fixed", "same"), 1, N3L_COUNTS("32000000000"));
    fill();
    is_near(predicted("slowest_s", "variant = 'shan/ppt'"), 1e9 / 1e12 + 1.5e9 / 8e13 + 1e-5);
    is_near(predicted("sum_s", "variant = 'shan/ppt'"),
            1e9 / 1e12 + 1.5e9 / 8e13 + 4e9 / 4e12 + 1e-5);
    is_near(predicted("slowest_s", "parameters LIKE '%native%'"), 1e9 / 3e9 + 1.5e9 / 4e12 + 2e-5);
    is_near(predicted("slowest_s", "parameters LIKE '%fixed%'"), 2e9 / 7e9 + 1.5e9 / 4e12 + 3e-5);
    is_near(predicted("sum_s", "parameters LIKE '%fixed%'"),
            2e9 / 7e9 + 1.5e9 / 4e12 + 1e9 / 1.6e12 + (8.5e9 + 1e10) / 8e13 + 1e9 / 1e12 + 3e-5);
}

/* Equal counts, other degrees: between two that were measured the cost is linear. */
TEST(test_degrees_between)
{
    start_with_rates();
    put_counted("bpb-n3l", UPDATE("cas", "same"), 1, N3L_COUNTS("12000000000"));
    fill();
    is_near(of("SELECT degree FROM predicted WHERE kind = 'shared-atomic-float-cas'"), 12);
    is_near(of("SELECT seconds FROM predicted WHERE kind = 'shared-atomic-float-cas'"),
            1e9 * (1 / 1e11 + 1 / 4e10) / 2);
}

/* The device takes twice as long, or a rate is not known. */
TEST(test_times_that_do_not)
{
    start_with_rates();
    put_counted("bpb", "'level':7,'block':512", 2 * sqrt(bpb_s * (bpb_s + bpb_loads_s)),
                BPB_COUNTS);
    put_counted("bpb-n3l", UPDATE("fixed", "same"), 1, N3L_COUNTS("32000000000") ",'IR':1000");
    fill();
    is_near(predicted("share", "variant = 'shan/bpb'"), 0.5);
    is_near(predicted("left_out_words", "variant = 'shan/bpb-n3l'"), 1000);
    finds("SELECT max(agrees) FROM audit_finding WHERE item LIKE 'time of %imaginary%'", 0);
    /* Without a rate nothing is predicted, and nothing missed. */
    finds("SELECT count(*) FROM audit_finding WHERE item LIKE 'time of bpb-n3l%' AND agrees IS "
          "NULL AND derived LIKE 'none can be predicted; at least %'",
          1);
    reads("SELECT lacks FROM prediction WHERE lacks NOT NULL",
          "rsqrt, shared-atomic-int of degree 32");
}

/* What lacks a rate can only take longer: a bound beyond the time is missed, whatever lacks. */
TEST(test_bound_too_long)
{
    start_with_rates();
    put_counted("bpb-n3l", UPDATE("fixed", "same"), 1e-6, N3L_COUNTS("32000000000"));
    fill();
    finds("SELECT holds = 0 AND lacks NOT NULL FROM prediction", 1);
    finds("SELECT count(*) FROM audit_finding WHERE item LIKE 'time of bpb-n3l%' AND agrees = 0 "
          "AND derived LIKE '0 of 1 predicted%'",
          1);
}

/* --- what groups wait for --- */

/* `start` on a device of 10 multiprocessors: 2 is a GPU, 1 a processor. */
static void start_on(int kind)
{
    start("imaginary");
    rewind(in.file);
    fprintf(in.file,
            "{'record':'run','run':'r','started':'2026-01-01T00:00:00Z','machine':{"
            "'name':'imaginary'},'devices':[{'id':'" DEVICE "','backend':'cuda',"
            "'name':'Imaginary','kind':%d,'compute_units':10}]}\n",
            kind);
    put_rates();
}

/* Of 10^6 steps a second, whatever the chain, but for those left out. */
static void put_chains(const char *but)
{
    static const char *const kinds[] = {"l1",  "l2",    "barrier", "shared-load",
                                        "fma", "rsqrt", "issue"};
    more_rates();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k], but))
            fprintf(in.file, ",{'kind':'latency-%s','degree':1,'unit':'step','rate':1e6}",
                    kinds[k]);
    fprintf(in.file, "]}\n");
}

/* bpb in 1000 groups, each of which evaluates ten pairs, one after another. */
static void put_waiting(const char *resident, double seconds)
{
    const char *extra = filled(",'counts':{'Neighbor box':{'CP':1000000,'LP':1000000,'NG':1000,"
                               "'DP':10000}},'kernels':[{'name':'shan_box_per_block'%s}]",
                               resident);
    put_of("shan", "updates", "bpb", DEVICE, IN_BOXES, "'level':7,'block':512", seconds, extra);
}

/* Two and a quarter steps for each pair (costs.csv). */
static const double chain_s = 10000 * (0.25 + 1.75 + 0.25) / 1e6;

static void check_waiting(int device, const char *resident, const char *but, const char *binds,
                          double waiting_s, double lacks)
{
    start_on(device);
    put_chains(but);
    put_waiting(resident, 1);
    fill();
    reads("SELECT binds FROM prediction", binds);
    finds("SELECT count(lacks) FROM prediction", lacks);
    if (waiting_s > 0) {
        is_near(predicted("waiting_s", "1"), waiting_s + 1e-5);
        is_near(predicted("predicted_s", "1"), sqrt((waiting_s + 1e-5) * predicted("sum_s", "1")));
        reads("SELECT rest FROM prediction", "the start and the end of groups");
    } else
        finds("SELECT count(waiting_s) FROM prediction", 0);
}

/* Groups that are there at once wait together, but no more than there are. */
TEST(test_waiting_binds)
{
    check_waiting(2, ",'resident':4", "", "waiting", chain_s / 40, 0);
    check_waiting(2, ",'resident':1", "", "waiting", chain_s / 10, 0);
    check_waiting(2, ",'resident':1000", "", "waiting", chain_s / 1000, 0);
}

/* A cell of 1000 groups on a GPU of ten multiprocessors that hold four of them each. */
static void start_groups(const char *more, const char *counts)
{
    start_on(2);
    put_chains("");
    more_rates();
    fprintf(in.file, "%s]}\n", more);
    const char *extra = filled(",'counts':{'Neighbor box':{%s}},'kernels':[{'name':"
                               "'shan_box_per_block','resident':4}]",
                               counts);
    put_of("shan", "updates", "bpb", DEVICE, IN_BOXES, "'level':7,'block':512", 1, extra);
    fill();
}

/* Groups take as long to start as was measured; of ceilings from before that nothing lacks. */
TEST(test_groups_start)
{
    static const char counts[] = "'CP':1000000,'LP':1000000,'NG':1000,'DP':10000";
    static const char started[] = "SELECT sum(seconds) FROM predicted WHERE kind = 'group'";
    start_groups("", counts);
    finds("SELECT count(*) FROM predicted WHERE kind = 'group'", 0);
    finds("SELECT count(lacks) FROM prediction", 0);
    start_groups(",{'kind':'group','degree':1,'unit':'group','rate':5e3}", counts);
    is_near(of(started), 0.2);
    reads("SELECT slowest_pipe FROM prediction", "starts of groups");
}

/* Half the lanes of warps idle: their updates take as long as with all at work. */
TEST(test_idle_lanes_update)
{
    start_with_rates();
    put_counted("bpb-n3l", UPDATE("cas", "same"), 1,
                "'CP':500000000,'LP':1000000000,'AS':1000000000,'AD':32000000000");
    fill();
    is_near(of("SELECT seconds FROM predicted WHERE kind = 'shared-atomic-float-cas'"), 2e9 / 1e10);
}

/* Nothing is made up: without a latency, or without the driver's word, it is not predicted. A
 * processor's groups do not wait, so that nothing lacks. */
TEST(test_waiting_unknown)
{
    check_waiting(2, "", "", "issue", 0, 1);
    check_waiting(2, ",'resident':-1", "", "issue", 0, 1);
    check_waiting(1, "", "", "issue", 0, 0);
    start_on(2);
    put_chains("rsqrt");
    put_waiting(",'resident':4", 1);
    fill();
    reads("SELECT lacks FROM prediction", "latencies");
    finds("SELECT count(holds) FROM prediction", 0);
}

/* A journal from before chains were counted: the busiest part is a lower bound, and not missed. */
TEST(test_chains_not_counted)
{
    start_on(2);
    put_counted("bpb", "'level':7,'block':512", 10 * bpb_s, BPB_COUNTS);
    fill();
    reads("SELECT lacks FROM prediction", "what groups wait for");
    finds("SELECT count(holds) FROM prediction", 0);
}

/* What misses says why: on a processor, and where nothing is declared. */
TEST(test_misses_are_explained)
{
    for (int kind = 1; kind <= 2; kind++) {
        start_on(kind);
        put_counted("ppt", "'level':7", kind == 1 ? 1 : 1e-9, "'CP':1000000000,'NG':1,'DP':1");
        fill();
        finds("SELECT holds FROM prediction", 0);
        assert_true(of(kind == 1 ? "SELECT rest LIKE '%compiler makes of work-items%'"
                                   " FROM prediction"
                                 : "SELECT rest = 'nothing that is counted or declared'"
                                   " FROM prediction") == 1);
    }
}

/* Degrees are of updates, whatever the count that they are looked up for: pairs have two each. */
TEST(test_degrees_of_chains)
{
    start_on(2);
    put_counted("bpb-n3l", UPDATE("cas", "same"), 1,
                N3L_COUNTS("8000000000") ",'NG':1000,'DP':10000");
    fill();
    is_near(of("SELECT degree FROM audit_used WHERE access = 'latency-shared-atomic-float-cas'"),
            8);
}

/* Of a device without access ceilings nothing is predicted. */
TEST(test_nothing_known)
{
    start("imaginary");
    put_counted("bpb", "'level':7,'block':512", bpb_s, BPB_COUNTS);
    fill();
    finds("SELECT count(*) FROM prediction", 0);
}

/* --- printed times --- */

TEST(test_table_3)
{
    start("imaginary");
    fill();
    const struct orr_ledger *l = &in.ledger;
    double floor_s = number(l, "SELECT floor_s FROM audit_fit WHERE variant = 'bpb'"),
           slots = number(l, "SELECT pair_slots FROM audit_fit WHERE variant = 'bpb'"),
           left = number(l, "SELECT slots FROM audit_slots WHERE item LIKE 'left for the c%'"),
           error = number(l, "SELECT error FROM audit_slots WHERE item LIKE 'left for the c%'");
    assert_true(floor_s > 0.060 && floor_s < 0.085);
    assert_true(slots > 18 && slots < 21 && left > 6 && left < 11 && error > 0.5 && error < 4);
    finds("SELECT count(*) FROM audit_finding WHERE derived LIKE 'not atomic at one address: %' "
          "AND NOT agrees",
          1);
    finds("SELECT count(*) FROM audit_slots a JOIN audit_slots f ON a.item = 'left for one update, "
          "of accelerations' AND f.item = 'left for one update, of forces' WHERE abs(f.slots - "
          "a.slots - 1.5) < 1e-9 AND a.slots + a.error < 5 AND f.slots + f.error > 5",
          1);
}

/* Times of bpb-n3l with `more` slots a pair: the verdict follows. */
static void check_verdict(double more, const char *verdict)
{
    start("imaginary");
    load();
    assert_int_equal(orr_ledger_add_paper(&in.ledger, paper), 0);
    const char *sql = filled("UPDATE published SET value = value + %g / (32 * 30 * 1.296e9 / 4)"
                             " * (n * (n / 16384.0 - 1) + 129540.0 * n / 16384 * n / 16384) / 2"
                             " WHERE variant = 'shan/bpb-n3l' AND quantity = 'seconds'",
                             more);
    assert_int_equal(sqlite3_exec(in.ledger.db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(orr_audit_fill(&in.ledger, paper), 0);
    sql = filled("SELECT count(*) FROM audit_finding WHERE derived LIKE '%s%%'", verdict);
    if (of(sql) != 1)
        fail_msg("%g slots more: not '%s'", more, verdict);
}

TEST(test_other_tables)
{
    check_verdict(-4, "racy, not atomic");
    check_verdict(0, "not atomic at one address");
    check_verdict(30, "not atomic at one address");
    check_verdict(600, "room for atomic ones");
}

/* --- wrong on purpose --- */

static const double wrong_s = 0.000123456789;

static bool is_wrong_time(double value)
{
    return fabs(value / wrong_s - 1) < 2e-3;
}

/* No column of any row. */
static void check_table(const struct orr_ledger *ledger, const char *table)
{
    RELEASED_BY(end_query) sqlite3_stmt *row;
    assert_int_equal(orr_ledger_query(&row, ledger, filled("SELECT * FROM \"%s\"", table), ""), 0);
    while (orr_ledger_next(row, ledger) > 0)
        for (int k = 0; k < sqlite3_column_count(row); k++)
            if (is_wrong_time(sqlite3_column_double(row, k)))
                fail_msg("%s.%s holds a time of a wrong result", table,
                         sqlite3_column_name(row, k));
}

static void plant(void)
{
    start_with_rates();
    put_counted("bpb", "'level':7,'block':512", bpb_s, BPB_COUNTS);
    put_counted("bpb-n3l", UPDATE("cas", "same"), 0.1, N3L_COUNTS("32000000000"));
    put_wrong(UPDATE("none", "same"), wrong_s);
}

/* The time is nowhere but in the two tables that an audit reads, and in the view over them. */
TEST(test_wrong_is_nowhere)
{
    plant();
    fill();
    assert_int_equal(orr_claims_judge(&in.ledger, paper), 1);
    sqlite3_stmt *row;
    int seen = 0;
    assert_done(orr_ledger_query(&row, &in.ledger,
                                 "SELECT name FROM (SELECT name, type FROM sqlite_master UNION"
                                 " SELECT name, type FROM sqlite_temp_master) WHERE type IN"
                                 " ('table', 'view') AND name NOT IN ('wrong_on_purpose',"
                                 " 'audit_racing', 'audit_task')",
                                 ""));
    while (orr_ledger_next(row, &in.ledger) > 0) {
        check_table(&in.ledger, orr_ledger_text(row, 0));
        seen++;
    }
    sqlite3_finalize(row);
    assert_true(seen > 40);
    assert_true(is_wrong_time(of("SELECT seconds FROM audit_racing")));
    finds("SELECT count(*) FROM latest", 2);
}

/* SQL of claims sees whether it is faster, and no time; nobody's sees the table itself. */
TEST(test_wrong_is_guarded)
{
    static const char *const writable[] = {"part", NULL};
    const struct orr_ledger_guard claims = {.writable = writable, .rule = "claims"},
                                  layouts = {.temporary = true, .racing = true, .rule = "layouts"};
    const struct {
        const struct orr_ledger_guard *guard;
        const char *sql;
        int status;
    } tries[] = {{&claims, "SELECT seconds FROM wrong_on_purpose", SQLITE_AUTH},
                 {&claims, "SELECT seconds FROM audit_racing", SQLITE_AUTH},
                 {&claims, "SELECT seconds FROM audit_task", SQLITE_AUTH},
                 {&claims, "SELECT sign FROM audit_racing_gain", SQLITE_OK},
                 {&layouts, "SELECT seconds FROM wrong_on_purpose", SQLITE_AUTH},
                 {&layouts, "SELECT seconds FROM audit_racing", SQLITE_OK}};
    plant();
    fill();
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        orr_ledger_guard(&in.ledger, tries[k].guard);
        int status = sqlite3_exec(in.ledger.db, tries[k].sql, NULL, NULL, NULL);
        orr_ledger_guard(&in.ledger, NULL);
        if (status != tries[k].status)
            fail_msg("%s: %d", tries[k].sql, status);
    }
    finds("SELECT sign FROM audit_racing_gain WHERE over = 'bpb'", 1);
    finds("SELECT most FROM audit_racing_most WHERE over = 'bpb'", 1);
}

/* S3 and S4 ask the audit whether updates that race gain, and whether atomics take most of what is
 * lost; they show no number of it. */
static void check_claims(double wrong, double gains, double most)
{
    start("imaginary");
    put_counted("bpb", "'level':7,'block':512", 1e-3, BPB_COUNTS);
    put_counted("bpb-n3l", UPDATE("cas", "same"), 2e-3, N3L_COUNTS("32000000000"));
    put_wrong(UPDATE("none", "same"), wrong);
    fill();
    assert_int_equal(orr_claims_judge(&in.ledger, paper), 1);
    finds(
        "SELECT holds FROM judgement_part WHERE id = 'S3' AND what = 'gain with updates that race'",
        gains);
    finds("SELECT holds FROM judgement_part WHERE id = 'S4' AND what = 'time of an update'", most);
    finds("SELECT count(value) FROM judgement_part WHERE what IN ('gain with updates that race', "
          "'time of an update')",
          0);
}

TEST(test_claims_ask_the_audit)
{
    check_claims(0.7e-3, 1, 1);
    check_claims(1.5e-3, 0, 0);
}

static int begin(void **state)
{
    return begin_claims("shan");
}

RUN_TESTS(begin, end_claims)
