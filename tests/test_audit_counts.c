/* SPDX-License-Identifier: MIT */
/* The audit over counted cells of an invented journal: counts against formulas, the four
 * situations, counters brought from outside, and printed ratios against printed times. */
#include "audit_for_tests.h"
#include "claims_for_tests.h"

#include "audit/audit.h"

static void invent(const char *device, int P, double before, double after, int off)
{
    add("shan/table1", "shan/bpb", device, P, before, "", counts_of_table_1(false, P, 0, ""));
    add("shan/table1", "shan/bpb-n3l", device, P, after, "", counts_of_table_1(true, P, off, ""));
}

static void audit_all(void)
{
    load();
    assert_int_equal(orr_audit_fill(&in.ledger, shan), 0);
}

TEST(counts_stand_beside_formulas)
{
    int P = 1 + (int)random_below(500), off = 1 + (int)random_below(1000);
    start("m");
    invent("cuda:0", P, 2, 1, 0);
    invent("cuda:0", P + 1, 2, 1, 0);
    invent("opencl:0.0", P, 2, 1, off);
    load();
    for (int twice = 0; twice < 2; twice++) /* filling again changes nothing */
        assert_int_equal(orr_audit_fill(&in.ledger, shan), 0);
#define ITEM(columns, item) "SELECT " columns " FROM audit_finding WHERE item = '" item "'"
    reads(ITEM("agrees || ' ' || derived", "counts of bpb on m, cuda:0"),
          "1 24 of 24 counted so, in 2 cells");
    reads(ITEM("agrees || ' ' || derived", "counts of bpb-n3l on m, cuda:0"),
          "1 28 of 28 counted so, in 2 cells");
    reads(ITEM("agrees || ' ' || derived", "counts of bpb-n3l on m, opencl:0.0"),
          "0 13 of 14 counted so, in 1 cell");
    reads(ITEM("count(*)", "shared memory"), "1");
    reads(ITEM("agrees || ' ' || (printed IS NULL)", "CP of bpb"), "0 1");
#undef ITEM
}

/* --- situations --- */

/* Counts of so many evaluations of pairs, and of as many reads of global memory. */
static const char *counts_of_change(long long computation, long long access)
{
    return filled(",'counts':{'all':{'CP':%lld,'GR':%lld}}", computation, access);
}

/* The situation from bpb to bpb-n3l, or back, on an input of P bodies in a box. */
static int situation(int P, bool back)
{
    const char *sql =
        filled("SELECT coalesce(nullif(situation, 'none'), 0) FROM audit_situation WHERE a = '%s'"
               " AND per_box = %d",
               back ? "bpb-n3l" : "bpb", P);
    return (int)number(&in.ledger, sql);
}

TEST(the_four_situations)
{
    enum { MOST = 60, BEFORE = 1000 };
    int changes[MOST][2] = {{-1, 1}, {-1, 0}, {-1, -1}, {1, -1}, {1, 0}, {1, 1}, {0, -1}, {0, 1}};
    const int expected[] = {1, 2, 2, 3, 4, 4, 0, 0, 0};
    start("m");
    for (int k = 0; k < MOST; k++) {
        if (k > 8) {
            changes[k][0] = (int)random_below(200) - 100;
            changes[k][1] = (int)random_below(200) - 100;
        }
        add("shan/table1", "shan/bpb", "cuda:0", k + 1, 1, "", counts_of_change(BEFORE, BEFORE));
        add("shan/table1", "shan/bpb-n3l", "cuda:0", k + 1, 1, "",
            counts_of_change(BEFORE + changes[k][0], BEFORE + changes[k][1]));
    }
    audit_all();
    reads("SELECT count(*) FROM audit_situation", "120");
    reads("SELECT count(*) FROM audit_situation WHERE predicts IS NOT CASE situation WHEN 'none' "
          "THEN NULL WHEN '4' THEN 'worse' ELSE 'better' END",
          "0");
    for (int k = 0; k < MOST; k++) { /* what is 1 one way is 3 the other, and both are better */
        int there = situation(k + 1, false), back = situation(k + 1, true);
        if (k <= 8)
            assert_int_equal(there, expected[k]);
        assert_int_equal(there == 1, back == 3);
        if (there == 2 && changes[k][1])
            assert_int_equal(back, 4);
        assert_int_equal(there == 0, changes[k][0] == 0);
    }
}

TEST(measured_changes_are_judged)
{
    double before = 1 + (double)random_below(100),
           after = before / (1.2 + (double)random_below(10));
    start("m");
    invent("cuda:0", 64, before, after, 0);
    invent("cuda:0", 1, after, before, 0);
    invent("opencl:0.0", 64, before, before, 0);
    audit_all();
#define ROW(columns, a, b, device, P)                                       \
    "SELECT " columns " FROM audit_situation WHERE a = '" a "' AND b = '" b \
    "' AND device = '" device "' AND per_box = " P                          \
    " AND level = 7 AND machine = 'm' AND dataset = 'uniform-boxes'"
#define SAYS "situation || ' ' || predicts || ' ' || coalesce(agrees, 'NULL')"
    reads(ROW(SAYS, "bpb", "bpb-n3l", "cuda:0", "64"), "2 better 1");
    reads(ROW(SAYS, "bpb-n3l", "bpb", "cuda:0", "64"), "4 worse 1");
    reads(ROW(SAYS, "bpb", "bpb-n3l", "cuda:0", "1"), "2 better 0");
    reads(ROW(SAYS, "bpb-n3l", "bpb", "cuda:0", "1"), "4 worse 0");
    reads(ROW(SAYS, "bpb", "bpb-n3l", "opencl:0.0", "64"), "2 better NULL");
    reads("SELECT count(*) FROM audit_situation", "6");
    const double ratio = number(&in.ledger, ROW("ratio", "bpb", "bpb-n3l", "cuda:0", "64"));
    assert_true(fabs(ratio - before / after) < 1e-9 * before / after);
    reads(ROW("measured", "bpb", "bpb-n3l", "cuda:0", "64"), "faster");
    reads(ROW("measured", "bpb-n3l", "bpb", "cuda:0", "64"), "slower");
    reads(ROW("measured", "bpb", "bpb-n3l", "opencl:0.0", "64"), "same");
    reads(ROW("ratio_low <= ratio AND ratio <= ratio_high", "bpb", "bpb-n3l", "cuda:0", "64"), "1");
}

/* Two programs are compared as they ran with one block, not with one that leaves most threads idle
 * beside one that does not; a program without blocks stands beside either. */
TEST(pairs_agree_in_their_parameters)
{
    start("m");
    for (int block = 0; block <= 512; block += 512) {
        const char *given = block ? ",'block':512" : ",'block':0";
        add("shan/table1", "shan/bpb", "cuda:0", 8, 1, given, counts_of_change(100, 100));
        add("shan/table1", "shan/bpb-n3l", "cuda:0", 8, 2, given, counts_of_change(50, 90));
    }
    add("shan/table1", "shan/ppt", "cuda:0", 8, 1, ",'group':0", counts_of_change(100, 300));
    audit_all();
    reads("SELECT count(*) FROM audit_situation WHERE a = 'bpb' AND b = 'bpb-n3l'", "2");
    reads("SELECT count(*) FROM audit_situation WHERE a = 'ppt' AND b = 'bpb-n3l'", "2");
    reads("SELECT count(*) FROM audit_situation p JOIN cell a ON a.cell_key = a_key JOIN cell b ON "
          "b.cell_key = b_key WHERE json_extract(a.parameters, '$.block') <> "
          "json_extract(b.parameters, '$.block')",
          "0");
}

/* A difference of 5.6 % between processes 2 % apart, among so many pairs without one. */
static void invent_pairs(int pairs)
{
    start("m");
    in.apart = 0.022;
    for (int P = 1; P <= pairs; P++)
        invent("cuda:0", P, P == 1 ? 1.056 : 1, 1, 0);
    audit_all();
}

/* The samples of one process say nothing of the next one, nor does a single p of many. */
TEST(noise_is_no_difference)
{
    wanted_rounds = 2;
    start("m");
    wanted_rounds = 3;
    invent("cuda:0", 64, 2, 1, 0);
    audit_all();
    reads(ROW("measured || ' ' || coalesce(agrees, 'NULL')", "bpb", "bpb-n3l", "cuda:0", "64"),
          "unclear NULL");
    start("m");
    invent("cuda:0", 64, 1.015, 1, 0);
    audit_all();
    reads(ROW("measured || ' ' || coalesce(agrees, 'NULL')", "bpb", "bpb-n3l", "cuda:0", "64"),
          "same NULL");
    invent_pairs(1);
    reads(ROW("measured", "bpb", "bpb-n3l", "cuda:0", "1"), "faster");
    invent_pairs(40);
    reads(ROW("measured", "bpb", "bpb-n3l", "cuda:0", "1"), "not told apart");
}

/* The levels of memory disagree at P = 1: shared memory alone makes it situation 1. */
TEST(every_reading_is_judged)
{
    start("m");
    invent("cuda:0", 1, 2, 1, 0);
    audit_all();
#define READING(columns, memory, read_write)                                       \
    "SELECT " columns " FROM audit_judgement JOIN audit_pair USING (a_key, b_key)" \
    " WHERE a = 'bpb' AND memory = '" memory "' AND read_write = " read_write
    reads(READING("after - before", "shared", "0"), "65536");
    reads(READING("after - before", "global", "0"), "-32002");
    reads(READING("after - before", "shared", "1"), "195076"); /* 72962 + 122114 */
    reads(READING("situation", "register", "0"), "2");
    reads(READING("situation", "shared", "0"), "1");
    reads(READING("situation", "total", "1"), "1");
    reads("SELECT situation FROM audit_situation WHERE a = 'bpb'", "2");
#undef READING
    reads("SELECT count(DISTINCT situation) || ' ' || count(DISTINCT predicts) FROM "
          "audit_judgement JOIN audit_pair USING (a_key, b_key) WHERE a = 'bpb'",
          "2 1");
}

/* --- counters --- */

#define WORDS(cell)                                                                     \
    "SELECT coalesce(group_concat(kind || ' ' || words, ', '), '') FROM (SELECT * FROM" \
    " audit_words WHERE cell_key = " #cell " ORDER BY kind)"
/* An atomic update is one write. */
TEST(counters_of_the_run_itself)
{
    start("m");
    invent("cuda:0", 8, 2, 1, 0);
    load();
    assert_int_equal(sqlite3_exec(in.ledger.db,
                                  "INSERT INTO counter(cell_key, source, name, value) VALUES (1, "
                                  "'cupti', 'shared_loads', 100),"
                                  " (1, 'cupti', 'shared_stores', 20), (1, 'cupti',"
                                  " 'shared_atomics', 3), (1, 'gpm', 'global_loads', 9)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(orr_audit_fill(&in.ledger, shan), 0);
    reads(WORDS(1), "SR 100, SW 23");
    reads(WORDS(2), "");
}

/* --- printed ratios --- */

/* Times and their ratio with `digits` decimals, and a highest one in the text. */
static void print_ratios(double wrong, const char *highest)
{
    char path[] = "/tmp/orrery-published-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("experiment,variant,dataset,n,quantity,value,unit,device,includes,erratum\n", file);
    double most = 0;
    for (int k = 0; k < 5; k++) {
        double own = 1 + (double)random_below(1000) / 1000,
               over = own * (2 + k + (double)random_below(100) / 100);
        double ratio = over / own + (k == 2 ? wrong : 0);
        fprintf(file, "shan/table3,serial,uniform-boxes,%d,seconds,%.4f,s,x,,\n", 100 + k, over);
        fprintf(file, "shan/table3,bpb,uniform-boxes,%d,seconds,%.4f,s,x,,\n", 100 + k, own);
        fprintf(file, "shan/table3,bpb,uniform-boxes,%d,ratio/serial,%.2f,1,x,,\n", 100 + k, ratio);
        most = fmax(most, ratio);
    }
    if (*highest)
        fprintf(file, "shan/table3,bpb,,,ratio_max/serial,%s,1,x,the introduction,\n", highest);
    else
        fprintf(file, "shan/table3,bpb,,,ratio_max/serial,%d,1,x,cut off,\n", (int)most);
    fclose(file);
    assert_done(orr_ledger_add_published(&in.ledger, "shan", path));
    unlink(path);
    audit_all();
}

TEST(printed_ratios_follow_from_printed_times_or_not)
{
#define FINDING(item) "SELECT agrees || ' ' || derived FROM audit_finding WHERE item = '" item "'"
    start("m");
    print_ratios(0, "");
    reads(FINDING("speedups of bpb over serial"), "1 5 of 5 follow from the printed times");
    reads("SELECT agrees FROM audit_finding WHERE item = 'highest speedup of bpb over serial'",
          "1");
    start("m");
    print_ratios(0.1, "24.3");
    reads(FINDING("speedups of bpb over serial"), "0 4 of 5 follow from the printed times");
    reads("SELECT agrees FROM audit_finding WHERE item = 'speedup of bpb over serial at N = 102'",
          "0");
    reads("SELECT agrees || printed FROM audit_finding WHERE item = 'highest speedup of bpb over "
          "serial'",
          "024.3");
#undef FINDING
}

TEST(a_paper_without_formulas_is_no_mistake)
{
    RELEASED_BY(free_paper) struct orr_paper *fujiwara;
    RELEASED_BY(orr_ledger_close) struct orr_ledger ledger;
    assert_int_equal(orr_paper_load(&fujiwara, "fujiwara"), 0);
    assert_int_equal(orr_ledger_open(&ledger), 0);
    assert_int_equal(orr_audit_fill(&ledger, fujiwara), 0);
    assert_text(&ledger, "SELECT count(*) FROM audit_finding", "0");
}

/* Of the counters: reads of four words a body, by lanes that share them; writes as counted; shared
 * writes of which half are nowhere. */
TEST(counters_differ_for_reasons)
{
    enum { P = 8 };
    const long long N = P << 14, B = (long long)orr_boxes_neighbours(7), loads = 3 * (N + B * P),
                    shared = 3 * (N * (P - 1) + B * P * P);
    const char *counts = counts_of_table_1(false, P, 0, "");
    start("m");
    add("shan/table1", "shan/bpb", "cuda:0", P, 1, "",
        filled(
            "%s,'counters':[{'source':'cupti','groups':['global','shared'],'values':{"
            "'global_loads':%lld,'global_stores':%lld,'shared_loads':%lld,'shared_stores':%lld}}]",
            counts, 4 * loads / 3, 2 * N, shared / 8, loads / 2));
    audit_all();
    reads("SELECT agrees || ' ' || derived FROM audit_finding WHERE item = 'counters of bpb on m, "
          "cuda:0'",
          "0 1 as counted within 1 %, 2 explained, 1 not, in 1 cell");
#define HOW(kind) "SELECT how FROM audit_counter WHERE kind = '" kind "'"
    reads(HOW("GR"), "fourth words");
    reads(HOW("GW"), "as counted");
    reads(HOW("SR"), "shared");
    reads(HOW("SW"), "unexplained");
#undef HOW
}

/* Four words read for each that is counted: what costs.csv says of the program, and no more. */
TEST(counters_differ_as_costs_say)
{
    enum { P = 1 };
    const long long N = P << 14, B = (long long)orr_boxes_neighbours(7),
                    shared = 3 * (N * (P - 1) + B * P * P);
    const char *counts = counts_of_table_1(false, P, 0, "");
    start("m");
    add("shan/table1", "shan/bpb", "cuda:0", P, 1, "",
        filled("%s,'counters':[{'source':'cupti','groups':['shared'],'values':{"
               "'shared_loads':%lld,'shared_stores':1}}]",
               counts, 4 * shared));
    audit_all();
    reads("SELECT group_concat(how || ': ' || (why LIKE '%four bodies at once%'), '; ') FROM "
          "(SELECT * FROM audit_counter ORDER BY place)",
          "not counted: 1; unexplained: 0");
}

RUN_TESTS(load_paper, leave_paper)
